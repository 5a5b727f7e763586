"""Online gradient descent on the weights."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.domain import OPEN_UNIT, choice, parameter
from littlestone.experts.rule import ExpertRule, proportional
from littlestone.experts.simplex import level, to_simplex
from littlestone.experts.state import ExpertState, per_expert

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class OnlineGradientDescent(ExpertRule):
    """Moves the weights against the gradient, and back to the nearest distribution.

    Update: w ← the distribution nearest to w − η·g, g the losses, less their mean if centred, and η = t^(−power)/(the largest
    ‖g‖ so far).
    Tie: none.
    Cost: O(N log N) per round. No range, no horizon. With the gradient trick (the default) losses are the gradient at
    the prediction times the advice, and the rule competes with the best convex combination.

    Guarantee: descent.simplex: regret ≤ T^power·B + ½Σ η‖g‖², B the largest ‖g‖; at most 2B√T for the power ½.
    Source: Zinkevich 2003, with the rates of the R package opera.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> run = ls.hedge(ls.OnlineGradientDescent(), np.array([[0.75, 0.25], [0.5, 0.5]]), keep=("weights",))
        >>> run.weights[1].round(4)            # g = (1/4, -1/4) over its norm: 1/2 ∓ 0.7071, and back to the simplex
        array([0., 1.])
    """

    source: ClassVar[str] = "Zinkevich 2003; opera 1.2"
    unit: ClassVar[bool] = False
    gradient: ClassVar[bool] = True

    power: float = parameter(0.5, domain=OPEN_UNIT, why="the rate falls like this power of t; ½ is that of the theorem")
    gradients: str = parameter(
        "centred",
        domain=choice("centred", "plain"),
        why="what all lose alike moves no weight and only lowers the rate; plain is as in opera",
    )

    def init(self, experts: int) -> ExpertState:
        """Even weights."""
        point = np.full(experts, 1.0 / experts)
        return ExpertState(per_expert("point"), point=point, largest=np.zeros(1), rounds=np.zeros(1), paid=np.zeros(1))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """The point."""
        return proportional(state.point, awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """One step, and back to the simplex."""
        g = losses - level(losses) if self.gradients == "centred" else losses
        square = float(g @ g)
        state.rounds[0] += 1.0
        state.largest[0] = max(float(state.largest[0]), math.sqrt(square))
        if state.largest[0] > 0.0:
            eta = float(state.rounds[0]) ** -self.power / float(state.largest[0])
            state.paid[0] += 0.5 * eta * square
            state.point[:] = to_simplex(state.point - eta * g)

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        return _core.gradient_descent(
            point=state.point,
            largest=state.largest,
            rounds=state.rounds,
            paid=state.paid,
            power=self.power,
            centred=self.gradients == "centred",
        )
