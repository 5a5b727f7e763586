"""Bytes from a path, a file object or standard input, decompressed beside the reader."""

from __future__ import annotations

import io
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeAlias, final

from littlestone.errors import InvalidData, InvalidParameter
from littlestone.outputs import path_of

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

    from littlestone.streams.pieces import Piece

Place: TypeAlias = "str | os.PathLike[str] | BinaryIO"

LONGEST_LINE = 1 << 26
"""A line longer than this many bytes is refused, so that no file can fill the memory."""

_GZIP = (b"\x1f\x8b",)
# Data, or notes that are passed over.
_ZSTD = (b"\x28\xb5\x2f\xfd", *(bytes([k]) + b"\x2a\x4d\x18" for k in range(0x50, 0x60)))
_BOM = b"\xef\xbb\xbf"
_LONGEST_MARK = 4
"""Bytes that tell how a file is compressed, or that it has a byte-order mark."""


@final
class Source:
    """Where bytes come from: a path ("-" is standard input) or a binary file object, which can be read once."""

    __slots__ = ("_file", "_used", "name", "path", "piece")

    def __init__(self, place: Place, piece: Piece | None = None) -> None:
        self.path: Path | None = None
        self.piece = piece
        """What of a text file is read; None is all of it."""
        self._file: BinaryIO | None = None
        self._used = False
        if isinstance(place, str | os.PathLike) and os.fspath(place) != "-":
            self.path = path_of(place)
            self.name = os.fsencode(self.path).decode("utf-8", "backslashreplace")  # a name may hold any bytes
        elif isinstance(place, str | os.PathLike):
            if sys.stdin is None:
                raise InvalidData("standard input is closed; give a file, or something to read")
            self._file, self.name = sys.stdin.buffer, "standard input"
        elif not hasattr(place, "read") or hasattr(place, "encoding"):
            raise InvalidParameter(f"the source is {place!r}; expected a path, '-' or a file opened in binary mode")
        else:
            self._file, self.name = place, str(getattr(place, "name", "the stream"))

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """The file at its beginning.

        Raises:
            InvalidData: if there is no such file, or a stream was read before.
        """
        if self._file is not None:
            if self._used:
                raise InvalidData(f"{self.name} was read before; a stream can be read once: give a path to read it again")
            self._used = True
            yield self._file
            return
        assert self.path is not None
        try:
            file = self.path.open("rb", buffering=0)
        except OSError as error:
            raise InvalidData(f"{self.name} cannot be read: {error.strerror}") from None
        with file:
            yield file

    def plain_text(self, file: BinaryIO, size: int) -> bytes | None:
        """What the text of a file on disk begins with, to the end of a line; the file is left at its beginning.

        None for any other source.

        Raises:
            InvalidData: if the file cannot be read.
        """
        if self.path is None or not self.path.is_file():
            return None
        first, _ = begun(_read(file, size, self.name), size)
        if first.startswith(_GZIP + _ZSTD):
            file.seek(0)
            return None
        mark = len(_BOM) if first.startswith(_BOM) else 0
        file.seek(mark)
        return first[mark:]

    def piece_blocks(self, file: BinaryIO, size: int, piece: Piece) -> Iterator[bytes]:
        """The bytes of a piece of a text file.

        Raises:
            InvalidData: if they cannot be read.
        """
        file.seek(piece.begin)
        left = piece.end - piece.begin
        for block in _read(file, size, self.name):
            yield block[:left]
            left -= len(block)
            if left <= 0:
                return

    def blocks(self, file: BinaryIO, size: int) -> Iterator[bytes]:
        """The bytes of a file, decompressed, without a byte-order mark, in blocks of about this size.

        Raises:
            InvalidData: if the bytes cannot be read or decompressed.
        """
        from littlestone.streams.ahead import ahead, as_they_come

        live = self._is_live(file)
        raw = _read(file, size, self.name, at_once=live)
        first = next(raw, b"")
        while len(first) < _LONGEST_MARK and (more := next(raw, b"")):
            first += more
        whole = _chained(first, raw)
        if first.startswith(_GZIP):
            whole = _gunzipped(whole, self.name)
        elif first.startswith(_ZSTD):
            whole = _unzstandard(whole, size, self.name)
        if live:
            return _unmarked(as_they_come(whole, size))
        plain = not first.startswith(_GZIP + _ZSTD)
        return _unmarked(_gathered(whole if plain and self.path is not None else ahead(whole), size))

    def _is_live(self, file: BinaryIO) -> bool:
        """Whether somebody may be writing line by line: into a pipe, a terminal or a socket."""
        try:
            return not stat.S_ISREG(os.fstat(file.fileno()).st_mode)
        except (OSError, ValueError, AttributeError):  # an object that only looks like a file
            return False


def begun(blocks: Iterator[bytes], size: int) -> tuple[bytes, list[bytes]]:
    """At least so many of the first bytes, as far as there are any, to the end of a line; and the blocks they came in."""
    seen, length = list[bytes](), 0
    for block in blocks:
        seen.append(block)
        length += len(block)
        paused = not block and any(b"\n" in before for before in seen)
        if paused or (length >= size and (b"\n" in block or length >= LONGEST_LINE)):
            break
    return b"".join(seen), seen


def _read(file: BinaryIO, size: int, name: str, *, at_once: bool = False) -> Iterator[bytes]:
    """The bytes; `at_once`, as soon as there are any, and not only when there are so many."""
    some: Callable[[int], bytes] = getattr(file, "read1", file.read) if at_once else file.read
    while True:
        try:
            block = some(size)
        except OSError as error:
            raise InvalidData(f"{name} cannot be read: {error.strerror}") from None
        if not block:
            return
        yield block


def _chained(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from rest


def _unmarked(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """The blocks without a byte-order mark."""
    yield next(blocks, b"").removeprefix(_BOM)
    yield from blocks


def _gathered(blocks: Iterator[bytes], size: int) -> Iterator[bytes]:
    """Small blocks put together until the size is reached."""
    parts, length = list[bytes](), 0
    try:
        for block in blocks:
            parts.append(block)
            length += len(block)
            if length >= size:
                break
        yield b"".join(parts)
        parts, length = [], 0
        for block in blocks:
            parts.append(block)
            length += len(block)
            if length >= size:
                yield b"".join(parts)
                parts, length = [], 0
        if parts:
            yield b"".join(parts)
    finally:
        close: Callable[[], None] | None = getattr(blocks, "close", None)
        if close is not None:
            close()


def _gunzipped(blocks: Iterable[bytes], name: str) -> Iterator[bytes]:
    """A gzip file may have several members, one behind another."""
    member, started = zlib.decompressobj(wbits=31), False
    try:
        for block in blocks:
            data = block
            while data:
                if member.eof:
                    data = data.lstrip(b"\0")
                    member, started = zlib.decompressobj(wbits=31), False
                    continue
                started = True
                yield member.decompress(data, 1 << 22)
                data = member.unused_data if member.eof else member.unconsumed_tail
    except zlib.error as error:
        raise InvalidData(f"{name} is not sound gzip: {error}") from None
    if started and not member.eof:
        raise InvalidData(f"{name} ends in the middle of its gzip data")


def _unzstandard(blocks: Iterator[bytes], size: int, name: str) -> Iterator[bytes]:
    try:
        import zstandard
    except ImportError:
        raise InvalidData(f"{name} is compressed by zstd; to read it, install the package zstandard") from None
    from littlestone.streams.frames import Frames

    frames = Frames()
    source = io.BufferedReader(_Joined(frames.watched(blocks)))
    try:
        with zstandard.ZstdDecompressor().stream_reader(source, read_across_frames=True) as stream:
            while block := stream.read(size):
                yield block
    except zstandard.ZstdError as error:
        raise InvalidData(f"{name} is not sound zstd: {error}") from None
    if not frames.whole:
        raise InvalidData(f"{name} ends in the middle of its zstd data")


@final
class _Joined(io.RawIOBase):
    """Blocks as a file."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        if not self._rest:
            self._rest = next(self._blocks, b"")
        count = min(len(view), len(self._rest))
        view[:count], self._rest = self._rest[:count], self._rest[count:]
        return count
