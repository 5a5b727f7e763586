"""What every maker of features does: many rows, one row, and the names behind the columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Generic, Literal, TypeAlias, TypeVar

from littlestone import _core
from littlestone.domain import Domain, choice, optional
from littlestone.errors import InvalidData, NotApplicable
from littlestone.streams.rows import Rows
from littlestone.streams.scheme import MOST_BITS, NAMES, Hashing, Scheme

Norm: TypeAlias = Literal["l1", "l2", "max"]
Missing: TypeAlias = Literal["error", "skip"]
Range: TypeAlias = tuple[int, int]

Many = TypeVar("Many")
One = TypeVar("One")

LONGEST_RUN = 16
_NORMS: dict[Norm | None, int] = {None: 0, "l1": 1, "l2": 2, "max": 3}


def _whole(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_range(value: object) -> bool:
    if not isinstance(value, tuple) or len(value) != 2:
        return False
    least, most = value
    return _whole(least, 1, LONGEST_RUN) and _whole(most, least, LONGEST_RUN)


RANGE = optional(Domain(f"a pair (least, most) with 1 ≤ least ≤ most ≤ {LONGEST_RUN}", _is_range))
BITS = optional(Domain(f"a whole number, at least 1 and at most {MOST_BITS}", lambda value: _whole(value, 1, MOST_BITS)))
HASHING = choice("strings", "all")
NORM = optional(choice("l1", "l2", "max"))
MISSING = choice("error", "skip")
FLAG = Domain("True or False", lambda value: isinstance(value, bool))


class Maker(ABC, Generic[Many, One]):
    """Makes rows of features; a frozen value that remembers nothing."""

    bits: int | None
    hashing: Hashing
    normalize: Norm | None
    bias: bool
    missing: Missing

    @abstractmethod
    def _table(self, X: Many) -> _core.FeatureTable:
        """The columns as the core takes them."""

    @abstractmethod
    def _alone(self, x: One) -> Many:
        """One row as many."""

    def __call__(self, X: Many) -> Rows:
        """The features of many rows, for `Learner.learn_many`; `.tocsr()` has them as a SciPy array.

        Raises:
            InvalidData: naming the row and the column that are not as they must be.
        """
        chunk = self._table(X).chunk(self._hasher())
        for row, expected, got in chunk.malformed:
            raise InvalidData(f"row {row}: {got or 'a value is too large'}; expected {expected}")
        return Rows(chunk, self.scheme, tolerant=True)

    def one(self, x: One) -> Rows:
        """The features of one row, for `Learner.learn_one`: the same as among many.

        Raises:
            InvalidData: as for many rows.
        """
        return self(self._alone(x))

    def names(self, X: Many) -> dict[int, list[str]]:
        """What stands behind the columns: the names of the features of these rows by the column they are hashed to.

        Raises:
            NotApplicable: without bits: the learner knows its features by name then.
        """
        if self.bits is None:
            raise NotApplicable("there are no bits; without them a learner knows its features by name")
        found: dict[int, list[str]] = {}
        for name, column in self._table(X).columns(self._hasher()):
            found.setdefault(column, []).append(name)
        return found

    @property
    def scheme(self) -> Scheme:
        """How features become columns."""
        return NAMES if self.bits is None else Scheme("hash", self.bits, self.hashing)

    def _hasher(self) -> _core.Hasher:
        return _core.Hasher(bits=self.bits, hash_all=self.hashing == "all", constant=self.bias)

    def _empty_table(self, rows: int) -> _core.FeatureTable:
        return _core.FeatureTable(rows, norm=_NORMS[self.normalize], skips_missing=self.missing == "skip")


def add_text(
    table: _core.FeatureTable,
    name: str,
    texts: list[object],
    *,
    words: Range | None,
    characters: Range | None,
    lowercase: bool,
) -> None:
    """Adds a column of texts; None where there are no runs of words or of characters."""
    (words_least, words_most), (characters_least, characters_most) = words or (1, 0), characters or (1, 0)
    table.add_text(
        name,
        texts,
        words_least=words_least,
        words_most=words_most,
        characters_least=characters_least,
        characters_most=characters_most,
        lowercase=lowercase,
    )


def as_list(values: object, what: str) -> list[object]:
    """The values of a list, an array, or a column of a frame or of Arrow, one by one.

    Raises:
        InvalidData: for anything else.
    """
    if isinstance(values, list):
        return values
    if hasattr(values, "notna") and hasattr(values, "astype"):  # pandas has several ways to say that nothing is there
        values = values.astype(object).where(values.notna(), None)
    for turned in ("to_pylist", "to_list", "tolist"):
        if hasattr(values, turned):
            values = getattr(values, turned)()
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InvalidData(f"{what} is a {type(values).__name__}; expected a list, an array or a column of a frame")
    return values if isinstance(values, list) else list(values)
