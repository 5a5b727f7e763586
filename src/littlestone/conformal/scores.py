"""The scores that sets are cut by: how far outcomes were from their forecasts, in order of size and in order of time."""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections import deque
from collections.abc import Iterable
from typing import final


@final
class Scores:
    """The last scores, at most as many as the window; None keeps all.

    Example:
        >>> scores = Scores(window=3)
        >>> for score in (9.0, 1.0, 3.0, 2.0):
        ...     scores.add(score)
        >>> scores.radius(0.5), scores.radius(0.25), scores.radius(0.2), scores.reach(2.5)
        (2.0, 3.0, inf, 0.5)
    """

    __slots__ = ("_ordered", "_recent", "window")

    def __init__(self, window: int | None, recent: Iterable[float] = ()) -> None:
        self.window = window
        self._recent = deque(recent)
        self._ordered = sorted(self._recent)

    @property
    def recent(self) -> list[float]:
        """The scores, oldest first."""
        return list(self._recent)

    def radius(self, level: float) -> float:
        """The ⌈(1 − level)(n + 1)⌉-th smallest of the n scores, infinite where there are not so many; nan from level 1 on."""
        if level >= 1.0:
            return math.nan
        count = len(self._ordered)
        # A product that rounding put above a whole number must not become the next one.
        rank = math.ceil((1.0 - level) * (count + 1) * (1.0 - 1e-12))
        return self._ordered[max(rank, 1) - 1] if rank <= count and level > 0.0 else math.inf

    def reach(self, score: float) -> float:
        """The level below which sets hold an outcome of this score: 1 − r/(n + 1), r the number of smaller scores."""
        return 1.0 - bisect_left(self._ordered, score) / (len(self._ordered) + 1)

    def add(self, score: float) -> None:
        """The score of an outcome; where the window is full, the oldest is forgotten."""
        if self.window is not None and len(self._recent) >= self.window:
            oldest = self._recent.popleft()
            del self._ordered[bisect_left(self._ordered, oldest)]
        self._recent.append(score)
        insort(self._ordered, score)
