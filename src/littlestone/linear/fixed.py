"""A comparator: weights that stay as they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, final

from littlestone import _core
from littlestone.abilities import INTERVALS, Abilities
from littlestone.arrays import FloatArray, VectorLike
from littlestone.domain import NONNEGATIVE, POSITIVE, VECTOR, choice, parameter, required
from littlestone.linear.start import start_weights
from littlestone.rule import LinearRule
from littlestone.state import Weights

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Fixed(LinearRule):
    """Weights u that never change, run in the same loop, so that a regret is the difference of two ledgers.

    Update: none. The loss of a label is the hinge loss [margin − y·score]₊ (with loss="log", ln(1 + exp(−y·score))), of a
    target [|target − score| − ε]₊, of an interval the distance to it; `ledger.smallest_margin` is the margin by which u
    separates the stream.
    Tie: a score of 0 is a mistake for either label.
    Cost: O(nonzeros) per round.

    Guarantee: none of its own; it is what guarantees compare with.
    Source: the comparator u of every regret bound.

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.Fixed(weights=[1.0, -1.0]), [[2.0, 0.0], [0.0, 3.0]], [+1, -1])
        >>> run.ledger.smallest_margin, run.ledger.updates
        (2.0, 0)
    """

    source: ClassVar[str] = "the comparator of every regret bound"

    weights: VectorLike = field(metadata=required(domain=VECTOR, why="the comparator itself"))
    task: Literal["labels", "targets"] = parameter("labels", domain=choice("labels", "targets"), why="most streams")
    margin: float = parameter(1.0, domain=POSITIVE, why="the hinge loss of the theorems")
    epsilon: float = parameter(0.0, domain=NONNEGATIVE, why="the absolute loss")
    loss: Literal["hinge", "log"] = parameter("hinge", domain=choice("hinge", "log"), why="most theorems on labels")

    @property
    def abilities(self) -> Abilities:
        """Intervals, and labels or targets as the task says; a weight multiplies the loss."""
        return Abilities(learns=INTERVALS | {self.task}, takes_weights=True, has_log_odds=self.loss == "log")

    def ends(self) -> tuple[float, float]:
        """The margin and the epsilon."""
        return self.margin, self.epsilon

    def init(self, width: int) -> Weights:
        """The weights; features beyond their end weigh 0."""
        return Weights(w=start_weights(self.weights, width))

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        """[margin, ∞) or (−∞, −margin]."""
        return _core.Interval.half_line(label, self.margin)

    def accepts_target(self, state: State, target: float) -> _core.Interval:
        """[target − ε, target + ε]."""
        return _core.Interval.around(target, self.epsilon)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """Nothing moves."""
        return _core.Step.stay()

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        logistic, sums = self.loss == "log", average and average.bound()
        return _core.fixed(w=state.w, margin=self.margin, epsilon=self.epsilon, logistic=logistic, average=sums)


def comparator(rule: LinearRule, weights: FloatArray) -> LinearRule:
    """Fixed weights, of many classes a row each, that are charged the loss that the rule is charged."""
    margin, epsilon = rule.ends()
    if rule.abilities.classes:
        from littlestone.multiclass import MulticlassFixed

        return MulticlassFixed(weights=weights, margin=margin)
    if rule.abilities.labels:
        return Fixed(weights=weights, margin=margin, epsilon=epsilon, loss="log" if rule.abilities.has_log_odds else "hinge")
    return Fixed(weights=weights, task="targets", margin=margin, epsilon=epsilon)
