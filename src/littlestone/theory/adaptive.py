"""Theorems on rules with a step of their own for every feature, or every combination of features."""

from __future__ import annotations

import math

import numpy as np

from littlestone.linear import AROW, AdaGrad, AdaGradRegression
from littlestone.theory.comparators.program import Path
from littlestone.theory.evidence import (
    LABELS,
    POSSIBLE,
    SAME_ROUNDS,
    LinearAssumption,
    LinearEvidence,
    LinearGuarantee,
    LinearMoment,
    constant_mistakes,
    square,
    zero_loss,
)
from littlestone.theory.guarantee import Lemma
from littlestone.theory.ridge import energy, spread


def _arow(rule: object) -> AROW:
    assert isinstance(rule, AROW)
    return rule


def _adagrad(rule: object) -> AdaGrad | AdaGradRegression:
    assert isinstance(rule, AdaGrad | AdaGradRegression)
    return rule


def _padded(evidence: LinearEvidence) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], int]:
    """U at the width of the state."""
    assert evidence.state is not None
    width, u = len(evidence.state.w), evidence.against.u
    return np.concatenate([u, np.zeros(max(width - len(u), 0))]), width


def _margin_updates(evidence: LinearEvidence) -> int:
    """U: updates that were no mistakes."""
    return evidence.ledger.updates - evidence.ledger.mistakes


def _arow_bound(evidence: LinearEvidence) -> float:
    """√(r‖u‖² + uᵀXu) is √r times the length of u in A = I + X/r."""
    assert evidence.state is not None
    u, width = _padded(evidence)
    length = math.sqrt(_arow(evidence.rule).r * energy(evidence.state.root, u[:width]))
    extra = _margin_updates(evidence)
    return length * math.sqrt(float(evidence.state.log_det[0]) + extra) + evidence.against.ledger.loss - extra


def _mistaken(moment: LinearMoment) -> bool:
    return moment.label * moment.score <= 0.0


def _length_round(moment: LinearMoment) -> tuple[float, float]:
    """r‖w‖² in A grows by 1 − r(1 − m)²/(r + v): at most v/(r + v) ≤ ln(1 + v/r) for a mistake, and 1 otherwise."""
    if not moment.moved:
        return 0.0, 0.0
    r = _arow(moment.rule).r
    grown = energy(moment.arrays_next["root"], moment.w_next) - energy(moment.arrays["root"], moment.w)
    return r * grown, math.log1p(spread(moment) / r) + (0.0 if _mistaken(moment) else 1.0)


def _towards_round(moment: LinearMoment) -> tuple[float, float]:
    """Each update adds y·x/r to Aw, so that r·u·Aw grows by y·u·x ≥ 1 − ℓ(u)."""
    if not moment.moved:
        return 0.0, 0.0
    before, after = moment.arrays["root"], moment.arrays_next["root"]
    u_after = np.linalg.solve(after, np.linalg.solve(after.T, moment.u))
    u_before = np.linalg.solve(before, np.linalg.solve(before.T, moment.u))
    gained = float(u_after @ moment.w_next) - float(u_before @ moment.w)
    return 1.0 - moment.u_loss, _arow(moment.rule).r * gained


def _distance(evidence: LinearEvidence) -> float:
    """Σᵢ Dᵢ²sᵢ/2η with Dᵢ the farthest that the weight was from uᵢ and sᵢ = √Gᵢ at the end."""
    assert evidence.state is not None
    state, (u, width) = evidence.state, _padded(evidence)
    far = np.maximum(np.abs(state.low - u[:width]), np.abs(state.high - u[:width]))
    beyond = math.sqrt(_adagrad(evidence.rule).G0) * float(np.sum(u[width:] ** 2))
    return (float(np.sum(far * far * np.sqrt(state.squares))) + beyond) / (2.0 * _adagrad(evidence.rule).eta)


def _adagrad_bound(evidence: LinearEvidence) -> float:
    assert evidence.state is not None
    return _distance(evidence) + float(evidence.state.slack[0])


def _regret(evidence: LinearEvidence) -> float:
    return evidence.ledger.loss - evidence.against.ledger.loss if evidence.comparison is not None else math.nan


def _square_regret(evidence: LinearEvidence) -> float:
    if evidence.comparison is None:
        return math.nan
    return 0.5 * (evidence.ledger.squared_error - evidence.against.ledger.squared_error)


def _adagrad_round(moment: LinearMoment) -> tuple[float, float]:
    """f(w) − f(u) ≤ (‖w−u‖² − ‖w′−u‖²)/2η in the lengths of s, and what the round adds to the slack."""
    if isinstance(moment.rule, AdaGradRegression):
        regret = 0.5 * ((moment.target - moment.score) ** 2 - (moment.target - moment.u_score) ** 2)
    elif moment.rule.abilities.has_log_odds:
        regret = float(np.logaddexp(0.0, -moment.label * moment.score) - np.logaddexp(0.0, -moment.label * moment.u_score))
    else:
        regret = moment.loss - moment.u_loss
    if not moment.moved:
        return min(regret, 0.0), 0.0
    s = np.sqrt(moment.arrays_next["squares"])
    gain = float(s @ (moment.w - moment.u) ** 2 - s @ (moment.w_next - moment.u) ** 2)
    slack = float(moment.arrays_next["slack"][0] - moment.arrays["slack"][0])
    return regret, gain / (2.0 * _adagrad(moment.rule).eta) + slack


def _of_loss(wanted: str) -> LinearAssumption:
    def check(evidence: LinearEvidence) -> bool:
        rule = evidence.rule
        assert isinstance(rule, AdaGrad)
        return rule.loss == wanted

    return LinearAssumption(f'the loss is "{wanted}"', check)


_FULL = LinearAssumption('the covariance is "full"', lambda evidence: _arow(evidence.rule).covariance == "full")
_KNOWN = LinearAssumption("the state at the end is known", lambda evidence: evidence.state is not None)
_ROUND: Lemma[LinearMoment] = Lemma("f(w) − f(u) ≤ (‖w−u‖²ₛ − ‖w′−u‖²ₛ)/2η + slack of the round", _adagrad_round)
_DUCHI = "Duchi, Hazan and Singer 2011, theorem 5, with the slack as it was"
_SAYS = "is at most Σ Dᵢ²sᵢ/2η + Σ slack, sᵢ = √Gᵢ at the end and Dᵢ the farthest that the weight was from uᵢ"
_LATEX = r"\sum_t f_t(w_t)-f_t(u) \le \sum_i \frac{D_i^2 s_i}{2\eta} + \sum_t \mathrm{slack}_t"

GUARANTEES: tuple[LinearGuarantee, ...] = (
    LinearGuarantee(
        id="arow",
        source="Crammer, Kulesza and Dredze 2009, theorem 1",
        statement="With the full matrix the mistakes are at most √(r‖u‖² + uᵀXu)·√(ln det(I + X/r) + U) + L(u) − U, X the sum "
        "of xxᵀ over the updates, U those of them that were no mistakes, L(u) the hinge loss of u.",
        latex=r"M \le \sqrt{r\|u\|^2+u^\top X u}\,\sqrt{\ln\det(I+X/r)+U} + L(u) - U",
        rules=(AROW,),
        quantity="mistakes",
        formula="√(r‖u‖² + uᵀXu)·√(ln det(I + X/r) + U) + L(u) − U",
        assumptions=(_FULL, _KNOWN, LABELS, POSSIBLE, SAME_ROUNDS),
        measured=lambda evidence: float(evidence.ledger.mistakes),
        bound=_arow_bound,
        trivial=constant_mistakes,
        subtracted=lambda evidence: float(evidence.ledger.updates),
        lemmas=(
            Lemma("r(‖w′‖²_A′ − ‖w‖²_A) ≤ ln(1 + v/r) + 1[no mistake]", _length_round),
            Lemma("1 − ℓ(u) ≤ r(u·A′w′ − u·Aw)", _towards_round),
        ),
        comparator=Path(1),
        hindsight=True,
    ),
    LinearGuarantee(
        id="adagrad.log",
        source=_DUCHI,
        statement=f"The regret of AdaGrad in log loss {_SAYS}; the slack of a round is η/2·Σg²/s.",
        latex=_LATEX,
        rules=(AdaGrad,),
        quantity="regret",
        formula="Σ Dᵢ²sᵢ/2η + Σ slack",
        assumptions=(_of_loss("log"), _KNOWN, LABELS, SAME_ROUNDS),
        measured=_regret,
        bound=_adagrad_bound,
        trivial=lambda evidence: evidence.ledger.rounds * math.log(2.0) - evidence.against.ledger.loss,
        subtracted=lambda evidence: evidence.ledger.loss,
        lemmas=(_ROUND,),
        compared="the weights given",
        hindsight=True,
    ),
    LinearGuarantee(
        id="adagrad.hinge",
        source=f"{_DUCHI}; the step that stops as Kulis and Bartlett 2010",
        statement=f"The regret of AdaGrad in hinge loss {_SAYS}; the slack of a step τ is τq − τ²q/2η, q = Σx²/s.",
        latex=_LATEX,
        rules=(AdaGrad,),
        quantity="regret",
        formula="Σ Dᵢ²sᵢ/2η + Σ slack",
        assumptions=(_of_loss("hinge"), _KNOWN, LABELS, POSSIBLE, SAME_ROUNDS),
        measured=_regret,
        bound=_adagrad_bound,
        trivial=lambda evidence: zero_loss(evidence) - evidence.against.ledger.loss,
        subtracted=lambda evidence: evidence.ledger.loss,
        lemmas=(_ROUND,),
        comparator=Path(1),
        hindsight=True,
    ),
    LinearGuarantee(
        id="adagrad.square",
        source=f"{_DUCHI}; the step that stops as Kulis and Bartlett 2010",
        statement=f"The regret of AdaGrad in half the squared error {_SAYS}; the slack of a step τ is "
        "(|e| − τ/η)²/2 + τ²q/2η, q = Σx²/s.",
        latex=_LATEX,
        rules=(AdaGradRegression,),
        quantity="regret",
        formula="Σ Dᵢ²sᵢ/2η + Σ slack",
        assumptions=(_KNOWN, POSSIBLE, SAME_ROUNDS),
        measured=_square_regret,
        bound=_adagrad_bound,
        trivial=lambda evidence: 0.5 * (evidence.ledger.target_squared - evidence.against.ledger.squared_error),
        subtracted=lambda evidence: evidence.ledger.squared_error + square(evidence.ledger.largest_loss),
        lemmas=(_ROUND,),
        compared="the weights given",
        hindsight=True,
    ),
)
