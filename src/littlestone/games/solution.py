"""Solutions: two strategies and what they prove."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.columns import counted
from littlestone.display import Plotted
from littlestone.theory.games import EXPONENTIAL_WEIGHTS, MINIMAX

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.theory.certificate import Certificate
    from littlestone.theory.games import GameEvidence


@final
@dataclass(frozen=True, eq=False)
class History:
    """The bracket while it closed: after so many rounds, the value was known to lie in [lower, upper]."""

    rounds: FloatArray
    lower: FloatArray
    upper: FloatArray

    @staticmethod
    def of(rounds: int, lower: float, upper: float) -> History:
        """Of one point."""
        return History(*(np.array([value], dtype=np.float64) for value in (rounds, lower, upper)))

    def in_payoffs(self, zero: float, unit: float, last: tuple[float, float]) -> History:
        """Where the brackets are those of (A − zero)/unit as it was played, and the last is that of the payoffs themselves.

        What was rounded or left out in play may have made a bracket too short: none is shorter than the last, which is
        proved.
        """
        lower, upper = np.minimum(zero + unit * self.lower, last[0]), np.maximum(zero + unit * self.upper, last[1])
        lower[-1], upper[-1] = last
        return History(self.rounds, lower, upper)

    def then(self, lower: float, upper: float) -> History:
        """What was done after the last round counts as one more."""
        last = self.rounds[-1] + 1.0
        return History(np.append(self.rounds, last), np.append(self.lower, lower), np.append(self.upper, upper))


@final
@dataclass(frozen=True, eq=False)
class Solution(Plotted):
    """Strategies of both players and the bracket of the value that they prove.

    Whoever plays `row` gets at least what its end of the bracket says, whatever the other does; likewise `column`. The
    bracket is computed from the strategies as they are here, in float64, so it does not rest on how they were found.
    """

    row: FloatArray
    column: FloatArray
    lower: float
    upper: float
    rounds: int
    """Rounds of play; 0 where none were needed."""
    range: float
    """Max A − min A, which `tol` is a fraction of; nan where it is not known."""
    target: float
    """The gap that was asked for, in payoffs."""
    method: str
    """The method that found it: "pure" for an equilibrium without mixing."""
    history: History = field(repr=False)
    evidence: GameEvidence = field(repr=False)
    """What the theorems read."""

    @cached_property
    def certificates(self) -> tuple[Certificate, ...]:
        """What the theorems say of it: mohri.8.16, and for Exponential Weights the bound of the textbook."""
        theorems = (MINIMAX, EXPONENTIAL_WEIGHTS) if self.evidence.etas else (MINIMAX,)
        return tuple(theorem.certify(self.evidence) for theorem in theorems)

    @property
    def value(self) -> float:
        """The middle of the bracket: off by at most half the gap."""
        return self.lower + self.gap / 2.0

    @property
    def gap(self) -> float:
        """The length of the bracket: what both players together could gain by deviating."""
        return max(self.upper - self.lower, 0.0)

    @property
    def relative_gap(self) -> float:
        """The gap as a fraction of the range of the payoffs, what `tol` is compared with; 0 where all payoffs are equal."""
        return self.gap / self.range if self.range != 0.0 else 0.0

    @property
    def converged(self) -> bool:
        """Whether the gap is what was asked for."""
        return self.gap <= self.target

    @property
    def certificate(self) -> Certificate:
        """mohri.8.16: the value lies in the bracket, whose length is the sum of both players' average regrets."""
        return self.certificates[0]

    def __str__(self) -> str:
        reached = "" if self.converged else f"; NOT CONVERGED: a gap of {self.target:.3g} was asked for"
        share = "" if math.isnan(self.range) else f" ({self.relative_gap:.3g} of the range of the payoffs)"
        return (
            f"value {self.value:.6g} in [{self.lower:.6g}, {self.upper:.6g}], gap {self.gap:.3g}{share} "
            f"after {counted(self.rounds, 'round')} of {self.method}{reached}"
        )
