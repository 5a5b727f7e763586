"""The best response."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone.experts.rule import ExpertRule, uniform
from littlestone.experts.state import ExpertState, per_expert

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray, FloatArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class BestResponse(ExpertRule):
    """Puts all weight on the expert whose last loss was the smallest.

    Update: last ← losses. As the column player of an alternating game it answers the row player's strategy of the same
    round, as in the textbook's proof of the minimax theorem.
    Tie: the first of several; uniform before the first round.
    Cost: O(N) per round.

    Guarantee: against it, mohri.8.16 bounds the gap by the row player's average regret. On its own it has none: its
    regret can grow linearly.
    Source: Mohri et al., section 8.5.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> rule = ls.BestResponse()
        >>> state = rule.init(3)
        >>> rule.update(state, np.array([0.5, 0.25, 0.25]))
        >>> rule.weights(state)
        array([0., 1., 0.])
    """

    source: ClassVar[str] = "Mohri et al., section 8.5"
    unit: ClassVar[bool] = False

    def init(self, experts: int) -> ExpertState:
        """Nothing seen."""
        return ExpertState(per_expert("last"), last=np.zeros(experts), rounds=np.zeros(1))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """1 at the smallest last loss."""
        if state.rounds[0] == 0.0:
            return uniform(len(state.last), awake)
        chosen = np.zeros(len(state.last))
        chosen[np.argmin(state.last if awake is None else np.where(awake, state.last, np.inf))] = 1.0
        return chosen

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Remembers the losses."""
        state.last[:] = losses
        state.rounds[0] += 1.0
