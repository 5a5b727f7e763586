"""The one-round inequalities that the theorems on expert advice rest on.

Each is read off the state before and after the round, the weights that were used and the losses, so that a rule that takes
its weights from the wrong place, or keeps its books wrongly, breaks one of them in the round in which it does so.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from littlestone import _core
from littlestone.experts import (
    AdaHedge,
    AggregatingAlgorithm,
    ExponentialWeights,
    FixedShare,
    FollowThePerturbedLeader,
    InternalRegret,
    MultiplicativeWeights,
    PolynomialWeights,
    RandomizedWeightedMajority,
    SwapRegret,
    WeightedMajority,
)
from littlestone.experts.pace import rate, starts_period
from littlestone.experts.rule import normalised, softmax
from littlestone.theory.expert_evidence import ExpertMoment
from littlestone.theory.guarantee import Lemma

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.experts.rule import ExpertRule


def doubles(rule: ExpertRule) -> bool:
    """Whether the rule follows the doubling schedule."""
    return rule.doubles if isinstance(rule, RandomizedWeightedMajority) else getattr(rule, "pace", "") == "doubling"


def _log_sum(scores: FloatArray) -> float:
    top = float(np.max(scores))
    return top + math.log(float(np.sum(np.exp(scores - top))))


def _rounds_before(moment: ExpertMoment) -> int:
    return int(moment.before.rounds[0])


def _charged(moment: ExpertMoment) -> FloatArray:
    """L′: as the state has it, or L + l where a period ends and the state forgets."""
    if doubles(moment.rule) and starts_period(_rounds_before(moment) + 1):
        return moment.before.losses + moment.losses
    return moment.after.losses


def _growth(moment: ExpertMoment, eta: float) -> float:
    """Log Σπ·exp(−ηL′) − log Σπ·exp(−ηL): minus η times the mixture's loss of the round."""
    prior = moment.before.log_prior
    return _log_sum(prior - eta * _charged(moment)) - _log_sum(prior - eta * moment.before.losses)


# Votes.


def _halved(moment: ExpertMoment) -> tuple[float, float]:
    before, after = (int(np.sum(state.mistakes == 0.0)) for state in (moment.before, moment.after))
    return float(after), before / 2.0 if moment.own > 0.0 else before


def _majority_shrinks(moment: ExpertMoment) -> tuple[float, float]:
    rule = moment.rule
    assert isinstance(rule, WeightedMajority)
    least = float(np.min(moment.before.mistakes))
    before, after = (float(np.sum(rule.beta ** (state.mistakes - least))) for state in (moment.before, moment.after))
    return after, before * ((1.0 + rule.beta) / 2.0 if moment.own > 0.0 else 1.0)


def _half_errs(moment: ExpertMoment) -> tuple[float, float]:
    """Where everybody is out there is no vote, and the rule says 1 because it has to say something."""
    rule, out = moment.rule, moment.before.mistakes > 0.0
    drops = not isinstance(rule, WeightedMajority) or rule.beta == 0.0
    return (0.0, 0.0) if drops and bool(out.all()) else (moment.own, 2.0 * moment.mean)


def _errs_wholly(moment: ExpertMoment) -> tuple[float, float]:
    """Where two experts differ and the learner errs, it loses what both of them lose together."""
    opposed = len(moment.losses) == 2 and float(np.sum(moment.losses)) == 1.0 and moment.own > 0.0
    return (1.0, moment.own) if opposed else (0.0, 0.0)


# Exponential weights in all their forms.


def _beta_mixes(moment: ExpertMoment) -> tuple[float, float]:
    rule = moment.rule
    assert isinstance(rule, RandomizedWeightedMajority)
    eta = rule.rate(len(moment.p), _rounds_before(moment))
    return _growth(moment, eta), -(1.0 - math.exp(-eta)) * moment.own


def _hoeffding(moment: ExpertMoment) -> tuple[float, float]:
    rule = moment.rule
    assert isinstance(rule, ExponentialWeights)
    eta = rule.rate(len(moment.p), _rounds_before(moment))
    return moment.own + _growth(moment, eta) / eta if eta > 0.0 else 0.0, eta / 8.0


def _restarts(moment: ExpertMoment) -> tuple[float, float]:
    """At the start of a period everything before it is forgotten."""
    if not (doubles(moment.rule) and starts_period(_rounds_before(moment))):
        return 0.0, 0.0
    return float(np.max(np.abs(moment.p - softmax(moment.before.log_prior)))), 0.0


def _mixable(moment: ExpertMoment) -> tuple[float, float]:
    rule = moment.rule
    assert isinstance(rule, AggregatingAlgorithm)
    return moment.own + _growth(moment, rule.eta) / rule.eta, 0.0


def _leads(moment: ExpertMoment) -> tuple[float, float]:
    """The scores −ηL + noise, by the noise of this round: whoever is followed has the largest."""
    rule, n, t = moment.rule, len(moment.p), _rounds_before(moment)
    assert isinstance(rule, FollowThePerturbedLeader)
    noise = np.array([-math.log(-math.log(_core.uniform(rule.seed, t * n + i))) for i in range(n)])
    scores = noise - rule.rate(n, t) * moment.before.losses
    return float(np.max(scores)) - float(moment.p @ scores), 0.0


def _adds_losses(moment: ExpertMoment) -> tuple[float, float]:
    return float(np.max(np.abs(_charged(moment) - moment.before.losses - moment.losses))), 0.0


# The multiplicative rule.


def _step_of(moment: ExpertMoment) -> float:
    rule = moment.rule
    assert isinstance(rule, MultiplicativeWeights)
    return 1.0 - rule.step(len(moment.p))


def _factor_mixes(moment: ExpertMoment) -> tuple[float, float]:
    grown = _log_sum(moment.after.log_weights) - _log_sum(moment.before.log_weights)
    return grown, -_step_of(moment) * moment.own


def _log_is_steep(moment: ExpertMoment) -> tuple[float, float]:
    rule = moment.rule
    assert isinstance(rule, MultiplicativeWeights)
    x = _step_of(moment) * moment.losses
    least = -x - x * x / rule.curvature(len(x))
    return float(np.max(least - (moment.after.log_weights - moment.before.log_weights))), 0.0


# Polynomial weights.


def _norm(values: FloatArray, alpha: float) -> float:
    top = float(np.max(values))
    return top * float(np.sum((values / top) ** alpha)) ** (1.0 / alpha) if top > 0.0 else 0.0


def _potential_grows(moment: ExpertMoment) -> tuple[float, float]:
    rule = moment.rule
    assert isinstance(rule, PolynomialWeights)
    alpha = rule.power(len(moment.p))
    before, after = (_norm(np.maximum(state.regrets, 0.0), alpha) ** 2 for state in (moment.before, moment.after))
    return after, before + (alpha - 1.0) * _norm(np.abs(moment.own - moment.losses), alpha) ** 2


def _adds_regrets(moment: ExpertMoment) -> tuple[float, float]:
    return float(np.max(np.abs(moment.after.regrets - moment.before.regrets - (moment.own - moment.losses)))), 0.0


# Fixed Share.


def _share_of(moment: ExpertMoment) -> tuple[FixedShare, FloatArray]:
    """The rule, and the weights after the loss update: w·exp(−ηl), normalised."""
    rule = moment.rule
    assert isinstance(rule, FixedShare)
    return rule, normalised(moment.before.shares * np.exp(-rule.rate(len(moment.p)) * moment.losses))


def _shares_mix(moment: ExpertMoment) -> tuple[float, float]:
    rule, n = moment.rule, len(moment.p)
    assert isinstance(rule, FixedShare)
    eta = rule.rate(n)
    mixed = math.log(float(moment.before.shares @ np.exp(-eta * moment.losses)))
    return moment.own + mixed / eta if eta > 0.0 else 0.0, eta / 8.0


def _shares_pass_on(moment: ExpertMoment) -> tuple[float, float]:
    rule, v = _share_of(moment)
    n, alpha, after = len(v), rule.share(), moment.after.shares
    if n == 1:
        return 0.0, 0.0
    passed = np.where(np.eye(n, dtype=bool), 1.0 - alpha, alpha / (n - 1)) * v[:, None]
    return float(np.max(passed - after[None, :])), 0.0


# AdaHedge.


def _ada_rate(moment: ExpertMoment) -> float:
    gap = float(moment.before.gap[0])
    return math.log(len(moment.p)) / gap if gap > 0.0 else math.inf


def _gap_added(moment: ExpertMoment) -> float:
    return float(moment.after.gap[0] - moment.before.gap[0])


def _gap_is_paid(moment: ExpertMoment) -> tuple[float, float]:
    """The loss beyond that of the mixture is what the gap grows by."""
    assert isinstance(moment.rule, AdaHedge)
    before, after, eta = moment.before.losses, moment.after.losses, _ada_rate(moment)
    if math.isinf(eta):
        return moment.own - float(np.min(after) - np.min(before)), _gap_added(moment)
    return moment.own + (_log_sum(-eta * after) - _log_sum(-eta * before)) / eta, _gap_added(moment)


def _spread(moment: ExpertMoment) -> float:
    """How far apart the losses of the round are: AdaHedge takes them in any unit."""
    return float(np.max(moment.losses) - np.min(moment.losses))


def _gap_is_small(moment: ExpertMoment) -> tuple[float, float]:
    eta, s = _ada_rate(moment), _spread(moment)
    return _gap_added(moment), s if math.isinf(eta) else min(eta * s * s / 8.0, s)


def _gap_by_variance(moment: ExpertMoment) -> tuple[float, float]:
    """Bernstein's inequality for the gap δ of losses in [0, 1]: (e^η − η − 1)/η ≤ η/2 + (η/3)·(e^η − η − 1)/η.

    Losses that are s apart are s times such losses, with s·η for the rate.
    """
    variance = float(moment.p @ (moment.losses - moment.mean) ** 2)
    return _gap_added(moment) / _ada_rate(moment), variance / 2.0 + _spread(moment) * _gap_added(moment) / 3.0


def _variance_by_mean(moment: ExpertMoment) -> tuple[float, float]:
    """A chord over the parabola: losses in [a, b] of mean m have a variance of at most (b − m)(m − a)."""
    low, high = float(np.min(moment.losses)), float(np.max(moment.losses))
    variance = float(moment.p @ (moment.losses - moment.mean) ** 2)
    return variance, (high - moment.mean) * (moment.mean - low)


# Internal and swap regret.


def _swaps(flat: FloatArray, n: int) -> FloatArray:
    return flat.reshape(n, n)


def _pairs_balance(moment: ExpertMoment) -> tuple[float, float]:
    """Exponential Weights over the pairs i → j: because p is in balance, what they save is 0 in the mean."""
    rule, n = moment.rule, len(moment.p)
    assert isinstance(rule, InternalRegret)
    eta = rate(rule.pace, rule.eta, rule.horizon, n * (n - 1), _rounds_before(moment))
    off = ~np.eye(n, dtype=bool)
    before, after = (_log_sum(eta * _swaps(state.swaps, n)[off]) for state in (moment.before, moment.after))
    return (after - before) / eta, eta / 8.0


def _adds_savings(moment: ExpertMoment) -> tuple[float, float]:
    saved = (moment.p[:, None] * (moment.losses[:, None] - moment.losses[None, :])).ravel()
    return float(np.max(np.abs(moment.after.swaps - moment.before.swaps - saved))), 0.0


def _copies(moment: ExpertMoment) -> FloatArray:
    """Q: the weights of each copy, a row each."""
    n = len(moment.p)
    return np.array([softmax(row) for row in moment.before.log_weights.reshape(n, n)])


def _copies_agree(moment: ExpertMoment) -> tuple[float, float]:
    """Because p = p·Q the learner's loss is the sum of those of the copies."""
    return abs(moment.own - float(moment.p @ (_copies(moment) @ moment.losses))), 0.0


def _copies_mix(moment: ExpertMoment) -> tuple[float, float]:
    """Each copy is the multiplicative rule on the losses p_i·l."""
    rule, n = moment.rule, len(moment.p)
    assert isinstance(rule, SwapRegret)
    rows = zip(_swaps(moment.after.log_weights, n), _swaps(moment.before.log_weights, n), strict=True)
    grown = np.array([_log_sum(after) - _log_sum(before) for after, before in rows])
    return float(np.max(grown + rule.step(n) * moment.p * (_copies(moment) @ moment.losses))), 0.0


def _copies_are_steep(moment: ExpertMoment) -> tuple[float, float]:
    rule, n = moment.rule, len(moment.p)
    assert isinstance(rule, SwapRegret)
    x = rule.step(n) * np.outer(moment.p, moment.losses)
    moved = _swaps(moment.after.log_weights - moment.before.log_weights, n)
    return float(np.max(-x - x * x - moved)), 0.0


HALVED: Lemma[ExpertMoment] = Lemma("|V′| ≤ |V|/2 on a mistake", _halved)
SHRINKS: Lemma[ExpertMoment] = Lemma("W′ ≤ W(1+β)/2 on a mistake", _majority_shrinks)
HALF_ERRS: Lemma[ExpertMoment] = Lemma("a vote errs only where half of the weight does", _half_errs)
ERRS_WHOLLY: Lemma[ExpertMoment] = Lemma("l₁ + l₂ ≤ own loss where two experts differ and the vote errs", _errs_wholly)
BETA_MIXES: Lemma[ExpertMoment] = Lemma("log(W′/W) ≤ −(1−β)p·l, W = Σβ^L", _beta_mixes)
HOEFFDING: Lemma[ExpertMoment] = Lemma("p·l + (1/η) log(W′/W) ≤ η/8, W = Σexp(−ηL)", _hoeffding)
RESTARTS: Lemma[ExpertMoment] = Lemma("p is the prior at the start of a period", _restarts)
MIXABLE: Lemma[ExpertMoment] = Lemma("loss ≤ −(1/η) log(W′/W), W = Σπ·exp(−ηL)", _mixable)
LEADS: Lemma[ExpertMoment] = Lemma("whoever is followed has the largest −ηL + noise", _leads)
ADDS_LOSSES: Lemma[ExpertMoment] = Lemma("L′ = L + l", _adds_losses)
FACTOR_MIXES: Lemma[ExpertMoment] = Lemma("log(W′/W) ≤ −(1−β)p·l, W the sum of the weights", _factor_mixes)
STEEP: Lemma[ExpertMoment] = Lemma("log(w′/w) ≥ −(1−β)l − (1−β)²l²/α", _log_is_steep)
POTENTIAL: Lemma[ExpertMoment] = Lemma("‖R′₊‖²_α ≤ ‖R₊‖²_α + (α−1)‖r‖²_α", _potential_grows)
ADDS_REGRETS: Lemma[ExpertMoment] = Lemma("R′ = R + p·l − l", _adds_regrets)
SHARES_MIX: Lemma[ExpertMoment] = Lemma("p·l + (1/η) log Σw·exp(−ηl) ≤ η/8", _shares_mix)
SHARES_PASS_ON: Lemma[ExpertMoment] = Lemma("w′_i ≥ (1−α)v_i and w′_j ≥ (α/(N−1))v_i, v ∝ w·exp(−ηl)", _shares_pass_on)
GAP_IS_PAID: Lemma[ExpertMoment] = Lemma("p·l + (1/η) log(W′/W) ≤ Δ′ − Δ", _gap_is_paid)
GAP_IS_SMALL: Lemma[ExpertMoment] = Lemma("Δ′ − Δ ≤ min(ηs²/8, s)", _gap_is_small)
GAP_BY_VARIANCE: Lemma[ExpertMoment] = Lemma("(Δ′ − Δ)/η ≤ v/2 + s(Δ′ − Δ)/3", _gap_by_variance)
VARIANCE_BY_MEAN: Lemma[ExpertMoment] = Lemma("v ≤ (max l − p·l)(p·l − min l)", _variance_by_mean)
PAIRS_BALANCE: Lemma[ExpertMoment] = Lemma("(1/η) log(W′/W) ≤ η/8, W = Σexp(ηS_ij) over pairs", _pairs_balance)
ADDS_SAVINGS: Lemma[ExpertMoment] = Lemma("S′_ij = S_ij + p_i(l_i − l_j)", _adds_savings)
COPIES_AGREE: Lemma[ExpertMoment] = Lemma("p·l = Σp_i·Q_i·l", _copies_agree)
COPIES_MIX: Lemma[ExpertMoment] = Lemma("log(W′_i/W_i) ≤ −(1−β)p_i·Q_i·l for every copy", _copies_mix)
COPIES_STEEP: Lemma[ExpertMoment] = Lemma("log(w′/w) ≥ −(1−β)p_i·l − ((1−β)p_i·l)² in every copy", _copies_are_steep)
