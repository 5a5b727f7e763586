"""Interval programs by dual coordinate descent: the comparator of any trials that are intervals, at any size."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone import _core
from littlestone.progress import Patience
from littlestone.theory.comparators.trials import Trials

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray

TOLERANCE = 1e-4
"""A program is solved when its duality gap is below this part of its objective."""

EFFORT = 2_000_000_000
"""Entries a program may read in all, some seconds' work: larger data get fewer sweeps, and the gap says what that costs."""

_MOST_SWEEPS = 20_000


@final
@dataclass(frozen=True)
class NearOptimum:
    """Weights, and how far from the best of their program they may be at most."""

    u: FloatArray
    gap: float
    """(objective − lower bound)/objective; nan where there is no lower bound, as when the program has no solution."""


@final
class Descent:
    """½‖u − s‖² + C·Σ distance^power to the intervals, power 1 or 2; an infinite C makes the ends hard.

    The dual numbers are kept, so that the next C of a path begins where the last one ended. With few sweeps to spend, one
    of them is a pass of PA-I over the rows: any u makes a valid certificate, and the gap tells how good this one is.

    Args:
        trials: rows and intervals.
        power: of the distance.
        inner: the factor by which ε is narrowed for the solver, so that hard ends are met and not only approached.
        effort: entries to be read at most in a call of `solve`.
    """

    def __init__(self, trials: Trials, *, power: int = 1, inner: float = 1.0, effort: int = EFFORT) -> None:
        self._trials = trials
        self._power = power
        self._epsilon = trials.epsilon * inner
        self._sweeps = max(1, min(_MOST_SWEEPS, effort // max(1, trials.batch.entries)))
        self._w = trials.start.copy()
        self._dual = np.zeros(len(trials))
        self._random = np.random.default_rng(0)
        self._blocks = -(-len(trials) // _core.IntervalDescent.block)

    def solve(self, C: float, *, tolerance: float = TOLERANCE, give_up: float = math.inf) -> NearOptimum:
        """The best u for C. Above a dual value of `give_up`, what is asked for is not worth knowing."""
        descent = self._descent(C * self._trials.passes)
        done, gap = 0, math.inf
        with Patience(f"comparator, C = {C:.3g}", self._sweeps) as patience:
            while done < self._sweeps and gap > tolerance:
                done += self._sweep(descent, min(2 + done // 4, self._sweeps - done))
                patience.done(done)
                lower = self._lower(descent)
                if lower > give_up:
                    return NearOptimum(self._w.copy(), math.nan)
                gap = self._gap(C, lower)
        return NearOptimum(self._w.copy(), gap)

    def _descent(self, weight: float) -> _core.IntervalDescent:
        cap = weight if self._power == 1 else math.inf
        ridge = 0.5 / weight if self._power == 2 else 0.0
        self._shrink(cap)
        margin = self._trials.margin
        return _core.IntervalDescent(w=self._w, dual=self._dual, margin=margin, epsilon=self._epsilon, cap=cap, ridge=ridge)

    def _shrink(self, cap: float) -> None:
        """A smaller C than before: the dual numbers are scaled into its box, and the weights with them."""
        largest = float(np.abs(self._dual).max(initial=0.0))
        if largest > cap:
            self._dual *= cap / largest
            self._w[:] = self._trials.start + (cap / largest) * (self._w - self._trials.start)
            np.clip(self._dual, -cap, cap, out=self._dual)

    def _sweep(self, descent: _core.IntervalDescent, count: int) -> int:
        for _ in range(count):
            blocks = self._random.permutation(self._blocks).astype(np.uint32)
            descent.sweep(self._trials.batch, self._trials.outcomes, blocks)
        return count

    def _lower(self, descent: _core.IntervalDescent) -> float:
        """The dual objective, below which no u comes."""
        moved = self._w - self._trials.start
        return descent.gain(self._trials.outcomes) - 0.5 * float(moved @ moved) - float(moved @ self._trials.start)

    def _gap(self, C: float, lower: float) -> float:
        upper = self._objective(C)
        if upper == 0.0:
            return 0.0
        return max(0.0, upper - lower) / upper if upper < math.inf else math.inf

    def _objective(self, C: float) -> float:
        ledger = self._trials.measure(self._w)
        moved = float(np.sum((self._w - self._trials.start) ** 2))
        if math.isinf(C):
            return self._stretched(moved, ledger.smallest_margin, ledger.loss)
        return 0.5 * moved + C * (ledger.loss if self._power == 1 else ledger.loss_squared)

    def _stretched(self, moved: float, margin: float, loss: float) -> float:
        """Hard ends: from a zero start, labels are reached by stretching u; nothing else can be mended."""
        if loss == 0.0:
            return 0.5 * moved
        if self._trials.start.any() or not 0.0 < margin < math.inf:
            return math.inf
        return 0.5 * moved * (self._trials.margin / margin) ** 2
