"""A minimiser of swap regret."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.domain import OPEN_UNIT, WHOLE, optional, parameter
from littlestone.errors import InvalidParameter
from littlestone.experts.rule import ExpertRule, proportional
from littlestone.experts.state import ExpertState
from littlestone.experts.stationary import stationary

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class SwapRegret(ExpertRule):
    """Leaves no wish to have replaced every choice i by some F(i).

    Update: N copies of the multiplicative rule with the same β; copy i, whose weights are row i of Q, is charged p_i times
    the losses. The weights are the p with p = p·Q. For a horizon T, 1−β = min{½, √(N log N/T)}.
    Tie: none.
    Cost: O(N³) per round.

    Guarantee: regret.swap: Σ_i max_j Σ_t p_i·(l_i − l_j) ≤ 2√(T·N·log N) for a horizon T ≥ 4N log N.
    Source: Blum and Mansour 2007; Mohri et al., section 8.6 points to it.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> rule = ls.SwapRegret(beta=0.5)
        >>> state = rule.init(2)
        >>> rule.update(state, np.array([1.0, 0.0]))           # both rows become (3/4, 1): p = (3/7, 4/7)
        >>> rule.weights(state).round(4)
        array([0.4286, 0.5714])
    """

    source: ClassVar[str] = "Blum and Mansour 2007"
    tracks: ClassVar[bool] = False

    beta: float | None = parameter(None, domain=optional(OPEN_UNIT), why="None is what the theorem sets for the horizon")
    horizon: int | None = parameter(None, domain=optional(WHOLE), why="None: beta is given")

    def __post_init__(self) -> None:
        """Checks that one of beta and horizon is given."""
        super().__post_init__()
        if (self.beta is None) == (self.horizon is None):
            raise InvalidParameter("SwapRegret takes one of beta and horizon")

    def step(self, experts: int) -> float:
        """1 − β."""
        if self.beta is not None:
            return 1.0 - self.beta
        return min(0.5, math.sqrt(experts * math.log(experts) / (self.horizon or 1)))

    def init(self, experts: int) -> ExpertState:
        """Even weights in every copy; `swaps` holds Σ p_i·(l_i − l_j), row i after row i."""
        square = np.zeros(experts * experts)
        return ExpertState(log_weights=square, swaps=square.copy(), size=np.full(1, float(experts)))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """The p with p = p·Q."""
        experts = int(state.size[0])
        if experts == 1:
            return proportional(np.ones(1), awake)
        logs = state.log_weights.reshape(experts, experts)
        rows = np.exp(np.maximum(logs - np.max(logs, axis=1, keepdims=True), -700.0))
        return proportional(stationary(rows / np.sum(rows, axis=1, keepdims=True)), awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Charges copy i with p_i times the losses."""
        p = self.weights(state)
        state.log_weights[:] += np.log1p(-self.step(len(losses)) * np.outer(p, losses)).ravel()
        state.swaps[:] += (p[:, None] * (losses[:, None] - losses[None, :])).ravel()

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        step = self.step(int(state.size[0]))
        return _core.swap_regret(swaps=state.swaps, size=state.size, log_weights=state.log_weights, step=step)
