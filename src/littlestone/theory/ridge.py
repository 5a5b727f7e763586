"""Theorems on ridge regression on-line: they compare with the best weights of all, which the rule itself has found."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from littlestone.linear import OnlineRidge
from littlestone.theory.evidence import LinearAssumption, LinearEvidence, LinearGuarantee, LinearMoment, square
from littlestone.theory.guarantee import Lemma

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.state import State


def _state(evidence: LinearEvidence) -> State:
    assert evidence.state is not None
    return evidence.state


def _least(evidence: LinearEvidence) -> float:
    """Min over u of a‖u‖² + Σ(y − u·x)²: Σy² − b·w with b = Σyx."""
    state = _state(evidence)
    return evidence.ledger.target_squared - float(state.sums @ state.w)


def _forward_bound(evidence: LinearEvidence) -> float:
    state = _state(evidence)
    return _least(evidence) + square(float(state.largest_target[0])) * float(state.log_det[0])


def _constant_error(evidence: LinearEvidence) -> float:
    """What is known without learning: the squared errors of the best constant."""
    ledger = evidence.ledger
    return ledger.target_squared - square(ledger.target) / ledger.targets if ledger.targets else 0.0


def energy(root: FloatArray, apart: FloatArray) -> float:
    """dᵀAd with A = (RᵀR)⁻¹."""
    return float(np.sum(np.linalg.solve(root.T, apart) ** 2))


def _gain(moment: LinearMoment) -> float:
    """‖u − w‖² in A minus ‖u − w′‖² in A′."""
    before = energy(moment.arrays["root"], moment.u - moment.w)
    return before - energy(moment.arrays_next["root"], moment.u - moment.w_next)


def spread(moment: LinearMoment) -> float:
    """V = xᵀPx."""
    return float(np.sum((moment.arrays["root"] @ moment.x) ** 2))


def _ridge_round(moment: LinearMoment) -> tuple[float, float]:
    """An equality: completing the square in the round's own objective leaves (y − w·x)²/(1 + v)."""
    error = moment.target - float(moment.w @ moment.x)
    return error**2 / (1.0 + spread(moment)), (moment.target - moment.u_score) ** 2 + _gain(moment)


def _forward_round(moment: LinearMoment) -> tuple[float, float]:
    """(y − ŷ)² = (y − w·x)²/(1+v) + y²v/(1+v) − ŷ²v, and v/(1+v) ≤ ln(1+v)."""
    slack = moment.target**2 * math.log1p(spread(moment))
    return (moment.target - moment.score) ** 2, (moment.target - moment.u_score) ** 2 + _gain(moment) + slack


def _forecast(wanted: str) -> LinearAssumption:
    def check(evidence: LinearEvidence) -> bool:
        assert isinstance(evidence.rule, OnlineRidge)
        return evidence.rule.forecast == wanted

    return LinearAssumption(f'the forecast is "{wanted}"', check)


_KNOWN = LinearAssumption("the state at the end is known", lambda evidence: evidence.state is not None)

GUARANTEES: tuple[LinearGuarantee, ...] = (
    LinearGuarantee(
        id="vaw",
        source="Vovk 2001; Azoury and Warmuth 2001",
        statement="Whatever the rows are, the squared errors of the forecasts w·x/(1+v) exceed the least of "
        "a‖u‖² + Σ(y − u·x)² by at most Y² ln det(I + Σxxᵀ/a), Y the largest |y|.",
        latex=r"\sum_t (y_t-\hat y_t)^2 \le \min_u\Bigl(a\|u\|^2+\sum_t (y_t-u\cdot x_t)^2\Bigr)"
        r" + Y^2\ln\det\Bigl(I+\tfrac1a\sum_t x_tx_t^\top\Bigr)",
        rules=(OnlineRidge,),
        quantity="squared error",
        formula="min_u (a‖u‖² + Σ(y − u·x)²) + Y² ln det(I + Σxxᵀ/a)",
        assumptions=(_forecast("vaw"), _KNOWN),
        measured=lambda evidence: evidence.ledger.squared_error,
        bound=_forward_bound,
        trivial=_constant_error,
        subtracted=lambda evidence: evidence.ledger.target_squared,
        lemmas=(Lemma("(y−ŷ)² ≤ (y−u·x)² + ‖u−w‖²_A − ‖u−w′‖²_A′ + y² ln(1+v)", _forward_round),),
        compared="the best weights of all, those of ridge regression at the end",
        hindsight=True,
    ),
    LinearGuarantee(
        id="ridge",
        source="Zhdanov and Vovk 2009, theorem 1",
        statement="The squared errors of the ridge forecasts w·x, each divided by 1 + v, add up to the least of "
        "a‖u‖² + Σ(y − u·x)²: an equality.",
        latex=r"\sum_t \frac{(y_t-w_t\cdot x_t)^2}{1+x_t^\top A_{t-1}^{-1}x_t} "
        r"= \min_u\Bigl(a\|u\|^2+\sum_t (y_t-u\cdot x_t)^2\Bigr)",
        rules=(OnlineRidge,),
        quantity="squared error over 1 + v",
        formula="min_u (a‖u‖² + Σ(y − u·x)²)",
        assumptions=(_forecast("ridge"), _KNOWN),
        measured=lambda evidence: float(_state(evidence).residual[0]) if evidence.state is not None else math.nan,
        bound=_least,
        trivial=lambda evidence: evidence.ledger.target_squared,
        subtracted=lambda evidence: evidence.ledger.target_squared,
        lemmas=(Lemma("(y−w·x)²/(1+v) = (y−u·x)² + ‖u−w‖²_A − ‖u−w′‖²_A′", _ridge_round),),
        compared="the best weights of all, those of ridge regression at the end",
        hindsight=True,
    ),
)
