"""A whole file in memory: its chunks, one behind another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar, final

import numpy as np

from littlestone import _core

if TYPE_CHECKING:
    import numpy.typing as npt
    from scipy.sparse import csr_array

    from littlestone.arrays import FloatArray
    from littlestone.streams.files import Chunk
    from littlestone.streams.rows import Rows

Number = TypeVar("Number", np.int32, np.int64, np.float64)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    """A whole file in memory."""

    X: csr_array[np.float64]
    y: npt.NDArray[np.generic]
    names: list[str] | None
    """The names of the columns, where features are known by name."""
    weights: FloatArray | None
    tags: list[str] | None


@final
class _Growing(Generic[Number]):
    """An array that grows. Room that is not used costs nothing: the system gives memory when it is written to."""

    def __init__(self, kind: type[Number]) -> None:
        self._values: npt.NDArray[Number] = np.empty(0, dtype=kind)
        self._size = 0

    def append(self, part: npt.NDArray[Number], expected: int) -> None:
        """Writes a part behind the others, with room for `expected` values when there was none."""
        end = self._size + len(part)
        if end > len(self._values):
            larger = np.empty(max(end, expected, 2 * len(self._values)), dtype=self._values.dtype)
            larger[: self._size] = self.values
            self._values = larger
        self._values[self._size : end] = part
        self._size = end

    @property
    def values(self) -> npt.NDArray[Number]:
        """What was written."""
        return self._values[: self._size]


def loaded(chunks: Iterable[Chunk], expected: int) -> Loaded:
    """The chunks, about as many as expected, as one CSR array with its labels.

    Each is copied as it comes and then forgotten, so that its memory serves the next.
    """
    from scipy.sparse import csr_array

    known: _core.Features | None = None
    starts, index, value = _Growing(np.int64), _Growing(np.int32), _Growing(np.float64)
    starts.append(np.zeros(1, dtype=np.int64), 0)
    width, parts, entries = 0, list[_Part](), 0
    for X, y in chunks:
        if X.scheme.kind == "names" and known is None:
            known = _core.Features()
        room = int(1.05 * expected * len(X.chunk.index))
        index.append(_columns(X, known), room)
        value.append(X.chunk.value, room)
        starts.append(X.chunk.start[1:].astype(np.int64) + entries, int(1.05 * expected * len(X)))
        entries += len(X.chunk.index)
        width = max(width, X.width)
        parts.append(_Part(np.array(y), None if X.weights is None else X.weights.copy(), X.tags))
    start = starts.values.astype(np.int32) if entries < 2**31 else starts.values
    X_whole = csr_array((value.values, index.values, start), shape=(len(start) - 1, width if known is None else len(known)))
    if known is not None:
        X_whole.sum_duplicates()
    names = None if known is None else [str(name) for name in known.names()]
    return Loaded(X_whole, _labels(parts), names, _weights(parts), _tags(parts))


@final
class _Part(NamedTuple):
    """What a chunk has beside its rows."""

    y: npt.NDArray[np.generic]
    weights: FloatArray | None
    tags: list[str] | None


def _columns(X: Rows, known: _core.Features | None) -> npt.NDArray[np.int32]:
    if known is None:
        return X.chunk.index
    return known.numbers(X.names, grow=True).astype(np.int32)[X.chunk.index]


def _labels(parts: list[_Part]) -> npt.NDArray[np.generic]:
    listed = [part.y for part in parts]
    if len({labels.dtype.kind for labels in listed}) > 1:
        listed = [labels.astype(object) for labels in listed]
    return np.concatenate(listed) if listed else np.zeros(0)


def _weights(parts: list[_Part]) -> FloatArray | None:
    if all(part.weights is None for part in parts):
        return None
    return np.concatenate([np.ones(len(part.y)) if part.weights is None else part.weights for part in parts])


def _tags(parts: list[_Part]) -> list[str] | None:
    if all(part.tags is None for part in parts):
        return None
    return [tag for part in parts for tag in part.tags or [""] * len(part.y)]
