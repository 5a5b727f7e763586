"""To the last digit: the simplex method on the strategies in use, checked against the whole game."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, final

import numpy as np

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray, FloatArray
    from littlestone.games.payoffs import Payoffs

# Weights below this part of the largest are traces of the first rounds; an action that is needed all the same earns enough.
_USED = 0.01
# Actions that lose less than so many gaps may belong to the answer.
_NEAR = 10.0
# What is left of a gap is rounding, in ranges.
_ROUNDING = 1e-14
# A schema of more payoffs than these is not made: 2^25 of them are 256 MB.
_ENTRIES = 1 << 25
# A gap of the smaller game, in ranges, that says that rounding led astray; then it is solved from nothing.
_LOST = 1e-9
_STEPS = 50
# Sifting starts from so many actions of either player, and stops at so many, or at this part of the sides of the whole.
_FEW = 32
_MANY = 128
_PART = 8
# Where the first ones are all it may take, payoffs that are made of more features than these are not tried.
_FEATURES = 24


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

    def joining(self, slack: float) -> tuple[BoolArray, BoolArray]:
        """The actions that do better against the other's strategy than this pair does."""
        return self.of_rows > self.value + slack, self.of_columns < self.value - slack


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
    rows = _used(p) | (pair.of_rows >= np.max(pair.of_rows) - near)
    columns = _used(q) | (pair.of_columns <= np.min(pair.of_columns) + near)
    for _ in range(_STEPS):
        if int(rows.sum()) * int(columns.sum()) > _ENTRIES:
            break
        pair = _restricted(payoffs, pair, rows, columns)
        best = pair if pair.gap < best.gap else best
        joining = pair.joining(_ROUNDING * payoffs.range)
        if best.gap <= _ROUNDING * payoffs.range or not ((joining[0] & ~rows).any() or (joining[1] & ~columns).any()):
            break
        rows, columns = rows | joining[0], columns | joining[1]
    return best.p, best.q


def sift(payoffs: Payoffs, gap: float) -> tuple[FloatArray, FloatArray] | None:
    """An equilibrium to rounding where few actions are enough for one, as of payoffs that few features make.

    A few actions of either player are a game that is solved at once; those of all actions that do best against its answer
    join, as many as there are, until none gains more than the gap (the sifting of linear programs: Bixby et al. 1992).
    Cost: where it does not work, less than a round of play or two.

    Returns:
        The strategies; None once the gap does not shrink, or the smaller game is no longer small.
    """
    most = min(_MANY, math.isqrt(math.prod(payoffs.shape)) // _PART)
    if most < _FEW:
        return None
    rows, columns = (_spread(actions, _FEW) for actions in payoffs.shape)
    if most < 2 * _FEW and not payoffs.of_few_features(rows, columns, _FEATURES):
        return None
    pair = _Pair(*(np.zeros(actions) for actions in (*payoffs.shape, *payoffs.shape)))
    size, before = _FEW, math.inf
    while size <= most:
        pair = _restricted(payoffs, pair, rows, columns)
        if pair.gap <= gap:
            return pair.p, pair.q
        size *= 2
        if pair.gap > before / 2.0 or size > most:
            break
        before = pair.gap
        rows = rows | _best(pair.of_rows - pair.value, size // 2)
        columns = columns | _best(pair.value - pair.of_columns, size // 2)
    return None


def _used(strategy: FloatArray) -> BoolArray:
    """The actions in use; none of a strategy that is not there yet."""
    used: BoolArray = strategy > _USED * np.max(strategy)
    return used


@lru_cache(maxsize=16)
def _spread(actions: int, count: int) -> BoolArray:
    """So many actions, evenly; not to be written to."""
    chosen = np.zeros(actions, dtype=bool)
    chosen[np.arange(count) * actions // count] = True
    chosen.flags.writeable = False
    return chosen


def _best(gains: FloatArray, count: int) -> BoolArray:
    """So many actions that gain most, of those that gain."""
    if count >= len(gains):
        return gains > 0.0
    chosen: BoolArray = gains > max(0.0, float(np.partition(gains, -count - 1)[-count - 1]))
    return chosen


def _measured(payoffs: Payoffs, p: FloatArray, q: FloatArray) -> _Pair:
    sign = payoffs.sign
    return _Pair(p, q, sign * payoffs.game.times(q), sign * payoffs.game.transposed_times(p))


def _restricted(payoffs: Payoffs, pair: _Pair, rows: BoolArray, columns: BoolArray) -> _Pair:
    """The equilibrium of the game between some of the actions, measured on all of them."""
    p, q, gap = payoffs.restricted(rows, columns, (_used(pair.p), _used(pair.q)))
    if gap > _LOST:
        p, q, _ = payoffs.restricted(rows, columns, (np.zeros_like(rows), np.zeros_like(columns)))
    return _measured(payoffs, p, q)
