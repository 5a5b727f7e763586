"""The abstract view, and the statistics that it keeps."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, final

from littlestone.errors import InvalidParameter, NotApplicable
from littlestone.schema import SCALAR, Array, Arrays, Axis

if TYPE_CHECKING:
    from littlestone import _core
    from littlestone.arrays import FloatArray
    from littlestone.rule import LinearRule
    from littlestone.streams.batches import Feature


@final
class Statistics(Arrays):
    """What a view knows of each feature."""

    __slots__ = ()

    @staticmethod
    def _undeclared(array: FloatArray) -> Array:
        """A number of the view."""
        return SCALAR

    @property
    def width(self) -> int:
        """For how many features there is room."""
        return next(len(self._arrays[name]) for name, array in self._schema.items() if array.axis is Axis.FEATURE)

    def resized(self, width: int) -> Statistics:
        """The same with room for so many features, of which nothing is known yet, or without the room behind a width."""
        if width == self.width:
            return self
        return self.holding({name: self._resized(name, array, width) for name, array in self._arrays.items()})

    def _resized(self, name: str, array: FloatArray, width: int) -> FloatArray:
        if self._schema[name].axis is not Axis.FEATURE:
            return array
        made = self._schema[name].zeros(width)
        made[: self.width] = array[:width]
        return made


class View(ABC):
    """What a rule is shown of a row; a frozen value that keeps nothing itself."""

    name: ClassVar[str]
    """On the command line and in files."""
    widest: ClassVar[int | None] = None
    """How many features rows may have at most, where zeros do not stay zeros, or there are many places for each."""
    wide: ClassVar[str] = ""
    """What to say of rows that have more."""
    spread: ClassVar[int] = 1
    """How many features are shown for each; those of feature i begin at i·spread."""
    of_labels: ClassVar[bool] = False
    """Whether it learns from labels, of which there are two."""

    @abstractmethod
    def init(self, width: int) -> Statistics:
        """What is known before the first row of a width."""

    @abstractmethod
    def bound(self, statistics: Statistics) -> _core.View:
        """The compiled view on these statistics."""

    @abstractmethod
    def shown(self, statistics: Statistics, row: Mapping[int, float], *, learns: bool) -> dict[int, float]:
        """The definition: what is shown of the nonzeros of a row, and, with `learns`, what is known from then on."""

    @final
    def check_width(self, width: int) -> None:
        """Refuses rows that would be filled up with too many features.

        Raises:
            NotApplicable: naming what is for wide rows.
        """
        for step in self.steps:
            if step.widest is not None and width > step.widest:
                raise NotApplicable(f"the rows have {width:,} features, and {step.wide}")
            width *= step.spread

    @property
    def steps(self) -> tuple[View, ...]:
        """The scales that it is made of, in the order in which they see a row."""
        return (self,)

    @final
    def shown_width(self, width: int) -> int:
        """How many features are shown of rows of a width."""
        return width * math.prod(step.spread for step in self.steps)

    def names(self, features: list[Feature]) -> list[Feature]:
        """What is shown, by its place: the features themselves."""
        return features

    @property
    @final
    def spelled(self) -> str:
        """Its name on the command line and in files."""
        return ",".join(step.name for step in self.steps)

    @final
    def __or__(self, other: View) -> View:
        """This view and then another, which is shown the rows as this one shows them.

        Example:
            >>> import littlestone as ls
            >>> ls.features.Gauge() | ls.features.MaxScale()
            Gauge() | MaxScale()
        """
        from littlestone.views.chain import Chain

        return Chain(*self.steps, *other.steps) if isinstance(other, View) else NotImplemented

    @final
    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and [type(step) for step in self.steps] == [type(step) for step in other.steps]

    @final
    def __hash__(self) -> int:
        return hash(tuple(type(step) for step in self.steps))

    @final
    def __repr__(self) -> str:
        return " | ".join(f"{type(step).__name__}()" for step in self.steps)

    @final
    def resized(self, statistics: Statistics | None, width: int) -> Statistics:
        """Statistics with room for rows of a width."""
        return self.init(width) if statistics is None else statistics.resized(width)


def checked(view: object, rule: LinearRule) -> View | None:
    """A view, or none, for a rule that rows can be shown to.

    Raises:
        InvalidParameter: for no view, or a rule that has its own, reads no numbers, or has no use for what is shown.
    """
    if view is None:
        return None
    if not isinstance(view, View):
        such = f"ls.views.{view.__name__}" if isinstance(view, type) and issubclass(view, View) else "ls.features.StandardScale"
        raise InvalidParameter(f"view is {view!r}; expected a view of the rows, such as {such}()")
    able, name, each = rule.abilities, type(rule).__name__, view.shown_width(1)
    if able.takes_objects:
        raise InvalidParameter("view scales numbers, and a kernel of your own reads rows as they are; leave out view")
    if not able.takes_view:
        raise InvalidParameter(f"view is {view!r}, and {name} has scales of its own; leave out view, or name another rule")
    if any(step.of_labels for step in view.steps) and (able.classes or not able.labels):
        raise InvalidParameter(f"view is {view!r}, evidence for one of two labels, which {name} does not learn; leave out view")
    if each > 1 and Axis.PAIR in {array.axis for array in rule.init(rule.least_width()).schema.values()}:
        pairs = f"{name} keeps a number for every pair of features"
        raise InvalidParameter(f"view is {view!r}, {each:,} features for each, and {pairs}; leave out view")
    return view
