"""The Weighted Majority algorithm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.domain import HALF_OPEN_UNIT, choice, parameter
from littlestone.experts.rule import ExpertRule, majority, proportional
from littlestone.experts.state import ExpertState, per_expert

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class WeightedMajority(ExpertRule):
    """Follows the weighted majority; the weight of an expert is β to the number of its mistakes.

    Update: when the prediction was wrong (update="mistake"), or in every round (update="always"), every expert that was
    wrong has its weight multiplied by β. The state holds the counts c, and the vote goes by β^(c − smallest c): it never
    underflows.
    Tie: equal weight for 1 and 0 predicts 1. β = 0 is Halving.
    Cost: O(N) per round. An expert that sleeps does not vote and is not charged; then no bound is stated.

    Guarantee: mohri.8.3: mistakes ≤ (log N + m* log(1/β))/log(2/(1+β)), m* the mistakes of the best expert; for any
    deterministic rule mohri.det is a lower bound.
    Source: Littlestone and Warmuth 1994; Mohri et al., figure 8.3 (update="mistake") and text ("always").

    Example:
        >>> import numpy as np, littlestone as ls
        >>> advice = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1], [1, 0, 1], [0, 0, 1]])
        >>> run = ls.aggregate(ls.WeightedMajority(beta=0.5), advice, [1, 0, 1, 0, 0], loss="zero_one")
        >>> run.predictions, run.ledger.mistakes
        (array([0., 1., 1., 1., 0.]), 3)
    """

    source: ClassVar[str] = "Littlestone and Warmuth 1994; Mohri et al. fig. 8.3"
    votes: ClassVar[bool] = True
    losses: ClassVar[tuple[str, ...]] = ("zero_one",)

    beta: float = parameter(0.5, domain=HALF_OPEN_UNIT, why="without a bound on the best expert's mistakes, one half")
    update_on: str = parameter(
        "mistake", domain=choice("mistake", "always"), why="as in the figure of Mohri et al.; both have the bound"
    )

    def init(self, experts: int) -> ExpertState:
        """No mistakes so far."""
        return ExpertState(per_expert("mistakes"), mistakes=np.zeros(experts))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """∝ β^(c − smallest c)."""
        counts = state.mistakes if awake is None else state.mistakes[awake]
        least = float(np.min(counts, initial=np.inf)) if self.beta > 0.0 else 0.0
        return proportional(self.beta ** np.maximum(state.mistakes - least, 0.0), awake)

    def predict(self, state: ExpertState, weights: FloatArray, advice: FloatArray, *, labels: bool) -> float:
        """The weighted majority; 1 when β = 0 and everybody has erred."""
        if self.beta == 0.0 and not (weights[state.mistakes == 0.0] > 0.0).any():
            return 1.0
        return majority(weights, advice)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Counts mistakes."""
        if self.update_on == "always" or own > 0.0:
            state.mistakes[:] += losses

    def asleep(self, own: float) -> float:
        """Nothing: whoever says nothing is not wrong."""
        return 0.0

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        return _core.majority(mistakes=state.mistakes, beta=self.beta, always=self.update_on == "always")
