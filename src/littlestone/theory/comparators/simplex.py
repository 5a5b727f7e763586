"""Linear programs over the simplex: maximum margin, least absolute loss, the value of a game (MM1, ABS, GAME)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.errors import InvalidData
from littlestone.progress import Patience
from littlestone.theory.comparators.descent import NearOptimum
from littlestone.theory.comparators.mirror import ExponentiatedDescent
from littlestone.theory.comparators.trials import Trials

if TYPE_CHECKING:
    import numpy.typing as npt
    from scipy.sparse import csr_array

    from littlestone.arrays import FloatArray

# From here on the linear program of least loss takes minutes.
_MANY_ROWS = 3_000


def max_margin_on_simplex(trials: Trials, *, signed: bool = False) -> NearOptimum:
    """Maximises ρ with y·(v·x) ≥ ρ in every round, v ≥ 0 and Σv = 1; signed, ‖v‖₁ ≤ 1 (the program on (Z, −Z)).

    Example:
        >>> from littlestone.theory.comparators import Trials, max_margin_on_simplex
        >>> trials = Trials.of_labels([[1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]], [1, -1, 1])
        >>> v = max_margin_on_simplex(trials).u
        >>> v, trials.measure(v).smallest_margin
        (array([1., 0.]), 1.0)
    """
    from scipy.sparse import csr_array, diags_array, hstack

    rows = csr_array(diags_array(trials.signs()) @ trials.rows())
    sides = csr_array(hstack([rows, -rows])) if signed else rows
    count, width = sides.shape
    below = hstack([-sides, csr_array(np.ones((count, 1)))])
    found = _program(
        cost=np.append(np.zeros(width), -1.0),
        below=(csr_array(below), np.zeros(count)),
        equal=(csr_array(np.append(np.ones(width), 0.0)[np.newaxis, :]), np.ones(1)),
        free=1,
    )
    if found is None:
        return NearOptimum(np.full(trials.width, 1.0 / max(1, trials.width)), math.nan)
    v = np.maximum(found[:-1], 0.0)
    v /= v.sum()
    return NearOptimum(v[: trials.width] - v[trials.width :] if signed else v, 0.0)


def least_loss_on_simplex(trials: Trials, total: float, *, signed: bool = False) -> NearOptimum:
    """Minimises Σ distance to the intervals with u ≥ 0 and Σu = U; signed, ‖u‖₁ ≤ U.

    Example:
        >>> import littlestone as ls
        >>> from littlestone.theory.comparators import Trials, least_loss_on_simplex
        >>> trials = Trials.of(ls.Perceptron(), [[1.0, 0.0]] * 3, ls.Intervals([2.0] * 3, [float("inf")] * 3))
        >>> least_loss_on_simplex(trials, 2.0).u
        array([2., 0.])
    """
    from scipy.sparse import csr_array, hstack

    low, high = trials.ends()
    rows = trials.rows()
    sides = csr_array(hstack([rows, -rows])) if signed else rows
    few = len(trials) < _MANY_ROWS
    found = _least_loss(sides, low, high, total) if few else ExponentiatedDescent(sides, low, high, total).solve()
    return NearOptimum(found.u[: trials.width] - found.u[trials.width :] if signed else found.u, found.gap)


def _least_loss(rows: csr_array[np.float64], low: FloatArray, high: FloatArray, total: float) -> NearOptimum:
    """The linear program: a slack per row, at least what the score is below the lower end and above the upper one."""
    from scipy.sparse import csr_array, eye_array, hstack, vstack

    count, width = rows.shape
    slack = -csr_array(eye_array(count))
    below, above = np.isfinite(low), np.isfinite(high)
    constraints = vstack([csr_array(hstack([-rows, slack]))[below], csr_array(hstack([rows, slack]))[above]])
    found = _program(
        cost=np.append(np.zeros(width), np.ones(count)),
        below=(csr_array(constraints), np.concatenate([-low[below], high[above]])),
        equal=(csr_array(np.append(np.ones(width), np.zeros(count))[np.newaxis, :]), np.full(1, total)),
        free=0,
    )
    if found is None:
        return NearOptimum(np.full(width, total / max(1, width)), math.nan)
    u: FloatArray = np.maximum(found[:width], 0.0)
    u *= total / u.sum()
    return NearOptimum(u, 0.0)


@final
@dataclass(frozen=True)
class GameValue:
    """The value of a zero-sum game, between what the two strategies secure: lower ≤ value ≤ upper."""

    value: float
    row: FloatArray
    column: FloatArray
    lower: float
    """min over rows of (A·column): what the column player gets at least."""
    upper: float
    """max over columns of (row·A): what the row player loses at most."""


def game_value(A: npt.ArrayLike) -> GameValue:
    """The value of the game in which the row player pays A to the column player (a linear program for each).

    Example:
        >>> from littlestone.theory.comparators import game_value
        >>> game = game_value([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
        >>> round(game.value, 12), game.row.round(12)
        (0.333333333333, array([0.33333333, 0.33333333, 0.33333333]))
    """
    matrix = np.asarray(A, dtype=np.float64)
    if matrix.ndim != 2 or matrix.size == 0 or not np.isfinite(matrix).all():
        raise InvalidData("the game is not a matrix of finite numbers")
    row, column = _secure(matrix), _secure(-matrix.T)
    lower, upper = float((matrix @ column).min()), float((row @ matrix).max())
    return GameValue((lower + upper) / 2.0, row, column, lower, upper)


def _secure(matrix: FloatArray) -> FloatArray:
    """The mixture of rows whose largest column is smallest."""
    from scipy.sparse import csr_array

    rows, columns = matrix.shape
    found = _program(
        cost=np.append(np.zeros(rows), 1.0),
        below=(csr_array(np.hstack([matrix.T, -np.ones((columns, 1))])), np.zeros(columns)),
        equal=(csr_array(np.append(np.ones(rows), 0.0)[np.newaxis, :]), np.ones(1)),
        free=1,
    )
    assert found is not None, "a matrix game has a value"
    mixture: FloatArray = np.maximum(found[:-1], 0.0)
    mixture /= mixture.sum()
    return mixture


def _program(
    *,
    cost: FloatArray,
    below: tuple[csr_array[np.float64], FloatArray],
    equal: tuple[csr_array[np.float64], FloatArray],
    free: int,
) -> FloatArray | None:
    """Minimises cost·z with the constraints, all variables non-negative but the last `free`; None where HiGHS finds nothing."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    lowest = np.concatenate([np.zeros(len(cost) - free), np.full(free, -np.inf)])
    constraints = [LinearConstraint(below[0], -np.inf, below[1]), LinearConstraint(equal[0], equal[1], equal[1])]
    with Patience(f"linear program of {len(cost):,} variables"):
        found = milp(cost, constraints=constraints, bounds=Bounds(lowest, np.inf))
    return np.asarray(found.x, dtype=np.float64) if found.x is not None else None
