"""Counterfactual regret minimisation with any regret minimiser at the decision points."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.arguments import flag
from littlestone.display import Displayed
from littlestone.domain import POWER, WHOLE
from littlestone.errors import InvalidParameter, NotApplicable
from littlestone.theory.counterfactual import CounterfactualMoment

if TYPE_CHECKING:
    from collections.abc import Callable

    from littlestone.arrays import FloatArray
    from littlestone.experts.rule import ExpertRule
    from littlestone.games.trees import ExtensiveGame, Treeplex


@final
class CounterfactualPlayer:
    """One state of a rule at every decision point of a player; the definition of what `solve_extensive` runs compiled."""

    def __init__(self, plan: Treeplex, rule: ExpertRule) -> None:
        if rule.unit:
            raise NotApplicable(f"{type(rule).__name__} learns losses in [0, 1]; counterfactual regrets have no such range")
        self._plan, self._rule = plan, rule
        self._states = [rule.init(len(actions)) for actions in plan.actions]

    def reach(self) -> FloatArray:
        """The chance that the player lets each sequence happen."""
        chances = (self._rule.weights(state) for state in self._states)
        return self._plan.realised(dict(zip(self._plan.names, chances, strict=True)))

    def regrets(self, gains: FloatArray) -> FloatArray:
        """What each action would have gained at its point over the strategy there, play going on as it does."""
        value, regrets = gains.copy(), np.zeros(len(gains))
        for k in reversed(range(len(self._plan))):
            at = self._plan.at(k)
            earned = float(self._rule.weights(self._states[k]) @ value[at])
            regrets[at] = value[at] - earned
            value[self._plan.parent[k]] += earned
        return regrets

    def observe(self, gains: FloatArray) -> None:
        """Every point learns the regrets of its actions."""
        regrets = self.regrets(gains)
        for k, state in enumerate(self._states):
            self._rule.update(state, -regrets[self._plan.at(k)])

    def moment(self, gains: FloatArray) -> CounterfactualMoment:
        """A round as the proof sees it."""
        regrets = self.regrets(gains)
        largest = np.array([np.max(regrets[self._plan.at(k)]) for k in range(len(self._plan))])
        return CounterfactualMoment(self._plan.best(gains), float(self.reach() @ gains), largest)


@final
@dataclass(frozen=True, eq=False)
class CounterfactualPlay(Displayed):
    """The averages of a play between sequences, and the bracket of the value that they prove."""

    row: FloatArray = field(repr=False)
    """The mean chance of each sequence of the row player."""
    column: FloatArray = field(repr=False)
    rounds: int
    lower: float
    upper: float


def counterfactual_play(
    game: ExtensiveGame,
    row: ExpertRule,
    column: ExpertRule,
    rounds: int,
    *,
    alternate: bool = False,
    power: float = 0.0,
    watch: Callable[[CounterfactualMoment], None] | None = None,
) -> CounterfactualPlay:
    """Plays a game with turns between two expert rules, one state of the rule at every decision point.

    Args:
        game: a zero-sum game with turns.
        row: the rule at the row player's points; its actions there are the experts.
        column: the rule at the column player's.
        rounds: how many.
        alternate: whether the column player learns this round's strategy of the row player before it plays.
        power: round t has weight t^power in the averages.
        watch: is told every round of either player as the proof sees it.

    Example:
        >>> import littlestone as ls
        >>> rule = ls.RegretMatchingPlus()
        >>> play = ls.counterfactual_play(ls.kuhn_poker(), rule, rule, 50, alternate=True, power=1.0)
        >>> -0.1 < play.lower <= -1 / 18 <= play.upper < 0.0
        True
    """
    if not WHOLE.contains(rounds):
        raise InvalidParameter(f"rounds is {rounds!r}; rounds must be {WHOLE.words}")
    alternate = flag("alternate", alternate)
    if not POWER.contains(power):
        raise InvalidParameter(f"power is {power!r}; power must be {POWER.words}")
    players = CounterfactualPlayer(game.row, row), CounterfactualPlayer(game.column, column)
    p, q, mass = np.zeros(game.row.sequences), np.zeros(game.column.sequences), 0.0
    for t in range(1, rounds + 1):
        mass += float(t) ** power
        share = float(t) ** power / mass
        played = _round(game, players, alternate=alternate, watch=watch)
        p, q = p + share * (played[0] - p), q + share * (played[1] - q)
    return CounterfactualPlay(p, q, rounds, *game.bracket(p, q))


def _round(
    game: ExtensiveGame,
    players: tuple[CounterfactualPlayer, CounterfactualPlayer],
    *,
    alternate: bool,
    watch: Callable[[CounterfactualMoment], None] | None,
) -> tuple[FloatArray, FloatArray]:
    """One round; what was played."""
    row, column = players
    p = row.reach()
    of_column = game.gains_of_column(p)
    if alternate:
        column.observe(of_column)
    q = column.reach()
    of_row = game.gains_of_row(q)
    if watch is not None:
        watch(row.moment(of_row))
        watch(column.moment(of_column))
    row.observe(of_row)
    if not alternate:
        column.observe(of_column)
    return p, q
