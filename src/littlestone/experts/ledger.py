"""The ledger of an expert run: a few numbers, and a few for each expert, however many rounds there were."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.columns import counted
from littlestone.display import Displayed

if TYPE_CHECKING:
    from littlestone import _core
    from littlestone.arrays import FloatArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class ExpertLedger(Displayed):
    """Running totals of an expert run; every certificate is computed from them. Sums are compensated."""

    experts: tuple[str, ...]
    rounds: int
    mistakes: int
    """Rounds in which the label that was shown was wrong."""
    loss: float
    """The learner's; on labels, for a rule that does not vote, the sum of its chances of being wrong."""
    losses: FloatArray
    """Each expert's, over the rounds in which it was awake."""
    squares: FloatArray
    """The sum of each expert's squared losses, from the lower end of the declared range on."""
    asleep: FloatArray
    """The rounds in which each expert slept."""
    asleep_loss: FloatArray
    """The learner's loss in these rounds."""
    variance: float
    """For a rule that is free of scale, the sum of the variances, under the weights, of what the experts were charged."""
    smallest_loss: float
    largest_loss: float
    largest_range: float
    """The largest difference between two experts in what they were charged in one round."""
    scale: float
    """The unit of the charges where no range was declared: the largest range of a round; 0 where one was."""
    above_mean: float
    """The most by which the learner's loss exceeded the mean of the experts' under its weights, in a round of a loss of your
    own: a convex loss never does."""

    @staticmethod
    def of(totals: _core.ExpertTotals, experts: tuple[str, ...]) -> ExpertLedger:
        """The ledger at this moment."""
        return ExpertLedger(
            experts=experts,
            rounds=totals.rounds,
            mistakes=totals.mistakes,
            loss=totals.loss,
            losses=totals.losses,
            squares=totals.squares,
            asleep=totals.asleep,
            asleep_loss=totals.asleep_loss,
            variance=totals.variance,
            smallest_loss=totals.smallest_loss,
            largest_loss=totals.largest_loss,
            largest_range=totals.largest_range,
            scale=totals.scale,
            above_mean=totals.above_mean,
        )

    @property
    def regrets(self) -> FloatArray:
        """The learner's loss minus each expert's, over the rounds in which that expert was awake."""
        return (self.loss - self.asleep_loss) - self.losses

    @property
    def regret(self) -> float:
        """The largest regret: that to the best expert."""
        return float(np.max(self.regrets))

    @property
    def best(self) -> str:
        """The expert that the learner regrets most not to have followed; the first of several."""
        return self.experts[int(np.argmax(self.regrets))]

    @property
    def best_loss(self) -> float:
        """The smallest loss of an expert that was always awake; infinite if there is none."""
        return float(np.min(np.where(self.asleep == 0.0, self.losses, np.inf)))

    @property
    def everybody_awake(self) -> bool:
        """Whether nobody slept in any round."""
        return not self.asleep.any()

    @property
    def mean_loss(self) -> float:
        """Loss per round; 0 before the first round."""
        return self.loss / self.rounds if self.rounds else 0.0

    def __str__(self) -> str:
        head = f"{counted(self.rounds, 'round')}, {len(self.experts)} experts, loss {self.loss:.6g}"
        return f"{head}, regret {self.regret:.6g} to {self.best}"
