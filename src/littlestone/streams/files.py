"""Files in: chunks of checked rows, parsed in threads beside whoever learns them."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, final

from littlestone.arguments import flag, is_one_of
from littlestone.errors import InvalidData, InvalidParameter
from littlestone.streams.caches import RECORD, beside, is_fresh, kept, origin
from littlestone.streams.formats import FORMATS, MISSING_VALUES, Format, Options, bound_format, detected_format, named_format
from littlestone.streams.parsing import PEEKED, Pace, Parsing, parsing
from littlestone.streams.rows import FileLabels, Rows, labels_of
from littlestone.streams.scheme import Hashing
from littlestone.streams.sources import Place, Source

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from littlestone.streams.loading import Loaded
    from littlestone.streams.recipe import Recipe

TextFormat: TypeAlias = Literal["svmlight", "vw", "csv", "tsv", "jsonl"]
FormatName: TypeAlias = Literal["svmlight", "vw", "csv", "tsv", "jsonl", "arrow", "cache"]

REMEMBERED = 100
"""Of the lines that were skipped, so many are remembered; all are counted."""


@final
class BadLine(NamedTuple):
    """A line that could not be read."""

    file: str
    line: int
    """Counted from 1."""
    text: str
    expected: str

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: got {self.text!r}; expected {self.expected}"


@final
class Chunk(NamedTuple):
    """Rows of a file and their labels: `for X, y in ls.read(...)`."""

    X: Rows
    y: npt.NDArray[np.generic]
    """Numbers (nan where a row has no label), words, or a mix of both as objects."""


@final
class Portion(NamedTuple):
    """Rows of a file and their labels, for whoever learns them: the array of these is made only where it is needed."""

    X: Rows
    y: FileLabels


@final
class Reader:
    r"""The chunks of a file, in order; iterating again reads it again.

    Example:
        >>> import io, littlestone as ls
        >>> text = io.BytesIO(b"+1 1:2 3:0.5\n-1 2:1\n")
        >>> [(X.shape, y.tolist()) for X, y in ls.read(text)]
        [((2, 4), [1.0, -1.0])]
    """

    def __init__(
        self, source: Source, format: str | None, options: Options, *, chunk: int, workers: int, cached: bool = False
    ) -> None:
        self.source = source
        self.format = format
        self.options = options
        self.chunk = chunk
        self.workers = workers
        self.cached = cached
        """Whether a parsed copy is kept beside the file."""
        self.skipped = 0
        """Malformed lines passed over in the last reading."""
        self.bad_lines: list[BadLine] = []
        """The first of them."""
        self._begun: Parsing | None = None
        self._waiting: tuple[Portion | None, Generator[Portion]] | None = None

    def peek(self) -> Portion | None:
        """The first rows, which the next reading begins with; None where the file has none."""
        if self._waiting is None:
            portions = self.portions()
            self._waiting = next(portions, None), portions
        return self._waiting[0]

    def __repr__(self) -> str:
        return f"Reader({self.source.name!r})"

    def __iter__(self) -> Iterator[Chunk]:
        with closing(self.portions()) as portions:
            for X, labels in portions:
                yield Chunk(X, labels.array)

    def portions(self) -> Generator[Portion]:
        """The chunks with their labels as the core has them, for whoever learns before NumPy is loaded.

        Raises:
            InvalidData: as iterating does.
        """
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            yield from filter(None, waiting[:1])
            yield from waiting[1]
            return
        self.skipped, self.bad_lines = 0, []
        if self._kind() == "arrow":
            yield from self._arrow()
            return
        self.begin()
        begun, self._begun = self._begun, None
        assert begun is not None
        line = begun.line
        with closing(begun.chunks):
            for chunk in begun.chunks:
                self._note(chunk.malformed, begun.name, line, skips=begun.bound.skips)
                told = self.options.indicates
                yield Portion(Rows(chunk, begun.bound.scheme, begun.bound.recipe, indicated=told), FileLabels(chunk))
                line += chunk.lines

    def begin(self) -> None:
        """Begins to read and parse the text, before the first chunk is asked for.

        Raises:
            InvalidData: if it cannot be read, or its format cannot be told.
        """
        if self._begun is not None or self._kind() == "arrow":
            return
        path = self.source.path
        copied = self.cached and path is not None and path.is_file()
        self._begun = self._copied(path) if path is not None and copied else self._parsing(self.chunk)

    def reads_as(self, other: Reader) -> bool:
        """Whether the other reads the same file on disk in the same way."""
        mine, its = (
            (reader.source.path, reader.format, reader.options, reader.chunk, reader.workers, reader.cached)
            for reader in (self, other)
        )
        return self.source.path is not None and mine == its

    def _parsing(self, chunk: int) -> Parsing:
        return parsing(self.source, self._bound, Pace(chunk, self.workers))

    def _copied(self, path: Path) -> Parsing:
        """The parsed copy of a file if it is fresh, and else the file, from which it is made."""
        copy, made_of = beside(path), origin(path, self.format, self.options)
        if is_fresh(copy, made_of):
            bound = partial(bound_format, "cache", options=Options(), file=str(copy))
            return parsing(Source(copy), bound, Pace(self.chunk, self.workers))
        begun = self._parsing(min(self.chunk, RECORD))
        return begun._replace(chunks=kept(begun.chunks, copy, begun.bound.scheme, made_of))

    def _arrow(self) -> Iterator[Portion]:
        from littlestone.streams.arrow import arrow_chunks

        line = 1
        with self.source.opened() as file:
            for chunk, scheme, y in arrow_chunks(file, self.source.path, self.source.name, self.options):
                self._note(chunk.malformed, self.source.name, line, skips=self.options.skips)
                yield Portion(Rows(chunk, scheme, indicated=self.options.indicates), FileLabels.given(y))
                line += chunk.lines

    def pieces(self, count: int) -> list[Reader]:
        """Readers of so many pieces of a text file on disk, of about the same size and of whole records, for `ls.epochs`.

        Raises:
            InvalidData: if the file is compressed, is a stream, or is no text.
        """
        source, kind = self.source, self._kind()
        with source.opened() as file:
            first = source.plain_text(file, PEEKED) if kind != "arrow" else None
            mark = file.tell() if first is not None else 0
        if first is None or source.path is None:
            raise InvalidData(f"{source.name} cannot be cut into pieces; give a plain text file, or as many files as workers")
        from littlestone.streams.pieces import cut

        bound, said = self._bound(first), kind or detected_format(first)
        if bound.sealed:
            raise InvalidData(f"{source.name} is a cache and cannot be cut into pieces; give the file that it was made of")
        found = cut(source.path, source.name, mark + bound.skipped_bytes, count, quoted=said == "csv")
        kept = self.options._replace(recipe=bound.recipe) if bound.recipe is not None else self.options
        options = self.options if self.options.recipe is not None or bound.recipe is None else kept
        return [Reader(Source(source.path, piece), said, options, chunk=self.chunk, workers=1, cached=False) for piece in found]

    def load(self) -> Loaded:
        """The whole file at once.

        Raises:
            InvalidData: as iterating does.
        """
        from littlestone.streams.loading import loaded

        # The length of a compressed file says nothing; then the arrays grow as they must.
        plain = self.source.path is not None and self.source.path.suffix not in (".gz", ".zst") and self.source.path.is_file()
        expected = self.source.path.stat().st_size // self.chunk + 1 if plain and self.source.path is not None else 0
        return loaded(self, expected)

    def _kind(self) -> str | None:
        return self.format or named_format(self.source.name)

    def _bound(self, first: bytes) -> Format:
        """The format, bound to this file; its name goes before its content."""
        if first.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise InvalidData(f"{self.source.name} is written in UTF-16; expected UTF-8: iconv -f UTF-16 -t UTF-8 writes it so")
        kind = self._kind() or detected_format(first)
        if kind != "cache" and not first.strip():
            kind = "svmlight"  # as good as any: there is no row
        if kind is None or kind == "arrow":
            known = ", ".join(sorted({*FORMATS, "arrow"}))
            raise InvalidData(f"the format of {self.source.name} cannot be told; say format=, one of {known}")
        return bound_format(kind, first, self.options, self.source.name)

    def _note(self, malformed: list[tuple[int, str, str]], name: str, line: int, *, skips: bool) -> None:
        """Counts and remembers the lines that could not be read, or refuses the first."""
        for number, expected, text in malformed:
            bad = BadLine(name, line + number, text, expected)
            if not skips:
                raise InvalidData(str(bad))
            self.skipped += 1
            if len(self.bad_lines) < REMEMBERED:
                self.bad_lines.append(bad)


def read(
    source: Place,
    *,
    format: FormatName | None = None,
    chunk: int = 1 << 18,
    on_error: Literal["raise", "skip"] = "raise",
    bits: int | None = None,
    hashing: Hashing = "strings",
    constant: bool = False,
    label: str | int | None = None,
    weight: str | int | None = None,
    ignore: Iterable[str] = (),
    categorical: Iterable[str] = (),
    text: Iterable[str] = (),
    date: Iterable[str] = (),
    header: bool | None = None,
    separator: str | None = None,
    missing_values: Iterable[str] = MISSING_VALUES,
    indicator: bool = False,
    recipe: Recipe | None = None,
    interactions: Iterable[str] = (),
    names: bool = False,
    workers: int | None = None,
    cache: bool = False,
) -> Reader:
    """Reads a file in chunks, in memory that does not grow with it; docs/reading.md has every option at length, and examples.

    Args:
        source: a path, "-" for standard input, or a file opened in binary mode; plain, gzip or zstd.
        format: "svmlight", "vw", "csv", "tsv", "jsonl" or "arrow"; None goes by the name and then by the content.
        chunk: bytes of text a chunk.
        on_error: "raise" stops at the first malformed line, "skip" passes over it, counts it and remembers it.
        bits: hash features to 2^bits columns; None: svmlight by position, tables and JSON by name, Vowpal Wabbit by 18 bits.
        hashing: "strings" takes a name of digits as its number, "all" hashes every name.
        constant: add a feature that is 1 in every row (11650396 by hash, 0 in svmlight, "constant" by name).
        label: the column or key of the label; also a column's position. None: one called label, target, class or y.
        weight: the column or key of the importance weight.
        ignore: columns or keys to leave out.
        categorical: columns whose values are categories even where they look like numbers.
        text: columns of texts (CSV): each word, in lower case, is a feature as a category is.
        date: columns of dates such as 2026-11-16 09:30 (CSV): years since 2000, month, day of the week and hour are features.
        header: whether the first record names the columns; None: it does if no field of it is a number.
        separator: what stands between fields; None: a comma, tab, semicolon or bar, the most frequent in the first line.
        missing_values: words or numbers that stand in a column of numbers for one that is not there (CSV), as an empty field.
        indicator: for a value that is missing, of a column "age", give the row a feature "age=?" that is 1.
        recipe: what the columns hold and which is the label, as another table was learned: `Learner.recipe`.
        interactions: products of namespaces by their first letters (Vowpal Wabbit's format): "ab", "aa", or "::" for all.
        names: keep the names of hashed features, so that weights can be shown by them.
        workers: parsing threads; None is one per core, at most 4.
        cache: keep a parsed copy beside a text file (.lsc), read in its place while file and options stay the same.

    Raises:
        InvalidParameter: for an option outside its domain.
        InvalidData: while reading, naming file, line and the offending text.
    """
    table = Options.of_table(label, weight, ignore, categorical, text, date, header, separator, missing_values, recipe)
    options = _hashed(table, bits, hashing, constant, interactions, names)._replace(indicates=indicator)
    return _reader(Source(source), format, options, on_error, chunk, workers, cache)


def _hashed(
    table: Options, bits: int | None, hashing: Hashing, constant: bool, interactions: Iterable[str], names: bool
) -> Options:
    if not is_one_of(hashing, ("strings", "all")):
        raise InvalidParameter(f'hashing is {hashing!r}; hashing must be one of "strings", "all"')
    told, products = flag("constant", constant), _letters(interactions)
    return table._replace(bits=bits, hashing=hashing, constant=told, interactions=products, names=names)


def _reader(
    source: Source, format: FormatName | None, options: Options, on_error: str, chunk: int, workers: int | None, cache: bool
) -> Reader:
    if format is not None and not is_one_of(format, (*FORMATS, "arrow")):
        raise InvalidParameter(f"format is {format!r}; format must be one of {', '.join([*FORMATS, 'arrow'])}, or None")
    if not is_one_of(on_error, ("raise", "skip")):
        raise InvalidParameter(f'on_error is {on_error!r}; on_error must be one of "raise", "skip"')
    options = options._replace(skips=on_error == "skip")
    threads = min(4, os.cpu_count() or 1) if workers is None else _whole("workers", workers, 64)
    made = Reader(source, format, options, chunk=_whole("chunk", chunk, 1 << 28), workers=threads, cached=cache)
    if cache and (options.interactions or options.names):
        raise InvalidParameter("cache is True; a copy holds neither interactions nor names of hashed features")
    if cache and (source.path is None or format == "arrow"):
        raise InvalidParameter(f"cache is True for {source.name}; a copy is kept beside a text file on disk")
    return made


def _letters(interactions: Iterable[str]) -> tuple[str, ...]:
    if isinstance(interactions, str):
        raise InvalidParameter(f"interactions is {interactions!r}; expected a list of them, such as [{interactions!r}]")
    return tuple(interactions)


def parse(
    text: bytes | bytearray | memoryview,
    format: TextFormat,
    *,
    bits: int | None = None,
    hashing: Hashing = "strings",
    constant: bool = False,
    label: str | int | None = None,
    weight: str | int | None = None,
    recipe: Recipe | None = None,
) -> Chunk:
    r"""The rows and labels of a text that is in memory: one line, or many. No thread is started and no file is opened.

    Args:
        text: whole records, as a file has them; a CSV has its header.
        format: "svmlight", "vw", "csv", "tsv" or "jsonl".
        bits: as for `ls.read`, and so the others.
        hashing: "strings" takes a name of digits as its number, "all" hashes every name.
        constant: add a feature that is 1 in every row.
        label: the column or key of the label.
        weight: the column or key of the importance weight.
        recipe: what the columns hold and which is the label, as another table was learned: `Learner.recipe`.

    Raises:
        InvalidParameter: for an option outside its domain.
        InvalidData: naming the first line that is malformed.

    Example:
        >>> import littlestone as ls
        >>> learner = ls.Learner(ls.Perceptron())
        >>> _ = learner.learn_many(*ls.parse(b'{"label": "spam", "offer": 1}\n{"label": "ham", "lunch": 1}', "jsonl"))
        >>> learner.predict_many(ls.parse(b'{"offer": 2}', "jsonl").X).tolist()
        ['spam']
    """
    kinds = ("svmlight", "vw", "csv", "tsv", "jsonl")
    if not is_one_of(format, kinds):
        raise InvalidParameter(f"format is {format!r}; format must be one of {', '.join(kinds)}")
    if not is_one_of(hashing, ("strings", "all")):
        raise InvalidParameter(f'hashing is {hashing!r}; hashing must be one of "strings", "all"')
    if not isinstance(text, bytes | bytearray | memoryview):
        raise InvalidData(f"the text is a {type(text).__name__}; expected bytes, such as text.encode()")
    options = Options(bits, hashing, flag("constant", constant), label, weight, recipe=recipe)
    content = memoryview(bytes(text) if isinstance(text, memoryview) else text)
    bound = bound_format(format, bytes(content[:PEEKED]), options, "the text")
    chunk = bound.parser.parse(content[bound.skipped_bytes :])
    if chunk.malformed:
        number, expected, got = chunk.malformed[0]
        line = bytes(content[: bound.skipped_bytes]).count(b"\n") + 1 + number
        raise InvalidData(str(BadLine("the text", line, got, expected)))
    return Chunk(Rows(chunk, bound.scheme, bound.recipe), labels_of(chunk))


def _whole(name: str, value: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise InvalidParameter(f"{name} is {value!r}; {name} must be a whole number, at least 1 and at most {most}")
    return value
