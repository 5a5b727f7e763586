"""Zero-sum games beside scipy.optimize.linprog(method="highs"), in one run: `python bench/games.py`.

Both solve the same game, given as the same array (the sparse ones as the same CSR matrix): ours to a gap of 1e-4 of the
range of the payoffs and to the last digit, HiGHS with its default tolerances and at most 300 s, by its simplex method and
by its interior points, of which the quicker counts. The gap of either answer is measured on the payoffs in float64. Both
use one thread, and runs alternate where they are short; the ratio is that of the time on the processor, which another
process on the machine does not stretch. The last part solves a 10,000 x 10,000 game in float32 and measures the memory
that takes over the matrix itself.

    python bench/games.py --only uniform-300x300 sparse-1000x1000
    python bench/games.py --write docs/benchmarks.md
"""

from __future__ import annotations

import argparse
import math
import resource
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias, TypeVar, cast

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

import littlestone as ls
from page import write

Dense: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.float64]]"
Game: TypeAlias = "Dense | sparse.csr_array"
Answer = TypeVar("Answer")

# How many times as fast as HiGHS we want to be, at a gap of 1e-4 and to the last digit.
GOALS = {1e-4: 100.0, 1e-12: 10.0}
SHAPES = ((300, 300), (1000, 1000), (1000, 5000))
TIME_LIMIT = 300.0


def uniform(generator: np.random.Generator, rows: int, columns: int) -> Game:
    """Payoffs uniform on [-1, 1]."""
    return generator.uniform(-1.0, 1.0, (rows, columns))


def normal(generator: np.random.Generator, rows: int, columns: int) -> Game:
    """Standard normal payoffs."""
    return generator.standard_normal((rows, columns))


def low_rank(generator: np.random.Generator, rows: int, columns: int) -> Game:
    """A product of rank 10."""
    return np.asarray(generator.standard_normal((rows, 10)) @ generator.standard_normal((10, columns)))


def few(generator: np.random.Generator, rows: int, columns: int) -> Game:
    """One payoff in ten is not 0."""
    return sparse.csr_array(
        np.where(generator.random((rows, columns)) < 0.1, generator.uniform(-1.0, 1.0, (rows, columns)), 0.0)
    )


KINDS: dict[str, Callable[[np.random.Generator, int, int], Game]] = {
    "uniform": uniform,
    "normal": normal,
    "low-rank": low_rank,
    "sparse": few,
}


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


def highs(A: Game, method: Literal["highs-ds", "highs-ipm"]) -> tuple[Dense, Dense] | None:
    """Both strategies by HiGHS as anyone would call it: minimise v subject to A q ≤ v, q a distribution."""
    rows, columns = A.shape
    value = np.full((rows, 1), -1.0)
    if isinstance(A, np.ndarray):
        constraints: Dense = np.hstack([A, value])
    else:  # SciPy takes sparse constraints; its type stubs know of dense ones only
        constraints = cast("Dense", sparse.hstack([A, sparse.csr_array(value)]).tocsr())
    answer = linprog(
        np.append(np.zeros(columns), 1.0),
        A_ub=constraints,
        b_ub=np.zeros(rows),
        A_eq=np.append(np.ones(columns), 0.0)[None, :],
        b_eq=np.ones(1),
        bounds=[(0.0, None)] * columns + [(None, None)],
        method=method,
        options={"time_limit": TIME_LIMIT},
    )
    if answer.status != 0 or answer.x is None:
        return None
    p, q = np.maximum(-answer.ineqlin.marginals, 0.0), np.maximum(answer.x[:-1], 0.0)
    return p / p.sum(), q / q.sum()


def gap(A: Game, pair: tuple[Dense, Dense] | None) -> float:
    """The gap of two strategies, in ranges of the payoffs."""
    if pair is None:
        return math.nan
    p, q = pair
    return float(np.max(A @ q) - np.min(A.T @ p)) / float(A.max() - A.min())


def against_highs(only: list[str]) -> str:
    """The ratios, as a table."""
    table = "| game | HiGHS | s | its gap | tol | ours, ms | our gap | ratio | wanted |\n"
    table += "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
    print(
        f"{'game':<20} {'HiGHS':<9} {'':>9} {'its gap':>8} {'tol':>6} {'littlestone':>12} {'gap':>8} {'ratio':>7} {'wanted':>6}"
    )
    for (rows, columns), (kind, make) in ((shape, kind) for shape in SHAPES for kind in KINDS.items()):
        name = f"{kind}-{rows}x{columns}"
        if only and name not in only:
            continue
        table += compare(name, make(np.random.default_rng(0), rows, columns))
    return table


def turns(wall: float) -> int:
    """How often what takes so long is run, in turns with the others: what is short is easily disturbed."""
    return 1 if 2.0 <= wall < math.inf else 3 if 0.2 <= wall < 2.0 else 9


def compare(name: str, A: Game) -> str:
    """One game: the quicker way of HiGHS, and ours at either gap."""
    peers: dict[Literal["highs-ds", "highs-ipm"], Clock] = {"highs-ds": Clock(), "highs-ipm": Clock()}
    ours, theirs, solutions = {tol: Clock() for tol in GOALS}, {}, {}
    for turn in range(9):
        for method, peer in peers.items():
            if turn < turns(peer.wall):
                theirs[method] = peer.time(partial(highs, A, method))
        for tol, clock in ours.items():
            for _ in range(3 if turn < turns(clock.wall) else 0):
                solutions[tol] = clock.time(partial(ls.solve, A, tol=tol))
    best = min(peers, key=lambda method: peers[method].processor if theirs[method] else math.inf)
    lines = ""
    for tol, wanted in GOALS.items():
        solution, clock = solutions[tol], ours[tol]
        assert solution.converged
        reached, ratio = gap(A, (solution.row, solution.column)), peers[best].processor / clock.processor
        print(
            f"{name:<20} {best:<9} {peers[best].processor:>8.3f}s {gap(A, theirs[best]):>8.1e} {tol:>6.0e} "
            f"{clock.processor:>11.4f}s {reached:>8.1e} {ratio:>6.0f}x {wanted:>5.0f}x",
            flush=True,
        )
        lines += (
            f"| {name} | {best} | {peers[best].processor:.3f} | {gap(A, theirs[best]):.1e} | {tol:.0e} | "
            f"{1e3 * clock.processor:.2f} | {reached:.1e} | {ratio:.0f} | {wanted:.0f} |\n"
        )
    return lines


def peak_kilobytes() -> int:
    """The most memory this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def large(size: int) -> str:
    """A game in single precision, read in place."""
    ls.solve(np.random.default_rng(1).random((50, 50), dtype=np.float32))  # whatever the first call loads
    A = np.random.default_rng(0).random((size, size), dtype=np.float32)
    before = peak_kilobytes()
    clock = Clock()
    solution = clock.time(partial(ls.solve, A, tol=1e-3))
    extra = (peak_kilobytes() - before) * 1024 / A.nbytes
    said = f"{size}x{size} float32: {solution} in {clock.wall:.1f} s; memory over the matrix: {extra:.2%} (wanted: 1%)"
    print(said)
    return said


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[], metavar="KIND-ROWSxCOLUMNS", help="these games, and no other part")
    parser.add_argument("--write", type=Path, help="the page to write the table to")
    given = parser.parse_args()
    table = against_highs(given.only)
    if not given.only:
        table += f"\n{large(10_000)}.\n"
    if given.write is not None:
        write(given.write, "games", table)
