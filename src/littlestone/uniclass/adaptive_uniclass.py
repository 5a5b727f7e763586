"""One class without a radius to guess."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.domain import OPEN_UNIT, POSITIVE, parameter
from littlestone.schema import PER_FEATURE
from littlestone.state import Weights
from littlestone.uniclass.rule import ShareFlagging, dense_values

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class AdaptiveUniclass(ShareFlagging):
    """A centre that follows the rows, every feature in its own spread, and a threshold that flags the share asked for.

    Update: with d = √(mean over the features of zᵢ²), zᵢ = (xᵢ − wᵢ)/sᵢ and no zᵢ² above the number of rounds n, the row is
    flagged when d > θ, and θ ← θ + η(1 if flagged, else 0, − flag), which goes down the pinball loss. Then eᵢ = xᵢ − wᵢ, but
    no more than 5 spreads from the third row on, w ← w + e/n, and sᵢ² ← sᵢ² + ((1 − 1/n)eᵢ² − sᵢ²)/n. One outlier, however
    far, moves the centre by 5/n spreads.
    Tie: a distance of exactly θ is inside.
    Cost: O(features) per round, sparse rows too; memory for two numbers per feature.

    Guarantee: flag.share: the share flagged is within (B + η)/(ηT) of `flag`, B the largest distance, whatever the rows.
    Source: the threshold as in Gibbs and Candès 2021; sums of squares as Welford 1962, clipped as Huber 1964.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> X = np.random.default_rng(0).normal(size=(5000, 4)) * [1.0, 100.0, 0.01, 7.0]
        >>> X[3000] = [9.0, 0.0, 0.0, 0.0]
        >>> run = ls.run(ls.AdaptiveUniclass(flag=0.01), X, keep=("score",))
        >>> bool(run.columns["score"][3000] > 0.0), bool(abs(run.ledger.mistakes / 5000 - 0.01) < 0.01)
        (True, True)
    """

    source: ClassVar[str] = "Gibbs and Candès 2021; Welford 1962; Huber 1964"

    flag: float = parameter(0.01, domain=OPEN_UNIT, why="one row in a hundred, as much as one can look at")
    eta: float = parameter(0.1, domain=POSITIVE, why="distances are about 1: from 0 the threshold is there after 20 flags")

    def init(self, width: int) -> Weights:
        """No rows so far."""
        return Weights(
            {"variance": PER_FEATURE},
            w=np.zeros(width),
            variance=np.zeros(width),
            rounds=np.zeros(1),
            threshold=np.zeros(1),
            largest=np.zeros(1),
        )

    def score(self, state: State, row: _core.Row) -> float:
        """The distance minus the threshold."""
        apart, variance, rounds = dense_values(state, row) - state.w, state.variance, float(state.rounds[0])
        squared = apart * apart
        far = squared >= rounds * variance
        with np.errstate(divide="ignore", invalid="ignore"):
            deviations = np.where(far, np.where(squared > 0.0, rounds, 0.0), squared / variance)
        total = float(np.cumsum(deviations)[-1]) if len(deviations) else 0.0
        return (math.sqrt(total / len(deviations)) if len(deviations) else 0.0) - float(state.threshold[0])

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """Threshold, centre and spreads."""
        return _core.Step.otherwise(self.follow(state, dense_values(state, row), trial))

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        return _core.adaptive_uniclass(
            w=state.w,
            variance=state.variance,
            rounds=state.rounds,
            threshold=state.threshold,
            largest=state.largest,
            flag=self.flag,
            eta=self.eta,
        )
