"""Partitions of a stream: what each of them holds, and how whoever learns it opens it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from sys import getsizeof
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast, final

import numpy as np

from littlestone.errors import InvalidData
from littlestone.streams.batches import dense_batch, is_frame, is_sparse, sparse_batch
from littlestone.streams.files import Reader, read
from littlestone.streams.formats import check_columns, label_column, listed
from littlestone.streams.intervals import NO_OUTCOME, Intervals, NoOutcome

if TYPE_CHECKING:
    from littlestone import _core
    from littlestone.labels import Label
    from littlestone.learner import Learner
    from littlestone.outcomes import OutcomesLike
    from littlestone.streams.batches import Frame
    from littlestone.streams.space import Table

Pieces: TypeAlias = "Iterable[tuple[Table, OutcomesLike]]"
"""What a partition is to whoever learns it: rows with their outcomes, in order."""

Partition: TypeAlias = "str | os.PathLike[str] | tuple[Table, OutcomesLike] | Table | Pieces | Tabular"
"""A path, a pattern or a directory; a pair (X, y); rows alone; a frame or an Arrow table with a column of labels; a reader."""


class Tabular(Protocol):
    """What is used of an Arrow table or a record batch."""

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        ...

    @property
    def num_rows(self) -> int:
        """How many rows there are."""
        ...


class _Chosen(Protocol):
    """What is used of a frame: some of its columns, or one."""

    def __getitem__(self, names: list[str] | str) -> Frame: ...


@final
@dataclass(frozen=True)
class Files:
    """Files on a disk that the worker sees: a path, a pattern, or a directory."""

    place: str
    label: str | int | None = None

    def __iter__(self) -> Iterator[tuple[Table, OutcomesLike]]:
        for path in files(self.place):
            yield from read(path, label=self.label, workers=1)  # there are as many readers as there are workers


@final
class Held:
    """Rows in memory and their outcomes, and from epoch to epoch what a check has found out of them."""

    __slots__ = ("X", "_checked", "y")

    def __init__(self, X: Table, y: OutcomesLike) -> None:
        self.X, self.y = X, y
        self._checked: dict[bool, _core.Batch] = {}

    def __iter__(self) -> Iterator[tuple[Table, OutcomesLike]]:
        yield self.X, self.y

    def read_by(self, learner: Learner) -> Pieces:
        """The rows for a learner: arrays as a batch, of which every row is checked when it is first learned and no more."""
        if learner.rule.abilities.takes_objects:
            return self
        skips = learner.missing == "skip"
        if skips not in self._checked and isinstance(self.X, np.ndarray):
            self._checked[skips] = dense_batch(self.X, skip=skips)
        if skips not in self._checked and is_sparse(self.X):
            self._checked[skips] = sparse_batch(self.X, skip=skips)
        return [(self._checked.get(skips, self.X), self.y)]

    def __reduce__(self) -> tuple[type[Held], tuple[Table, OutcomesLike]]:
        """Elsewhere the rows are checked anew."""
        return Held, (self.X, self.y)

    def __sizeof__(self) -> int:
        """In bytes, by which an engine knows what it would cost to move the rows."""
        return _bytes(self.X) + _bytes(self.y)


@final
@dataclass(frozen=True, eq=False)
class Tables:
    """Tables, one behind another, as engines hold them.

    Frames, Arrow tables, lists of dicts with the outcome under a key, or lists of pairs (x, y).
    """

    tables: Iterable[object]
    label: str | None
    features: tuple[str, ...] | None = None

    def __iter__(self) -> Iterator[tuple[Table, OutcomesLike]]:
        for table in self.tables:
            if is_frame(table):
                yield _cut(table, self.label, self.features)
            elif isinstance(table, list):
                yield from _records(table, self.label, self.features)
            else:
                from littlestone.streams.arrow import table_chunks

                yield from table_chunks(table, self.label, self.features)


@final
@dataclass(frozen=True)
class Elsewhere:
    """A partition that an engine holds; what it holds is filled in where the worker is."""

    label: str | None = None
    features: tuple[str, ...] | None = None

    def filled(self, tables: Iterable[object]) -> Pieces:
        """The same with its rows."""
        return Tables(tables, self.label, self.features)

    def held(self, *tables: object) -> Pieces:
        """The same with its rows, which stay from epoch to epoch: X and y, one table with both, or X alone."""
        if len(tables) == 2:
            return Held(cast("Table", tables[0]), np.asarray(tables[1]))
        (table,) = tables
        return Held(table, NO_OUTCOME) if isinstance(table, np.ndarray) or is_sparse(table) else self.filled(tables)

    def __iter__(self) -> Iterator[tuple[Table, OutcomesLike]]:
        raise InvalidData("its rows are with the engine; give the engine's own map")


def pieces_of(partition: Partition, label: str | None = None) -> Pieces:
    """A partition as whoever learns it takes it.

    Raises:
        InvalidData: for what is no partition.
    """
    if isinstance(partition, str | os.PathLike):
        return Files(os.fspath(partition), label)
    if isinstance(partition, tuple) and len(partition) == 2:
        return Held(*cast("tuple[Table, OutcomesLike]", partition))
    if is_frame(partition) or hasattr(partition, "column_names"):
        return Tables([partition], label)
    if isinstance(partition, np.ndarray) or is_sparse(partition):
        return Held(partition, NO_OUTCOME)
    if isinstance(partition, Iterable) and not isinstance(partition, list | dict | Iterator):
        return cast("Pieces", partition)
    words = "expected a path, a pair (X, y), an array, a frame, an Arrow table or a reader"
    raise InvalidData(f"a partition is a {type(partition).__name__}; {words}")


def place_of(pieces: Pieces) -> str:
    """Where the rows are, for a sentence; nothing where they are in memory."""
    if isinstance(pieces, Reader):
        return f" ({pieces.source.name})"
    return f" ({pieces.place})" if isinstance(pieces, Files) else ""


def files(place: str | os.PathLike[str]) -> list[str]:
    """The files of a path, a pattern, or a directory, in the order of their names.

    Raises:
        InvalidData: if there is none.
    """
    path = Path(place)
    if path.is_dir():
        return sorted(str(file) for file in path.rglob("*") if file.is_file() and not file.name.startswith((".", "_")))
    found = [path] if path.exists() else sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
    if not found:
        raise InvalidData(f"{place} is not there; give a file, a directory or a pattern that matches some")
    return [str(file) for file in found]


def _bytes(part: object) -> int:
    if is_sparse(part):
        rows = part.tocsr()
        return rows.data.nbytes + rows.indices.nbytes + rows.indptr.nbytes
    return part.nbytes if isinstance(part, np.ndarray) else getsizeof(part)


def _cut(frame: Frame, label: str | None, features: tuple[str, ...] | None) -> tuple[Table, OutcomesLike]:
    """The features and the outcomes of a frame."""
    names = [str(name) for name in frame.columns]
    column = label_column(label, names, "the table")
    outcome = None if column is None else names[column]
    kept = check_columns(names, features) if features is not None else [name for name in names if name != outcome]
    chosen = cast("_Chosen", frame)
    return chosen[kept], NO_OUTCOME if outcome is None else chosen[outcome].to_numpy()


def _records(rows: list[object], label: str | None, features: tuple[str, ...] | None) -> Iterator[tuple[Table, OutcomesLike]]:
    """Dicts with the outcome under a key, or pairs (x, y)."""
    if not rows:
        return
    if isinstance(rows[0], tuple):
        pairs = cast("list[tuple[Mapping[str, float], Label]]", rows)
        yield [x for x, _ in pairs], [y for _, y in pairs]
        return
    key = "label" if label is None else label
    records = cast("list[Mapping[str, float]]", rows)
    without = next((row for row, record in enumerate(records) if key not in record), None)
    if without is not None:
        raise InvalidData(f"row {without}: there is no {key!r}, the outcome; its keys are {listed(list(records[without]))}")
    wanted = None if features is None else set(features)
    yield (
        [{name: x for name, x in record.items() if name != key and (wanted is None or name in wanted)} for record in records],
        [record[key] for record in records],
    )


def labels_met(pieces: Pieces) -> list[Label]:
    """The labels of a partition in the order in which they are met."""
    met: dict[Label, None] = {}
    for piece in pieces:
        if not isinstance(piece, tuple) or len(piece) != 2:
            raise InvalidData(f"a partition holds a {type(piece).__name__}; expected pairs of rows and outcomes")
        y = piece[1]
        if isinstance(y, Intervals | NoOutcome):  # no label was given
            continue
        values = np.asarray(y)
        if values.dtype.kind != "O":
            _, first = np.unique(values, return_index=True)
            values = values[np.sort(first)]
        met |= dict.fromkeys(values.tolist())
    return list(met)
