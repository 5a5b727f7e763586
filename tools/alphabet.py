"""Writes core/features/letters.inc: letters, spaces and capitals beyond ASCII, as this Python has them.

Usage: python tools/alphabet.py

The wheel for all later Pythons cannot ask them, and a text must be cut into the same words by all of them.
"""

import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

OUT = Path(__file__).parent.parent / "core" / "features" / "letters.inc"
LINE = 120


def ranges(test: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    """First and last of every run of characters that pass."""
    first = None
    for c in range(0x80, 0x110001):
        inside = c < 0x110000 and test(chr(c))
        if inside and first is None:
            first = c
        elif not inside and first is not None:
            yield first, c - 1
            first = None


def lowered() -> Iterator[tuple[int, int, int, int]]:
    """First, last, step and distance of every run of characters whose lower case is as far away."""
    pairs = [(c, ord(chr(c).lower()[0])) for c in range(0x80, 0x110000) if chr(c).lower()[0] != chr(c)]
    while pairs:
        (first, low), step, last = pairs[0], 1, pairs[0][0]
        if len(pairs) > 1 and pairs[1][0] - first in (1, 2) and pairs[1][1] - pairs[1][0] == low - first:
            step = pairs[1][0] - first
        count = 1
        while count < len(pairs) and pairs[count] == (last + step, last + step + low - first):
            last, count = last + step, count + 1
        yield first, last, step, low - first
        pairs = pairs[count:]


def table(name: str, kind: str, rows: list[str]) -> str:
    """An array, as many entries per line as fit."""
    lines, line = [], "   "
    for row in rows:
        if len(line) + len(row) + 2 > LINE:
            lines.append(line)
            line = "   "
        line += f" {row},"
    return f"constexpr {kind} {name}[] = {{\n" + "\n".join([*lines, line]) + "\n};\n"


def main() -> None:
    """Writes the file."""
    OUT.write_text(
        f"// Made by tools/alphabet.py from Unicode {unicodedata.unidata_version}.\n"
        + table("letters", "Run", [f"{{{a}, {b}}}" for a, b in ranges(str.isalnum)])
        + table("spaces", "Run", [f"{{{a}, {b}}}" for a, b in ranges(str.isspace)])
        + table("capitals", "Capitals", [f"{{{a}, {b}, {s}, {d}}}" for a, b, s, d in lowered()])
    )


if __name__ == "__main__":
    main()
