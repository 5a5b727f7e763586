"""MLprod."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.experts.rule import largest, proportional
from littlestone.experts.second_order import SecondOrder
from littlestone.experts.state import ExpertState, per_expert

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class MLprod(SecondOrder):
    """Multiplies the weight of an expert by 1 + η·(regret of the round); every expert has a rate of its own.

    Update: r = own loss − losses, η′ = min(1/(2·max|r|), √(log N/(1 + Σr²))), λ ← (η′/η)·λ + log(1 + η′·r), w = η·exp(λ).
    Tie: none.
    Cost: O(N) per round, an exp and a log per expert. No parameters, no range, no horizon. With the gradient trick
    (the default) losses are the gradient at the prediction times the advice, and the rule competes with the best convex
    combination.

    Guarantee: rates.mlprod, of second order, like that of AdaHedge but for each expert's own squared regrets.
    Source: Gaillard, Stoltz and van Erven 2014 (Adapt-ML-Prod), with the rates of the R package opera.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> run = ls.hedge(ls.MLprod(), np.array([[1.0, 0.0], [1.0, 0.0]]), keep=("weights",))
        >>> run.weights[1].round(4)               # r = (-1/2, 1/2), both rates √(log 2/1.25): ∝ 1 ∓ 0.3723
        array([0.3138, 0.6862])
    """

    source: ClassVar[str] = "Gaillard, Stoltz and van Erven 2014; opera 1.2"

    def init(self, experts: int) -> ExpertState:
        """All weights equal; the squares start at 1, as in opera."""
        ones = np.ones(experts)
        return ExpertState(
            per_expert("log_weights", "rates", "squares", "largest"),
            log_weights=0.0 * ones,
            rates=ones.copy(),
            squares=ones,
            largest=0.0 * ones,
        )

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """∝ η·exp(λ)."""
        logs = state.log_weights if awake is None else np.where(awake, state.log_weights, -np.inf)
        return proportional(state.rates * np.exp(logs - largest(logs)), awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Lowers the rates, puts the weights at the new ones and adds the round."""
        r = own - losses
        state.squares[:] += r * r
        state.largest[:] = np.maximum(state.largest, np.abs(r))
        caps = 0.5 / np.where(state.largest > 0.0, state.largest, 1e-300)
        rates = np.minimum(caps, np.sqrt(np.log(len(r)) / state.squares))
        ratio = np.where(state.rates > 0.0, rates / np.where(state.rates > 0.0, state.rates, 1.0), 0.0)
        state.log_weights[:] = ratio * state.log_weights + np.log1p(rates * r)
        state.rates[:] = rates

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        return _core.ml_prod(log_weights=state.log_weights, rates=state.rates, squares=state.squares, largest=state.largest)
