"""Least loss on the simplex for many rows, where a linear program with a slack per row takes minutes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.progress import Patience
from littlestone.theory.comparators.descent import NearOptimum

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from littlestone.arrays import FloatArray

_STEPS = 600
_STEPS_A_CHECK = 50
_TOLERANCE = 0.02


@final
class ExponentiatedDescent:
    """Exponentiated subgradient descent on Σ distance to the intervals over u ≥ 0 with Σu = U.

    The best point met is kept. The subgradients, averaged, are a point of the dual, which says how far from the best it is.
    """

    def __init__(self, rows: csr_array[np.float64], low: FloatArray, high: FloatArray, total: float) -> None:
        self._rows, self._low, self._high, self._total = rows, low, high, total
        self._theta = np.zeros(rows.shape[1])
        self._raised, self._lowered, self._mass = np.zeros(len(low)), np.zeros(len(low)), 0.0
        self._best, self._value = np.full(rows.shape[1], total / max(1, rows.shape[1])), math.inf

    def solve(self) -> NearOptimum:
        """The best point of a few hundred steps, and its gap."""
        gap = math.inf
        with Patience("comparator on the simplex", _STEPS) as patience:
            for k in range(1, _STEPS + 1):
                self._step(k)
                if k % _STEPS_A_CHECK == 0:
                    patience.done(k)
                    gap = 0.0 if self._value == 0.0 else max(0.0, 1.0 - self._lower() / self._value)
                    if gap <= _TOLERANCE:
                        break
        return NearOptimum(self._best, gap)

    def _step(self, k: int) -> None:
        u = np.exp(self._theta - self._theta.max())
        u *= self._total / u.sum()
        scores = self._rows @ u
        raised, lowered = (scores < self._low).astype(np.float64), (scores > self._high).astype(np.float64)
        value = float(np.maximum(np.maximum(self._low - scores, scores - self._high), 0.0).sum())
        if value < self._value:
            self._best, self._value = u, value
        uphill = self._rows.T @ (raised - lowered)
        rate = math.sqrt(math.log(2.0 * len(u)) / k) / max(float(np.abs(uphill).max()), 1e-300)
        self._theta += rate * uphill
        self._raised += rate * raised
        self._lowered += rate * lowered
        self._mass += rate

    def _lower(self) -> float:
        """Σ p·low − q·high − U·max((p − q)·X), p and q the averaged indicators of a score below and above."""
        p, q = self._raised / self._mass, self._lowered / self._mass
        ends = p[p > 0] @ self._low[p > 0] - q[q > 0] @ self._high[q > 0]
        slopes = np.asarray(self._rows.T @ (p - q), dtype=np.float64)
        return float(ends - self._total * slopes.max())
