"""The abstract view, and the statistics that it keeps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, final

from littlestone.errors import InvalidParameter, NotApplicable
from littlestone.schema import SCALAR, Array, Arrays, Axis

if TYPE_CHECKING:
    from littlestone import _core
    from littlestone.arrays import FloatArray


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
    """How many features rows may have at most, where zeros do not stay zeros."""

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
            NotApplicable: naming the view for wide rows.
        """
        if any(step.widest is not None and width > step.widest for step in self.steps):
            filled = f"the rows have {width:,} features, and a row that is centred has them all"
            raise NotApplicable(f"{filled}; view=ls.features.RootMeanSquareScale() keeps zeros")

    @property
    def steps(self) -> tuple[View, ...]:
        """The scales that it is made of, in the order in which they see a row."""
        return (self,)

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


def checked(view: object) -> View | None:
    """A view, or none.

    Raises:
        InvalidParameter: for anything else.
    """
    if view is None or isinstance(view, View):
        return view
    raise InvalidParameter(f"view is {view!r}; expected a view of the rows, such as ls.features.StandardScale()")
