"""Theorems on masters whose votes are weighed by AdaHedge: learners that are not nearly perfect cost no factor."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np

from littlestone.experts import AdaHedge
from littlestone.theory.expert_lemmas import GAP_BY_VARIANCE, GAP_IS_PAID, GAP_IS_SMALL, VARIANCE_BY_MEAN
from littlestone.theory.guarantee import Assumption, Guarantee, Lemma

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.experts.ledger import ExpertLedger
    from littlestone.experts.rule import ExpertRule
    from littlestone.ledger import Ledger
    from littlestone.theory.certificate import Certificate
    from littlestone.theory.expert_evidence import ExpertMoment


@final
@dataclass(frozen=True, eq=False)
class MasterEvidence:
    """What the theorems read: the labels that were shown, the chances of a wrong one by the weights, and all wrong votes."""

    rule: ExpertRule
    ledger: Ledger
    """Of the labels that were shown."""
    votes: ExpertLedger
    """Of the votes: its loss is the sum of the weights that voted wrong."""
    wrong: FloatArray
    """The wrong votes of each learner, counted by the master."""

    @property
    def best(self) -> float:
        """k: the wrong votes of the best learner."""
        return float(np.min(self.wrong))

    @property
    def bound(self) -> float:
        """Of expected mistakes: k + 2√(k(1 − k/T)·log n) + (16/3) log n + 2."""
        rounds, log = max(self.ledger.rounds, 1), math.log(len(self.wrong))
        spread = self.best * (1.0 - self.best / rounds)
        return self.best + 2.0 * math.sqrt(spread * log) + 16.0 / 3.0 * log + 2.0

    @property
    def constant(self) -> float:
        """What is known without learning: the mistakes of the better constant label."""
        return float(min(self.ledger.positives, self.ledger.rounds - self.ledger.positives))


@final
@dataclass(frozen=True, eq=False)
class MasterMoment:
    """One round of the vote: as the proof of the rule sees it, and whether the label that was shown was wrong."""

    round: ExpertMoment
    mistaken: bool


MasterGuarantee: TypeAlias = Guarantee[MasterEvidence, MasterMoment]
MasterAssumption: TypeAlias = Assumption[MasterEvidence]


def _of_round(lemma: Lemma[ExpertMoment]) -> Lemma[MasterMoment]:
    return Lemma(lemma.words, lambda moment: lemma.sides(moment.round))


def _same_votes(evidence: MasterEvidence) -> bool:
    votes = evidence.votes
    return votes.rounds == evidence.ledger.rounds and bool(np.array_equal(votes.losses, evidence.wrong))


_ADAPTS = MasterAssumption("the votes are weighed by AdaHedge", lambda evidence: isinstance(evidence.rule, AdaHedge))
_COUNTED = MasterAssumption("rounds and wrong votes are those that were weighed", _same_votes)
_SOME = MasterAssumption("there was a round", lambda evidence: evidence.ledger.rounds > 0)
_SOURCE = "de Rooij, van Erven, Grünwald and Koolen 2014, theorem 8"
_LEMMAS = tuple(_of_round(lemma) for lemma in (GAP_IS_PAID, GAP_IS_SMALL, GAP_BY_VARIANCE, VARIANCE_BY_MEAN))
HALF_WRONG: Lemma[MasterMoment] = Lemma(
    "1[mistake] ≤ 2p·l: a wrong label has half of the weight behind it",
    lambda moment: (float(moment.mistaken), 2.0 * moment.round.mean),
)

GUARANTEES: tuple[MasterGuarantee, ...] = (
    MasterGuarantee(
        id="master.hedge",
        source=_SOURCE,
        statement="Whoever follows, in each round, one of n learners drawn by the weights of AdaHedge has in expectation at "
        "most k + 2√(k(1 − k/T) log n) + (16/3) log n + 2 mistakes, k the wrong votes of the best learner.",
        latex=r"\mathbb{E}[M] \le k+2\sqrt{k(1-k/T)\log n}+\tfrac{16}{3}\log n+2",
        rules=(AdaHedge,),
        quantity="expected mistakes",
        formula="k + 2√(k(1 − k/T) log n) + (16/3) log n + 2",
        compared="the learner with the fewest wrong votes",
        assumptions=(_ADAPTS, _SOME, _COUNTED),
        measured=lambda evidence: evidence.votes.loss,
        bound=lambda evidence: evidence.bound,
        trivial=lambda evidence: evidence.constant,
        lemmas=_LEMMAS,
    ),
    MasterGuarantee(
        id="master.vote",
        source=f"{_SOURCE}, and a wrong label has half of the weight behind it",
        statement="The labels that are shown, each with the larger weight of votes behind it, are wrong at most "
        "2(k + 2√(k(1 − k/T) log n) + (16/3) log n + 2) times, k the wrong votes of the best learner.",
        latex=r"M \le 2\bigl(k+2\sqrt{k(1-k/T)\log n}+\tfrac{16}{3}\log n+2\bigr)",
        rules=(AdaHedge,),
        quantity="mistakes",
        formula="2(k + 2√(k(1 − k/T) log n) + (16/3) log n + 2)",
        compared="the learner with the fewest wrong votes",
        assumptions=(_ADAPTS, _SOME, _COUNTED),
        measured=lambda evidence: float(evidence.ledger.mistakes),
        bound=lambda evidence: 2.0 * evidence.bound,
        trivial=lambda evidence: evidence.constant,
        lemmas=(*_LEMMAS, HALF_WRONG),
    ),
)


def certify_master(evidence: MasterEvidence) -> list[Certificate]:
    """What is proved of a master, whatever weighs its votes."""
    return [guarantee.certify(evidence) for guarantee in GUARANTEES if guarantee.speaks_of(evidence.rule)]
