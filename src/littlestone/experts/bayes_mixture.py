"""The Bayesian mixture of probability forecasts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.domain import optional, parameter
from littlestone.experts.prior import DISTRIBUTION, log_prior
from littlestone.experts.rule import ExpertRule, softmax
from littlestone.experts.state import ExpertState, summed

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class BayesMixture(ExpertRule):
    """Weighs every forecaster by the probability that it gave to what happened: the posterior of Bayes' rule.

    Update: L ← L + losses, p ∝ prior·exp(−L), L the log losses: exp(−L) is the probability of all outcomes so far. Of price
    relatives exp(−L) is the wealth of an expert, and the mixture is who gives each expert its part and never trades between.
    Tie: none.
    Cost: O(N) per round, one exp per expert.

    Guarantee: bayes.mixture: regret ≤ log(1/prior), log N for the uniform prior, however many rounds there are.
    Source: Vovk 1990; Cover 1991 for portfolios.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> run = ls.aggregate(ls.BayesMixture(), np.array([[0.9, 0.3], [0.9, 0.3]]), [1, 1], loss="log")
        >>> run.predictions                               # (0.9 + 0.3)/2, then weights 3 to 1
        array([0.6 , 0.75])
    """

    source: ClassVar[str] = "Vovk 1990; Cover 1991"
    unit: ClassVar[bool] = False
    losses: ClassVar[tuple[str, ...]] = ("log", "returns")

    prior: FloatArray | None = parameter(None, domain=optional(DISTRIBUTION), why="None is uniform")

    def init(self, experts: int) -> ExpertState:
        """No losses so far."""
        return summed(losses=np.zeros(experts), log_prior=log_prior(self.prior, experts), rounds=np.zeros(1))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """∝ prior·exp(−L)."""
        return softmax(state.log_prior - state.losses, awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Adds the losses."""
        state.losses[:] += losses
        state.rounds[0] += 1.0

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        return _core.hedge(losses=state.losses, log_prior=state.log_prior, rounds=state.rounds, pace=_core.Pace.fixed(1.0))
