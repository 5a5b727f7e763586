"""What is shown: an interval of numbers, or a set of labels."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

if TYPE_CHECKING:
    from littlestone.conformal.scores import Scores


@final
@dataclass(frozen=True, slots=True)
class PredictionInterval:
    """A forecast and the interval around it; `y in interval` tells whether it holds a number.

    Everything is (−∞, ∞); nothing has no ends (nan), and holds no number.
    """

    value: float
    """The forecast."""
    low: float
    high: float
    level: float
    """The level it was cut at."""
    after: int
    """How many outcomes were known when it was shown."""

    @staticmethod
    def cut(value: float, scores: Scores, level: float, after: int) -> PredictionInterval:
        """The interval of a level around a forecast."""
        radius = scores.radius(level)
        return PredictionInterval(value, value - radius, value + radius, level, after)

    def __contains__(self, y: float) -> bool:
        return self.low <= y <= self.high

    def score(self, y: float) -> float:
        """How far an outcome is from the forecast."""
        return abs(y - self.value)

    @property
    def everything(self) -> bool:
        """Whether it is unbounded."""
        return self.high == math.inf

    @property
    def nothing(self) -> bool:
        """Whether it is empty."""
        return math.isnan(self.low)

    @property
    def size(self) -> float:
        """Its width; nan for nothing."""
        return self.high - self.low


@final
@dataclass(frozen=True, slots=True)
class PredictionSet:
    """The labels that are not ruled out, likeliest first; `y in labels` tells whether it holds a label.

    Everything holds every label, those that were never met too.
    """

    labels: tuple[Hashable, ...]
    chances: Mapping[Hashable, float]
    """The probability of every label, as it was forecast."""
    everything: bool
    level: float
    after: int

    @staticmethod
    def cut(chances: Mapping[Hashable, float], scores: Scores, level: float, after: int) -> PredictionSet:
        """The set of a level: labels whose 1 − probability is at most the radius."""
        radius = scores.radius(level)
        kept = sorted((label for label, chance in chances.items() if 1.0 - chance <= radius), key=lambda label: -chances[label])
        return PredictionSet(tuple(kept), chances, radius == math.inf, level, after)

    def __contains__(self, y: Hashable) -> bool:
        return self.everything or y in self.labels

    def score(self, y: Hashable) -> float:
        """How unlikely the label was said to be."""
        return 1.0 - self.chances.get(y, 0.0)

    @property
    def nothing(self) -> bool:
        """Whether it is empty."""
        return not self.labels and not self.everything

    @property
    def size(self) -> float:
        """How many labels it has; infinite for everything and nan for nothing."""
        return math.inf if self.everything else float(len(self.labels)) or math.nan


Shown: TypeAlias = "PredictionInterval | PredictionSet"
