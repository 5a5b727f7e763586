"""Two models on one stream, compared round by round: the rounds count in which one of them was better.

If neither is better, each of these rounds is a fair coin, whatever came before. With k of n for one of them, the mean over all
coins p of the likelihood ratio, 2ⁿ·B(k+1, n−k+1), is a martingale that starts at 1: it reaches 1/δ with probability at
most δ, however often one looks (Ville's inequality).
"""

from __future__ import annotations

import math
from typing import final

import msgspec

from littlestone.serve.entries import Outcome, Prediction
from littlestone.theory.paired import PairedComparison

_FARTHEST, _MOST = 1e140, 1e300


@final
class Paired(msgspec.Struct):
    """How often which was better.

    Example:
        >>> pair = Paired()
        >>> for _ in range(10):
        ...     pair.note(1.0, 0.0)
        >>> pair.rounds, pair.shadow_better, round(pair.evidence, 2)
        (10, 10, 93.09)
    """

    rounds: int = 0
    live_better: int = 0
    shadow_better: int = 0
    live_loss: float = 0.0
    shadow_loss: float = 0.0
    spread: float = 0.0
    """What the confidence sequence of `PairedComparison` adds up: (d − g)², d the difference and g the mean of those before."""

    def __post_init__(self) -> None:
        """Refuses counts and sums that no rounds can have left; a file may say anything."""
        counts = (
            min(self.live_better, self.shadow_better) >= 0 and self.live_better + self.shadow_better <= self.rounds < 1 << 53
        )
        if not (counts and all(0.0 <= sum_ <= _MOST for sum_ in (self.live_loss, self.shadow_loss, self.spread))):
            raise ValueError("the comparison with the shadow is not one of rounds")

    def note(self, live: float, shadow: float) -> None:
        """The losses of a round."""
        guess = (self.live_loss - self.shadow_loss) / self.rounds if self.rounds else 0.0
        self.spread += (live - shadow - guess) ** 2
        self.rounds += 1
        self.live_better += live < shadow
        self.shadow_better += shadow < live
        self.live_loss += live
        self.shadow_loss += shadow

    def between(self) -> tuple[float, float]:
        """Where the mean difference of the error rates is, live minus shadow, but for a chance of 5 %, at all times.

        Example:
            >>> pair = Paired()
            >>> for _ in range(100):
            ...     pair.note(1.0, 0.0)
            >>> pair.between()[0] > 0.5
            True
        """
        total = self.live_loss - self.shadow_loss
        known = PairedComparison(rounds=self.rounds, total=total, spread=self.spread)
        return known.low, known.high

    @property
    def evidence(self) -> float:
        """Against "neither is better": 20 is worth 5 %, at any moment."""
        n, k = self.live_better + self.shadow_better, self.shadow_better
        log = n * math.log(2.0) + math.lgamma(k + 1.0) + math.lgamma(n - k + 1.0) - math.lgamma(n + 2.0)
        return math.exp(min(log, 700.0))


def loss(prediction: Prediction, label: Outcome, *, targets: bool) -> float:
    """1 for a wrong label, or the distance from the target; beyond what can be squared, all is equally far."""
    if not targets:
        return 0.0 if prediction == label else 1.0
    if not isinstance(label, int | float):  # rows alone: there is nothing to be near to
        return 0.0
    return min(abs(float(prediction) - float(label)), _FARTHEST) if isinstance(prediction, int | float) else _FARTHEST
