"""Swap regret matching."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone.experts.rule import ExpertRule, proportional, uniform
from littlestone.experts.state import ExpertState, per_expert

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray, FloatArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class SwapRegretMatching(ExpertRule):
    """Regret matching+ over the pairs "wherever I played i, I should have played j".

    Update: R_ij ← [R_ij + w_i(loss_i − loss_j)]₊ for i ≠ j; the weights w of the next round are the stationary
    distribution of the chain that leaves i for j at a rate ∝ R_ij: w_i Σ_j R_ij = Σ_j w_j R_ji.
    Tie: where no R is positive the weights are uniform.
    Cost: O(N³) per round, for the stationary distribution. No
    parameters, free of scale.

    Guarantee: max_ij Σ_t w_ti(l_ti − l_tj) ≤ √(Σ_t Σ_ij w_ti²(l_ti − l_tj)²) ≤ range·√(NT): play of two such players
    approaches the correlated equilibria.
    Source: Hart and Mas-Colell 2000; Blum and Mansour 2007 for swap regret.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> rule = ls.SwapRegretMatching()
        >>> state = rule.init(2)
        >>> rule.update(state, np.array([1.0, 0.0]))                  # only R_12 is positive: leave 1 for 2
        >>> rule.weights(state)
        array([0., 1.])
    """

    source: ClassVar[str] = "Hart and Mas-Colell 2000; Blum and Mansour 2007"
    unit: ClassVar[bool] = False

    def init(self, experts: int) -> ExpertState:
        """No regrets; uniform weights."""
        return ExpertState(per_expert("played"), regret=np.zeros(experts * experts), played=uniform(experts))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """The stationary distribution, among those awake."""
        return state.played.copy() if awake is None else proportional(state.played, awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Adds each pair's regret and finds the next stationary distribution."""
        experts = len(losses)
        regret = state.regret.reshape(experts, experts)
        regret += state.played[:, None] * (losses[:, None] - losses[None, :])
        np.maximum(regret, 0.0, out=regret)
        state.played[:] = stationary(regret)


def stationary(rates: FloatArray) -> FloatArray:
    """A stationary distribution of the chain that leaves i for j at these rates; uniform where all are 0."""
    experts = len(rates)
    leaving = np.sum(rates, axis=1)
    top = float(np.max(leaving))
    if top == 0.0:
        return uniform(experts)
    chain = rates / top + np.diag(1.0 - leaving / top)
    # w(chain − 1) = 0 and Σw = 1; a chain in several parts has several answers, and least squares takes one.
    system = np.vstack([chain.T - np.eye(experts), np.ones((1, experts))])
    answer = np.linalg.lstsq(system, np.append(np.zeros(experts), 1.0), rcond=None)[0]
    return proportional(np.maximum(answer, 0.0))
