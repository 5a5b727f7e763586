"""A checked sample: its rows in any order, with a constant feature behind the others where one is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np
from scipy import sparse

from littlestone.errors import InvalidData
from littlestone.streams.intervals import NO_OUTCOME

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.learner import Learner

    Csr: TypeAlias = sparse.csr_array[np.float64, tuple[int, int]] | sparse.csr_matrix[np.float64]
    Dense: TypeAlias = npt.NDArray[np.float32] | npt.NDArray[np.float64]
    Matrix: TypeAlias = Dense | Csr
    Order: TypeAlias = npt.NDArray[np.intp]
    Part: TypeAlias = slice | Order
    Values: TypeAlias = npt.NDArray[np.generic]

# What is copied at a time: a few megabytes, whatever the size of the matrix.
_ENTRIES = 1 << 19


@final
@dataclass(frozen=True)
class Rows:
    """A matrix that is handed out a block of rows at a time, so that it is never copied whole."""

    matrix: Matrix
    constant: bool

    @staticmethod
    def of(checked: object, *, constant: bool) -> Rows:
        """The rows of what scikit-learn's validation returned."""
        if isinstance(checked, np.ndarray):
            return Rows(checked, constant)
        assert isinstance(checked, sparse.csr_array | sparse.csr_matrix)
        if not checked.has_canonical_format:  # the core wants the indices of a row to increase
            checked = checked.copy()
            checked.sum_duplicates()
        return Rows(checked, constant)

    def __len__(self) -> int:
        return int(self.matrix.shape[0])

    @property
    def width(self) -> int:
        """How many features there are besides the constant one."""
        return int(self.matrix.shape[1])

    @property
    def block_size(self) -> int:
        """How many rows a block has at most."""
        entries = self.matrix.size + len(self)  # of a sparse matrix the stored ones
        return 1 + _ENTRIES * len(self) // entries

    def blocks(self, order: Order | None = None) -> Iterator[tuple[Part, Matrix]]:
        """The rows as they lie, or in an order: which they are, and what they hold."""
        if order is None and not self.constant:
            yield slice(None), self.matrix
            return
        size = self.block_size
        for start in range(0, len(self) if order is None else len(order), size):
            part: Part = slice(start, start + size) if order is None else order[start : start + size]
            block = self.matrix[part]
            yield part, _with_constant(block) if self.constant else block

    def scores(self, learner: Learner, order: Order | None = None) -> FloatArray:
        """What the learner scores the rows with."""
        return np.concatenate([learner.score_many(block) for _, block in self.blocks(order)])


@final
@dataclass(frozen=True)
class Sample:
    """Rows, an outcome for each unless the rule learns rows alone, and how much each counts unless all count as one."""

    rows: Rows
    y: Values | None = None
    weights: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def teach(self, learner: Learner, order: Order | None = None) -> None:
        """The learner learns the rows, as they lie or in an order."""
        for part, block in self.rows.blocks(order):
            if self.y is None:
                learner.learn_many(block)
            elif self.weights is None:
                learner.learn_many(block, self.y[part])
            else:
                learner.learn_many(block, self.y[part], self.weights[part])

    def teach_whole(self, learner: Learner) -> None:
        """The learner learns the rows as they lie; a fault in any of them leaves it as it was."""
        if len(self) > self.rows.block_size:
            for part, block in self.rows.blocks():
                y = NO_OUTCOME if self.y is None else self.y[part]
                learner.check_many(block, y, None if self.weights is None else self.weights[part])
        self.teach(learner)


def sample_weights(given: object, count: int) -> FloatArray | None:
    """The weights of a sample, checked; None where every row counts as one.

    Raises:
        InvalidData: if they are not one number a row, at least 0 and not all 0.
    """
    if given is None:
        return None
    weights = np.asarray(given, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(count, weights)
    if weights.shape != (count,):
        raise InvalidData(f"sample_weight has the shape {weights.shape}; expected one weight a row, {count} in all")
    if not (np.isfinite(weights) & (weights >= 0.0)).all():
        row = int(np.argmin(np.isfinite(weights) & (weights >= 0.0)))
        raise InvalidData(f"row {row}: the sample weight is {weights[row]}; weights must be finite and at least 0")
    if not weights.any():
        raise InvalidData("every sample weight is zero; at least one row must count")
    return weights


def _with_constant(block: Matrix) -> Matrix:
    if not isinstance(block, np.ndarray):
        return _sparse_with_constant(block)
    count, width = block.shape
    wider = np.empty((count, width + 1), dtype=block.dtype)
    wider[:, :width] = block
    wider[:, width] = 1.0
    return wider


def _sparse_with_constant(block: Csr) -> Csr:
    count, width = block.shape
    ends = block.indptr[1:]
    data, indices = np.insert(block.data, ends, 1.0), np.insert(block.indices, ends, width)
    offsets = block.indptr + np.arange(count + 1, dtype=block.indptr.dtype)
    return sparse.csr_array((data, indices, offsets), shape=(count, width + 1))
