"""Games in files: Gambit's normal form (.nfg, two players) and CSV."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.errors import InvalidData, NotApplicable
from littlestone.games.tokens import Tree, count, payoff, shortened, tokens, tree
from littlestone.outputs import path_of

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
        return float(np.ptp(total)) <= 1e-12 * (float(np.max(np.abs(self.A))) + float(np.max(np.abs(self.B))))

    def check_zero_sum(self) -> None:
        """Refuses to take a game for one that it is not.

        Raises:
            NotApplicable: if the payoffs of the pairs of actions do not add up to one number.
        """
        if self.zero_sum:
            return
        total = self.A + self.B
        least, most = (np.unravel_index(at, total.shape) for at in (np.argmin(total), np.argmax(total)))
        places = " and ".join(f"{total[i, j]:g} for ({self.row_names[i]}, {self.column_names[j]})" for i, j in (least, most))
        raise NotApplicable(
            f"{self.title or 'the game'} is not zero-sum: the payoffs add up to {places}; expected one number; "
            "ls.equilibria(game.A, game.B) lists the equilibria of a game that is not"
        )


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
    path = path_of(path)
    text = text_of(path)
    if path.suffix.lower() == ".efg":
        raise InvalidData(f"{path.name} is a game with turns; ls.read_extensive reads it and ls.solve_extensive solves it")
    return _nfg(text, path.name) if path.suffix.lower() == ".nfg" else _csv(text, path.name)


def text_of(path: Path) -> str:
    """What a file of a game says.

    Raises:
        InvalidData: if it cannot be read, or is no text.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidData(f"{path.name} is not a text file") from None
    except OSError as error:
        raise InvalidData(f"{path} cannot be read: {error.strerror}") from None


def _cells(text: str, name: str) -> list[list[str]]:
    """The fields between commas; or, of numbers without any, between blanks, as NumPy writes them."""
    words = [line.split() for line in text.splitlines() if line.strip()]
    if "," not in text and all(_is_number(word) for line in words for word in line):
        return words
    try:
        return [line for line in csv.reader(text.splitlines()) if line]
    except csv.Error as error:
        raise InvalidData(f"{name} is not a table between commas: {error}") from None


def _csv(text: str, name: str) -> GameFile:
    lines = _cells(text, name)
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


def _nfg(text: str, name: str) -> GameFile:
    """`NFG 1 R "title" { players } { strategies } "comment"` and then the payoffs of the pairs, row fastest."""
    words = tokens(text, name)
    head = [next(words, "") for _ in range(4)]
    if head[:2] != ["NFG", "1"] or head[2] not in ("R", "D"):
        raise InvalidData(f'{name} is not a Gambit normal form; expected NFG 1 R "title" {{ players }} {{ strategies }}')
    parts = tree(words, name)
    if not parts or not isinstance(parts[0], list) or len(parts[0]) != 2:
        raise InvalidData(f"{name} does not list two players; games of two players are read")
    listed = parts[1] if len(parts) > 1 else ""
    if not isinstance(listed, list) or len(listed) != 2:
        raise InvalidData(f"{name} does not list the strategies of two players")
    rows, columns = (_strategies(of, name) for of in listed)
    outcomes, values = _body(parts[2:])
    pairs = _pairs(outcomes, values, rows * columns, name)
    A, B = (pairs[:, k].reshape(columns, rows).T.copy() for k in (0, 1))
    return GameFile(A, B, head[3].strip('"'), _names(listed[0], rows, name), _names(listed[1], columns, name))


def _strategies(of: Tree | str, name: str) -> int:
    """How many there are; names are made of a number only once there are as many payoffs."""
    number = len(of) if isinstance(of, list) else count(of)
    if not number:
        raise InvalidData(f"{name}: a player has no strategies")
    return number


def _names(of: Tree | str, number: int, name: str) -> tuple[str, ...]:
    if isinstance(of, str):
        return _numbered(number)
    names = tuple(strategy.removeprefix('"') for strategy in of if isinstance(strategy, str))
    if len(names) < number:
        raise InvalidData(f"{name}: a strategy is not a name")
    return names


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
        return np.array([payoff(value, name) for value in values]).reshape(pairs, 2)
    paid = np.array([[0.0, 0.0], *(_outcome(outcome, name) for outcome in outcomes)])
    index = np.array([_outcome_number(value, len(paid), name) for value in values])
    return np.asarray(paid[index], dtype=np.float64)


def _outcome(outcome: Tree | str, name: str) -> list[float]:
    if not isinstance(outcome, list) or len(outcome) != 3:
        raise InvalidData(f"{name}: an outcome is not a name and two payoffs")
    return [payoff(value, name) for value in outcome[1:]]


def _outcome_number(value: str, outcomes: int, name: str) -> int:
    number = count(value)
    if number is None or number >= outcomes:
        raise InvalidData(f"{name}: there is no outcome {shortened(value)!r}; there are {outcomes - 1}")
    return number
