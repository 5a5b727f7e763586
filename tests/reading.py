"""What the tests of the readers share: settings, data, and parsers of a few lines that define each format."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import nullcontext, suppress
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import settings

from littlestone import _core
from littlestone.errors import InvalidData

STRESS = os.environ.get("HYPOTHESIS_PROFILE") == "stress"
DATA = Path(os.environ.get("LITTLESTONE_DATA", str(Path(__file__).parents[2] / "shared" / "data")))

Row: TypeAlias = dict[int, float]


def examples(count: int) -> settings:
    """So many examples."""
    return settings(deadline=None, max_examples=count)


def data(name: str) -> Path:
    """A real data set."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} is not there: set LITTLESTONE_DATA to the folder of the data sets")
    return path


def hasher(bits: int | None = None, *, hash_all: bool = False, constant: bool = False) -> _core.Hasher:
    return _core.Hasher(bits=bits, hash_all=hash_all, constant=constant)


def as_bytes(text: str | bytes) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.frombuffer(text.encode() if isinstance(text, str) else text, dtype=np.uint8)


def rows_of(chunk: _core.Chunk) -> list[Row]:
    """The rows as dicts."""
    start, index, value = chunk.start, chunk.index, chunk.value
    return [dict(zip(index[a:b].tolist(), value[a:b].tolist(), strict=True)) for a, b in pairwise(start.tolist())]


def check_sound(chunk: _core.Chunk) -> None:
    """What every chunk must satisfy, whatever bytes it came from."""
    count = len(chunk)
    start, index, value = chunk.start, chunk.index, chunk.value
    assert len(start) == count + 1
    assert start[0] == 0
    assert (np.diff(start) >= 0).all()
    assert start[-1] == len(index) == len(value)
    assert np.isfinite(value).all()
    assert len(index) == 0 or (index.min() >= 0 and index.max() < chunk.width)
    assert len(chunk.label) == count
    assert len(chunk.weight) in (0, count)
    assert all(0 <= row < count for row, _ in (*chunk.words, *chunk.tags))
    assert all(0 <= line <= chunk.lines for line, _, _ in chunk.malformed)
    names = chunk.names
    too_large = np.abs(value).max(initial=0.0) > 1e150  # numbers that can be read, and may be refused when they are learned
    with suppress(InvalidData) if too_large else nullcontext():
        batch = chunk.renumbered(np.arange(len(names)), len(names)) if chunk.named else chunk.batch(chunk.width)
        assert len(batch) == count
        batch.check()


Parse: TypeAlias = "Callable[[bytes, bool], _core.Chunk]"


def table() -> _core.CsvTable:
    return _core.CsvTable(",", True, ["a", "b", "c", "y"], [0, 1, 3, 2], ["NA"])


PARSERS: dict[str, Parse] = {
    "svmlight": lambda text, skips: _core.svmlight_parser(hasher(), skips).parse(as_bytes(text)),
    "svmlight hashed": lambda text, skips: _core.svmlight_parser(hasher(4, constant=True), skips).parse(as_bytes(text)),
    "vw": lambda text, skips: _core.vowpal_parser(hasher(18), skips).parse(as_bytes(text)),
    "vw all": lambda text, skips: _core.vowpal_parser(hasher(3, hash_all=True, constant=True), skips).parse(as_bytes(text)),
    "csv": lambda text, skips: _core.csv_parser(table(), hasher(), skips).parse(as_bytes(text)),
    "csv hashed": lambda text, skips: _core.csv_parser(table(), hasher(5, constant=True), skips).parse(as_bytes(text)),
    "json": lambda text, skips: _core.json_parser("y", "w", ["i"], hasher(), skips).parse(as_bytes(text)),
    "json hashed": lambda text, skips: _core.json_parser("y", "w", ["i"], hasher(6), skips).parse(as_bytes(text)),
}


def murmur3(data: bytes, seed: int) -> int:
    """MurmurHash3 x86 32, from its description."""
    word = 0xFFFFFFFF

    def turn(x: int, by: int) -> int:
        return (x << by | x >> (32 - by)) & word

    def mix(block: int) -> int:
        return turn(block * 0xCC9E2D51 & word, 15) * 0x1B873593 & word

    h = seed & word
    whole = len(data) // 4 * 4
    for at in range(0, whole, 4):
        h = (turn(h ^ mix(int.from_bytes(data[at : at + 4], "little")), 13) * 5 + 0xE6546B64) & word
    if data[whole:]:
        h ^= mix(int.from_bytes(data[whole:], "little"))
    h ^= len(data)
    h = (h ^ h >> 16) * 0x85EBCA6B & word
    h = (h ^ h >> 13) * 0xC2B2AE35 & word
    return h ^ h >> 16


def vw_hash(name: str, seed: int = 0) -> int:
    """A name as Vowpal Wabbit numbers it under --hash strings."""
    text = name.encode()
    return int(text or b"0") + seed if all(chr(c) in "0123456789" for c in text) else murmur3(text, seed)
