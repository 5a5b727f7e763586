"""A theorem on the on-line support vector machine: subgradient descent on strongly convex losses."""

from __future__ import annotations

import math

import numpy as np

from littlestone.linear import OnlineSVM
from littlestone.theory.comparators.program import Balance
from littlestone.theory.evidence import (
    LABELS,
    SAME_ROUNDS,
    LinearAssumption,
    LinearEvidence,
    LinearGuarantee,
    LinearMoment,
    square,
    zero_loss,
)
from littlestone.theory.guarantee import Lemma


def _rule(evidence: LinearEvidence) -> OnlineSVM:
    rule = evidence.rule
    assert isinstance(rule, OnlineSVM)
    return rule


def _bound(evidence: LinearEvidence) -> float:
    """L(u) + (T+1)‖u‖²/(2C) + 2CX²·Σ1/(t+1), the sum being at most log(T+1).

    With f(w) = ½‖w‖² + C·ℓ(w), which is 1-strongly convex, a step of η along the subgradient g has
    f(w) − f(u) ≤ (‖w−u‖² − ‖w′−u‖²)/(2η) + η‖g‖²/2 − ½‖w−u‖². With η = 1/(t+1) the sum over the rounds is at most
    ½‖u‖² + Σ‖g‖²/(2(t+1)) from a zero start, and ‖g‖ ≤ ‖w‖ + CX ≤ 2CX, as w is a mean of vectors C·y·x and 0.
    """
    T, C = evidence.ledger.rounds, _rule(evidence).C
    norm, X = evidence.against.norm, evidence.ledger.largest_norm
    return evidence.against.ledger.loss + (T + 1) * square(norm) / (2.0 * C) + 2.0 * C * square(X) * math.log(T + 1.0)


def _price(evidence: LinearEvidence) -> float:
    """L + (T+1)‖u‖²/(2C) is (T+1)/C times ½‖u‖² + C·L/(T+1)."""
    return _rule(evidence).C / (evidence.ledger.rounds + 1)


def _descent_round(moment: LinearMoment) -> tuple[float, float]:
    rule = moment.rule
    assert isinstance(rule, OnlineSVM)
    slope = moment.w - (rule.C * moment.label * moment.x if moment.loss > 0.0 else 0.0)
    length, went = float(np.linalg.norm(slope)), float(np.linalg.norm(moment.w_next - moment.w))
    if length == 0.0 or went == 0.0:
        return 0.0, 0.0
    eta, apart = went / length, float(np.sum((moment.w - moment.u) ** 2))
    lost = float(moment.w @ moment.w - moment.u @ moment.u) / 2.0 + rule.C * (moment.loss - moment.u_loss)
    return lost, moment.gain / (2.0 * eta) + eta * length**2 / 2.0 - apart / 2.0


def _stepped(evidence: LinearEvidence) -> bool:
    """A round that stays at the kink moves nothing; every other one does."""
    return _rule(evidence).kink == "shrink" or evidence.ledger.updates == evidence.ledger.rounds


GUARANTEES: tuple[LinearGuarantee, ...] = (
    LinearGuarantee(
        id="svm.regret",
        source="Hazan, Agarwal and Kale 2007; Shalev-Shwartz, Singer and Srebro 2007 (Pegasos), for the steps 1/(t+1)",
        statement="For every u the hinge losses of the on-line support vector machine with η = 1/(t+1) add up to at most those "
        "of u and (T+1)‖u‖²/(2C) + 2CX² log(T+1): each round is a subgradient step on ½‖w‖² + C·(hinge loss).",
        latex=r"\sum_t\ell_t \le \sum_t\ell_t(u)+\frac{(T+1)\|u\|^2}{2C}+2CX^2\log(T+1)",
        rules=(OnlineSVM,),
        quantity="loss",
        formula="L(u) + (T+1)‖u‖²/(2C) + 2CX² log(T+1)",
        assumptions=(
            LABELS,
            LinearAssumption("η is 1/(t+1)", lambda evidence: _rule(evidence).eta is None),
            LinearAssumption("every round was a subgradient step", _stepped),
            SAME_ROUNDS,
        ),
        measured=lambda evidence: evidence.ledger.loss,
        bound=_bound,
        trivial=zero_loss,
        lemmas=(Lemma("f(w) − f(u) ≤ (‖w−u‖² − ‖w′−u‖²)/(2η) + η‖g‖²/2 − ½‖w−u‖²", _descent_round),),
        comparator=Balance(1, _price),
    ),
)
