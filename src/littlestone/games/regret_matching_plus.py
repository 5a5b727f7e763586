"""Regret matching+."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone.experts.rule import ExpertRule, proportional
from littlestone.experts.state import ExpertState, per_expert

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray, FloatArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class RegretMatchingPlus(ExpertRule):
    """Plays in proportion to the regrets, which are never allowed to fall below 0.

    Update: R ← [R + own loss − losses]₊; the weights are ∝ R. The own loss is a number: subtracting the strategy
    itself, as one library does, converges to something that is no equilibrium.
    Tie: where no regret is positive the weights are uniform.
    Cost: O(N) per round. No parameters, free of scale.

    Guarantee: regret ≤ √(Σ‖r_t‖²) ≤ range·√(NT), and in self-play mohri.8.16.
    Source: Tammelin, Burch, Johanson and Bowling 2015.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> rule = ls.RegretMatchingPlus()
        >>> state = rule.init(3)
        >>> rule.update(state, np.array([1.0, 0.0, 0.5]))             # own loss 1/2: regrets -1/2, 1/2, 0
        >>> rule.weights(state)
        array([0., 1., 0.])
    """

    source: ClassVar[str] = "Tammelin, Burch, Johanson and Bowling 2015"
    unit: ClassVar[bool] = False

    def init(self, experts: int) -> ExpertState:
        """No regrets."""
        return ExpertState(per_expert("regret"), regret=np.zeros(experts))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """∝ R."""
        return proportional(state.regret, awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """R ← [R + own − losses]₊."""
        state.regret[:] = np.maximum(state.regret + (own - losses), 0.0)
