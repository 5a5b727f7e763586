"""A game with two payoff matrices, checked, and what deviating gains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.errors import InvalidData
from littlestone.games.payoffs import payoffs_of

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.games.payoffs import Game


@final
@dataclass(frozen=True, eq=False)
class Bimatrix:
    """The payoffs of both players, who maximise them, in one shape."""

    A: FloatArray
    B: FloatArray

    @staticmethod
    def of(A: Game, B: Game) -> Bimatrix:
        """Checks both matrices.

        Raises:
            InvalidData: if they are not of finite numbers, or of different shapes.
        """
        ours, theirs = _dense(A), _dense(B)
        if ours.shape != theirs.shape:
            raise InvalidData(f"the payoffs have shapes {ours.shape} and {theirs.shape}; expected the same")
        return Bimatrix(ours, theirs)

    @property
    def shape(self) -> tuple[int, int]:
        """Actions of the row and of the column player."""
        rows, columns = self.A.shape
        return rows, columns

    @property
    def ranges(self) -> tuple[float, float]:
        """The ranges of both players' payoffs."""
        return float(np.ptp(self.A)), float(np.ptp(self.B))


def external_gaps(joint: FloatArray, A: FloatArray, B: FloatArray) -> tuple[float, float]:
    """What the best fixed action would gain each player over following the distribution."""
    of_column, of_row = np.sum(joint, axis=0), np.sum(joint, axis=1)
    row = float(np.max(A @ of_column) - np.sum(joint * A))
    column = float(np.max(of_row @ B) - np.sum(joint * B))
    return max(row, 0.0), max(column, 0.0)


def swap_gaps(joint: FloatArray, A: FloatArray, B: FloatArray) -> tuple[float, float]:
    """What the best answer to every recommendation would gain each player over following it."""
    row = np.max(joint @ A.T, axis=1).sum() - np.sum(joint * A)
    column = np.max(joint.T @ B, axis=1).sum() - np.sum(joint * B)
    return max(float(row), 0.0), max(float(column), 0.0)


def _dense(A: Game) -> FloatArray:
    """The payoffs as a float64 array, checked as those of a zero-sum game are."""
    payoffs = payoffs_of(A)
    if payoffs.matrix is None:
        raise InvalidData("the payoffs of a general game must be given as matrices")
    if isinstance(payoffs.matrix, np.ndarray):
        return np.asarray(payoffs.matrix, dtype=np.float64)
    return np.column_stack([payoffs.game.times(unit) for unit in np.eye(payoffs.game.columns)])
