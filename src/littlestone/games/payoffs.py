"""What is being solved: payoffs in any of the forms they are given in, checked once."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeGuard, final

import numpy as np
import numpy.typing as npt

from littlestone import _core
from littlestone.columns import counted
from littlestone.domain import choice
from littlestone.errors import InvalidData, InvalidParameter
from littlestone.games.files import GameFile
from littlestone.streams.batches import Frame, Sparse, dense_batch, frame_values, is_frame, is_sparse, numbers, sparse_batch

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray, FloatArray

Product: TypeAlias = "Callable[[FloatArray], npt.ArrayLike]"
Matrix: TypeAlias = "npt.NDArray[np.float32] | npt.NDArray[np.float64]"
Game: TypeAlias = "npt.NDArray[np.generic] | Sparse | Frame | Sequence[Sequence[float]] | tuple[Product, Product] | GameFile"
"""Payoffs: an array, a sparse matrix, a frame, lists of numbers, the pair of functions (A@q, p@A), or a zero-sum game as it
was read from a file."""

SENSE = choice("max", "min")


@final
@dataclass(frozen=True)
class Bracket:
    """What a pair of strategies proves: the value lies in [lower, upper]; played against each other they pay `payoff`."""

    lower: float
    upper: float
    payoff: float


@final
@dataclass(frozen=True)
class Payoffs:
    """A game that was checked: its products, its range, and who wants what."""

    game: _core.Game
    matrix: Matrix | Sparse | None
    """The payoffs themselves; None where two functions stand for them."""
    low: float
    high: float
    sign: float
    """+1 when the row player maximises, -1 when it minimises."""
    pure: tuple[int, int] | None = None
    """Row and column of an equilibrium without mixing, where the payoffs have one."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.game.rows, self.game.columns

    @property
    def range(self) -> float:
        """Max A − min A; nan where functions came without bounds."""
        return self.high - self.low

    @property
    def middle(self) -> float:
        """Between the smallest and the largest payoff."""
        return self.low + self.range / 2.0

    def known_range(self) -> float:
        """The range, or what is known of it from below: of a game by functions, that of a row and a column or two."""
        if math.isfinite(self.range):
            return self.range
        first = self.game.times(_pure(self.game.columns, 0)), self.game.transposed_times(_pure(self.game.rows, 0))
        i, j = int(np.argmax(first[0])), int(np.argmin(first[1]))
        further = self.game.times(_pure(self.game.columns, j)), self.game.transposed_times(_pure(self.game.rows, i))
        return float(np.ptp(np.concatenate([*first, *further])))

    def restricted(
        self, rows: BoolArray, columns: BoolArray, used: tuple[BoolArray, BoolArray]
    ) -> tuple[FloatArray, FloatArray, float]:
        """An equilibrium between some of the actions, looked for from those in use, and its gap in ranges.

        Raises:
            NotApplicable: if the game is given by functions.
        """
        # The range is divided by as it is: of payoffs so small that 1 / range would be infinite.
        return self.game.restricted(rows, columns, *used, zero=self.middle, unit=self.sign * self.range)

    def of_few_features(self, rows: BoolArray, columns: BoolArray, most: int) -> bool:
        """Whether so many features make the payoffs between some of the actions, those that hardly matter not counted.

        Raises:
            NotApplicable: if the game is given by functions.
        """
        return self.game.of_few_features(rows, columns, most=most, zero=self.middle, unit=self.range)

    def bracket(self, p: FloatArray, q: FloatArray) -> Bracket:
        """The bracket of the value that two strategies prove, from products in float64."""
        row_least, row_most, column_least, column_most, payoff = self.game.measured(p, q)
        return Bracket(column_least, row_most, payoff) if self.sign > 0.0 else Bracket(row_least, column_most, payoff)

    def saddle(self) -> tuple[FloatArray, FloatArray] | None:
        """A pure equilibrium, None where there is none: constant games, one row or column, dominance."""
        if self.matrix is None:
            return self._best_answer() if 1 in self.shape else None
        return (_pure(self.game.rows, self.pure[0]), _pure(self.game.columns, self.pure[1])) if self.pure else None

    def _best_answer(self) -> tuple[FloatArray, FloatArray]:
        """Of a game in which one player has no choice: what the other does about it."""
        p, q = np.ones(self.game.rows), np.ones(self.game.columns)
        if self.game.rows == 1:
            return p, _pure(len(q), int(np.argmin(self.sign * self.game.transposed_times(p))))
        return _pure(len(p), int(np.argmax(self.sign * self.game.times(q)))), q


def _pure(actions: int, action: int) -> FloatArray:
    strategy = np.zeros(actions)
    strategy[action] = 1.0
    return strategy


def payoffs_of(
    A: Game,
    *,
    sense: str = "max",
    shape: tuple[int, int] | None = None,
    bounds: tuple[float, float] | None = None,
) -> Payoffs:
    """Checks a game in any of its forms.

    Raises:
        InvalidData: if it is empty, ragged, not of numbers, or has a value that is not finite.
        InvalidParameter: if the sense is unknown, or functions come without a shape.
    """
    if not SENSE.contains(sense):
        raise InvalidParameter(f"sense is {sense!r}; sense must be {SENSE.words}")
    sign = 1.0 if sense == "max" else -1.0
    if _is_pair(A):
        return _implicit(A, sign, shape, bounds)
    if isinstance(A, GameFile):
        A.check_zero_sum()
        A = A.A
    if isinstance(A, str | os.PathLike):
        raise InvalidData(f"the game is the name {str(A)!r}; read the file first: ls.read_game({str(A)!r})")
    if shape is not None or bounds is not None:
        raise InvalidParameter("shape and bounds are for games given by functions; a matrix has its own")
    matrix = _matrix(A)
    game = _game(matrix)
    low, high, pure = game.summary(sign)
    return Payoffs(game, matrix, low, high, sign, pure)


def _is_pair(A: Game) -> TypeGuard[tuple[Product, Product]]:
    return isinstance(A, tuple) and len(A) == 2 and callable(A[0]) and callable(A[1])


def _matrix(A: Game) -> Matrix | Sparse:
    if is_sparse(A):
        return A
    values = frame_values(A)[1] if is_frame(A) else A
    try:
        matrix = numbers(values, "payoffs")
    except ValueError as error:
        raise InvalidData(str(error) if isinstance(error, InvalidData) else "the rows of the game differ in length") from None
    if matrix.ndim != 2:
        several = "; a pair of matrices is a game that need not be zero-sum: ls.equilibria(A, B)" if matrix.ndim == 3 else ""
        raise InvalidData(f"the payoffs have {counted(matrix.ndim, 'dimension')}; expected a matrix{several}")
    return matrix


def _game(matrix: Matrix | Sparse) -> _core.Game:
    rows, columns = matrix.shape
    if rows == 0 or columns == 0:
        raise InvalidData(f"the game has {rows} rows and {columns} columns; expected at least one of each")
    if not isinstance(matrix, np.ndarray):
        batch, transposed = sparse_batch(matrix), False
    else:
        # A column-major array is the row-major array of the transposed game.
        transposed = matrix.strides[0] < matrix.strides[1] and matrix.strides[0] == matrix.itemsize
        batch = dense_batch(matrix.T if transposed else matrix)
    try:
        batch.check()
    except InvalidData:
        _check_finite(matrix)
        raise
    return _core.matrix_game(batch, transposed)


def _check_finite(matrix: Matrix | Sparse) -> None:
    """Says where a payoff is that is none.

    Raises:
        InvalidData: for the first of them.
    """
    if isinstance(matrix, np.ndarray):
        places = np.argwhere(~np.isfinite(matrix))
        bad = [(int(i), int(j), float(matrix[i, j])) for i, j in places[:1]]
    else:
        stored = matrix.tocsr()
        values, ends = np.asarray(stored.data), np.asarray(stored.indptr)
        odd = np.flatnonzero(~np.isfinite(values))[:1]
        bad = [(int(np.searchsorted(ends, k, side="right")) - 1, int(stored.indices[k]), float(values[k])) for k in odd]
    for row, column, payoff in bad:
        raise InvalidData(f"the payoff in row {row}, column {column} is {payoff}; payoffs must be finite numbers")


def _implicit(
    pair: tuple[Product, Product], sign: float, shape: tuple[int, int] | None, bounds: tuple[float, float] | None
) -> Payoffs:
    if shape is None or len(shape) != 2 or min(shape) < 1:
        raise InvalidParameter(f"shape is {shape!r}; a game given by functions needs shape=(rows, columns)")
    low, high = (math.nan, math.nan) if bounds is None else bounds
    if bounds is not None and not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise InvalidParameter(f"bounds is {bounds!r}; bounds must be two finite numbers, the smaller first")
    times, transposed_times = (_checked(product, low, high) for product in pair)
    return Payoffs(_core.function_game(times, transposed_times, *shape), None, low, high, sign)


def _checked(product: Product, low: float, high: float) -> Callable[[FloatArray], FloatArray]:
    """A product whose every answer is looked at: a vector of finite numbers, within the bounds that were promised."""

    def checked(strategy: FloatArray) -> FloatArray:
        answer = np.require(product(strategy), np.float64, ("C", "A", "E"))
        if answer.ndim != 1 or not np.isfinite(answer).all():
            raise InvalidData("a product of the game is not a vector of finite numbers")
        slack = 1e-9 * (high - low)
        if (answer < low - slack).any() or (answer > high + slack).any():
            raise InvalidData(f"a product of the game is outside its bounds [{low:g}, {high:g}]")
        return answer

    return checked
