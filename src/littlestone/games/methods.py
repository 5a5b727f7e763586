"""The methods: which players meet, in which order, and how their play is averaged."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, final

from littlestone import _core
from littlestone.errors import InvalidParameter

if TYPE_CHECKING:
    from collections.abc import Callable


@final
@dataclass(frozen=True)
class Plan:
    """What a method needs to know: the size of the game, its range (nan: unknown), the gap and how long to try."""

    rows: int
    columns: int
    sign: float
    range: float
    gap: float
    rounds: int


class Method(ABC):
    """Makes the two players of a game."""

    textbook: bool
    """Whether it plays as many rounds as the theorem asks for, on the payoffs as they are; the others stop when they
    have the gap, and may play on a copy in 16 bits."""

    @abstractmethod
    def duel(self, plan: Plan) -> _core.Duel:
        """The players, before the first round."""

    def horizon(self, plan: Plan) -> int:
        """The most rounds to play."""
        return plan.rounds

    def etas(self, plan: Plan) -> tuple[float, ...]:
        """The rates of the players who use Exponential Weights, the row player's first."""
        return ()


@final
@dataclass(frozen=True)
class SelfPlay(Method):
    """One rule without parameters against itself, in turns, the rounds weighted by t².

    Turns and late rounds that count more are what makes these rules fast (Tammelin et al. 2015; Farina, Kroer and
    Sandholm 2021): the bracket closes like 1/T² on many games, where the theorem promises 1/√T.
    """

    make: Callable[..., _core.Duel]
    textbook: bool = False

    def duel(self, plan: Plan) -> _core.Duel:
        """Two players of the rule."""
        return self.make(rows=plan.rows, columns=plan.columns, sign=plan.sign, power=2.0)


def _rate(actions: int, rounds: int) -> float:
    """η = √(8 log N/T), for payoffs scaled to [0, 1]; 0 for a player without a choice."""
    return math.sqrt(8.0 * math.log(actions) / rounds)


def _promised(plan: Plan, log_actions: float) -> int:
    """The rounds after which the theorem promises the gap, √(log N/(2T)) ranges, but no more than allowed."""
    if not math.isfinite(plan.range):
        raise InvalidParameter("Exponential Weights needs the range of the payoffs; give bounds=(low, high)")
    return max(1, min(plan.rounds, math.ceil(log_actions / (2.0 * (plan.gap / plan.range) ** 2))))


@final
class ExponentialWeightsAgainstBestResponse(Method):
    """Exponential Weights for the row player, and a column player who answers each strategy as well as possible.

    This is the textbook's proof of the minimax theorem, run (Mohri et al., section 8.5).
    """

    textbook = True

    def horizon(self, plan: Plan) -> int:
        """√(log m/(2T)) is the gap in ranges."""
        return _promised(plan, math.log(plan.rows))

    def etas(self, plan: Plan) -> tuple[float, ...]:
        """η of the row player."""
        return (_rate(plan.rows, self.horizon(plan)),)

    def duel(self, plan: Plan) -> _core.Duel:
        """The two players."""
        (eta,) = self.etas(plan)
        return _core.hedge_against_best_response(
            rows=plan.rows, columns=plan.columns, sign=plan.sign, eta=eta, range=plan.range
        )


@final
class ExponentialWeightsSelfPlay(Method):
    """Exponential Weights for both players, who move at once; the gap is the sum of their average regrets."""

    textbook = True

    def horizon(self, plan: Plan) -> int:
        """√(log m/(2T)) + √(log n/(2T)) is the gap in ranges."""
        return _promised(plan, (math.sqrt(math.log(plan.rows)) + math.sqrt(math.log(plan.columns))) ** 2)

    def etas(self, plan: Plan) -> tuple[float, ...]:
        """η of both players."""
        rounds = self.horizon(plan)
        return _rate(plan.rows, rounds), _rate(plan.columns, rounds)

    def duel(self, plan: Plan) -> _core.Duel:
        """The two players."""
        row, column = self.etas(plan)
        return _core.hedge_self_play(
            rows=plan.rows, columns=plan.columns, sign=plan.sign, row_eta=row, column_eta=column, range=plan.range
        )


TRUST = 0.125
"""The part of the last regrets that players expect again: of games of all kinds and sizes between 1/10 and 1/5 took the fewest
rounds, with the fading; at 0 games of low rank take ten times as many."""
FADING = 1.8
"""How fast the first regrets are forgotten: between 1.65 and 2 took the fewest rounds, four fifths of those without, and two
thirds on sparse and on random payoffs; below 1.5 the last digits take long."""

METHODS: dict[str, Method] = {
    "regret-matching+": SelfPlay(_core.regret_matching_plus),
    "predictive-regret-matching+": SelfPlay(partial(_core.predictive_regret_matching_plus, trust=TRUST, fading=FADING)),
    "optimistic-hedge": SelfPlay(_core.optimistic_hedge),
    "best-response": ExponentialWeightsAgainstBestResponse(),
    "self-play": ExponentialWeightsSelfPlay(),
}
"""The methods that play, by name."""
