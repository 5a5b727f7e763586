"""A game as a linear program."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from littlestone.errors import NotApplicable

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.games.payoffs import Payoffs


def linear_program(payoffs: Payoffs) -> tuple[FloatArray, FloatArray]:
    """Both strategies from one linear program, solved by HiGHS.

    The column player minimises v subject to (A q)_i ≤ v for every row i, payoffs in units of their range and with the
    sign of the row player; the row player's strategy is the dual solution.

    Raises:
        NotApplicable: if the game is given by functions, or the solver gives up.
    """
    from scipy.optimize import linprog

    rows, columns = payoffs.shape
    answer = linprog(
        np.append(np.zeros(columns), 1.0),
        A_ub=_constraints(payoffs),
        b_ub=np.zeros(rows),
        A_eq=np.append(np.ones(columns), 0.0)[None, :],
        b_eq=np.ones(1),
        bounds=[(0.0, None)] * columns + [(None, None)],
        method="highs",
    )
    if answer.status != 0 or answer.x is None:
        raise NotApplicable(f"the linear program was not solved: {answer.message}")
    return _distribution(-answer.ineqlin.marginals), _distribution(answer.x[:-1])


def _constraints(payoffs: Payoffs) -> FloatArray:
    """(A q)_i − v ≤ 0, a line for each row; sparse where the payoffs are."""
    from scipy import sparse

    if payoffs.matrix is None:
        raise NotApplicable("a linear program needs the payoffs themselves; this game is given by functions")
    scale, value = payoffs.sign * payoffs.range, np.full((payoffs.game.rows, 1), -1.0)
    if isinstance(payoffs.matrix, np.ndarray):
        # The value is free, so a shift changes no strategy; without it large payoffs of a small range drown the solver.
        return np.hstack([np.subtract(payoffs.matrix, payoffs.low, dtype=np.float64) / scale, value])
    csr = payoffs.matrix.tocsr()
    scaled = sparse.csr_array((np.divide(csr.data, scale, dtype=np.float64), csr.indices, csr.indptr), shape=payoffs.shape)
    # SciPy takes sparse constraints; its type stubs know of dense ones only.
    return cast("FloatArray", sparse.csr_array(sparse.hstack([scaled, sparse.csr_array(value)])))


def _distribution(weights: FloatArray) -> FloatArray:
    """The solver's answer without its rounding errors below 0."""
    positive: FloatArray = np.maximum(np.asarray(weights, dtype=np.float64), 0.0)
    total: FloatArray = positive / np.sum(positive)
    return total
