"""To the last digit: the simplex method on the strategies in use, checked against the whole game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone import _core

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray, FloatArray
    from littlestone.games.payoffs import Payoffs

# Weights below it are traces of the first rounds.
_USED = 1e-6
# Actions that lose less than so many gaps may belong to the answer.
_NEAR = 10.0
# What is left of a gap is rounding, in ranges.
_ROUNDING = 1e-14
# A schema of more payoffs than these is not made: 2^25 of them are 256 MB.
_ENTRIES = 1 << 25
# A gap of the smaller game, in ranges, that says that rounding led astray; then it is solved from nothing.
_LOST = 1e-9
_STEPS = 50


@final
@dataclass(frozen=True)
class _Pair:
    """Two strategies and what every action earns against them, to a row player who maximises."""

    p: FloatArray
    q: FloatArray
    of_rows: FloatArray
    of_columns: FloatArray

    @property
    def gap(self) -> float:
        return float(np.max(self.of_rows) - np.min(self.of_columns))

    @property
    def value(self) -> float:
        return float(self.p @ self.of_rows)


def finish(payoffs: Payoffs, p: FloatArray, q: FloatArray) -> tuple[FloatArray, FloatArray]:
    """An equilibrium to rounding, from strategies that are close to one.

    The game between the actions in use, and those that earn almost as much, is solved by the simplex method, which
    starts from the actions in use; then every action of the whole game that does better against the answer joins, until
    none does. Cost: about one pivot for each action in use, O(rows·columns) of the smaller game each, and two products
    of the whole game a step.

    Returns:
        The best pair found; the one it was given where the actions in use are too many to write down.
    """
    best = pair = _measured(payoffs, p, q)
    near = _NEAR * pair.gap
    rows = (p > _USED) | (pair.of_rows >= np.max(pair.of_rows) - near)
    columns = (q > _USED) | (pair.of_columns <= np.min(pair.of_columns) + near)
    for _ in range(_STEPS):
        if int(rows.sum()) * int(columns.sum()) > _ENTRIES:
            break
        pair = _restricted(payoffs, pair, rows, columns)
        best = pair if pair.gap < best.gap else best
        joining = (
            pair.of_rows > pair.value + _ROUNDING * payoffs.range,
            pair.of_columns < pair.value - _ROUNDING * payoffs.range,
        )
        if best.gap <= _ROUNDING * payoffs.range or not ((joining[0] & ~rows).any() or (joining[1] & ~columns).any()):
            break
        rows, columns = rows | joining[0], columns | joining[1]
    return best.p, best.q


def _measured(payoffs: Payoffs, p: FloatArray, q: FloatArray) -> _Pair:
    sign = payoffs.sign
    return _Pair(p, q, sign * payoffs.game.times(q), sign * payoffs.game.transposed_times(p))


def _restricted(payoffs: Payoffs, pair: _Pair, rows: BoolArray, columns: BoolArray) -> _Pair:
    """The equilibrium of the game between some of the actions, measured on all of them."""
    block, p, q = payoffs.block(rows, columns), np.zeros(len(rows)), np.zeros(len(columns))
    x, y = _core.simplex(block, pair.p[rows] > _USED, pair.q[columns] > _USED)
    if np.max(block @ y) - np.min(x @ block) > _LOST:
        x, y = _core.simplex(block, np.zeros(len(x), dtype=bool), np.zeros(len(y), dtype=bool))
    p[rows], q[columns] = x, y
    return _measured(payoffs, p, q)
