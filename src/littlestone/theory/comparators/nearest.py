"""The nearest weights without a loss: maximum margin, and regression within ε (MM2 and REGF)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from littlestone.progress import Patience
from littlestone.theory.comparators.descent import Descent, NearOptimum
from littlestone.theory.comparators.trials import Trials

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray

# Up to so many rows and values the least-distance program is solved outright, which is exact up to rounding.
_SMALL_ROWS, _SMALL_VALUES = 1_000, 50_000

# What an exact solver returns may miss an end by a rounding, and a descent by more: they aim a little inside.
_EXACT_INNER, _DESCENT_INNER = 1e-9, 1e-3

# A residual below this is a rounding: the constraints contradict each other.
_ZERO = 1e-12


def max_margin(trials: Trials) -> NearOptimum:
    """The direction of largest margin: min ‖u‖ with y·(u·x) ≥ margin in every round.

    The margin is that of `trials.measure(u)`; where it is not positive, nothing separates the rounds (or so little that
    every mistake bound is void).

    Example:
        >>> import numpy as np
        >>> from littlestone.theory.comparators import Trials, max_margin
        >>> trials = Trials.of_labels(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0]]), [1, -1, 1, 1])
        >>> u = max_margin(trials).u
        >>> u.round(9), round(trials.measure(u).smallest_margin / float(np.linalg.norm(u)), 5)
        (array([ 2., -1.]), 0.44721)
    """
    trials.signs()
    return nearest(replace(trials, start=np.zeros(trials.width)))


def nearest(trials: Trials) -> NearOptimum:
    """Minimises ‖u − w₁‖ with every score inside its interval; a start of 0 and labels make it `max_margin`."""
    if len(trials) <= _SMALL_ROWS and len(trials) * trials.width <= _SMALL_VALUES:
        try:
            return _least_distance(trials)
        except RuntimeError:  # the active set went round in circles, which rounding can make it do
            pass
    squared = float(trials.batch.norm_squared.max(initial=0.0))
    if squared == 0.0:
        return NearOptimum(trials.start.copy(), math.nan)
    worth = 100.0 * len(trials) * trials.passes * trials.margin**2 / squared
    once = replace(trials, passes=1)
    return Descent(once, inner=1.0 - _DESCENT_INNER).solve(math.inf, give_up=worth)


def support(trials: Trials) -> list[int]:
    """The rounds that hold the vector of largest margin in place: those with a positive dual number in one solution.

    Leaving out any other round leaves the vector as it is. Empty where nothing separates the rounds; for small trials.
    """
    trials.signs()
    constraints, heights = _constraints(replace(trials, start=np.zeros(trials.width)))
    multipliers, residual = _dual(constraints, heights)
    # Lower ends are listed before upper ends, so the constraints are put back in the order of the rounds.
    low, _ = trials.ends()
    order = np.concatenate([np.flatnonzero(np.isfinite(low)), np.flatnonzero(~np.isfinite(low))])
    return sorted(order[multipliers > 1e-12 * multipliers.max(initial=0.0)].tolist()) if residual[-1] < -_ZERO else []


def _least_distance(trials: Trials) -> NearOptimum:
    """Lawson and Hanson's LDP: the least ‖v‖ with Gv ≥ h is one non-negative least-squares problem."""
    constraints, heights = _constraints(trials)
    if (heights <= 0.0).all():
        return NearOptimum(trials.start.copy(), 0.0)
    _, residual = _dual(constraints, heights)
    if residual[-1] > -_ZERO:
        return NearOptimum(trials.start.copy(), math.nan)
    return NearOptimum(trials.start - residual[:-1] / residual[-1], 0.0)


def _dual(constraints: FloatArray, heights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The multipliers and the residual of min ‖Em − e‖ with m ≥ 0, E = [Gᵀ; hᵀ] and e the last unit vector."""
    from scipy.optimize import nnls

    system = np.vstack([constraints.T, heights])
    corner = np.zeros(len(system))
    corner[-1] = 1.0
    with Patience(f"nearest vector for {len(heights):,} constraints"):
        multipliers, _ = nnls(system, corner, maxiter=30 * system.shape[1] + 100)
    return multipliers, system @ multipliers - corner


def _constraints(trials: Trials) -> tuple[FloatArray, FloatArray]:
    """G and h of Gv ≥ h for v = u − w₁, the ends drawn in by a hair where the interval has room for it."""
    low, high = trials.ends()
    hair = np.minimum(_EXACT_INNER * (1.0 + np.abs(np.where(np.isfinite(low), low, high))), (high - low) / 4.0)
    rows, scores = trials.dense(), trials.scores(trials.start)
    below, above = np.isfinite(low), np.isfinite(high)
    constraints = np.vstack([rows[below], -rows[above]])
    return constraints, np.concatenate([(low + hair - scores)[below], (scores - high + hair)[above]])
