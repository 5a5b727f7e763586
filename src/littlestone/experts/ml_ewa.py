"""MLewa."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.experts.rule import softmax
from littlestone.experts.second_order import OfRegrets
from littlestone.experts.state import ExpertState

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class MLewa(OfRegrets):
    """Exponential weights of the regrets; every expert has a rate of its own.

    Update: r = own loss − losses, R ← R + r, V ← V + r², w = exp(η·R) with η = √(log N/V).
    Tie: an expert without any regret so far weighs as one with R = 0.
    Cost: O(N) per round, one exp per expert. No parameters,
    no range, no horizon. With the gradient trick (the default) losses are the gradient at the prediction times the
    advice, and the rule competes with the best convex combination.

    Guarantee: rates.mlewa, which says something where the experts' rates are alike; no paper has one for these rates.
    Source: Gaillard, Stoltz and van Erven 2014, and the R package opera.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> run = ls.hedge(ls.MLewa(), np.array([[1.0, 0.0], [1.0, 0.0]]), keep=("weights",))
        >>> run.weights[1].round(4)               # eta·R = ∓√(log 2)
        array([0.1591, 0.8409])
    """

    source: ClassVar[str] = "Gaillard, Stoltz and van Erven 2014; opera 1.2"

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """∝ exp(η·R)."""
        some = state.squares > 0.0
        rates = np.sqrt(np.log(len(some)) / np.where(some, state.squares, 1.0))
        return softmax(np.where(some, rates * state.regrets, 0.0), awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Adds the regrets of the round and their squares."""
        r = own - losses
        state.regrets[:] += r
        state.squares[:] += r * r

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        return _core.ml_ewa(regrets=state.regrets, squares=state.squares)
