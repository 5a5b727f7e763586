"""Adaptive conformal inference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from littlestone.conformal.rule import ConformalRule
from littlestone.domain import POSITIVE, parameter
from littlestone.experts.state import ExpertState


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class AdaptiveConformal(ConformalRule):
    """Lowers the level after a miss, which makes sets larger, and raises it a little after a hit.

    Update: θ ← θ + γ(α − 1[miss]), from θ = α, the share of misses that is wanted; the next set has the level θ.
    Tie: an outcome on the edge of an interval is inside it.
    Cost: O(1) per round, and a search among the scores of the window.

    Guarantee: aci.coverage: |share of misses − α| ≤ (max(α, 1 − α) + γ)/(γT), whatever the outcomes and the forecasts are.
    Source: Gibbs and Candès 2021.

    Example:
        >>> import littlestone as ls
        >>> rule = ls.AdaptiveConformal(gamma=0.05)
        >>> state = rule.init(alpha=0.1)
        >>> rule.advance(state, missed=True, reach=0.02)
        >>> round(rule.level(state), 6)                   # 0.1 + 0.05 (0.1 - 1)
        0.055
    """

    source: ClassVar[str] = "Gibbs and Candès 2021"

    gamma: float = parameter(
        0.005, domain=POSITIVE, why="that of the paper's studies: the level drifts slowly, and holds to a percent after 20,000"
    )

    @property
    def rate(self) -> float:
        """γ."""
        return self.gamma

    def init(self, alpha: float) -> ExpertState:
        """The level that would be right if the scores of tomorrow were those of today."""
        return ExpertState(alpha=np.array([alpha]), theta=np.array([alpha]))

    def level(self, state: ExpertState) -> float:
        """θ."""
        return float(state.theta[0])

    def advance(self, state: ExpertState, *, missed: bool, reach: float) -> None:
        """Down after a miss, up after a hit; how near the miss was makes no difference."""
        state.theta[0] += self.gamma * (state.alpha[0] - missed)
