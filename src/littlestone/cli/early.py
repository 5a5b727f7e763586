"""A file that will likely be learned is read and parsed while the command line itself is still being loaded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from littlestone.errors import LittlestoneError
from littlestone.streams.files import Reader, read

if TYPE_CHECKING:
    from collections.abc import Sequence

CHUNK = 1 << 20
"""Bytes of text a chunk: large enough to be learned at full speed; a reader begins with smaller ones."""

# With one of these a file is read in another way than by default.
_READ_OTHERWISE = (
    *("--format", "--bits", "--hash-bits", "--label", "--weight-column", "--ignore", "--categorical", "--text", "--date"),
    *("--header", "--no-header", "--separator", "--constant", "--missing-values", "--on-error", "--cache"),
    *("--report", "--figures", "-h", "--help", "-q", "--interactions", "--names"),
)

_begun: list[Reader] = []


def begin_early(words: Sequence[str]) -> None:
    """Begins with the first word behind `learn` that names a file; a guess, which `taken_up` is about."""
    if words[:1] != ["learn"] or any(word.startswith(_READ_OTHERWISE) for word in words):
        return
    name = next((word for word in words[1:] if not word.startswith("-") and Path(word).is_file()), None)
    if name is None:
        return
    guess = read(name, chunk=CHUNK)
    try:
        guess.begin()
    except LittlestoneError:  # it will be told when the file is read in earnest
        return
    _begun.append(guess)


def begun(readers: list[Reader]) -> list[Reader]:
    """The same; threads of the core read and parse the first while the interpreter is busy with imports."""
    readers[0] = taken_up(readers[0])
    readers[0].begin()
    return readers


def taken_up(wanted: Reader) -> Reader:
    """The reader that has begun already if it reads the same, and else the one that is wanted."""
    for guess in _begun:
        if guess.reads_as(wanted):
            _begun.remove(guess)
            return guess
    return wanted
