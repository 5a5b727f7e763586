"""A directory as the journal sees it: a few verbs, so that tests can put a disk that loses power in its place."""

from __future__ import annotations

import mmap
import os
from abc import ABC, abstractmethod
from pathlib import Path
from typing import final

_PIECE = 1 << 20


class File(ABC):
    """A file that is written at places of it, and synced."""

    @abstractmethod
    def write(self, offset: int, data: bytes) -> None:
        """Writes all of the bytes; they may reach the disk in any order until `sync` returns."""

    @abstractmethod
    def sync(self) -> None:
        """Returns when everything written is on the disk.

        Raises:
            OSError: if that cannot be said; what was written since the last sync is then in doubt for ever.
        """

    @abstractmethod
    def close(self) -> None:
        """Lets the file go."""


class Disk(ABC):
    """A directory of files with plain names."""

    @abstractmethod
    def names(self) -> list[str]:
        """The files, in the order of their names."""

    @abstractmethod
    def read(self, name: str) -> memoryview:
        """The content of a file."""

    @abstractmethod
    def create(self, name: str, size: int) -> File:
        """A new file of so many zeros, on the disk before it is returned.

        Raises:
            OSError: if there is no room for it; no file is left behind then.
        """

    @abstractmethod
    def rename(self, old: str, new: str) -> None:
        """Gives a file another name, and the place of whatever had it; certain after `sync`."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Removes a file, if it is there."""

    @abstractmethod
    def sync(self) -> None:
        """Returns when names given, changed and removed are on the disk."""


@final
class _RealFile(File):
    def __init__(self, handle: int) -> None:
        self._handle = handle

    def write(self, offset: int, data: bytes) -> None:
        left = memoryview(data)
        while left:
            written = os.pwrite(self._handle, left, offset)
            offset, left = offset + written, left[written:]

    def sync(self) -> None:
        os.fdatasync(self._handle)

    def close(self) -> None:
        os.close(self._handle)


@final
class Directory(Disk):
    """A real directory."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def names(self) -> list[str]:
        """The files, in the order of their names."""
        return sorted(entry.name for entry in self.path.iterdir() if entry.is_file())

    def read(self, name: str) -> memoryview:
        """The content of a file, mapped."""
        with (self.path / name).open("rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                return memoryview(b"")
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))

    def create(self, name: str, size: int) -> File:
        """Zeros that are written, not only promised: a block that is there already needs no note when it is written again."""
        self.remove(name)
        file = _RealFile(os.open(self.path / name, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        try:
            for offset in range(0, size, _PIECE):
                file.write(offset, bytes(min(_PIECE, size - offset)))
            file.sync()
        except OSError:
            file.close()
            self.remove(name)
            raise
        return file

    def rename(self, old: str, new: str) -> None:
        """Gives a file another name."""
        (self.path / old).replace(self.path / new)

    def remove(self, name: str) -> None:
        """Removes a file, if it is there."""
        (self.path / name).unlink(missing_ok=True)

    def sync(self) -> None:
        """Syncs the directory."""
        handle = os.open(self.path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
