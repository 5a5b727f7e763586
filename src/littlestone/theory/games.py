"""The minimax theorem as a value: what the play of a zero-sum game proves about its value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np

from littlestone.theory.guarantee import Assumption, Guarantee, Lemma

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray


@final
@dataclass(frozen=True, kw_only=True)
class GameEvidence:
    """What the theorem reads: the averages of T rounds of play, the bracket they prove, and both average regrets.

    A pair of strategies that was not found by play is one round of it: then the regrets are what each player could
    gain by deviating.
    """

    p: FloatArray
    q: FloatArray
    range: float
    """max A − min A."""
    rounds: int
    lower: float
    upper: float
    row_regret: float
    """Of the row player, per round."""
    column_regret: float
    zero_sum: bool = True
    """Whether the column player loses what the row player wins; of one matrix that is what it means."""
    etas: tuple[float, ...] = ()
    """Rates of Exponential Weights: of the row player against best responses, or of both players; () for other rules."""

    @property
    def unit(self) -> float:
        """Both sides are measured in payoff ranges; a constant game has none, and then no gap either."""
        return self.range if self.range > 0.0 else 1.0

    @property
    def gap(self) -> float:
        """The length of the bracket, in payoff ranges."""
        return (self.upper - self.lower) / self.unit


@final
@dataclass(frozen=True)
class GameMoment:
    """One round seen from the proof."""

    row_payoffs: FloatArray
    """A q_t."""
    column_payoffs: FloatArray
    """p_tᵀ A."""
    payoff: float
    """p_tᵀ A q_t."""


GameAssumption: TypeAlias = Assumption[GameEvidence]
GameGuarantee: TypeAlias = Guarantee[GameEvidence, GameMoment]


def _is_distribution(strategy: FloatArray) -> bool:
    return bool((strategy >= 0.0).all()) and abs(float(np.sum(strategy)) - 1.0) <= 1e-9


def _regrets(evidence: GameEvidence) -> float:
    return (evidence.row_regret + evidence.column_regret) / evidence.unit


def _exponential_weights(evidence: GameEvidence) -> float:
    """Σ over the players who learn of (log N/η + ηT/8)/T, which is √(log N/(2T)) at η = √(8 log N/T)."""
    actions = (len(evidence.p), len(evidence.q))
    terms = (_regret_bound(n, eta, evidence.rounds) for n, eta in zip(actions, evidence.etas, strict=False))
    return sum(terms) / evidence.rounds


def _regret_bound(actions: int, eta: float, rounds: int) -> float:
    return math.log(actions) / eta + eta * rounds / 8.0 if eta > 0.0 else 0.0


_DISTRIBUTIONS = GameAssumption(
    "both strategies are distributions", lambda evidence: _is_distribution(evidence.p) and _is_distribution(evidence.q)
)
_ZERO_SUM = GameAssumption("the game is zero-sum", lambda evidence: evidence.zero_sum)
_LEARNS = GameAssumption("the row player is Exponential Weights", lambda evidence: len(evidence.etas) > 0)
_FINITE_RANGE = GameAssumption("the payoff range is known", lambda evidence: math.isfinite(evidence.range) or None)

WEAK_DUALITY: tuple[Lemma[GameMoment], ...] = (
    Lemma("pᵀAq ≤ max_i (Aq)_i", lambda moment: (moment.payoff, float(np.max(moment.row_payoffs)))),
    Lemma("min_j (pᵀA)_j ≤ pᵀAq", lambda moment: (float(np.min(moment.column_payoffs)), moment.payoff)),
)

MINIMAX = GameGuarantee(
    id="mohri.8.16",
    source="Mohri et al., theorem 8.16 (von Neumann 1928; Freund and Schapire 1996)",
    statement="The value lies between what the average strategies secure and concede, and the length of that bracket "
    "is at most the sum of both players' average regrets.",
    latex=r"\max_i (A\bar q)_i - \min_j (\bar p^\top A)_j \le (R_{row} + R_{column})/T",
    rules=(),
    quantity="gap in payoff ranges",
    formula="(R_row + R_column)/T",
    compared="the best strategy of each player in hindsight",
    assumptions=(_ZERO_SUM, _DISTRIBUTIONS),
    measured=lambda evidence: evidence.gap,
    bound=_regrets,
    hindsight=True,
    trivial=lambda evidence: 1.0 if math.isfinite(evidence.range) else math.inf,
    lemmas=WEAK_DUALITY,
)
EXPONENTIAL_WEIGHTS = GameGuarantee(
    id="mohri.8.16ewa",
    source="Mohri et al., theorem 8.16 and its proof",
    statement="With Exponential Weights for the row player, on payoffs scaled to [0, 1], against best responses the gap "
    "is at most log m/(ηT) + η/8, which is √(log m/(2T)) for the η of the book; where the column player learns in the "
    "same way, its regret is added. Errata: the book does not say that the payoffs must be scaled.",
    latex=r"\max_i (A\bar q)_i - \min_j (\bar p^\top A)_j \le (\max A-\min A)\sqrt{\log m/(2T)}",
    rules=(),
    quantity="gap in payoff ranges",
    formula="Σ (log N/η + ηT/8)/T over the players who learn",
    compared="the best strategy of each player in hindsight",
    assumptions=(_ZERO_SUM, _DISTRIBUTIONS, _FINITE_RANGE, _LEARNS),
    measured=lambda evidence: evidence.gap,
    bound=_exponential_weights,
    trivial=lambda _: 1.0,
    lemmas=WEAK_DUALITY,
)

GUARANTEES: tuple[GameGuarantee, ...] = (MINIMAX, EXPONENTIAL_WEIGHTS)
