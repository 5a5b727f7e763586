"""Tables in memory by the recipe of a file: the same features, whatever shape the rows come in."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import TYPE_CHECKING, SupportsFloat, TypeAlias

import numpy as np

from littlestone import _core
from littlestone.errors import InvalidData
from littlestone.features.maker import add_text
from littlestone.features.tables import Table, table_of
from littlestone.streams.batches import Feature, is_missing
from littlestone.streams.rows import Rows
from littlestone.streams.scheme import NAMES

if TYPE_CHECKING:
    from littlestone.streams.recipe import Recipe
    from littlestone.streams.scheme import Scheme

_EPOCH = dt.date(2000, 1, 1)


def encoded(recipe: Recipe, X: object, scheme: Scheme, *, skips: bool, indicates: bool) -> Rows:
    """The rows of a table by a recipe without dates; columns that it does not know, or that the table lacks, are passed over.

    Raises:
        InvalidData: for a value that is not what its column holds, or one that is missing and not skipped.
    """
    given = table_of(X)
    table = _core.FeatureTable(given.rows, norm=0, skips_missing=skips)
    for name in given.names or []:
        _add_column(table, given, str(name), recipe)
    bits = scheme.bits if scheme.kind == "hash" else None
    hasher = _core.Hasher(bits=bits, hash_all=scheme.hashing == "all", constant=False, indicates=indicates)
    chunk = table.chunk(hasher)
    for row, expected, got in chunk.malformed:
        raise InvalidData(f"row {row}: {got or 'a value is too large'}; expected {expected}")
    return Rows(chunk, scheme, indicated=indicates)


def _add_column(table: _core.FeatureTable, given: Table, name: str, recipe: Recipe) -> None:
    match recipe.columns.get(name):
        case "number":
            numbers = given.numbers(name)
            table.add_numbers(name, np.where(np.isin(numbers, recipe.gaps), np.nan, numbers) if recipe.gaps else numbers)
        case "category":
            table.add_categories(name, given.values(name))
        case "text":
            add_text(table, name, given.values(name), words=(1, 1), characters=None, lowercase=True)
        case _:
            return


def records(frame: object, names: list[str]) -> list[dict[Feature, object]]:
    """The rows of a frame as dicts of these columns."""
    given = table_of(frame)
    columns = [given.values(name) for name in names]
    return [dict[Feature, object](zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def spread(recipe: Recipe, record: Mapping[Feature, object]) -> dict[Feature, float]:
    """A dict of columns as a dict of features; what is missing stays nan under the name of its column.

    Raises:
        InvalidData: for a value that is not what its column holds.
    """
    features: dict[Feature, float] = {}
    for name, value in record.items():
        held = recipe.columns.get(str(name), "category" if isinstance(value, str) else "number")
        if is_missing(value) or recipe.lacks(value, held):
            features[name] = np.nan
        elif held == "number":
            features[name] = _number(value, str(name))
        elif held == "category":
            features[f"{name}={_category(value)}"] = 1.0
        else:
            features.update(_several(str(name), value, held))
    return features


def _several(name: str, value: object, held: str) -> dict[str, float]:
    """The words of a text, or the parts of a date."""
    if held == "text":
        table = _core.FeatureTable(1, norm=0, skips_missing=False)
        add_text(table, name, [value], words=(1, 1), characters=None, lowercase=True)
        rows = Rows(table.chunk(_core.Hasher(bits=None, hash_all=False, constant=False)), NAMES)
        return dict(zip(rows.names, rows.chunk.value.tolist(), strict=True))
    part = _parts(value, name)
    assert part is not None
    years, month, weekday, hour = part
    clock = {} if hour is None else {f"{name}.hour={hour}": 1.0}
    return {f"{name}.years": years, f"{name}.month={month}": 1.0, f"{name}.weekday={weekday}": 1.0} | clock


def _number(value: object, name: str) -> float:
    if not isinstance(value, SupportsFloat):
        raise InvalidData(f"column {name!r}: got {value!r}; this learner has learned numbers from it")
    return float(value)


def _category(value: object) -> str:
    """As a file spells it: 3 and 3.0 are the same."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


Part: TypeAlias = tuple[float, int, int, int | None]


def _parts(value: object, name: str) -> Part | None:
    """Years since 2000, month, weekday and hour of a date, a time or its text; None where there is none.

    Raises:
        InvalidData: for anything else.
    """
    if is_missing(value) or value == "":
        return None
    try:
        moment = value if isinstance(value, dt.date) else dt.datetime.fromisoformat(str(value))
    except ValueError:
        raise InvalidData(f"column {name!r}: got {value!r}; expected a date such as 2026-11-16 or 2026-11-16 09:30") from None
    day = moment.date() if isinstance(moment, dt.datetime) else moment
    hour = moment.hour if isinstance(moment, dt.datetime) and not (isinstance(value, str) and len(value) == 10) else None
    return (day - _EPOCH).days / 365.25, day.month, day.weekday(), hour
