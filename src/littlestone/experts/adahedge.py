"""AdaHedge."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.experts.rule import ExpertRule, proportional, softmax
from littlestone.experts.state import ExpertState, per_expert

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class AdaHedge(ExpertRule):
    """Exponential Weights whose rate learns how hard the losses are: few where one expert is clearly best.

    Update: η = log N/Δ, p ∝ exp(−η·L); then Δ ← Δ + (p·l − mix), mix = −(1/η)·log Σ p·exp(−η·l) the mix loss of the
    round. While Δ = 0, η is infinite: the leaders share the weight, and mix is how much the best total has grown.
    Tie: leaders share evenly.
    Cost: O(N) per round, two exp per expert. The rule needs no range of the losses.

    Guarantee: second.best: regret ≤ 2√(L*(1 − L*/T) log N) + (16/3) log N + 2 on losses in [0, 1], L* the best total;
    second.adahedge: regret ≤ 2√(V log N) + S·((4/3) log N + 2), V the sum of the variances of the losses under the
    weights, S their range.
    Source: de Rooij, van Erven, Grünwald and Koolen 2014.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> run = ls.hedge(ls.AdaHedge(), np.array([[0.0, 1.0], [0.0, 1.0]]))
        >>> round(run.ledger.loss, 6)                     # 1/2, a gap of 1/2, so η = 2 log 2: 1/(1 + 4)
        0.7
    """

    source: ClassVar[str] = "de Rooij, van Erven, Grünwald and Koolen 2014"
    unit: ClassVar[bool] = False
    squares: ClassVar[bool] = True

    def init(self, experts: int) -> ExpertState:
        """No losses and no gap so far."""
        return ExpertState(per_expert("losses"), losses=np.zeros(experts), gap=np.zeros(1))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """∝ exp(−η·L)."""
        if state.gap[0] > 0.0:
            return softmax(-self._rate(state) * state.losses, awake)
        here = state.losses if awake is None else np.where(awake, state.losses, np.inf)
        return proportional((state.losses == np.min(here)).astype(np.float64), awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Adds the losses, and the mixability gap of the round."""
        p = self.weights(state)
        above = losses - np.min(losses)  # so that equal losses leave no gap by rounding, however large they are
        mix = self._mix(state, p, above) if state.gap[0] > 0.0 else self._growth(state, above)
        state.losses[:] += losses
        if len(losses) > 1:
            state.gap[0] += max(float(p @ above) - mix, 0.0)

    def joined(self, state: ExpertState, charged: float) -> ExpertState:
        """An expert that slept was charged what the learner was."""
        return state.joined(losses=charged)

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        return _core.adahedge(losses=state.losses, gap=state.gap)

    @staticmethod
    def _rate(state: ExpertState) -> float:
        return math.log(len(state.losses)) / float(state.gap[0])

    @staticmethod
    def _growth(state: ExpertState, losses: FloatArray) -> float:
        """How much the smallest total grows, from differences."""
        return float(np.min((state.losses - np.min(state.losses)) + losses))

    def _mix(self, state: ExpertState, p: FloatArray, losses: FloatArray) -> float:
        eta, least = self._rate(state), float(np.min(losses))
        return least - math.log(float(p @ np.exp(-eta * (losses - least)))) / eta
