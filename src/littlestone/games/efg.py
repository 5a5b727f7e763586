"""Gambit's extensive form (.efg)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import final

from littlestone.errors import InvalidData
from littlestone.games.files import text_of
from littlestone.games.tokens import Tree, count, payoff, shortened, tokens, tree
from littlestone.games.trees import Chance, End, ExtensiveGame, Node, Turn
from littlestone.outputs import path_of


def read_extensive(path: str | Path) -> ExtensiveGame:
    """Reads a zero-sum game of two players with turns from a file of Gambit's extensive form (.efg).

    Raises:
        InvalidData: if the file is not such a game, with the node where it stops being one.
        NotApplicable: if the game is not zero-sum.

    Example:
        >>> import pathlib, tempfile, littlestone as ls
        >>> pennies = '''EFG 2 R "pennies" { "one" "two" }
        ... p "" 1 1 "" { "heads" "tails" } 0
        ... p "" 2 1 "" { "heads" "tails" } 0
        ... t "" 1 "" { 1, -1 }
        ... t "" 2 "" { -1, 1 }
        ... p "" 2 1 "" { "heads" "tails" } 0
        ... t "" 2
        ... t "" 1'''
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "pennies.efg"
        ...     _ = path.write_text(pennies)
        ...     game = ls.read_extensive(path)
        >>> ls.solve_extensive(game).value
        0.0
    """
    path = path_of(path)
    return _efg(text_of(path), path.name)


def _efg(text: str, name: str) -> ExtensiveGame:
    words = tokens(text, name)
    head = [next(words, "") for _ in range(4)]
    if head[:2] != ["EFG", "2"] or head[2] not in ("R", "D") or not head[3].startswith('"'):
        raise InvalidData(f'{name} is not a Gambit extensive form; expected EFG 2 R "title" {{ players }}')
    parts = tree(words, name)
    if not parts or not isinstance(parts[0], list) or len(parts[0]) != 2:
        raise InvalidData(f"{name} does not list two players; games of two players are read")
    body = parts[2:] if len(parts) > 1 and isinstance(parts[1], str) and parts[1].startswith('"') else parts[1:]
    return ExtensiveGame.of(_Reader(body, name).root(), head[3].removeprefix('"'))


@final
@dataclass(eq=False)
class _Open:
    """A node whose children are not all read: what it is, what was paid on the way, and the children so far."""

    kind: str
    player: int
    where: str
    labels: tuple[str, ...]
    chances: tuple[float, ...]
    paid: tuple[float, float]
    then: list[Node]

    def closed(self) -> Node:
        then = tuple(self.then)
        return Chance(self.chances, then) if self.kind == "c" else Turn(self.player, self.where, self.labels, then)


@final
class _Reader:
    """The nodes in prefix order, read without recursion; what a node leaves out was said before."""

    def __init__(self, parts: Tree, name: str) -> None:
        self._parts, self._name, self._at, self._nodes = parts, name, 0, 0
        self._titles: dict[tuple[int, int], str] = {}
        self._actions: dict[tuple[int, int], Tree] = {}
        self._outcomes: dict[int, tuple[float, float]] = {0: (0.0, 0.0)}

    def root(self) -> Node:
        """The whole tree."""
        path: list[_Open] = []
        while True:
            node: _Open | Node = self._node(path[-1].paid if path else (0.0, 0.0))
            while isinstance(node, (Chance, Turn, End)):
                if not path:
                    self._nothing_left()
                    return node
                path[-1].then.append(node)
                if len(path[-1].then) < len(path[-1].labels):
                    break
                node = path.pop().closed()
            else:
                path.append(node)

    def _node(self, paid: tuple[float, float]) -> _Open | End:
        """The next node; one that others follow is open."""
        self._nodes += 1
        kind = self._next()
        if kind not in ("c", "p", "t"):
            raise self._fault(f"begins with {_shown(kind)}; expected c, p or t")
        self._string()
        if kind == "t":
            return End(*self._paid(paid))
        player = self._number("a player") if kind == "p" else 0
        if kind == "p" and player not in (1, 2):
            raise self._fault(f"belongs to player {player}; there are 1 and 2")
        number = self._number("an information set")
        title = self._titles.setdefault((player, number), self._string())
        labels, chances = self._choices(kind, player, number)
        return _Open(kind, player - 1, f"{title}#{number}", labels, chances, self._paid(paid), [])

    def _paid(self, before: tuple[float, float]) -> tuple[float, float]:
        """What was paid up to here, this node's outcome with it."""
        row, column = self._outcome()
        return before[0] + row, before[1] + column

    def _choices(self, kind: str, player: int, number: int) -> tuple[tuple[str, ...], tuple[float, ...]]:
        """Actions, and their chances at a node of chance; listed at the first node of an information set at least."""
        listed = self._peek()
        if isinstance(listed, list):
            self._at += 1
            self._actions[player, number] = listed
        listed = self._actions.get((player, number), [])
        labels = tuple(_label(word) for word in (listed[::2] if kind == "c" else listed))
        if not labels or (kind == "c" and len(listed) != 2 * len(labels)):
            raise self._fault("has no actions" if kind == "p" else "does not give each action a chance")
        return labels, tuple(payoff(word, self._name) for word in listed[1::2]) if kind == "c" else ()

    def _outcome(self) -> tuple[float, float]:
        number = self._number("an outcome")
        self._string()
        listed = self._peek()
        if isinstance(listed, list):
            self._at += 1
            if len(listed) != 2:
                raise self._fault(f"pays {len(listed)} players; expected 2")
            self._outcomes[number] = payoff(listed[0], self._name), payoff(listed[1], self._name)
        if number not in self._outcomes:
            raise self._fault(f"has outcome {number}, which no node described before")
        return self._outcomes[number]

    def _peek(self) -> Tree | str:
        return self._parts[self._at] if self._at < len(self._parts) else ""

    def _next(self) -> Tree | str:
        part = self._peek()
        self._at += 1
        return part

    def _number(self, what: str) -> int:
        part = self._next()
        number = count(part)
        if number is None:
            raise self._fault(f"has {_shown(part)} where the number of {what} should be")
        return number

    def _string(self) -> str:
        """The name that comes next, "" where none does."""
        part = self._peek()
        if not isinstance(part, str) or not part.startswith('"'):
            return ""
        self._at += 1
        return part.removeprefix('"')

    def _nothing_left(self) -> None:
        if self._at < len(self._parts):
            raise InvalidData(f"{self._name} goes on after its last node, number {self._nodes}")

    def _fault(self, words: str) -> InvalidData:
        return InvalidData(f"{self._name}: node {self._nodes} {words}")


def _label(word: Tree | str) -> str:
    return word.removeprefix('"') if isinstance(word, str) else "{}"


def _shown(part: Tree | str) -> str:
    return "braces" if isinstance(part, list) else repr(shortened(part)) if part else "nothing"
