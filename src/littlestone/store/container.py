"""The bytes of a model file: where its header and its arrays are, and how they come to the disk.

Layout, numbers little-endian::

    8   magic 89 4C 53 54 0D 0A 1A 0A (a transfer as text, which changes line ends, is seen at once)
    4   version of the format
    4   length of the header
    8   length of the file
    8   checksum of the header
    8   checksum of these 32 bytes
        header: JSON, UTF-8
        arrays: each at a multiple of 64 bytes, zeros between, as the header lists them

An array of which most is zeros is written as the positions of the others (int64) and then their values; its entry in the
header has the length of the whole. A checksum is XXH64. The header says what the arrays are: numbers of a type, or the UTF-8
bytes of a JSON list. Loading reads nothing but numbers, texts and lists, and makes nothing but rules of this library (or those
it was given).
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np
import numpy.typing as npt

from littlestone import _core, outputs
from littlestone.errors import InvalidData

if TYPE_CHECKING:
    from littlestone.arrays import ByteArray, FloatArray

MAGIC = b"\x89LST\r\n\x1a\n"
VERSION = 3
"""Of the format: 1 what the first readers know; 2 with a view or an array without its zeros; 3 with a pool, a calibration, bins
or evidence. Pools of version 2, which no release wrote, had other arrays."""
_POOLS = ("pool", "pool-regression")
_LATER_VIEWS = {"bins", "pairs", "evidence"}
ALIGNMENT = 64
KINDS = ("float64", "float32", "int64", "uint8")
"""Of the numbers of an array."""
JSON = ("names", "hashed names", "note")
"""Arrays that are texts."""

_PREFIX = struct.Struct("<8sIIQQ")
_SEAL = struct.Struct("<Q")
_HEAD = _PREFIX.size + _SEAL.size
_LONGEST_HEADER = 1 << 24
_UNFOLDED = 1 << 30
"""Bytes that the arrays of a file may have in memory which are not in the file, so that no small file fills it."""
_SHORT = 1 << 12
"""Bytes of an array that is written as it is, whatever it holds."""

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Place: TypeAlias = "str | os.PathLike[str]"
Part: TypeAlias = bytes | memoryview


@final
@dataclass(frozen=True)
class Stamp:
    """What the first bytes of a model file say of it."""

    version: int
    """Of the format."""
    library: str
    """The version of the library that wrote it."""
    checksum: str
    """Of the header, which holds the checksums of the arrays: two files with the same one hold the same model."""
    size: int


def stamp(path: Place) -> Stamp:
    """Reads the first bytes of a model file; `load` checks the rest.

    Raises:
        InvalidData: if the file is not a model.
    """
    with Path(path).open("rb") as file:
        first = file.read(_HEAD + _LONGEST_HEADER)
    if len(first) < _HEAD or not first.startswith(MAGIC):
        raise InvalidData(f"{path} is not a model file of littlestone")
    _, version, length, size, checksum = _PREFIX.unpack_from(first, 0)
    try:
        header = json.loads(first[_HEAD : _HEAD + length])
        return Stamp(version, str(header["library"]), f"{checksum:016x}", size)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InvalidData(f"{path} is not a sound model file: its header is not JSON") from None


# Writing.


def write(path: Path, header: dict[str, Json], arrays: Mapping[str, FloatArray | ByteArray]) -> None:
    """Writes a file beside the old one, which then takes its place in one step.

    Raises:
        OSError: if it cannot be written; the old one is as it was.
    """
    outputs.write(path, _laid_out(header, arrays))


def _laid_out(header: dict[str, Json], arrays: Mapping[str, FloatArray | ByteArray]) -> list[Part]:
    """The parts of the file in order."""
    listed: list[Json] = []
    blobs: list[Part] = []
    offset = 0
    left = _UNFOLDED
    for name, array in arrays.items():
        flat = np.ascontiguousarray(array).reshape(-1)
        few = None if name in JSON or flat.nbytes > left else _folded(flat)
        raw = flat.view(np.uint8) if few is None else few
        kind = "json" if name in JSON else array.dtype.name
        entry: dict[str, Json] = {"name": name, "kind": kind, "offset": offset, "bytes": len(raw)}
        if few is not None:
            entry["length"] = len(flat)
            left -= flat.nbytes
        listed.append(entry | {"checksum": _core.checksum(raw)})
        padding = -len(raw) % ALIGNMENT
        blobs += [raw.data, bytes(padding)]
        offset += len(raw) + padding
    text = json.dumps(header | {"arrays": listed}, allow_nan=False).encode()
    text += b" " * (-(len(text) + _HEAD) % ALIGNMENT)
    version = max(2 if left < _UNFOLDED else 1, _version_of(header))
    prefix = _PREFIX.pack(MAGIC, version, len(text), _HEAD + len(text) + offset, _checksum(text))
    return [prefix, _SEAL.pack(_checksum(prefix)), text, *blobs]


def _folded(flat: npt.NDArray[np.generic]) -> ByteArray | None:
    """The positions and values of what is not zero, bit for bit; None where that would not be much shorter."""
    if flat.nbytes <= _SHORT:
        return None
    places = np.flatnonzero(flat.view(f"u{flat.dtype.itemsize}"))
    if 2 * len(places) * (8 + flat.dtype.itemsize) > flat.nbytes:
        return None
    return np.concatenate([places.astype(np.int64).view(np.uint8), flat[places].view(np.uint8)])


def _version_of(header: Json) -> int:
    """The first version whose readers know what it tells of, however deep that stands."""
    waiting, version = [header], 1
    while waiting:
        described = waiting.pop()
        if isinstance(described, dict):
            version = max(version, _own_version(described))
            waiting += described.values()
        elif isinstance(described, list):
            waiting += described
    return version


def _own_version(described: dict[str, Json]) -> int:
    rule, view = described.get("rule"), described.get("view")
    pool = isinstance(rule, dict) and rule.get("name") in _POOLS
    if pool or described.get("calibrated") is not None or (isinstance(view, str) and set(view.split(",")) & _LATER_VIEWS):
        return 3
    return 1 if view is None else 2


def _checksum(raw: bytes) -> int:
    return _core.checksum(np.frombuffer(raw, dtype=np.uint8))


# Reading.


def content(path: Place) -> ByteArray:
    """The bytes of a file in memory of their own: whatever becomes of the file later, they are what was verified.

    Raises:
        InvalidData: if it cannot be read, or is too short for a model file.
    """
    try:
        with Path(path).open("rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            raw = np.empty(size, dtype=np.uint8)
            end = 0
            while end < size and (got := file.readinto(raw[end:].data)):
                end += got
    except (OSError, MemoryError) as error:
        raise InvalidData(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'out of memory'}") from None
    if end < _HEAD:
        raise InvalidData(f"{path} has {end} bytes; a model file has at least {_HEAD}")
    return raw[:end]


@final
@dataclass(frozen=True)
class StoredArray:
    """Where an array lies in the file, after its checksum was found right."""

    kind: str
    offset: int
    length: int
    unfolded: int | None = None
    """How many numbers it has in memory, where zeros were left out."""


@final
class Container:
    """A header and arrays, all of which were found as they were written."""

    def __init__(self, name: str, raw: ByteArray) -> None:
        self.name = name
        self.raw = raw
        body = self._check_head()
        self.header = self._read_header(body)
        self._check_version()
        self.arrays = dict(self._listed(body))
        self.room = self._room()

    def part(self, header: dict[str, Json], prefix: str) -> Container:
        """What stands in the file under a header of its own, with the arrays whose names begin so."""
        part = Container.__new__(Container)
        part.name, part.raw, part.header, part.room = self.name, self.raw, header, self.room
        part.arrays = {name.removeprefix(prefix): array for name, array in self.arrays.items() if name.startswith(prefix)}
        return part

    def damaged(self, what: str) -> InvalidData:
        """The refusal of the file."""
        return InvalidData(f"{self.name} is not a sound model file: {what}")

    def _check_head(self) -> int:
        """Where the arrays begin, once the first bytes were found right."""
        magic, version, header, length, _ = _PREFIX.unpack_from(self.raw.data, 0)
        if magic != MAGIC:
            raise InvalidData(f"{self.name} is not a model file of littlestone")
        (seal,) = _SEAL.unpack_from(self.raw.data, _PREFIX.size)
        if seal != _core.checksum(self.raw[: _PREFIX.size]):
            raise self.damaged("its first bytes have changed since it was written")
        if not 1 <= version <= VERSION:
            raise InvalidData(f"{self.name} has format version {version}; this library reads versions 1 to {VERSION}")
        if length != len(self.raw) or header > _LONGEST_HEADER or _HEAD + header > length:
            raise self.damaged(f"it has {len(self.raw)} bytes and says {length}")
        return _HEAD + int(header)

    def _read_header(self, body: int) -> dict[str, Json]:
        raw = self.raw[_HEAD:body]
        if _core.checksum(raw) != _PREFIX.unpack_from(self.raw.data, 0)[4]:
            raise self.damaged("its header has changed since it was written")
        header = self.parsed(raw, "its header")
        if not isinstance(header, dict):
            raise self.damaged("its header is not an object")
        return header

    def _check_version(self) -> None:
        """Refuses a file that says it is older than what it holds: that had another form then."""
        version, since = _PREFIX.unpack_from(self.raw.data, 0)[1], _version_of(self.header)
        if version < since:
            what = f"has format version {version}, and what it holds is read from version {since} on"
            raise InvalidData(f"{self.name} {what}; learn the stream again with this library")

    def parsed(self, raw: ByteArray, what: str) -> Json:
        """Bytes that should be JSON."""
        try:
            value: Json = json.loads(raw.tobytes().decode())
        except (ValueError, RecursionError):
            raise self.damaged(f"{what} is not JSON") from None
        return value

    def _listed(self, body: int) -> Iterable[tuple[str, StoredArray]]:
        """The arrays, each with its checksum; what lies between and behind them must be zeros."""
        end = body
        for entry in self.listing(self.header, "arrays"):
            if not isinstance(entry, dict):
                raise self.damaged("an array is not described")
            offset, length = body + self.whole(entry, "offset"), self.whole(entry, "bytes")
            if offset < end or offset - end >= ALIGNMENT or offset + length > len(self.raw):
                raise self.damaged("an array lies outside the file")
            raw = self.raw[offset : offset + length]
            name = self.text(entry, "name")
            if self.raw[end:offset].any() or _core.checksum(raw) != self.whole(entry, "checksum"):
                raise self.damaged(f"the array {name!r} has changed since it was written")
            end = offset + length
            unfolded = self.whole(entry, "length") if "length" in entry else None
            yield name, StoredArray(self.text(entry, "kind"), offset, length, unfolded)
        if len(self.raw) - end >= ALIGNMENT or self.raw[end:].any():
            raise self.damaged("there is something behind its arrays")

    def values(self, name: str) -> npt.NDArray[np.generic]:
        """An array, of the type it was written with, over the memory of the file's bytes, which are the learner's own."""
        array = self.arrays.get(name)
        item = None if array is None or array.kind not in KINDS else np.dtype(array.kind)
        whole = array is not None and item is not None and (array.unfolded is not None or array.length % item.itemsize == 0)
        if array is None or item is None or not whole or array.offset % item.itemsize:
            raise self.damaged(f"it has no array of numbers {name!r}")
        raw = self.raw[array.offset : array.offset + array.length]
        found: npt.NDArray[np.generic] = raw.view(item) if array.unfolded is None else self._unfolded(raw, item, array.unfolded)
        return found

    def _unfolded(self, raw: ByteArray, item: np.dtype[np.generic], length: int) -> npt.NDArray[np.generic]:
        """Positions and values as the array they stand for."""
        count, rest = divmod(len(raw), 8 + item.itemsize)
        places, values = raw[: 8 * count].view(np.int64), raw[8 * count :]
        sound = rest == 0 and (count == 0 or (places[0] >= 0 and places[-1] < length and (np.diff(places) > 0).all()))
        if not sound:
            raise self.damaged("the positions of an array are not in order")
        found = np.zeros(length, dtype=item)
        found[places] = values.view(item)
        return found

    def _room(self) -> int:
        """The bytes that the file has, and those of its arrays in memory that it has not."""
        sizes = [np.dtype(a.kind).itemsize * a.unfolded for a in self.arrays.values() if a.unfolded and a.kind in KINDS]
        if sum(sizes) > _UNFOLDED:
            raise self.damaged(f"its arrays would take {sum(sizes)} bytes")
        return len(self.raw) + sum(sizes)

    def numbers(self, name: str) -> FloatArray:
        """An array of float64."""
        found = self.values(name)
        if found.dtype != np.float64:
            raise self.damaged(f"it has no array of numbers {name!r}")
        return found.view(np.float64)

    def mapping(self, owner: dict[str, Json], key: str) -> dict[str, Json]:
        """An object of the header, or of an object in it."""
        value = owner.get(key)
        if not isinstance(value, dict):
            raise self.damaged(f"{key!r} is not an object")
        return value

    def listing(self, owner: dict[str, Json], key: str) -> list[Json]:
        """A list."""
        value = owner.get(key)
        if not isinstance(value, list):
            raise self.damaged(f"{key!r} is not a list")
        return value

    def text(self, owner: dict[str, Json], key: str) -> str:
        """A text."""
        value = owner.get(key)
        if not isinstance(value, str):
            raise self.damaged(f"{key!r} is not a text")
        return value

    def whole(self, owner: dict[str, Json], key: str) -> int:
        """A whole number."""
        value = owner.get(key)
        if not isinstance(value, int) or not is_count(value):
            raise self.damaged(f"{key!r} is not a whole number")
        return value

    def flag(self, key: str) -> bool:
        """True or false, in the header."""
        value = self.header.get(key)
        if not isinstance(value, bool):
            raise self.damaged(f"{key!r} is neither true nor false")
        return value


def is_count(value: object) -> bool:
    """Whether a value is a whole number that 64 bits hold."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**64
