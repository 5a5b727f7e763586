"""A whole file in memory: its chunks, one behind another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from littlestone import _core
from littlestone.streams.files import Chunk, Loaded

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray


def loaded(chunks: list[Chunk]) -> Loaded:
    """The chunks as one CSR array with its labels."""
    from scipy.sparse import csr_array

    known = _core.Features() if chunks and chunks[0].X.scheme.kind == "names" else None
    indices = [_columns(chunk, known) for chunk in chunks]
    index = np.concatenate([np.zeros(0, dtype=np.int32), *indices])
    value = np.concatenate([np.zeros(0), *(chunk.X.chunk.value for chunk in chunks)])
    width = max((chunk.X.width for chunk in chunks), default=0) if known is None else len(known)
    X = csr_array((value, index, _starts(chunks)), shape=(sum(len(chunk.y) for chunk in chunks), width))
    if known is not None:
        X.sum_duplicates()
    names = None if known is None else [str(name) for name in known.names()]
    return Loaded(X, _labels(chunks), names, _weights(chunks), _tags(chunks))


def _columns(chunk: Chunk, known: _core.Features | None) -> npt.NDArray[np.int32]:
    if known is None:
        return chunk.X.chunk.index
    return known.numbers(chunk.X.names, grow=True).astype(np.int32)[chunk.X.chunk.index]


def _starts(chunks: list[Chunk]) -> npt.NDArray[np.int32] | npt.NDArray[np.int64]:
    """The offsets of the rows, as wide as the last of them needs."""
    lengths = [np.diff(chunk.X.chunk.start) for chunk in chunks]
    starts = np.concatenate([np.zeros(1, dtype=np.int64), *lengths]).cumsum()
    return starts.astype(np.int32) if starts[-1] < 2**31 else starts


def _labels(chunks: list[Chunk]) -> npt.NDArray[np.generic]:
    parts = [chunk.y for chunk in chunks]
    if len({part.dtype.kind for part in parts}) > 1:
        parts = [part.astype(object) for part in parts]
    return np.concatenate(parts) if parts else np.zeros(0)


def _weights(chunks: list[Chunk]) -> FloatArray | None:
    parts = [chunk.X.weights for chunk in chunks]
    if all(part is None for part in parts):
        return None
    return np.concatenate([np.ones(len(chunk.y)) if part is None else part for chunk, part in zip(chunks, parts, strict=True)])


def _tags(chunks: list[Chunk]) -> list[str] | None:
    parts = [chunk.X.tags for chunk in chunks]
    if all(part is None for part in parts):
        return None
    return [tag for chunk, part in zip(chunks, parts, strict=True) for tag in part or [""] * len(chunk.y)]
