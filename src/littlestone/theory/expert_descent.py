"""Theorems on rules that move the weights by gradients or regress on the advice; their bounds read what the run has paid."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from littlestone.experts import FollowTheRegularizedLeader, OnlineGradientDescent, RidgeWeights
from littlestone.experts.simplex import to_simplex
from littlestone.theory.expert_bounds import regret, totals, uniform_regret
from littlestone.theory.expert_evidence import AWAKE, CONVEX, ExpertAssumption, ExpertEvidence, ExpertGuarantee, ExpertMoment
from littlestone.theory.guarantee import Lemma

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.experts.state import ExpertState


# Online gradient descent.


def _inverse_rate(rule: OnlineGradientDescent, state: ExpertState) -> float:
    return math.pow(float(state.rounds[0]), rule.power) * float(state.largest[0])


def _descent_bound(evidence: ExpertEvidence) -> float:
    rule = evidence.rule
    assert isinstance(rule, OnlineGradientDescent)
    return _inverse_rate(rule, evidence.state) + float(evidence.state.paid[0])


def _distances(point: FloatArray) -> FloatArray:
    """‖w − e_i‖² for each expert i."""
    return float(point @ point) - 2.0 * point + 1.0


def _steps_down(moment: ExpertMoment) -> tuple[float, float]:
    rule = moment.rule
    assert isinstance(rule, OnlineGradientDescent)
    nearer = _distances(moment.before.point) - _distances(moment.after.point)
    left = moment.own - moment.losses - 0.5 * _inverse_rate(rule, moment.after) * nearer
    return float(np.max(left)), float(moment.after.paid[0] - moment.before.paid[0])


STEPS_DOWN = Lemma("(p − e_i)·g ≤ (‖w − e_i‖² − ‖w′ − e_i‖²)/(2η) + η‖g‖²/2 for every expert i", _steps_down)

# Follow the Regularized Leader.


def _leader_bound(evidence: ExpertEvidence) -> float:
    state = evidence.state
    return 0.5 * (1.0 - 1.0 / evidence.experts) * math.sqrt(float(state.squares[0])) + float(state.paid[0])


def _least(state: ExpertState) -> float:
    """The least of L·w + √S‖w − 1/N‖²/2 over the distributions."""
    strength, even = math.sqrt(float(state.squares[0])), 1.0 / len(state.losses)
    if strength == 0.0:
        return 0.0
    w = to_simplex(even - state.losses / strength)
    return float(state.losses @ w) + 0.5 * strength * float(np.sum((w - even) ** 2))


def _leads_on(moment: ExpertMoment) -> tuple[float, float]:
    left = moment.own - float(np.mean(moment.losses)) + _least(moment.before) - _least(moment.after)
    return left, float(moment.after.paid[0] - moment.before.paid[0])


LEADS_ON = Lemma("p·g + m − m′ ≤ min{√2‖g‖, ‖g‖²/(2√S)}, m the least of L·w + √S‖w − 1/N‖²/2", _leads_on)

# Ridge regression.


def _least_squares(state: ExpertState) -> float:
    """The least of Σ(u·x − y)² + λ‖u − 1/N‖² over all u: Σe² − bᵀA⁻¹b."""
    moments = state.moments
    return float(state.squares[0]) - float(moments @ state.inverse.reshape(len(moments), -1) @ moments)


def _ridge_bound(evidence: ExpertEvidence) -> float:
    state = evidence.state
    return _least_squares(state) + float(state.largest[0]) ** 2 * float(state.paid[0])


def _forecasts_ahead(moment: ExpertMoment) -> tuple[float, float]:
    error = float(moment.after.squares[0] - moment.before.squares[0])
    growth = _least_squares(moment.after) - _least_squares(moment.before)
    return moment.own, growth + error * float(moment.after.paid[0] - moment.before.paid[0])


FORECASTS_AHEAD = Lemma("(ŷ − y)² ≤ m′ − m + e²·xᵀA⁻¹x, m the least of Σ(u·x − y)² + λ‖u − 1/N‖²", _forecasts_ahead)

_SEEN = ExpertAssumption("there was a round", lambda evidence: evidence.rounds > 0)

DESCENT: tuple[ExpertGuarantee, ...] = (
    ExpertGuarantee(
        id="descent.simplex",
        source="Zinkevich 2003, with the rate of each round by the largest gradient so far",
        statement="With η = t^(−a)/B, B the largest ‖g‖ so far, the regret is at most T^a·B + ½Σ η‖g‖², which for a = ½ is at "
        "most 2B√T; an expert that sleeps is compared on the rounds in which it was awake.",
        latex=r"R_T \le T^aB+\tfrac12\sum_t\eta_t\|g_t\|^2",
        rules=(OnlineGradientDescent,),
        quantity="regret",
        formula="T^a·B + ½Σ η‖g‖²",
        compared="the best expert; on gradients, the best convex combination too",
        assumptions=(CONVEX,),
        measured=regret,
        subtracted=totals,
        bound=_descent_bound,
        trivial=uniform_regret,
        lemmas=(STEPS_DOWN,),
        hindsight=True,
    ),
    ExpertGuarantee(
        id="leader.regularized",
        source="after McMahan 2017 and Orabona and Pál 2018",
        statement="The regret is at most (1 − 1/N)√S/2 + Σ min{√2‖g‖, ‖g‖²/(2√S′)}, S the sum of all ‖g‖² and S′ that of the "
        "rounds before; an expert that sleeps is compared on the rounds in which it was awake.",
        latex=r"R_T \le \tfrac12(1-\tfrac1N)\sqrt{S_T}+\sum_t\min\{\sqrt2\|g_t\|,\tfrac{\|g_t\|^2}{2\sqrt{S_{t-1}}}\}",
        rules=(FollowTheRegularizedLeader,),
        quantity="regret",
        formula="(1 − 1/N)√S/2 + Σ min{√2‖g‖, ‖g‖²/(2√S′)}",
        compared="the best expert; on gradients, the best convex combination too",
        assumptions=(CONVEX,),
        measured=regret,
        subtracted=totals,
        bound=_leader_bound,
        trivial=uniform_regret,
        lemmas=(LEADS_ON,),
        hindsight=True,
    ),
    ExpertGuarantee(
        id="ridge.vaw",
        source="Vovk 2001; Azoury and Warmuth 2001",
        statement="The square loss is at most the least of Σ(u·x − y)² + λ‖u − 1/N‖² over all u, and max e²·Σ xᵀA⁻¹x, "
        "e = y − mean(x), more. (What the mean of the advice loses makes it vacuous.)",
        latex=r"\sum_t(\hat y_t-y_t)^2 \le \min_u\sum_t(u\cdot x_t-y_t)^2+\lambda\|u-\tfrac1N\|^2+E^2\sum_t x_t^TA_t^{-1}x_t",
        rules=(RidgeWeights,),
        quantity="square loss",
        formula="min_u(Σ(u·x − y)² + λ‖u − 1/N‖²) + max e²·Σ xᵀA⁻¹x",
        compared="the best linear combination",
        assumptions=(AWAKE, _SEEN),
        measured=lambda evidence: evidence.ledger.loss,
        subtracted=lambda evidence: float(evidence.state.squares[0]),
        bound=_ridge_bound,
        trivial=lambda evidence: float(evidence.state.squares[0]),
        lemmas=(FORECASTS_AHEAD,),
        hindsight=True,
    ),
)
