"""A checked sample: its rows in any order, with a constant feature behind the others where one is wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np

from littlestone.errors import InvalidData
from littlestone.streams.batches import dense_batch, is_sparse, sparse_batch
from littlestone.streams.intervals import Intervals

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone import _core
    from littlestone.arrays import FloatArray
    from littlestone.learner import Learner

    Order: TypeAlias = npt.NDArray[np.int64]
    Values: TypeAlias = npt.NDArray[np.generic]


def rows_of(checked: object, *, constant: bool, skip: bool = False) -> _core.Batch:
    """The rows of what scikit-learn's validation returned, read in place: neither an order nor a constant takes a copy.

    With `skip`, nan stands for a value that is not there.
    """
    if is_sparse(checked):
        return sparse_batch(checked, skip=skip, constant=constant)
    return dense_batch(checked, skip=skip, constant=constant)


@final
@dataclass(frozen=True)
class Sample:
    """Rows, an outcome for each unless the rule learns rows alone, and how much each counts unless all count as one."""

    rows: _core.Batch
    y: Values | None = None
    weights: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def teach(self, learner: Learner, order: Order | None = None) -> None:
        """The learner learns the rows, as they lie or in an order."""
        rows = self.rows if order is None else self.rows.in_order(order)
        if self.y is None:
            learner.learn_many(rows)
        elif order is None:
            learner.learn_many(rows, self.y, self.weights)
        else:
            learner.learn_many(rows, self.y[order], None if self.weights is None else self.weights[order])

    def encoded(self, learner: Learner) -> _core.Outcomes:
        """The outcomes as a learner reads them that has learned them once."""
        outcomes = learner.encode(self.rows, Intervals.inside(len(self)) if self.y is None else self.y)[1]
        return outcomes if self.weights is None else outcomes.weighted(self.weights)


def sample_weights(given: object, count: int) -> FloatArray | None:
    """The weights of a sample, checked; None where every row counts as one.

    Raises:
        InvalidData: if they are not one number per row, at least 0 and not all 0.
    """
    if given is None:
        return None
    weights = np.asarray(given, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(count, weights)
    if weights.shape != (count,):
        raise InvalidData(f"sample_weight has the shape {weights.shape}; expected one weight per row, {count} in all")
    if not (np.isfinite(weights) & (weights >= 0.0)).all():
        row = int(np.argmin(np.isfinite(weights) & (weights >= 0.0)))
        raise InvalidData(f"row {row}: the sample weight is {weights[row]}; weights must be finite and at least 0")
    if not weights.any():
        raise InvalidData("every sample weight is zero; at least one row must count")
    return weights
