"""The model file: one file, no pickle, whole after a crash at any point, verified whole whenever it is loaded.

Layout, numbers little-endian::

    8   magic 89 4C 53 54 0D 0A 1A 0A (a transfer as text, which changes line ends, is seen at once)
    4   version of the format
    4   length of the header
    8   length of the file
    8   checksum of the header
    8   checksum of these 32 bytes
        header: JSON, UTF-8
        arrays: each at a multiple of 64 bytes, zeros between, as the header lists them

A checksum is XXH64. The header says what the arrays are: float64 numbers, or the UTF-8 bytes of a JSON list. Loading
reads nothing but numbers, texts and lists, and makes nothing but rules of this library (or those it was given).
"""

from __future__ import annotations

import json
import math
import mmap
import os
import struct
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np

from littlestone import _core
from littlestone.domain import parameters as parameters_of
from littlestone.errors import InvalidData, InvalidParameter, LittlestoneError, NotApplicable
from littlestone.kernels import KERNELS, Kernel, KernelRule
from littlestone.labels import Classes, Label, Labels
from littlestone.learner import Learner, Missing, Snapshot
from littlestone.multiclass import OneVersusRest
from littlestone.multiclass.class_states import ClassStates
from littlestone.multiclass.prototypes import Prototypes
from littlestone.multiclass.support_sets import SupportSets
from littlestone.rule import LinearRule, rule_name
from littlestone.state import Average, State
from littlestone.streams.scheme import Scheme

if TYPE_CHECKING:
    from littlestone.arrays import ByteArray, FloatArray
    from littlestone.streams.batches import Feature
    from littlestone.streams.scheme import Hashing
    from littlestone.streams.space import Mark

MAGIC = b"\x89LST\r\n\x1a\n"
VERSION = 1
ALIGNMENT = 64

# Totals that the first files did not have; without them every weight was 1 and nothing was missing.
_LATER = ("missing", "extra_weight", "extra_loss", "extra_mistakes", "smallest_weight", "largest_weight")

_PREFIX = struct.Struct("<8sIIQQ")
_SEAL = struct.Struct("<Q")
_HEAD = _PREFIX.size + _SEAL.size
_LONGEST_HEADER = 1 << 24

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Place: TypeAlias = "str | os.PathLike[str]"
Part: TypeAlias = bytes | memoryview


def save(learner: Learner, path: Place) -> None:
    """Writes a learner: to a new file beside the old one, which then takes its place in one step.

    Raises:
        NotApplicable: if a label or parameter is of a kind that a file cannot hold.
        OSError: if the file cannot be written; the old one is as it was.
    """
    header, arrays = _described(learner.snapshot())
    _replace(Path(path), _laid_out(header, arrays))


def load(path: Place, *, rules: Iterable[type[LinearRule]] = ()) -> Learner:
    """Reads a learner that goes on where it was saved, with the same bits.

    The arrays are mapped into memory, so that a large model is there in milliseconds; what is learned afterwards does
    not touch the file.

    Args:
        path: the file.
        rules: rules of your own that the file may name, besides those of the library.

    Raises:
        InvalidData: if the file is not a model, is damaged, or is of another version; it says which.
    """
    name = str(path)
    try:
        with Path(path).open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size < _HEAD:
                raise InvalidData(f"{name} has {size} bytes; a model file has at least {_HEAD}")
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    except OSError as error:
        raise InvalidData(f"{name} cannot be read: {error.strerror}") from None
    return Learner.restored(_File(name, content, rules).snapshot(), copy=False)


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
        content = file.read(_HEAD + _LONGEST_HEADER)
    if len(content) < _HEAD or not content.startswith(MAGIC):
        raise InvalidData(f"{path} is not a model file of littlestone")
    _, version, length, size, checksum = _PREFIX.unpack_from(content, 0)
    try:
        header = json.loads(content[_HEAD : _HEAD + length])
        return Stamp(version, str(header["library"]), f"{checksum:016x}", size)
    except (ValueError, KeyError, TypeError):
        raise InvalidData(f"{path} is not a sound model file: its header is not JSON") from None


# Writing.


def _described(snapshot: Snapshot) -> tuple[dict[str, Json], dict[str, FloatArray | ByteArray]]:
    arrays: dict[str, FloatArray | ByteArray] = {}
    rule = _rule(snapshot.rule, "rule", arrays)
    if snapshot.state is not None:
        arrays |= {f"state.{name}": array for name, array in snapshot.state.arrays.items()}
    if snapshot.average is not None:
        width = 0 if snapshot.state is None else len(snapshot.state.unscaled)
        arrays |= _average_arrays(snapshot.average, width)
    if snapshot.names is not None:
        arrays["names"] = np.frombuffer(json.dumps(snapshot.names).encode(), dtype=np.uint8)
    header: dict[str, Json] = {
        "library": _core.version(),
        "kind": "learner",
        "rule": rule,
        "learned": snapshot.state is not None,
        "averaged": snapshot.average is not None,
        "outcomes": snapshot.kind,
        "labels": [_label(label) for label in snapshot.labels.known()],
        "space": _space(snapshot.space),
        "ledger": {name: _plain(value, name) for name, value in snapshot.totals.items()},
        "passes": snapshot.passes,
        "missing": snapshot.missing,
    }
    if snapshot.classes is not None:
        header["classes"] = [_label(label) for label in snapshot.classes.known()]
        header["given classes"] = snapshot.classes.given
    return header, arrays


def _rule(rule: LinearRule, place: str, arrays: dict[str, FloatArray | ByteArray]) -> Json:
    """A rule by its name and parameters, among which may be a rule; its arrays go by the place where it stands."""
    parameters: dict[str, Json] = {}
    for name, value in rule.parameters().items():
        if isinstance(value, np.ndarray):
            arrays[f"{place}.{name}"] = value.ravel()
            flat: dict[str, Json] = {"array": f"{place}.{name}"}
            parameters[name] = flat if value.ndim == 1 else flat | {"rows": len(value)}
        elif isinstance(value, LinearRule):
            parameters[name] = {"rule": _rule(value, f"{place}.{name}", arrays)}
        elif isinstance(value, Kernel):
            parameters[name] = {"kernel": _kernel(value)}
        else:
            parameters[name] = _plain(value, f"parameter {name}")
    return {"name": type(rule).name(), "parameters": parameters}


def _average_arrays(average: Average, width: int) -> dict[str, FloatArray | ByteArray]:
    """The sums without the room behind the features; the snapshot's state has none either."""
    return {
        "average.drift": average.drift[:width],
        "average.settled": average.settled[:width],
        "average.mass": average.mass,
    }


def _kernel(kernel: Kernel) -> Json:
    """A kernel by its name and parameters; a function of the user's is code, which no file holds."""
    name = type(kernel).__name__
    if KERNELS.get(name) is not type(kernel):
        raise NotApplicable(f"the kernel is {name}, a function that cannot be saved; a file holds no code")
    return {"name": name, "parameters": {key: _plain(getattr(kernel, key), key) for key in parameters_of(kernel)}}


def _space(mark: Mark) -> Json:
    names, width, scheme = mark
    known: Json = None if scheme is None else {"kind": scheme.kind, "bits": scheme.bits, "hashing": scheme.hashing}
    return {"names": names, "width": width, "scheme": known}


def _label(label: Label | None) -> Json:
    """A label with its type, for 1, 1.0 and True are equal and print differently; nothing for a free place."""
    if label is None:
        return None
    if isinstance(label, bool | int | float | str):
        return {type(label).__name__: _plain(label, "label")}
    raise NotApplicable(f"the label {label!r} cannot be saved; a file holds labels that are numbers, strings or booleans")


def _plain(value: object, what: str) -> Json:
    """A value as JSON has it; numbers that are not finite by their names."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple):
        return [_plain(part, what) for part in value]
    raise NotApplicable(f"{what} is {value!r}, which cannot be saved; a file holds numbers, strings and arrays of numbers")


def _laid_out(header: dict[str, Json], arrays: Mapping[str, FloatArray | ByteArray]) -> list[Part]:
    """The parts of the file in order."""
    listed: list[Json] = []
    blobs: list[Part] = []
    offset = 0
    for name, array in arrays.items():
        raw = np.ascontiguousarray(array).view(np.uint8)
        kind = "float64" if array.dtype == np.float64 else "json"
        listed.append({"name": name, "kind": kind, "offset": offset, "bytes": len(raw), "checksum": _core.checksum(raw)})
        padding = -len(raw) % ALIGNMENT
        blobs += [raw.data, bytes(padding)]
        offset += len(raw) + padding
    text = json.dumps(header | {"arrays": listed}, allow_nan=False).encode()
    text += b" " * (-(len(text) + _HEAD) % ALIGNMENT)
    prefix = _PREFIX.pack(MAGIC, VERSION, len(text), _HEAD + len(text) + offset, _checksum(text))
    return [prefix, _SEAL.pack(_checksum(prefix)), text, *blobs]


def _checksum(raw: bytes) -> int:
    return _core.checksum(np.frombuffer(raw, dtype=np.uint8))


def _replace(path: Path, parts: list[Part]) -> None:
    """Temporary file, fsync, rename, fsync of the directory: whoever looks finds the old file or the new one, whole."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(_mode(path))
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    _sync_directory(path.parent)


def _mode(path: Path) -> int:
    """The rights of the file that is replaced, or those a new file gets."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _sync_directory(directory: Path) -> None:
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# Reading.


@final
@dataclass(frozen=True)
class _Array:
    """Where an array lies in the file, after its checksum was found right."""

    kind: str
    offset: int
    length: int


@final
class _File:
    """The content of a model file; everything is checked before anything is made of it."""

    def __init__(self, name: str, content: mmap.mmap, rules: Iterable[type[LinearRule]]) -> None:
        self._name = name
        self._content = content
        self._bytes: ByteArray = np.frombuffer(content, dtype=np.uint8)
        self._given = {rule.name(): rule for rule in rules}
        body = self._check_head()
        self._header = self._read_header(body)
        self._arrays = dict(self._listed(body))

    def snapshot(self) -> Snapshot:
        """What the file holds.

        Raises:
            InvalidData: if its parts do not fit one another.
        """
        if self._text(self._header, "kind") != "learner":
            raise self._damaged("it does not hold a learner")
        rule = self._rule()
        names = self._names()
        space = self._space(names)
        width = len(names) if names is not None else space[1] or 0
        learned, averaged = self._flag("learned"), self._flag("averaged")
        kind = None if self._header.get("outcomes") is None else self._text(self._header, "outcomes")
        if kind is not None and kind not in rule.learns():
            raise self._damaged(f"{type(rule).__name__} does not learn {kind!r}")
        return Snapshot(
            rule=rule,
            state=self._state(rule, width) if learned else None,
            average=self._average(width if learned else 0) if averaged else None,
            totals=self._totals(),
            space=space,
            names=names,
            labels=self._labels(),
            kind=kind,
            passes=self._passes(),
            classes=self._classes(rule),
            missing=self._missing(),
        )

    def _damaged(self, what: str) -> InvalidData:
        return InvalidData(f"{self._name} is not a sound model file: {what}")

    def _check_head(self) -> int:
        """Where the arrays begin, once the first bytes were found right."""
        magic, version, header, length, _ = _PREFIX.unpack_from(self._content, 0)
        if magic != MAGIC:
            raise InvalidData(f"{self._name} is not a model file of littlestone")
        (seal,) = _SEAL.unpack_from(self._content, _PREFIX.size)
        if seal != _core.checksum(self._bytes[: _PREFIX.size]):
            raise self._damaged("its first bytes have changed since it was written")
        if version != VERSION:
            raise InvalidData(f"{self._name} has format version {version}; this library reads version {VERSION}")
        if length != len(self._bytes) or header > _LONGEST_HEADER or _HEAD + header > length:
            raise self._damaged(f"it has {len(self._bytes)} bytes and says {length}")
        return _HEAD + int(header)

    def _read_header(self, body: int) -> dict[str, Json]:
        raw = self._bytes[_HEAD:body]
        if _core.checksum(raw) != _PREFIX.unpack_from(self._content, 0)[4]:
            raise self._damaged("its header has changed since it was written")
        header = self._json(raw, "its header")
        if not isinstance(header, dict):
            raise self._damaged("its header is not an object")
        return header

    def _json(self, raw: ByteArray, what: str) -> Json:
        try:
            value: Json = json.loads(raw.tobytes().decode())
        except (ValueError, RecursionError):
            raise self._damaged(f"{what} is not JSON") from None
        return value

    def _listed(self, body: int) -> Iterable[tuple[str, _Array]]:
        """The arrays, each with its checksum; what lies between and behind them must be zeros."""
        end = body
        for entry in self._list(self._header, "arrays"):
            if not isinstance(entry, dict):
                raise self._damaged("an array is not described")
            offset, length = body + self._whole(entry, "offset"), self._whole(entry, "bytes")
            if offset < end or offset - end >= ALIGNMENT or offset + length > len(self._bytes):
                raise self._damaged("an array lies outside the file")
            raw = self._bytes[offset : offset + length]
            name = self._text(entry, "name")
            if self._bytes[end:offset].any() or _core.checksum(raw) != self._whole(entry, "checksum"):
                raise self._damaged(f"the array {name!r} has changed since it was written")
            end = offset + length
            yield name, _Array(self._text(entry, "kind"), offset, length)
        if len(self._bytes) - end >= ALIGNMENT or self._bytes[end:].any():
            raise self._damaged("there is something behind its arrays")

    def _numbers(self, name: str) -> FloatArray:
        """An array over the mapped memory; writing to it does not reach the file."""
        array = self._arrays.get(name)
        if array is None or array.kind != "float64" or array.length % 8 or array.offset % 8:
            raise self._damaged(f"it has no array of numbers {name!r}")
        return np.frombuffer(self._content, dtype=np.float64, count=array.length // 8, offset=array.offset)

    def _rule(self) -> LinearRule:
        return self._rule_of(self._object(self._header, "rule"))

    def _rule_of(self, described: dict[str, Json]) -> LinearRule:
        rule = self._class_of(self._text(described, "name"))
        values = {key: self._parameter(value) for key, value in self._object(described, "parameters").items()}
        try:
            return rule(**values)
        except (LittlestoneError, TypeError, ValueError) as error:
            raise self._damaged(f"its parameters are refused: {error}") from None

    def _class_of(self, name: str) -> type[LinearRule]:
        if name in self._given:
            return self._given[name]
        library = _library()
        if name not in library:
            known = ", ".join(sorted({*library, *self._given}))
            raise InvalidData(f"{self._name} holds the rule {name!r}; known are {known}: give others by rules=")
        rule: type[LinearRule] = getattr(*library[name])
        return rule

    def _parameter(self, value: Json) -> object:
        if isinstance(value, dict) and "array" in value:
            return self._array_of(value)
        if isinstance(value, dict) and "rule" in value:
            return self._rule_of(self._object(value, "rule"))
        if isinstance(value, dict) and "kernel" in value:
            return self._kernel(self._object(value, "kernel"))
        return self._value(value)

    def _array_of(self, value: dict[str, Json]) -> FloatArray:
        flat = self._numbers(self._text(value, "array"))
        if "rows" not in value:
            return flat
        rows = self._whole(value, "rows")
        if rows == 0 or len(flat) % rows:
            raise self._damaged(f"an array of {len(flat)} numbers has no {rows} rows")
        return flat.reshape(rows, -1)

    def _kernel(self, described: dict[str, Json]) -> Kernel:
        name = self._text(described, "name")
        if name not in KERNELS:
            raise self._damaged(f"there is no kernel {name!r}; there are {', '.join(KERNELS)}")
        values = {key: self._value(value) for key, value in self._object(described, "parameters").items()}
        try:
            return KERNELS[name](**values)
        except (LittlestoneError, TypeError, ValueError) as error:
            raise self._damaged(f"its kernel is refused: {error}") from None

    def _value(self, value: Json) -> object:
        if isinstance(value, dict):
            return self._float(value)
        return tuple(self._value(part) for part in value) if isinstance(value, list) else value

    def _float(self, value: dict[str, Json]) -> float:
        named = value.get("float")
        if not isinstance(named, str) or named not in ("inf", "-inf", "nan"):
            raise self._damaged(f"{value!r} is not a number")
        return float(named)

    def _state(self, rule: LinearRule, width: int) -> State:
        """The arrays, which must be those of a fresh state of the rule."""
        if 8 * width > len(self._bytes) and not _keeps_points(rule):
            raise self._damaged(f"it has no room for {width} features")
        try:
            fresh = self._with_classes(rule.init(width))
        except LittlestoneError as error:
            raise self._damaged(f"its rule refuses its width: {error}") from None
        stored = [name.removeprefix("state.") for name in self._arrays if name.startswith("state.")]
        arrays = {name: self._numbers(f"state.{name}") for name in stored}
        try:
            state = fresh.refilled(arrays, width)
        except LittlestoneError as error:
            raise self._damaged(str(error)) from None
        return self._sound(state)

    def _with_classes(self, fresh: State) -> State:
        """With a row for each class of the file; support sets are counted by their own arrays."""
        if not isinstance(fresh, Prototypes):
            return fresh
        count = max(len(self._list(self._header, "classes")), fresh.count)
        if 8 * count * len(fresh.unscaled) > len(self._bytes):
            raise self._damaged(f"it has no room for {count} classes")
        return fresh.with_classes(count)

    def _sound(self, state: State) -> State:
        if not isinstance(state, ClassStates):
            return state
        met, classes = float(state.met[0]), len(self._list(self._header, "classes"))
        if not 0.0 <= met <= state.room or met != int(met):
            raise self._damaged("more classes take part than it has")
        if isinstance(state, SupportSets) and state.room != classes:
            raise self._damaged(f"it has {classes} classes and support sets of {state.room}")
        return state

    def _average(self, width: int) -> Average:
        average = Average(0)
        average.drift, average.settled = self._numbers("average.drift"), self._numbers("average.settled")
        average.mass = self._numbers("average.mass")
        if len(average.drift) != width or len(average.settled) != width or len(average.mass) != 1:
            raise self._damaged("its average and its weights differ in length")
        return average

    def _names(self) -> list[Feature] | None:
        array = self._arrays.get("names")
        if array is None:
            return None
        listed = self._json(self._bytes[array.offset : array.offset + array.length], "its list of features")
        if not isinstance(listed, list):
            raise self._damaged("its features are not a list")
        names: list[Feature] = [name for name in listed if isinstance(name, str | int) and not isinstance(name, bool)]
        if len(names) != len(listed) or len(set(names)) != len(names):
            raise self._damaged("its features are not distinct names")
        return names

    def _space(self, names: list[Feature] | None) -> Mark:
        space = self._object(self._header, "space")
        count = None if names is None else len(names)
        width = None if space.get("width") is None else self._whole(space, "width")
        if space.get("names") != count or (count is not None and width is not None):
            raise self._damaged("its features do not fit its width")
        return (count, width, self._scheme(space.get("scheme")))

    def _scheme(self, scheme: Json) -> Scheme | None:
        if scheme is None:
            return None
        if not isinstance(scheme, dict):
            raise self._damaged("its hashing scheme is not an object")
        hashing: Hashing = "all" if scheme.get("hashing") == "all" else "strings"
        bits = self._whole(scheme, "bits")
        try:
            return Scheme("hash", bits, hashing) if scheme.get("kind") == "hash" else Scheme("positions", bits)
        except InvalidParameter as error:
            raise self._damaged(str(error)) from None

    def _labels(self) -> Labels:
        pair = [self._label(label) for label in self._list(self._header, "labels")]
        if len(pair) != 2 or (pair[0] is not None and pair[0] == pair[1]):
            raise self._damaged("its labels are not a pair")
        return Labels.of_known(pair[0], pair[1])

    def _classes(self, rule: LinearRule) -> Classes | None:
        """The table of a rule of many classes."""
        if "classes" not in rule.learns():
            return None
        labels = [self._label(label) for label in self._list(self._header, "classes")]
        given = self._whole(self._header, "given classes")
        if len(set(labels)) < len(labels) or None in labels or given > len(labels):
            raise self._damaged("its classes are not distinct labels")
        return Classes({label: number for number, label in enumerate(labels)}, given)

    def _missing(self) -> Missing:
        """Files from before there was a choice have nothing missing."""
        missing = self._header.get("missing", "error")
        if missing != "error" and missing != "skip":
            raise self._damaged(f"{missing!r} says nothing about missing values")
        return "skip" if missing == "skip" else "error"

    def _label(self, label: Json) -> Label | None:
        if label is None:
            return None
        if not isinstance(label, dict) or len(label) != 1:
            raise self._damaged(f"{label!r} is not a label")
        ((kind, value),) = label.items()
        if kind == "float":
            return self._float(value) if isinstance(value, dict) else self._real(value)
        if type(value).__name__ != kind or not isinstance(value, bool | int | str):
            raise self._damaged(f"{label!r} is not a label")
        return value

    def _real(self, value: Json) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._damaged(f"{value!r} is not a number")
        return float(value)

    def _totals(self) -> dict[str, float | tuple[float, float]]:
        totals: dict[str, float | tuple[float, float]] = {}
        stored = self._object(self._header, "ledger")
        for name, fresh in _core.Totals().parts().items():
            if name in _LATER and name not in stored:
                totals[name] = fresh
                continue
            value = self._value(stored[name]) if name in stored else None
            whole = isinstance(fresh, int)
            if isinstance(fresh, tuple) and isinstance(value, tuple) and len(value) == 2 and all(map(_is_real, value)):
                totals[name] = (float(value[0]), float(value[1]))
            elif not isinstance(fresh, tuple) and (_is_count(value) if whole else _is_real(value)):
                assert isinstance(value, int | float)
                totals[name] = value if whole else float(value)
            else:
                raise self._damaged(f"its ledger has no sound {name!r}")
        return totals

    def _passes(self) -> int:
        """Files from before passes were counted say nothing of them; then they are taken to be of one."""
        passes = self._whole({"passes": 1} | self._header, "passes")
        if passes == 0:
            raise self._damaged("it went over its rows 0 times")
        return passes

    def _object(self, owner: dict[str, Json], key: str) -> dict[str, Json]:
        value = owner.get(key)
        if not isinstance(value, dict):
            raise self._damaged(f"{key!r} is not an object")
        return value

    def _list(self, owner: dict[str, Json], key: str) -> list[Json]:
        value = owner.get(key)
        if not isinstance(value, list):
            raise self._damaged(f"{key!r} is not a list")
        return value

    def _text(self, owner: dict[str, Json], key: str) -> str:
        value = owner.get(key)
        if not isinstance(value, str):
            raise self._damaged(f"{key!r} is not a text")
        return value

    def _whole(self, owner: dict[str, Json], key: str) -> int:
        value = owner.get(key)
        if not isinstance(value, int) or not _is_count(value):
            raise self._damaged(f"{key!r} is not a whole number")
        return value

    def _flag(self, key: str) -> bool:
        value = self._header.get(key)
        if not isinstance(value, bool):
            raise self._damaged(f"{key!r} is neither true nor false")
        return value


def _keeps_points(rule: LinearRule) -> bool:
    """Whether the state is points, which take no room for features that they do not have."""
    return isinstance(rule.rule if isinstance(rule, OneVersusRest) else rule, KernelRule)


def _is_real(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**64


def _library() -> dict[str, tuple[ModuleType, str]]:
    """Where each rule of the library is, by its name; a class made elsewhere is not taken just because it exists."""
    from littlestone import kernels, linear, multiclass, uniclass

    whole = [(package, rule.__name__) for package in (kernels, uniclass) for rule in package.RULES]
    one_by_one = [(package, of_class) for package in (linear, multiclass) for of_class in package.HOMES]
    return {rule_name(of_class): (package, of_class) for package, of_class in (*one_by_one, *whole)}
