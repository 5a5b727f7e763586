"""A text file cut into pieces of about the same size, each of whole records, for workers that read it together."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, final

from littlestone.errors import InvalidData

if TYPE_CHECKING:
    from pathlib import Path

_BLOCK = 1 << 20


@final
class Piece(NamedTuple):
    """From which byte to which, and the number of its first line."""

    begin: int
    end: int
    line: int


def cut(path: Path, name: str, begin: int, count: int, *, quoted: bool) -> list[Piece]:
    """Cuts the bytes behind `begin` at ends of lines; with quotes, where a field is open, a line's end is none.

    Raises:
        InvalidData: if the file cannot be read.
    """
    try:
        with path.open("rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            wanted = [begin + (size - begin) * k // count for k in range(1, count)]
            place, line, open_field, pieces = begin, file.read(begin).count(b"\n") + 1, False, list[Piece]()
            last, first_line = begin, line
            while wanted and (block := file.read(_BLOCK)):
                while wanted and wanted[0] < place + len(block):
                    end = _end(block, max(wanted[0], last) - place, open_field=open_field, quoted=quoted)
                    if end is None:
                        break
                    pieces.append(Piece(last, place + end, first_line))
                    last, first_line = place + end, line + block.count(b"\n", 0, end)
                    del wanted[0]
                open_field ^= quoted and block.count(b'"') % 2 == 1
                place, line = place + len(block), line + block.count(b"\n")
    except OSError as error:
        raise InvalidData(f"{name} cannot be read: {error.strerror}") from None
    pieces.append(Piece(last, size, first_line))
    return pieces + [Piece(size, size, line)] * (count - len(pieces))


def _end(block: bytes, place: int, *, open_field: bool, quoted: bool) -> int | None:
    """Behind the first end of a record at or behind a place of a block; None where the block has none."""
    while (found := block.find(b"\n", max(place, 0))) >= 0:
        if not quoted or (block.count(b'"', 0, found) % 2 == 1) == open_field:
            return found + 1
        place = found + 1
    return None
