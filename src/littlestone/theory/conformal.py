"""Sets with a promise on their coverage: what one fixed rate proves, without a word about outcomes or forecasts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeGuard, final

from littlestone.conformal.adaptive_conformal import AdaptiveConformal
from littlestone.conformal.aggregated_conformal import AggregatedConformal
from littlestone.theory.certificate import Certificates
from littlestone.theory.guarantee import Assumption, Guarantee, Lemma

if TYPE_CHECKING:
    from littlestone.conformal.ledger import ConformalLedger
    from littlestone.conformal.rule import ConformalRule
    from littlestone.theory.certificate import Certificate


class ConformalRunner(Protocol):
    """A `Conformal`, or the run of one."""

    @property
    def rule(self) -> ConformalRule:
        """How levels are chosen."""
        ...

    @property
    def alpha(self) -> float:
        """The share of misses that is wanted."""
        ...

    @property
    def ledger(self) -> ConformalLedger:
        """What was counted."""
        ...


@final
@dataclass(frozen=True, kw_only=True)
class CoverageEvidence:
    """What the theorem reads: the share asked for, the rate, how many sets missed, and how late outcomes came."""

    alpha: float
    rate: float | None
    """The fixed rate of the last step; None where there is none."""
    misses: int
    rounds: int
    lag: int
    """The most outcomes that were learned between a set and its own outcome; 0 where none comes late."""

    @property
    def error(self) -> float:
        """How far the share of misses is from the share asked for."""
        return abs(self.misses / self.rounds - self.alpha) if self.rounds else 0.0

    @property
    def farthest(self) -> float:
        """How far the level can come from where it began: to −γ(1 + lag) or to 1 + γ(1 + lag)."""
        return max(self.alpha, 1.0 - self.alpha) + (self.rate or 0.0) * (1 + self.lag)


@final
@dataclass(frozen=True, kw_only=True)
class CoverageMoment:
    """One round seen from the proof: the level of the last step when the set was shown, and around its move."""

    alpha: float
    rate: float
    shown: float
    before: float
    after: float
    missed: bool


CoverageGuarantee: TypeAlias = Guarantee[CoverageEvidence, CoverageMoment]
CoverageAssumption: TypeAlias = Assumption[CoverageEvidence]


def _bound(evidence: CoverageEvidence) -> float:
    assert evidence.rate is not None
    return evidence.farthest / (evidence.rate * evidence.rounds)


COVERAGE = CoverageGuarantee(
    id="aci.coverage",
    source="Gibbs and Candès 2021, proposition 4.1; for outcomes that come late, its proof",
    statement="A level that starts at α and goes down by γ(1 − α) after a miss and up by γα after a hit, where sets of level 0 "
    "or below are everything and of level 1 or above nothing, stays between −γ and 1 + γ: so the share of misses is within "
    "(max(α, 1 − α) + γ)/(γT) of α, whatever outcomes and forecasts are. If up to d outcomes of other sets come between a "
    "set and its own, the level can go on for d steps more, and γ(1 + d) takes the place of the γ that is added.",
    latex=r"\left|\tfrac1T \sum_t 1[y_t \notin C_t] - \alpha\right| \le \frac{\max(\alpha, 1-\alpha)+\gamma(1+d)}{\gamma T}",
    rules=(AdaptiveConformal, AggregatedConformal),
    quantity="distance of the share of misses from α",
    formula="(max(α, 1 − α) + γ(1 + d))/(γT)",
    compared="the share of misses asked for",
    assumptions=(
        CoverageAssumption("at least one outcome was learned", lambda evidence: evidence.rounds > 0),
        CoverageAssumption("the last step has one fixed rate", lambda evidence: evidence.rate is not None),
    ),
    measured=lambda evidence: evidence.error,
    bound=_bound,
    trivial=lambda evidence: max(evidence.alpha, 1.0 - evidence.alpha),
    lemmas=(
        Lemma(
            "|(θ′ − θ)/γ − α + 1[miss]| ≤ 0",
            lambda moment: (abs((moment.after - moment.before) / moment.rate - moment.alpha + float(moment.missed)), 0.0),
        ),
        Lemma(
            "a set shown at θ ≤ 0 does not miss, one at θ ≥ 1 does",
            lambda moment: (
                float(moment.shown <= 0.0 and moment.missed) + float(moment.shown >= 1.0 and not moment.missed),
                0.0,
            ),
        ),
    ),
)

GUARANTEES: tuple[CoverageGuarantee, ...] = (COVERAGE,)


def is_conformal(of: object) -> TypeGuard[ConformalRunner]:
    """Whether there is a share of misses to certify."""
    from littlestone.conformal import Conformal, ConformalRun

    return isinstance(of, Conformal | ConformalRun)


def certify_conformal(of: ConformalRunner) -> list[Certificate]:
    """What is promised of a `Conformal`, or of a run of one, on all that it has learned."""
    ledger = of.ledger
    evidence = CoverageEvidence(alpha=of.alpha, rate=of.rule.rate, misses=ledger.misses, rounds=ledger.rounds, lag=ledger.lag)
    return Certificates(guarantee.certify(evidence) for guarantee in GUARANTEES if guarantee.speaks_of(of.rule))
