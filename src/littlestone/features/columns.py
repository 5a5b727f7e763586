"""Tables as features: numbers, categories, texts, and products of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from littlestone.domain import Domain, check, parameter
from littlestone.errors import InvalidParameter
from littlestone.features.maker import BITS, FLAG, HASHING, MISSING, NORM, RANGE, Maker, Missing, Norm, Range, add_text
from littlestone.features.tables import Name, Record, Source, table_of

if TYPE_CHECKING:
    from littlestone import _core
    from littlestone.streams.scheme import Hashing


def _are_names(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(name, str | int) and not isinstance(name, bool) for name in value)


def _are_products(value: object) -> bool:
    return isinstance(value, tuple) and all(_are_names(names) and len(set(names)) == len(names) > 1 for names in value)


NAMES = Domain("a list of names of columns", _are_names)
PRODUCTS = Domain("a list of tuples of two or more different columns", _are_products)


@final
@dataclass(frozen=True, kw_only=True)
class Columns(Maker["Source", "Record"]):
    """The columns of a table: numbers as they are, a feature for each category, the words of texts, and products.

    The table is a frame of pandas or polars, an Arrow table or record batch, a list of dicts, or a two-dimensional array, whose
    columns go by position. Every column that is to be read is named.

    By name, the features are called as in files (`ls.read`): a number by its column, a category "city=Paris"; a word of a
    text "title=good", a run of its characters "title~goo", a product "city=Paris*age". By hash, they have the columns of files
    and of Vowpal Wabbit, where a product is `-q` or `--interactions`.

    Cost: one pass over the values, and O(features) per row.

    Args:
        numeric: columns of numbers or booleans.
        categorical: columns of strings, whole numbers or booleans, each value a feature that is 1; 3 and 3.0 are the same.
        text: columns of texts.
        interactions: tuples of columns; each gives the products of one feature from every column of it.
        words: of texts: runs of `least` to `most` words; None for none.
        characters: of texts: runs of `least` to `most` characters; None for none.
        lowercase: of texts: whether case makes no difference.
        bits: hash to 2^bits columns; None for features by name.
        hashing: "strings" takes a name of digits as the number it is, as Vowpal Wabbit does; "all" hashes every name.
        normalize: divide a row by its "l1" or "l2" norm or its largest value; a row without features stays empty.
        bias: a feature that is 1 in every row, behind the norm.
        missing: None and nan are an "error", or features that are absent in this row ("skip").

    Example:
        >>> import littlestone as ls
        >>> features = ls.features.Columns(numeric=["age"], categorical=["city"], interactions=[("city", "age")], bias=True)
        >>> rows = features([{"age": 31, "city": "Paris"}, {"age": 8, "city": "Rome"}])
        >>> rows.names
        ['age', 'city=Paris', 'city=Paris*age', 'constant', 'city=Rome', 'city=Rome*age']
        >>> rows.tocsr().toarray()[1]
        array([8., 0., 0., 1., 1., 8.])
    """

    numeric: Sequence[Name] = parameter((), domain=NAMES, why="only columns that are named are read")
    categorical: Sequence[Name] = parameter((), domain=NAMES, why="only columns that are named are read")
    text: Sequence[Name] = parameter((), domain=NAMES, why="only columns that are named are read")
    interactions: Sequence[tuple[Name, ...]] = parameter((), domain=PRODUCTS, why="products are many; say which")
    words: Range | None = parameter((1, 1), domain=RANGE, why="single words say most of what a text is about")
    characters: Range | None = parameter(None, domain=RANGE, why="many features; they help with spelling and endings")
    lowercase: bool = parameter(True, domain=FLAG, why="a word is the same at the start of a sentence")
    bits: int | None = parameter(None, domain=BITS, why="tables have few features, and names can be read")
    hashing: Hashing = parameter("strings", domain=HASHING, why="as in Vowpal Wabbit, and as in files")
    normalize: Norm | None = parameter(None, domain=NORM, why="values as they are")
    bias: bool = parameter(False, domain=FLAG, why="the theorems need none")
    missing: Missing = parameter("error", domain=MISSING, why="nothing is repaired silently")

    def __post_init__(self) -> None:
        """Checks the parameters, and keeps copies of the lists.

        Raises:
            InvalidParameter: if one is outside its domain, or a column is named twice or not at all.
        """
        for field in ("numeric", "categorical", "text", "interactions"):
            given = getattr(self, field)
            object.__setattr__(self, field, tuple(given) if isinstance(given, list | tuple) else given)
        check(self)
        self._check_names()
        if self.text and self.words is None and self.characters is None:
            raise InvalidParameter("Columns: words and characters are None; texts need at least one of them")

    def _check_names(self) -> None:
        named = self._named()
        if not named:
            raise InvalidParameter("Columns: no column is named; name some in numeric, categorical or text")
        twice = next((name for k, name in enumerate(named) if name in named[:k]), None)
        if twice is not None:
            raise InvalidParameter(f"Columns: the column {twice!r} is named twice; a column is of one kind")
        strange = next((name for product in self.interactions for name in product if name not in named), None)
        if strange is not None:
            raise InvalidParameter(f"Columns: interactions name {strange!r}, which is not among the columns")

    def _named(self) -> tuple[Name, ...]:
        return (*self.numeric, *self.categorical, *self.text)

    def _table(self, X: Source) -> _core.FeatureTable:
        given = table_of(X)
        table = self._empty_table(given.rows)
        for name in self.numeric:
            table.add_numbers(str(name), given.numbers(name))
        for name in self.categorical:
            table.add_categories(str(name), given.values(name))
        for name in self.text:
            texts = given.values(name)
            add_text(table, str(name), texts, words=self.words, characters=self.characters, lowercase=self.lowercase)
        for product in self.interactions:
            table.add_cross([self._named().index(name) for name in product])
        return table

    def _alone(self, x: Record) -> Source:
        return [x]
