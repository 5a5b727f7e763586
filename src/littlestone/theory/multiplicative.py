"""Theorems on the Exponentiated Update and multiplicative Passive-Aggressive learning."""

from __future__ import annotations

import math

from littlestone.linear import (
    ExponentiatedUpdate,
    MultiplicativePassiveAggressive,
    MultiplicativePassiveAggressiveRegression,
    RandomizedExponentiatedUpdate,
    SignedExponentiatedUpdate,
)
from littlestone.theory.certificate import whole
from littlestone.theory.evidence import (
    LABELS,
    POSSIBLE,
    SAME_ROUNDS,
    LinearAssumption,
    LinearEvidence,
    LinearGuarantee,
    LinearMoment,
    constant_mistakes,
    zero_loss,
)
from littlestone.theory.guarantee import Lemma
from littlestone.theory.simplex import (
    LargestMargin,
    LeastLoss,
    NearestMixture,
    budget,
    competes,
    entropy_gain,
    fits,
    largest_entry,
    log_growth,
    margin_of,
    one_norm,
    relative_entropy,
    start_of,
    step_size,
    tie_share,
)

_UPDATES = (ExponentiatedUpdate, SignedExponentiatedUpdate)
_TOLERANT = (*_UPDATES, RandomizedExponentiatedUpdate)
_AGGRESSIVE = (MultiplicativePassiveAggressive, MultiplicativePassiveAggressiveRegression)


def _mistakes(evidence: LinearEvidence) -> float:
    return evidence.ledger.mistakes


# The Exponentiated Update. A round's tie costs the proofs t·U·X of its loss.


def _unit_price(evidence: LinearEvidence) -> float:
    """U/η: what a unit of D(u‖s) costs beside a unit of loss."""
    return budget(evidence.rule) / step_size(evidence.rule)


def _price(evidence: LinearEvidence) -> float:
    """U·D(u‖s)/η: what the regret starts from."""
    return _unit_price(evidence) * relative_entropy(evidence, scaled=False)


def _tie_loss(evidence: LinearEvidence) -> float:
    return evidence.ledger.updates * tie_share(evidence.rule) * budget(evidence.rule) * largest_entry(evidence)


def _regret_bound(evidence: LinearEvidence) -> float:
    eta, U, X = step_size(evidence.rule), budget(evidence.rule), largest_entry(evidence)
    regret = _price(evidence) + eta * evidence.ledger.updates * U * X**2 / 2.0
    return evidence.against.ledger.loss + regret + _tie_loss(evidence)


def _tolerated_bound(evidence: LinearEvidence) -> float:
    return evidence.against.ledger.loss + _price(evidence) + _tie_loss(evidence)


def _mistake_cost(evidence: LinearEvidence) -> float:
    """1 − ηUX²/2: what is left of a mistake's unit of loss."""
    U, X = budget(evidence.rule), largest_entry(evidence)
    return 1.0 - step_size(evidence.rule) * U * X**2 / 2.0 - tie_share(evidence.rule) * U * X


def _mistake_bound(evidence: LinearEvidence) -> float:
    return (evidence.against.ledger.loss + _price(evidence)) / _mistake_cost(evidence)


def _separable_bound(evidence: LinearEvidence) -> float:
    price = budget(evidence.rule) * relative_entropy(evidence, scaled=True) / step_size(evidence.rule)
    return whole(price / _mistake_cost(evidence))


def _expected_bound(evidence: LinearEvidence) -> float:
    """A u without a loss may be stretched to the sum U: labels are then met all the more."""
    whole_sum = fits(evidence.rule, evidence.against.u, scaled=False)
    price = _unit_price(evidence) * relative_entropy(evidence, scaled=not whole_sum)
    return evidence.against.ledger.loss + price + _tie_loss(evidence)


def _of_sum_or_less(evidence: LinearEvidence) -> bool | None:
    if evidence.comparison is None or _of_sum(evidence):
        return _of_sum(evidence)
    small = one_norm(evidence.against.u) <= budget(evidence.rule) and evidence.against.ledger.loss == 0.0
    return small and competes(evidence, scaled=True)


def _of_sum(evidence: LinearEvidence) -> bool | None:
    return None if evidence.comparison is None else competes(evidence, scaled=False)


def _unit_margin(evidence: LinearEvidence) -> bool | None:
    if evidence.comparison is None:
        return None
    return competes(evidence, scaled=True) and budget(evidence.rule) * margin_of(evidence) >= 1.0 - 1e-12


def _small_step(evidence: LinearEvidence) -> bool:
    allowed = 2.0 * evidence.rule.widening()
    return step_size(evidence.rule) * budget(evidence.rule) * largest_entry(evidence) ** 2 <= allowed * (1.0 + 1e-12)


def _is_master(evidence: LinearEvidence) -> bool:
    rule = evidence.rule
    tuned = step_size(rule) == 0.5 and budget(rule) == 1.0 and rule.widening() == 0.0
    return tuned and start_of(rule) is None and largest_entry(evidence) <= 1.0


def _master_bound(evidence: LinearEvidence) -> float:
    wrong = evidence.against.ledger.loss / 2.0
    return (wrong + relative_entropy(evidence, scaled=False)) / (3.0 / 8.0 - tie_share(evidence.rule) / 2.0)


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
    small = step_size(moment.rule) * U * X**2 <= 2.0 * moment.rule.widening()
    if not fits(moment.rule, moment.u, scaled=False) or not small:
        return 0.0, 0.0
    if not moment.moved:
        return moment.tolerated_loss - moment.u_loss, 0.0
    tie = tie_share(moment.rule) * U * X
    return moment.tolerated_loss - moment.u_loss, U * entropy_gain(moment, scaled=False) / abs(moment.step) + tie


def _paid(moment: LinearMoment, moved: bool) -> float:
    if not moved:
        return 0.0
    U, X, eta = budget(moment.rule), float(abs(moment.x).max()), abs(moment.step)
    return U * entropy_gain(moment, scaled=False) / eta + eta * U * X**2 / 2.0 + tie_share(moment.rule) * U * X


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
    return max(margin_of(evidence) - evidence.rule.ends()[0], 0.0)


def _labelled(evidence: LinearEvidence) -> bool:
    return math.isfinite(evidence.ledger.smallest_margin)


def _realizes(evidence: LinearEvidence) -> bool | None:
    if evidence.comparison is None:
        return None
    if not competes(evidence, scaled=_labelled(evidence)):
        return False
    if _labelled(evidence):
        return margin_of(evidence) >= evidence.rule.ends()[0] * (1.0 - 1e-12)
    return evidence.against.ledger.loss <= 1e-12 * max(evidence.ledger.loss, 1.0)


def _aggressive_bound(evidence: LinearEvidence) -> float:
    assert evidence.state is not None
    spread = float(evidence.state.largest_spread[0])
    return 0.5 * spread**2 * relative_entropy(evidence, scaled=_labelled(evidence))


def _aggressive_trivial(evidence: LinearEvidence) -> float:
    return evidence.ledger.zero_loss_squared + 2.0 * _slack(evidence) * evidence.ledger.zero_loss


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


REGRET: Lemma[LinearMoment] = Lemma("L(w) − L(u) ≤ U(D(u‖w) − D(u‖w′))/η + ηUX²/2", _regret_round)
MISTAKE: Lemma[LinearMoment] = Lemma("1 − L(u) ≤ U(D(u‖w) − D(u‖w′))/η + ηUX²/2 on a mistake", _mistake_round)
TOLERATED: Lemma[LinearMoment] = Lemma("L_τ(w) − L(u) ≤ U(D(u‖w) − D(u‖w′))/η", _tolerated_round)
LOG_SUM: Lemma[LinearMoment] = Lemma("log Σ(wᵢ/U)exp(ηxᵢ) ≤ η(w·x)/U + η²X²/2", _log_sum_round)
AGGRESSIVE: Lemma[LinearMoment] = Lemma("ℓ² + 2ℓ(ε−ε*) ≤ ½ρ²(D(u‖w) − D(u‖w′))", _aggressive_round)

_NO_TOLERANCE = LinearAssumption("the rule has no tolerance", lambda evidence: evidence.rule.widening() == 0.0)
_TOLERANCE = LinearAssumption("the rule has a tolerance τ > 0", lambda evidence: evidence.rule.widening() > 0.0)
_SMALL_STEP = LinearAssumption("η ≤ 2τ/(UX²)", _small_step)
_SHORT_STEP = LinearAssumption("η < 2/(UX²)", lambda evidence: _mistake_cost(evidence) > 0.0)
_OF_SUM = LinearAssumption("the comparator has no negative weight and sum U (with signs: absolute sum at most U)", _of_sum)
_OF_SUM_OR_LESS = LinearAssumption("the comparator has no negative weight, and sum U, or less and no loss", _of_sum_or_less)
_UNIT_MARGIN = LinearAssumption("the comparator, at sum U, has y(u·x) ≥ 1 in every round", _unit_margin)
_MASTER = LinearAssumption("U = 1, η = ½, |xᵢ| ≤ 1 and equal weights at the start", _is_master)
_REALIZES = LinearAssumption("the comparator, on the simplex, has no loss in any round", _realizes)


GUARANTEES: tuple[LinearGuarantee, ...] = (
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
        hindsight=True,
        measured=lambda evidence: evidence.ledger.loss,
        bound=_regret_bound,
        trivial=zero_loss,
        comparator=LeastLoss(_unit_price),
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
        trivial=constant_mistakes,
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
        trivial=constant_mistakes,
        comparator=LeastLoss(_unit_price),
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
        trivial=constant_mistakes,
        comparator=LeastLoss(lambda _: 2.0),
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
        trivial=zero_loss,
        comparator=LeastLoss(_unit_price),
        lemmas=(LOG_SUM, TOLERATED),
    ),
    LinearGuarantee(
        id="bylander.12",
        source="Bylander 1998, theorem 12",
        statement="With η ≤ 1/(UX²) the expected mistakes of the randomised Exponentiated Update are at most L(u) + U·D(u‖s)/η "
        "for every u ≥ 0 with sum U, or less if y(u·x) ≥ 1 in every round; then it is U²X²·log n at η = 1/(UX²).",
        latex=r"\mathbb{E}[M] \le L(u)+\frac{U\,D(u\|s)}{\eta}",
        rules=(RandomizedExponentiatedUpdate,),
        quantity="expected mistakes",
        formula="L(u) + U·D(u‖s)/η",
        assumptions=(LABELS, _SMALL_STEP, POSSIBLE, SAME_ROUNDS, _OF_SUM_OR_LESS),
        measured=lambda evidence: evidence.ledger.expected_mistakes,
        bound=_expected_bound,
        trivial=constant_mistakes,
        comparator=LeastLoss(_unit_price),
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
        trivial=_aggressive_trivial,
        comparator=NearestMixture(),
        lemmas=(AGGRESSIVE,),
    ),
)
