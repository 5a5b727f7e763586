"""The feature space of a learner: columns by position, or features by name that may appear at any time."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, final

from littlestone import _core
from littlestone.errors import InvalidData, NotApplicable
from littlestone.lazy import np
from littlestone.streams.batches import (
    Feature,
    Frame,
    Record,
    Sparse,
    dense_batch,
    frame_values,
    is_frame,
    is_missing,
    is_sparse,
    sparse_batch,
    sparse_row,
)
from littlestone.streams.recipe import Recipe
from littlestone.streams.rows import Rows
from littlestone.streams.scheme import NAMES, Scheme

if TYPE_CHECKING:
    import numpy.typing as npt

Fields: TypeAlias = Mapping[str, object]
"""A row of a table by its columns, for a learner that knows what they hold."""

Vector: TypeAlias = "Record | Fields | npt.NDArray[np.generic] | Sparse | Rows | list[float] | tuple[float, ...] | str"
"""One row: a dict, a one-dimensional array, a list of numbers, a sparse matrix of one row, the one row of some features, or a
string for a kernel that reads objects."""

Strings: TypeAlias = "list[str] | tuple[str, ...]"
"""Rows for a kernel that reads strings."""

Table: TypeAlias = (
    "npt.NDArray[np.generic] | Sparse | Frame | Rows | _core.Batch | Iterable[Record] | Iterable[Fields] "
    "| Iterable[Iterable[float]] | Strings"
)
"""Many rows: an array, a sparse matrix, a frame, rows of a file, a batch, dicts, lists of numbers, or strings."""


Listed: TypeAlias = "Sequence[Fields] | Sequence[Record] | Rows | _core.Batch"
"""Rows that name their features themselves, were it by the numbers of columns, so that some can be read before the others."""


_ANY_WIDTH = sys.maxsize
"""Of rows that may yet be of any width."""


@final
class Mark(NamedTuple):
    """How far a space has come."""

    names: int | None = None
    """How many names it knew; None without names."""
    width: int | None = None
    """Its width by position; None without one."""
    scheme: Scheme | None = None
    """That of its files."""
    recipe: Recipe | None = None
    """That of its tables."""
    hashed: Mapping[int, str] = MappingProxyType({})
    """The names of hashed features, where they are kept."""


@final
class Space:
    """Turns rows into batches. The first rows learned decide whether features have positions or names."""

    __slots__ = (
        "_hashed",
        "_indicates",
        "_least",
        "_most",
        "_names",
        "_objects",
        "_row",
        "_scheme",
        "_skips",
        "_width",
        "recipe",
    )

    def __init__(self, least: int = 0, *, objects: bool = False, missing: str = "error", most: int | None = None) -> None:
        self._skips, self._indicates = missing != "error", missing == "indicator"
        self._least = least
        self._most = most
        self._objects = objects
        self._scheme: Scheme | None = None
        self.recipe: Recipe | None = None
        self._hashed: Mapping[int, str] = {}
        self._names: _core.Features | None = None
        self._width: int | None = None
        self._row = _core.empty_batch()

    @property
    def _leaves_out(self) -> bool:
        """Whether what is missing in columns by number is left out; they have no names for an indicator."""
        return self._skips and not self._indicates

    @property
    def named(self) -> bool:
        """Whether features have names."""
        return self._names is not None

    @property
    def width(self) -> int:
        """How many features there are."""
        return len(self._names) if self._names is not None else self._width or 0

    @property
    def names(self) -> list[Feature]:
        """The features in the order of the weights."""
        if self._names is not None:
            return self._names.names()
        return [self._hashed.get(k, k) for k in range(self.width)] if self._hashed else list(range(self.width))

    def mark(self) -> Mark:
        """How far the space has come, to be able to go back."""
        names = len(self._names) if self._names is not None else None
        return Mark(names, self._width, self._scheme, self.recipe, self._hashed)

    def retreat(self, mark: Mark, table: _core.Features | None) -> None:
        """Goes back to a mark and the table of that time, after a call that was refused."""
        known, self._width, self._scheme, self.recipe, self._hashed = mark
        self._names = table
        if table is not None and known is not None:
            table.truncate(known)

    def forget_behind(self, count: int) -> None:
        """Forgets the names of rows that were read and are not to be learned yet."""
        assert self._names is not None
        self._names.truncate(count)

    def table_of(self, places: npt.NDArray[np.int64]) -> _core.Features:
        """A table of the names at these places alone, which `take` puts in the place of this one."""
        assert self._names is not None
        names, table = self._names.names(), _core.Features(skips_missing=self._skips)
        table.numbers([names[k] for k in places.tolist()], grow=True)
        return table

    def take(self, table: _core.Features) -> None:
        """Numbers features by this table from now on."""
        self._names = table

    def copy(self) -> Space:
        """A space of its own with the same features."""
        names = self.names if self.named else None
        missing = "indicator" if self._indicates else "skip" if self._skips else "error"
        return Space.restored(self.mark(), names, self._least, objects=self._objects, missing=missing, most=self._most)

    @staticmethod
    def restored(
        mark: Mark,
        names: list[Feature] | None,
        least: int = 0,
        *,
        objects: bool = False,
        missing: str = "error",
        most: int | None = None,
    ) -> Space:
        """A space with these names, or this width."""
        space = Space(least, objects=objects, missing=missing, most=most)
        _, space._width, space._scheme, space.recipe, space._hashed = mark
        if names is not None:
            space._names = _core.Features(skips_missing=space._skips)
            space._names.numbers(names, grow=True)
        return space

    @property
    def table(self) -> _core.Features | None:
        """The names and their numbers, where features have names."""
        return self._names

    def row(self, x: Vector, *, grow: bool) -> _core.Batch:
        """One row as a batch, good until the next; with `grow`, the row is to be learned and may bring new features."""
        if self._objects:
            return _core.object_batch([x])
        if type(x) is dict or isinstance(x, Mapping):
            if self._width is not None:
                return self._positioned([x])
            names = self._names if self._names is not None else self._features(grow)
            names.encode_row(self._record(x), grow, self._row)
            return self._row
        if is_sparse(x):
            return self._by_position(sparse_row(x, skip=self._leaves_out), grow)
        if isinstance(x, Rows):
            if len(x) != 1:
                raise InvalidData(f"there are {len(x)} rows; expected one row")
            return self._read(x, grow)
        return self._by_position(dense_batch(_one_row(x), skip=self._leaves_out), grow)

    def batch(self, rows: Table, *, grow: bool) -> _core.Batch:
        """Many rows as a batch; with `grow`, they are there to be learned and may bring new features."""
        if self._objects:
            return _core.object_batch(_objects(rows))
        if isinstance(rows, _core.Batch):
            return self._by_position(rows, grow)
        if is_sparse(rows):
            return self._by_position(sparse_batch(rows, skip=self._leaves_out), grow)
        if isinstance(rows, Rows):
            return self._read(rows, grow)
        if is_frame(rows):
            return self._framed(rows, grow)
        if isinstance(rows, np.ndarray | memoryview):
            return self._by_position(dense_batch(rows, skip=self._leaves_out), grow)
        if isinstance(rows, Mapping | str) or not isinstance(rows, Iterable):
            kind = type(rows).__name__
            raise NotApplicable(f"rows are a {kind}; expected an array, a sparse matrix, a frame or an iterable of dicts")
        return self._listed(list(rows), grow)

    def _listed(self, rows: list[Record] | list[Iterable[float]], grow: bool) -> _core.Batch:
        if not rows:
            return _core.dense_batch(np.zeros((0, self.width)))
        if not isinstance(rows[0], Mapping):
            return self._by_position(dense_batch(rows, skip=self._leaves_out), grow)
        if self._width is not None:
            return self._positioned(rows)
        return self._features(grow).encode([self._record(x) for x in rows], grow)

    def one_by_one(self, rows: Table) -> Listed:
        """Rows that name their features themselves, so that some can be read before the others.

        Raises:
            InvalidData: for the columns of a frame, which all rows have.
        """
        if isinstance(rows, Rows | _core.Batch):
            return rows
        if is_frame(rows) and self.recipe is not None and not self.recipe.plain():
            from littlestone.features.encoding import records

            known = [name for name in map(str, rows.columns) if name in self.recipe.columns]
            return [{str(name): value for name, value in record.items()} for record in records(rows, known)]
        if isinstance(rows, list | tuple):
            return list(rows)
        if is_sparse(rows):
            return sparse_batch(rows, skip=self._leaves_out)
        if isinstance(rows, np.ndarray | memoryview):
            return dense_batch(rows, skip=self._leaves_out)
        raise InvalidData(
            f"the columns of the {type(rows).__name__} are more names than most_features; give dicts, or a larger one"
        )

    @property
    def spreads(self) -> bool:
        """Whether a dict has columns that become several features, or features of other names."""
        return self._indicates or (self.recipe is not None and not self.recipe.plain())

    def _record(self, x: object) -> dict[Feature, float]:
        """A dict of features; of columns where the recipe of a table says what they hold."""
        record = x if type(x) is dict else _as_dict(x)
        if self.recipe is not None and not self.recipe.plain():
            from littlestone.features.encoding import spread

            record = spread(self.recipe, record)
        return record if not self._indicates else record | {f"{key}=?": 1.0 for key in record if is_missing(record[key])}

    def _features(self, grow: bool) -> _core.Features:
        if self._names is not None:
            return self._names
        fresh = _core.Features(skips_missing=self._skips)
        if grow:
            self._names = fresh
        return fresh

    def _names_columns(self, width: int) -> bool:
        """Whether the numbers of columns are names, so that some can go: where there are more of them than are kept."""
        if self._most is None or self._width is not None:
            return False
        return self._names.numbered if self._names is not None else width > self._most

    def _by_position(self, batch: _core.Batch, grow: bool) -> _core.Batch:
        if self._names_columns(batch.width):
            return self._features(grow).encode_columns(batch, grow)
        if self._names is not None:
            raise InvalidData("rows have no names; this learner knows its features by name: give it dicts or a frame")
        if self._scheme is not None and self._scheme.kind == "positions":
            self._widen(batch.width, grow)
            return batch
        if self._width is None and grow:
            self._width = batch.width
        if self._width is not None and batch.width != self._width:
            raise InvalidData(f"rows have {batch.width} features; this learner has learned rows of {self._width}")
        return batch

    def _widen(self, width: int, grow: bool) -> None:
        if grow:
            self._width = max(self._width or 0, self._least, width)

    def _read(self, rows: Rows, grow: bool) -> _core.Batch:
        """Rows of a file: numbered anew where features have names, or as they are."""
        if rows.chunk.lacks:
            self._check_missing(rows)
        if rows.recipe is not None:
            self._go_by(rows.recipe, grow)
        if rows.scheme.kind == "names":
            return self._renumbered(rows, grow)
        # How many columns a file has is known at its end only, and rows decide, not chunks: with a cap they are names.
        if rows.scheme.kind == "positions" and self._names_columns(_ANY_WIDTH):
            return self._features(grow).encode_columns(rows.chunk.batch(rows.width), grow)
        return self._in_place(rows, grow)

    def _in_place(self, rows: Rows, grow: bool) -> _core.Batch:
        """Rows of a file by position or by hash, as they are."""
        if self._names is not None or (self._width is not None and not self._fits(rows)):
            mine = self._scheme.words if self._scheme is not None else "known by their names" if self.named else "columns"
            raise InvalidData(f"the features of these rows are {rows.scheme.words}; those of this learner are {mine}")
        if self._width is None and grow:
            self._scheme = rows.scheme
        if self._scheme is not None:
            self._widen(rows.width, grow)
        new = rows.chunk.hashed_names if grow else {}
        if not new.keys() <= self._hashed.keys():
            self._hashed = new | dict(self._hashed)  # a new one, for marks hold the old
        return rows.chunk.batch(max(self.width, rows.width))

    def _check_missing(self, rows: Rows) -> None:
        """Refuses values that are missing where they must be there, or must be told of."""
        name = rows.chunk.first_missing
        if not (self._skips or rows.tolerant):
            row = int(np.flatnonzero(rows.chunk.missing)[0])
            raise InvalidData(f'row {row}: {name!r} has no value; values must be there, or missing="skip" leaves them out')
        if self._indicates and not rows.indicated:
            told = f"{name!r} has no value, and these rows do not tell of it"
            raise InvalidData(f"{told}; read them with indicator=True (--missing indicator)")

    def _go_by(self, recipe: Recipe, grow: bool) -> None:
        """Keeps the recipe of the first table that is learned; what another brings must agree with it."""
        known = recipe if self.recipe is None else self.recipe.joined(recipe)
        if grow:
            self.recipe = known

    def _fits(self, rows: Rows) -> bool:
        """Whether rows by position or hash belong to this space; columns of arrays are positions that do not grow."""
        if self._scheme is None:
            return rows.scheme.kind == "positions" and rows.width <= self.width
        return rows.scheme == self._scheme

    def _renumbered(self, rows: Rows, grow: bool) -> _core.Batch:
        if self._width is not None:
            raise InvalidData("rows have names; this learner knows its features by position")
        names = self._features(grow)
        numbers = names.numbers(rows.names, grow)
        return rows.chunk.renumbered(numbers, len(names))

    def _positioned(self, rows: Iterable[object]) -> _core.Batch:
        """Dicts for a learner of arrays: an integer k names column k."""
        start, index, value, missing = [0], list[int](), list[float](), list[int]()
        for t, x in enumerate(rows):
            record = _as_dict(x)
            gone = [key for key, number in record.items() if self._skips and is_missing(number)]
            missing.append(len(gone))
            for key in gone:
                del record[key]
            for key in record:
                if not isinstance(key, int) or not 0 <= key < self.width:
                    known = f"this learner has columns 0 to {self.width - 1}"
                    raise InvalidData(f"row {t}: feature {key!r} is not a column; {known}")
            index += sorted(key for key in record if isinstance(key, int))
            value += [_number(record[key], t, key) for key in index[start[-1] :]]
            start.append(len(index))
        if self._indicates and any(missing):
            raise InvalidData('a value is missing, and columns by number have no names to tell it by; give missing="skip"')
        batch = _core.sparse_batch(np.array(start), np.array(index, dtype=np.int64), np.array(value), self.width)
        if any(missing):
            batch.note_missing(np.array(missing, dtype=np.uint32))
        return batch

    def _framed(self, frame: Frame, grow: bool) -> _core.Batch:
        if self.recipe is not None:
            names = [str(name) for name in frame.columns]
            self.recipe.check(self.recipe.of_frame(names))
            if not self.recipe.plain():
                return self._by_recipe(frame, self.recipe, grow)
        names, values = frame_values(frame, skip=self._skips)
        self._check_shared(names, grow)
        if self._indicates:
            gone = np.isnan(values)
            names = [*names, *(f"{names[k]}=?" for k in np.flatnonzero(gone.any(axis=0)))]
            values = np.column_stack([values, gone[:, gone.any(axis=0)]])
        if self._width is not None:
            return self._by_position(dense_batch(values, skip=self._skips), grow)
        if len(set(names)) < len(names):
            raise InvalidData("two columns of the frame have the same name; names must be unique")
        known = self._features(grow)
        places = known.numbers(names, grow=grow)
        if np.array_equal(places, np.arange(len(names))):
            return dense_batch(values, skip=self._skips, names=known.hashes()[: len(names)])
        placed = np.zeros((len(values), len(known)), dtype=values.dtype)
        placed[:, places[places >= 0]] = values[:, places >= 0]
        return dense_batch(placed, skip=self._skips, names=known.hashes())

    def _check_shared(self, names: list[str], grow: bool) -> None:
        """Refuses to predict from a frame of which no column is known: every answer would be that to an empty row."""
        if grow or not self._names or (self._names.numbers(names, grow=False) >= 0).any():
            return
        new, known = (", ".join(map(repr, some[:6])) for some in (names, self.names))
        raise InvalidData(f"none of the columns {new} is known to this learner, which has learned {known}")

    def _by_recipe(self, frame: Frame, recipe: Recipe, grow: bool) -> _core.Batch:
        """A frame whose columns hold more than numbers."""
        from littlestone.features.encoding import encoded, records

        known = [name for name in map(str, frame.columns) if name in recipe.columns]
        if any(recipe.columns[name] == "date" for name in known) and self._scheme is None:
            return self._features(grow).encode([self._record(record) for record in records(frame, known)], grow)
        rows = encoded(recipe, frame, self._scheme or NAMES, skips=self._skips, indicates=self._indicates)
        return self._read(rows, grow)


def _objects(rows: object) -> list[object]:
    """Rows for a kernel that reads objects; a string is one of them, not many."""
    if isinstance(rows, str | bytes | Mapping) or not isinstance(rows, Iterable):
        raise NotApplicable(f"rows are a {type(rows).__name__}; expected a list of objects")
    return list(rows)


def _number(value: object, row: int, feature: Feature) -> float:
    if not isinstance(value, int | float | np.number | np.bool_):
        raise InvalidData(f"row {row}: feature {feature!r} has the value {value!r}; values must be numbers")
    return float(value)


def _one_row(x: object) -> npt.NDArray[np.generic]:
    try:
        array = np.asarray(x)
    except ValueError:
        raise InvalidData("the row is a list of lists of different lengths; expected one number per feature") from None
    if array.ndim != 1:
        raise InvalidData(f"the row has {array.ndim} dimensions; expected one row: a dict or a one-dimensional array")
    return array[np.newaxis, :]


def _as_dict(x: object) -> dict[Feature, float]:
    if not isinstance(x, Mapping):
        raise InvalidData(f"a row is {x!r}; expected a dict, as the rows before it")
    return dict(x)
