"""Fixed Share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.domain import OPEN_UNIT, POSITIVE, WHOLE, optional, parameter
from littlestone.errors import InvalidParameter
from littlestone.experts.rule import ExpertRule, normalised, proportional
from littlestone.experts.state import ExpertState, per_expert

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class FixedShare(ExpertRule):
    """Exponential Weights in which every expert gives a share of its weight to the others, to track a changing best.

    Update: v ∝ w·exp(−η·losses), w ← (1−α)·v + α·(1−v)/(N−1). Given a horizon T and a number of switches m, α = m/(T−1)
    and η minimises the bound.
    Tie: none.
    Cost: O(N) per round, one exp per expert.

    Guarantee: tracking.fixed_share: regret to the best sequence of experts with m switches at most
    (1/η)(log N + m log((N−1)/α) + (T−1−m) log(1/(1−α))) + ηT/8.
    Source: Herbster and Warmuth 1998.

    Example:
        >>> import math, numpy as np, littlestone as ls
        >>> rule = ls.FixedShare(eta=math.log(2.0), alpha=0.25)
        >>> state = rule.init(2)
        >>> rule.update(state, np.array([1.0, 0.0]))
        >>> rule.weights(state).round(4)              # v = (1/3, 2/3); w = 3/4 v + 1/4 (1 - v)
        array([0.4167, 0.5833])
    """

    source: ClassVar[str] = "Herbster and Warmuth 1998"

    eta: float | None = parameter(None, domain=optional(POSITIVE), why="None is what the bound wants for the horizon")
    alpha: float | None = parameter(None, domain=optional(OPEN_UNIT), why="None is switches over rounds")
    horizon: int | None = parameter(None, domain=optional(WHOLE), why="None: eta and alpha are given")
    switches: int | None = parameter(None, domain=optional(WHOLE), why="None: eta and alpha are given")

    def __post_init__(self) -> None:
        """Checks that one of the two pairs is given."""
        super().__post_init__()
        free = (self.eta is not None, self.alpha is not None)
        tuned = (self.horizon is not None, self.switches is not None)
        if (free, tuned) not in (((True, True), (False, False)), ((False, False), (True, True))):
            raise InvalidParameter(
                "FixedShare takes eta and alpha, or horizon and switches; CalibratedFixedShare finds its own"
            )
        if self.horizon is not None and self.switches is not None and self.switches >= self.horizon - 1:
            raise InvalidParameter("FixedShare: switches must be below horizon - 1")

    def share(self) -> float:
        """α."""
        if self.alpha is not None:
            return self.alpha
        assert self.horizon is not None
        assert self.switches is not None
        return self.switches / (self.horizon - 1)

    def rate(self, experts: int) -> float:
        """η."""
        if self.eta is not None:
            return self.eta
        assert self.horizon is not None
        assert self.switches is not None
        return math.sqrt(8.0 * self.complexity(experts, self.horizon, self.switches) / self.horizon)

    def complexity(self, experts: int, rounds: int, switches: int) -> float:
        """What it costs to name a sequence: log N + m log((N−1)/α) + (T−1−m) log(1/(1−α))."""
        alpha, others = self.share(), max(experts - 1, 1)
        moves = switches * math.log(others / alpha)
        return math.log(experts) + moves - (rounds - 1 - switches) * math.log1p(-alpha)

    def init(self, experts: int) -> ExpertState:
        """Even shares."""
        return ExpertState(per_expert("shares"), shares=np.full(experts, 1.0 / experts))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """The shares."""
        return proportional(state.shares, awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """The loss update, then the share update."""
        if len(losses) == 1:
            return
        v = normalised(state.shares * np.exp(-self.rate(len(losses)) * (losses - np.min(losses))))
        state.shares[:] = (1.0 - self.share()) * v + self.share() * (1.0 - v) / (len(losses) - 1)

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        return _core.fixed_share(shares=state.shares, eta=self.rate(len(state.shares)), alpha=self.share())
