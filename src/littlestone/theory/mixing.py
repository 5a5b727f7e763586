"""Theorems on iterative parameter mixing: a potential that is convex in what is mixed telescopes with weighted terms."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np

from littlestone.linear.passive_aggressive import PassiveAggressive
from littlestone.linear.perceptron import Perceptron
from littlestone.linear.winnow import Winnow
from littlestone.mixing import merge
from littlestone.theory.guarantee import Assumption, Guarantee, Lemma

if TYPE_CHECKING:
    from collections.abc import Callable

    from littlestone.arrays import FloatArray
    from littlestone.epochs import Epochs
    from littlestone.ledger import Ledger
    from littlestone.rule import LinearRule
    from littlestone.theory.certificate import Certificate


@final
@dataclass(frozen=True, kw_only=True)
class MixedEvidence:
    """What the theorems read: the ledger of every partition and epoch, its share, and those of fixed weights u."""

    rule: LinearRule
    ledgers: tuple[tuple[Ledger, ...], ...]
    shares: tuple[FloatArray, ...]
    u: FloatArray
    rivals: tuple[Ledger, ...]
    """Of u, run over each partition once."""

    def weighted(self, total: Callable[[Ledger], float]) -> float:
        """A total of every partition and epoch, each times its share."""
        epochs = zip(self.shares, self.ledgers, strict=True)
        return sum(
            float(share) * total(ledger) for shares, epoch in epochs for share, ledger in zip(shares, epoch, strict=True)
        )

    def weighted_rival(self, total: Callable[[Ledger], float]) -> float:
        """A total of u over each partition, times its share in every epoch."""
        return sum(
            float(share) * total(rival) for shares in self.shares for share, rival in zip(shares, self.rivals, strict=True)
        )

    @property
    def rival(self) -> Ledger:
        """Of u over all partitions."""
        return merge(self.rivals)

    @property
    def norm_squared(self) -> float:
        """‖u‖²."""
        return float(self.u @ self.u)


@final
@dataclass(frozen=True)
class MixedMoment:
    """One mixing seen from the proof: the weights before, those of each partition, their shares, and u."""

    parts: tuple[FloatArray, ...]
    shares: FloatArray
    u: FloatArray

    @property
    def mixture(self) -> FloatArray:
        """What was made of them."""
        return np.asarray(sum(share * part for share, part in zip(self.shares, self.parts, strict=True)))


MixedAssumption: TypeAlias = Assumption[MixedEvidence]
MixedGuarantee: TypeAlias = Guarantee[MixedEvidence, MixedMoment]


def _zero_start(evidence: MixedEvidence) -> bool:
    return getattr(evidence.rule, "start", None) is None


def _same_rows(evidence: MixedEvidence) -> bool | None:
    """Partition by partition, in every epoch; None where a ledger does not know its rows."""
    pairs = [zip(evidence.rivals, epoch, strict=True) for epoch in evidence.ledgers]
    known = [rival.is_of(ledger) for pair in pairs for rival, ledger in pair]
    return False if False in known else None if None in known else True


_SHARES = MixedAssumption(
    "no share is negative and those of an epoch add up to 1",
    lambda e: all(bool((s >= 0.0).all()) and abs(float(s.sum()) - 1.0) < 1e-9 for s in e.shares),
)
_ZERO = MixedAssumption("the start is 0", _zero_start)
_ROWS = MixedAssumption("the comparator ran over the same rows", _same_rows)
_SEPARATES = MixedAssumption("the comparator separates the rows", lambda e: e.rival.smallest_margin > 0.0)
_UNWEIGHTED = MixedAssumption("every round has weight 1", lambda e: all(x.unit_weights for epoch in e.ledgers for x in epoch))
_SIMPLEX = MixedAssumption(
    "the comparator is a distribution", lambda e: bool((e.u >= 0.0).all()) and abs(float(e.u.sum()) - 1.0) < 1e-9
)

_CONVEX = Lemma[MixedMoment](
    "‖Σμw − u‖² ≤ Σμ‖w − u‖²",
    lambda m: (
        float(np.sum((m.mixture - m.u) ** 2)),
        float(sum(s * np.sum((w - m.u) ** 2) for s, w in zip(m.shares, m.parts, strict=True))),
    ),
)
_CONVEX_ENTROPY = Lemma[MixedMoment](
    "log Σexp(Σμθ) ≤ Σμ log Σexp θ",
    lambda m: (
        _log_sum(m.mixture),
        float(sum(s * _log_sum(theta) for s, theta in zip(m.shares, m.parts, strict=True))),
    ),
)


def _log_sum(theta: FloatArray) -> float:
    top = float(np.max(theta))
    return top + math.log(float(np.sum(np.exp(theta - top))))


def _mistakes(evidence: MixedEvidence) -> float:
    return evidence.weighted(lambda ledger: ledger.mistakes)


def _most(evidence: MixedEvidence) -> float:
    """What is known without learning: every row a mistake, or no more than the label met less often."""
    return evidence.weighted(lambda ledger: min(ledger.positives, ledger.rounds - ledger.positives))


def _separable(evidence: MixedEvidence) -> float:
    rival = evidence.rival
    return rival.largest_norm_squared * evidence.norm_squared / rival.smallest_margin**2


def _inseparable(evidence: MixedEvidence) -> float:
    updates = evidence.weighted(lambda ledger: ledger.update_norm_squared)
    return evidence.weighted_rival(lambda rival: rival.loss) + math.sqrt(evidence.norm_squared * updates)


def _pa_one(evidence: MixedEvidence) -> float:
    rule = evidence.rule
    assert isinstance(rule, PassiveAggressive)
    assert rule.C is not None
    widest = max(evidence.rival.largest_norm_squared, 1.0 / rule.C)
    return widest * (evidence.norm_squared + 2.0 * rule.C * evidence.weighted_rival(lambda rival: rival.loss))


def _is_pa_one(evidence: MixedEvidence) -> bool:
    return isinstance(evidence.rule, PassiveAggressive) and evidence.rule.variant == "PA-I" and evidence.rule.margin == 1.0


def _winnow(evidence: MixedEvidence) -> float:
    rule = evidence.rule
    assert isinstance(rule, Winnow)
    rival = evidence.rival
    return math.log(len(evidence.u)) / _gain(rule.eta, rival.smallest_margin, rival.largest_entry)


def _gain(eta: float, margin: float, radius: float) -> float:
    return eta * margin - eta * eta * radius * radius / 2.0


def _gains(evidence: MixedEvidence) -> bool:
    rival = evidence.rival
    return isinstance(evidence.rule, Winnow) and _gain(evidence.rule.eta, rival.smallest_margin, rival.largest_entry) > 0.0


GUARANTEES: tuple[MixedGuarantee, ...] = (
    MixedGuarantee(
        id="mcdonald.3",
        source="McDonald, Hall and Mann 2010, theorem 3",
        statement="The mistakes of all partitions and epochs, each times its partition's share, are at most R²‖u‖²/γ² where u "
        "separates every row with margin γ. Unweighted they are not: one row copied to S partitions makes S mistakes.",
        latex=r"\sum_n \sum_i \mu_{i,n} k_{i,n} \le \frac{R^2 \lVert u \rVert^2}{\gamma^2}",
        rules=(Perceptron,),
        quantity="weighted mistakes",
        formula="R²‖u‖²/γ²",
        assumptions=(_ZERO, _SHARES, _UNWEIGHTED, _ROWS, _SEPARATES),
        measured=_mistakes,
        bound=_separable,
        trivial=_most,
        lemmas=(_CONVEX,),
        compared="weights that separate the rows",
    ),
    MixedGuarantee(
        id="mixing.perceptron",
        source="as McDonald, Hall and Mann 2010, with the terms of Mohri and Rostamizadeh 2013",
        statement="The weighted mistakes are at most the weighted hinge loss of any u plus ‖u‖ times the root of the weighted "
        "sum of ‖x‖² over the mistakes.",
        latex=r"K \le D + \lVert u \rVert \sqrt{Q}",
        rules=(Perceptron,),
        quantity="weighted mistakes",
        formula="D + ‖u‖√Q",
        assumptions=(_ZERO, _SHARES, _UNWEIGHTED, _ROWS),
        measured=_mistakes,
        bound=_inseparable,
        trivial=_most,
        lemmas=(_CONVEX,),
        compared="any weights, at margin 1",
    ),
    MixedGuarantee(
        id="mixing.pa",
        source="Crammer et al. 2006, theorem 4, weighted by the shares",
        statement="The weighted mistakes of PA-I are at most max(R², 1/C)·(‖u‖² + 2C·(weighted hinge loss of u)).",
        latex=r"K \le \max\{R^2, 1/C\} (\lVert u \rVert^2 + 2 C D)",
        rules=(PassiveAggressive,),
        quantity="weighted mistakes",
        formula="max(R², 1/C)(‖u‖² + 2CD)",
        assumptions=(MixedAssumption("the variant is PA-I with margin 1", _is_pa_one), _ZERO, _SHARES, _UNWEIGHTED, _ROWS),
        measured=_mistakes,
        bound=_pa_one,
        trivial=_most,
        lemmas=(_CONVEX,),
        compared="any weights, at margin 1",
    ),
    MixedGuarantee(
        id="mixing.winnow",
        source="Littlestone 1988, by the relative entropy, which is convex in the log-weights",
        statement="The weighted mistakes are at most log N/(ηρ − η²r²/2) where the distribution u has margin ρ on every row "
        "and no feature exceeds r.",
        latex=r"K \le \frac{\log N}{\eta \rho - \eta^2 r^2 / 2}",
        rules=(Winnow,),
        quantity="weighted mistakes",
        formula="log N/(ηρ − η²r²/2)",
        assumptions=(_SHARES, _UNWEIGHTED, _ROWS, _SIMPLEX, MixedAssumption("ηρ > η²r²/2", _gains)),
        measured=_mistakes,
        bound=_winnow,
        trivial=_most,
        lemmas=(_CONVEX_ENTROPY,),
        compared="a distribution that separates the rows",
    ),
)


def certify_epochs(run: Epochs, u: FloatArray) -> list[Certificate]:
    """Runs u over the partitions and reads every theorem that speaks of the rule."""
    evidence = evidence_of(run, u)
    return [guarantee.certify(evidence) for guarantee in GUARANTEES if guarantee.speaks_of(run.rule)]


def evidence_of(run: Epochs, u: FloatArray) -> MixedEvidence:
    """What the theorems read of epochs beside fixed weights u."""
    return MixedEvidence(rule=run.rule, ledgers=run.ledgers, shares=run.shares, u=u, rivals=tuple(_rivals(run, u)))


def _rivals(run: Epochs, u: FloatArray) -> list[Ledger]:
    """The ledgers of u, which is run by whoever ran the epochs."""
    from littlestone.epochs import learned_by

    return [rival.ledger for rival in run.work(learned_by, run.learner.with_weights(u))]
