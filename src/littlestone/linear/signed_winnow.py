"""Signed Winnow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

from littlestone import _core
from littlestone.abilities import LABELS, Abilities
from littlestone.domain import HALF_OPEN_UNIT, POSITIVE, parameter
from littlestone.linear.multiplicative import MultiplicativeRule
from littlestone.linear.tuning import lecture_step, textbook_step
from littlestone.log_weights import SignedLogWeights

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class SignedWinnow(MultiplicativeRule):
    """Winnow on every feature and its negative, with one number per feature: weights of either sign.

    Update: θ ← θ + η·y·x when y·score ≤ 0, with weights wᵢ = sinh θᵢ/Σⱼ cosh θⱼ from θ = 0. On the doubled row (x, −x)
    Winnow's log-weights are (θ, −θ), so the two give the same scores.
    Tie: a score of 0 is a mistake for either label and updates; the first row always is. `tie_tol` as in Winnow.
    Cost: O(nonzeros) per round whatever the number of features.

    Guarantee: mohri.8.13, mohri.8.13x and lecture.2 with log 2N in place of log N, for targets of either sign.
    Source: Littlestone 1988; Bylander 1998, section 3.3.

    Example:
        >>> import math, littlestone as ls
        >>> run = ls.run(ls.SignedWinnow(eta=math.log(2.0)), [[1.0, 0.0]], [-1])
        >>> run.state.w.round(12)                 # sinh(−log 2) = −3/4 over cosh(log 2) + cosh(0) = 5/4 + 1
        array([-0.33333333,  0.        ])
    """

    source: ClassVar[str] = "Littlestone 1988; Bylander 1998, section 3.3"
    abilities = Abilities(learns=LABELS)

    eta: float = parameter(0.5, domain=POSITIVE, why="as for Winnow")
    tie_tol: float = parameter(0.0, domain=HALF_OPEN_UNIT, why="0 takes scores as they are computed")

    @staticmethod
    def textbook(*, margin: float, radius: float) -> SignedWinnow:
        """η = ρ/r² for a margin ρ = min y(u·x)/‖u‖₁ and rows with |xᵢ| ≤ r (mohri.8.13)."""
        return SignedWinnow(eta=textbook_step("SignedWinnow", margin, radius))

    @staticmethod
    def lecture(*, margin: float, radius: float) -> SignedWinnow:
        """η = (1/r)·½log((1+δ)/(1−δ)) with δ = ρ/r (lecture.2)."""
        return SignedWinnow(eta=lecture_step("SignedWinnow", margin, radius))

    def init(self, width: int) -> SignedLogWeights:
        """Zero weights: each feature and its negative weigh the same."""
        return SignedLogWeights.uniform(width)

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        """(0, ∞) or (−∞, 0)."""
        return _core.Interval.open_half_line(label)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """A step of η in the log-weights."""
        return self.step(state, row, trial.side * self.eta)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        assert isinstance(state, SignedLogWeights)
        return _core.signed_winnow(
            weights=state.bound(), eta=self.eta, tie_tol=self.tie_tol, average=average and average.bound()
        )
