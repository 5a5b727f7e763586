"""Games in files: Gambit's normal form (.nfg, two players) and CSV."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np

from littlestone.errors import InvalidData

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray


@final
@dataclass(frozen=True, eq=False)
class GameFile:
    """A game as it was read: payoffs of both players, and names of their actions."""

    A: FloatArray = field(repr=False)
    """Payoffs of the row player."""
    B: FloatArray = field(repr=False)
    """Payoffs of the column player; -A where the file holds one matrix."""
    title: str
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]

    @property
    def zero_sum(self) -> bool:
        """Whether the payoffs of every pair of actions add up to the same number."""
        total = self.A + self.B
        return float(np.ptp(total)) <= 1e-12 * (1.0 + float(np.max(np.abs(self.A))))


def read_game(path: str | Path) -> GameFile:
    r"""Reads a game of two players: `.nfg` as Gambit writes it, anything else as CSV.

    A CSV file is a matrix of the row player's payoffs in a zero-sum game, with or without a first line of column names
    and a first column of row names. In an .nfg file payoffs may be given directly or by outcomes, as decimal numbers or
    fractions.

    Raises:
        InvalidData: if the file is not such a game, with the line or entry where it stops being one.

    Example:
        >>> import pathlib, tempfile, littlestone as ls
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "pennies.csv"
        ...     _ = path.write_text(",heads,tails\nheads,1,-1\ntails,-1,1\n")
        ...     game = ls.read_game(path)
        >>> game.A, game.column_names
        (array([[ 1., -1.],
               [-1.,  1.]]), ('heads', 'tails'))
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidData(f"{path.name} is not a text file") from None
    return _nfg(text, path.name) if path.suffix.lower() == ".nfg" else _csv(text, path.name)


def _cells(text: str) -> list[list[str]]:
    """The fields between commas; or, of numbers without any, between blanks, as NumPy writes them."""
    words = [line.split() for line in text.splitlines() if line.strip()]
    if "," not in text and all(_is_number(word) for line in words for word in line):
        return words
    return [line for line in csv.reader(text.splitlines()) if line]


def _csv(text: str, name: str) -> GameFile:
    lines = _cells(text)
    if not lines:
        raise InvalidData(f"{name} is empty; expected a matrix of payoffs")
    header = not all(_is_number(cell) for cell in lines[0][1:]) or not (lines[0][0].strip() or len(lines[0]) == 1)
    names = not _is_number(lines[-1][0])
    body = lines[1:] if header else lines
    rows = [[_payoff(cell, name, k) for cell in line[names:]] for k, line in enumerate(body)]
    if len({len(row) for row in rows}) != 1 or not rows[0]:
        raise InvalidData(f"{name}: the rows of the game differ in length or are empty")
    A = np.array(rows, dtype=np.float64)
    column_names = tuple(lines[0][-A.shape[1] :]) if header else _numbered(A.shape[1])
    return GameFile(A, -A, name, tuple(line[0] for line in body) if names else _numbered(len(A)), column_names)


def _numbered(count: int) -> tuple[str, ...]:
    return tuple(str(k + 1) for k in range(count))


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _payoff(cell: str, name: str, row: int) -> float:
    if not _is_number(cell):
        raise InvalidData(f"{name}: row {row}: {cell!r} is not a number")
    return float(cell)


_TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([{}])|([^\s{},"]+)|(,))')
Tree: TypeAlias = "list[Tree | str]"


def _nfg(text: str, name: str) -> GameFile:
    """`NFG 1 R "title" { players } { strategies } "comment"` and then the payoffs of the pairs, row fastest."""
    tokens = iter(_tokens(text))
    head = [next(tokens, "") for _ in range(4)]
    if head[:2] != ["NFG", "1"] or head[2] not in ("R", "D"):
        raise InvalidData(f'{name} is not a Gambit normal form; expected NFG 1 R "title" {{ players }} {{ strategies }}')
    parts = _tree(tokens, name)
    if not parts or not isinstance(parts[0], list) or len(parts[0]) != 2:
        raise InvalidData(f"{name} does not list two players; games of two players are read")
    names = _strategies(parts[1] if len(parts) > 1 else "", name)
    outcomes, values = _body(parts[2:])
    pairs = _pairs(outcomes, values, len(names[0]) * len(names[1]), name)
    A, B = (pairs[:, k].reshape(len(names[1]), len(names[0])).T.copy() for k in (0, 1))
    return GameFile(A, B, head[3].strip('"'), *names)


def _tokens(text: str) -> Iterator[str]:
    """Words, braces and quoted strings; strings keep their first quote, which tells them from words."""
    at = 0
    while at < len(text.rstrip()):
        match = _TOKEN.match(text, at)
        if match is None:
            raise InvalidData(f"character {at}: a string has no end")
        at = match.end()
        quoted, brace, word, _ = match.groups()
        if quoted is not None:
            yield '"' + quoted
        elif brace or word:
            yield brace or word


def _tree(tokens: Iterator[str], name: str, depth: int = 0) -> Tree:
    found: Tree = []
    for word in tokens:
        if word == "{":
            found.append(_tree(tokens, name, depth + 1))
        elif word == "}":
            if depth == 0:
                raise InvalidData(f"{name} closes a brace that was not opened")
            return found
        else:
            found.append(word)
    if depth:
        raise InvalidData(f"{name} ends within braces")
    return found


def _strategies(part: Tree | str, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Lists of names, or how many there are."""
    if not isinstance(part, list) or len(part) != 2:
        raise InvalidData(f"{name} does not list the strategies of two players")
    row, column = (_names(of, name) for of in part)
    return row, column


def _names(of: Tree | str, name: str) -> tuple[str, ...]:
    if isinstance(of, list) and of:
        return tuple(str(strategy).removeprefix('"') for strategy in of)
    if isinstance(of, str) and of.isdigit() and int(of) > 0:
        return _numbered(int(of))
    raise InvalidData(f"{name}: a player has no strategies")


def _body(parts: Tree) -> tuple[Tree, list[str]]:
    """The outcomes, where there are any, and the numbers behind them; a comment between is passed over."""
    outcomes = next((part for part in parts if isinstance(part, list)), [])
    values = [part for part in parts if isinstance(part, str) and not part.startswith('"')]
    return outcomes, values


def _pairs(outcomes: Tree, values: list[str], pairs: int, name: str) -> FloatArray:
    """The payoffs of each pair of actions, from outcomes by number (0: nobody gets anything) or directly."""
    expected = pairs if outcomes else 2 * pairs
    if len(values) != expected:
        raise InvalidData(f"{name} has {len(values)} entries in its last part; expected {expected}")
    if not outcomes:
        return np.array([_fraction(value, name) for value in values]).reshape(pairs, 2)
    paid = np.array([[0.0, 0.0], *(_outcome(outcome, name) for outcome in outcomes)])
    index = np.array([_outcome_number(value, len(paid), name) for value in values])
    return np.asarray(paid[index], dtype=np.float64)


def _outcome(outcome: Tree | str, name: str) -> list[float]:
    if not isinstance(outcome, list) or len(outcome) != 3:
        raise InvalidData(f"{name}: an outcome is not a name and two payoffs")
    return [_fraction(str(value), name) for value in outcome[1:]]


def _outcome_number(value: str, count: int, name: str) -> int:
    if not value.isdigit() or int(value) >= count:
        raise InvalidData(f"{name}: there is no outcome {value!r}; there are {count - 1}")
    return int(value)


def _fraction(value: str, name: str) -> float:
    try:
        return float(Fraction(value))
    except (ValueError, ZeroDivisionError):
        raise InvalidData(f"{name}: {value!r} is not a number") from None
