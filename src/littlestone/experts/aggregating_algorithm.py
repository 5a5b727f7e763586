"""Vovk's Aggregating Algorithm for the Brier game."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.domain import interval, optional, parameter
from littlestone.experts.prior import DISTRIBUTION, log_prior
from littlestone.experts.rule import ExpertRule, softmax
from littlestone.experts.state import ExpertState, summed

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray

MIXABLE = interval(0.0, 2.0, low_open=True, high_open=False, words="a number above 0 and at most 2")


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class AggregatingAlgorithm(ExpertRule):
    """Mixes probability forecasts so that its Brier loss never exceeds the best expert's by more than (log N)/2.

    Update: L ← L + losses, p ∝ prior·exp(−η·L). With G(y) = −(1/η)·log Σ p·exp(−η·loss(x, y)), the forecast is the one
    whose losses on the two outcomes differ as G does: ½ + (G(0) − G(1))/2. It is not the mean of the forecasts.
    Tie: none.
    Cost: O(N) per round, three exp per expert.

    Guarantee: vovk.brier: regret ≤ (log N)/2, however many rounds there are (η = 2).
    Source: Vovk 1990; Vovk and Zhdanov 2009.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> run = ls.aggregate(ls.AggregatingAlgorithm(), np.array([[0.0, 1.0]]), [1], loss="brier")
        >>> run.predictions, run.ledger.loss               # certain of opposite things: one half
        (array([0.5]), 0.25)
    """

    source: ClassVar[str] = "Vovk 1990; Vovk and Zhdanov 2009"
    unit: ClassVar[bool] = False
    losses: ClassVar[tuple[str, ...]] = ("brier",)

    eta: float = parameter(2.0, domain=MIXABLE, why="the largest rate for which the Brier game is mixable")
    prior: FloatArray | None = parameter(None, domain=optional(DISTRIBUTION), why="None is uniform")

    def init(self, experts: int) -> ExpertState:
        """No losses so far."""
        return summed(losses=np.zeros(experts), log_prior=log_prior(self.prior, experts), rounds=np.zeros(1))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """∝ prior·exp(−η·L)."""
        return softmax(state.log_prior - self.eta * state.losses, awake)

    def predict(self, state: ExpertState, weights: FloatArray, advice: FloatArray, *, labels: bool) -> float:
        """The substitution function of the game."""
        one = math.log(float(weights @ np.exp(-self.eta * (1.0 - advice) ** 2)))
        zero = math.log(float(weights @ np.exp(-self.eta * advice**2)))
        return min(max(0.5 + (one - zero) / (2.0 * self.eta), 0.0), 1.0)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Adds the losses."""
        state.losses[:] += losses
        state.rounds[0] += 1.0

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        return _core.brier_aggregation(losses=state.losses, log_prior=state.log_prior, rounds=state.rounds, eta=self.eta)
