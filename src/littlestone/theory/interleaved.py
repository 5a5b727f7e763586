"""Copies of a rule that take turns: what holds for each of them holds for all of them together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np

from littlestone.experts import ExpertRule
from littlestone.theory.certificate import Verdict
from littlestone.theory.guarantee import Assumption, Guarantee, Lemma

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.experts.interleaved import InterleavedRun
    from littlestone.theory.certificate import Certificate


@final
@dataclass(frozen=True, kw_only=True)
class InterleavedEvidence:
    """What the theorem reads: the regret of all rounds, and the best bound that was proved of each copy's."""

    regret: float
    loss: float
    bounds: tuple[float, ...]
    """One for each copy; nan where none was proved."""
    vacuous: bool
    """Whether the bound of every copy says no more than what is always true."""

    @staticmethod
    def of(run: InterleavedRun) -> InterleavedEvidence:
        """From a run."""
        found = [_best(copy.certify()) for copy in run.copies]
        return InterleavedEvidence(
            regret=run.regret,
            loss=float(np.sum(np.abs(run.losses))),
            bounds=tuple(math.nan if best is None else best.bound for best in found),
            vacuous=all(best is not None and best.verdict is Verdict.VACUOUS for best in found),
        )

    @property
    def total(self) -> float:
        """The bounds added up."""
        return math.fsum(self.bounds)


@final
@dataclass(frozen=True)
class InterleavedMoment:
    """The regrets of every copy to every expert."""

    regrets: FloatArray


def _best(certificates: list[Certificate]) -> Certificate | None:
    """The least bound on a regret that was proved."""
    proved = [found for found in certificates if found.quantity == "regret" and found.proved]
    return min(proved, key=lambda found: found.bound, default=None)


InterleavedGuarantee: TypeAlias = Guarantee[InterleavedEvidence, InterleavedMoment]
InterleavedAssumption: TypeAlias = Assumption[InterleavedEvidence]

INTERLEAVED = InterleavedGuarantee(
    id="delay.interleaved",
    source="Weinberger and Ordentlich 2002; Joulani, György and Szepesvári 2013",
    statement="With outcomes that come h rounds late, h + 1 copies of a rule that take turns have together a regret of at most "
    "the sum of their bounds: each has learned its last outcome before its next turn, and no expert is better for all copies "
    "than the best expert of each is for it.",
    latex=r"R_T \le \sum_{k=0}^{h} B_k(T_k)",
    rules=(ExpertRule,),
    quantity="regret",
    formula="Σ over the copies of their bounds",
    compared="the best expert",
    assumptions=(
        InterleavedAssumption(
            "a bound on the regret of every copy was proved", lambda evidence: not any(map(math.isnan, evidence.bounds))
        ),
    ),
    measured=lambda evidence: evidence.regret,
    subtracted=lambda evidence: evidence.loss,
    bound=lambda evidence: evidence.total,
    trivial=lambda evidence: evidence.total if evidence.vacuous else math.inf,
    hindsight=True,
    lemmas=(
        Lemma(
            "max_i Σ_k R_k(i) ≤ Σ_k max_i R_k(i)",
            lambda moment: (float(np.max(np.sum(moment.regrets, axis=0))), float(np.sum(np.max(moment.regrets, axis=1)))),
        ),
    ),
)

GUARANTEES: tuple[InterleavedGuarantee, ...] = (INTERLEAVED,)
