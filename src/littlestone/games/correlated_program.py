"""Correlated equilibria as linear programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from littlestone.errors import NotApplicable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scipy import sparse

    from littlestone.arrays import FloatArray
    from littlestone.games.bimatrix import Bimatrix


def correlated_program(game: Bimatrix, *, coarse: bool) -> FloatArray:
    """The correlated equilibrium, or coarse one, in which the players together earn most, by HiGHS.

    The unknowns are the chances of the pairs; a constraint says that a player does not gain by playing k instead of i
    when i is recommended, or, coarse, instead of every recommendation. Payoffs are in units of their ranges.

    Raises:
        NotApplicable: if the solver gives up.
    """
    from scipy import sparse
    from scipy.optimize import linprog

    A, B = (M / (np.ptp(M) or 1.0) for M in (game.A, game.B))
    lines = list(_coarse(A, B) if coarse else _correlated(A, B))
    # SciPy takes sparse constraints; its type stubs know of dense ones only.
    answer = linprog(
        -(A + B).ravel(),
        A_ub=cast("FloatArray", sparse.vstack(lines).tocsr()) if lines else None,
        b_ub=np.zeros(len(lines)) if lines else None,
        A_eq=np.ones((1, A.size)),
        b_eq=np.ones(1),
        method="highs",
    )
    if answer.status != 0 or answer.x is None:
        raise NotApplicable(f"the linear program was not solved: {answer.message}")
    joint = np.maximum(answer.x, 0.0).reshape(A.shape)
    return np.asarray(joint / np.sum(joint))


def _correlated(A: FloatArray, B: FloatArray) -> Iterator[sparse.csr_array[np.float64]]:
    """Σ_j P_ij (A_kj − A_ij) ≤ 0 for each i and k, and likewise for columns."""
    from scipy import sparse

    rows, columns = A.shape
    of_rows, of_columns = np.arange(rows * columns).reshape(A.shape), np.arange(rows * columns).reshape(A.shape).T
    for M, places in ((A, of_rows), (B.T, of_columns)):
        for i, k in np.ndindex(len(M), len(M)):
            if i != k:
                yield sparse.csr_array((M[k] - M[i], (np.zeros(M.shape[1], dtype=int), places[i])), shape=(1, rows * columns))


def _coarse(A: FloatArray, B: FloatArray) -> Iterator[sparse.csr_array[np.float64]]:
    """Σ_ij P_ij (A_kj − A_ij) ≤ 0 for each k, and likewise for columns."""
    from scipy import sparse

    for k in range(A.shape[0]):
        yield sparse.csr_array((A[k][None, :] - A).reshape(1, -1))
    for k in range(B.shape[1]):
        yield sparse.csr_array((B[:, [k]] - B).reshape(1, -1))
