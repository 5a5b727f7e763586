"""Optimistic Hedge."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone.experts.rule import ExpertRule, softmax
from littlestone.experts.state import ExpertState, per_expert

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray, FloatArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class OptimisticHedge(ExpertRule):
    """Exponential Weights that counts the last losses twice, with a rate set by how much the losses change.

    Update: L ← L + losses, V ← V + δ², where δ is half the spread (largest minus smallest entry) of the change from the
    last losses to these; the weights are ∝ exp(−η(L + last losses)) with η = √(log N/V), uniform while V = 0.
    Tie: none.
    Cost: O(N) per round, one exp per expert. No parameters, free of scale.

    Guarantee: regret O(√(V log N)), so constant against an opponent who settles; in self-play mohri.8.16.
    Source: Rakhlin and Sridharan 2013; Syrgkanis, Agarwal, Luo and Schapire 2015.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> rule = ls.OptimisticHedge()
        >>> state = rule.init(2)
        >>> rule.update(state, np.array([2.0, 0.0]))                  # δ = 1, η = √log 2, L + last = (4, 0)
        >>> rule.weights(state).round(4)
        array([0.0345, 0.9655])
    """

    source: ClassVar[str] = "Rakhlin and Sridharan 2013; Syrgkanis, Agarwal, Luo and Schapire 2015"
    unit: ClassVar[bool] = False

    def init(self, experts: int) -> ExpertState:
        """No losses so far."""
        return ExpertState(per_expert("losses", "last"), losses=np.zeros(experts), last=np.zeros(experts), changed=np.zeros(1))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """∝ exp(−η(L + last))."""
        changed = float(state.changed[0])
        eta = math.sqrt(math.log(len(state.losses)) / changed) if changed > 0.0 else 0.0
        return softmax(-eta * (state.losses + state.last), awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Adds the losses and the square of their change."""
        change = losses - state.last
        state.changed[0] += (float(np.max(change)) - float(np.min(change))) ** 2 / 4.0
        state.losses[:] += losses
        state.last[:] = losses
