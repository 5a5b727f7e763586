"""A parsed copy beside a text file, for files that are read more than once.

Its first line is text: a magic word and JSON that says how features became columns and what the copy was made of. Behind
it are records of the core: a length, a checksum, and the arrays of a chunk; and a record without any at the end.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, final

from littlestone import _core, outputs
from littlestone.errors import InvalidData
from littlestone.lazy import json
from littlestone.streams.scheme import Hashing, Kind, Scheme

if TYPE_CHECKING:
    from littlestone.streams.formats import Options

MAGIC = b"littlestone-cache "
SUFFIX = ".lsc"
VERSION = 2

RECORD = 1 << 16
"""Bytes of text a record: short, so that little is left over where a chunk of records is cut off."""

_KIND = outputs.Kind("a cache", lambda first: first.startswith(MAGIC))
_LONGEST_HEAD = 1 << 16
_KINDS: dict[str, Kind] = {"positions": "positions", "names": "names", "hash": "hash"}
_HASHINGS: dict[str, Hashing] = {"strings": "strings", "all": "all"}


def beside(path: Path) -> Path:
    """Where the cache of a file is."""
    return path.with_name(path.name + SUFFIX)


def origin(path: Path, kind: str | None, options: Options) -> str:
    """What a cache is made of: the file as it is now, and all that was said of it."""
    said = {name: sorted(value) if isinstance(value, frozenset) else value for name, value in options._asdict().items()}
    said["recipe"] = None if options.recipe is None else str(options.recipe)
    seen = path.stat()
    return json.dumps([kind, said, seen.st_size, seen.st_mtime_ns], sort_keys=True)


def is_fresh(path: Path, made_of: str) -> bool:
    """Whether there is a cache, made of just this."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            head = _head(file.read(_LONGEST_HEAD))
    except (OSError, ValueError, TypeError, RecursionError):
        return False
    return head.get("version") == VERSION and head.get("made_of") == made_of


def cache_head(first: bytes, file: str) -> tuple[Scheme, int]:
    """How the features of a cache became columns, and the length of its first line.

    Raises:
        InvalidData: if the line is not that of a cache of this version.
    """
    try:
        head = _head(first)
        if head["version"] != VERSION:
            raise InvalidData(f"{file} is a cache of version {head['version']}; expected version {VERSION}: make it anew")
        scheme = Scheme(_KINDS[str(head["kind"])], int(str(head["bits"])), _HASHINGS[str(head["hashing"])])
    except (ValueError, TypeError, KeyError, RecursionError):
        raise InvalidData(f"{file} does not begin as a cache does; make it anew") from None
    return scheme, first.index(b"\n") + 1


def _head(first: bytes) -> dict[str, object]:
    if not first.startswith(MAGIC):
        raise ValueError("no magic")
    return dict(json.loads(first[len(MAGIC) : first.index(b"\n")]))


def kept(chunks: Generator[_core.Chunk], path: Path, scheme: Scheme, made_of: str) -> Generator[_core.Chunk]:
    """Passes chunks on and keeps them; the cache takes its place once all have passed and every line was sound.

    Raises:
        InvalidData: if it cannot be written, or there is something else in its place.
    """
    if path.exists() and not (path.is_file() and outputs.is_of_kind(path, _KIND)):
        raise InvalidData(f"{path} is there and is not a cache; move it away, or read without a cache")
    head = {"version": VERSION, "kind": scheme.kind, "bits": scheme.bits, "hashing": scheme.hashing, "made_of": made_of}
    sound = True
    try:
        with closing(chunks), outputs.replacing(path) as file:
            file.write(MAGIC + json.dumps(head).encode() + b"\n")
            for chunk in chunks:
                sound = sound and not chunk.malformed
                if sound:
                    file.write(_core.cache_record(chunk))
                yield chunk
            if not sound:
                raise _Unsound
            file.write(_core.cache_end())
    except _Unsound:
        return
    except OSError as error:
        raise InvalidData(f"{path} cannot be written: {error.strerror}; read without a cache") from None


def whole(chunks: Generator[_core.Chunk], name: str) -> Generator[_core.Chunk]:
    """The chunks of a cache, to the mark at its end.

    Raises:
        InvalidData: if it was cut off, or something follows.
    """
    ended = more = False
    with closing(chunks):
        for chunk in chunks:
            more, ended = more or ended, chunk.ended
            if len(chunk) > 0 or chunk.malformed:
                yield chunk
    if more or not ended:
        raise InvalidData(f"{name} does not end as a cache does; remove it and make it anew")


@final
class _Unsound(Exception):
    """A line could not be read, and no cache is made."""
