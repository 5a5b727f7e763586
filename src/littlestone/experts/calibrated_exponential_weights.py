"""Exponential Weights that calibrate themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.experts.calibrated import RATES, REACH, Calibrated, exponentials, in_order
from littlestone.experts.state import ExpertState

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class CalibratedExponentialWeights(Calibrated):
    """Exponential Weights at many rates at once, of which the one with the smallest loss so far is followed.

    Update: at every rate η, r = own loss − losses, R ← R + r, w ∝ exp(η·R). The rates are η₀·2^k, |k| ≤ 64, with
    η₀ = 1/mean|r − log N| after the first round; those on a grid, η₀ alone at first, can be followed, and three more join at
    an end of the grid where the best rate lies there.
    Tie: the smallest of the best rates.
    Cost: O(129·N) per round. No parameters, no range, no horizon. With the gradient trick (the default) losses are
    the gradient at the prediction times the advice, at each rate at its own prediction.

    Guarantee: none: to follow the best rate so far has no bound of its own, and each rate has mohri.8.6a only for a
    declared range.
    Source: Devaine, Gaillard, Goude and Stoltz 2013; EWA of the R package opera without a rate.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> run = ls.hedge(ls.CalibratedExponentialWeights(), np.array([[1.0, 0.0], [1.0, 0.0]]), keep=("weights",))
        >>> run.weights[1].round(4)            # r = (-1/2, 1/2), so η₀ = 1/mean(1.1931, 0.1931): 1/(1 + e^1.4427)
        array([0.1911, 0.8089])
    """

    source: ClassVar[str] = "Devaine, Gaillard, Goude and Stoltz 2013; opera 1.2"

    @property
    def _shares(self) -> int:
        return 1

    def init(self, experts: int) -> ExpertState:
        """No regrets so far at any rate."""
        return ExpertState(
            regrets=np.zeros(RATES * experts),
            losses=np.zeros(RATES),
            grid=np.full(2, float(REACH)),
            best=np.full(1, float(REACH)),
            start=np.zeros(1),
        )

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        return _core.calibrated_exponential_weights(
            regrets=state.regrets, losses=state.losses, grid=state.grid, best=state.best, start=state.start
        )

    def _table(self, state: ExpertState) -> FloatArray:
        return state.regrets.reshape(1, RATES, -1)

    def _mixed(self, rows: FloatArray, etas: FloatArray, awake: BoolArray) -> FloatArray:
        scores = np.where(awake, etas * rows, -np.inf)
        weights = exponentials(scores - np.max(scores, axis=-1, keepdims=True))
        return weights / in_order(weights)[..., None]

    def _move(self, table: FloatArray, regrets: FloatArray, etas: FloatArray) -> None:
        table += regrets
