"""Theorems on prediction with expert advice."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from littlestone.experts import (
    AdaHedge,
    AggregatingAlgorithm,
    ExponentialWeights,
    FixedShare,
    FollowThePerturbedLeader,
    Halving,
    InternalRegret,
    MultiplicativeWeights,
    PolynomialWeights,
    RandomizedWeightedMajority,
    SwapRegret,
    WeightedMajority,
)
from littlestone.theory.expert_evidence import (
    AWAKE,
    CONVEX,
    DECLARED,
    HORIZON,
    SEVERAL,
    UNIFORM,
    ExpertAssumption,
    ExpertEvidence,
    ExpertGuarantee,
)
from littlestone.theory.expert_lemmas import (
    ADDS_LOSSES,
    ADDS_REGRETS,
    ADDS_SAVINGS,
    BETA_MIXES,
    COPIES_AGREE,
    COPIES_MIX,
    COPIES_STEEP,
    ERRS_WHOLLY,
    FACTOR_MIXES,
    GAP_BY_VARIANCE,
    GAP_IS_PAID,
    GAP_IS_SMALL,
    HALF_ERRS,
    HALVED,
    HOEFFDING,
    LEADS,
    MIXABLE,
    PAIRS_BALANCE,
    POTENTIAL,
    RESTARTS,
    SHARES_MIX,
    SHARES_PASS_ON,
    SHRINKS,
    STEEP,
    doubles,
)

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.experts.rule import ExpertRule

_DOUBLING = math.sqrt(2.0) / (math.sqrt(2.0) - 1.0)
_CHANCE = 1e-9
"""With this probability the bound on a random run may fail."""


# What is measured.


def _mistakes(evidence: ExpertEvidence) -> float:
    return evidence.ledger.mistakes


def _rounds(evidence: ExpertEvidence) -> float:
    return evidence.rounds


def _regret(evidence: ExpertEvidence) -> float:
    return evidence.ledger.regret


def _own(evidence: ExpertEvidence) -> float:
    return evidence.own


def _most_regret(evidence: ExpertEvidence) -> float:
    """No algorithm can lose more than the width of the range in a round."""
    return evidence.width * evidence.rounds


# Halving and Weighted Majority.


def _beta(evidence: ExpertEvidence) -> float:
    rule = evidence.rule
    assert isinstance(rule, WeightedMajority | RandomizedWeightedMajority | MultiplicativeWeights)
    if isinstance(rule, MultiplicativeWeights):
        return rule.step(evidence.experts)
    if isinstance(rule, RandomizedWeightedMajority):
        return math.exp(-rule.rate(evidence.experts, 0))
    return rule.beta


def _somebody_right(evidence: ExpertEvidence) -> bool:
    return evidence.ledger.best_loss == 0.0


def _majority_bound(evidence: ExpertEvidence) -> float:
    beta, best = _beta(evidence), evidence.ledger.best_loss
    cost = best * math.log(1.0 / beta) if beta > 0.0 else 0.0
    return (evidence.log_experts + cost) / math.log(2.0 / (1.0 + beta))


def _opposed(evidence: ExpertEvidence) -> bool:
    ledger = evidence.ledger
    return evidence.experts == 2 and ledger.mistakes == ledger.rounds and float(np.sum(ledger.losses)) == ledger.rounds


_RIGHT = ExpertAssumption("some expert was never wrong", _somebody_right)
_POSITIVE_BETA = ExpertAssumption("β > 0, or some expert was never wrong", lambda e: _beta(e) > 0.0 or _somebody_right(e))
_OPPOSED = ExpertAssumption("two experts that always differ, and a learner that always erred", _opposed)

# Randomized Weighted Majority.


def _exact_bound(evidence: ExpertEvidence) -> float:
    beta = _beta(evidence)
    return float(np.min(evidence.prior_cost + evidence.theirs * math.log(1.0 / beta))) / (1.0 - beta)


def _linear_bound(evidence: ExpertEvidence) -> float:
    beta = _beta(evidence)
    return evidence.log_experts / (1.0 - beta) + (2.0 - beta) * float(np.min(evidence.theirs))


_FIXED_BETA = ExpertAssumption("β is fixed", lambda evidence: not doubles(evidence.rule))
_HALF = ExpertAssumption("β ≥ ½", lambda evidence: _beta(evidence) >= 0.5 - 1e-12)
_DOUBLES = ExpertAssumption("the doubling schedule was followed", lambda evidence: doubles(evidence.rule))


def _pace(rule: ExpertRule) -> str:
    pace: object = getattr(rule, "pace", "")
    return pace if isinstance(pace, str) else ""


# Exponential Weights.


def _rate(evidence: ExpertEvidence) -> float:
    rule = evidence.rule
    assert isinstance(rule, ExponentialWeights | FollowThePerturbedLeader)
    return rule.rate(evidence.experts, 0)


def _excess(evidence: ExpertEvidence) -> float:
    """The regret, less what an uneven prior costs: log(1/(N·prior))/η."""
    over_uniform = evidence.prior_cost - evidence.log_experts
    return float(np.max(evidence.ledger.regrets - evidence.width * over_uniform / _rate(evidence)))


def _fixed_bound(evidence: ExpertEvidence) -> float:
    eta = _rate(evidence)
    return evidence.width * (evidence.log_experts / eta + eta * evidence.rounds / 8.0)


def _root(evidence: ExpertEvidence) -> float:
    return evidence.width * math.sqrt(evidence.rounds / 2.0 * evidence.log_experts)


def _anytime_bound(evidence: ExpertEvidence) -> float:
    return 1.5 * _root(evidence) - evidence.width * math.sqrt(evidence.log_experts / 8.0)


_FIXED = ExpertAssumption("the rate is fixed", lambda evidence: _pace(evidence.rule) == "fixed")
_ANYTIME = ExpertAssumption("the anytime schedule was followed", lambda evidence: _pace(evidence.rule) == "anytime")

# The multiplicative rule.


def _alpha(evidence: ExpertEvidence) -> float:
    rule = evidence.rule
    assert isinstance(rule, MultiplicativeWeights)
    return rule.curvature(evidence.experts)


def _second_order(evidence: ExpertEvidence, alpha: float) -> float:
    step = 1.0 - _beta(evidence)
    return float(np.min(evidence.theirs + step / alpha * evidence.squares)) + evidence.log_experts / step


def _unclipped(evidence: ExpertEvidence) -> bool:
    alpha = _alpha(evidence)
    return evidence.rounds >= alpha * evidence.log_experts / (1.0 - alpha / 2.0) ** 2


def _best_alpha(evidence: ExpertEvidence) -> bool:
    rule = evidence.rule
    return isinstance(rule, MultiplicativeWeights) and rule.horizon is not None and rule.alpha is None


def _best_alpha_bound(evidence: ExpertEvidence) -> float:
    log, rounds = evidence.log_experts, evidence.rounds
    return evidence.width * (math.sqrt(2.0 * rounds * log + log * log) + log)


_STEEP = ExpertAssumption("β ≥ α/2", lambda evidence: _beta(evidence) >= _alpha(evidence) / 2.0 - 1e-12)
_UNCLIPPED = ExpertAssumption("T ≥ α log N/(1−α/2)²: β was not clipped", _unclipped)
_BEST_ALPHA = ExpertAssumption("α is the best one for the horizon", _best_alpha)

# Polynomial weights.


def _power(evidence: ExpertEvidence) -> float:
    rule = evidence.rule
    assert isinstance(rule, PolynomialWeights)
    return rule.power(evidence.experts)


def _polynomial_bound(evidence: ExpertEvidence) -> float:
    alpha = _power(evidence)
    return evidence.width * math.sqrt((alpha - 1.0) * evidence.rounds) * math.pow(evidence.experts, 1.0 / alpha)


# Beyond the sources.


def _against_sequence(evidence: ExpertEvidence) -> float:
    sequence = evidence.sequence
    return evidence.ledger.regret if sequence is None else evidence.ledger.loss - sequence.total


def _share_bound(evidence: ExpertEvidence) -> float:
    rule, sequence = evidence.rule, evidence.sequence
    assert isinstance(rule, FixedShare)
    eta = rule.rate(evidence.experts)
    cost = rule.complexity(evidence.experts, evidence.rounds, 0 if sequence is None else sequence.switches)
    return evidence.width * (cost / eta + eta * evidence.rounds / 8.0)


def _adahedge_bound(evidence: ExpertEvidence) -> float:
    log = evidence.log_experts
    return 2.0 * math.sqrt(evidence.ledger.variance * log) + evidence.ledger.largest_range * (4.0 / 3.0 * log + 2.0)


def _swaps(evidence: ExpertEvidence) -> FloatArray:
    return evidence.width * evidence.state.swaps.reshape(evidence.experts, evidence.experts)


def _internal_bound(evidence: ExpertEvidence) -> float:
    rule = evidence.rule
    assert isinstance(rule, InternalRegret)
    pairs = math.log(max(evidence.experts * (evidence.experts - 1), 1))
    if rule.eta is not None:
        return evidence.width * (pairs / rule.eta + rule.eta * evidence.rounds / 8.0)
    root = evidence.width * math.sqrt(evidence.rounds / 2.0 * pairs)
    return root if rule.horizon is not None else 1.5 * root


def _swap_bound(evidence: ExpertEvidence) -> float:
    return evidence.width * 2.0 * math.sqrt(evidence.rounds * evidence.experts * evidence.log_experts)


def _long(evidence: ExpertEvidence) -> bool:
    return evidence.rounds >= 4.0 * evidence.experts * evidence.log_experts


def _perturbed_bound(evidence: ExpertEvidence) -> float:
    luck = math.sqrt(evidence.rounds * math.log(1.0 / _CHANCE) / 2.0)
    if _pace(evidence.rule) == "fixed":
        return _fixed_bound(evidence) + evidence.width * luck
    worst = _anytime_bound(evidence) if _pace(evidence.rule) == "anytime" else _doubling_bound(evidence)
    return worst + evidence.width * luck


def _doubling_bound(evidence: ExpertEvidence) -> float:
    return _DOUBLING * _root(evidence) + evidence.width * math.sqrt(evidence.log_experts / 2.0)


def _brier_excess(evidence: ExpertEvidence) -> float:
    rule = evidence.rule
    assert isinstance(rule, AggregatingAlgorithm)
    return float(np.max(evidence.ledger.regrets - (evidence.prior_cost - evidence.log_experts) / rule.eta))


def _brier_bound(evidence: ExpertEvidence) -> float:
    rule = evidence.rule
    assert isinstance(rule, AggregatingAlgorithm)
    return evidence.log_experts / rule.eta


_ANY_HORIZON = ExpertAssumption(
    "the horizon, if there was one, was the number of rounds",
    lambda evidence: getattr(evidence.rule, "horizon", None) in (None, evidence.rounds),
)
_LONG = ExpertAssumption("T ≥ 4N log N", _long)
# Losses cannot show whether whoever made them knew the seed.
_BLIND = ExpertAssumption("the losses did not look at the draw of their round", lambda _: None)

GUARANTEES: tuple[ExpertGuarantee, ...] = (
    ExpertGuarantee(
        id="mohri.8.1",
        source="Mohri et al., theorem 8.1 (also Blum et al. 5.8.2)",
        statement="If some expert is never wrong, Halving makes at most log2 N mistakes, whichever way it prunes.",
        latex=r"M \le \log_2 N",
        rules=(Halving,),
        quantity="mistakes",
        formula="⌊log2 N⌋",
        compared="an expert that is never wrong",
        assumptions=(AWAKE, _RIGHT),
        measured=_mistakes,
        bound=lambda evidence: math.floor(math.log2(evidence.experts) + 1e-12),
        trivial=_rounds,
        lemmas=(HALVED,),
    ),
    ExpertGuarantee(
        id="mohri.8.3",
        source="Mohri et al., theorem 8.3",
        statement="The mistakes of Weighted Majority are at most (log N + m* log(1/β))/log(2/(1+β)), m* those of the best "
        "expert, whether weights shrink on mistakes only or always.",
        latex=r"M \le \frac{\log N + m^*\log(1/\beta)}{\log\frac{2}{1+\beta}}",
        rules=(WeightedMajority,),
        quantity="mistakes",
        formula="(log N + m* log(1/β))/log(2/(1+β))",
        compared="the best expert",
        assumptions=(AWAKE, _POSITIVE_BETA),
        measured=_mistakes,
        bound=_majority_bound,
        trivial=_rounds,
        lemmas=(SHRINKS,),
    ),
    ExpertGuarantee(
        id="mohri.det",
        source="Mohri et al., section 8.2.3",
        statement="Whoever decides without chance can be made to err in every round while one of two experts errs in at most "
        "half of them: regret at least ⌈T/2⌉.",
        latex=r"\lceil T/2\rceil \le R_T",
        rules=(Halving, WeightedMajority),
        quantity="half the rounds",
        formula="regret",
        compared="the better of two experts that always differ",
        assumptions=(AWAKE, _OPPOSED),
        measured=lambda evidence: math.ceil(evidence.rounds / 2),
        bound=_regret,
        lemmas=(HALF_ERRS, ERRS_WHOLLY),
    ),
    ExpertGuarantee(
        id="mohri.8.4x",
        source="after Mohri et al., theorem 8.4, without its last inequality",
        statement="For every β the expected loss is at most (log N + L* log(1/β))/(1−β), L* the loss of the best expert.",
        latex=r"L \le \frac{\log N + L^*\log(1/\beta)}{1-\beta}",
        rules=(RandomizedWeightedMajority,),
        quantity="expected loss",
        formula="(log N + L* log(1/β))/(1−β)",
        compared="the best expert",
        assumptions=(DECLARED, CONVEX, _FIXED_BETA, SEVERAL),
        measured=_own,
        bound=_exact_bound,
        trivial=_rounds,
        lemmas=(BETA_MIXES,),
    ),
    ExpertGuarantee(
        id="mohri.8.4a",
        source="Mohri et al., theorem 8.4, inequality 8.9",
        statement="For β ≥ ½ the expected loss is at most log N/(1−β) + (2−β)L*, L* the loss of the best expert.",
        latex=r"L \le \frac{\log N}{1-\beta}+(2-\beta)L^*",
        rules=(RandomizedWeightedMajority,),
        quantity="expected loss",
        formula="log N/(1−β) + (2−β)L*",
        compared="the best expert",
        assumptions=(DECLARED, CONVEX, _FIXED_BETA, _HALF, UNIFORM, SEVERAL),
        measured=_own,
        bound=_linear_bound,
        trivial=_rounds,
        lemmas=(BETA_MIXES,),
    ),
    ExpertGuarantee(
        id="mohri.8.4b",
        source="Mohri et al., theorem 8.4, inequality 8.10",
        statement="With β = max{½, 1−√(log N/T)} the regret is at most 2√(T log N).",
        latex=r"R_T \le 2\sqrt{T\log N}",
        rules=(RandomizedWeightedMajority,),
        quantity="regret",
        formula="2√(T log N)",
        compared="the best expert",
        assumptions=(DECLARED, CONVEX, HORIZON, UNIFORM, SEVERAL),
        measured=_regret,
        bound=lambda evidence: evidence.width * 2.0 * math.sqrt(evidence.rounds * evidence.log_experts),
        trivial=_most_regret,
        lemmas=(BETA_MIXES,),
    ),
    ExpertGuarantee(
        id="mohri.8.4d",
        source="after Mohri et al., theorem 8.4, with the doubling trick",
        statement="With a doubling schedule that starts anew in each period the regret is at most "
        "(√2/(√2−1))·2√(T log N) + 2√(log N).",
        latex=r"R_T \le \tfrac{\sqrt2}{\sqrt2-1}\,2\sqrt{T\log N}+2\sqrt{\log N}",
        rules=(RandomizedWeightedMajority,),
        quantity="regret",
        formula="(√2/(√2−1))·2√(T log N) + 2√(log N)",
        compared="the best expert",
        assumptions=(DECLARED, CONVEX, _DOUBLES, UNIFORM, SEVERAL),
        measured=_regret,
        bound=lambda evidence: (
            evidence.width
            * 2.0
            * (_DOUBLING * math.sqrt(evidence.rounds * evidence.log_experts) + math.sqrt(evidence.log_experts))
        ),
        trivial=_most_regret,
        lemmas=(BETA_MIXES, RESTARTS),
    ),
    ExpertGuarantee(
        id="mohri.8.6a",
        source="Mohri et al., theorem 8.6",
        statement="For every fixed η the regret is at most log N/η + ηT/8, for convex losses in [0, 1]; to an expert of prior "
        "π it is log(1/π)/η + ηT/8.",
        latex=r"R_T \le \frac{\log N}{\eta}+\frac{\eta T}{8}",
        rules=(ExponentialWeights,),
        quantity="regret",
        formula="log N/η + ηT/8",
        compared="the best expert",
        assumptions=(DECLARED, CONVEX, _FIXED),
        measured=_excess,
        bound=_fixed_bound,
        trivial=_most_regret,
        lemmas=(HOEFFDING,),
    ),
    ExpertGuarantee(
        id="mohri.8.6b",
        source="Mohri et al., theorem 8.6, second part",
        statement="With η = √(8 log N/T) the regret is at most √((T/2) log N), for convex losses in [0, 1].",
        latex=r"R_T \le \sqrt{(T/2)\log N}",
        rules=(ExponentialWeights,),
        quantity="regret",
        formula="√((T/2) log N)",
        compared="the best expert",
        assumptions=(DECLARED, CONVEX, HORIZON, UNIFORM, SEVERAL),
        measured=_regret,
        bound=_root,
        trivial=_most_regret,
        lemmas=(HOEFFDING,),
    ),
    ExpertGuarantee(
        id="mohri.8.7",
        source="Mohri et al., theorem 8.7",
        statement="With the doubling schedule, losses forgotten at the start of each period, the regret is at most "
        "(√2/(√2−1))√((T/2) log N) + √(log N/2). Errata: without forgetting it can be linear in T.",
        latex=r"R_T \le \tfrac{\sqrt2}{\sqrt2-1}\sqrt{(T/2)\log N}+\sqrt{\log N/2}",
        rules=(ExponentialWeights,),
        quantity="regret",
        formula="(√2/(√2−1))√((T/2) log N) + √(log N/2)",
        compared="the best expert",
        assumptions=(DECLARED, CONVEX, _DOUBLES, UNIFORM, SEVERAL),
        measured=_regret,
        bound=_doubling_bound,
        trivial=_most_regret,
        lemmas=(HOEFFDING, RESTARTS),
    ),
    ExpertGuarantee(
        id="mohri.8.7t",
        source="after Mohri et al., section 8.2.4, η_t = √(8 log N/t)",
        statement="With weights exp(−η_t·L), taken anew in each round, the regret is at most "
        "(3/2)√((T/2) log N) − √(log N/8). Errata: multiplying old weights by exp(−η_t·l) is linear in T.",
        latex=r"R_T \le \tfrac32\sqrt{(T/2)\log N}-\sqrt{\log N/8}",
        rules=(ExponentialWeights,),
        quantity="regret",
        formula="(3/2)√((T/2) log N) − √(log N/8)",
        compared="the best expert",
        assumptions=(DECLARED, CONVEX, _ANYTIME, UNIFORM, SEVERAL),
        measured=_regret,
        bound=_anytime_bound,
        trivial=_most_regret,
        lemmas=(HOEFFDING,),
    ),
    ExpertGuarantee(
        id="mohri.ex8.7",
        source="Mohri et al., exercise 8.7",
        statement="For β ≥ ½ the loss is at most that of any expert, plus (1−β) times the sum of its squared losses, plus "
        "log N/(1−β).",
        latex=r"L \le \min_i\bigl(L_i+(1-\beta)\sum_t l_{t,i}^2\bigr)+\frac{\log N}{1-\beta}",
        rules=(MultiplicativeWeights,),
        quantity="loss",
        formula="min(L_i + (1−β)Σl²) + log N/(1−β)",
        compared="the best expert",
        assumptions=(DECLARED, CONVEX, AWAKE, _HALF),
        measured=_own,
        bound=lambda evidence: _second_order(evidence, 1.0),
        trivial=_rounds,
        lemmas=(FACTOR_MIXES, STEEP),
    ),
    ExpertGuarantee(
        id="mohri.ex8.9",
        source="Mohri et al., exercise 8.9",
        statement="For β ≥ α/2 the loss is at most that of any expert, plus (1−β)/α times the sum of its squared losses, plus "
        "log N/(1−β).",
        latex=r"L \le \min_i\bigl(L_i+\tfrac{1-\beta}{\alpha}\sum_t l_{t,i}^2\bigr)+\frac{\log N}{1-\beta}",
        rules=(MultiplicativeWeights,),
        quantity="loss",
        formula="min(L_i + ((1−β)/α)Σl²) + log N/(1−β)",
        compared="the best expert",
        assumptions=(DECLARED, CONVEX, AWAKE, _STEEP),
        measured=_own,
        bound=lambda evidence: _second_order(evidence, _alpha(evidence)),
        trivial=_rounds,
        lemmas=(FACTOR_MIXES, STEEP),
    ),
    ExpertGuarantee(
        id="mohri.ex8.9t",
        source="Mohri et al., exercise 8.9(b)",
        statement="With β = 1−√(α log N/T) the regret is at most 2√(T log N/α). Errata: for α > 1 this fails where β was "
        "clipped to α/2.",
        latex=r"R_T \le 2\sqrt{T\log N/\alpha}",
        rules=(MultiplicativeWeights,),
        quantity="regret",
        formula="2√(T log N/α)",
        compared="the best expert",
        assumptions=(DECLARED, CONVEX, HORIZON, ExpertAssumption("α was given", lambda e: not _best_alpha(e)), _UNCLIPPED),
        measured=_regret,
        bound=lambda evidence: evidence.width * 2.0 * math.sqrt(evidence.rounds * evidence.log_experts / _alpha(evidence)),
        trivial=_most_regret,
        lemmas=(FACTOR_MIXES, STEEP),
    ),
    ExpertGuarantee(
        id="mohri.ex8.9x",
        source="after Mohri et al., exercise 8.9, with the best α for N and T",
        statement="With k = √(log N/T), α = (√(k²+2)−k)² and β = α/2 the regret is at most √(2T log N + log²N) + log N.",
        latex=r"R_T \le \sqrt{2T\log N+\log^2 N}+\log N",
        rules=(MultiplicativeWeights,),
        quantity="regret",
        formula="√(2T log N + log²N) + log N",
        compared="the best expert",
        assumptions=(DECLARED, CONVEX, HORIZON, _BEST_ALPHA),
        measured=_regret,
        bound=_best_alpha_bound,
        trivial=_most_regret,
        lemmas=(FACTOR_MIXES, STEEP),
    ),
    ExpertGuarantee(
        id="mohri.ex8.8",
        source="Mohri et al., exercise 8.8",
        statement="The regret of polynomial weights is at most M·√((α−1)T)·N^(1/α) for convex losses in [0, M].",
        latex=r"R_T \le M\sqrt{(\alpha-1)T}\,N^{1/\alpha}",
        rules=(PolynomialWeights,),
        quantity="regret",
        formula="M√((α−1)T)·N^(1/α)",
        compared="the best expert",
        assumptions=(DECLARED, CONVEX),
        measured=_regret,
        bound=_polynomial_bound,
        trivial=_most_regret,
        lemmas=(POTENTIAL, ADDS_REGRETS),
    ),
    ExpertGuarantee(
        id="tracking.fixed_share",
        source="Herbster and Warmuth 1998",
        statement="The regret to a sequence of experts with m switches is at most "
        "(1/η)(log N + m log((N−1)/α) + (T−1−m) log(1/(1−α))) + ηT/8; a fixed expert has m = 0.",
        latex=r"R \le \tfrac1\eta\bigl(\log N+m\log\tfrac{N-1}{\alpha}+(T-1-m)\log\tfrac1{1-\alpha}\bigr)+\tfrac{\eta T}{8}",
        rules=(FixedShare,),
        quantity="regret to the sequence",
        formula="(1/η)(log N + m log((N−1)/α) + (T−1−m) log(1/(1−α))) + ηT/8",
        compared="a sequence of experts, or the best expert",
        assumptions=(DECLARED, CONVEX, AWAKE, SEVERAL),
        measured=_against_sequence,
        bound=_share_bound,
        trivial=_most_regret,
        lemmas=(SHARES_MIX, SHARES_PASS_ON),
    ),
    ExpertGuarantee(
        id="second.adahedge",
        source="de Rooij, van Erven, Grünwald and Koolen 2014",
        statement="The regret of AdaHedge is at most 2√(V log N) + S((4/3) log N + 2), V the sum of the variances of the "
        "losses under the weights and S the largest range of a round.",
        latex=r"R_T \le 2\sqrt{V_T\log N}+S(\tfrac43\log N+2)",
        rules=(AdaHedge,),
        quantity="regret",
        formula="2√(V log N) + S((4/3) log N + 2)",
        compared="the best expert",
        assumptions=(CONVEX, AWAKE),
        measured=_regret,
        bound=_adahedge_bound,
        trivial=lambda evidence: evidence.ledger.largest_range * evidence.rounds,
        lemmas=(GAP_IS_PAID, GAP_IS_SMALL, GAP_BY_VARIANCE),
    ),
    ExpertGuarantee(
        id="regret.internal",
        source="Stoltz and Lugosi 2005",
        statement="For every pair of experts, moving all weight of one to the other would have saved at most "
        "√((T/2) log(N(N−1))) with η for the horizon; one and a half times that without one; "
        "log(N(N−1))/η + ηT/8 for an η that was given.",
        latex=r"\max_{i,j}\sum_t p_{t,i}(l_{t,i}-l_{t,j}) \le \sqrt{(T/2)\log(N(N-1))}",
        rules=(InternalRegret,),
        quantity="internal regret",
        formula="√((T/2) log(N(N−1))), or 3/2 of it, or log(N(N−1))/η + ηT/8",
        compared="the same play with one expert in the place of another",
        assumptions=(DECLARED, CONVEX, AWAKE, SEVERAL, _ANY_HORIZON),
        measured=lambda evidence: float(np.max(_swaps(evidence))),
        bound=_internal_bound,
        trivial=_most_regret,
        lemmas=(PAIRS_BALANCE, ADDS_SAVINGS),
    ),
    ExpertGuarantee(
        id="regret.swap",
        source="Blum and Mansour 2007",
        statement="Replacing every expert i by some F(i) would have saved at most 2√(TN log N), for T ≥ 4N log N.",
        latex=r"\sum_i\max_j\sum_t p_{t,i}(l_{t,i}-l_{t,j}) \le 2\sqrt{TN\log N}",
        rules=(SwapRegret,),
        quantity="swap regret",
        formula="2√(TN log N)",
        compared="the same play with every expert replaced by some other",
        assumptions=(DECLARED, CONVEX, AWAKE, HORIZON, SEVERAL, _LONG),
        measured=lambda evidence: float(np.sum(np.max(_swaps(evidence), axis=1))),
        bound=_swap_bound,
        trivial=_most_regret,
        lemmas=(COPIES_AGREE, COPIES_MIX, COPIES_STEEP, ADDS_SAVINGS),
    ),
    ExpertGuarantee(
        id="fpl.gumbel",
        source="Kalai and Vempala 2005, with Gumbel noise (mohri.8.6 and 8.7, and Hoeffding's inequality)",
        statement="Following the leader after Gumbel noise is Exponential Weights in law: its regret exceeds that bound by "
        "more than √(T log(1/δ)/2) with probability at most δ = 1e-9, if the losses do not look at the draw of their round.",
        latex=r"R_T \le B_{EW}+\sqrt{\tfrac T2\log\tfrac1\delta}",
        rules=(FollowThePerturbedLeader,),
        quantity="regret",
        formula="the bound of Exponential Weights + √(T log(1/δ)/2)",
        compared="the best expert",
        assumptions=(DECLARED, CONVEX, AWAKE, SEVERAL, _BLIND),
        measured=_regret,
        bound=_perturbed_bound,
        trivial=_most_regret,
        lemmas=(LEADS, ADDS_LOSSES),
    ),
    ExpertGuarantee(
        id="vovk.brier",
        source="Vovk 1990; Vovk and Zhdanov 2009",
        statement="The Brier loss of the Aggregating Algorithm exceeds that of an expert of prior π by at most log(1/π)/η, "
        "however many rounds there are; η = 2 is the largest rate.",
        latex=r"R_T \le \tfrac1\eta\log N",
        rules=(AggregatingAlgorithm,),
        quantity="regret",
        formula="log N/η",
        compared="the best expert",
        assumptions=(DECLARED,),
        measured=_brier_excess,
        bound=_brier_bound,
        trivial=_most_regret,
        lemmas=(MIXABLE,),
    ),
)
