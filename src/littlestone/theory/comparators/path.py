"""Hinge and squared-hinge paths: the comparator that makes a bound best (HS and SHS)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, final

from littlestone.progress import Patience
from littlestone.theory.comparators.descent import EFFORT, Descent, NearOptimum
from littlestone.theory.comparators.trials import Trials

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray

Bound: TypeAlias = "Callable[[FloatArray], float]"
"""What a theorem bounds a run by, as a function of the comparator."""

# A thousandth off the best comparator moves a bound by about a thousandth, and takes a tenth of the sweeps.
_TOLERANCE = 1e-3
_STEP = math.sqrt(10.0)
_RISES = 3
_REFINEMENTS = 6
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


def balance(trials: Trials, C: float, *, power: int) -> NearOptimum:
    """Minimises ½‖u − w₁‖² + C·Σ loss^power: HS(C) and ABS as a quadratic program (power 1), SHS(C) (power 2).

    Example:
        >>> from littlestone.theory.comparators import Trials, balance
        >>> trials = Trials.of_labels([[1.0], [1.0], [1.0], [1.0]], [1, 1, 1, -1])
        >>> balance(trials, 1.0, power=1).u.round(6)             # ½u² + 3[1 − u]₊ + (1 + u)
        array([1.])
    """
    return Descent(trials, power=power).solve(C, tolerance=_TOLERANCE)


def best_on_path(trials: Trials, bound: Bound, *, power: int) -> NearOptimum:
    """The u_C of the path with the smallest bound: a search over C, where each u_C is a valid comparator.

    A bound that increases with ‖u − w₁‖ and with the loss has its minimum over all u on this path. The search goes up in C by
    half decades until the bound has risen three times in a row, then narrows the best bracket by golden sections.
    """
    squared = float(trials.batch.norm_squared.max(initial=0.0))
    if squared == 0.0:
        return NearOptimum(trials.start.copy(), 0.0)
    search = _PathSearch(Descent(trials, power=power, effort=EFFORT // 30), bound, NearOptimum(trials.start.copy(), 0.0))
    first = 0.1 / (squared * len(trials) * trials.passes)
    points = 2 * math.ceil(math.log10(len(trials) * trials.passes) + 4.0)
    with Patience("comparator path", points + _REFINEMENTS) as patience:
        rises = 0
        for k in range(points):
            rises = 0 if search.improves(first * _STEP**k) else rises + 1
            patience.done(k + 1)
            if rises == _RISES and search.best_at is not None:
                break
        search.refine(lambda done: patience.done(points + done))
    return search.best


@final
class _PathSearch:
    """The best solution so far, and where on the path it was."""

    def __init__(self, descent: Descent, bound: Bound, start: NearOptimum) -> None:
        self._descent, self._bound = descent, bound
        self.best = start
        self._value = bound(start.u)
        self.best_at: float | None = None

    def improves(self, C: float) -> bool:
        """Tries a C and keeps its solution if the bound is smaller."""
        return self._try(C) == self._value and self.best_at == C

    def refine(self, told: Callable[[int], None]) -> None:
        """Golden sections in log C between the neighbours of the best point."""
        if self.best_at is None:
            return
        low, high = math.log(self.best_at / _STEP), math.log(self.best_at * _STEP)
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        at_left, at_right = self._try(math.exp(left)), self._try(math.exp(right))
        for done in range(_REFINEMENTS):
            if at_left <= at_right:
                high, right, at_right = right, left, at_left
                left = high - _GOLDEN * (high - low)
                at_left = self._try(math.exp(left))
            else:
                low, left, at_left = left, right, at_right
                right = low + _GOLDEN * (high - low)
                at_right = self._try(math.exp(right))
            told(done + 1)

    def _try(self, C: float) -> float:
        solution = self._descent.solve(C, tolerance=_TOLERANCE)
        value = self._bound(solution.u)
        if value < self._value:
            self.best, self._value, self.best_at = solution, value, C
        return value
