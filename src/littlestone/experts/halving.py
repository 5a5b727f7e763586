"""The Halving algorithm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.domain import choice, parameter
from littlestone.experts.rule import ExpertRule, majority, proportional
from littlestone.experts.state import ExpertState, per_expert

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Halving(ExpertRule):
    """Follows the majority of the experts that have not erred, and drops those that err.

    Update: when the prediction was wrong (prune="mistake"), or in every round (prune="always"), every expert that was
    wrong is out for good.
    Tie: as many for 1 as for 0 predicts 1; so does an empty set, which says that no expert was consistent.
    Cost: O(N) per round. An expert that sleeps does not vote and is not dropped; then no bound is stated.

    Guarantee: mohri.8.1: at most log2 N mistakes if one expert is never wrong.
    Source: Barzdin and Freivald 1972; Mohri et al., figure 8.2 (prune="mistake"); Blum et al., section 5.8.2 ("always").

    Example:
        >>> import numpy as np, littlestone as ls
        >>> thresholds = np.array([[1, 1, 0, 0], [1, 1, 1, 0]])          # [x >= theta], theta = 0..3, at x = 1 and 2
        >>> run = ls.aggregate(ls.Halving(), thresholds, [0, 0], loss="zero_one")
        >>> run.ledger.mistakes                                          # log2 4
        2
    """

    source: ClassVar[str] = "Barzdin and Freivald 1972; Mohri et al. fig. 8.2; Blum et al. 5.8.2"
    votes: ClassVar[bool] = True
    losses: ClassVar[tuple[str, ...]] = ("zero_one",)

    prune: str = parameter("mistake", domain=choice("mistake", "always"), why="as in Mohri et al.; both have the bound")

    def init(self, experts: int) -> ExpertState:
        """Everybody is in: no mistakes counted so far."""
        return ExpertState(per_expert("mistakes"), mistakes=np.zeros(experts))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """Uniform among those that are in; among all of them when nobody is."""
        return proportional((state.mistakes == 0.0).astype(np.float64), awake)

    def predict(self, state: ExpertState, weights: FloatArray, advice: FloatArray, *, labels: bool) -> float:
        """The majority of those that are in; 1 when nobody is."""
        return majority(weights, advice) if bool((weights[state.mistakes == 0.0] > 0.0).any()) else 1.0

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Counts the mistakes that put an expert out."""
        if self.prune == "always" or own > 0.0:
            state.mistakes[:] += losses

    def asleep(self, own: float) -> float:
        """Nothing: whoever says nothing is not wrong."""
        return 0.0

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form: Weighted Majority with beta = 0."""
        return _core.majority(mistakes=state.mistakes, beta=0.0, always=self.prune == "always")
