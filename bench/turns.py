"""Contenders that are timed by turns, so that all of them meet the same machine."""

from __future__ import annotations

import math
import time
from collections.abc import Callable


def fastest(contenders: list[Callable[[], object]], repeats: int) -> list[float]:
    """The best time of each."""
    best = [math.inf] * len(contenders)
    for _ in range(repeats):
        for k, contender in enumerate(contenders):
            begin = time.perf_counter()
            contender()
            best[k] = min(best[k], time.perf_counter() - begin)
    return best
