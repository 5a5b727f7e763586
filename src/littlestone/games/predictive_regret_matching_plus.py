"""Predictive regret matching+."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone.domain import CLOSED_UNIT, POSITIVE, optional, parameter
from littlestone.experts.rule import ExpertRule, proportional
from littlestone.experts.state import ExpertState, per_expert

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray, FloatArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class PredictiveRegretMatchingPlus(ExpertRule):
    """Regret matching+ that expects the next regrets to be like the last ones, or some part of them.

    Update: r = own loss − losses, R ← [R + r]₊; the weights are ∝ [R + trust·r]₊ with the same r. With a fading α only
    t^α/(t^α + 1) of R is kept after round t: the first rounds, in which both players know nothing, are forgotten.
    Tie: where nothing is positive the weights are uniform.
    Cost: O(N) per round. Free of scale. `solve` plays with a trust of 1/8 and a fading of 1.8, which takes half the rounds.

    Guarantee: regret ≤ √(Σ‖r_t − trust·r_{t−1}‖²), small when the opponent moves slowly; in self-play mohri.8.16. With
    a fading the first is not proved.
    Source: Farina, Kroer and Sandholm 2021, algorithm 4; theorem 3 for whatever is expected. Fading: Xu et al. 2024.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> rule = ls.PredictiveRegretMatchingPlus()
        >>> state = rule.init(2)
        >>> rule.update(state, np.array([1.0, 0.0]))                  # r = (-1/2, 1/2)
        >>> rule.update(state, np.array([0.0, 1.0]))                  # own loss 1: r = (1, 0), R = (1, 1/2)
        >>> rule.weights(state)                                       # R + r = (2, 1/2)
        array([0.8, 0.2])
    """

    source: ClassVar[str] = "Farina, Kroer and Sandholm 2021, algorithm 4"
    unit: ClassVar[bool] = False

    trust: float = parameter(1.0, domain=CLOSED_UNIT, why="1 is the algorithm as published; 0 is regret matching+")
    fading: float | None = parameter(None, domain=optional(POSITIVE), why="None keeps every regret, as published")

    def init(self, experts: int) -> ExpertState:
        """No regrets, and none expected."""
        zeros = {name: np.zeros(experts) for name in ("regret", "last")}
        return ExpertState(per_expert(*zeros), **zeros, rounds=np.zeros(1))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """∝ [R + trust·r]₊."""
        return proportional(np.maximum(state.regret + self.trust * state.last, 0.0), awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """R ← kept·[R + r]₊, r = own − losses."""
        state.rounds[0] += 1.0
        state.last[:] = own - losses
        state.regret[:] = self._kept(float(state.rounds[0])) * np.maximum(state.regret + state.last, 0.0)

    def _kept(self, rounds: float) -> float:
        if self.fading is None:
            return 1.0
        power = rounds**self.fading
        return float(power / (power + 1.0))
