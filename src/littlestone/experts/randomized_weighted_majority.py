"""The Randomized Weighted Majority algorithm."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.domain import OPEN_UNIT, SEED, WHOLE, optional, parameter
from littlestone.errors import InvalidParameter
from littlestone.experts.pace import period_of, starts_period
from littlestone.experts.prior import DISTRIBUTION, log_prior
from littlestone.experts.rule import ExpertRule, softmax
from littlestone.experts.state import ExpertState, summed

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class RandomizedWeightedMajority(ExpertRule):
    """Draws an expert with probability ∝ β^(its losses so far) and says what it says.

    Update: c ← c + losses in every round, p ∝ β^(c − smallest c). What is bounded is the expected loss p·l, which the
    ledger holds; labels that are shown are drawn, draw t of a seed a function of the seed and t alone. Losses may lie
    anywhere in [0, 1]. β: as given; max{½, 1 − √(log N/T)} for a horizon T; and without either the doubling schedule,
    which takes 2^k for T in rounds 2^k to 2^(k+1)−1 and sets c back to 0 at the start of each period.
    Tie: none.
    Cost: O(N) per round. One expert: p = 1, no regret.

    Guarantee: mohri.8.4x for every β, mohri.8.4a for β ≥ ½, mohri.8.4b with a horizon, mohri.8.4d with neither.
    Source: Littlestone and Warmuth 1994; Mohri et al., figure 8.4.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> run = ls.hedge(ls.RandomizedWeightedMajority(beta=0.5), np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
        >>> round(run.ledger.loss, 5)                                    # 1/2 + 1/3 + 4/5
        1.63333
    """

    source: ClassVar[str] = "Littlestone and Warmuth 1994; Mohri et al. fig. 8.4"

    beta: float | None = parameter(None, domain=optional(OPEN_UNIT), why="None is what the theorem sets")
    horizon: int | None = parameter(None, domain=optional(WHOLE), why="None: the number of rounds is not known")
    seed: int = parameter(0, domain=SEED, why="a fixed seed makes a run repeatable")
    prior: FloatArray | None = parameter(None, domain=optional(DISTRIBUTION), why="None is uniform")

    def __post_init__(self) -> None:
        """Checks that at most one of beta and horizon is given."""
        super().__post_init__()
        if self.beta is not None and self.horizon is not None:
            raise InvalidParameter("RandomizedWeightedMajority takes beta or horizon, not both")

    @property
    def doubles(self) -> bool:
        """Whether the doubling schedule is followed."""
        return self.beta is None and self.horizon is None

    def rate(self, experts: int, rounds: int) -> float:
        """log(1/β) in the round after so many rounds."""
        if self.beta is not None:
            return -math.log(self.beta)
        period = self.horizon if self.horizon is not None else period_of(rounds)
        return -math.log(max(0.5, 1.0 - math.sqrt(math.log(experts) / period)))

    def init(self, experts: int) -> ExpertState:
        """No losses so far."""
        return summed(losses=np.zeros(experts), log_prior=log_prior(self.prior, experts), rounds=np.zeros(1))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """∝ prior·β^c."""
        return softmax(state.log_prior - self.rate(len(state.losses), int(state.rounds[0])) * state.losses, awake)

    def predict(self, state: ExpertState, weights: FloatArray, advice: FloatArray, *, labels: bool) -> float:
        """What the expert that was drawn says; the weighted mean where the advice is not labels."""
        if not labels:
            return float(weights @ advice)
        drawn = np.searchsorted(np.cumsum(weights), _core.uniform(self.seed, int(state.rounds[0])), side="right")
        return float(advice[min(int(drawn), int(np.flatnonzero(weights)[-1]))])

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Adds the losses; at the start of a doubling period they are forgotten."""
        state.losses[:] += losses
        state.rounds[0] += 1.0
        if self.doubles and starts_period(int(state.rounds[0])):
            state.losses[:] = 0.0

    def rescale(self, state: ExpertState, factor: float) -> None:
        """In the new unit the losses so far are smaller."""
        state.losses[:] *= factor

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        experts = len(state.losses)
        pace = _core.Pace.doubling_beta(math.log(experts)) if self.doubles else _core.Pace.fixed(self.rate(experts, 0))
        return _core.randomized_hedge(
            losses=state.losses, log_prior=state.log_prior, rounds=state.rounds, pace=pace, seed=self.seed
        )
