"""A disk that loses its power: what was not synced is there, not there, or there in part, sector by sector."""

from __future__ import annotations

import random
import threading
from typing import final

from littlestone.serve.disk import Disk, File

SECTOR = 512


class PowerCut(OSError):
    """The power is gone; nothing reaches the disk any more."""


@final
class _Inode:
    def __init__(self, size: int) -> None:
        self.now = bytearray(size)
        self.versions: dict[int, list[bytes]] = {}
        """What each sector that is not synced has been since the last sync, the durable content first."""

    def write(self, offset: int, data: bytes) -> None:
        for sector in range(offset // SECTOR, (offset + len(data) - 1) // SECTOR + 1):
            self.versions.setdefault(sector, [self._sector(sector)])
        self.now[offset : offset + len(data)] = data
        for sector in range(offset // SECTOR, (offset + len(data) - 1) // SECTOR + 1):
            self.versions[sector].append(self._sector(sector))

    def survivor(self, chance: random.Random, kind: str) -> _Inode:
        left = _Inode(0)
        left.now = bytearray(self.now)
        for sector, versions in self.versions.items():
            begin = sector * SECTOR
            left.now[begin : begin + len(versions[0])] = _survived(versions, chance, kind)
        return left

    def _sector(self, sector: int) -> bytes:
        return bytes(self.now[sector * SECTOR : (sector + 1) * SECTOR])


def _survived(versions: list[bytes], chance: random.Random, kind: str) -> bytes:
    if kind == "nothing":
        return versions[0]
    if kind == "everything":
        return versions[-1]
    before, after = chance.choice(versions), chance.choice(versions)
    cut = chance.randrange(len(before) + 1) if kind == "torn" else 0
    return after[:cut] + before[cut:]


@final
class _SimulatedFile(File):
    def __init__(self, disk: SimulatedDisk, inode: _Inode) -> None:
        self._disk, self._inode = disk, inode

    def write(self, offset: int, data: bytes) -> None:
        # The power may go while the bytes are on their way.
        self._inode.write(offset, data)
        self._disk.tick()

    def sync(self) -> None:
        self._disk.tick()
        if self._disk.broken_syncs:
            raise OSError(5, "Input/output error")
        self._inode.versions.clear()

    def close(self) -> None:
        pass


@final
class SimulatedDisk(Disk):
    """Counts every operation, and cuts the power at the one that was asked for."""

    def __init__(self, cut_at: int | None = None, room: int | None = None) -> None:
        self.operations = 0
        self.broken_syncs = False
        self.room = room
        self._cut_at = cut_at
        self._lock = threading.Lock()
        self._files: dict[str, _Inode] = {}
        self._durable: dict[str, _Inode] = {}
        self._pending: list[dict[str, _Inode]] = []
        """The directory after each change that was not synced."""

    def tick(self) -> None:
        with self._lock:
            self.operations += 1
            if self._cut_at is not None and self.operations >= self._cut_at:
                raise PowerCut(5, "no power")

    def names(self) -> list[str]:
        return sorted(self._files)

    def read(self, name: str) -> memoryview:
        return memoryview(bytes(self._files[name].now))

    def create(self, name: str, size: int) -> File:
        self.tick()
        used = sum(len(inode.now) for other, inode in self._files.items() if other != name)
        if self.room is not None and used + size > self.room:
            raise OSError(28, "No space left on device")
        inode = _Inode(size)
        self._changed({**self._files, name: inode})
        self.tick()
        return _SimulatedFile(self, inode)

    def rename(self, old: str, new: str) -> None:
        files = {name: inode for name, inode in self._files.items() if name != old}
        self._changed({**files, new: self._files[old]})
        self.tick()

    def remove(self, name: str) -> None:
        self._changed({other: inode for other, inode in self._files.items() if other != name})
        self.tick()

    def sync(self) -> None:
        self.tick()
        self._durable, self._pending = self._files, []

    def _changed(self, files: dict[str, _Inode]) -> None:
        self._files = files
        self._pending.append(files)

    def after_the_cut(self, kind: str, seed: int = 0, cut_at: int | None = None) -> SimulatedDisk:
        """The disk as it is found when the power is back."""
        chance = random.Random(seed)
        found = SimulatedDisk(cut_at, self.room)
        names = {"nothing": self._durable, "everything": self._files}.get(kind)
        left = names if names is not None else chance.choice([self._durable, *self._pending])
        found._files = {name: inode.survivor(chance, kind) for name, inode in left.items()}
        found._durable = found._files
        return found

    def flip(self, name: str, bit: int) -> None:
        """Turns one bit of a file over."""
        self._files[name].now[bit // 8] ^= 1 << bit % 8
