"""Follow the Regularized Leader."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.experts.rule import ExpertRule, proportional
from littlestone.experts.simplex import level, to_simplex
from littlestone.experts.state import ExpertState, per_expert

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class FollowTheRegularizedLeader(ExpertRule):
    """Takes the weights that would have lost least so far, held to the even ones by a square whose strength grows.

    Update: L ← L + g, S ← S + ‖g‖², g the losses less their mean; w is the distribution nearest to 1/N − L/√S, which
    minimises L·w + √S·‖w − 1/N‖²/2.
    Tie: none.
    Cost: O(N log N) per round. No parameters, no range, no horizon. With the gradient trick (the default) losses are
    the gradient at the prediction times the advice, and the rule competes with the best convex combination.

    Guarantee: leader.regularized: regret ≤ (1 − 1/N)·√S/2 + Σ min{√2·‖g‖, ‖g‖²/(2√S of the rounds before)}.
    Source: McMahan 2017; Orabona and Pál 2018.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> run = ls.hedge(ls.FollowTheRegularizedLeader(), np.array([[0.75, 0.25], [0.25, 0.75]]), keep=("weights",))
        >>> run.weights[1]                     # 1/2 ∓ 0.7071, and back to the simplex
        array([0., 1.])
    """

    source: ClassVar[str] = "McMahan 2017; Orabona and Pál 2018"
    unit: ClassVar[bool] = False
    gradient: ClassVar[bool] = True

    def init(self, experts: int) -> ExpertState:
        """No losses so far."""
        return ExpertState(per_expert("losses"), losses=np.zeros(experts), squares=np.zeros(1), paid=np.zeros(1))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """The distribution nearest to 1/N − L/√S."""
        eta = 1.0 / math.sqrt(float(state.squares[0])) if state.squares[0] > 0.0 else 0.0
        return proportional(to_simplex(1.0 / len(state.losses) - eta * state.losses), awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Adds the losses, their squares, and what the round adds to the bound."""
        g = losses - level(losses)
        square, before = float(g @ g), float(state.squares[0])
        most = math.sqrt(2.0 * square)
        state.paid[0] += min(most, 0.5 * square / math.sqrt(before)) if before > 0.0 else most
        state.squares[0] += square
        state.losses[:] += g

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        return _core.regularized_leader(losses=state.losses, squares=state.squares, paid=state.paid)
