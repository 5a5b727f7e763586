"""Probabilities of any rule: a slope for its scores, learned on the way."""

from __future__ import annotations

import math
from operator import mul
from typing import TYPE_CHECKING, final

from littlestone import _core
from littlestone.lazy import np
from littlestone.schema import SCALAR, Array, Arrays

if TYPE_CHECKING:
    from collections.abc import Sequence

    from littlestone.arrays import FloatArray

SLOPE, VARIANCE, MEMORY = 1.0, 0.3, 1000.0
"""Where the slope starts, the variance that it starts with and returns to, and over how many rounds a lead is averaged."""


@final
class Calibration(Arrays):
    """p ∝ exp(a·z): z says how far a score is behind the largest, in units of how far the largest leads the others on average.

    Of two labels the scores are 0 and that of the positive one. The order of the probabilities is that of the scores, since
    the slope a is never below 0; what is the same for all scores, or multiplies them all, changes nothing.

    Update: h = Σpz² − (Σpz)², c = 1/(1 + hV), a += V·c·(z of what came − Σpz), V ← .999Vc + .001·0.3.
    Cost: five numbers, and an exponential per class and round.

    Source: the calibration of the pool's members (`ls.Pool`); of many classes the temperature of Guo, Pleiss, Sun and
    Weinberger 2017, on-line.

    Example:
        >>> fresh = Calibration.fresh()
        >>> fresh.chances(np.array([0.0, 2.0, -2.0])).round(3)    # 2 is as far ahead as the mean of the leads, itself
        array([[0.5  , 0.5  ],
               [0.269, 0.731],
               [0.731, 0.269]])
    """

    __slots__ = ()

    @staticmethod
    def _undeclared(array: FloatArray) -> Array:
        """A number of the calibration."""
        return SCALAR

    @staticmethod
    def fresh() -> Calibration:
        """Before the first round."""
        return Calibration(
            slope=np.array([SLOPE]),
            variance=np.array([VARIANCE]),
            lead=np.zeros(1),
            leads=np.zeros(1),
            learns=np.ones(1),
        )

    def bound(self) -> _core.Calibration:
        """The compiled calibration on these numbers."""
        return _core.Calibration(slope=self.slope, variance=self.variance, lead=self.lead, leads=self.leads, learns=self.learns)

    def told(self, scores: Sequence[float]) -> list[float]:
        """The definition: the probability of each class, before it is known which one comes."""
        distances, _ = self._distances(scores)
        each = [math.exp(max(float(self.slope[0]) * z, -12.0)) for z in distances]
        return [one / sum(each) for one in each]

    def learn(self, scores: Sequence[float], truth: int, weight: float = 1.0) -> None:
        """The definition: takes in which class came."""
        if weight == 0.0:
            return
        p, (z, known) = self.told(scores), self._distances(scores)
        self.lead[:], self.leads[:] = known
        if not self.learns[0]:
            return
        mean = sum(map(mul, p, z))
        h = max(sum(chance * one * one for chance, one in zip(p, z, strict=True)) - mean * mean, 1e-5 * min(z) ** 2)
        variance = float(self.variance[0])
        c = 1.0 / (1.0 + weight * h * variance)
        self.slope[:] = max(0.0, float(self.slope[0]) + weight * variance * c * (z[truth] - mean))
        self.variance[:] = 0.999 * variance * c + 0.001 * VARIANCE

    def _distances(self, scores: Sequence[float]) -> tuple[list[float], tuple[float, float]]:
        """How far scores are behind the largest, in units of the mean lead; and that mean once this row is in it."""
        top, lead, leads = max(scores), float(self.lead[0]), float(self.leads[0])
        ahead = sum(top - s for s in scores) / (len(scores) - 1)
        if ahead < 1e300:
            leads = min(leads + 1.0, MEMORY)
            lead += (ahead - lead) / leads
        return [max((s - top) / lead, -20.0) if lead > 0.0 else 0.0 for s in scores], (lead, leads)

    def chances(self, scores: FloatArray) -> FloatArray:
        """The probabilities that scores stand for, a row each: of two labels, or of all classes, with sum 1."""
        if scores.ndim == 2 and scores.shape[1] < 2:
            return np.ones_like(scores)
        out = np.zeros((len(scores), 2 if scores.ndim == 1 else scores.shape[1]))
        self.bound().chances(np.ascontiguousarray(scores).ravel(), out.shape[1] if scores.ndim == 2 else 1, out.reshape(-1))
        return out

    def rest(self) -> None:
        """Learns no more: rows that were learned before say nothing of how sure to be."""
        self.learns[:] = 0.0

    def doubled(self) -> Calibration:
        """The same of scores (−s, s) in place of (0, s): they lead twice as far."""
        return self.holding({**self.copy().arrays, "lead": 2.0 * self.lead})
