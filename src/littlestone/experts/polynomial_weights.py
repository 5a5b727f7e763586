"""Polynomial weights."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.domain import interval, optional, parameter
from littlestone.experts.rule import ExpertRule, proportional
from littlestone.experts.state import ExpertState, per_expert

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray

AT_LEAST_2 = interval(2.0, math.inf, low_open=False, high_open=True, words="a finite number, at least 2")


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class PolynomialWeights(ExpertRule):
    """Weighs an expert by the (α−1)th power of the regret to it, where that is positive.

    Update: R ← R + (own loss − losses), w = (R₊)^(α−1), taken relative to the largest R, so that powers do not overflow.
    Tie: when no regret is positive, as in the first round, the weights are uniform.
    Cost: O(N) per round, one power per expert. The rule needs no range of the losses.

    Guarantee: mohri.ex8.8: regret ≤ M·√((α−1)T)·N^(1/α) for convex losses in [0, M].
    Source: Cesa-Bianchi and Lugosi 2003; Mohri et al., exercise 8.8 (errata: the power is α−1, the sums run to N).

    Example:
        >>> import numpy as np, littlestone as ls
        >>> run = ls.aggregate(ls.PolynomialWeights(alpha=3.0), np.array([[0.0, 1.0]] * 3), [1, 1, 0], loss="absolute")
        >>> run.predictions, run.state.regrets
        (array([0.5, 1. , 1. ]), array([-0.5,  0.5]))
    """

    source: ClassVar[str] = "Cesa-Bianchi and Lugosi 2003; Mohri et al. ex. 8.8"
    unit: ClassVar[bool] = False

    alpha: float | None = parameter(
        None, domain=optional(AT_LEAST_2), why="None is log N + √(log²N − 2 log N), which minimises the bound; 2 for N ≤ 7"
    )

    def power(self, experts: int) -> float:
        """α."""
        if self.alpha is not None:
            return self.alpha
        log = math.log(experts)
        return log + math.sqrt(log * log - 2.0 * log) if log > 2.0 else 2.0

    def init(self, experts: int) -> ExpertState:
        """No regrets so far."""
        return ExpertState(per_expert("regrets"), regrets=np.zeros(experts))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """∝ (R₊)^(α−1)."""
        positive = np.maximum(state.regrets if awake is None else np.where(awake, state.regrets, 0.0), 0.0)
        top = float(np.max(positive))
        relative = positive / top if top > 0.0 else positive
        return proportional(relative ** (self.power(len(positive)) - 1.0), awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Adds the regrets of the round."""
        state.regrets[:] += own - losses

    def joined(self, state: ExpertState, charged: float) -> ExpertState:
        """An expert that slept has no regrets."""
        return state.joined()

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        return _core.polynomial(regrets=state.regrets, alpha=self.power(len(state.regrets)))
