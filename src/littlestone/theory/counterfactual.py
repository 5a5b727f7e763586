"""Counterfactual regret minimisation as a value: what regrets at the decision points prove about a game with turns."""

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
class CounterfactualEvidence:
    """What the theorem reads of T rounds, whatever their weights in the averages."""

    gap: float
    """Between what the averages secure and concede against best plans, in payoffs."""
    immediate_regret: float
    """The mean regrets at all decision points of both players, those above 0 added up."""
    range: float
    """The largest payoff minus the smallest."""
    rounds: int

    @property
    def unit(self) -> float:
        """Both sides are measured in payoff ranges; where all ends pay the same there is no gap."""
        return self.range if self.range > 0.0 else 1.0


@final
@dataclass(frozen=True)
class CounterfactualMoment:
    """One round of one player seen from the proof."""

    best: float
    """What the best plan would have gained."""
    earned: float
    """What the strategy gained."""
    regrets: FloatArray
    """The largest regret at every decision point, play going on from there as it does."""


CounterfactualGuarantee: TypeAlias = Guarantee[CounterfactualEvidence, CounterfactualMoment]

DECOMPOSITION: tuple[Lemma[CounterfactualMoment], ...] = (
    Lemma(
        "best plan − strategy ≤ Σ over the decision points of [largest regret there]₊",
        lambda moment: (moment.best - moment.earned, float(np.sum(np.maximum(moment.regrets, 0.0)))),
    ),
)

IMMEDIATE = CounterfactualGuarantee(
    id="cfr.immediate",
    source="Zinkevich, Johanson, Bowling and Piccione 2007, theorem 3 (Tammelin 2014; Farina, Kroer and Sandholm 2021)",
    statement="In a zero-sum game of perfect recall the gap of the average strategies is at most the sum, over the decision "
    "points of both players, of the mean counterfactual regrets above 0, whichever regret minimisers sit there and however "
    "the rounds are weighted.",
    latex=r"\epsilon \le \sum_{I} \max_a \Big[\tfrac1T \sum_t r_t(I, a)\Big]_+",
    rules=(),
    quantity="gap in payoff ranges",
    formula="Σ [mean regret at a decision point]₊",
    compared="the best plan of each player in hindsight",
    assumptions=(
        Assumption("the range of the payoffs is finite", lambda evidence: math.isfinite(evidence.range)),
        Assumption("at least one round was played", lambda evidence: evidence.rounds > 0),
    ),
    measured=lambda evidence: evidence.gap / evidence.unit,
    bound=lambda evidence: evidence.immediate_regret / evidence.unit,
    trivial=lambda _: 1.0,
    lemmas=DECOMPOSITION,
    hindsight=True,
)

GUARANTEES: tuple[CounterfactualGuarantee, ...] = (IMMEDIATE,)
