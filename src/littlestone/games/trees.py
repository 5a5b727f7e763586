"""Games with turns: trees of chance, decisions and payoffs, and the same game between sequences of actions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np
import numpy.typing as npt

from littlestone.errors import InvalidData, NotApplicable

if TYPE_CHECKING:
    from scipy import sparse

    from littlestone.arrays import FloatArray

Strategy: TypeAlias = "Mapping[str, FloatArray]"
"""The chances of the actions at every decision point of a player."""


@final
@dataclass(frozen=True, eq=False)
class Chance:
    """Something happens, with these chances."""

    chances: tuple[float, ...]
    then: tuple[Node, ...]


@final
@dataclass(frozen=True, eq=False)
class Turn:
    """A player chooses, and knows no more than where it is: nodes of one name look the same to it."""

    player: int
    """0 is the row player, 1 the column player."""
    where: str
    actions: tuple[str, ...]
    then: tuple[Node, ...]


@final
@dataclass(frozen=True, eq=False)
class End:
    """What both players get."""

    row: float
    column: float


Node: TypeAlias = "Chance | Turn | End"


@final
@dataclass(frozen=True, eq=False)
class Treeplex:
    """What one player can do: its decision points, parents first, and the sequences of its own actions.

    Sequence 0 is that of no action; the actions of point k end the sequences first[k] … first[k + 1] − 1, and go on from
    sequence parent[k] (von Stengel 1996).
    """

    names: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]
    parent: npt.NDArray[np.int64] = field(repr=False)
    first: npt.NDArray[np.int64] = field(repr=False)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def sequences(self) -> int:
        """How many sequences there are, that of no action among them."""
        return int(self.first[-1])

    def at(self, point: int) -> slice:
        """The sequences that the actions of a point end."""
        return slice(int(self.first[point]), int(self.first[point + 1]))

    def best(self, gains: FloatArray) -> float:
        """What the best plan gains when every sequence gains so much."""
        value = gains.copy()
        for k in reversed(range(len(self))):
            value[self.parent[k]] += np.max(value[self.at(k)])
        return float(value[0])

    def realised(self, strategy: Strategy) -> FloatArray:
        """The chance that the player lets each sequence happen."""
        reach = np.ones(self.sequences)
        for k, name in enumerate(self.names):
            reach[self.at(k)] = reach[self.parent[k]] * strategy[name]
        return reach

    def behaviour(self, reach: FloatArray) -> dict[str, FloatArray]:
        """The chances of the actions, from those of sequences; uniform where the player never lets itself get to."""
        strategy = {}
        for k, name in enumerate(self.names):
            of, total = reach[self.at(k)], float(np.sum(reach[self.at(k)]))
            strategy[name] = of / total if total > 0.0 else np.full(len(of), 1.0 / len(of))
        return strategy


@final
@dataclass(frozen=True, eq=False)
class ExtensiveGame:
    """A zero-sum game of two players with turns, in sequence form: payoffs between sequences of actions.

    Example:
        >>> import littlestone as ls
        >>> game = ls.kuhn_poker()
        >>> len(game.row), len(game.column), game.payoffs.shape
        (6, 6, (13, 13))
    """

    title: str
    row: Treeplex = field(repr=False)
    column: Treeplex = field(repr=False)
    payoffs: sparse.csr_array[np.float64] = field(repr=False)
    """Of the row player: what the ends under a pair of sequences pay, times the chances of chance."""
    low: float
    high: float

    @property
    def range(self) -> float:
        """The largest payoff minus the smallest."""
        return self.high - self.low

    def gains_of_row(self, column: FloatArray) -> FloatArray:
        """What each sequence of the row player gains against chances of the column player's sequences."""
        return np.asarray(self.payoffs @ column, dtype=np.float64)

    def gains_of_column(self, row: FloatArray) -> FloatArray:
        """What each sequence of the column player gains against chances of the row player's sequences."""
        return -np.asarray(self.payoffs.T @ row, dtype=np.float64)

    def bracket(self, row: FloatArray, column: FloatArray) -> tuple[float, float]:
        """The value lies between what the row player's sequences secure and what the column player's concede."""
        return -self.column.best(self.gains_of_column(row)), self.row.best(self.gains_of_row(column))

    @staticmethod
    def of(root: Node, title: str = "") -> ExtensiveGame:
        """The game of a tree.

        Raises:
            InvalidData: if chances do not add up to 1, points of one name differ, a player forgets, or a payoff is not finite.
            NotApplicable: if the game is not zero-sum.
        """
        return _Walk(title).game(root)


@final
class _Points:
    """The decision points of a player as the walk finds them."""

    def __init__(self) -> None:
        self.index: dict[str, int] = {}
        self.actions: list[tuple[str, ...]] = []
        self.parent: list[int] = []
        self.first = [1]

    def visit(self, turn: Turn, sequence: int) -> int:
        """The first sequence of the point's actions."""
        k = self.index.setdefault(turn.where, len(self.index))
        if k == len(self.actions):
            self.actions.append(turn.actions)
            self.parent.append(sequence)
            self.first.append(self.first[-1] + len(turn.actions))
        if self.actions[k] != turn.actions:
            raise InvalidData(
                f"{turn.where!r} has the actions {self.actions[k]} and {turn.actions}; expected the same everywhere"
            )
        if self.parent[k] != sequence:
            raise InvalidData(f"at {turn.where!r} a player has forgotten what it did; games of perfect recall are read")
        return self.first[k]

    def treeplex(self) -> Treeplex:
        parent, first = np.array(self.parent, dtype=np.int64), np.array(self.first, dtype=np.int64)
        return Treeplex(tuple(self.index), tuple(self.actions), parent, first)


@final
class _Walk:
    """Goes through a tree, first child first, without recursion: trees from files may be deep."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._players = (_Points(), _Points())
        self._entries: list[tuple[int, int, float]] = []
        self._paid: list[tuple[float, float]] = []

    def game(self, root: Node) -> ExtensiveGame:
        from scipy import sparse

        stack: list[tuple[Node, float, tuple[int, int]]] = [(root, 1.0, (0, 0))]
        while stack:
            node, chance, at = stack.pop()
            if isinstance(node, End):
                self._end(node, chance, at)
            elif isinstance(node, Chance):
                _check_chances(node)
                stack += [(then, chance * p, at) for p, then in reversed(list(zip(node.chances, node.then, strict=True)))]
            else:
                stack += [(then, chance, moved) for then, moved in reversed(self._turn(node, at))]
        row, column = (points.treeplex() for points in self._players)
        rows, columns, values = zip(*self._entries, strict=True)
        shape = row.sequences, column.sequences
        payoffs = sparse.csr_array(sparse.coo_array((np.array(values), (np.array(rows), np.array(columns))), shape=shape))
        wins = [paid for paid, _ in self._paid]
        return ExtensiveGame(self._title, row, column, payoffs, min(wins), max(wins))

    def _turn(self, turn: Turn, at: tuple[int, int]) -> list[tuple[Node, tuple[int, int]]]:
        if turn.player not in (0, 1):
            raise InvalidData(f"player {turn.player} moves at {turn.where!r}; games of two players, 0 and 1, are solved")
        if not turn.actions or len(turn.actions) != len(turn.then):
            raise InvalidData(f"{turn.where!r} has {len(turn.actions)} actions and {len(turn.then)} nodes behind them")
        first = self._players[turn.player].visit(turn, at[turn.player])
        ends = range(first, first + len(turn.actions))
        return [(then, (end, at[1]) if turn.player == 0 else (at[0], end)) for end, then in zip(ends, turn.then, strict=True)]

    def _end(self, end: End, chance: float, at: tuple[int, int]) -> None:
        if not (math.isfinite(end.row) and math.isfinite(end.column)):
            raise InvalidData(f"a payoff is {end.row:g} and {end.column:g}; expected finite numbers")
        self._entries.append((*at, chance * end.row))
        self._paid.append((end.row, end.column))
        total, first = end.row + end.column, sum(self._paid[0])
        if abs(total - first) > 1e-9 * (1.0 + abs(end.row) + abs(end.column)):
            raise NotApplicable(
                f"{self._title or 'the game'} is not zero-sum: the payoffs of one end add up to {first:g} and of another to "
                f"{total:g}; expected one number"
            )


def _check_chances(node: Chance) -> None:
    chances = node.chances
    if not chances or len(chances) != len(node.then):
        raise InvalidData(f"chance has {len(chances)} chances and {len(node.then)} nodes behind them")
    if min(chances) < 0.0 or not abs(math.fsum(chances) - 1.0) <= 1e-9:
        raise InvalidData(f"chances add up to {math.fsum(chances):g}; expected 1, and none below 0")
