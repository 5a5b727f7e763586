"""Exponentiated Gradient over experts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.domain import POSITIVE, parameter
from littlestone.experts.rule import ExpertRule, softmax
from littlestone.experts.state import ExpertState, per_expert

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class ExponentiatedGradient(ExpertRule):
    """Multiplies the weight of an expert by exp(−η·gradient): for portfolios, by exp(η·x_i/(w·x)).

    Update: L ← L + losses, p ∝ exp(−η·L). With the gradient trick (the default) losses are the gradient at the prediction times
    the advice, in their own unit: the difference to Exponential Weights, which brings them to [0, 1].
    Tie: none.
    Cost: O(N) per round, one exp per expert.

    Guarantee: gradient.exponentiated: regret ≤ log N/η + ηTG²/8, G the largest range of the gradients of a round; the bound is
    for the best convex combination, of price relatives the best constant rebalanced portfolio, and so for the best expert.
    Source: Kivinen and Warmuth 1997; Helmbold, Schapire, Singer and Warmuth 1998.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> rule, relatives = ls.ExponentiatedGradient(eta=0.5), np.array([[2.0, 1.0]] * 2)
        >>> run = ls.aggregate(rule, relatives, [1, 1], loss="returns", keep=("weights",))
        >>> run.weights[1].round(4)                       # x/(w·x) = (4/3, 2/3): 1/(1 + e^(−1/3))
        array([0.5826, 0.4174])
    """

    source: ClassVar[str] = "Kivinen and Warmuth 1997; Helmbold et al. 1998"
    unit: ClassVar[bool] = False
    gradient: ClassVar[bool] = True

    eta: float = parameter(0.05, domain=POSITIVE, why="what its authors take for portfolios")

    def init(self, experts: int) -> ExpertState:
        """No gradients so far."""
        known = per_expert("losses", "log_prior")
        return ExpertState(known, losses=np.zeros(experts), log_prior=np.zeros(experts), rounds=np.zeros(1))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """∝ exp(−η·L)."""
        return softmax(state.log_prior - self.eta * state.losses, awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Adds the gradients."""
        state.losses[:] += losses
        state.rounds[0] += 1.0

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        pace = _core.Pace.fixed(self.eta)
        return _core.hedge(losses=state.losses, log_prior=state.log_prior, rounds=state.rounds, pace=pace)
