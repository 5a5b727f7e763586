"""Bernstein Online Aggregation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.experts.rule import proportional, softmax
from littlestone.experts.second_order import OfRegrets
from littlestone.experts.state import ExpertState

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class BOA(OfRegrets):
    """Exponential weights of the regrets less a second-order term; every expert has a rate of its own.

    Update: r = own loss − losses, V ← V + 2.2·r², η = 1/√V, R ← R + (r − η·r²), w = η·exp(η·R).
    Tie: an expert without any regret so far keeps an even share.
    Cost: O(N) per round, an exp and a log per expert.
    No parameters, no range, no horizon. With the gradient trick (the default) losses are the gradient at the prediction
    times the advice, and the rule competes with the best convex combination.

    Guarantee: rates.boa, of second order in each expert's own regrets.
    Source: Wintenberger 2017, with the rates of the R package opera.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> run = ls.hedge(ls.BOA(), np.array([[1.0, 0.0], [1.0, 0.0]]), keep=("weights",))
        >>> run.weights[1].round(4)               # V is the same for both; η·R differs by 2/√2.2: 1/(1 + e^1.3484)
        array([0.2061, 0.7939])
    """

    source: ClassVar[str] = "Wintenberger 2017; opera 1.2"

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """∝ η·exp(η·R)."""
        moved = (state.squares > 0.0) if awake is None else (state.squares > 0.0) & awake
        if not moved.any():
            return proportional(np.ones(len(moved)), awake)
        squares = np.where(moved, state.squares, 1.0)
        shares = softmax(state.regrets / np.sqrt(squares) - 0.5 * np.log(squares), moved)
        return proportional(np.where(moved, float(moved.sum()) * shares, 1.0), awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Adds the regrets of the round less their second-order term."""
        r = own - losses
        state.squares[:] += 2.2 * (r * r)
        state.regrets[:] += r - r * r / np.sqrt(np.where(state.squares > 0.0, state.squares, 1.0))

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        return _core.boa(regrets=state.regrets, squares=state.squares)
