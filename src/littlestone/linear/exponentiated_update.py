"""The Exponentiated Update."""

from __future__ import annotations

import math
from abc import ABC
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

from littlestone import _core
from littlestone.arrays import VectorLike
from littlestone.domain import HALF_OPEN_UNIT, NONNEGATIVE, OPEN_UNIT, POSITIVE, VECTOR, optional, parameter
from littlestone.errors import InvalidParameter
from littlestone.linear.multiplicative import BUDGET, MultiplicativeRule, check_start, start_log_weights
from littlestone.log_weights import LogWeights, SignedLogWeights

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State


class _ExponentiatedUpdate(MultiplicativeRule, ABC):
    """What the two forms share: the step and the intervals."""

    eta: float
    tolerance: float

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        """(0, ∞) or (−∞, 0)."""
        return _core.Interval.open_half_line(label)

    def widening(self) -> float:
        """The tolerance."""
        return self.tolerance

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """A step of η in the log-weights, towards the interval."""
        return self.step(state, row, trial.side * self.eta)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class ExponentiatedUpdate(_ExponentiatedUpdate):
    """Multiplies the weights by exp(±η·x) to bring the score towards the interval, and keeps their sum at U.

    Update: θ ← θ + η·x when the score is below the interval, θ ← θ − η·x when it is above, with weights U·softmax(θ)
    from θ = log(start). A label is the interval (0, ∞) or (−∞, 0); a tolerance τ widens every interval by τ.
    Tie: an open end of an interval is outside it, so a score of 0 is a mistake for either label. With `tie_tol` a score
    within tie_tol·Σ|wᵢxᵢ| of an end of the interval is taken for that end.
    Cost: O(nonzeros) per round whatever the number of features, with one exp a nonzero on an update.

    A feature that comes late (without a start vector) starts with the θ of an untouched one and takes its share of U from
    the others; the certificates take what that adds to log N into account.
    Guarantee: bylander.3, bylander.6, bylander.7, and bylander.9 with a tolerance; bylander.master.
    Source: Bylander 1998, figure 2, sections 3.2 and 5; Kivinen and Warmuth 1997.

    Example:
        >>> import math, littlestone as ls
        >>> y = ls.Intervals([2.0, 2.0, 2.0], math.inf)
        >>> run = ls.run(ls.ExponentiatedUpdate(eta=math.log(2.0), U=2.0), [[1.0, 0.0]] * 3, y, keep=("score",))
        >>> run.columns["score"].round(12)        # 1, 4/3, 8/5
        array([1.        , 1.33333333, 1.6       ])
    """

    source: ClassVar[str] = "Bylander 1998 fig. 2; Kivinen and Warmuth 1997"

    eta: float = parameter(0.5, domain=POSITIVE, why="with U = 1 and rows of ±1, as Bylander's master sets it")
    U: float = parameter(1.0, domain=BUDGET, why="a weighted vote; the theorems want the sum of the target's weights")
    start: VectorLike | None = parameter(None, domain=optional(VECTOR), why="None is U/N each, which the theorems want")
    tolerance: float = parameter(0.0, domain=NONNEGATIVE, why="0 is the rule as printed")
    tie_tol: float = parameter(0.0, domain=HALF_OPEN_UNIT, why="0 takes scores as they are computed")

    def __post_init__(self) -> None:
        """Checks that the start vector is positive with sum U."""
        super().__post_init__()
        check_start(self, self.start, self.U)

    @staticmethod
    def weighted_majority(*, beta: float) -> ExponentiatedUpdate:
        """The Weighted Majority rule: rows are votes in [0, 1] and outcomes `Intervals.of_votes`, which give its ties."""
        if not OPEN_UNIT.contains(beta):
            raise InvalidParameter(f"ExponentiatedUpdate: beta is {beta!r}; beta must be {OPEN_UNIT.words}")
        return ExponentiatedUpdate(eta=math.log(1.0 / beta), tie_tol=1e-12)

    def init(self, width: int) -> LogWeights:
        """The start vector; equal weights without one."""
        return start_log_weights(self.start, width, U=self.U)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        assert isinstance(state, LogWeights)
        return _core.exponentiated_update(
            weights=state.bound(),
            eta=self.eta,
            tolerance=self.tolerance,
            tie_tol=self.tie_tol,
            average=average and average.bound(),
        )


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class SignedExponentiatedUpdate(_ExponentiatedUpdate):
    """The Exponentiated Update on every feature and its negative, with one number per feature: weights of either sign.

    Update: θ ← θ ± η·x as in ExponentiatedUpdate, with weights U·sinh θᵢ/Σⱼ cosh θⱼ from θ = 0. It competes with every
    u of absolute sum at most U.
    Tie: as in ExponentiatedUpdate.
    Cost: O(nonzeros) per round whatever the number of features.

    Guarantee: bylander.3, bylander.6, bylander.7, bylander.9 with log 2N in place of log N.
    Source: Bylander 1998, section 3.3.

    Example:
        >>> import math, littlestone as ls
        >>> rule = ls.SignedExponentiatedUpdate(eta=math.log(2.0), U=3.0)
        >>> ls.run(rule, [[1.0, 0.0]], ls.Intervals(-math.inf, -1.0)).state.w.round(12)   # 3·(−3/4)/(5/4 + 1)
        array([-1.,  0.])
    """

    source: ClassVar[str] = "Bylander 1998, section 3.3"

    eta: float = parameter(0.5, domain=POSITIVE, why="as for ExponentiatedUpdate")
    U: float = parameter(1.0, domain=BUDGET, why="the theorems want the absolute sum of the target's weights")
    tolerance: float = parameter(0.0, domain=NONNEGATIVE, why="0 is the rule as printed")
    tie_tol: float = parameter(0.0, domain=HALF_OPEN_UNIT, why="0 takes scores as they are computed")

    def init(self, width: int) -> SignedLogWeights:
        """Zero weights: each feature and its negative weigh the same."""
        return SignedLogWeights.uniform(width, U=self.U)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        assert isinstance(state, SignedLogWeights)
        return _core.signed_exponentiated_update(
            weights=state.bound(),
            eta=self.eta,
            tolerance=self.tolerance,
            tie_tol=self.tie_tol,
            average=average and average.bound(),
        )
