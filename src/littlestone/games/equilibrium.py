"""Correlated equilibria of general games."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.domain import POSITIVE, WHOLE, choice
from littlestone.errors import InvalidData, InvalidParameter
from littlestone.games.payoffs import payoffs_of
from littlestone.games.predictive_regret_matching_plus import PredictiveRegretMatchingPlus
from littlestone.games.swap_regret_matching import SwapRegretMatching

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.experts.rule import ExpertRule
    from littlestone.games.payoffs import Game

CONCEPT = choice("ce", "cce")
_CHECK_EVERY = 16


@final
@dataclass(frozen=True, eq=False)
class Equilibrium:
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

    @property
    def gap(self) -> float:
        """The larger of both gaps."""
        return max(self.row_gap, self.column_gap)

    @property
    def converged(self) -> bool:
        """Whether both gaps are what was asked for."""
        return self.row_gap <= self.target[0] and self.column_gap <= self.target[1]


def equilibrium(A: Game, B: Game, *, concept: str = "ce", tol: float = 1e-3, max_rounds: int = 20_000) -> Equilibrium:
    """A correlated ("ce") or coarse correlated ("cce") equilibrium of a game with two payoff matrices.

    Both players learn at once, and what they play is recorded: the average of p_t qᵀ_t is a coarse correlated
    equilibrium up to their average regrets, and a correlated equilibrium up to their average swap regrets. Cost: two
    products and one outer product a round; for "ce" also a stationary distribution, O(N³).

    Args:
        A: payoffs of the row player, who maximises them.
        B: payoffs of the column player, who maximises them, in the same shape.
        concept: "ce" or "cce".
        tol: the gap of each player, as a fraction of the range of their payoffs.
        max_rounds: the most rounds; without the gap by then, `converged` is False.

    Example:
        >>> import littlestone as ls
        >>> chicken = [[0, 7], [2, 6]]                                 # dare, chicken
        >>> found = ls.equilibrium(chicken, [[0, 2], [7, 6]], concept="ce")
        >>> found.converged, round(float(found.joint.sum()), 9)
        (True, 1.0)
    """
    _check(concept, tol, max_rounds)
    rule: ExpertRule = SwapRegretMatching() if concept == "ce" else PredictiveRegretMatchingPlus()
    ours, theirs = _dense(A), _dense(B)
    if ours.shape != theirs.shape:
        raise InvalidData(f"the payoffs have shapes {ours.shape} and {theirs.shape}; expected the same")
    gaps = swap_gaps if concept == "ce" else external_gaps
    target = tol * float(np.ptp(ours)), tol * float(np.ptp(theirs))
    joint, rounds = np.zeros(ours.shape), 0
    row, column = rule.init(ours.shape[0]), rule.init(ours.shape[1])
    row_gap, column_gap = np.inf, np.inf
    while rounds < max_rounds and not (row_gap <= target[0] and column_gap <= target[1]):
        p, q = rule.weights(row), rule.weights(column)
        rule.update(row, -(ours @ q))
        rule.update(column, -(p @ theirs))
        rounds += 1
        joint += (np.outer(p, q) - joint) / rounds
        if rounds % _CHECK_EVERY == 0 or rounds in (1, max_rounds):
            row_gap, column_gap = gaps(joint, ours, theirs)
    paid = float(np.sum(joint * ours)), float(np.sum(joint * theirs))
    return Equilibrium(joint, concept, *paid, row_gap, column_gap, rounds, target)


def external_gaps(joint: FloatArray, A: FloatArray, B: FloatArray) -> tuple[float, float]:
    """What the best fixed action would gain each player over following the distribution."""
    of_column, of_row = np.sum(joint, axis=0), np.sum(joint, axis=1)
    row = float(np.max(A @ of_column) - np.sum(joint * A))
    column = float(np.max(of_row @ B) - np.sum(joint * B))
    return max(row, 0.0), max(column, 0.0)


def swap_gaps(joint: FloatArray, A: FloatArray, B: FloatArray) -> tuple[float, float]:
    """What the best answer to every recommendation would gain each player over following it."""
    row = np.max(joint @ A.T, axis=1).sum() - np.sum(joint * A)
    column = np.max(joint.T @ B, axis=1).sum() - np.sum(joint * B)
    return max(float(row), 0.0), max(float(column), 0.0)


def _dense(A: Game) -> FloatArray:
    """The payoffs as a float64 array, checked as those of a zero-sum game are."""
    payoffs = payoffs_of(A)
    if payoffs.matrix is None:
        raise InvalidData("the payoffs of a general game must be given as matrices")
    if isinstance(payoffs.matrix, np.ndarray):
        return np.asarray(payoffs.matrix, dtype=np.float64)
    return np.column_stack([payoffs.game.times(unit) for unit in np.eye(payoffs.game.columns)])


def _check(concept: str, tol: float, max_rounds: int) -> None:
    if not CONCEPT.contains(concept):
        raise InvalidParameter(f"concept is {concept!r}; concept must be {CONCEPT.words}")
    if not POSITIVE.contains(tol):
        raise InvalidParameter(f"tol is {tol!r}; tol must be {POSITIVE.words}")
    if not WHOLE.contains(max_rounds):
        raise InvalidParameter(f"max_rounds is {max_rounds!r}; max_rounds must be {WHOLE.words}")
