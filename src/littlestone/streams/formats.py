"""The text formats: how a text is cut into pieces at the ends of its records, and who parses them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.errors import InvalidData, InvalidParameter
from littlestone.streams.scheme import NAMES, POSITIONS, Scheme

if TYPE_CHECKING:
    from littlestone.arrays import ByteArray
    from littlestone.streams.scheme import Hashing

DEFAULT_BITS = 18
"""As in Vowpal Wabbit."""

_LABELS = ("label", "target", "class", "y")
_SEPARATORS = (",", "\t", ";", "|")


@final
@dataclass(frozen=True, kw_only=True)
class Options:
    """What is said of a file beyond its format; a format takes what has a meaning for it."""

    bits: int | None = None
    hashing: Hashing = "strings"
    constant: bool = False
    label: str | int | None = None
    weight: str | int | None = None
    ignore: frozenset[str] = field(default_factory=frozenset)
    categorical: frozenset[str] = field(default_factory=frozenset)
    header: bool | None = None
    separator: str | None = None
    skips: bool = False

    def hasher(self, scheme: Scheme) -> _core.Hasher:
        """The scheme as the parsers take it."""
        bits = scheme.bits if scheme.kind == "hash" else None
        return _core.Hasher(bits=bits, hash_all=scheme.hashing == "all", constant=self.constant)

    def by_name(self) -> Scheme:
        """By hash if there are bits, else by name."""
        return NAMES if self.bits is None else Scheme("hash", self.bits, self.hashing)


class Format(ABC):
    """A text format, bound to one file."""

    name: ClassVar[str]
    scheme: Scheme
    skipped_bytes: int = 0
    """What the format has read of the file already: its header."""

    @abstractmethod
    def parse(self, text: ByteArray) -> _core.Chunk:
        """The rows of a piece of whole records."""

    def cut(self, text: bytes) -> int:
        """Where the last whole record ends; 0 if none does."""
        return text.rfind(b"\n") + 1


@final
class Svmlight(Format):
    """`label index:value ...`: an index is a feature's number and its column."""

    name = "svmlight"

    def __init__(self, first: bytes, options: Options, file: str) -> None:
        if options.hashing == "all":
            raise InvalidParameter('hashing is "all"; svmlight features are numbers and are not hashed')
        self.scheme = POSITIONS if options.bits is None else Scheme("hash", options.bits)
        self._hasher, self._skips = options.hasher(self.scheme), options.skips

    def parse(self, text: ByteArray) -> _core.Chunk:
        """The rows of a piece of whole lines."""
        return _core.parse_svmlight(text, self._hasher, self._skips)


@final
class Vowpal(Format):
    """`label weight 'tag |namespace name:value ...`, hashed as Vowpal Wabbit does."""

    name = "vw"

    def __init__(self, first: bytes, options: Options, file: str) -> None:
        self.scheme = Scheme("hash", DEFAULT_BITS if options.bits is None else options.bits, options.hashing)
        self._hasher, self._skips = options.hasher(self.scheme), options.skips

    def parse(self, text: ByteArray) -> _core.Chunk:
        """The rows of a piece of whole lines."""
        return _core.parse_vowpal(text, self._hasher, self._skips)


@final
class JsonLines(Format):
    """An object a line: numbers are values, strings categories, nested names are joined by a point."""

    name = "jsonl"

    def __init__(self, first: bytes, options: Options, file: str) -> None:
        self.scheme = options.by_name()
        self._hasher, self._skips = options.hasher(self.scheme), options.skips
        self._label = "label" if options.label is None else str(options.label)
        self._weight = "weight" if options.weight is None else str(options.weight)
        self._ignored = sorted(options.ignore)

    def parse(self, text: ByteArray) -> _core.Chunk:
        """The rows of a piece of whole lines."""
        return _core.parse_json(text, self._label, self._weight, self._ignored, self._hasher, self._skips)


@final
class Csv(Format):
    """Fields between separators; a number is the value of its column's feature, any other text a category."""

    name = "csv"

    def __init__(self, first: bytes, options: Options, file: str) -> None:
        separator, quotes = _separation(first, options)
        bare = _core.CsvTable(separator, quotes, [], [])
        fields, end = bare.first_record(np.frombuffer(first, dtype=np.uint8))
        has_header = options.header if options.header is not None else all(_core.read_number(text) is None for text in fields)
        names = fields if has_header else [str(k) for k in range(len(fields))]
        self.skipped_bytes = end if has_header else 0
        self.scheme = options.by_name()
        self._table = _core.CsvTable(separator, quotes, names, _columns(names, options, file))
        self._hasher, self._skips = options.hasher(self.scheme), options.skips

    def cut(self, text: bytes) -> int:
        """Where the last whole record ends; a newline in quotes ends none."""
        return self._table.whole_records(np.frombuffer(text, dtype=np.uint8))

    def parse(self, text: ByteArray) -> _core.Chunk:
        """The rows of a piece of whole records."""
        return _core.parse_csv(text, self._table, self._hasher, self._skips)


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
    """The kind of each column, by the numbers of core/readers/readers.h."""
    if len(set(names)) < len(names):
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        raise InvalidData(f"{file}, line 1: the column {twice!r} is there twice; the names of columns must be unique")
    label = column_of(options.label, names, file, "label")
    weight = None if options.weight is None else column_of(options.weight, names, file, "weight")
    for name in (*options.ignore, *options.categorical):
        if name not in names:
            raise InvalidParameter(f"{file} has no column {name!r}; its columns are {listed(names)}")
    kinds = [4 if name in options.ignore else 1 if name in options.categorical else 0 for name in names]
    kinds[label] = 2
    if weight is not None:
        kinds[weight] = 3
    return kinds


def column_of(given: str | int | None, names: list[str], file: str, what: str) -> int:
    """The position of a column given by name or position; None looks for one of the usual names of labels.

    Raises:
        InvalidParameter: if there is none.
    """
    if given is None:
        known = [names.index(name) for name in _LABELS if name in names]
        if not known:
            raise InvalidParameter(f"{file} has no column {listed(list(_LABELS))}; say {what}=..., one of {listed(names)}")
        return known[0]
    if isinstance(given, str) and given in names:
        return names.index(given)
    if isinstance(given, int) and -len(names) <= given < len(names):
        return given % len(names)
    raise InvalidParameter(f"{file} has no column {given!r} for {what}; its columns are {listed(names)}")


def listed(names: list[str]) -> str:
    """The names in a sentence, a dozen at most."""
    shown = ", ".join(repr(name) for name in names[:12])
    return shown + (", ..." if len(names) > 12 else "")


FORMATS: dict[str, type[Svmlight] | type[Vowpal] | type[Csv] | type[JsonLines]] = {
    "svmlight": Svmlight,
    "vw": Vowpal,
    "csv": Csv,
    "tsv": Csv,
    "jsonl": JsonLines,
}

_SUFFIXES = {
    ".svm": "svmlight",
    ".svmlight": "svmlight",
    ".libsvm": "svmlight",
    ".vw": "vw",
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "arrow",
    ".arrow": "arrow",
    ".feather": "arrow",
}


def named_format(name: str) -> str | None:
    """The format that the name of a file tells, if it does."""
    suffixes = [part.lower() for part in name.split("/")[-1].split(".")[1:] if part.lower() not in ("gz", "zst")]
    return _SUFFIXES.get("." + suffixes[-1]) if suffixes else None


def detected_format(first: bytes) -> str | None:
    """The format that the first line with text tells, if it does."""
    if first.startswith((b"PAR1", b"ARROW1")):
        return "arrow"
    line = next((line.strip() for line in first.splitlines() if line.strip() and not line.startswith(b"#")), b"")
    if line.startswith(b"{"):
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
