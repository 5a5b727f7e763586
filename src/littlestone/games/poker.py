"""Kuhn's and Leduc poker."""

from __future__ import annotations

from itertools import permutations
from typing import final

from littlestone.games.trees import Chance, End, ExtensiveGame, Node, Turn

_RANKS = "JQK"


def kuhn_poker() -> ExtensiveGame:
    """Three cards, one each, an ante of 1 and one bet of 1 (Kuhn 1950); the value is −1/18."""
    deals = tuple(permutations(range(3), 2))
    return ExtensiveGame.of(Chance((1.0 / len(deals),) * len(deals), tuple(_kuhn(cards, "") for cards in deals)), "Kuhn poker")


def _kuhn(cards: tuple[int, int], history: str) -> Node:
    """`history` has p for a pass and b for a bet."""
    if history[-2:] in ("pp", "bb", "bp"):
        stake = 2.0 if history[-2:] == "bb" else 1.0
        # After a bet and a pass the bettor wins, who moved last but one; otherwise the higher card.
        won = len(history) % 2 == 0 if history[-2:] == "bp" else cards[0] > cards[1]
        return End(stake, -stake) if won else End(-stake, stake)
    player = len(history) % 2
    then = tuple(_kuhn(cards, history + action) for action in "pb")
    return Turn(player, f"{_RANKS[cards[player]]}:{history}", ("pass", "bet"), then)


def leduc_poker() -> ExtensiveGame:
    """Six cards, jack to king in two suits; one each, then one for both to see (Southey et al. 2005).

    The ante is 1; a raise is 2 before the common card and 4 after it, at most two per round. A pair with the common card
    wins, then the higher card; equal ranks share.
    """
    deals = tuple(permutations(range(6), 2))
    then = tuple(_Leduc(cards).turn((), "", (1, 1)) for cards in deals)
    return ExtensiveGame.of(Chance((1.0 / len(deals),) * len(deals), then), "Leduc poker")


@final
class _Leduc:
    """The play after a deal; cards 0 to 5 are jacks, queens and kings."""

    def __init__(self, cards: tuple[int, int]) -> None:
        self._cards = cards

    def turn(self, common: tuple[int, ...], history: str, stakes: tuple[int, int]) -> Node:
        """Whose turn it is in this round: `history` has c for a call or check and r for a raise; a / ends a round."""
        now = history.rpartition("/")[2]
        player = len(now) % 2
        facing = stakes[0] != stakes[1]
        raises = now.count("r")
        actions = [name for name, able in (("fold", facing), ("call", True), ("raise", raises < 2)) if able]
        where = f"{self._named(self._cards[player])}{''.join(map(self._named, common))}:{history}"
        then = tuple(self._after(name, common, history, stakes, player) for name in actions)
        return Turn(player, where, tuple(actions), then)

    def _after(self, action: str, common: tuple[int, ...], history: str, stakes: tuple[int, int], player: int) -> Node:
        if action == "fold":
            lost = float(stakes[player])
            return End(-lost, lost) if player == 0 else End(lost, -lost)
        level = max(stakes)
        if action == "raise":
            raised = level + (4 if common else 2)
            return self.turn(common, history + "r", (raised, stakes[1]) if player == 0 else (stakes[0], raised))
        called = (level, level)
        if len(history.rpartition("/")[2]) == 0:  # a check: the other may still raise
            return self.turn(common, history + "c", called)
        if common:
            return self._showdown(common[0], float(level))
        rest = [card for card in range(6) if card not in self._cards]
        return Chance((1.0 / len(rest),) * len(rest), tuple(self.turn((card,), history + "c/", called) for card in rest))

    def _showdown(self, common: int, stake: float) -> End:
        ours, theirs = (6 if card // 2 == common // 2 else card // 2 for card in self._cards)
        won = stake * ((ours > theirs) - (ours < theirs))
        return End(won, -won)

    @staticmethod
    def _named(card: int) -> str:
        return f"{_RANKS[card // 2]}{card % 2 + 1}"
