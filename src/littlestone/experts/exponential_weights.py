"""Exponential Weights, also called Hedge and the exponentially weighted average forecaster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.domain import optional, parameter
from littlestone.errors import NotApplicable
from littlestone.experts.pace import ScheduledRule
from littlestone.experts.prior import DISTRIBUTION, log_prior
from littlestone.experts.rule import softmax
from littlestone.experts.state import ExpertState, per_expert, summed

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class ExponentialWeights(ScheduledRule):
    """Weighs an expert by exp(−η·(its losses so far)).

    Update: L ← L + losses; the weights of round t are ∝ prior·exp(−η_t·L), taken relative to the smallest L, so they
    are a distribution from the first round and never underflow. The schedules of η, for losses in [0, 1]:
    fixed: η, or √(8 log N/T) for a horizon T. doubling: √(8 log N/2^k) in rounds 2^k to 2^(k+1)−1, with L set back to 0
    at the start of each period. anytime: √(8 log N/t), with the weights of all past losses taken anew.
    Tie: none.
    Cost: O(N) per round, one exp per expert.

    Guarantee: mohri.8.6a and 8.6b (fixed), mohri.8.7 (doubling), mohri.8.7t (anytime): regret ≤ (3/2)√((T/2) log N);
    an expert that sleeps is compared on the rounds in which it was awake.
    Source: Littlestone and Warmuth 1994; Mohri et al., figure 8.5 and section 8.2.4.

    Example:
        >>> import math, numpy as np, littlestone as ls
        >>> rule = ls.ExponentialWeights(eta=math.log(2.0))
        >>> state = rule.init(2)
        >>> rule.update(state, np.array([1.0, 0.0]))
        >>> rule.weights(state).round(4)                              # 1/2 to 1
        array([0.3333, 0.6667])
    """

    source: ClassVar[str] = "Littlestone and Warmuth 1994; Mohri et al. fig. 8.5"

    prior: FloatArray | None = parameter(None, domain=optional(DISTRIBUTION), why="None is uniform")

    def init(self, experts: int) -> ExpertState:
        """No losses so far."""
        arrays = {"losses": np.zeros(experts), "log_prior": log_prior(self.prior, experts), "rounds": np.zeros(1)}
        if self.pace == "doubling":  # which forgets at the start of each period
            return ExpertState(per_expert("losses", "log_prior"), **arrays)
        return summed(**arrays)

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """∝ prior·exp(−η_t·L)."""
        eta = self.rate(len(state.losses), int(state.rounds[0]))
        return softmax(state.log_prior - eta * state.losses, awake)

    def joined(self, state: ExpertState, charged: float) -> ExpertState:
        """An expert that slept was charged what the learner was."""
        if self.pace == "doubling" or self.prior is not None:
            raise NotApplicable(
                "ExponentialWeights with a prior or a doubling schedule cannot take in an expert; leave them out"
            )
        return state.joined(losses=charged)

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        pace = self.compiled_pace(len(state.losses))
        return _core.hedge(losses=state.losses, log_prior=state.log_prior, rounds=state.rounds, pace=pace)
