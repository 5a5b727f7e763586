"""The journal: segments of records, one after another, each begun at the number after the last record of the one before.

Every start begins a segment of its own, with a salt of its own, so that what a crash left torn is never written over and can
never be taken for something newer.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator, Sequence
from typing import final

from littlestone.errors import InvalidData, LittlestoneError
from littlestone.serve.disk import Disk, File
from littlestone.serve.records import BEGIN, Origin, Record, Scan, packed, size, title

SEGMENT = 1 << 23
"""Bytes of a segment, unless one commit needs more."""

_PREFIX, _SUFFIX = "journal-", ".lsj"
_SPARE = "spare.lsj"


class NoRoom(LittlestoneError):
    """The disk has no room for another segment; nothing was written, and it may be tried again."""


def segments(disk: Disk) -> list[str]:
    """The segments, oldest first: they are named for their first number."""
    return [name for name in disk.names() if name.startswith(_PREFIX) and name.endswith(_SUFFIX)]


def named(first: int) -> str:
    """The name of the segment that begins with this number."""
    return f"{_PREFIX}{first:020d}{_SUFFIX}"


@final
class JournalReader:
    """Goes through a journal from a number on; `next` is the number after the last sound record."""

    def __init__(self, disk: Disk, after: int = 0) -> None:
        self._disk = disk
        self.after = after
        self.next = after + 1
        self.cut: str | None = None
        """The segment whose tail was torn by a crash, if the last one was."""

    def __iter__(self) -> Iterator[Record]:
        """Yields the records after the number that was given.

        Raises:
            InvalidData: if a record is missing or damaged that was acknowledged, naming it.
        """
        scans = [Scan(name, self._disk.read(name)) for name in segments(self._disk)]
        scans = [a for a, b in zip(scans, scans[1:], strict=False) if b.origin.first > self.after + 1] + scans[-1:]
        if scans and scans[0].origin.first > self.after + 1:
            gone = f"records {self.after + 1} to {scans[0].origin.first - 1} are gone"
            raise InvalidData(f"the journal begins with {scans[0].name}; {gone}")
        for scan, following in zip(scans, [*scans, None][1:], strict=True):
            yield from scan if scan.origin.first > self.after else (r for r in scan if r.sequence > self.after)
            self._check_end(scan, following)
            self.next = max(scan.next, self.after + 1)
        if scans and scans[-1].next <= self.after:
            raise InvalidData(
                f"the journal ends with record {scans[-1].next - 1}; a snapshot was taken after record {self.after}"
            )

    def _check_end(self, scan: Scan, following: Scan | None) -> None:
        """A segment ends where the next one begins; the last one ends anywhere, unless something sound lies behind."""
        if following is not None:
            if following.origin.first != scan.next:
                last = following.origin.first - 1
                raise InvalidData(f"{scan.name} is damaged: of its records up to {last}, {scan.next} is the first bad one")
            return
        lost = scan.lost()
        if lost is not None:
            raise InvalidData(
                f"{scan.name} is damaged: record {scan.next} is bad, and record {lost.sequence} of a later commit is sound"
            )
        self.cut = scan.name if scan.torn() else None


@final
class Tail:
    """The end of a journal, where records are added: one thread owns it."""

    def __init__(self, disk: Disk, following: int, segment: int = SEGMENT) -> None:
        self._disk = disk
        self._segment = segment
        self._file: File | None = None
        self._origin = Origin(0, following)
        self._offset = self._size = 0
        self._spare: File | None = None
        self._preparing: threading.Thread | None = None

    def append(self, first: int, entries: Sequence[tuple[int, bytes]]) -> None:
        """Writes one commit, (time, body) each, numbered from `first`, and returns when it is on the disk.

        Raises:
            NoRoom: if it needs another segment and there is no room for one; nothing was written.
            OSError: if writing or syncing failed: whether the commit is on the disk cannot be known before a restart.
        """
        need = sum(size(body) for _, body in entries)
        if self._file is None or self._offset + need > self._size:
            self._roll(first, need)
        assert self._file is not None
        salt = self._origin.salt
        data = b"".join(packed(salt, Record(first + k, time, first, body)) for k, (time, body) in enumerate(entries))
        self._file.write(self._offset, data)
        self._file.sync()
        self._offset += len(data)

    def prepare(self) -> None:
        """Has the next segment zeroed in the background, so that a full disk is met before it is needed."""
        if self._spare is None and self._preparing is None:
            self._preparing = threading.Thread(target=self._make_spare, args=(self._segment,), name="littlestone-spare")
            self._preparing.start()

    def close(self) -> None:
        """Lets the files go."""
        self._wait()
        for file in (self._file, self._spare):
            if file is not None:
                file.close()
        self._file = self._spare = None
        self._disk.remove(_SPARE)

    def _roll(self, first: int, need: int) -> None:
        """Begins a segment: its title is on the disk before it has a name, and its name before it has records."""
        self._wait()
        bytes_needed = max(self._segment, BEGIN + need)
        if self._spare is not None and bytes_needed > self._segment:
            self._spare.close()
            self._spare = None
        if self._spare is None:
            self._make_spare(bytes_needed)
        file, self._spare = self._spare, None
        if file is None:
            raise NoRoom("the disk has no room for another segment of the journal")
        begun = Origin(secrets.randbits(64), first)
        file.write(0, title(begun))
        file.sync()
        self._disk.rename(_SPARE, named(first))
        self._disk.sync()
        if self._file is not None:
            self._file.close()
        self._file, self._origin, self._offset, self._size = file, begun, BEGIN, bytes_needed
        self.prepare()

    def _make_spare(self, bytes_needed: int) -> None:
        try:
            self._spare = self._disk.create(_SPARE, bytes_needed)
        except OSError:  # it is tried again when it is needed
            self._spare = None

    def _wait(self) -> None:
        if self._preparing is not None:
            self._preparing.join()
            self._preparing = None


def drop_before(disk: Disk, sequence: int) -> list[str]:
    """Removes the segments all of whose records come before a number; the last segment stays."""
    listed = segments(disk)
    gone = [a for a, b in zip(listed, listed[1:], strict=False) if b <= named(sequence)]
    for name in gone:
        disk.remove(name)
    return gone
