"""A minimiser of internal regret."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.domain import POSITIVE, WHOLE, choice, optional, parameter
from littlestone.experts.pace import pace_for, pace_of, rate
from littlestone.experts.rule import ExpertRule, proportional
from littlestone.experts.state import ExpertState
from littlestone.experts.stationary import stationary

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class InternalRegret(ExpertRule):
    """Leaves no wish to have played j wherever it played i.

    Update: Exponential Weights over the N(N−1) pairs i→j, each charged the loss of the weights with the mass of i moved
    to j: p·l + p_i·(l_j − l_i). The weights are the p that the pair weights Δ leave in balance:
    p_k·Σ_j Δ_kj = Σ_i p_i·Δ_ik. The schedules of η are those of Exponential Weights for N(N−1) experts.
    Tie: none.
    Cost: O(N³) per round.

    Guarantee: regret.internal: Σ p_i·(l_i − l_j) ≤ √((T/2) log(N(N−1))) for every pair with η for the horizon T; one
    and a half times that without one.
    Source: Stoltz and Lugosi 2005; Mohri et al., section 8.6 points to it.

    Example:
        >>> import math, numpy as np, littlestone as ls
        >>> rule = ls.InternalRegret(eta=math.log(4.0))
        >>> state = rule.init(2)
        >>> rule.update(state, np.array([1.0, 0.0]))           # moving 1 to 2 would have saved 1/2: weights 2 to 1/2
        >>> rule.weights(state)
        array([0.2, 0.8])
    """

    source: ClassVar[str] = "Stoltz and Lugosi 2005"
    tracks: ClassVar[bool] = False

    eta: float | None = parameter(None, domain=optional(POSITIVE), why="None follows the schedule, as the theorem sets it")
    schedule: str | None = parameter(
        None,
        domain=optional(choice("fixed", "anytime")),
        why="None is fixed where eta or a horizon is given and anytime where they are not",
    )
    horizon: int | None = parameter(None, domain=optional(WHOLE), why="None: the number of rounds is not known")

    def __post_init__(self) -> None:
        """Checks that the schedule has what it needs and nothing else."""
        super().__post_init__()
        pace_of("InternalRegret", self.eta, self.schedule, self.horizon)

    @property
    def pace(self) -> str:
        """The schedule that is followed."""
        return pace_of("InternalRegret", self.eta, self.schedule, self.horizon)

    def init(self, experts: int) -> ExpertState:
        """No regrets so far: `swaps` holds Σ p_i·(l_i − l_j), row i after row i."""
        return ExpertState(swaps=np.zeros(experts * experts), size=np.full(1, float(experts)), rounds=np.zeros(1))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """The distribution that the pair weights leave in balance."""
        experts = int(state.size[0])
        if experts == 1:
            return proportional(np.ones(1), awake)
        eta = rate(self.pace, self.eta, self.horizon, experts * (experts - 1), int(state.rounds[0]))
        swaps = state.swaps.reshape(experts, experts)
        off = ~np.eye(experts, dtype=bool)
        pairs = np.exp(np.maximum(eta * (swaps - np.max(swaps[off])), -700.0))
        return proportional(stationary(pairs), awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Adds what every move of mass would have saved."""
        p = self.weights(state)
        state.swaps[:] += (p[:, None] * (losses[:, None] - losses[None, :])).ravel()
        state.rounds[0] += 1.0

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        experts = int(state.size[0])
        pace = pace_for(self.pace, self.eta, self.horizon, max(experts * (experts - 1), 1))
        return _core.internal_regret(swaps=state.swaps, size=state.size, rounds=state.rounds, pace=pace)
