"""Scales one behind another."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from littlestone import _core
from littlestone.errors import InvalidParameter
from littlestone.views.scales import NAMES
from littlestone.views.view import Statistics, View

if TYPE_CHECKING:
    from collections.abc import Mapping


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
        """What every step knows before the first row, under its number."""
        parts = [step.init(width) for step in self._steps]
        declared = {f"{k}.{name}": array for k, part in enumerate(parts) for name, array in part.schema.items()}
        return Statistics(
            declared, **{f"{k}.{name}": array for k, part in enumerate(parts) for name, array in part.arrays.items()}
        )

    def bound(self, statistics: Statistics) -> _core.View:
        """The compiled views, one behind another."""
        return _core.chain([step.bound(_part(statistics, k)) for k, step in enumerate(self._steps)])

    def shown(self, statistics: Statistics, row: Mapping[int, float], *, learns: bool) -> dict[int, float]:
        """What the last step shows of what the others show."""
        found = dict(row)
        for k, step in enumerate(self._steps):
            found = step.shown(_part(statistics, k), found, learns=learns)
        return found


def _part(statistics: Statistics, k: int) -> Statistics:
    """What one step knows, over the same memory."""
    names = {name.removeprefix(f"{k}."): name for name in statistics.arrays if name.startswith(f"{k}.")}
    declared = {short: statistics.schema[name] for short, name in names.items()}
    return Statistics(declared, **{short: statistics.arrays[name] for short, name in names.items()})


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
