"""The text formats: how a text is cut into pieces at the ends of its records, and who parses them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, final

from littlestone import _core
from littlestone.errors import InvalidData, InvalidParameter
from littlestone.streams.caches import MAGIC, SUFFIX, cache_head
from littlestone.streams.scheme import NAMES, POSITIONS, Scheme

if TYPE_CHECKING:
    from collections.abc import Iterable

    from littlestone.streams.recipe import Recipe
    from littlestone.streams.scheme import Hashing

DEFAULT_BITS = 18
"""As in Vowpal Wabbit."""

MISSING_VALUES = ("NA", "N/A", "nan", "NaN", "null", "None", "?")
"""What stands for a number that is not there, beside an empty field; in a column of texts only an empty field does."""

_LABELS = ("label", "target", "class", "y")
# In the order of `Column` in core/readers/readers.h.
_KINDS = ("feature", "category", "label", "weight", "ignored", "number", "text", "date")
_SEPARATORS = (",", "\t", ";", "|")


@final
class Options(NamedTuple):
    """What is said of a file beyond its format; a format takes what has a meaning for it."""

    bits: int | None = None
    hashing: Hashing = "strings"
    constant: bool = False
    label: str | int | None = None
    weight: str | int | None = None
    ignore: frozenset[str] = frozenset()
    categorical: frozenset[str] = frozenset()
    text: frozenset[str] = frozenset()
    date: frozenset[str] = frozenset()
    header: bool | None = None
    separator: str | None = None
    missing: tuple[str, ...] = MISSING_VALUES
    recipe: Recipe | None = None
    interactions: tuple[str, ...] = ()
    names: bool = False
    skips: bool = False
    indicates: bool = False

    @staticmethod
    def of_table(
        label: str | int | None,
        weight: str | int | None,
        ignore: Iterable[str],
        categorical: Iterable[str],
        text: Iterable[str],
        date: Iterable[str],
        header: bool | None,
        separator: str | None,
        missing: Iterable[str],
        recipe: Recipe | None,
    ) -> Options:
        """What `ls.read` is told of the columns of a table."""
        ignored, categories, texts, dates = (frozenset(named) for named in (ignore, categorical, text, date))
        known = Options(label=label, weight=weight, ignore=ignored, categorical=categories, text=texts, date=dates)
        return known._replace(header=header, separator=separator, missing=tuple(missing), recipe=recipe)

    def hasher(self, scheme: Scheme) -> _core.Hasher:
        """The scheme as the parsers take it."""
        bits = scheme.bits if scheme.kind == "hash" else None
        return _core.Hasher(
            bits=bits,
            hash_all=scheme.hashing == "all",
            constant=self.constant,
            interactions=list(scheme.interactions),
            names=self.names,
            indicates=self.indicates,
        )

    def by_name(self) -> Scheme:
        """By hash if there are bits, else by name."""
        return NAMES if self.bits is None else Scheme("hash", self.bits, self.hashing)


@final
class Format(NamedTuple):
    """A text format, bound to one file."""

    scheme: Scheme
    parser: _core.Parser
    skips: bool
    """Whether malformed records are passed over."""
    skipped_bytes: int = 0
    """What has been read of the file already: its header."""
    recipe: Recipe | None = None
    """What the columns hold, of a table."""
    sealed: bool = False
    """Whether there is a mark at its end, as caches have it."""


def svmlight(options: Options) -> Format:
    """`label index:value ...`: an index is a feature's number and its column.

    Raises:
        InvalidParameter: if features are to be hashed by name.
    """
    if options.hashing == "all":
        raise InvalidParameter('hashing is "all"; svmlight features are numbers and are not hashed')
    scheme = POSITIONS if options.bits is None else Scheme("hash", options.bits)
    return Format(scheme, _core.svmlight_parser(options.hasher(scheme), options.skips), options.skips)


def vowpal(options: Options) -> Format:
    """`label weight 'tag |namespace name:value ...`, hashed as Vowpal Wabbit does."""
    scheme = Scheme("hash", DEFAULT_BITS if options.bits is None else options.bits, options.hashing, options.interactions)
    return Format(scheme, _core.vowpal_parser(options.hasher(scheme), options.skips), options.skips)


def json_lines(options: Options) -> Format:
    """An object per line: numbers are values, strings categories, nested names are joined by a point.

    Columns that a recipe knows hold what it says.
    """
    scheme = options.by_name()
    known = None if options.recipe is None else options.recipe.label
    label = (known or "label") if options.label is None else str(options.label)
    held = {} if options.recipe is None else {name: _KINDS.index(kind) for name, kind in options.recipe.columns.items()}
    weight = "weight" if options.weight is None else str(options.weight)
    hasher = options.hasher(scheme)
    gaps = [] if options.recipe is None else list(options.recipe.missing)
    parser = _core.json_parser(label, weight, sorted(options.ignore), hasher, options.skips, held, gaps)
    return Format(scheme, parser, options.skips)


def csv(first: bytes, options: Options, file: str) -> Format:
    """Fields between separators. A column is one of numbers or of categories, as its first thousand fields tell.

    Raises:
        InvalidData: if two columns have one name.
        InvalidParameter: for a column that is not there.
    """
    separator, quotes = _separation(first, options)
    fields, end = _core.CsvTable(separator, quotes, [], [], []).first_record(first)
    has_header = options.header if options.header is not None else all(_core.read_number(text) is None for text in fields)
    names = fields if has_header else [str(k) for k in range(len(fields))]
    scheme = options.by_name()
    header = first[:end].rstrip(b"\r\n") if has_header else b""
    table = _core.CsvTable(separator, quotes, names, _columns(names, options, file), list(options.missing), header)
    table.settle(memoryview(first)[end if has_header else 0 :])
    for k in table.with_commas:
        said = f"categorical=[{names[k]!r}] takes them as categories"
        raise InvalidData(f"{file}: the column {names[k]!r} has numbers with a comma; write them with a point, or {said}")
    parser = _core.csv_parser(table, options.hasher(scheme), options.skips)
    return Format(scheme, parser, options.skips, end if has_header else 0, _recipe(names, table.kinds, options))


def tsv(first: bytes, options: Options, file: str) -> Format:
    """CSV between tabs, unless something else is said."""
    return csv(first, options if options.separator is not None else options._replace(separator="\t"), file)


def cache(first: bytes, options: Options, file: str) -> Format:
    """Chunks as they were parsed before; the first line says how their features became columns.

    Raises:
        InvalidData: if the first line is not that of a cache of this version.
    """
    scheme, length = cache_head(first, file)
    if options.bits not in (None, scheme.bits):
        raise InvalidParameter(f"bits is {options.bits}; the features of {file} are {scheme.words}")
    return Format(scheme, _core.cache_parser(scheme.kind == "names"), False, length, sealed=True)


def _separation(first: bytes, options: Options) -> tuple[str, bool]:
    """The separator, and whether fields may be in quotes: not between tabs, where a quote is a character."""
    if options.separator is not None and options.separator not in _SEPARATORS:
        raise InvalidParameter(
            f"separator is {options.separator!r}; separator must be one of {', '.join(map(repr, _SEPARATORS))}"
        )
    line = first.split(b"\n", 1)[0].decode("utf-8", "replace")
    separator = options.separator or max(_SEPARATORS, key=line.count)
    return separator, separator != "\t"


def _columns(names: list[str], options: Options, file: str) -> list[int]:
    """The kind of each column by its number."""
    check_distinct(names, f"{file}, line 1")
    there = set(names)
    label = label_column(options.label, names, file, options.recipe)
    weight = None if options.weight is None else column_of(options.weight, names, file, "weight")
    for name in (*options.ignore, *options.categorical, *options.text, *options.date):
        if name not in there:
            raise InvalidParameter(without(file, name, names, naming(options, name)))
    said = {"ignored": options.ignore, "category": options.categorical, "text": options.text, "date": options.date}
    known = {} if options.recipe is None else options.recipe.columns
    kinds = [next((kind for kind, named in said.items() if name in named), known.get(name, "feature")) for name in names]
    if label is not None:
        kinds[label] = "label"
    if weight is not None:
        kinds[weight] = "weight"
    return [_KINDS.index(kind) for kind in kinds]


def _recipe(names: list[str], kinds: list[int], options: Options) -> Recipe:
    """What the columns hold, as far as it is known."""
    held = {name: _KINDS[kind] for name, kind in zip(names, kinds, strict=True)}
    label = next((name for name, kind in held.items() if kind == "label"), None)
    from littlestone.streams.recipe import HELD, Recipe

    return Recipe({name: kind for name, kind in held.items() if kind in HELD}, label, options.missing)


def check_distinct(names: list[str], place: str) -> None:
    """Refuses two columns of one name.

    Raises:
        InvalidData: naming the first that is there twice.
    """
    seen = set[str]()
    for name in names:
        if name in seen:
            raise InvalidData(f"{place}: the column {name!r} is there twice; the names of columns must be unique")
        seen.add(name)


def label_column(given: str | int | None, names: list[str], file: str, recipe: Recipe | None = None) -> int | None:
    """The position of the label: as it was given, or of the first of the usual names that is there; rows may have none.

    Raises:
        InvalidParameter: if the column that was given is not there.
    """
    if given is not None:
        return column_of(given, names, file, "label")
    usual = _LABELS if recipe is None or recipe.label is None else (recipe.label,)
    return next((names.index(name) for name in usual if name in names), None)


def column_of(given: str | int, names: list[str], file: str, what: str) -> int:
    """The position of a column given by name or position.

    Raises:
        InvalidParameter: if there is none.
    """
    if isinstance(given, str) and given in names:
        return names.index(given)
    if isinstance(given, int) and -len(names) <= given < len(names):
        return given % len(names)
    raise InvalidParameter(without(file, given, names, what))


def naming(options: Options, name: str) -> str:
    """The option that names a column."""
    given = {"ignore": options.ignore, "categorical": options.categorical, "text": options.text, "date": options.date}
    return next(option for option, named in given.items() if name in named)


def without(file: str, given: str | int, names: list[str], option: str) -> str:
    """The sentence for a column that an option names and that is not there."""
    return f"{file} has no column {given!r}, which {option}= names; its columns are {listed(names)}"


def check_columns(names: list[str], wanted: Iterable[str]) -> list[str]:
    """The columns that are wanted.

    Raises:
        InvalidData: naming the first that is not there.
    """
    chosen = list(wanted)
    gone = next((name for name in chosen if name not in names), None)
    if gone is not None:
        raise InvalidData(f"there is no column {gone!r}; the columns are {listed(names)}")
    return chosen


def listed(names: list[str]) -> str:
    """The names in a sentence, a dozen at most."""
    shown = ", ".join(repr(name) for name in names[:12])
    return shown + (", ..." if len(names) > 12 else "")


_BY_LINES = {"svmlight": svmlight, "vw": vowpal, "jsonl": json_lines}
_WITH_HEAD = {"csv": csv, "tsv": tsv, "cache": cache}
FORMATS = (*_BY_LINES, *_WITH_HEAD)


def bound_format(kind: str, first: bytes, options: Options, file: str) -> Format:
    """A format bound to a file, which begins with these bytes.

    Raises:
        InvalidParameter: if products of namespaces are asked for, or columns are named, where there are none.
    """
    columns = {"ignore": options.ignore, "categorical": options.categorical, "text": options.text, "date": options.date}
    named = next((name for name in columns if columns[name]), None) if kind in ("svmlight", "vw") else None
    if named is not None:
        raise InvalidParameter(
            f"{named} is {sorted(columns[named])}; {file} is {kind}, which has no columns with names: leave out {named}="
        )
    if options.interactions and kind != "vw":
        raise InvalidParameter(
            f"interactions is {list(options.interactions)}; only Vowpal Wabbit's format has namespaces, and {file} is {kind}: "
            "ls.features.Columns makes products of columns"
        )
    return _BY_LINES[kind](options) if kind in _BY_LINES else _WITH_HEAD[kind](first, options, file)


_SUFFIXES = {
    ".svm": "svmlight",
    ".svmlight": "svmlight",
    ".libsvm": "svmlight",
    ".vw": "vw",
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "arrow",
    ".arrow": "arrow",
    ".feather": "arrow",
    SUFFIX: "cache",
}


def named_format(name: str) -> str | None:
    """The format that the name of a file tells, if it does."""
    suffixes = [part.lower() for part in name.split("/")[-1].split(".")[1:] if part.lower() not in ("gz", "zst")]
    return _SUFFIXES.get("." + suffixes[-1]) if suffixes else None


def detected_format(first: bytes) -> str | None:
    """The format that the first line with text tells, if it does."""
    if first.startswith((b"PAR1", b"ARROW1")):
        return "arrow"
    if first.startswith(MAGIC):
        return "cache"
    line = next((line.strip() for line in first.splitlines() if line.strip() and not line.startswith(b"#")), b"")
    if line.startswith((b"{", b"[")):
        return "jsonl"
    words = line.split()
    if len(words) > 1 and all(_is_entry(word) for word in words[1:3]) and _core.read_number(_text(words[0])) is not None:
        return "svmlight"
    if b"|" in line and b"," not in line.split(b"|", 1)[0]:
        return "vw"
    if b"\t" in line:
        return "tsv"
    return "csv" if b"," in line or b";" in line else None


def _is_entry(word: bytes) -> bool:
    index, _, value = word.partition(b":")
    return index == b"qid" or (index.isdigit() and _core.read_number(_text(value)) is not None)


def _text(word: bytes) -> str:
    return word.decode("utf-8", "replace")
