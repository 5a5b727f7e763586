"""Contenders that are timed by turns, so that all of them meet the same machine."""

from __future__ import annotations

import math
import os
import subprocess
import sys
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


def without_idle_threads() -> None:
    """Begins the script anew, with one thread for NumPy's linear algebra: more of them are made when it is imported."""
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        raise SystemExit(subprocess.run([sys.executable, *sys.argv], env=environment, check=False).returncode)
