"""The folder of a served model: snapshots, the journal, and the files that entries of the journal name.

A snapshot is a model file like any other (`ls.load` reads it), with the book of ids and the number of the last record it knows.
"""

from __future__ import annotations

import copy
import errno
import fcntl
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, final

import msgspec
import numpy as np

from littlestone.errors import InvalidData, LittlestoneError, NotApplicable
from littlestone.serve.book import Book
from littlestone.serve.disk import Directory
from littlestone.serve.drift import Drift
from littlestone.serve.errors import UNREADABLE
from littlestone.serve.host import Host
from littlestone.serve.journal import JournalReader, drop_before
from littlestone.serve.models import Parts, of_file
from littlestone.serve.paired import Paired
from littlestone.store.container import Container, content, write

if TYPE_CHECKING:
    from littlestone.serve.models import Served

KEPT = 2
"""Snapshots that are kept: the last, and the one before in case the last is damaged."""

_SNAPSHOT, _MODEL = "snapshot-", "model-"


@final
class Serving(msgspec.Struct, frozen=True):
    """What a snapshot knows besides the model and the book."""

    sequence: int
    time: int
    drift: Drift
    paired: Paired
    shadow: str | None = None
    """The file of the shadow, where there is one."""
    shadow_failed: str | None = None
    unwatched: int = 0


@final
@dataclass(frozen=True)
class Moment:
    """A host as it was between two commits."""

    sequence: int
    serving: Serving
    book: Book
    live: Callable[[], Parts]
    shadow: Callable[[], Parts] | None


def moment(host: Host) -> Moment:
    """A copy of the host, quickly; whoever has it may write it at leisure."""
    shadow = None if host.shadow is None else _snapshot_name(host.sequence, "shadow.lst")
    serving = Serving(
        sequence=host.sequence,
        time=host.time,
        drift=copy.deepcopy(host.drift),
        paired=copy.copy(host.paired),
        shadow=shadow,
        shadow_failed=host.shadow_failed,
        unwatched=host.unwatched,
    )
    frozen = None if host.shadow is None else host.shadow.frozen()
    return Moment(host.sequence, serving, host.book.copy(), host.live.frozen(), frozen)


@final
class Folder:
    """One folder, one model, one process."""

    def __init__(self, path: Path) -> None:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path = path
        self.disk = Directory(path)
        self._lock: int | None = _locked(path / "lock")

    @staticmethod
    def looked_at(path: Path) -> Folder:
        """The folder for whoever only reads, beside the server that writes.

        Raises:
            NotApplicable: if there is none.
        """
        if not path.is_dir() or not snapshots(path):
            raise NotApplicable(f"{path} is not the folder of a served model: it has no snapshot")
        folder = Folder.__new__(Folder)
        folder.path, folder.disk, folder._lock = path, Directory(path), None
        return folder

    def close(self) -> None:
        """Lets other processes have the folder."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def snapshots(self) -> list[int]:
        """The numbers of the snapshots, oldest first."""
        return snapshots(self.path)

    def begin(self, model: Served) -> None:
        """Writes the snapshot that everything starts from."""
        self.write(moment(Host(model, self.open_file)))

    def write(self, kept: Moment) -> Path:
        """Writes a snapshot, whole or not at all; the shadow first, for the snapshot names it.

        Raises:
            OSError: if it cannot be written; the snapshots before are as they were.
        """
        if kept.shadow is not None and kept.serving.shadow is not None:
            write(self.path / kept.serving.shadow, *kept.shadow())
        header, arrays = kept.live()
        path = self.path / _snapshot_name(kept.sequence)
        book = np.frombuffer(kept.book.written(), dtype=np.uint8)
        write(path, header | {"serving": msgspec.to_builtins(kept.serving)}, {**arrays, "book": book})
        return path

    def tidy(self, *, journal: bool = True) -> None:
        """Removes snapshots but the last two, and the files and segments that neither needs.

        A journal that is kept stays with the first snapshot and every file that its entries name.
        """
        numbers = self.snapshots()
        if not numbers:
            return
        oldest = numbers[-KEPT:][0]
        for entry in self.path.iterdir():
            number = _number(entry.name)
            if number is None or number >= oldest:
                continue
            if journal or (entry.name.startswith(_SNAPSHOT) and number != numbers[0]):
                entry.unlink()
        if journal:
            drop_before(self.disk, oldest + 1)

    def restore(self) -> tuple[Host, list[str]]:
        """The host as it was, from the last sound snapshot and the journal; and what had to be passed over.

        Raises:
            InvalidData: if no snapshot is sound, or the journal is damaged.
        """
        passed_over: list[str] = []
        for number in reversed(self.snapshots()):
            try:
                host = self.opened(number)
            except LittlestoneError as error:
                passed_over.append(str(error))
                continue
            reading = JournalReader(self.disk, host.sequence)
            host.replay(reading)
            if reading.cut is not None:
                passed_over.append(f"{reading.cut} ends in a torn record, of which nobody was told")
            return host, passed_over
        raise InvalidData(f"{self.path} has no sound snapshot: {'; '.join(passed_over) or 'there is none'}")

    def opened(self, number: int) -> Host:
        """The host as a snapshot has it.

        Raises:
            InvalidData: if the snapshot is damaged.
        """
        file = _container(self.path / _snapshot_name(number))
        try:
            serving = msgspec.json.decode(
                msgspec.json.encode(file.header.get("serving")), type=Serving
            )  # what can be said again
        except UNREADABLE as error:
            raise file.damaged(f"it does not say where in the journal it stands: {error}") from None
        book = file.arrays.get("book")
        if book is None:
            raise file.damaged("it has no book of ids")
        host = Host(of_file(file), self.open_file)
        if not serving.drift.fits(*host.live.counts()):
            raise file.damaged("what it knows of drift does not fit its ledger")
        host.book = Book.read(file.raw[book.offset : book.offset + book.length].tobytes())
        host.sequence, host.time, host.drift, host.paired = serving.sequence, serving.time, serving.drift, serving.paired
        host.shadow = None if serving.shadow is None else self.open_file(serving.shadow)
        host.shadow_failed, host.unwatched = serving.shadow_failed, serving.unwatched
        return host

    def open_file(self, name: str) -> Served:
        """The model of a file of this folder.

        Raises:
            InvalidData: if there is none of this name.
        """
        if Path(name).name != name or not name.isprintable():
            raise InvalidData(f"{name!r} is not the name of a file in the folder")
        return of_file(_container(self.path / name))

    def pin_snapshot(self, number: int, sequence: int) -> str:
        """A copy of a snapshot that stays for as long as the journal after `sequence` does."""
        name = f"{_MODEL}{sequence:020d}.lst"
        self.disk.remove(name)
        os.link(self.path / _snapshot_name(number), self.path / name)
        self.disk.sync()
        return name

    def pin(self, model: Served, sequence: int) -> str:
        """A model that an entry after `sequence` is to name."""
        name = f"{_MODEL}{sequence:020d}.lst"
        write(self.path / name, *model.frozen()())
        return name


def models_in(path: Path) -> list[str]:
    """The names of the models that were served from a folder, in their order."""
    return sorted(entry.name for entry in path.iterdir() if entry.is_dir() and snapshots(entry)) if path.is_dir() else []


def snapshots(path: Path) -> list[int]:
    """The numbers of the snapshots in a folder, oldest first."""
    names = [entry.name for entry in path.glob(f"{_SNAPSHOT}*.lst") if not entry.name.endswith(".shadow.lst")]
    return sorted(number for number in map(_number, names) if number is not None)


def _snapshot_name(number: int, suffix: str = "lst") -> str:
    return f"{_SNAPSHOT}{number:020d}.{suffix}"


def _number(name: str) -> int | None:
    """The number in the name of a snapshot or of a file that an entry names."""
    for prefix in (_SNAPSHOT, _MODEL):
        digits = name.removeprefix(prefix).split(".")[0]
        if name.startswith(prefix) and digits.isdecimal():
            return int(digits)
    return None


def model_of(path: Path) -> Served:
    """The model of a file anywhere, which the owner of the process chose.

    Raises:
        InvalidData: if it does not hold one that can be served.
    """
    return of_file(_container(path))


def _container(path: Path) -> Container:
    return Container(str(path), content(path))


def _locked(path: Path) -> int:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        if error.errno not in (errno.EAGAIN, errno.EACCES):
            raise
        raise NotApplicable(f"{path.parent} is in use by another server; give each its own --data") from None
    return handle
