"""Solving zero-sum games to a tolerance."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone import _core
from littlestone.arguments import is_one_of
from littlestone.domain import POSITIVE, WHOLE
from littlestone.errors import InvalidParameter, NotApplicable, UnknownName
from littlestone.games.evidence import evidence_of
from littlestone.games.exact import finish, sift
from littlestone.games.linear_program import linear_program
from littlestone.games.methods import METHODS, Method, Plan
from littlestone.games.payoffs import Bracket, Payoffs, payoffs_of
from littlestone.games.solution import History, Solution

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.games.payoffs import Game
    from littlestone.theory.games import GameEvidence

# Below this tolerance to finish exactly is quicker than to play on, from play that has come as far as _START.
_EXACT = 1e-4
_START = 2e-4
# Play that has not come that far by now will not for long; the simplex method can start from anywhere.
_ENOUGH = 1000
_PLAY = "predictive-regret-matching+"
_NAMES = ("auto", "exact", *METHODS, "lp")
# Of this many payoffs, copies in 16 bits are worth their making and their memory.
_COPY_ENTRIES = (1 << 14, 1 << 24)
# Gaps below it, in ranges, are too close to what is rounded away in 16 bits: up to 8e-6.
_COPY_GAP = 5e-5
# What that can do to a gap, in ranges: half a step of 1/65534 for either player.
_ROUNDED = 1.6e-5
# A product of the copy takes a twentieth per payoff of what one of stored payoffs takes.
_DENSE = 20


def solve(
    A: Game,
    *,
    tol: float = 1e-4,
    method: str = "auto",
    sense: str = "max",
    max_rounds: int = 100_000,
    shape: tuple[int, int] | None = None,
    bounds: tuple[float, float] | None = None,
) -> Solution:
    """Strategies of both players of a zero-sum game, and a bracket of its value no longer than asked.

    Both players learn from each other; the average of their play closes in on an equilibrium, and the gap between what
    the one secures and the other concedes is known all the time. Cost: two matrix-vector products per round, and memory
    for a few vectors; 2^14 to 2^24 payoffs, of which a twentieth or more are not 0, are played on a copy in 16 bits by
    rows and one by columns, together of half the size of a float64 matrix, where the tolerance allows.

    Args:
        A: the payoffs, `p @ A @ q` to the row player: an array, a SciPy sparse matrix, a frame, lists, or the pair of
            functions (q ↦ A@q, p ↦ p@A).
        tol: the gap as a fraction of the range of the payoffs, max A − min A, so that it means the same whatever they
            are counted in; `Solution.gap` and `Solution.target` are in payoffs. Where functions come without bounds,
            the range is taken from a few rows and columns, and is then at most the range itself.
        method: "auto"; "exact" (play, then the simplex method on the strategies in use, to rounding; of a large game a
            few actions are tried first, without play);
            "predictive-regret-matching+", "regret-matching+", "optimistic-hedge" (fast); "best-response", "self-play"
            (Exponential Weights as in the textbook, with its bound); "lp" (HiGHS). "auto" looks for a pure equilibrium,
            of a large game for one of few actions, takes "exact" below a tol of 1e-4, if the payoffs are there, and
            "predictive-regret-matching+" otherwise.
        sense: what the row player does to the payoffs, "max" or "min"; the column player does the opposite.
        max_rounds: the most rounds; without the gap by then, `converged` is False and the bracket as true as ever.
        shape: rows and columns of a game given by functions.
        bounds: the smallest and largest payoff of a game given by functions; the textbook methods need them.

    Raises:
        InvalidData: if the payoffs are empty, ragged, not numbers or not finite.
        InvalidParameter: if a parameter is outside its domain.

    Example:
        >>> import littlestone as ls
        >>> rock_paper_scissors = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
        >>> solution = ls.solve(rock_paper_scissors)
        >>> solution.row, solution.value, solution.converged
        (array([0.33333333, 0.33333333, 0.33333333]), 0.0, True)
        >>> solution = ls.solve([[4, 1], [1, 2]], tol=1e-12)
        >>> solution.row, solution.value, solution.method
        (array([0.25, 0.75]), 1.75, 'exact')
    """
    _check(tol, method, max_rounds)
    return _solved(payoffs_of(A, sense=sense, shape=shape, bounds=bounds), tol, method, max_rounds)


def _solved(payoffs: Payoffs, tol: float, method: str, max_rounds: int) -> Solution:
    gap = tol * payoffs.known_range()
    pure = payoffs.saddle() if method != "lp" else None
    if pure is not None:
        return _settled(payoffs, *pure, gap, "pure")
    if method == "lp":
        return _settled(payoffs, *_by_program(payoffs), gap, "lp")
    few = sift(payoffs, gap) if method in {"auto", "exact"} and _is_large(payoffs) else None
    if few is not None:
        return _settled(payoffs, *few, gap, "exact")
    name = _choice(payoffs, tol) if method == "auto" else method
    if name == "exact":
        return _exact(payoffs, gap, max_rounds)
    return _Search(payoffs, name, gap, max_rounds).solution()


def _check(tol: float, method: str, max_rounds: int) -> None:
    if not POSITIVE.contains(tol):
        raise InvalidParameter(f"tol is {tol!r}; tol must be {POSITIVE.words}")
    if not WHOLE.contains(max_rounds):
        raise InvalidParameter(f"max_rounds is {max_rounds!r}; max_rounds must be {WHOLE.words}")
    if not is_one_of(method, _NAMES):
        raise UnknownName(f"there is no method {method!r}; there are {', '.join(_NAMES)}")


def _choice(payoffs: Payoffs, tol: float) -> str:
    return "exact" if tol < _EXACT and payoffs.matrix is not None else _PLAY


def _is_large(payoffs: Payoffs) -> bool:
    """Whether the payoffs are there, and enough of them that a few might do instead."""
    return payoffs.matrix is not None and math.prod(payoffs.shape) >= _COPY_ENTRIES[0]


def _by_program(payoffs: Payoffs) -> tuple[FloatArray, FloatArray]:
    """The linear program, where there is something to optimise."""
    if payoffs.range == 0.0:
        return np.full(payoffs.game.rows, 1.0 / payoffs.game.rows), np.full(payoffs.game.columns, 1.0 / payoffs.game.columns)
    return linear_program(payoffs)


def _settled(payoffs: Payoffs, p: FloatArray, q: FloatArray, gap: float, method: str) -> Solution:
    """A solution that took no rounds."""
    bracket = payoffs.bracket(p, q)
    evidence = evidence_of(payoffs, p, q, bracket, bracket, rounds=1)
    history = History.of(0, bracket.lower, bracket.upper)
    return Solution(p, q, bracket.lower, bracket.upper, 0, payoffs.range, gap, method, history, evidence)


def _exact(payoffs: Payoffs, gap: float, max_rounds: int) -> Solution:
    """Play, which finds the strategies in use, and the simplex method on them; play to the end where they are too many."""
    if payoffs.matrix is None:
        raise NotApplicable('"exact" needs the payoffs themselves; this game is given by functions')
    played = _Search(payoffs, _PLAY, max(gap, _START * payoffs.range), min(max_rounds, _ENOUGH)).solution()
    found = _settled(payoffs, *finish(payoffs, played.row, played.column), gap, "exact")
    if found.gap >= played.gap:
        return _Search(payoffs, _PLAY, gap, max_rounds).solution()
    return replace(found, rounds=played.rounds, history=played.history.then(found.lower, found.upper))


@final
@dataclass(frozen=True)
class _Field:
    """Where the rounds are played: on the payoffs themselves, or on a copy (A − zero)/unit in 16 bits."""

    game: _core.Game
    unit: float = 1.0
    zero: float = 0.0


def _field(payoffs: Payoffs, method: Method, gap: float) -> _Field:
    """A copy where the gap is far above its rounding, and its making pays: of a sparse game, where zeros are not too many."""
    matrix, entries = payoffs.matrix, math.prod(payoffs.shape)
    if method.textbook or matrix is None or gap < _COPY_GAP * payoffs.range or not 1.0 / payoffs.range < math.inf:
        return _Field(payoffs.game)
    stored = entries if isinstance(matrix, np.ndarray) else len(matrix.tocsr().data)
    if not _COPY_ENTRIES[0] <= entries <= min(_COPY_ENTRIES[1], _DENSE * stored):
        return _Field(payoffs.game)
    return _Field(payoffs.game.short_copy(zero=payoffs.middle, unit=payoffs.range), payoffs.range, payoffs.middle)


@final
class _Search:
    """Rounds of play until the strategies, measured on the payoffs themselves, have the gap."""

    def __init__(self, payoffs: Payoffs, name: str, gap: float, max_rounds: int) -> None:
        self._payoffs, self._name, self._method, self._gap = payoffs, name, METHODS[name], gap
        rows, columns = payoffs.shape
        self._plan = Plan(rows, columns, payoffs.sign, payoffs.range, gap, max_rounds)
        self._rounds = self._method.horizon(self._plan)
        self._field = _field(payoffs, self._method, gap)
        self._duel = self._method.duel(self._plan)

    def solution(self) -> Solution:
        """Plays, and measures; where rounding made the field's gap too small, plays on.

        Actions that fall far behind leave the field. What they would gain is measured with the rest, and should it be
        too much, the game is played again with all of them.
        """
        wanted, whole = -math.inf if self._method.textbook else self._gap, False
        while True:
            self._duel.play(self._field.game, self._rounds - self._duel.rounds, wanted / self._field.unit, whole)
            p, q = self._duel.strategies
            bracket = self._payoffs.bracket(p, q)
            excess = bracket.upper - bracket.lower - self._gap
            if excess > _ROUNDED * self._field.unit and self._duel.narrowed:
                self._duel, whole = self._method.duel(self._plan), True
                continue
            wanted -= 1.5 * excess
            if excess <= 0.0 or wanted <= 0.0 or self._duel.rounds >= self._rounds:
                break
        return Solution(
            row=p,
            column=q,
            lower=bracket.lower,
            upper=bracket.upper,
            rounds=self._duel.rounds,
            range=self._payoffs.range,
            target=self._gap,
            method=self._name,
            history=self._history(bracket),
            evidence=self._evidence(p, q, bracket),
        )

    def _history(self, bracket: Bracket) -> History:
        return History(*self._duel.history).in_payoffs(self._field.zero, self._field.unit, (bracket.lower, bracket.upper))

    def _evidence(self, p: FloatArray, q: FloatArray, bracket: Bracket) -> GameEvidence:
        """For the textbook's players, from the regrets of their play; for others the pair is one round of play."""
        etas = self._method.etas(self._plan)
        if not etas:
            return evidence_of(self._payoffs, p, q, bracket, bracket, rounds=1)
        played = Bracket(*self._duel.bracket, self._duel.payoff)
        return evidence_of(self._payoffs, p, q, bracket, played, rounds=self._duel.rounds, etas=etas)
