"""The ledger: what a run leaves behind, a dozen numbers however long the stream was."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, final

from littlestone import _core

if TYPE_CHECKING:
    from littlestone.theory.certificate import Certificate


@final
@dataclass(frozen=True, kw_only=True)
class Ledger:
    """Running totals of a run; every certificate is computed from them.

    A mistake is a round with label * score <= 0 (for a randomised rule: a wrong draw; for targets and intervals: a
    score outside the interval). The loss of a round is the distance from the score to the interval the rule accepts,
    before the tolerance; `tolerated_loss` is the distance after it. Sums are compensated.
    """

    rounds: int
    mistakes: int
    updates: int
    impossible: int
    """Rounds with a loss that no weights could have avoided: an empty row."""
    loss: float
    loss_squared: float
    tolerated_loss: float
    expected_mistakes: float
    """Of a randomised rule; for the others, their mistakes on labels."""
    smallest_margin: float
    """Of label * score; infinite before the first label."""
    largest_norm_squared: float
    largest_update_norm_squared: float
    largest_entry: float
    passes: int = 1
    """How many times the rows were gone over; from the second pass on they are not new."""
    missing: int = 0
    """Values that were left out of the rows learned (`missing="skip"`)."""
    weight: float = 0.0
    """The sum of the importance weights; the number of rounds where none was given."""
    weighted_loss: float = 0.0
    """The losses, each times the weight of its round."""
    weighted_mistakes: float = 0.0
    """The weights of the mistakes."""
    smallest_weight: float = 1.0
    """Of 1 and every weight met."""
    largest_weight: float = 1.0
    """Of 1 and every weight met."""

    @staticmethod
    def of(totals: _core.Totals, passes: int = 1) -> Ledger:
        """The ledger at this moment."""
        return Ledger(
            rounds=totals.rounds,
            mistakes=totals.mistakes,
            updates=totals.updates,
            impossible=totals.impossible,
            loss=totals.loss,
            loss_squared=totals.loss_squared,
            tolerated_loss=totals.tolerated_loss,
            expected_mistakes=totals.expected_mistakes,
            smallest_margin=totals.smallest_margin,
            largest_norm_squared=totals.largest_norm_squared,
            largest_update_norm_squared=totals.largest_update_norm_squared,
            largest_entry=totals.largest_entry,
            passes=passes,
            missing=totals.missing,
            weight=totals.rounds + totals.extra_weight,
            weighted_loss=totals.loss + totals.extra_loss,
            weighted_mistakes=totals.mistakes + totals.extra_mistakes,
            smallest_weight=totals.smallest_weight,
            largest_weight=totals.largest_weight,
        )

    @property
    def largest_norm(self) -> float:
        """The largest Euclidean norm of a row: the radius r of the theorems."""
        return math.sqrt(self.largest_norm_squared)

    @property
    def unit_weights(self) -> bool:
        """Whether every round had weight 1, as the theorems assume."""
        return self.smallest_weight == 1.0 == self.largest_weight

    @property
    def weighted_mean_loss(self) -> float:
        """Weighted loss per weight: the progressive loss where rounds count differently; 0 before the first."""
        return self.weighted_loss / self.weight if self.weight > 0.0 else 0.0

    @property
    def weighted_mistake_rate(self) -> float:
        """Weight of the mistakes per weight; 0 before the first round."""
        return self.weighted_mistakes / self.weight if self.weight > 0.0 else 0.0

    @property
    def mistake_rate(self) -> float:
        """Mistakes per round; 0 before the first round."""
        return self.mistakes / self.rounds if self.rounds else 0.0

    @property
    def mean_loss(self) -> float:
        """Loss per round; 0 before the first round."""
        return self.loss / self.rounds if self.rounds else 0.0

    def risk_bound(self, delta: float = 0.05, *, iid: bool = True) -> Certificate:
        """How wrong the hypotheses are at most on rows to come, with probability 1 − δ and without a hold-out set.

        The certificate is valid at every moment at once, so it may be looked at after each round. It bounds the mean true
        error rate of the hypotheses used so far, which is that of drawing one of them at random. After a second pass over
        the same rows it is unproved: mistakes on rows that were learned before say nothing of rows to come.

        Args:
            delta: the probability with which the statement may fail.
            iid: by asking, the caller declares that the rows are independent and from one distribution; with False there
                is no statement.

        Example:
            >>> import numpy as np, littlestone as ls
            >>> X = np.random.default_rng(0).normal(size=(1000, 3))
            >>> run = ls.run(ls.Perceptron(), X, X[:, 0] > X[:, 1])
            >>> run.ledger.mistakes, round(run.ledger.risk_bound(delta=0.05).bound, 3)
            (48, 0.075)
        """
        from littlestone.theory.generalization import ANYTIME, Progressive

        evidence = Progressive(rounds=self.rounds, loss=self.mistakes, delta=delta, iid=iid, passes=self.passes)
        return ANYTIME.certify(evidence)

    def to_dict(self) -> dict[str, int | float]:
        """Every total by its name."""
        return asdict(self)

    def __str__(self) -> str:
        rate = f"{self.mistake_rate:.2%}"
        return f"{self.rounds:,} rounds, {self.mistakes:,} mistakes ({rate}), {self.updates:,} updates, loss {self.loss:.6g}"
