"""Theorems on rules of many classes: the binary ones in Kesler's space.

There a round of class y against the rival r is the row z that has x at y and −x at r, and all weights are one vector, the
rows of W one behind another. Then W·z is the lead of y over r, and ‖z‖² = 2‖x‖².
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.loop import advance
from littlestone.multiclass import MulticlassPassiveAggressive, MulticlassPerceptron
from littlestone.multiclass.rule import MulticlassRule, margin_of
from littlestone.theory.evidence import (
    POSSIBLE,
    SAME_ROUNDS,
    SEPARATES,
    LinearAssumption,
    LinearEvidence,
    square,
    zero_loss_squared,
)
from littlestone.theory.guarantee import Guarantee, Lemma

if TYPE_CHECKING:
    pass


@final
@dataclass(frozen=True)
class MulticlassMoment:
    """One round seen from the proof: all weights before and after, the row, and how the comparator did on it."""

    rule: MulticlassRule
    W: FloatArray
    W_next: FloatArray
    norm_squared: float
    loss: float
    step: float
    moved: bool
    U: FloatArray
    U_margin: float
    U_loss: float

    @property
    def gain(self) -> float:
        """‖W − U‖² − ‖W′ − U‖²: how much closer to the comparator the round brought the weights."""
        return float(np.sum((self.W - self.U) ** 2) - np.sum((self.W_next - self.U) ** 2))


MulticlassGuarantee: TypeAlias = Guarantee[LinearEvidence, MulticlassMoment]


def moments(
    rule: MulticlassRule, batch: _core.Batch, outcomes: _core.Outcomes, U: FloatArray, *, passes: int = 1
) -> Iterator[MulticlassMoment]:
    """Runs the definition of a rule and yields every round with the comparator beside it.

    The classes are those of the comparator, all of them there from the beginning or joining with zero weights.
    """
    classes, wanted = len(U), rule.ends()[0]
    state = rule.init(batch.width).with_classes(classes)
    for t in (t for _ in range(passes) for t in range(len(batch))):
        row, W = batch[t], _padded(state.w, U.shape)
        trial = rule.face(state, row, outcomes, t).trial
        step = advance(rule, state, row, trial)
        U_margin = margin_of(np.array([row.dot(u) for u in U]), outcomes.number(t))
        yield MulticlassMoment(
            rule=rule,
            W=W,
            W_next=_padded(state.w, U.shape),
            norm_squared=row.norm_squared,
            loss=trial.loss,
            step=step.size,
            moved=step.moved,
            U=U,
            U_margin=U_margin,
            U_loss=max(0.0, wanted - U_margin),
        )


def _padded(w: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    """With zero weights for the classes that were not met yet."""
    whole = np.zeros(shape)
    whole[: len(w)] = w
    return whole


def _norm_grows(moment: MulticlassMoment) -> tuple[float, float]:
    """The true class gains η·x and those in error, which score at least as much, lose as much between them."""
    grown = float(np.sum(moment.W_next**2) - np.sum(moment.W**2))
    return grown, 2.0 * moment.step**2 * moment.norm_squared


def _progress(moment: MulticlassMoment) -> tuple[float, float]:
    """The comparator leads every rival by its margin at least, so it leads any share of them by that."""
    if not moment.moved:
        return 0.0, 0.0
    return moment.step * moment.U_margin, float(np.sum((moment.W_next - moment.W) * moment.U))


def _projection_round(moment: MulticlassMoment) -> tuple[float, float]:
    """ℓ² ≤ 2‖x‖²(‖W−U‖² − ‖W′−U‖²) when U has no loss on the row."""
    if not moment.moved or moment.U_loss > 0.0:
        return 0.0, 0.0
    return moment.loss**2, 2.0 * moment.norm_squared * moment.gain


def _relaxed_round(moment: MulticlassMoment) -> tuple[float, float]:
    """ℓ²/(2‖x‖²+γ) ≤ ‖W−U‖² − ‖W′−U‖² + ℓ(U)²/γ."""
    rule = moment.rule
    assert isinstance(rule, MulticlassPassiveAggressive)
    if not moment.moved:
        return 0.0, 0.0
    gamma = rule.relaxation
    return moment.loss**2 / (2.0 * moment.norm_squared + gamma), moment.gain + moment.U_loss**2 / gamma


def constant_class(evidence: LinearEvidence) -> float:
    """What is known without learning: the mistakes of the class met most often; of a learner, which has no counts, all."""
    return evidence.ledger.rounds if evidence.constant is None else evidence.constant


NORM_GROWS: Lemma[MulticlassMoment] = Lemma("‖W′‖² − ‖W‖² ≤ 2η²‖x‖²", _norm_grows)
PROGRESS: Lemma[MulticlassMoment] = Lemma("(W′ − W)·U ≥ η·(margin of U) on an update", _progress)


def _novikoff(evidence: LinearEvidence) -> float:
    return 2.0 * square(evidence.radius / evidence.against.margin)


def _hinge(evidence: LinearEvidence) -> float:
    """The larger root in √M of M − √2·r‖U‖√M − L."""
    a = math.sqrt(2.0) * evidence.radius * evidence.against.norm
    return square((a + math.hypot(a, 2.0 * math.sqrt(evidence.against.ledger.loss))) / 2.0)


def _projection_bound(evidence: LinearEvidence) -> float:
    """2r²‖U‖² with U stretched to the margin that the rule asks for."""
    return 2.0 * square(evidence.radius * evidence.rule.ends()[0] / evidence.against.margin)


def _gamma(evidence: LinearEvidence) -> float:
    rule = evidence.rule
    assert isinstance(rule, MulticlassPassiveAggressive)
    return rule.relaxation


def _relaxed_bound(evidence: LinearEvidence) -> float:
    gamma, b = _gamma(evidence), 2.0 * square(evidence.radius)
    return (gamma + b) * square(evidence.against.norm) + (1.0 + b / gamma) * evidence.against.ledger.loss_squared


def _is_projection(evidence: LinearEvidence) -> bool:
    return isinstance(evidence.rule, MulticlassPassiveAggressive) and evidence.rule.variant == "PA"


_IS_PROJECTION = LinearAssumption('the variant is "PA"', _is_projection)
_IS_RELAXED = LinearAssumption('the variant is "PA-II"', lambda evidence: _gamma(evidence) > 0.0)

GUARANTEES: tuple[MulticlassGuarantee, ...] = (
    MulticlassGuarantee(
        id="crammer.mp",
        source="Crammer and Singer 2003, section 4; Novikoff's proof in Kesler's space",
        statement="If some prototypes U separate the stream, every true class leading every other by at least ρ‖U‖, the "
        "multiclass Perceptron makes at most 2r²/ρ² updates, however it shares them and whatever η is.",
        latex=r"M \le 2r^2/\rho^2",
        rules=(MulticlassPerceptron,),
        quantity="updates",
        formula="2r²/ρ²",
        assumptions=(SEPARATES,),
        measured=lambda evidence: evidence.ledger.updates,
        bound=_novikoff,
        trivial=constant_class,
        lemmas=(NORM_GROWS, PROGRESS),
        compared="prototypes, a row per class",
    ),
    MulticlassGuarantee(
        id="crammer.mph",
        source="Crammer and Singer 2003, section 4, with the hinge loss as in Mohri et al., theorem 8.11",
        statement="For every U, with a = √2·r‖U‖ and L its multiclass hinge loss over all rounds, the multiclass Perceptron "
        "makes at most ((a + √(a² + 4L))/2)² updates.",
        latex=r"M \le \Bigl(\tfrac{a+\sqrt{a^2+4L}}{2}\Bigr)^2",
        rules=(MulticlassPerceptron,),
        quantity="updates",
        formula="((√2·r‖U‖ + √(2r²‖U‖² + 4L))/2)²",
        assumptions=(SAME_ROUNDS,),
        measured=lambda evidence: evidence.ledger.updates,
        bound=_hinge,
        trivial=constant_class,
        lemmas=(NORM_GROWS, PROGRESS),
        compared="prototypes, a row per class",
    ),
    MulticlassGuarantee(
        id="crammer.mpa",
        source="Crammer et al. 2006, section 7 with theorem 2",
        statement="If some prototypes U separate the stream, every true class leading every other by at least ρ‖U‖, the "
        "squared losses of multiclass PA with margin m add up to at most 2r²m²/ρ².",
        latex=r"\sum_t \ell_t^2 \le 2r^2m^2/\rho^2",
        rules=(MulticlassPassiveAggressive,),
        quantity="squared loss",
        formula="2r²m²/ρ²",
        assumptions=(_IS_PROJECTION, POSSIBLE, SEPARATES),
        measured=lambda evidence: evidence.ledger.loss_squared,
        bound=_projection_bound,
        trivial=zero_loss_squared,
        lemmas=(Lemma("ℓ² ≤ 2‖x‖²(‖W−U‖² − ‖W′−U‖²)", _projection_round),),
        compared="prototypes, a row per class",
    ),
    MulticlassGuarantee(
        id="crammer.mpa2",
        source="Crammer et al. 2006, section 7 with theorem 5",
        statement="For every U the squared losses of multiclass PA-II add up to at most (2r² + γ)(‖U‖² + Σℓ(U)²/γ), where "
        "γ = 1/(2C).",
        latex=r"\sum_t \ell_t^2 \le (2r^2+\gamma)\bigl(\|U\|^2+\tfrac1\gamma\textstyle\sum_t\ell_t(U)^2\bigr)",
        rules=(MulticlassPassiveAggressive,),
        quantity="squared loss",
        formula="(2r² + γ)(‖U‖² + Σℓ(U)²/γ)",
        assumptions=(_IS_RELAXED, POSSIBLE, SAME_ROUNDS),
        measured=lambda evidence: evidence.ledger.loss_squared,
        bound=_relaxed_bound,
        trivial=zero_loss_squared,
        lemmas=(Lemma("ℓ²/(2‖x‖²+γ) ≤ ‖W−U‖² − ‖W′−U‖² + ℓ(U)²/γ", _relaxed_round),),
        compared="prototypes, a row per class",
    ),
)
