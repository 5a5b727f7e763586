"""The rows of a table one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

import numpy as np

from littlestone.errors import NotApplicable
from littlestone.streams.batches import frame_values, is_frame, is_sparse
from littlestone.streams.rows import Rows as FileRows

if TYPE_CHECKING:
    from littlestone.streams.batches import Feature, Sparse
    from littlestone.streams.space import Table, Vector

Rows: TypeAlias = "list[Vector]"


@runtime_checkable
class Sliced(Protocol):
    """A matrix by rows."""

    def __getitem__(self, rows: slice) -> Sparse:
        """Some of its rows."""
        ...


def rows_of(X: Table) -> Rows:
    """The rows of a table one by one, each as `learn_one` takes it."""
    return list(_each_row(X))


def _each_row(X: Table) -> Iterator[Vector]:
    if is_sparse(X):
        stored = X.tocsr()
        assert isinstance(stored, Sliced)
        yield from (stored[t : t + 1] for t in range(X.shape[0]))
    elif is_frame(X):
        names, values = frame_values(X)
        for numbers in values:
            record: dict[Feature, float] = dict(zip(names, numbers.tolist(), strict=True))
            yield record
    elif isinstance(X, FileRows):
        yield from (X.row(t) for t in range(len(X)))
    elif isinstance(X, Iterable):
        for x in X:
            yield x if isinstance(x, Mapping) else np.asarray(x)
    else:
        raise NotApplicable(f"rows are a {type(X).__name__}; expected an array, a sparse matrix, a frame or an iterable")
