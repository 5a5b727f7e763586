"""Parquet and Arrow files, as the extra `arrow`; pyarrow is imported only when one is read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, BinaryIO, Protocol, TypeAlias, cast

import numpy as np

from littlestone import _core
from littlestone.errors import InvalidData, InvalidParameter, LittlestoneError
from littlestone.streams.formats import Options, check_columns, check_distinct, column_of, label_column, naming, without
from littlestone.streams.rows import Rows
from littlestone.streams.scheme import POSITIONS, Scheme

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.streams.batches import Sparse

ROWS = 1 << 14
"""Rows a chunk, unless the file has them in smaller pieces."""

_BLOCK = 1 << 22
"""Bytes that are read at once."""

Labels: TypeAlias = "npt.NDArray[np.generic]"


class _ArrowColumn(Protocol):
    """What is used of a column of pyarrow."""

    @property
    def type(self) -> object: ...
    @property
    def null_count(self) -> int: ...
    @property
    def indices(self) -> _ArrowColumn: ...
    @property
    def dictionary(self) -> _ArrowColumn: ...
    def flatten(self) -> _ArrowColumn: ...
    def cast(self, target: object) -> _ArrowColumn: ...
    def fill_null(self, value: float) -> _ArrowColumn: ...
    def dictionary_encode(self) -> _ArrowColumn: ...
    def to_pylist(self) -> list[object]: ...
    def to_numpy(self, *, zero_copy_only: bool) -> npt.NDArray[np.generic]: ...
    def field(self, name: str) -> _ArrowColumn: ...
    def __len__(self) -> int: ...


class _ArrowTable(Protocol):
    """What is used of a record batch of pyarrow."""

    @property
    def column_names(self) -> list[str]: ...
    @property
    def num_rows(self) -> int: ...
    def column(self, i: int) -> _ArrowColumn: ...
    def validate(self, *, full: bool) -> None: ...
    def select(self, columns: list[str]) -> _ArrowTable: ...


class _ArrowFile(Protocol):
    """What is used of a file of pyarrow."""

    def read(self, nbytes: int) -> bytes: ...
    def seek(self, position: int) -> int: ...


def arrow_chunks(
    file: BinaryIO, path: Path | None, name: str, options: Options
) -> Iterator[tuple[_core.Chunk, Scheme, Labels]]:
    """The rows of a file, which has a path where it is on disk, their scheme and their labels.

    Numbers and booleans are values, strings and dictionaries categories; a null (or nan) is nothing. A file with the
    list columns `indices` and `values` holds sparse rows by position.

    Raises:
        InvalidData: if pyarrow is not installed, or the file is not sound.
    """
    try:
        pyarrow = import_module("pyarrow")  # by name: it comes without types
    except ImportError:
        raise InvalidData(f"{name} is an Arrow or Parquet file; to read it, install littlestone[arrow]") from None
    try:
        for batch in _batches(_native(file, path)):
            batch.validate(full=True)  # offsets, codes and texts: pyarrow itself follows them wherever they point
            yield _chunk(batch, name, options)
    except (NotImplementedError, AttributeError) as error:
        raise InvalidData(f"{name} has a column of a kind that is not read: {error}; expected numbers or strings") from None
    except LittlestoneError:
        raise
    except (pyarrow.ArrowException, OSError, ValueError, OverflowError, MemoryError) as error:
        raise InvalidData(f"{name} is not a sound Arrow or Parquet file: {error or 'out of memory'}") from None


def table_chunks(
    table: object, label: str | None, features: tuple[str, ...] | None
) -> Iterator[tuple[Rows | Sparse | FloatArray, Labels]]:
    """The rows of a table or record batch of pyarrow and their outcomes.

    A single feature that is a list of numbers, or a vector of Spark, holds the whole row by position.

    Raises:
        InvalidData: for a column that is not there, or of a kind that is not read.
    """
    options = Options(label=label)
    for batch in cast("list[_ArrowTable]", getattr(table, "to_batches", lambda: [table])()):
        names = list(batch.column_names)
        column = label_column(label, names, "the table")
        if features is None:
            chunk, scheme, y = _chunk(batch, "the table", options)
            yield Rows(chunk, scheme), y
            continue
        outcome = [] if column is None else [names[column]]
        whole = batch.column(names.index(check_columns(names, features)[0]))
        if len(features) == 1 and _is_nested(whole):
            yield _by_position(whole), _outcomes(batch, column)
            continue
        chunk, scheme, y = _chunk(batch.select([*features, *outcome]), "the table", options)
        yield Rows(chunk, scheme), y


def _outcomes(batch: _ArrowTable, column: int | None) -> Labels:
    if column is None:
        return np.full(batch.num_rows, np.nan)
    return _numbers(batch.column(column)) if _is_number(batch.column(column)) else _words(batch.column(column))


def _is_nested(column: _ArrowColumn) -> bool:
    return bool(import_module("pyarrow.types").is_nested(column.type))


def _by_position(column: _ArrowColumn) -> Sparse | FloatArray:
    """Lists of numbers as an array; vectors of Spark, which are dense or sparse, as a sparse matrix."""
    if not import_module("pyarrow.types").is_struct(column.type):
        lengths = _lengths(column)
        if len(set(lengths.tolist())) > 1:
            raise InvalidData(f"the rows have {lengths.min()} to {lengths.max()} numbers; expected as many in each")
        return _numbers(column.flatten()).reshape(len(lengths), -1)
    from scipy.sparse import csr_array

    sizes, values = _numbers(column.field("size").fill_null(-1)), column.field("values")
    lengths = _lengths(values)
    width = int(np.where(sizes < 0, lengths, sizes).max(initial=0))
    start = np.concatenate([[0], np.cumsum(lengths)])
    index = np.arange(start[-1]) - np.repeat(start[:-1], lengths)  # of a dense vector: 0, 1, 2, ...
    sparse = np.repeat(sizes >= 0, lengths)
    index[sparse] = column.field("indices").flatten().to_numpy(zero_copy_only=False)
    return csr_array((_numbers(values.flatten()), index, start), shape=(len(lengths), width))


def _native(file: BinaryIO, path: Path | None) -> _ArrowFile:
    """The file as pyarrow has files of its own.

    Its threads would ask a file of Python for bytes, and let go of it, whenever they come to it: in an interpreter that
    ends meanwhile, that aborts the process. So what is not on disk is read here, in the thread of whoever asks.
    """
    pyarrow = import_module("pyarrow")
    opened: _ArrowFile
    if path is not None and file.seekable():
        opened = pyarrow.OSFile(os.fsencode(path))
        return opened
    memory = pyarrow.BufferOutputStream()
    while block := file.read(_BLOCK):
        memory.write(block)
    opened = pyarrow.BufferReader(memory.getvalue())
    return opened


def _batches(source: _ArrowFile) -> Iterator[_ArrowTable]:
    ipc, parquet = import_module("pyarrow.ipc"), import_module("pyarrow.parquet")
    magic = source.read(6)
    source.seek(0)
    if magic.startswith(b"PAR1"):
        yield from parquet.ParquetFile(source).iter_batches(batch_size=ROWS)
        return
    if magic == b"ARROW1":
        opened = ipc.open_file(source)
        yield from (opened.get_batch(k) for k in range(opened.num_record_batches))
        return
    yield from ipc.open_stream(source)


def _chunk(batch: _ArrowTable, name: str, options: Options) -> tuple[_core.Chunk, Scheme, Labels]:
    names = list(batch.column_names)
    check_distinct(names, name)
    for given in (*options.ignore, *options.categorical):
        if given not in names:
            raise InvalidParameter(without(name, given, names, naming(options, given)))
    label = label_column(options.label, names, name)
    weight = None if options.weight is None else column_of(options.weight, names, name, "weight")
    counted = label is None or _is_number(batch.column(label))
    numeric = np.full(batch.num_rows, np.nan) if label is None or not counted else _numbers(batch.column(label))
    weights = None if weight is None else _numbers(batch.column(weight))
    features = [k for k, column in enumerate(names) if k not in (label, weight) and column not in options.ignore]
    chunk, scheme = _rows(batch, features, numeric, weights, options, name)
    if label is None or counted:
        return chunk, scheme, chunk.label
    return chunk, scheme, np.delete(_words(batch.column(label)), [row for row, _, _ in chunk.malformed])


def _rows(
    batch: _ArrowTable, features: list[int], labels: FloatArray, weights: FloatArray | None, options: Options, name: str
) -> tuple[_core.Chunk, Scheme]:
    names = [batch.column_names[k] for k in features]
    if set(names) == {"indices", "values"}:
        scheme = POSITIONS if options.bits is None else Scheme("hash", options.bits)
        index, value = (batch.column(features[names.index(column)]) for column in ("indices", "values"))
        lists = _lists(index, value, name)
        return _core.lists_chunk(*lists, labels, weights, options.hasher(scheme), options.skips), scheme
    scheme = options.by_name()
    numbers, categories = list[tuple[str, "FloatArray"]](), list[tuple[str, "npt.NDArray[np.int32]", list[str]]]()
    for k, column in zip(features, names, strict=True):
        if _is_number(batch.column(k)) and column not in options.categorical:
            numbers.append((column, _numbers(batch.column(k))))
        else:
            categories.append((column, *_categories(batch.column(k), column, name)))
    return _core.columns_chunk(numbers, categories, labels, weights, options.hasher(scheme), options.skips), scheme


def _lists(
    index: _ArrowColumn, value: _ArrowColumn, name: str
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], FloatArray]:
    """Where the rows begin, their features and their values; a null is a row without features.

    Raises:
        InvalidData: if a row has more of one than of the other, or a feature is not a whole number.
    """
    pyarrow = import_module("pyarrow")

    lengths, others = _lengths(index), _lengths(value)
    if (lengths != others).any():
        row = int(np.flatnonzero(lengths != others)[0])
        got = f"{lengths[row]} indices and {others[row]} values"
        raise InvalidData(f"{name}, row {row} of a batch: got {got}; expected as many of the one as of the other")
    start = np.concatenate([[0], np.cumsum(lengths)])
    features, kinds = index.flatten(), import_module("pyarrow.types")
    if start[-1] > np.iinfo(np.int32).max or not kinds.is_integer(features.type) or features.null_count:
        expected = "expected lists of whole numbers, without nulls"
        raise InvalidData(f"{name}: the column 'indices' holds {index.type}; {expected}")
    whole = features.cast(pyarrow.int64()).to_numpy(zero_copy_only=False)
    return start.astype(np.int32), np.ascontiguousarray(whole, dtype=np.int64), _numbers(value.flatten())


def _lengths(column: _ArrowColumn) -> npt.NDArray[np.int64]:
    """The entries of each list; of a null, none."""
    compute = import_module("pyarrow.compute")
    return np.asarray(compute.list_value_length(column).fill_null(0).to_numpy(zero_copy_only=False), dtype=np.int64)


def _is_number(column: _ArrowColumn) -> bool:
    kinds = import_module("pyarrow.types")

    kind = column.type
    return bool(kinds.is_integer(kind) or kinds.is_floating(kind) or kinds.is_boolean(kind) or kinds.is_decimal(kind))


def _numbers(column: _ArrowColumn) -> FloatArray:
    pyarrow = import_module("pyarrow")

    values = column.cast(pyarrow.float64()).fill_null(np.nan).to_numpy(zero_copy_only=False)
    return np.ascontiguousarray(values, dtype=np.float64)


def _categories(column: _ArrowColumn, what: str, name: str) -> tuple[npt.NDArray[np.int32], list[str]]:
    kinds = import_module("pyarrow.types")

    kind = column.type
    if not kinds.is_dictionary(kind):
        column = column.dictionary_encode()
    words = column.dictionary.to_pylist()
    if kinds.is_nested(kind):
        raise InvalidData(f"{name}: the column {what!r} holds {kind}; expected numbers or strings")
    codes = column.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return np.ascontiguousarray(codes, dtype=np.int32), [str(word) for word in words]


def _words(column: _ArrowColumn) -> Labels:
    return np.array([np.nan if word is None else word for word in column.to_pylist()], dtype=object)
