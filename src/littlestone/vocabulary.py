"""A vocabulary with a cap: of more names than a rule keeps, those that were met least give up their places.

A name that comes is learned with its row; if there are more than `most` then, a quarter of `most` goes: the features with the
least evidence, of equals those known for longest. What was learned of the others stays, bit for bit; one that went and comes
again begins anew. It is decided by the rounds alone: one row at a time, many, or in chunks makes no difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from littlestone import _core
from littlestone.errors import InvalidData
from littlestone.lazy import np
from littlestone.streams.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.streams.space import Listed, Space

_PIECE = 256
"""Rows that are read at once, at most, where names may go in between: those behind a row after which some go are read again."""


def is_too_large(space: Space, most: int | None) -> bool:
    """Whether there are more names than are kept.

    Raises:
        InvalidData: for more columns by hash, which have their places for ever; other columns beyond the cap are names
            (`Space`).
    """
    if most is None or space.width <= most:
        return False
    if not space.named:
        words = f"rows have {space.width:,} columns by hash, which keep their places, and most_features is {most}"
        raise InvalidData(f"{words}; hash them to fewer (bits=), or leave most_features out")
    return True


def staying(evidence: FloatArray, most: int) -> npt.NDArray[np.int64]:
    """The places of the features that stay, in their order: three quarters of the most that are kept."""
    by_evidence = np.argsort(evidence, kind="stable")
    return np.sort(by_evidence[len(evidence) - (most - most // 4) :])


def pieces(space: Space, rows: Listed, span: slice, most: int) -> Iterator[tuple[range, _core.Batch]]:
    """The rows of a span as batches; each ends with its row that brings a name too many, if there is one.

    Whoever takes one learns it, and lets go of names, before the next is made.
    """
    begin, size = span.start, _PIECE
    while begin < span.stop:
        batch = space.batch(some(rows, range(begin, min(begin + size, span.stop))), grow=True)
        end = len(batch)
        if space.width > most:
            end = next(t for t in range(len(batch)) if batch[t].extent > most) + 1
            space.forget_behind(batch[end - 1].extent)
        yield range(begin, begin + end), batch
        begin, size = begin + end, min(2 * end, _PIECE)  # where names go after every row, few are read again


def some(rows: Listed, which: range) -> Listed:
    """These of the rows."""
    if isinstance(rows, _core.Batch):
        return rows.in_order(np.arange(which.start, which.stop))
    return rows.chosen(which) if isinstance(rows, Rows) else rows[which.start : which.stop]
