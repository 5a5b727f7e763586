"""Support enumeration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from littlestone.games.bimatrix import Bimatrix, external_gaps

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray

Pair: TypeAlias = "tuple[FloatArray, FloatArray]"

TOLERANCE = 1e-9
"""Gains and weights below it are rounding, in ranges of the payoffs."""
_TOGETHER = 4096


def by_supports(game: Bimatrix) -> tuple[list[Pair], bool]:
    """Every equilibrium whose supports are of one size, and whether the game was seen to be degenerate.

    Of a degenerate game those with supports of different sizes are listed too. On a pair of supports both players must
    be indifferent: two linear systems (Mangasarian and Stone 1964; Nisan et al. 2007, algorithm 3.4).
    """
    scaled = _scaled(game)
    sizes = range(1, min(game.shape) + 1)
    found = _unique(pair for size in sizes for pair in _of_sizes(scaled, size, size))
    degenerate = any(_has_spare_responses(scaled, p, q) for p, q in found)
    if degenerate:
        rows, columns = (range(1, actions + 1) for actions in game.shape)
        others = (pair for k, m in product(rows, columns) if k != m for pair in _of_sizes(scaled, k, m))
        found = _unique([*found, *others])
    return found, degenerate


def _scaled(game: Bimatrix) -> Bimatrix:
    """Payoffs in [0, 1], so that one tolerance suits all."""
    scaled = [(M - np.min(M)) / (np.ptp(M) or 1.0) for M in (game.A, game.B)]
    return Bimatrix(*scaled)


def _of_sizes(game: Bimatrix, rows: int, columns: int) -> Iterator[Pair]:
    """The equilibria on supports of these sizes."""
    for at_rows, at_columns in _supports(game.shape, rows, columns):
        block = at_rows[:, :, None], at_columns[:, None, :]
        ours, theirs = game.A[block], game.B[block]
        y, x = _indifferent(ours), _indifferent(theirs.transpose(0, 2, 1))
        for k in np.flatnonzero((y > TOLERANCE).all(axis=1) & (x > TOLERANCE).all(axis=1)):
            p, q = np.zeros(game.shape[0]), np.zeros(game.shape[1])
            p[at_rows[k]], q[at_columns[k]] = x[k] / x[k].sum(), y[k] / y[k].sum()
            if max(external_gaps(np.outer(p, q), game.A, game.B)) <= TOLERANCE:
                yield p, q


def _supports(shape: tuple[int, int], rows: int, columns: int) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
    """Pairs of supports, some thousands at a time."""
    of_rows, of_columns = (
        np.array(list(combinations(range(actions), size)), dtype=np.int64)
        for actions, size in zip(shape, (rows, columns), strict=True)
    )
    pairs = len(of_rows) * len(of_columns)
    for start in range(0, pairs, _TOGETHER):
        at = np.arange(start, min(start + _TOGETHER, pairs))
        yield of_rows[at // len(of_columns)], of_columns[at % len(of_columns)]


def _indifferent(payoffs: FloatArray) -> FloatArray:
    """Weights of the columns that make the rows of each matrix earn the same; of several the shortest, 0 where none do."""
    count, rows, columns = payoffs.shape
    system, right = np.zeros((count, rows + 1, columns + 1)), np.zeros((count, rows + 1, 1))
    system[:, :rows, :columns], system[:, :rows, columns], system[:, rows, :columns] = payoffs, -1.0, 1.0
    right[:, rows] = 1.0
    try:
        answer = np.linalg.solve(system, right)
    except np.linalg.LinAlgError:  # singular or not square
        answer = np.linalg.pinv(system) @ right
    solved = np.abs(system @ answer - right).max(axis=(1, 2)) <= TOLERANCE
    return np.asarray(np.where(solved[:, None], answer[:, :columns, 0], 0.0))


def _has_spare_responses(game: Bimatrix, p: FloatArray, q: FloatArray) -> bool:
    """Whether one of the strategies has more best responses than actions in use."""
    of_rows, of_columns = game.A @ q, p @ game.B
    to_q, to_p = of_rows >= np.max(of_rows) - TOLERANCE, of_columns >= np.max(of_columns) - TOLERANCE
    return bool(to_q.sum() > (q > 0.0).sum() or to_p.sum() > (p > 0.0).sum())


def _unique(pairs: Iterable[Pair]) -> list[Pair]:
    """Each pair once."""
    kept: list[Pair] = []
    for p, q in pairs:
        if not any(np.allclose(p, r, atol=1e-7) and np.allclose(q, s, atol=1e-7) for r, s in kept):
            kept.append((p, q))
    return kept
