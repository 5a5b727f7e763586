"""Files out: whoever looks finds the old file or the new one, whole.

A file is written beside the old one under a name of its own, synced, and put in its place in one step. A symbolic link
stays a link, and what it points to is replaced; a device or a pipe is written into and never replaced. The writer of a
temporary file holds a lock on it: one without a lock was left by a process that was killed, and the next writer in the
directory removes it.
"""

from __future__ import annotations

import errno
import io
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeAlias, final

from littlestone.errors import InvalidParameter

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

Place: TypeAlias = "str | os.PathLike[str]"

# As long for a long name of the file as for a short one.
_PREFIX, _SUFFIX = ".littlestone-", ".tmp"

_LOOKED_AT = 4096
"""So many bytes tell what kind of file there is."""


@final
class Kind(NamedTuple):
    """A kind of file that is written, and how it is known by what it begins with."""

    name: str
    begins: Callable[[bytes], bool]


def path_of(place: Place) -> Path:
    """The path of a file that is read or written.

    Raises:
        InvalidParameter: if it is none that a file could have.
    """
    if not isinstance(place, str | os.PathLike) or not isinstance(os.fspath(place), str):
        raise InvalidParameter(f"the path is {place!r}; expected a str or a Path")
    try:
        raw = os.fsencode(place)
    except UnicodeEncodeError:
        raw = b"\0"
    if b"\0" in raw:
        raise InvalidParameter(f"the path is {os.fspath(place)!r}; no file can have this name")
    return Path(place)


def is_of_kind(path: Place, kind: Kind) -> bool:
    """Whether a file may be replaced by one of this kind: it is one, or empty, or not there, or no plain file.

    Raises:
        OSError: if it cannot be read.
    """
    if not Path(path).is_file():
        return True
    with Path(path).open("rb") as file:
        first = file.read(_LOOKED_AT)
    return not first or kind.begins(first)


def check_writable(path: Place) -> None:
    """Refuses now what could not be written later: a directory, a disk, a read-only file, a place without room or rights.

    Raises:
        OSError: naming the path.
    """
    place = Path(os.path.realpath(path_of(path)))
    if place.is_dir():
        raise _error(errno.EISDIR, path)
    if not place.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such directory", str(place.parent))
    if place.exists():
        _check_rights(place, path)
    if not _is_written_into(place):
        with _naming(path):
            handle, name = _opened_beside(place)
            name.unlink(missing_ok=True)
            os.close(handle)


def write(path: Place, parts: Iterable[ReadableBuffer]) -> None:
    """Writes a whole file.

    Raises:
        OSError: naming the path, if it cannot be written; the old one is as it was.
    """
    with replacing(path) as file:
        for part in parts:
            file.write(part)


@contextmanager
def replacing(path: Place) -> Iterator[BinaryIO]:
    """A file to write to, which takes its place once the block has ended without an error.

    Raises:
        OSError: naming the path, if it cannot be written; the old one is as it was.
    """
    place = Path(os.path.realpath(path_of(path)))
    if place.exists():
        _check_rights(place, path)
    if _is_written_into(place):
        with io.BufferedWriter(_Named(os.open(place, os.O_WRONLY | os.O_CLOEXEC), path)) as device:
            yield device
        return
    _tidy(place.parent)
    with _naming(path):
        handle, name = _opened_beside(place)
    file = io.BufferedWriter(_Named(handle, path))
    try:
        yield file
        with _naming(path):
            file.flush()
            os.fsync(handle)
            name.replace(place)  # before it is closed, and with it unlocked
            file.close()
    except BaseException:
        with suppress(OSError):  # what is still to be written goes with the file
            file.close()
        name.unlink(missing_ok=True)
        raise
    _sync_directory(place.parent)


@contextmanager
def _naming(path: Place) -> Iterator[None]:
    """A full disk names nobody, and a temporary file is not the name that was given."""
    try:
        yield
    except OSError as error:
        raise _error(error.errno or errno.EIO, path) from None


@final
class _Named(io.FileIO):
    """An open file whose errors say which file it was to become."""

    def __init__(self, handle: int, path: Place) -> None:
        super().__init__(handle, "wb")
        self._path = path

    def write(self, part: ReadableBuffer) -> int:
        with _naming(self._path):
            return super().write(part) or 0


def _error(number: int, path: Place) -> OSError:
    return OSError(number, os.strerror(number), os.fspath(path))


def _is_written_into(place: Path) -> bool:
    try:
        mode = place.stat().st_mode
    except OSError:
        return False
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


def _check_rights(place: Path, path: Place) -> None:
    """A file that nobody may write is not replaced either, not even by one who may do everything."""
    mode = place.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)):
        raise OSError(errno.EINVAL, "it is neither a file nor a pipe", os.fspath(path))
    if not mode & 0o222 or not os.access(place, os.W_OK):
        raise _error(errno.EACCES, path)


def _opened_beside(place: Path) -> tuple[int, Path]:
    """A new file with the rights of the one it replaces, or those a new file gets; locked as long as its writer lives."""
    rights = stat.S_IMODE(place.stat().st_mode) & 0o777 if place.exists() else None
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    while True:
        name = place.with_name(f"{_PREFIX}{os.urandom(8).hex()}{_SUFFIX}")
        handle = os.open(name, flags, 0o666 if rights is None else rights)
        with suppress(OSError):  # a file system may know neither locks nor rights
            flock(handle, LOCK_EX)
            if rights is not None:
                os.fchmod(handle, rights)
        if os.fstat(handle).st_nlink:  # between its making and the lock somebody could have taken it for a leftover
            return handle, name
        os.close(handle)


def _tidy(directory: Path) -> None:
    """Removes what killed processes have left."""
    with suppress(OSError):
        for entry in os.scandir(directory):
            if entry.name.startswith(_PREFIX) and entry.name.endswith(_SUFFIX):
                _remove_unlocked(Path(entry.path))


def _remove_unlocked(name: Path) -> None:
    with suppress(OSError):
        handle = os.open(name, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            flock(handle, LOCK_EX | LOCK_NB)
            name.unlink()
        finally:
            os.close(handle)


def _sync_directory(directory: Path) -> None:
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
