"""Tables of any kind as columns: frames of pandas and polars, Arrow tables, arrays, and lists of dicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeAlias, final, runtime_checkable

import numpy as np

from littlestone.errors import InvalidData
from littlestone.features.maker import as_list
from littlestone.streams.formats import listed

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray

Name: TypeAlias = str | int
Record: TypeAlias = Mapping[str, object] | Mapping[int, object] | Mapping[Name, object]


@runtime_checkable
class ColumnFrame(Protocol):
    """What is used of the frames of pandas and polars."""

    @property
    def columns(self) -> Iterable[str]:
        """The names of the columns."""
        ...

    def __len__(self) -> int:
        """How many rows there are."""
        ...


@runtime_checkable
class ArrowTable(Protocol):
    """What is used of the tables and record batches of Arrow."""

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        ...

    @property
    def num_rows(self) -> int:
        """How many rows there are."""
        ...

    def column(self, i: str) -> object:
        """A column by its name."""
        ...


Source: TypeAlias = "ColumnFrame | ArrowTable | npt.NDArray[np.generic] | Iterable[Record]"


@final
@dataclass(frozen=True)
class Table:
    """Columns by their names."""

    rows: int
    names: list[Name] | None
    """None where a column that no row has is one whose values are all missing: dicts."""
    get: Callable[[Name], object]

    def column(self, name: Name) -> object:
        """A column.

        Raises:
            InvalidData: if it is not there, or there twice.
        """
        if self.names is not None and self.names.count(name) != 1:
            found = "two columns have" if name in self.names else "no column has"
            raise InvalidData(f"{found} the name {name!r}; the columns are {listed([str(known) for known in self.names])}")
        return self.get(name)

    def values(self, name: Name) -> list[object]:
        """A column value by value, None where there is none.

        Raises:
            InvalidData: if the column is not there.
        """
        return as_list(self.column(name), f"column {name!r}")

    def numbers(self, name: Name) -> FloatArray:
        """A column of numbers, nan where there is none.

        Raises:
            InvalidData: if it holds anything else.
        """
        column = self.column(name)
        if hasattr(column, "__array__"):
            array = np.asarray(column)
            if array.dtype.kind in "biuf":
                return np.require(array, np.float64, ("C", "A"))
        return _counted(as_list(column, f"column {name!r}"), name)


def _counted(values: list[object], name: Name) -> FloatArray:
    """For the columns that are no plain array of numbers: one by one."""
    out = np.empty(len(values))
    for t, value in enumerate(values):
        if not isinstance(value, int | float | np.number | np.bool_ | None):
            raise InvalidData(f"row {t}: column {name!r}: got {value!r}; expected a number")
        out[t] = np.nan if value is None else value
    return out


def table_of(X: object) -> Table:
    """The columns of a frame, an Arrow table, a two-dimensional array (by position) or dicts.

    Raises:
        InvalidData: for anything else.
    """
    if isinstance(X, list):  # first: to ask for a protocol takes longer than to make a row
        return _records(X)
    if isinstance(X, ArrowTable):
        return Table(X.num_rows, list(X.column_names), lambda name: X.column(str(name)))
    if isinstance(X, np.ndarray):
        if X.ndim != 2:
            raise InvalidData(f"X has {X.ndim} dimensions; expected a two-dimensional array")
        return Table(len(X), list(range(X.shape[1])), lambda name: X[:, int(name)])
    if isinstance(X, ColumnFrame) and hasattr(X, "__getitem__"):
        return Table(len(X), list(X.columns), X.__getitem__)
    if isinstance(X, Mapping | str) or not isinstance(X, Iterable):
        kind = type(X).__name__
        raise InvalidData(f"X is a {kind}; expected a frame, an Arrow table, an array or a list of dicts")
    return _records(list(X))


def _records(records: list[object]) -> Table:
    for t, record in enumerate(records):
        if not isinstance(record, dict | Mapping):
            raise InvalidData(f"row {t}: got a {type(record).__name__}; expected a dict, a value for each column")
    return Table(len(records), None, partial(_gathered, records))


def _gathered(records: list[object], name: Name) -> list[object]:
    values = [record.get(name) for record in records if isinstance(record, dict | Mapping)]
    return [value.item() if isinstance(value, np.generic) else value for value in values]
