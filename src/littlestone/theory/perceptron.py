"""Theorems on the Perceptron and its relatives."""

from __future__ import annotations

import math
from functools import partial

from littlestone.linear import MarginPerceptron, Perceptron, RandomizedPerceptron
from littlestone.theory.certificate import whole
from littlestone.theory.comparators.program import Balance, MaxMargin, Path
from littlestone.theory.evidence import (
    LABELS,
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
)
from littlestone.theory.guarantee import Lemma


def _eta(evidence: LinearEvidence) -> float:
    rule = evidence.rule
    assert isinstance(rule, Perceptron | RandomizedPerceptron)
    return rule.eta


def _tolerance(evidence: LinearEvidence) -> float:
    return evidence.rule.widening()


def _updates(evidence: LinearEvidence) -> float:
    return evidence.ledger.updates


def _novikoff(evidence: LinearEvidence) -> float:
    return square(evidence.radius / evidence.against.margin)


def _novikoff_from_start(evidence: LinearEvidence) -> float:
    """The quadratic in M over η²ρ², so that no square leaves the range of numbers before the bound itself does."""
    gain = _eta(evidence) * evidence.against.margin
    start, unit = evidence.start, evidence.against.u / evidence.against.norm
    along = float(start[: len(unit)] @ unit)
    across = math.sqrt(max(float(start @ start) - along * along, 0.0))
    b = _novikoff(evidence) - 2.0 * along / gain
    return (b + math.hypot(b, 2.0 * across / gain)) / 2.0


def _freund_schapire_hinge(evidence: LinearEvidence) -> float:
    a = evidence.radius * evidence.against.norm
    return square((a + math.hypot(a, 2.0 * math.sqrt(evidence.against.ledger.loss))) / 2.0)


def _freund_schapire_squared(evidence: LinearEvidence) -> float:
    return square(evidence.radius * evidence.against.norm + math.sqrt(evidence.against.ledger.loss_squared))


def _blum_hinge(evidence: LinearEvidence) -> float:
    return square(evidence.radius * evidence.against.norm) + 2.0 * evidence.against.ledger.loss


def _bylander_loss(evidence: LinearEvidence) -> float:
    eta, updates = _eta(evidence), evidence.ledger.updates
    regret = evidence.distance_squared() / (2.0 * eta) + eta * updates * square(evidence.radius) / 2.0
    return evidence.against.ledger.loss + regret


def _bylander_tolerated(evidence: LinearEvidence) -> float:
    return evidence.against.ledger.loss + evidence.distance_squared() / (2.0 * _eta(evidence))


def _inverse_radius_squared(evidence: LinearEvidence) -> float:
    """R²‖u‖² + 2L is 2R²·(½‖u‖² + L/R²)."""
    return square(1.0 / evidence.radius) if evidence.radius > 0 else math.inf


def _self_bounded_hinge(evidence: LinearEvidence) -> float:
    """L + ‖u‖√(Σ‖x‖² of the updates): the sum of Cauchy's inequality, before the updates are taken for equally long."""
    return evidence.against.ledger.loss + evidence.against.norm * math.sqrt(evidence.ledger.update_norm_squared)


def _small_step(evidence: LinearEvidence) -> bool:
    return _eta(evidence) * square(evidence.radius) <= 2.0 * _tolerance(evidence) * (1.0 + 1e-12)


def _norm_grows(moment: LinearMoment) -> tuple[float, float]:
    """An update on a mistake adds at most its squared length to ‖w‖²."""
    return float(moment.w_next @ moment.w_next - moment.w @ moment.w), moment.step**2 * moment.norm_squared


def _progress(moment: LinearMoment) -> tuple[float, float]:
    """An update of length η moves w along the comparator by η times the comparator's margin on the row."""
    return abs(moment.step) * moment.label * moment.u_score, float((moment.w_next - moment.w) @ moment.u)


def _bylander_round(moment: LinearMoment) -> tuple[float, float]:
    """Loss − loss(u) ≤ (‖w−u‖² − ‖w′−u‖²)/(2η) + η‖x‖²/2 on an update, and 0 ≤ 0 otherwise."""
    eta = abs(moment.step)
    if not moment.moved:
        return moment.loss - moment.u_loss, 0.0
    return moment.loss - moment.u_loss, moment.gain / (2.0 * eta) + eta * moment.norm_squared / 2.0


def _bylander_tolerated_round(moment: LinearMoment) -> tuple[float, float]:
    """With η‖x‖² ≤ 2τ: tolerated loss − loss(u) ≤ (‖w−u‖² − ‖w′−u‖²)/(2η)."""
    if not moment.moved:
        return moment.tolerated_loss - moment.u_loss, 0.0
    return moment.tolerated_loss - moment.u_loss, moment.gain / (2.0 * abs(moment.step))


NORM_GROWS: Lemma[LinearMoment] = Lemma("‖w′‖² − ‖w‖² ≤ η²‖x‖² on an update", _norm_grows)
PROGRESS: Lemma[LinearMoment] = Lemma("(w′ − w)·u ≥ η·y(u·x) on an update", _progress)

_NO_TOLERANCE = LinearAssumption("the rule has no tolerance", lambda evidence: _tolerance(evidence) == 0.0)
_TOLERANCE = LinearAssumption("the rule has a tolerance τ > 0", lambda evidence: _tolerance(evidence) > 0.0)
_SMALL_STEP = LinearAssumption("η ≤ 2τ/X²", _small_step)


def _rho(evidence: LinearEvidence) -> float:
    rule = evidence.rule
    assert isinstance(rule, MarginPerceptron)
    return rule.rho


def _margin_reached(evidence: LinearEvidence) -> bool | None:
    return evidence.against.margin >= _rho(evidence) * (1.0 - 1e-12) if evidence.covered else evidence.covered


def _margin_recursion(evidence: LinearEvidence) -> float:
    """max{n : nρ ≤ a_n} with a_1 = R and a_{n+1} = √(a_n² + ρa_n + R²); it ends by n = 16R²/ρ².

    In units of ρ, and no further than the number of rounds: a bound that large says nothing.
    """
    radius, rounds = evidence.radius / _rho(evidence), evidence.ledger.rounds
    n, a = 0, radius
    while n < rounds and n + 1 <= a * (1.0 + 1e-12):
        n += 1
        a = math.sqrt(a * a + a + radius * radius)
    return n


def _margin_growth(moment: LinearMoment) -> tuple[float, float]:
    """‖w′‖² ≤ ‖w‖² + ρ‖w‖ + ‖x‖² on an update, because the margin was below ρ/2."""
    if not moment.moved:
        return 0.0, 0.0
    rule = moment.rule
    assert isinstance(rule, MarginPerceptron)
    before = float(moment.w @ moment.w)
    return float(moment.w_next @ moment.w_next), before + rule.rho * math.sqrt(before) + moment.norm_squared


_MARGIN = LinearAssumption("the comparator has margin at least ρ", _margin_reached)

_on_updates = partial(
    LinearGuarantee,
    quantity="updates",
    measured=_updates,
    trivial=constant_mistakes,
)

GUARANTEES: tuple[LinearGuarantee, ...] = (
    _on_updates(
        id="mohri.8.8",
        source="Mohri et al., theorem 8.8 (Novikoff 1962; also Blum et al. 5.10)",
        statement="From a zero start the Perceptron makes at most r²/ρ² updates on a stream that some vector separates "
        "with margin ρ, whatever η is. Errata: as printed for any start the theorem is false; r is measured from 0.",
        latex=r"M \le r^2/\rho^2",
        rules=(Perceptron,),
        formula="r²/ρ²",
        assumptions=(LABELS, ZERO_START, _NO_TOLERANCE, SEPARATES),
        bound=_novikoff,
        lemmas=(NORM_GROWS, PROGRESS),
        comparator=MaxMargin(),
    ),
    _on_updates(
        id="mohri.8.8w0",
        source="after Mohri et al., theorem 8.8, for any start",
        statement="With start w₀, v = u/‖u‖ and a = w₀·v, the updates are at most the larger root of "
        "η²ρ²M² − (η²r² − 2aηρ)M − (‖w₀‖² − a²) = 0.",
        latex=r"M \le \frac{\eta^2r^2-2a\eta\rho+\sqrt{(\eta^2r^2-2a\eta\rho)^2+4\eta^2\rho^2(\|w_0\|^2-a^2)}}{2\eta^2\rho^2}",
        rules=(Perceptron,),
        formula="root of the quadratic in M",
        assumptions=(LABELS, _NO_TOLERANCE, SEPARATES),
        bound=_novikoff_from_start,
        lemmas=(NORM_GROWS, PROGRESS),
        comparator=MaxMargin(),
    ),
    _on_updates(
        id="mohri.8.11",
        source="Mohri et al., theorem 8.11",
        statement="For every u, with a = r‖u‖ and L the hinge loss of u over all rounds, the updates from a zero start are "
        "at most ((a + √(a² + 4L))/2)². Errata: with losses on update rounds only, the best u gives M itself.",
        latex=r"M \le \Bigl(\tfrac{a+\sqrt{a^2+4L}}{2}\Bigr)^2",
        rules=(Perceptron,),
        formula="((r‖u‖ + √(r²‖u‖² + 4L))/2)²",
        assumptions=(LABELS, ZERO_START, _NO_TOLERANCE, SAME_ROUNDS),
        bound=_freund_schapire_hinge,
        lemmas=(NORM_GROWS, PROGRESS),
        comparator=Path(1),
    ),
    _on_updates(
        id="mohri.8.12",
        source="Mohri et al., theorem 8.12 (Freund and Schapire 1999)",
        statement="For every u the updates from a zero start are at most (r‖u‖ + √(sum of squared hinge losses of u))².",
        latex=r"M \le (r\|u\|+\|l\|_2)^2",
        rules=(Perceptron,),
        formula="(r‖u‖ + ‖l‖₂)²",
        assumptions=(LABELS, ZERO_START, _NO_TOLERANCE, SAME_ROUNDS),
        bound=_freund_schapire_squared,
        lemmas=(NORM_GROWS, PROGRESS),
        comparator=Path(2),
    ),
    _on_updates(
        id="blum.5.11",
        source="Blum et al., theorem 5.11",
        statement="For every u the updates from a zero start are at most R²‖u‖² plus twice the hinge loss of u.",
        latex=r"M \le R^2\|u\|^2+2L",
        rules=(Perceptron,),
        formula="R²‖u‖² + 2L",
        assumptions=(LABELS, ZERO_START, _NO_TOLERANCE, SAME_ROUNDS),
        bound=_blum_hinge,
        lemmas=(NORM_GROWS, PROGRESS),
        comparator=Balance(1, _inverse_radius_squared),
    ),
    _on_updates(
        id="mohri.ex8.11",
        source="Mohri et al., exercise 8.11 (a); Mohri and Rostamizadeh 2013",
        statement="For every u the updates from a zero start are at most the hinge loss of u plus ‖u‖ times the root of the "
        "summed ‖x‖² of the updates, which the run alone knows.",
        latex=r"M \le L+\|u\|\sqrt{\sum_{t\in J}\|x_t\|^2}",
        rules=(Perceptron,),
        formula="L + ‖u‖√(Σ‖x‖² of the updates)",
        hindsight=True,
        assumptions=(LABELS, ZERO_START, _NO_TOLERANCE, SAME_ROUNDS),
        bound=_self_bounded_hinge,
        lemmas=(NORM_GROWS, PROGRESS),
        comparator=Path(1),
    ),
    LinearGuarantee(
        id="bylander.2",
        source="Bylander 1998, theorem 2",
        statement="The absolute loss exceeds that of any u by at most ‖u − s‖²/(2η) + ηKX²/2 after K updates from start s.",
        latex=r"L \le L(u)+\frac{\|u-s\|^2}{2\eta}+\frac{\eta K X^2}{2}",
        rules=(Perceptron,),
        quantity="loss",
        formula="L(u) + ‖u−s‖²/(2η) + ηKX²/2",
        assumptions=(_NO_TOLERANCE, SAME_ROUNDS),
        hindsight=True,
        measured=lambda evidence: evidence.ledger.loss,
        bound=_bylander_loss,
        trivial=zero_loss,
        lemmas=(Lemma("L(w) − L(u) ≤ (‖w−u‖² − ‖w′−u‖²)/(2η) + η‖x‖²/2", _bylander_round),),
        comparator=Balance(1, _eta),
    ),
    LinearGuarantee(
        id="bylander.5",
        source="Bylander 1998, theorem 5",
        statement="If some u has y(u·x) ≥ 1 in every round, the mistakes from a zero start are at most ⌊‖u‖²X²⌋.",
        latex=r"M \le \lfloor U^2X^2 \rfloor",
        rules=(Perceptron,),
        quantity="mistakes",
        formula="⌊U²X²⌋",
        assumptions=(LABELS, ZERO_START, _NO_TOLERANCE, SEPARATES),
        measured=lambda evidence: evidence.ledger.mistakes,
        bound=lambda evidence: whole(_novikoff(evidence)),
        trivial=constant_mistakes,
        lemmas=(NORM_GROWS, PROGRESS),
        comparator=MaxMargin(),
    ),
    LinearGuarantee(
        id="bylander.8",
        source="Bylander 1998, theorem 8",
        statement="With a tolerance τ and η ≤ 2τ/X², the loss outside the tolerance exceeds the loss of any u by at most "
        "‖u − s‖²/(2η), however long the stream: U²X²/(4τ) at η = 2τ/X².",
        latex=r"L_\tau \le L(u)+\frac{\|u-s\|^2}{2\eta}",
        rules=(Perceptron, RandomizedPerceptron),
        quantity="tolerated loss",
        formula="L(u) + ‖u−s‖²/(2η)",
        assumptions=(_TOLERANCE, _SMALL_STEP, SAME_ROUNDS),
        measured=lambda evidence: evidence.ledger.tolerated_loss,
        bound=_bylander_tolerated,
        trivial=zero_loss,
        lemmas=(Lemma("L_τ(w) − L(u) ≤ (‖w−u‖² − ‖w′−u‖²)/(2η)", _bylander_tolerated_round),),
        comparator=Balance(1, _eta),
    ),
    LinearGuarantee(
        id="bylander.11",
        source="Bylander 1998, theorem 11",
        statement="With η ≤ 1/X² the expected mistakes of the randomised Perceptron are at most L(u) + ‖u − s‖²/(2η): "
        "U²X²/2 at η = 1/X² if u has y(u·x) ≥ 1 in every round.",
        latex=r"\mathbb{E}[M] \le L(u)+\frac{\|u-s\|^2}{2\eta}",
        rules=(RandomizedPerceptron,),
        quantity="expected mistakes",
        formula="L(u) + ‖u−s‖²/(2η)",
        assumptions=(LABELS, _SMALL_STEP, SAME_ROUNDS),
        measured=lambda evidence: evidence.ledger.expected_mistakes,
        bound=_bylander_tolerated,
        trivial=constant_mistakes,
        lemmas=(Lemma("L_τ(w) − L(u) ≤ (‖w−u‖² − ‖w′−u‖²)/(2η)", _bylander_tolerated_round),),
        comparator=Balance(1, _eta),
    ),
    _on_updates(
        id="mohri.ex8.6",
        source="Mohri et al., exercise 8.6",
        statement="The margin Perceptron makes at most 16R²/ρ² updates on rows that some vector separates with margin ρ.",
        latex=r"M \le 16R^2/\rho^2",
        rules=(MarginPerceptron,),
        formula="16R²/ρ²",
        assumptions=(LABELS, _MARGIN),
        bound=lambda evidence: 16.0 * square(evidence.radius / _rho(evidence)),
        lemmas=(Lemma("‖w′‖² ≤ ‖w‖² + ρ‖w‖ + ‖x‖² on an update", _margin_growth), PROGRESS),
        comparator=MaxMargin(),
    ),
    _on_updates(
        id="mohri.ex8.6x",
        source="after Mohri et al., exercise 8.6, without the slack of its last steps",
        statement="The updates n of the margin Perceptron satisfy nρ ≤ a_n, where a_1 = R and a_{n+1}² = a_n² + ρa_n + R²: "
        "about 2.513R²/ρ² of them when R/ρ is large.",
        latex=r"M \le \max\{n : n\rho \le a_n\}",
        rules=(MarginPerceptron,),
        formula="max{n : nρ ≤ a_n}",
        assumptions=(LABELS, _MARGIN),
        bound=_margin_recursion,
        lemmas=(Lemma("‖w′‖² ≤ ‖w‖² + ρ‖w‖ + ‖x‖² on an update", _margin_growth), PROGRESS),
        comparator=MaxMargin(),
    ),
)
