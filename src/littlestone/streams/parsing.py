"""Text into chunks, parsed in threads beside whoever learns them: a file on disk by the core alone, a stream of blocks here."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeAlias, final

from littlestone import _core
from littlestone.errors import InvalidData, NotApplicable
from littlestone.streams.caches import whole
from littlestone.streams.sources import LONGEST_LINE, begun

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from littlestone.streams.formats import Format
    from littlestone.streams.pieces import Piece
    from littlestone.streams.sources import Source

PEEKED = 1 << 20
"""So many bytes are looked at to find the format and the names of columns."""

# So many chunks may wait for whoever learns them; more take memory, and leave the caches before they are learned.
_AHEAD = 6

Bind: TypeAlias = "Callable[[bytes], Format]"
"""The format of a file, bound to it by what it begins with."""


@final
class Pace(NamedTuple):
    """Bytes of text a chunk, and threads that parse."""

    chunk: int
    workers: int


@final
class Parsing(NamedTuple):
    """Chunks on their way."""

    name: str
    bound: Format
    line: int
    """The number of the first line behind the header."""
    chunks: Generator[_core.Chunk]


def parsing(source: Source, bind: Bind, pace: Pace) -> Parsing:
    """Begins to read and parse.

    Raises:
        InvalidData: if the file cannot be read, or its format cannot be told; the chunks raise it later on.
    """
    with ExitStack() as stack:
        file = stack.enter_context(source.opened())
        first = source.plain_text(file, PEEKED)
        if first is not None:
            bound = bind(first)
            if source.piece is not None:
                return _piece(source, source.piece, bound, file, pace, stack.pop_all())
            file.seek(bound.skipped_bytes, os.SEEK_CUR)
            chunks = _piped(_pipeline(file, bound, pace), source.name, stack.pop_all())
        else:
            blocks = source.blocks(file, pace.chunk)
            first, seen = begun(blocks, PEEKED)
            bound = bind(first[: first.rfind(b"\n") + 1] or first)
            chunks = _pooled(bound, chain(seen, blocks), source.name, pace.workers, stack.pop_all())
    if bound.sealed:
        chunks = whole(chunks, source.name)
    return Parsing(
        source.name, bound, first[: bound.skipped_bytes].count(b"\n") + 1, _of_one_process(chunks, source.name, os.getpid())
    )


def _of_one_process(chunks: Generator[_core.Chunk], name: str, process: int) -> Generator[_core.Chunk]:
    """The chunks; a process that was forked meanwhile has none of the threads that make them."""
    with closing(chunks):
        while True:
            if os.getpid() != process:
                raise NotApplicable(f"{name} was being read when this process was forked; read it anew, with ls.read")
            if (chunk := next(chunks, None)) is None:
                return
            yield chunk


def _piece(source: Source, piece: Piece, bound: Format, file: BinaryIO, pace: Pace, opened: ExitStack) -> Parsing:
    """A piece of a file, which is parsed as the whole is, in the thread that asks: its workers are many already."""
    plain = bound._replace(skipped_bytes=0)
    blocks = source.piece_blocks(file, pace.chunk, piece)
    chunks = _pooled(plain, blocks, source.name, pace.workers, opened)
    return Parsing(source.name, bound, piece.line, _of_one_process(chunks, source.name, os.getpid()))


def _pipeline(file: BinaryIO, bound: Format, pace: Pace) -> _core.Pipeline:
    ahead = _AHEAD * pace.chunk
    return _core.Pipeline(file.fileno(), bound.parser, chunk=pace.chunk, ahead=ahead, record=LONGEST_LINE, workers=pace.workers)


def _piped(pipeline: _core.Pipeline, name: str, opened: ExitStack) -> Generator[_core.Chunk]:
    with opened:
        try:
            while (chunk := pipeline.next(name)) is not None:
                yield chunk
        finally:
            pipeline.close()


def _pooled(bound: Format, blocks: Iterator[bytes], name: str, workers: int, opened: ExitStack) -> Generator[_core.Chunk]:
    from concurrent.futures import ThreadPoolExecutor

    pending: deque[Callable[[], _core.Chunk]] = deque()
    with opened:
        pool = ThreadPoolExecutor(workers, thread_name_prefix="littlestone-parse")
        try:
            for text in _pieces(bound, blocks, name):
                if not text:  # whoever writes may be waiting for an answer
                    while pending:
                        yield pending.popleft()()
                    continue
                pending.append(_begun(pool, bound.parser, text))
                if len(pending) > workers:
                    yield pending.popleft()()
            while pending:
                yield pending.popleft()()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _begun(pool: ThreadPoolExecutor, parser: _core.Parser, text: memoryview) -> Callable[[], _core.Chunk]:
    """A chunk that a thread parses, or, where the system gives none, whoever asks for it."""
    try:
        return pool.submit(parser.parse, text).result
    except RuntimeError:
        return partial(parser.parse, text)


def _pieces(bound: Format, blocks: Iterator[bytes], name: str) -> Iterator[memoryview]:
    """The text behind the header in pieces of whole records; an empty one where the writer of a pipe pauses."""
    text, header = b"", bound.skipped_bytes
    for block in blocks:
        end = bound.parser.cut(text)
        if end:
            yield memoryview(text)[:end]
        text = text[end:] + block[header:]
        header = max(0, header - len(block))
        if not block:
            yield memoryview(b"")
        if len(text) > LONGEST_LINE + len(block):
            raise InvalidData(f"{name} has a line longer than {LONGEST_LINE >> 20} MB; is it a text file?")
    if text:
        yield memoryview(text)
