"""Correlated equilibria of general games."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.display import Displayed
from littlestone.domain import POSITIVE, WHOLE, choice
from littlestone.errors import InvalidParameter
from littlestone.games.bimatrix import Bimatrix, external_gaps, swap_gaps
from littlestone.games.correlated_program import correlated_program
from littlestone.games.predictive_regret_matching_plus import PredictiveRegretMatchingPlus
from littlestone.games.swap_regret_matching import SwapRegretMatching
from littlestone.theory.equilibria import COARSE, CORRELATED, DeviationEvidence

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.experts.rule import ExpertRule
    from littlestone.games.payoffs import Game
    from littlestone.theory.certificate import Certificate

CONCEPT = choice("ce", "cce")
METHOD = choice("regret", "lp")
_GAPS = {"ce": swap_gaps, "cce": external_gaps}
_CHECK_EVERY = 16


@final
@dataclass(frozen=True, eq=False)
class Equilibrium(Displayed):
    """A distribution over the pairs of actions from which neither player gains much by deviating.

    `row_gap` and `column_gap` are measured on `joint` itself: for "cce" what the best fixed action would gain over
    following the distribution; for "ce" what the best answer to each recommendation would gain.
    """

    joint: FloatArray = field(repr=False)
    """Row i, column j: the chance that i and j are recommended."""
    concept: str
    row_payoff: float
    column_payoff: float
    row_gap: float
    column_gap: float
    rounds: int
    target: tuple[float, float]
    """The gaps that were asked for, in payoffs."""
    certificate: Certificate = field(repr=False)
    """equilibrium.correlated or equilibrium.coarse: what deviating gains is at most the average regret of the play."""

    def __str__(self) -> str:
        kind = "correlated" if self.concept == "ce" else "coarse correlated"
        after = f" after {self.rounds:,} rounds" if self.rounds else ""
        reached = "" if self.converged else f"; NOT CONVERGED: {min(self.target):.3g} was asked for"
        paid = f"payoffs {self.row_payoff:.6g} and {self.column_payoff:.6g}"
        return f"{kind} equilibrium: {paid}; deviating gains at most {self.gap:.3g}{after}{reached}"

    @property
    def gap(self) -> float:
        """The larger of both gaps."""
        return max(self.row_gap, self.column_gap)

    @property
    def converged(self) -> bool:
        """Whether both gaps are what was asked for."""
        return self.row_gap <= self.target[0] and self.column_gap <= self.target[1]


def equilibrium(
    A: Game, B: Game, *, concept: str = "ce", method: str = "regret", tol: float = 1e-3, max_rounds: int = 20_000
) -> Equilibrium:
    """A correlated ("ce") or coarse correlated ("cce") equilibrium of a game with two payoff matrices.

    By "regret" both players learn at once, and what they play is recorded: the average of p_t qᵀ_t is a coarse correlated
    equilibrium up to their average regrets, and a correlated equilibrium up to their average swap regrets. Cost: two
    products and three outer products per round; for "ce" also a stationary distribution, O(N³). By "lp" it is the
    equilibrium in which the players together earn most, each in ranges of its payoffs, from HiGHS. `ls.equilibria` has
    those in which the players draw on their own.

    Args:
        A: payoffs of the row player, who maximises them.
        B: payoffs of the column player, who maximises them, in the same shape.
        concept: "ce" or "cce".
        method: "regret" or "lp".
        tol: the gap of each player, as a fraction of the range of their payoffs.
        max_rounds: the most rounds; without the gap by then, `converged` is False.

    Example:
        >>> import littlestone as ls
        >>> chicken = [[0, 7], [2, 6]]                                 # dare, chicken
        >>> found = ls.equilibrium(chicken, [[0, 2], [7, 6]], concept="ce")
        >>> found.converged, round(float(found.joint.sum()), 9)
        (True, 1.0)
        >>> best = ls.equilibrium(chicken, [[0, 2], [7, 6]], concept="ce", method="lp")
        >>> round(best.row_payoff + best.column_payoff, 6), best.certificate.holds
        (10.5, True)
    """
    _check(concept, method, tol, max_rounds)
    game = Bimatrix.of(A, B)
    target = tol * game.ranges[0], tol * game.ranges[1]
    if method == "lp":
        return _by_program(game, concept, target)
    return _by_play(game, concept, target, max_rounds)


def _by_program(game: Bimatrix, concept: str, target: tuple[float, float]) -> Equilibrium:
    """What the linear program finds."""
    return _measured(game, correlated_program(game, coarse=concept == "cce"), concept, target, 0, None)


def _by_play(game: Bimatrix, concept: str, target: tuple[float, float], max_rounds: int) -> Equilibrium:
    """What two learners come to."""
    rule: ExpertRule = SwapRegretMatching() if concept == "ce" else PredictiveRegretMatchingPlus()
    table = _SelfPlay(game, rule)
    while table.rounds < max_rounds:
        table.round()
        if table.rounds % _CHECK_EVERY == 0 or table.rounds in (1, max_rounds):
            gaps = _GAPS[concept](table.joint, game.A, game.B)
            if gaps[0] <= target[0] and gaps[1] <= target[1]:
                break
    return _measured(game, table.joint, concept, target, table.rounds, table.regrets(swap=concept == "ce"))


def _measured(
    game: Bimatrix,
    joint: FloatArray,
    concept: str,
    target: tuple[float, float],
    rounds: int,
    regrets: tuple[float, float] | None,
) -> Equilibrium:
    """The distribution with what it pays and what deviating gains; without play, what was asked for is allowed."""
    gaps = _GAPS[concept](joint, game.A, game.B)
    units = tuple(spread or 1.0 for spread in game.ranges)
    gain, allowed = (max(both[0] / units[0], both[1] / units[1]) for both in (gaps, regrets or target))
    # Who is never sorry has a regret below 0, and gains nothing by deviating: no less than that.
    evidence = DeviationEvidence(joint=joint, gain=gain, allowed=max(allowed, 0.0))
    certificate = (CORRELATED if concept == "ce" else COARSE).certify(evidence)
    paid = float(np.sum(joint * game.A)), float(np.sum(joint * game.B))
    return Equilibrium(joint, concept, *paid, *gaps, rounds, target, certificate)


@final
class _SelfPlay:
    """Two learners, the average of what they played, and what every exchange of actions would have brought them."""

    def __init__(self, game: Bimatrix, rule: ExpertRule) -> None:
        self._game, self._rule = game, rule
        self._states = tuple(rule.init(actions) for actions in game.shape)
        self._exchanged = tuple(np.zeros((actions, actions)) for actions in game.shape)
        self.joint, self.rounds = np.zeros(game.shape), 0

    def round(self) -> None:
        """One round."""
        p, q = (self._rule.weights(state) for state in self._states)
        earned = self._game.A @ q, p @ self._game.B
        self.rounds += 1
        self.joint += (np.outer(p, q) - self.joint) / self.rounds
        for state, exchanged, played, gains in zip(self._states, self._exchanged, (p, q), earned, strict=True):
            self._rule.update(state, -gains)
            exchanged += np.outer(played, gains)

    def regrets(self, *, swap: bool) -> tuple[float, float]:
        """The average regret of both players, round by round: to the best action, or the best for each action played."""
        row, column = (
            (np.max(of, axis=1).sum() if swap else np.max(np.sum(of, axis=0))) - np.trace(of) for of in self._exchanged
        )
        return float(row) / self.rounds, float(column) / self.rounds


def _check(concept: str, method: str, tol: float, max_rounds: int) -> None:
    if not CONCEPT.contains(concept):
        raise InvalidParameter(f"concept is {concept!r}; concept must be {CONCEPT.words}")
    if not METHOD.contains(method):
        raise InvalidParameter(f"method is {method!r}; method must be {METHOD.words}")
    if not POSITIVE.contains(tol):
        raise InvalidParameter(f"tol is {tol!r}; tol must be {POSITIVE.words}")
    if not WHOLE.contains(max_rounds):
        raise InvalidParameter(f"max_rounds is {max_rounds!r}; max_rounds must be {WHOLE.words}")
