"""Theorems on Passive-Aggressive learning."""

from __future__ import annotations

import math

import numpy as np

from littlestone.linear import (
    BatchPassiveAggressive,
    BatchPassiveAggressiveRegression,
    PassiveAggressive,
    PassiveAggressiveRegression,
)
from littlestone.theory.comparators.program import Balance, MaxMargin, Nearest
from littlestone.theory.evidence import (
    LABELS,
    POSSIBLE,
    SAME_ROUNDS,
    SEPARATES,
    ZERO_START,
    LinearAssumption,
    LinearEvidence,
    LinearGuarantee,
    LinearMoment,
    constant_mistakes,
    square,
    zero_loss,
    zero_loss_squared,
)
from littlestone.theory.guarantee import Lemma

_BOTH = (PassiveAggressive, PassiveAggressiveRegression)
_OF_LABELS = (PassiveAggressive, BatchPassiveAggressive)
_BATCH = (BatchPassiveAggressive, BatchPassiveAggressiveRegression)


# What a sum of products may be off by, in units of the lengths of its factors: a loss of this much is none.
_ROUNDING = 1e-14


def _rule(evidence: LinearEvidence) -> PassiveAggressive | PassiveAggressiveRegression:
    rule = evidence.rule
    assert isinstance(rule, PassiveAggressive | PassiveAggressiveRegression)
    return rule


def _scale(evidence: LinearEvidence) -> float:
    """How far u must be stretched to have the rule's margin; targets cannot be stretched to."""
    if not isinstance(evidence.rule, _OF_LABELS):
        return 1.0
    return evidence.rule.margin / evidence.against.ledger.smallest_margin


def _realizes(evidence: LinearEvidence) -> bool | None:
    if not evidence.covered:
        return evidence.covered
    if isinstance(evidence.rule, _OF_LABELS) and evidence.against.ledger.smallest_margin != math.inf:
        return evidence.against.margin > 0
    return evidence.against.ledger.largest_loss <= _ROUNDING * evidence.against.norm * evidence.against.ledger.largest_norm


def _realizing_distance_squared(evidence: LinearEvidence) -> float:
    """‖u − w₁‖² with u stretched to the margin."""
    return evidence.distance_squared(1.0 if evidence.against.ledger.smallest_margin == math.inf else _scale(evidence))


def _projection_bound(evidence: LinearEvidence) -> float:
    return square(evidence.radius) * _realizing_distance_squared(evidence)


def _wandered(evidence: LinearEvidence) -> float:
    """‖w_T − w₁‖."""
    if evidence.final is None:
        return math.nan
    start = np.zeros(max(len(evidence.final), len(evidence.start)))
    start[: len(evidence.start)] = evidence.start
    start[: len(evidence.final)] -= evidence.final
    return float(np.linalg.norm(start))


def _steps_noted(evidence: LinearEvidence) -> bool:
    """Σℓ²/‖x‖² is at least Σℓ² over the largest ‖x‖²: less, and it is from a file that did not keep it."""
    ledger = evidence.ledger
    return ledger.step_loss * ledger.largest_norm_squared >= ledger.loss_squared * (1.0 - 1e-9)


def _zero_loss_per_length(evidence: LinearEvidence) -> float:
    return evidence.ledger.zero_loss_squared / square(evidence.radius) if evidence.radius > 0.0 else 0.0


def _walked(evidence: LinearEvidence) -> float:
    """√(KΣτ²‖x‖²): K steps end no farther away than this, wherever they lead; a projection has τ‖x‖² = ℓ."""
    return math.sqrt(evidence.ledger.updates * evidence.ledger.step_loss)


def _batch_bound(evidence: LinearEvidence) -> float:
    """The largest whole number below B‖u − w₁‖²/β; a rounding counts for the learner."""
    rule = evidence.rule
    assert isinstance(rule, _BATCH)
    bound = _projection_bound(evidence) / rule.beta
    return max(0, math.ceil(bound * (1.0 + 1e-12)) - 1) if math.isfinite(bound) else bound


def _relaxed_bound(evidence: LinearEvidence) -> float:
    gamma, b = _rule(evidence).relaxation, square(evidence.radius)
    return (gamma + b) * evidence.distance_squared() + (1.0 + b / gamma) * evidence.against.ledger.loss_squared


def _relaxed_weight(evidence: LinearEvidence) -> float:
    """(γ+B)‖u−w₁‖² + (1+B/γ)·Σℓ² is 2(γ+B)·(½‖u−w₁‖² + Σℓ²/(2γ)), whatever B is."""
    gamma = _rule(evidence).relaxation
    return 0.5 / gamma if gamma > 0 else math.inf


def _margin_bound(evidence: LinearEvidence) -> float:
    return square(evidence.radius / evidence.against.margin)


def _projection_round(moment: LinearMoment) -> tuple[float, float]:
    """ℓ² ≤ ‖x‖²(‖w−u‖² − ‖w′−u‖²) when u has no loss on the row."""
    if not moment.moved or moment.u_loss > 0:
        return 0.0, 0.0
    return moment.loss**2, moment.norm_squared * moment.gain


def _lengthwise_round(moment: LinearMoment) -> tuple[float, float]:
    """ℓ²/‖x‖² ≤ ‖w−u‖² − ‖w′−u‖² when u has no loss on the row, the left side being τℓ."""
    if not moment.moved or moment.u_loss > 0:
        return 0.0, 0.0
    return abs(moment.step) * moment.loss, moment.gain


def _spare(evidence: LinearEvidence) -> float | None:
    """ε − ε*: how much more margin u has than the rule asks for, or how much less error than it lets be."""
    if evidence.comparison is None or not evidence.covered:
        return None
    smallest = evidence.against.ledger.smallest_margin
    return evidence.against.inside if smallest == math.inf else smallest - evidence.rule.ends()[0]


def _has_to_spare(evidence: LinearEvidence) -> bool | None:
    spare = _spare(evidence)
    return None if spare is None else spare >= -1e-12 * sum(evidence.rule.ends())


def _losses(evidence: LinearEvidence) -> float:
    """Σℓ² + 2(ε − ε*)Σℓ; without a comparator the first part."""
    return evidence.ledger.loss_squared + 2.0 * max(_spare(evidence) or 0.0, 0.0) * evidence.ledger.loss


def _spared_round(moment: LinearMoment) -> tuple[float, float]:
    """ℓ² + 2sℓ = ‖x‖²(‖w−u‖² − ‖w′−u‖²) for a projection, whatever u is, with s how far u·x is inside the interval.

    With τ = ℓ/‖x‖² towards the interval the gain is 2τ·(u−w)·x − τ²‖x‖², and (u−w)·x = s + ℓ.
    """
    if not moment.moved:
        return 0.0, 0.0
    inside = moment.side * (moment.u_score - moment.score) - moment.loss
    return moment.loss**2 + 2.0 * inside * moment.loss, moment.norm_squared * moment.gain


def _relaxed_round(moment: LinearMoment) -> tuple[float, float]:
    """ℓ²/(‖x‖²+γ) ≤ ‖w−u‖² − ‖w′−u‖² + ℓ(u)²/γ: the projection in the space with a coordinate √γ a round."""
    rule = moment.rule
    assert isinstance(rule, PassiveAggressive | PassiveAggressiveRegression)
    if not moment.moved:
        return 0.0, 0.0
    gamma = rule.relaxation
    return moment.loss**2 / (moment.norm_squared + gamma), moment.gain + moment.u_loss**2 / gamma


def _margin(evidence: LinearEvidence) -> float:
    return evidence.rule.ends()[0]


def _capped_bound(evidence: LinearEvidence) -> float:
    """A mistake has ℓ ≥ m, and so τℓ = min(Cℓ, ℓ²/‖x‖²) ≥ min(Cm, m²/R²)."""
    cap, margin = _rule(evidence).cap, _margin(evidence)
    worth = max(square(evidence.radius / margin), 1.0 / (cap * margin))
    return worth * (evidence.distance_squared() + 2.0 * cap * evidence.against.ledger.loss)


def _capped_round(moment: LinearMoment) -> tuple[float, float]:
    """τℓ ≤ ‖w−u‖² − ‖w′−u‖² + 2Cℓ(u): the gain is 2τ(ℓ − ℓ(u)) − τ²‖x‖² at least, and τ‖x‖² ≤ ℓ, τ ≤ C."""
    rule = moment.rule
    assert isinstance(rule, PassiveAggressive | PassiveAggressiveRegression)
    if not moment.moved:
        return 0.0, 0.0
    return abs(moment.step) * moment.loss, moment.gain + 2.0 * rule.cap * moment.u_loss


CAPPED: Lemma[LinearMoment] = Lemma("τℓ ≤ ‖w−u‖² − ‖w′−u‖² + 2Cℓ(u)", _capped_round)
RELAXED: Lemma[LinearMoment] = Lemma("ℓ²/(‖x‖²+γ) ≤ ‖w−u‖² − ‖w′−u‖² + ℓ(u)²/γ", _relaxed_round)
PROJECTION: Lemma[LinearMoment] = Lemma("ℓ² ≤ ‖x‖²(‖w−u‖² − ‖w′−u‖²)", _projection_round)

_NOTED = LinearAssumption("the ledger has the steps of every round", _steps_noted)
_IS_PROJECTION = LinearAssumption('the variant is "PA"', lambda evidence: _rule(evidence).variant == "PA")
_PROJECTS = LinearAssumption("every update is a projection", lambda evidence: getattr(evidence.rule, "variant", "PA") == "PA")
_KNOWN = LinearAssumption("the weights at the end are known", lambda evidence: evidence.final is not None)
_IS_RELAXED = LinearAssumption('the variant is "relaxed" or "PA-II"', lambda evidence: _rule(evidence).relaxation > 0)
_IS_CAPPED = LinearAssumption('the variant is "PA-I"', lambda evidence: _rule(evidence).variant == "PA-I")
_REALIZES = LinearAssumption("the comparator (stretched to the margin) has no loss", _realizes)
_HAS_TO_SPARE = LinearAssumption("the comparator has at least the margin, or at most the error, of the rule", _has_to_spare)
_UNIT_MARGIN = LinearAssumption("the margin is 1", lambda evidence: evidence.rule.ends()[0] == 1.0)

GUARANTEES: tuple[LinearGuarantee, ...] = (
    LinearGuarantee(
        id="pa.1",
        source="Crammer et al. 2003, theorem 1",
        statement="If u has no loss in any round, the squared losses of PA add up to at most B‖u − w₁‖², B the largest ‖x‖².",
        latex=r"\sum_t \ell_t^2 \le B\,\|u-w_1\|^2",
        rules=_BOTH,
        quantity="squared loss",
        formula="B‖u − w₁‖²",
        assumptions=(_IS_PROJECTION, POSSIBLE, _REALIZES),
        measured=lambda evidence: evidence.ledger.loss_squared,
        bound=_projection_bound,
        trivial=zero_loss_squared,
        lemmas=(PROJECTION,),
        comparator=Nearest(),
    ),
    LinearGuarantee(
        id="pa.1r",
        source="Crammer et al. 2003, theorem 1, round by round",
        statement="If u has no loss in any round, the squared losses of PA, each over the squared length of its row, add up to "
        "at most ‖u − w₁‖²: one long row does not spoil the others.",
        latex=r"\sum_t \ell_t^2/\|x_t\|^2 \le \|u-w_1\|^2",
        rules=_BOTH,
        quantity="squared loss over squared length",
        formula="‖u − w₁‖²",
        assumptions=(_IS_PROJECTION, _NOTED, POSSIBLE, _REALIZES),
        measured=lambda evidence: evidence.ledger.step_loss,
        bound=_realizing_distance_squared,
        trivial=_zero_loss_per_length,
        lemmas=(Lemma("ℓ²/‖x‖² ≤ ‖w−u‖² − ‖w′−u‖²", _lengthwise_round),),
        comparator=Nearest(),
    ),
    LinearGuarantee(
        id="pa.1x",
        source="Crammer et al. 2003, theorem 1, with the loss beside its square",
        statement="If u has a margin m* that is at least the margin m of the rule, or errors of at most ε* ≤ ε, then "
        "Σℓ² + 2sΣℓ ≤ B‖u − w₁‖², where s = m* − m or ε − ε* and B is the largest ‖x‖².",
        latex=r"\sum_t \ell_t^2+2(\varepsilon-\varepsilon^*)\sum_t \ell_t \le B\,\|u-w_1\|^2",
        rules=_BOTH,
        quantity="squared loss + 2(ε−ε*)·loss",
        formula="B‖u − w₁‖²",
        assumptions=(_IS_PROJECTION, POSSIBLE, _HAS_TO_SPARE),
        measured=_losses,
        bound=lambda evidence: square(evidence.radius) * evidence.distance_squared(),
        trivial=zero_loss_squared,
        lemmas=(Lemma("ℓ² + 2sℓ ≤ ‖x‖²(‖w−u‖² − ‖w′−u‖²), s how far u·x is inside", _spared_round),),
        comparator=Nearest(),
    ),
    LinearGuarantee(
        id="pa.1c",
        source="Crammer et al. 2003, equation 17",
        statement="If some vector separates the stream with margin ρ, the squared hinge losses of PA (margin 1, zero start) "
        "add up to at most B/ρ².",
        latex=r"\sum_t \ell_t^2 \le B/\rho^2",
        rules=(PassiveAggressive,),
        quantity="squared loss",
        formula="B/ρ²",
        assumptions=(_IS_PROJECTION, _UNIT_MARGIN, LABELS, ZERO_START, POSSIBLE, SEPARATES),
        measured=lambda evidence: evidence.ledger.loss_squared,
        bound=_margin_bound,
        trivial=zero_loss_squared,
        lemmas=(PROJECTION,),
        comparator=MaxMargin(),
    ),
    LinearGuarantee(
        id="pa.1m",
        source="Crammer et al. 2003, equation 17",
        statement="If some vector separates the stream with margin ρ, PA from a zero start makes at most B/ρ² mistakes.",
        latex=r"M \le B/\rho^2",
        rules=(PassiveAggressive,),
        quantity="mistakes",
        formula="B/ρ²",
        assumptions=(_IS_PROJECTION, LABELS, ZERO_START, POSSIBLE, SEPARATES),
        measured=lambda evidence: evidence.ledger.mistakes,
        bound=_margin_bound,
        trivial=constant_mistakes,
        lemmas=(PROJECTION,),
        comparator=MaxMargin(),
    ),
    LinearGuarantee(
        id="pa.1h",
        source="Crammer et al. 2003, after equation 17",
        statement="If some vector separates the stream with margin ρ, the hinge losses of PA (margin 1, zero start) add up "
        "to at most 2B/ρ².",
        latex=r"\sum_t \ell_t \le 2B/\rho^2",
        rules=(PassiveAggressive,),
        quantity="loss",
        formula="2B/ρ²",
        assumptions=(_IS_PROJECTION, _UNIT_MARGIN, LABELS, ZERO_START, POSSIBLE, SEPARATES),
        measured=lambda evidence: evidence.ledger.loss,
        bound=lambda evidence: 2.0 * _margin_bound(evidence),
        trivial=zero_loss,
        lemmas=(PROJECTION,),
        comparator=MaxMargin(),
    ),
    LinearGuarantee(
        id="pa.3",
        source="Crammer et al. 2003, theorem 3",
        statement="For every u the squared losses of relaxed PA add up to at most (γ+B)‖u−w₁‖² + (1+B/γ)·(squared losses "
        "of u). PA-II is relaxed PA with γ = 1/(2C).",
        latex=r"\sum_t \ell_t^2 \le (\gamma+B)\|u-w_1\|^2+(1+B/\gamma)\sum_t \ell_t(u)^2",
        rules=_BOTH,
        quantity="squared loss",
        formula="(γ+B)‖u−w₁‖² + (1+B/γ)Σℓ(u)²",
        assumptions=(_IS_RELAXED, POSSIBLE, SAME_ROUNDS),
        measured=lambda evidence: evidence.ledger.loss_squared,
        bound=_relaxed_bound,
        trivial=zero_loss_squared,
        lemmas=(RELAXED,),
        comparator=Balance(2, _relaxed_weight),
    ),
    LinearGuarantee(
        id="pa.3m",
        source="Crammer et al. 2003, theorem 3; Crammer et al. 2006, theorem 5",
        statement="For every u the mistakes of relaxed PA with margin m, and of PA-II, are at most ((γ+B)‖u−w₁‖² + "
        "(1+B/γ)·(squared losses of u))/m²: a mistake has a loss of at least m.",
        latex=r"M \le \tfrac1{m^2}\bigl((\gamma+B)\|u-w_1\|^2+(1+B/\gamma)\sum_t \ell_t(u)^2\bigr)",
        rules=(PassiveAggressive,),
        quantity="mistakes",
        formula="((γ+B)‖u−w₁‖² + (1+B/γ)Σℓ(u)²)/m²",
        assumptions=(_IS_RELAXED, LABELS, POSSIBLE, SAME_ROUNDS),
        measured=lambda evidence: evidence.ledger.mistakes,
        bound=lambda evidence: _relaxed_bound(evidence) / square(_margin(evidence)),
        trivial=constant_mistakes,
        lemmas=(RELAXED,),
        comparator=Balance(2, _relaxed_weight),
    ),
    LinearGuarantee(
        id="pa.capped",
        source="Crammer et al. 2006, theorem 4, for any margin and start",
        statement="For every u PA-I with margin m makes at most max{R²/m², 1/(Cm)}·(‖u − w₁‖² + 2C·(hinge loss of u)) "
        "mistakes: max{R², 1/C}(‖u‖² + 2CΣℓ(u)) at margin 1 from a zero start.",
        latex=r"M \le \max\{R^2/m^2,1/(Cm)\}\bigl(\|u-w_1\|^2+2C\textstyle\sum_t\ell_t(u)\bigr)",
        rules=(PassiveAggressive,),
        quantity="mistakes",
        formula="max{R²/m², 1/(Cm)}(‖u−w₁‖² + 2CΣℓ(u))",
        assumptions=(_IS_CAPPED, LABELS, POSSIBLE, SAME_ROUNDS),
        measured=lambda evidence: evidence.ledger.mistakes,
        bound=_capped_bound,
        trivial=constant_mistakes,
        lemmas=(CAPPED,),
        comparator=Balance(1, lambda evidence: _rule(evidence).cap),
    ),
    LinearGuarantee(
        id="pa.2",
        source="Crammer et al. 2003, lemma 2",
        statement="If u has no loss in any round, the weights never get farther from the start than 2‖u − w₁‖: no projection "
        "takes them away from u. The factor 2 is approached by weights that are turned half-way round u in small steps.",
        latex=r"\|w_T-w_1\| \le 2\,\|u-w_1\|",
        rules=(*_BOTH, *_BATCH),
        quantity="distance from the start",
        formula="2‖u − w₁‖",
        assumptions=(_PROJECTS, _KNOWN, POSSIBLE, _REALIZES),
        measured=_wandered,
        bound=lambda evidence: 2.0 * math.sqrt(_realizing_distance_squared(evidence)),
        trivial=_walked,
        lemmas=(PROJECTION,),
        comparator=Nearest(),
    ),
    LinearGuarantee(
        id="pa.batch",
        source="Crammer et al. 2003, section 4",
        statement="If u has no loss on the sample, batch PA comes to rest after fewer than B‖u − w₁‖²/β updates. Errata: the "
        "printed floor of this number bounds the index of the last vector, which is one more than the updates.",
        latex=r"K < B\,\|u-w_1\|^2/\beta",
        rules=_BATCH,
        quantity="updates",
        formula="⌈B‖u − w₁‖²/β⌉ − 1",
        assumptions=(POSSIBLE, _REALIZES),
        measured=lambda evidence: evidence.ledger.updates,
        bound=_batch_bound,
        trivial=lambda evidence: evidence.ledger.rounds,
        lemmas=(PROJECTION,),
        comparator=Nearest(),
    ),
)
