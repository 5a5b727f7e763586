"""Theorems on Winnow.

The tie tolerance t lets a margin of t·r pass for a mistake, which costs the proofs t·r of the margin.
"""

from __future__ import annotations

import math

from littlestone.linear import SignedWinnow, Winnow
from littlestone.theory.evidence import (
    LABELS,
    POSSIBLE,
    SEPARATES,
    LinearAssumption,
    LinearEvidence,
    LinearGuarantee,
    LinearMoment,
    constant_mistakes,
)
from littlestone.theory.guarantee import Lemma
from littlestone.theory.simplex import (
    LargestMargin,
    competes,
    entropy_gain,
    fits,
    largest_entry,
    log_size,
    margin_of,
    one_norm,
    relative_entropy,
    step_size,
    tie_share,
)

_WINNOWS = (Winnow, SignedWinnow)


def _winnow_progress(evidence: LinearEvidence) -> float:
    """ηρ − η²r²/2: what an update takes off D(u‖w), by the textbook's proof."""
    eta, r = step_size(evidence.rule), largest_entry(evidence)
    return eta * (margin_of(evidence) - tie_share(evidence.rule) * r) - eta**2 * r**2 / 2.0


def _lecture_progress(evidence: LinearEvidence) -> float:
    """ηρ − log cosh(ηr): the same by the lecture's proof, C(δ) at its η."""
    eta, r = step_size(evidence.rule), largest_entry(evidence)
    return eta * (margin_of(evidence) - tie_share(evidence.rule) * r) - _log_cosh(eta * r)


def _log_cosh(z: float) -> float:
    return abs(z) + math.log1p(math.exp(-2.0 * abs(z))) - math.log(2.0)


def _progresses(evidence: LinearEvidence) -> bool | None:
    return None if evidence.comparison is None else competes(evidence, scaled=True) and (_winnow_progress(evidence) > 0.0)


def _lecture_progresses(evidence: LinearEvidence) -> bool | None:
    return None if evidence.comparison is None else competes(evidence, scaled=True) and (_lecture_progress(evidence) > 0.0)


def _compatible(evidence: LinearEvidence) -> bool | None:
    return None if evidence.comparison is None else competes(evidence, scaled=True)


def _winnow_round(moment: LinearMoment) -> tuple[float, float]:
    """η·y(u·x) − η²r²/2 ≤ D(u‖w) − D(u‖w′) on a mistake."""
    if not moment.moved or not fits(moment.rule, moment.u, scaled=True):
        return 0.0, 0.0
    step, r = abs(moment.step), float(abs(moment.x).max())
    progress = step * (moment.label * moment.u_score / one_norm(moment.u) - tie_share(moment.rule) * r)
    return progress - step**2 * r**2 / 2.0, entropy_gain(moment, scaled=True)


def _lecture_round(moment: LinearMoment) -> tuple[float, float]:
    """η·y(u·x) − log cosh(ηr) ≤ D(u‖w) − D(u‖w′) on a mistake."""
    if not moment.moved or not fits(moment.rule, moment.u, scaled=True):
        return 0.0, 0.0
    step, r = abs(moment.step), float(abs(moment.x).max())
    progress = step * (moment.label * moment.u_score / one_norm(moment.u) - tie_share(moment.rule) * r)
    return progress - _log_cosh(step * r), entropy_gain(moment, scaled=True)


def _updates(evidence: LinearEvidence) -> float:
    return evidence.ledger.updates


TEXTBOOK: Lemma[LinearMoment] = Lemma("η·y(u·x) − η²r²/2 ≤ D(u‖w) − D(u‖w′) on a mistake", _winnow_round)
LECTURE: Lemma[LinearMoment] = Lemma("η·y(u·x) − log cosh(ηr) ≤ D(u‖w) − D(u‖w′) on a mistake", _lecture_round)

_SIGNS = LinearAssumption(
    "the comparator has no negative weight, or the rule is signed, and weighs features that the rule knows", _compatible
)
_PROGRESSES = LinearAssumption("η < 2ρ/r²", _progresses)
_LECTURE_PROGRESSES = LinearAssumption("log cosh(ηr) < ηρ", _lecture_progresses)
_ON_SEPARABLE = (LABELS, POSSIBLE, SEPARATES, _SIGNS)

GUARANTEES: tuple[LinearGuarantee, ...] = (
    LinearGuarantee(
        id="mohri.8.13",
        source="Mohri et al., theorem 8.13",
        statement="If some u with no negative weight has y(u·x)/‖u‖₁ ≥ ρ in every round and |xᵢ| ≤ r, Winnow with η < 2ρ/r² "
        "makes at most log N/(ηρ − η²r²/2) updates: 2(r²/ρ²)·log N at η = ρ/r². SignedWinnow has log 2N and any u.",
        latex=r"M \le \frac{\log N}{\eta\rho-\eta^2r^2/2}",
        rules=_WINNOWS,
        quantity="updates",
        formula="log N/(ηρ − η²r²/2)",
        assumptions=(*_ON_SEPARABLE, _PROGRESSES),
        measured=_updates,
        bound=lambda evidence: log_size(evidence, by_width=True) / _winnow_progress(evidence),
        trivial=constant_mistakes,
        comparator=LargestMargin(),
        lemmas=(TEXTBOOK,),
    ),
    LinearGuarantee(
        id="mohri.8.13x",
        source="after Mohri et al., theorem 8.13, with the distance of this u",
        statement="In theorem 8.13 log N may be replaced by the relative entropy D(u‖w₁): log(N/k) for u equal on k features.",
        latex=r"M \le \frac{D(u\|w_1)}{\eta\rho-\eta^2r^2/2}",
        rules=_WINNOWS,
        quantity="updates",
        formula="D(u‖w₁)/(ηρ − η²r²/2)",
        assumptions=(*_ON_SEPARABLE, _PROGRESSES),
        measured=_updates,
        bound=lambda evidence: relative_entropy(evidence, scaled=True, by_width=True) / _winnow_progress(evidence),
        trivial=constant_mistakes,
        comparator=LargestMargin(),
        lemmas=(TEXTBOOK,),
    ),
    LinearGuarantee(
        id="lecture.2",
        source="the lecture's theorem 2",
        statement="If some u with no negative weight has y(u·x)/‖u‖₁ ≥ ρ in every round and |xᵢ| ≤ r, Winnow makes at most "
        "log N/(ηρ − log cosh(ηr)) updates: log N/C(δ) at η = (1/r)·½log((1+δ)/(1−δ)), δ = ρ/r. Errata: exponent ηyx.",
        latex=r"M \le \frac{\log N}{\eta\rho-\log\cosh(\eta r)}",
        rules=_WINNOWS,
        quantity="updates",
        formula="log N/(ηρ − log cosh(ηr))",
        assumptions=(*_ON_SEPARABLE, _LECTURE_PROGRESSES),
        measured=_updates,
        bound=lambda evidence: log_size(evidence, by_width=True) / _lecture_progress(evidence),
        trivial=constant_mistakes,
        comparator=LargestMargin(),
        lemmas=(LECTURE,),
    ),
)
