"""Zero-sum games beside scipy.optimize.linprog(method="highs"), in one run: `python bench/games.py`.

Both solve the same uniform random game; the gap of either answer is measured on the payoffs in float64. The last part
solves a 10,000 x 10,000 game in float32 and measures the memory that takes over the matrix itself.
"""

from __future__ import annotations

import math
import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np
from scipy.optimize import linprog

import littlestone as ls

Answer = TypeVar("Answer")

# (size, tolerance, how many times as fast as HiGHS we want to be)
GOALS = ((300, 1e-4, 5.0), (1000, 1e-4, 60.0), (1000, 1e-6, 5.0))


class Clock:
    """The shortest of a few runs, by the wall and by the processor; a busy machine stretches the first."""

    def __init__(self) -> None:
        self.wall = self.processor = math.inf

    def time(self, call: Callable[[], Answer]) -> Answer:
        """Runs the call once."""
        wall, processor = time.perf_counter(), time.process_time()
        answer = call()
        self.wall = min(self.wall, time.perf_counter() - wall)
        self.processor = min(self.processor, time.process_time() - processor)
        return answer


def highs(A: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
    """The value by HiGHS as anyone would call it: minimise v subject to A q ≤ v, q a distribution."""
    rows, columns = A.shape
    answer = linprog(
        np.append(np.zeros(columns), 1.0),
        A_ub=np.hstack([A, np.full((rows, 1), -1.0)]),
        b_ub=np.zeros(rows),
        A_eq=np.append(np.ones(columns), 0.0)[None, :],
        b_eq=np.ones(1),
        bounds=[(0.0, None)] * columns + [(None, None)],
        method="highs",
    )
    assert answer.fun is not None
    return float(answer.fun)


def against_highs() -> None:
    """The ratios."""
    print("       game     tol     HiGHS  littlestone  rounds       gap   ratio (processor)  wanted")
    peers: dict[int, tuple[Clock, float]] = {}
    for size, tol, wanted in GOALS:
        A = np.random.default_rng(0).random((size, size))
        if size not in peers:
            clock = Clock()
            peers[size] = clock, clock.time(partial(highs, A))
        peer, value = peers[size]
        ours = Clock()
        for _ in range(3):
            solution = ours.time(partial(ls.solve, A, tol=tol))
        assert solution.converged
        assert solution.lower - 1e-9 <= value <= solution.upper + 1e-9
        print(
            f"{size:>5}x{size:<5} {tol:>7.0e} {peer.wall:>8.3f}s {ours.wall:>11.4f}s {solution.rounds:>7} {solution.gap:>9.2e} "
            f"{peer.wall / ours.wall:>6.1f}x ({peer.processor / ours.processor:>7.1f}x) {wanted:>6.0f}x"
        )


def peak_kilobytes() -> int:
    """The most memory this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def large(size: int) -> None:
    """A game in single precision, read in place."""
    ls.solve(np.random.default_rng(1).random((50, 50), dtype=np.float32))  # whatever the first call loads
    A = np.random.default_rng(0).random((size, size), dtype=np.float32)
    before = peak_kilobytes()
    clock = Clock()
    solution = clock.time(partial(ls.solve, A, tol=1e-3))
    extra = (peak_kilobytes() - before) * 1024 / A.nbytes
    print(f"{size}x{size} float32: {solution} in {clock.wall:.1f} s; memory over the matrix: {extra:.2%} (wanted: 1%)")


if __name__ == "__main__":
    large(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    against_highs()
