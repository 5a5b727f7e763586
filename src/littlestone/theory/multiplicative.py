"""Theorems on Winnow, the Exponentiated Update and multiplicative Passive-Aggressive learning."""

from __future__ import annotations

import math

from littlestone.linear import (
    ExponentiatedUpdate,
    MultiplicativePassiveAggressive,
    MultiplicativePassiveAggressiveRegression,
    RandomizedExponentiatedUpdate,
    SignedExponentiatedUpdate,
    SignedWinnow,
    Winnow,
)
from littlestone.rule import LinearRule
from littlestone.theory.evidence import (
    LABELS,
    POSSIBLE,
    SAME_ROUNDS,
    SEPARATES,
    LinearAssumption,
    LinearEvidence,
    LinearGuarantee,
    LinearMoment,
)
from littlestone.theory.guarantee import Lemma
from littlestone.theory.simplex import (
    LargestMargin,
    LeastLoss,
    NearestMixture,
    budget,
    entropy_gain,
    fits,
    log_growth,
    log_size,
    one_norm,
    relative_entropy,
    start_of,
)

_WINNOWS = (Winnow, SignedWinnow)
_UPDATES = (ExponentiatedUpdate, SignedExponentiatedUpdate)
_TOLERANT = (*_UPDATES, RandomizedExponentiatedUpdate)
_AGGRESSIVE = (MultiplicativePassiveAggressive, MultiplicativePassiveAggressiveRegression)


def _eta(rule: LinearRule) -> float:
    assert isinstance(rule, (*_WINNOWS, *_TOLERANT))
    return rule.eta


def _tie(rule: LinearRule) -> float:
    """What tie_tol adds to a score that counts as no better than an end, over U·X."""
    return rule.tie_tol if isinstance(rule, (*_WINNOWS, *_UPDATES)) else 0.0


def _entry(evidence: LinearEvidence) -> float:
    """X, or r: the largest |xᵢ|."""
    return evidence.ledger.largest_entry


def _rounds(evidence: LinearEvidence) -> float:
    return evidence.ledger.rounds


def _updates(evidence: LinearEvidence) -> float:
    return evidence.ledger.updates


def _mistakes(evidence: LinearEvidence) -> float:
    return evidence.ledger.mistakes


# Winnow. The tie tolerance t lets a margin of t·r pass for a mistake, which costs the proofs t·r of the margin.


def _margin(evidence: LinearEvidence) -> float:
    """ρ: the smallest y(u·x)/‖u‖₁."""
    return evidence.against.ledger.smallest_margin / one_norm(evidence.against.u)


def _winnow_progress(evidence: LinearEvidence) -> float:
    """ηρ − η²r²/2: what an update takes off D(u‖w), by the textbook's proof."""
    eta, r = _eta(evidence.rule), _entry(evidence)
    return eta * (_margin(evidence) - _tie(evidence.rule) * r) - eta**2 * r**2 / 2.0


def _lecture_progress(evidence: LinearEvidence) -> float:
    """ηρ − log cosh(ηr): the same by the lecture's proof, C(δ) at its η."""
    eta, r = _eta(evidence.rule), _entry(evidence)
    return eta * (_margin(evidence) - _tie(evidence.rule) * r) - _log_cosh(eta * r)


def _log_cosh(z: float) -> float:
    return abs(z) + math.log1p(math.exp(-2.0 * abs(z))) - math.log(2.0)


def _progresses(evidence: LinearEvidence) -> bool | None:
    return (
        None
        if evidence.comparison is None
        else fits(evidence.rule, evidence.against.u, scaled=True) and (_winnow_progress(evidence) > 0.0)
    )


def _lecture_progresses(evidence: LinearEvidence) -> bool | None:
    return (
        None
        if evidence.comparison is None
        else fits(evidence.rule, evidence.against.u, scaled=True) and (_lecture_progress(evidence) > 0.0)
    )


def _compatible(evidence: LinearEvidence) -> bool | None:
    return None if evidence.comparison is None else fits(evidence.rule, evidence.against.u, scaled=True)


def _winnow_round(moment: LinearMoment) -> tuple[float, float]:
    """η·y(u·x) − η²r²/2 ≤ D(u‖w) − D(u‖w′) on a mistake."""
    if not moment.moved or not fits(moment.rule, moment.u, scaled=True):
        return 0.0, 0.0
    step, r = abs(moment.step), float(abs(moment.x).max())
    progress = step * (moment.label * moment.u_score / one_norm(moment.u) - _tie(moment.rule) * r)
    return progress - step**2 * r**2 / 2.0, entropy_gain(moment, scaled=True)


def _lecture_round(moment: LinearMoment) -> tuple[float, float]:
    """η·y(u·x) − log cosh(ηr) ≤ D(u‖w) − D(u‖w′) on a mistake."""
    if not moment.moved or not fits(moment.rule, moment.u, scaled=True):
        return 0.0, 0.0
    step, r = abs(moment.step), float(abs(moment.x).max())
    progress = step * (moment.label * moment.u_score / one_norm(moment.u) - _tie(moment.rule) * r)
    return progress - _log_cosh(step * r), entropy_gain(moment, scaled=True)


# The Exponentiated Update. A round's tie costs the proofs t·U·X of its loss.


def _price(evidence: LinearEvidence) -> float:
    """U·D(u‖s)/η: what the regret starts from."""
    return budget(evidence.rule) * relative_entropy(evidence, scaled=False) / _eta(evidence.rule)


def _tie_loss(evidence: LinearEvidence) -> float:
    return evidence.ledger.updates * _tie(evidence.rule) * budget(evidence.rule) * _entry(evidence)


def _regret_bound(evidence: LinearEvidence) -> float:
    eta, U, X = _eta(evidence.rule), budget(evidence.rule), _entry(evidence)
    regret = _price(evidence) + eta * evidence.ledger.updates * U * X**2 / 2.0
    return evidence.against.ledger.loss + regret + _tie_loss(evidence)


def _tolerated_bound(evidence: LinearEvidence) -> float:
    return evidence.against.ledger.loss + _price(evidence) + _tie_loss(evidence)


def _mistake_cost(evidence: LinearEvidence) -> float:
    """1 − ηUX²/2: what is left of a mistake's unit of loss."""
    U, X = budget(evidence.rule), _entry(evidence)
    return 1.0 - _eta(evidence.rule) * U * X**2 / 2.0 - _tie(evidence.rule) * U * X


def _mistake_bound(evidence: LinearEvidence) -> float:
    return (evidence.against.ledger.loss + _price(evidence)) / _mistake_cost(evidence)


def _separable_bound(evidence: LinearEvidence) -> float:
    price = budget(evidence.rule) * relative_entropy(evidence, scaled=True) / _eta(evidence.rule)
    return math.floor(price / _mistake_cost(evidence) * (1.0 + 1e-12))


def _of_sum(evidence: LinearEvidence) -> bool | None:
    return None if evidence.comparison is None else fits(evidence.rule, evidence.against.u, scaled=False)


def _unit_margin(evidence: LinearEvidence) -> bool | None:
    if evidence.comparison is None:
        return None
    rule, u = evidence.rule, evidence.against.u
    return fits(rule, u, scaled=True) and budget(rule) * _margin(evidence) >= 1.0 - 1e-12


def _small_step(evidence: LinearEvidence) -> bool:
    allowed = 2.0 * evidence.rule.widening()
    return _eta(evidence.rule) * budget(evidence.rule) * _entry(evidence) ** 2 <= allowed * (1.0 + 1e-12)


def _is_master(evidence: LinearEvidence) -> bool:
    rule = evidence.rule
    uniform = start_of(rule) is None
    return _eta(rule) == 0.5 and budget(rule) == 1.0 and uniform and rule.widening() == 0.0 and _entry(evidence) <= 1.0


def _master_bound(evidence: LinearEvidence) -> float:
    wrong = evidence.against.ledger.loss / 2.0
    return (wrong + relative_entropy(evidence, scaled=False)) / (3.0 / 8.0 - _tie(evidence.rule) / 2.0)


def _regret_round(moment: LinearMoment) -> tuple[float, float]:
    """L(w) − L(u) ≤ U(D(u‖w) − D(u‖w′))/η + ηUX²/2 on an update, and 0 otherwise."""
    if not fits(moment.rule, moment.u, scaled=False):
        return 0.0, 0.0
    return moment.loss - moment.u_loss, _paid(moment, moment.moved)


def _mistake_round(moment: LinearMoment) -> tuple[float, float]:
    """1 − L(u) ≤ U(D(u‖w) − D(u‖w′))/η + ηUX²/2 on a mistake."""
    if not fits(moment.rule, moment.u, scaled=False) or not moment.moved or moment.label == 0:
        return 0.0, 0.0
    return 1.0 - moment.u_loss, _paid(moment, True)


def _tolerated_round(moment: LinearMoment) -> tuple[float, float]:
    """With ηUX² ≤ 2τ: tolerated loss − L(u) ≤ U(D(u‖w) − D(u‖w′))/η."""
    U, X = budget(moment.rule), float(abs(moment.x).max())
    small = _eta(moment.rule) * U * X**2 <= 2.0 * moment.rule.widening()
    if not fits(moment.rule, moment.u, scaled=False) or not small:
        return 0.0, 0.0
    if not moment.moved:
        return moment.tolerated_loss - moment.u_loss, 0.0
    tie = _tie(moment.rule) * U * X
    return moment.tolerated_loss - moment.u_loss, U * entropy_gain(moment, scaled=False) / abs(moment.step) + tie


def _paid(moment: LinearMoment, moved: bool) -> float:
    if not moved:
        return 0.0
    U, X, eta = budget(moment.rule), float(abs(moment.x).max()), abs(moment.step)
    return U * entropy_gain(moment, scaled=False) / eta + eta * U * X**2 / 2.0 + _tie(moment.rule) * U * X


def _log_sum_round(moment: LinearMoment) -> tuple[float, float]:
    """Log Σ(wᵢ/U)exp(ηxᵢ) ≤ η(w·x)/U + η²X²/2, with η signed as the step (Bylander's lemma A1)."""
    X = float(abs(moment.x).max())
    if not moment.moved:
        return 0.0, 0.0
    dot = float(moment.w @ moment.x)
    return log_growth(moment), moment.step * dot / budget(moment.rule) + moment.step**2 * X**2 / 2.0


# Multiplicative Passive-Aggressive.


def _slack(evidence: LinearEvidence) -> float:
    """ε − ε*: by how much the comparator exceeds the margin asked for; 0 for targets."""
    if evidence.comparison is None or not _labelled(evidence):
        return 0.0
    return max(_margin(evidence) - evidence.rule.ends()[0], 0.0)


def _labelled(evidence: LinearEvidence) -> bool:
    return math.isfinite(evidence.ledger.smallest_margin)


def _realizes(evidence: LinearEvidence) -> bool | None:
    if evidence.comparison is None:
        return None
    if not fits(evidence.rule, evidence.against.u, scaled=_labelled(evidence)):
        return False
    if _labelled(evidence):
        return _margin(evidence) >= evidence.rule.ends()[0] * (1.0 - 1e-12)
    return evidence.against.ledger.loss <= 1e-12 * max(evidence.ledger.loss, 1.0)


def _aggressive_bound(evidence: LinearEvidence) -> float:
    assert evidence.state is not None
    spread = float(evidence.state.largest_spread[0])
    return 0.5 * spread**2 * relative_entropy(evidence, scaled=_labelled(evidence))


def _aggressive_round(moment: LinearMoment) -> tuple[float, float]:
    """ℓ² + 2ℓ·(margin(u) − margin) ≤ ½ρ²(D(u‖w) − D(u‖w′)) when u has no loss on the row."""
    scaled = moment.label != 0
    if not moment.moved or not fits(moment.rule, moment.u, scaled=scaled):
        return 0.0, 0.0
    margin = moment.rule.ends()[0]
    beyond = moment.label * moment.u_score / one_norm(moment.u) - margin if scaled else 0.0
    if beyond < 0.0 or (not scaled and moment.u_loss > 0.0):
        return 0.0, 0.0
    spread = max(float(moment.x.max()), 0.0) - min(float(moment.x.min()), 0.0)
    return moment.loss**2 + 2.0 * moment.loss * beyond, 0.5 * spread**2 * entropy_gain(moment, scaled=scaled)


TEXTBOOK: Lemma[LinearMoment] = Lemma("η·y(u·x) − η²r²/2 ≤ D(u‖w) − D(u‖w′) on a mistake", _winnow_round)
LECTURE: Lemma[LinearMoment] = Lemma("η·y(u·x) − log cosh(ηr) ≤ D(u‖w) − D(u‖w′) on a mistake", _lecture_round)
REGRET: Lemma[LinearMoment] = Lemma("L(w) − L(u) ≤ U(D(u‖w) − D(u‖w′))/η + ηUX²/2", _regret_round)
MISTAKE: Lemma[LinearMoment] = Lemma("1 − L(u) ≤ U(D(u‖w) − D(u‖w′))/η + ηUX²/2 on a mistake", _mistake_round)
TOLERATED: Lemma[LinearMoment] = Lemma("L_τ(w) − L(u) ≤ U(D(u‖w) − D(u‖w′))/η", _tolerated_round)
LOG_SUM: Lemma[LinearMoment] = Lemma("log Σ(wᵢ/U)exp(ηxᵢ) ≤ η(w·x)/U + η²X²/2", _log_sum_round)
AGGRESSIVE: Lemma[LinearMoment] = Lemma("ℓ² + 2ℓ(ε−ε*) ≤ ½ρ²(D(u‖w) − D(u‖w′))", _aggressive_round)

_NO_TOLERANCE = LinearAssumption("the rule has no tolerance", lambda evidence: evidence.rule.widening() == 0.0)
_TOLERANCE = LinearAssumption("the rule has a tolerance τ > 0", lambda evidence: evidence.rule.widening() > 0.0)
_SMALL_STEP = LinearAssumption("η ≤ 2τ/(UX²)", _small_step)
_SHORT_STEP = LinearAssumption("η < 2/(UX²)", lambda evidence: _mistake_cost(evidence) > 0.0)
_SIGNS = LinearAssumption("the comparator has no negative weight, or the rule is signed", _compatible)
_OF_SUM = LinearAssumption("the comparator has no negative weight and sum U (with signs: absolute sum at most U)", _of_sum)
_PROGRESSES = LinearAssumption("η < 2ρ/r²", _progresses)
_LECTURE_PROGRESSES = LinearAssumption("log cosh(ηr) < ηρ", _lecture_progresses)
_UNIT_MARGIN = LinearAssumption("the comparator, at sum U, has y(u·x) ≥ 1 in every round", _unit_margin)
_MASTER = LinearAssumption("U = 1, η = ½, |xᵢ| ≤ 1 and equal weights at the start", _is_master)
_REALIZES = LinearAssumption("the comparator, on the simplex, has no loss in any round", _realizes)

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
        trivial=_rounds,
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
        trivial=_rounds,
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
        trivial=_rounds,
        comparator=LargestMargin(),
        lemmas=(LECTURE,),
    ),
    LinearGuarantee(
        id="bylander.3",
        source="Bylander 1998, theorem 3",
        statement="The absolute loss exceeds that of any u ≥ 0 with sum U by at most U·D(u‖s)/η + ηKUX²/2 after K updates from "
        "the start s; D(u‖s) is at most log n from equal weights.",
        latex=r"L \le L(u)+\frac{U\,D(u\|s)}{\eta}+\frac{\eta K U X^2}{2}",
        rules=_UPDATES,
        quantity="loss",
        formula="L(u) + U·D(u‖s)/η + ηKUX²/2",
        assumptions=(_NO_TOLERANCE, POSSIBLE, SAME_ROUNDS, _OF_SUM),
        measured=lambda evidence: evidence.ledger.loss,
        bound=_regret_bound,
        comparator=LeastLoss(),
        lemmas=(LOG_SUM, REGRET),
    ),
    LinearGuarantee(
        id="bylander.6",
        source="Bylander 1998, theorem 6",
        statement="If some u ≥ 0 with sum U has y(u·x) ≥ 1 in every round, the mistakes are at most U·D(u‖s)/(η − η²UX²/2): "
        "2U²X²·log n at η = 1/(UX²) from equal weights.",
        latex=r"M \le \Bigl\lfloor\frac{U\,D(u\|s)}{\eta-\eta^2UX^2/2}\Bigr\rfloor",
        rules=_UPDATES,
        quantity="mistakes",
        formula="⌊U·D(u‖s)/(η − η²UX²/2)⌋",
        assumptions=(LABELS, _NO_TOLERANCE, POSSIBLE, SAME_ROUNDS, _SHORT_STEP, _UNIT_MARGIN),
        measured=_mistakes,
        bound=_separable_bound,
        trivial=_rounds,
        comparator=LargestMargin(),
        lemmas=(LOG_SUM, MISTAKE),
    ),
    LinearGuarantee(
        id="bylander.7",
        source="Bylander 1998, theorem 7",
        statement="For every u ≥ 0 with sum U, with L(u) its loss against [1, ∞) and (−∞, −1], the mistakes are at most "
        "(L(u) + U·D(u‖s)/η)/(1 − ηUX²/2); L(u) is at most (UX+1)k if u errs k times and has no loss elsewhere.",
        latex=r"M \le \frac{L(u)+U\,D(u\|s)/\eta}{1-\eta UX^2/2}",
        rules=_UPDATES,
        quantity="mistakes",
        formula="(L(u) + U·D(u‖s)/η)/(1 − ηUX²/2)",
        assumptions=(LABELS, _NO_TOLERANCE, POSSIBLE, SAME_ROUNDS, _SHORT_STEP, _OF_SUM),
        measured=_mistakes,
        bound=_mistake_bound,
        trivial=_rounds,
        comparator=LeastLoss(),
        lemmas=(LOG_SUM, MISTAKE),
    ),
    LinearGuarantee(
        id="bylander.master",
        source="Bylander 1998, section 4.2",
        statement="The vote of n learners, weighted by the Exponentiated Update with η = ½, makes at most (8/3)(k + log n) "
        "mistakes, k the wrong votes of the best of them.",
        latex=r"M \le \tfrac{8}{3}(k+\log n)",
        rules=(ExponentiatedUpdate,),
        quantity="mistakes",
        formula="(8/3)(k + log n)",
        assumptions=(LABELS, POSSIBLE, SAME_ROUNDS, _MASTER, _OF_SUM),
        measured=_mistakes,
        bound=_master_bound,
        trivial=_rounds,
        comparator=LeastLoss(),
        lemmas=(LOG_SUM, MISTAKE),
    ),
    LinearGuarantee(
        id="bylander.9",
        source="Bylander 1998, theorem 9",
        statement="With a tolerance τ and η ≤ 2τ/(UX²), the loss outside the tolerance exceeds the loss of any u ≥ 0 of sum U "
        "by at most U·D(u‖s)/η, however long the stream: U²X²·log n/(2τ) at η = 2τ/(UX²).",
        latex=r"L_\tau \le L(u)+\frac{U\,D(u\|s)}{\eta}",
        rules=_TOLERANT,
        quantity="tolerated loss",
        formula="L(u) + U·D(u‖s)/η",
        assumptions=(_TOLERANCE, _SMALL_STEP, POSSIBLE, SAME_ROUNDS, _OF_SUM),
        measured=lambda evidence: evidence.ledger.tolerated_loss,
        bound=_tolerated_bound,
        comparator=LeastLoss(),
        lemmas=(LOG_SUM, TOLERATED),
    ),
    LinearGuarantee(
        id="bylander.12",
        source="Bylander 1998, theorem 12",
        statement="With η ≤ 1/(UX²) the expected mistakes of the randomised Exponentiated Update are at most L(u) + U·D(u‖s)/η "
        "for every u ≥ 0 with sum U: U²X²·log n at η = 1/(UX²) if u has y(u·x) ≥ 1 in every round.",
        latex=r"\mathbb{E}[M] \le L(u)+\frac{U\,D(u\|s)}{\eta}",
        rules=(RandomizedExponentiatedUpdate,),
        quantity="expected mistakes",
        formula="L(u) + U·D(u‖s)/η",
        assumptions=(LABELS, _SMALL_STEP, POSSIBLE, SAME_ROUNDS, _OF_SUM),
        measured=lambda evidence: evidence.ledger.expected_mistakes,
        bound=_tolerated_bound,
        trivial=_rounds,
        comparator=LeastLoss(),
        lemmas=(LOG_SUM, TOLERATED),
    ),
    LinearGuarantee(
        id="pa.4",
        source="Crammer et al. 2003, theorem 4, constants corrected",
        statement="If u on the simplex has no loss in any round, even with ε* in place of ε, then Σℓ² + 2(ε−ε*)Σℓ is at most "
        "½ρ²·D(u‖w₁), ρ the largest max(x, 0) − min(x, 0). Errata: as printed false for rows with negative values.",
        latex=r"\sum_t\ell_t^2+2(\varepsilon-\varepsilon^*)\sum_t\ell_t \le \tfrac12\max_t\rho_t^2\,D(u\|w_1)",
        rules=_AGGRESSIVE,
        quantity="squared loss and slack",
        formula="½ρ²·D(u‖w₁)",
        assumptions=(POSSIBLE, SAME_ROUNDS, _REALIZES),
        measured=lambda evidence: evidence.ledger.loss_squared + 2.0 * _slack(evidence) * evidence.ledger.loss,
        bound=_aggressive_bound,
        comparator=NearestMixture(),
        lemmas=(AGGRESSIVE,),
    ),
)
