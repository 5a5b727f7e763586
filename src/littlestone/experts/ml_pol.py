"""MLpol."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.experts.rule import proportional
from littlestone.experts.second_order import SecondOrder
from littlestone.experts.state import ExpertState, per_expert

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class MLpol(SecondOrder):
    """Weighs an expert by its rate times the regret to it, where that is positive; every expert has a rate of its own.

    Update: r = own loss − losses, R ← R + r, 1/η ← 1/η + r² + (growth of the largest squared regret of a round);
    w = η·R₊.
    Tie: when no regret is positive, as in the first round, the weights are uniform.
    Cost: O(N) per round. No parameters, no range, no horizon. With the gradient trick (the default) losses are the
    gradient at the prediction times the advice, and the rule competes with the best convex combination.

    Guarantee: rates.mlpol, of second order: the root of about N log T times the squared regrets to an expert.
    Source: Gaillard, Stoltz and van Erven 2014 (ML-Poly), with the rates of the R package opera.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> run = ls.hedge(ls.MLpol(), np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), keep=("weights",))
        >>> run.weights
        array([[0.5, 0.5],
               [0. , 1. ],
               [0. , 1. ]])
    """

    source: ClassVar[str] = "Gaillard, Stoltz and van Erven 2014; opera 1.2"

    def init(self, experts: int) -> ExpertState:
        """No regrets so far."""
        return ExpertState(
            per_expert("regrets", "inverse_rates"),
            regrets=np.zeros(experts),
            inverse_rates=np.zeros(experts),
            largest=np.zeros(1),
        )

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """∝ η·R₊."""
        positive = state.regrets > 0.0
        return proportional(np.where(positive, state.regrets / np.where(positive, state.inverse_rates, 1.0), 0.0), awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Adds the regrets of the round; a large one lowers the rate."""
        r = own - losses
        top = max(float(state.largest[0]), float(np.max(r * r)))
        state.regrets[:] += r
        state.inverse_rates[:] += r * r + (top - float(state.largest[0]))
        state.largest[0] = top

    def joined(self, state: ExpertState, charged: float) -> ExpertState:
        """An expert that slept has no regrets; its rate fell with the largest regret of the others."""
        return state.joined(inverse_rates=float(state.largest[0]))

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        return _core.ml_pol(regrets=state.regrets, inverse_rates=state.inverse_rates, largest=state.largest)
