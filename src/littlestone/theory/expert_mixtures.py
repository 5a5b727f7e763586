"""Theorems on mixtures in their own unit: of probabilities by Bayes' rule, and by exponentiated gradients."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from littlestone.experts import BayesMixture, ExponentiatedGradient
from littlestone.theory.expert_bounds import regret, totals, uniform_regret
from littlestone.theory.expert_evidence import CONVEX, ExpertAssumption, ExpertEvidence, ExpertGuarantee, ExpertMoment
from littlestone.theory.guarantee import Lemma

if TYPE_CHECKING:
    from littlestone.experts.state import ExpertState


def _log_mass(state: ExpertState, eta: float) -> float:
    """Log Σ prior·exp(−ηL)."""
    scores = state.log_prior - eta * state.losses
    top = float(np.max(scores))
    return top + math.log(float(np.sum(np.exp(scores - top))))


def _bayes_excess(evidence: ExpertEvidence) -> float:
    """The regret, less what an uneven prior costs."""
    return float(np.max(evidence.ledger.regrets - (evidence.prior_cost - evidence.log_experts)))


def _posterior(moment: ExpertMoment) -> tuple[float, float]:
    return moment.own, _log_mass(moment.before, 1.0) - _log_mass(moment.after, 1.0)


POSTERIOR = Lemma("own loss ≤ log W − log W′, W = Σ prior·exp(−L)", _posterior)


def _gradient_bound(evidence: ExpertEvidence) -> float:
    rule = evidence.rule
    assert isinstance(rule, ExponentiatedGradient)
    steps = rule.eta * evidence.rounds * evidence.ledger.largest_range**2 / 8.0
    return evidence.log_experts / rule.eta + steps


def _exponentiated(moment: ExpertMoment) -> tuple[float, float]:
    rule = moment.rule
    assert isinstance(rule, ExponentiatedGradient)
    growth = _log_mass(moment.after, rule.eta) - _log_mass(moment.before, rule.eta)
    return moment.own + growth / rule.eta, rule.eta / 8.0 * float(np.ptp(moment.losses)) ** 2


EXPONENTIATED = Lemma("p·g + (1/η) log(W′/W) ≤ η·range(g)²/8, W = Σexp(−ηL)", _exponentiated)

_PLAIN = ExpertAssumption("the rule learned from losses, not from gradients", lambda evidence: not evidence.gradient)

MIXTURES: tuple[ExpertGuarantee, ...] = (
    ExpertGuarantee(
        id="bayes.mixture",
        source="Vovk 1990; Cover 1991",
        statement="Under the log loss, and that of returns, the Bayesian mixture exceeds the loss of an expert of prior π by "
        "at most log(1/π), however many rounds there are; an expert that sleeps is compared on the rounds in which it was "
        "awake.",
        latex=r"R_T \le \log N",
        rules=(BayesMixture,),
        quantity="regret",
        formula="log N",
        compared="the best expert",
        assumptions=(_PLAIN,),
        measured=_bayes_excess,
        subtracted=totals,
        bound=lambda evidence: evidence.log_experts,
        trivial=uniform_regret,
        lemmas=(POSTERIOR,),
    ),
    ExpertGuarantee(
        id="gradient.exponentiated",
        source="after Helmbold, Schapire, Singer and Warmuth 1998",
        statement="The regret is at most log N/η + ηTG²/8, G the largest range of the gradients of a round; on gradients it is "
        "that to the best convex combination, which of price relatives is the best constant rebalanced portfolio.",
        latex=r"R_T \le \frac{\log N}{\eta}+\frac{\eta TG^2}{8}",
        rules=(ExponentiatedGradient,),
        quantity="regret",
        formula="log N/η + ηTG²/8",
        compared="the best expert; on gradients, the best convex combination too",
        assumptions=(CONVEX,),
        measured=regret,
        subtracted=totals,
        bound=_gradient_bound,
        trivial=uniform_regret,
        lemmas=(EXPONENTIATED,),
        hindsight=True,
    ),
)
