"""Scales one behind another."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from littlestone import _core
from littlestone.errors import InvalidParameter
from littlestone.schema import Array, Axis
from littlestone.views.cuts import Bins, Pairs
from littlestone.views.evidence import Evidence
from littlestone.views.scales import SCALES
from littlestone.views.view import Statistics, View

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from littlestone.arrays import FloatArray
    from littlestone.streams.batches import Feature

_VIEWS: tuple[type[View], ...] = (*SCALES, Bins, Pairs, Evidence)
NAMES: dict[str, type[View]] = {view.name: view for view in _VIEWS}
"""The views by their names on the command line and in files."""


@final
class Chain(View):
    """Views one behind another, each on the rows as the one before shows them: `Gauge() | MaxScale()` is one.

    Cost: that of its steps together, in numbers and in time.

    Source: the pipelines of scikit-learn and River, as a step of the same pass.

    Example:
        >>> import littlestone as ls
        >>> view = ls.features.StandardScale() | ls.features.MaxScale()
        >>> learner = ls.Learner(ls.Perceptron(), view=view, labels=(-1, 1))
        >>> learner.learn_many([[10.0], [14.0], [6.0]], [1, 1, -1], keep=("score",))["score"].round(3)
        array([ 0.,  1., -1.])
    """

    def __init__(self, *steps: View) -> None:
        self._steps = tuple(step for given in steps for step in given.steps)
        if not self._steps:
            raise InvalidParameter("a chain of views has no step; expected some, such as ls.features.StandardScale()")

    @property
    def steps(self) -> tuple[View, ...]:
        """The scales that it is made of, in the order in which they see a row."""
        return self._steps

    def init(self, width: int) -> Statistics:
        """What every step knows before the first row, under its number; of a feature that is several, several numbers."""
        declared: dict[str, Array] = {}
        arrays: dict[str, FloatArray] = {}
        for k, (step, spread) in enumerate(self._spread()):
            part = step.init(spread * width)
            own = {name: _together(array, spread) for name, array in part.schema.items()}
            declared |= {f"{k}.{name}": array for name, array in own.items()}
            arrays |= {f"{k}.{name}": array.reshape(own[name].shape(width)) for name, array in part.arrays.items()}
        return Statistics(declared, **arrays)

    def bound(self, statistics: Statistics) -> _core.View:
        """The compiled views, one behind another."""
        return _core.chain([step.bound(part) for step, part in self._parts(statistics)])

    def shown(self, statistics: Statistics, row: Mapping[int, float], *, learns: bool) -> dict[int, float]:
        """What the last step shows of what the others show."""
        found = dict(row)
        for step, part in self._parts(statistics):
            found = step.shown(part, found, learns=learns)
        return found

    def names(self, features: list[Feature]) -> list[Feature]:
        """What the last step shows, by its place."""
        for step in self._steps:
            features = step.names(features)
        return features

    def _spread(self) -> Iterator[tuple[View, int]]:
        """The steps, each with how many features it sees of one."""
        spread = 1
        for step in self._steps:
            yield step, spread
            spread *= step.spread

    def _parts(self, statistics: Statistics) -> Iterator[tuple[View, Statistics]]:
        """The steps, each with what it knows, over the same memory."""
        for k, (step, spread) in enumerate(self._spread()):
            schema = step.init(0).schema
            arrays = {name: statistics.arrays[f"{k}.{name}"] for name in schema}
            shaped = {name: array.reshape(schema[name].shape(spread * statistics.width)) for name, array in arrays.items()}
            yield step, Statistics(schema, **shaped)


def _together(array: Array, spread: int) -> Array:
    """The numbers of several features as those of one."""
    return array._replace(inner=array.inner * spread) if array.axis is Axis.FEATURE else array


def view_named(names: str) -> View:
    """The view of a name, or of several with commas between them.

    Raises:
        InvalidParameter: for a name that no view has.
    """
    for name in names.split(","):
        if name not in NAMES:
            raise InvalidParameter(f"there is no view {name!r}; there are {', '.join(NAMES)}, and chains such as gauge,max")
    steps = [NAMES[name]() for name in names.split(",")]
    return steps[0] if len(steps) == 1 else Chain(*steps)
