"""Ridge regression on the advice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.domain import POSITIVE, parameter
from littlestone.experts.reading import AdviceRound, AdviceRule
from littlestone.experts.state import ExpertState, per_expert

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class RidgeWeights(AdviceRule):
    """The linear combination of the advice with the least square loss so far, held to the mean of the advice by a ridge.

    Update: with e = y − mean(x), A ← A + x·xᵀ, b ← b + e·x, from A = λ·I and b = 0 on; the weights are 1/N + A⁻¹b, and what is
    said is mean(x) + x·A⁻¹b/(1 + xᵀA⁻¹x): the forecaster of Vovk, Azoury and Warmuth, which counts the advice of the
    round before it knows the outcome. Weights may be negative and need not add up to 1, so that biases are made good.
    λ is ridge times the variance of the advice among the experts in the first round (whose prediction does not depend on it).
    Tie: none.
    Cost: O(N²) per round. Nobody may sleep; the loss is the square loss.

    Guarantee: ridge.vaw: Σ(ŷ − y)² ≤ min_u(Σ(u·x − y)² + λ‖u − 1/N‖²) + max e²·Σ xᵀA⁻¹x, A with the round itself.
    Source: Vovk 2001; Azoury and Warmuth 2001.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> run = ls.aggregate(ls.RidgeWeights(), np.array([[1.0, 3.0], [1.0, 3.0]]), [4.0, 4.0], loss="square")
        >>> np.asarray(run.predictions).round(4)          # λ = 1, b = (2, 6), xᵀA⁻¹x = 10/11: 2 + (20/11)/(21/11)
        array([2.    , 2.9524])
    """

    source: ClassVar[str] = "Vovk 2001; Azoury and Warmuth 2001"
    unit: ClassVar[bool] = False
    losses: ClassVar[tuple[str, ...]] = ("square",)
    sleepers: ClassVar[bool] = False

    ridge: float = parameter(1.0, domain=POSITIVE, why="as strong as one round of the first spread of the advice")

    def init(self, experts: int) -> ExpertState:
        """Nothing seen; the strength of the ridge, 0, is set by the first round."""
        return ExpertState(
            per_expert("moments"),
            inverse=np.zeros(experts * experts),
            moments=np.zeros(experts),
            scale=np.zeros(1),
            squares=np.zeros(1),
            paid=np.zeros(1),
            largest=np.zeros(1),
        )

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """1/N + A⁻¹b; not a distribution."""
        return 1.0 / len(state.moments) + self._inverse(state) @ state.moments

    def predict(self, state: ExpertState, weights: FloatArray, advice: FloatArray, *, labels: bool) -> float:
        """The combination, nearer to the mean the less is known of such advice."""
        even = float(np.mean(advice))
        return even + (float(weights @ advice) - even) / (1.0 + float(advice @ self._inverse(state) @ advice))

    def learn(self, state: ExpertState, seen: AdviceRound) -> None:
        """Adds the round to A (by its inverse: Sherman and Morrison 1950) and to b."""
        x, even = seen.advice, float(np.mean(seen.advice))
        if state.scale[0] == 0.0:
            spread = float(np.mean((x - even) ** 2))
            state.scale[0] = self.ridge * (spread if spread > 0.0 else 1.0)
            state.inverse[:] = (np.eye(len(x)) / float(state.scale[0])).ravel()
        gain = self._inverse(state) @ x
        size, error = float(x @ gain), seen.outcome - even
        state.inverse[:] -= np.outer(gain, gain).ravel() / (1.0 + size)
        state.moments[:] += error * x
        state.squares[0] += error * error
        state.paid[0] += size / (1.0 + size)
        state.largest[0] = max(float(state.largest[0]), abs(error))

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        return _core.ridge_weights(
            inverse=state.inverse,
            moments=state.moments,
            scale=state.scale,
            squares=state.squares,
            paid=state.paid,
            largest=state.largest,
            ridge=self.ridge,
        )

    @staticmethod
    def _inverse(state: ExpertState) -> FloatArray:
        return state.inverse.reshape(len(state.moments), -1)
