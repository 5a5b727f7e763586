"""The multiplicative rule for losses in [0, 1]."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.domain import OPEN_UNIT, WHOLE, interval, optional, parameter
from littlestone.errors import InvalidParameter
from littlestone.experts.rule import ExpertRule, softmax
from littlestone.experts.state import ExpertState, summed

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray

ALPHA = interval(0.0, 2.0, low_open=True, high_open=True, words="a number strictly between 0 and 2")


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class MultiplicativeWeights(ExpertRule):
    """Multiplies the weight of an expert by 1 − (1−β)·loss.

    Update: λ ← λ + log(1 − (1−β)·losses), p ∝ exp(λ). On losses in {0, 1} it is Randomized Weighted Majority.
    β: as given; for a horizon T and an alpha, max{α/2, 1 − √(α log N/T)} (exercise 8.9; α = 1 is exercise 8.7); and for
    a horizon alone the best alpha for N and T, α* = (√(k²+2) − k)² with k = √(log N/T), and β = α*/2.
    Tie: none.
    Cost: O(N) per round, one log per expert.

    Guarantee: mohri.ex8.7 (β ≥ ½; second order: the best expert's squared losses take the place of T), mohri.ex8.9,
    mohri.ex8.9x for the best alpha.
    Source: Cesa-Bianchi, Mansour and Stoltz 2005; Mohri et al., exercises 8.7 and 8.9.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> run = ls.hedge(ls.MultiplicativeWeights(beta=0.5), np.array([[0.5, 0.0], [1.0, 0.25], [0.0, 1.0]]))
        >>> round(run.ledger.loss, 6), np.exp(run.state.log_weights).round(4)
        (1.521429, array([0.375 , 0.4375]))
    """

    source: ClassVar[str] = "Cesa-Bianchi, Mansour and Stoltz 2005; Mohri et al. ex. 8.7 and 8.9"
    tracks: ClassVar[bool] = False

    beta: float | None = parameter(None, domain=optional(OPEN_UNIT), why="None is ½ without a horizon, its largest step")
    horizon: int | None = parameter(None, domain=optional(WHOLE), why="None: the number of rounds is not known")
    alpha: float | None = parameter(None, domain=optional(ALPHA), why="None is the best one for the horizon")

    def __post_init__(self) -> None:
        """Checks that what is given fits together."""
        super().__post_init__()
        if self.beta is not None and (self.horizon is not None or self.alpha is not None):
            raise InvalidParameter("MultiplicativeWeights takes beta, or horizon (and alpha), not both")
        if self.alpha is not None and self.horizon is None:
            raise InvalidParameter("MultiplicativeWeights: alpha needs a horizon")

    def curvature(self, experts: int) -> float:
        """α: as given, the best one for the horizon, or else the largest that β allows."""
        if self.alpha is not None:
            return self.alpha
        if self.horizon is None:
            return 2.0 * self.step(experts)
        k = math.sqrt(math.log(experts) / self.horizon)
        return (math.sqrt(k * k + 2.0) - k) ** 2

    def step(self, experts: int) -> float:
        """β."""
        if self.horizon is None:
            return 0.5 if self.beta is None else self.beta
        alpha = self.curvature(experts)
        if self.alpha is None:
            return alpha / 2.0
        return max(alpha / 2.0, 1.0 - math.sqrt(alpha * math.log(experts) / self.horizon))

    def init(self, experts: int) -> ExpertState:
        """All weights 1."""
        return summed(log_weights=np.zeros(experts))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """∝ exp(λ)."""
        return softmax(state.log_weights, awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Adds the logarithms of the factors; the product itself would underflow."""
        state.log_weights[:] += np.log1p(-(1.0 - self.step(len(losses))) * losses)

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        return _core.multiplicative(log_weights=state.log_weights, beta=self.step(len(state.log_weights)))
