"""Adaptive conformal inference at many rates, aggregated by a rule of experts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, final

import numpy as np

from littlestone.arrays import FloatArray
from littlestone.conformal.rule import ConformalRule
from littlestone.domain import POSITIVE, Domain, optional, parameter
from littlestone.experts.fixed_share import FixedShare
from littlestone.experts.rule import ExpertRule
from littlestone.experts.state import ExpertState

_RATES = (0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128)
_STRETCH = 500
_OWN = ("alpha", "theta", "levels")


def _are_rates(value: object) -> bool:
    if not isinstance(value, np.ndarray) or value.ndim != 1 or not len(value):
        return False
    return bool((np.isfinite(value) & (value > 0.0)).all())


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class AggregatedConformal(ConformalRule):
    """A level for each of several rates, mixed by a rule of experts, then passed through a step of one fixed rate.

    Update: θ_k ← θ_k + γ_k(α − 1[β ≤ θ_k]) for each rate, β the largest level whose sets hold the outcome; the experts
    are charged the pinball loss α(β − θ_k) − min(0, β − θ_k). The mean level m = Σ p_k θ_k, in [0, 1], is then bent through the
    points (0, 0), (α, m) and (1, 1) and read at θ, which moves as in adaptive conformal inference: θ ← θ + γ(α − 1[miss]).
    Tie: an outcome on the edge of an interval is inside it.
    Cost: O(K) per round for K rates, and a search among the scores of the window.

    Guarantee: aci.coverage, by the last step alone: at θ ≤ 0 everything is shown and at θ ≥ 1 nothing, whatever the experts
    say. With gamma=None the mean level itself is shown, and its coverage is unproved.
    Source: Gibbs and Candès 2024; Zaffran, Féron, Goude, Josse and Dieuleveut 2022 (there with BOA).

    Example:
        >>> import littlestone as ls
        >>> rule = ls.AggregatedConformal(gammas=[0.01, 0.1], gamma=0.05)
        >>> state = rule.init(alpha=0.1)
        >>> round(rule.level(state), 12)
        0.1
        >>> rule.advance(state, missed=True, reach=0.02)
        >>> state.levels, state.theta                    # 0.1 - 0.9 times each rate
        (array([0.091, 0.01 ]), array([0.055]))
    """

    source: ClassVar[str] = "Gibbs and Candès 2024; Zaffran et al. 2022"

    gammas: FloatArray | Sequence[float] = parameter(
        _RATES, domain=Domain("a list of finite numbers above 0", _are_rates), why="the paper's: doubled seven times"
    )
    experts: ExpertRule | None = parameter(
        None,
        domain=optional(Domain("a rule of experts", lambda value: isinstance(value, ExpertRule))),
        why="None is Fixed Share with the paper's rate and share for stretches of 500 rounds",
    )
    gamma: float | None = parameter(
        0.005, domain=optional(POSITIVE), why="slow beside the experts, so that they lead; None leaves the step out"
    )

    @property
    def rate(self) -> float | None:
        """γ of the last step."""
        return self.gamma

    def mixing(self, alpha: float) -> ExpertRule:
        """The rule that mixes the levels, on losses in [0, 1]."""
        if self.experts is not None:
            return self.experts
        return _fixed_share(len(self.gammas), alpha, self._largest_loss)

    @property
    def _largest_loss(self) -> float:
        """Levels are between −γ and 1 + γ, and β between 0 and 1."""
        return 1.0 + float(np.max(self.gammas))

    def init(self, alpha: float) -> ExpertState:
        """All levels at α, and no losses yet."""
        mixed = self.mixing(alpha).init(len(self.gammas)).arrays
        levels = np.full(len(self.gammas), alpha)
        return ExpertState(alpha=np.array([alpha]), theta=np.array([alpha]), levels=levels, **mixed)

    def level(self, state: ExpertState) -> float:
        """The mean level, bent by the last step."""
        alpha = float(state.alpha[0])
        mean = float(self.mixing(alpha).weights(_of_experts(state)) @ state.levels)
        theta = float(state.theta[0])
        if self.gamma is None:
            return mean
        if not 0.0 < theta < 1.0:
            return theta
        inside = min(max(mean, 0.0), 1.0)
        return inside * theta / alpha if theta <= alpha else 1.0 - (1.0 - inside) * (1.0 - theta) / (1.0 - alpha)

    def advance(self, state: ExpertState, *, missed: bool, reach: float) -> None:
        """Charges the experts, moves their levels by whether each of them would have missed, and takes the last step."""
        alpha = float(state.alpha[0])
        short = reach - state.levels
        losses = (alpha * short - np.minimum(short, 0.0)) / self._largest_loss
        self.mixing(alpha).update(_of_experts(state), losses)
        state.levels[:] += self.gammas * (alpha - (short <= 0.0))
        if self.gamma is not None:
            state.theta[0] += self.gamma * (alpha - missed)


@lru_cache
def _fixed_share(rates: int, alpha: float, unit: float) -> FixedShare:
    """Fixed Share as section 3 of Gibbs and Candès 2024 sets it, for losses that are divided by a unit."""
    spread = (1.0 - alpha) ** 2 * alpha**3 + alpha**2 * (1.0 - alpha) ** 3
    eta = math.sqrt(3.0 / _STRETCH * (math.log(rates * _STRETCH) + 2.0) / spread)
    return FixedShare(eta=eta * unit, alpha=1.0 / (2.0 * _STRETCH))


def _of_experts(state: ExpertState) -> ExpertState:
    """What belongs to the rule that mixes, over the same memory."""
    return ExpertState(**{name: array for name, array in state.arrays.items() if name not in _OWN})
