"""Solving zero-sum games with turns by counterfactual regret minimisation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, final

from littlestone import _core
from littlestone.arguments import is_one_of
from littlestone.columns import counted
from littlestone.display import Plotted
from littlestone.domain import POSITIVE, WHOLE
from littlestone.errors import InvalidData, InvalidParameter, UnknownName
from littlestone.games.payoffs import payoffs_of
from littlestone.games.solution import History
from littlestone.games.trees import ExtensiveGame
from littlestone.theory.counterfactual import IMMEDIATE, CounterfactualEvidence

if TYPE_CHECKING:
    from littlestone.games.trees import Strategy
    from littlestone.theory.certificate import Certificate


@final
@dataclass(frozen=True)
class CounterfactualMethod:
    """Which regret minimiser sits at the decision points, how much late rounds count, and who learns when."""

    make: Callable[..., _core.ExtensiveDuel]
    power: float
    alternate: bool

    def duel(self, game: ExtensiveGame) -> _core.ExtensiveDuel:
        """The players, before the first round."""
        return self.make(
            row_parent=game.row.parent,
            row_first=game.row.first,
            column_parent=game.column.parent,
            column_first=game.column.first,
            power=self.power,
            alternate=self.alternate,
        )


EXTENSIVE_TRUST = 0.125
"""The part of the last regrets that is expected again: on Leduc poker as quick as none (all of them take twice the rounds),
on Kuhn poker quicker than all of them (none takes a hundred times the rounds)."""

EXTENSIVE_METHODS: dict[str, CounterfactualMethod] = {
    "cfr": CounterfactualMethod(_core.cfr, 0.0, alternate=False),
    "cfr+": CounterfactualMethod(_core.cfr_plus, 1.0, alternate=True),
    "predictive-cfr+": CounterfactualMethod(partial(_core.predictive_cfr_plus, trust=EXTENSIVE_TRUST), 2.0, alternate=True),
}
"""The methods, by name."""


@final
@dataclass(frozen=True, eq=False)
class ExtensiveSolution(Plotted):
    """Strategies of both players of a game with turns, and the bracket of the value that they prove.

    The bracket is computed from the strategies as they are here: each against the best plan of the other player.
    """

    row: Strategy = field(repr=False)
    column: Strategy = field(repr=False)
    lower: float
    upper: float
    rounds: int
    range: float
    target: float
    """The gap that was asked for, in payoffs."""
    method: str
    history: History = field(repr=False)
    certificate: Certificate = field(repr=False)
    """cfr.immediate: the gap is at most the mean regrets at all decision points."""

    @property
    def value(self) -> float:
        """The middle of the bracket: off by at most half the gap."""
        return self.lower + self.gap / 2.0

    @property
    def gap(self) -> float:
        """The length of the bracket: what both players together could gain by deviating."""
        return max(self.upper - self.lower, 0.0)

    @property
    def relative_gap(self) -> float:
        """The gap as a fraction of the range of the payoffs; 0 where all ends pay the same."""
        return self.gap / self.range if self.range > 0.0 else 0.0

    @property
    def exploitability(self) -> float:
        """Half the gap: what a player loses on average to a best plan, taking both seats in turn."""
        return self.gap / 2.0

    @property
    def converged(self) -> bool:
        """Whether the gap is what was asked for."""
        return self.gap <= self.target

    def __str__(self) -> str:
        reached = "" if self.converged else f"; NOT CONVERGED: a gap of {self.target:.3g} was asked for"
        return (
            f"value {self.value:.6g} in [{self.lower:.6g}, {self.upper:.6g}], gap {self.gap:.3g} "
            f"({self.relative_gap:.3g} of the range of the payoffs), exploitability {self.exploitability:.3g} "
            f"after {counted(self.rounds, 'round')} of {self.method}{reached}"
        )


def solve_extensive(
    game: ExtensiveGame, *, tol: float = 1e-4, method: str = "predictive-cfr+", max_rounds: int = 100_000
) -> ExtensiveSolution:
    """Strategies of both players of a zero-sum game with turns, and a bracket of its value no longer than asked.

    A regret minimiser at every decision point learns from what its actions, and the play that follows them, would have
    gained; the average of the play closes in on an equilibrium (Zinkevich et al. 2007). The gap is known in every round.
    Cost: O(ends of the tree) per round.

    Args:
        game: `ls.kuhn_poker()`, `ls.leduc_poker()`, `ls.read_extensive("game.efg")`, or `ExtensiveGame.of(tree)`.
        tol: the gap as a fraction of the range of the payoffs; half of it, in payoffs, is the exploitability.
        method: "predictive-cfr+" (predictive regret matching+ at a trust of 1/8, in turns, round t weighs t²; after Farina,
            Kroer and Sandholm 2021), "cfr+" (regret matching+, in turns, round t weighs t; Tammelin 2014), or "cfr" (regret
            matching, at once, all rounds alike; Zinkevich et al. 2007).
        max_rounds: the most rounds; without the gap by then, `converged` is False and the bracket as true as ever.

    Raises:
        InvalidParameter: if a parameter is outside its domain.
        UnknownName: if there is no such method.

    Example:
        >>> import littlestone as ls
        >>> solution = ls.solve_extensive(ls.kuhn_poker(), tol=1e-6)
        >>> round(solution.value * 18, 4), solution.converged, solution.certificate.holds
        (-1.0, True, True)
        >>> solution.column["J:p"].round(2)                            # with a jack, after a pass: bluff a third of the time
        array([0.67, 0.33])
    """
    _check(game, tol, method, max_rounds)
    gap, field_of = tol * game.range, payoffs_of(game.payoffs).game
    duel = EXTENSIVE_METHODS[method].duel(game)
    duel.play(field_of, max_rounds, gap)
    row, column = game.row.behaviour(duel.row), game.column.behaviour(duel.column)
    lower, upper = game.bracket(game.row.realised(row), game.column.realised(column))
    evidence = CounterfactualEvidence(
        gap=upper - lower, immediate_regret=duel.immediate_regret, range=game.range, rounds=duel.rounds
    )
    history, certificate = History(*duel.history).in_payoffs(0.0, 1.0, (lower, upper)), IMMEDIATE.certify(evidence)
    return ExtensiveSolution(row, column, lower, upper, duel.rounds, game.range, gap, method, history, certificate)


def _check(game: object, tol: float, method: str, max_rounds: int) -> None:
    if not isinstance(game, ExtensiveGame):
        trees = "ls.kuhn_poker(), ls.read_extensive(path) or ls.ExtensiveGame.of(tree)"
        raise InvalidData(f"the game is a {type(game).__name__}; expected one with turns: {trees}")
    if not POSITIVE.contains(tol):
        raise InvalidParameter(f"tol is {tol!r}; tol must be {POSITIVE.words}")
    if not WHOLE.contains(max_rounds):
        raise InvalidParameter(f"max_rounds is {max_rounds!r}; max_rounds must be {WHOLE.words}")
    if not is_one_of(method, EXTENSIVE_METHODS):
        raise UnknownName(f"there is no method {method!r}; there are {', '.join(EXTENSIVE_METHODS)}")
