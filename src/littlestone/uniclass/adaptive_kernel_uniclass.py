"""One class of any shape, without a radius or a kernel to guess."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.domain import OPEN_UNIT, POSITIVE, SEED, Domain, parameter
from littlestone.schema import PER_FEATURE, Array, Axis
from littlestone.state import Weights
from littlestone.uniclass.rule import ShareFlagging, dense_values

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.loop import Loop
    from littlestone.state import Average, State

_SAMPLE = Domain(
    "a whole number from 1 to 10,000", lambda n: isinstance(n, int) and not isinstance(n, bool) and 1 <= n <= 10_000
)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class AdaptiveKernelUniclass(ShareFlagging):
    """How unlike a sample of the rows so far, every feature in its own spread, and a threshold that flags the share asked for.

    Update: the distance of x is 1 − mean over the sample of K(x, p), K(x, p) = 1/(1 + D) and D half the mean over the features
    of ((xᵢ − pᵢ)/sᵢ)², none above the number of rounds n: about 1 for two rows that have nothing to do with each other. The
    row is flagged when that is above θ; θ and the spreads sᵢ move as those of `ls.AdaptiveUniclass`. The sample is uniform
    among all rows so far: row n takes a place in it with chance budget/n.
    Tie: a distance of exactly θ is inside.
    Cost: O(budget·features) per round, sparse rows too; memory for `budget` rows. Half a million rows of three features take
    less than a second. One outlier is at most one place in the sample.

    Guarantee: flag.share: the share flagged is within (B + η)/(ηT) of `flag`, B ≤ 1 the largest distance, whatever the rows.
    Source: the mean in the space of a kernel (Smola et al. 2007), Cauchy's; the sample as Vitter 1985, algorithm R; the
    threshold as in Gibbs and Candès 2021.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> draws = np.random.default_rng(0)
        >>> X = draws.choice([-5.0, 5.0], size=(4000, 1)) + draws.normal(size=(4000, 1))     # two clumps, nothing between
        >>> learner = ls.Learner(ls.AdaptiveKernelUniclass(flag=0.01))
        >>> _ = learner.learn_many(X)
        >>> learner.predict_one([5.0]), learner.predict_one([0.0]) , learner.predict_one([30.0])
        ('inside', 'inside', 'outside')
    """

    source: ClassVar[str] = "Smola et al. 2007; Vitter 1985; Gibbs and Candès 2021"

    flag: float = parameter(0.01, domain=OPEN_UNIT, why="one row in a hundred, as much as one can look at")
    eta: float = parameter(0.1, domain=POSITIVE, why="distances are below 1: from 0 the threshold is there after 10 flags")
    budget: int = parameter(
        100, domain=_SAMPLE, why="the error of a mean over 100 rows is a tenth; more cost as much more time"
    )
    seed: int = parameter(0, domain=SEED, why="which rows are in the sample")

    def init(self, width: int) -> Weights:
        """No rows so far."""
        points = Array(Axis.FEATURE, inner=self.budget)
        return Weights(
            {"variance": PER_FEATURE, "points": points},
            w=np.zeros(width),
            variance=np.zeros(width),
            points=points.zeros(width),
            rounds=np.zeros(1),
            threshold=np.zeros(1),
            largest=np.zeros(1),
        )

    def score(self, state: State, row: _core.Row) -> float:
        """The distance minus the threshold; before there is a sample it is 0."""
        rounds, threshold = float(state.rounds[0]), float(state.threshold[0])
        held = min(int(rounds), self.budget)
        if held == 0:
            return 0.0 - threshold
        unlike = self._unlike(state, dense_values(state, row), held, rounds)
        return 1.0 - _added(1.0 / (1.0 + unlike)) / held - threshold

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """Threshold, spreads and sample."""
        values = dense_values(state, row)
        share = self.follow(state, values, trial)
        number = int(state.rounds[0])
        place = number - 1 if number <= self.budget else int(_core.uniform(self.seed, number) * number)
        if place < self.budget:
            self._points(state)[:, place] = values
        return _core.Step.otherwise(share)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        return _core.adaptive_kernel_uniclass(
            w=state.w,
            variance=state.variance,
            points=state.points.reshape(-1),
            rounds=state.rounds,
            threshold=state.threshold,
            largest=state.largest,
            budget=self.budget,
            seed=self.seed,
            flag=self.flag,
            eta=self.eta,
        )

    def _points(self, state: State) -> FloatArray:
        """By feature and place."""
        return state.points.reshape(len(state.w), self.budget)

    def _unlike(self, state: State, values: FloatArray, held: int, rounds: float) -> FloatArray:
        """D for every row of the sample."""
        if not len(values):
            return np.zeros(held)
        apart = values[:, np.newaxis] - self._points(state)[:, :held]
        squared, variance = apart * apart, state.variance[:, np.newaxis]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            spreads = np.where(squared >= rounds * variance, np.where(squared > 0.0, rounds, 0.0), squared * (1.0 / variance))
        unlike: FloatArray = np.cumsum(spreads, axis=0)[-1] * (0.5 / len(values))
        return unlike


def _added(values: FloatArray) -> float:
    """The sum in the order of the compiled loop: in eight lanes, which are then added pairwise."""
    lanes = np.zeros((-(-len(values) // 8), 8))
    lanes.ravel()[: len(values)] = values
    total = np.cumsum(lanes, axis=0)[-1]
    while len(total) > 1:
        total = total[: len(total) // 2] + total[len(total) // 2 :]
    return float(total[0])
