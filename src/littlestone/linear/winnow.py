"""Winnow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

from littlestone import _core
from littlestone.abilities import LABELS, Abilities
from littlestone.domain import HALF_OPEN_UNIT, POSITIVE, parameter
from littlestone.linear.multiplicative import MultiplicativeRule
from littlestone.linear.tuning import lecture_step, textbook_step
from littlestone.log_weights import LogWeights

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Winnow(MultiplicativeRule):
    """Multiplies the weights by exp(η·y·x) on a mistake: the rule for few relevant features among very many.

    Update: θ ← θ + η·y·x when y·score ≤ 0, with weights w = softmax(θ) from the uniform start. Weights are positive; where
    the target has negative ones, use SignedWinnow. On rows of ±1 it is the Weighted Majority rule with β = e^(−2η).
    Tie: a score of 0 is a mistake for either label and updates. An exact tie can come out as 1e-17; with `tie_tol` a
    score of at most tie_tol·Σ|wᵢxᵢ| counts as 0.
    Cost: O(nonzeros) per round whatever the number of features, with one exp a nonzero on an update.

    A feature that comes late starts with the θ of an untouched one, so the mistakes are those of a run that knew it.
    Guarantee: mohri.8.13, mohri.8.13x and lecture.2 (mistakes ≤ 2(r²/ρ²)·log N with r and ρ in the ∞- and 1-norm).
    Source: Littlestone 1988; Mohri et al., figure 8.10; the lecture's section 2.2.

    Example:
        >>> import math, littlestone as ls
        >>> X, y = [[1.0, -1.0, 1.0, -1.0], [1.0, 1.0, -1.0, -1.0]], [+1, +1]
        >>> run = ls.run(ls.Winnow(eta=0.5 * math.log(3.0), tie_tol=1e-12), X, y)
        >>> (16.0 * run.state.w).round(12), run.ledger.mistakes
        (array([9., 3., 3., 1.]), 2)
    """

    source: ClassVar[str] = "Littlestone 1988; Mohri et al. fig. 8.10"
    abilities = Abilities(learns=LABELS)

    eta: float = parameter(0.5, domain=POSITIVE, why="on rows of ±1 the Weighted Majority rule with β = 1/e")
    tie_tol: float = parameter(0.0, domain=HALF_OPEN_UNIT, why="0 takes scores as they are computed")

    @staticmethod
    def textbook(*, margin: float, radius: float) -> Winnow:
        """η = ρ/r² for a margin ρ = min y(u·x)/‖u‖₁ and rows with |xᵢ| ≤ r: mistakes ≤ 2(r²/ρ²)·log N (mohri.8.13)."""
        return Winnow(eta=textbook_step("Winnow", margin, radius))

    @staticmethod
    def lecture(*, margin: float, radius: float) -> Winnow:
        """η = (1/r)·½log((1+δ)/(1−δ)) with δ = ρ/r: mistakes ≤ log N/C(δ), never more than the textbook's (lecture.2)."""
        return Winnow(eta=lecture_step("Winnow", margin, radius))

    def init(self, width: int) -> LogWeights:
        """Equal weights."""
        return LogWeights.uniform(width)

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        """(0, ∞) or (−∞, 0)."""
        return _core.Interval.open_half_line(label)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """A step of η in the log-weights."""
        return self.step(state, row, trial.side * self.eta)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        assert isinstance(state, LogWeights)
        return _core.winnow(weights=state.bound(), eta=self.eta, tie_tol=self.tie_tol, average=average and average.bound())
