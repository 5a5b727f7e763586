"""Records in a segment: what is written, and how it is found again.

A segment, numbers little-endian::

    8   magic 89 4C 53 4A 0D 0A 1A 0A
    4   version of the format
    4   CRC-32 of the 16 bytes that follow and of the 12 before
    8   salt, drawn when the segment was begun
    8   sequence number of its first record
        records, each at a multiple of 8 bytes
        zeros

A record::

    4   CRC-32 of the salt, the rest of this head, and the body
    4   length of the body, never 0
    8   sequence number
    8   time in microseconds since 1970, as it was when the record was written
    8   sequence number of the first record of its commit: those that were synced together
        body

The salt keeps a record of another segment, or one that somebody sent as data, from being taken for a record of this one.
A commit is written only after the one before it was synced. So when a record is bad and a sound one of a *later* commit
lies behind it, something that was acknowledged is damaged; with nothing but its own commit behind it, it is the torn tail of
a write that nobody was told of.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple, final

import numpy as np

from littlestone.errors import InvalidData

MAGIC = b"\x89LSJ\r\n\x1a\n"
VERSION = 1
BEGIN = 32
"""Where the first record of a segment lies."""

_TITLE = struct.Struct("<8sI")
_ORIGIN = struct.Struct("<QQ")
_WORD = struct.Struct("<I")
_HEAD = struct.Struct("<IIQQQ")
_SIGNED = struct.Struct("<IQQQ")


@final
class Origin(NamedTuple):
    """How a segment begins."""

    salt: int
    first: int
    """The sequence number of its first record."""


@final
class Record(NamedTuple):
    """What is written, and when."""

    sequence: int
    time: int
    """In microseconds since 1970."""
    commit: int
    body: bytes


def title(origin: Origin) -> bytes:
    """The first bytes of a segment."""
    named, told = _TITLE.pack(MAGIC, VERSION), _ORIGIN.pack(*origin)
    return named + _WORD.pack(zlib.crc32(told, zlib.crc32(named))) + told


def origin(name: str, content: memoryview) -> Origin:
    """What the first bytes say.

    Raises:
        InvalidData: if they are not those of a segment, or have changed.
    """
    if len(content) < BEGIN or content[:8] != MAGIC:
        raise InvalidData(f"{name} is not a segment of a journal")
    named, told = content[: _TITLE.size], content[_TITLE.size + 4 : BEGIN]
    if content[_TITLE.size : _TITLE.size + 4] != _WORD.pack(zlib.crc32(told, zlib.crc32(named))):
        raise InvalidData(f"{name} is damaged: its first bytes have changed since it was written")
    version = _TITLE.unpack(named)[1]
    if version != VERSION:
        raise InvalidData(f"{name} has format version {version}; this library reads version {VERSION}")
    return Origin(*_ORIGIN.unpack(told))


def packed(salt: int, record: Record) -> bytes:
    """A record as it is written."""
    sequence, time, commit, body = record
    told = _SIGNED.pack(len(body), sequence, time, commit) + body
    return _WORD.pack(zlib.crc32(told, _seed(salt))) + told + bytes(-len(body) % 8)


def size(body: bytes) -> int:
    """How many bytes a record takes."""
    return _HEAD.size + len(body) + -len(body) % 8


@final
class Scan:
    """Goes through the records of a segment, up to the first that is bad; `next` is then the number that it should have had."""

    def __init__(self, name: str, content: memoryview) -> None:
        self.name = name
        self._content = content
        self.origin = origin(name, content)
        self.next = self.origin.first
        self.offset = BEGIN

    def __iter__(self) -> Iterator[Record]:
        """Yields the sound records in order."""
        content, seed, room = self._content, _seed(self.origin.salt), len(self._content) - _HEAD.size
        crc, unpack, offset, head = zlib.crc32, _HEAD.unpack_from, self.offset, _HEAD.size
        while offset <= room:
            checksum, length, sequence, time, commit = unpack(content, offset)
            end = offset + head + length
            told = content[offset + 4 : end]
            if sequence != self.next or not length or crc(told, seed) != checksum:
                return
            self.offset = offset = end + -length % 8
            self.next = sequence + 1
            yield Record(sequence, time, commit, told[_SIGNED.size :].tobytes())

    def torn(self) -> bool:
        """Whether there is anything behind the last sound record."""
        return bool(np.frombuffer(self._content[self.offset :], dtype=np.uint8).any())

    def lost(self) -> Record | None:
        """A sound record of a later commit than the one that is missing, if there is any: the missing one was synced."""
        words = np.frombuffer(self._content[: len(self._content) // 8 * 8], dtype="<u8")
        # The numbers of sequence and commit stand in the second and fourth word of a head, and are not far apart.
        here = np.arange(self.offset // 8, max(self.offset // 8, len(words) - 3))
        sequence, commit = words[here + 1], words[here + 3]
        likely = here[(sequence >= commit) & (commit > self.next) & (sequence - commit < len(words))]
        return next(filter(None, map(self._record_at, (8 * likely).tolist())), None)

    def _record_at(self, offset: int) -> Record | None:
        checksum, length, sequence, time, commit = _HEAD.unpack_from(self._content, offset)
        told = self._content[offset + 4 : offset + _HEAD.size + length]
        if not length or zlib.crc32(told, _seed(self.origin.salt)) != checksum:
            return None
        return Record(sequence, time, commit, bytes(told[_SIGNED.size :]))


def _seed(salt: int) -> int:
    return zlib.crc32(salt.to_bytes(8, "little"))
