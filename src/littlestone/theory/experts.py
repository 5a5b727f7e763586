"""Theorems on prediction with expert advice: those of the sources; `expert_extensions` goes beyond them."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from littlestone.experts import (
    ExponentialWeights,
    Halving,
    MultiplicativeWeights,
    PolynomialWeights,
    RandomizedWeightedMajority,
    WeightedMajority,
)
from littlestone.theory.expert_bounds import (
    DOUBLING,
    anytime_bound,
    doubling_bound,
    fixed_bound,
    pace,
    rate_of,
    regret,
    root,
    totals,
    uniform_loss,
    uniform_mistakes,
    uniform_regret,
)
from littlestone.theory.expert_delays import LATE
from littlestone.theory.expert_descent import DESCENT
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
from littlestone.theory.expert_extensions import BEYOND
from littlestone.theory.expert_lemmas import (
    ADDS_REGRETS,
    BETA_MIXES,
    ERRS_WHOLLY,
    FACTOR_MIXES,
    HALF_ERRS,
    HALVED,
    HOEFFDING,
    POTENTIAL,
    RESTARTS,
    SHRINKS,
    STEEP,
    doubles,
)
from littlestone.theory.expert_mixtures import MIXTURES
from littlestone.theory.own_rates import OWN_RATES

# What is measured.


def _mistakes(evidence: ExpertEvidence) -> float:
    return evidence.ledger.mistakes


def _own(evidence: ExpertEvidence) -> float:
    return evidence.own


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
_OPPOSED = ExpertAssumption("there are two experts that always differ, and the learner always erred", _opposed)

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


# Exponential Weights.


def _excess(evidence: ExpertEvidence) -> float:
    """The regret, less what an uneven prior costs: log(1/(N·prior))/η."""
    over_uniform = evidence.prior_cost - evidence.log_experts
    if evidence.experts < 2:  # the rate for a horizon is 0, and nothing is regretted
        return evidence.ledger.regret
    return float(np.max(evidence.ledger.regrets - evidence.width * over_uniform / rate_of(evidence)))


_FIXED = ExpertAssumption("the rate is fixed", lambda evidence: pace(evidence.rule) == "fixed")
_ANYTIME = ExpertAssumption("the anytime schedule was followed", lambda evidence: pace(evidence.rule) == "anytime")

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


_to_the_best = partial(
    ExpertGuarantee,
    quantity="regret",
    compared="the best expert",
    measured=regret,
    subtracted=totals,
    trivial=uniform_regret,
)

OF_THE_SOURCES: tuple[ExpertGuarantee, ...] = (
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
        trivial=uniform_mistakes,
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
        trivial=uniform_mistakes,
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
        bound=regret,
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
        trivial=uniform_loss,
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
        trivial=uniform_loss,
        lemmas=(BETA_MIXES,),
    ),
    _to_the_best(
        id="mohri.8.4b",
        source="Mohri et al., theorem 8.4, inequality 8.10",
        statement="With β = max{½, 1−√(log N/T)} the regret is at most 2√(T log N).",
        latex=r"R_T \le 2\sqrt{T\log N}",
        rules=(RandomizedWeightedMajority,),
        formula="2√(T log N)",
        assumptions=(DECLARED, CONVEX, HORIZON, UNIFORM, SEVERAL),
        bound=lambda evidence: evidence.width * 2.0 * math.sqrt(evidence.rounds * evidence.log_experts),
        lemmas=(BETA_MIXES,),
    ),
    _to_the_best(
        id="mohri.8.4d",
        source="after Mohri et al., theorem 8.4, with the doubling trick",
        statement="With a doubling schedule that starts anew in each period the regret is at most "
        "(√2/(√2−1))·2√(T log N) + 2√(log N).",
        latex=r"R_T \le \tfrac{\sqrt2}{\sqrt2-1}\,2\sqrt{T\log N}+2\sqrt{\log N}",
        rules=(RandomizedWeightedMajority,),
        formula="(√2/(√2−1))·2√(T log N) + 2√(log N)",
        assumptions=(DECLARED, CONVEX, _DOUBLES, UNIFORM, SEVERAL),
        bound=lambda evidence: (
            evidence.width
            * 2.0
            * (DOUBLING * math.sqrt(evidence.rounds * evidence.log_experts) + math.sqrt(evidence.log_experts))
        ),
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
        assumptions=(DECLARED, CONVEX, _FIXED, SEVERAL),
        measured=_excess,
        subtracted=totals,
        bound=fixed_bound,
        trivial=uniform_regret,
        lemmas=(HOEFFDING,),
    ),
    _to_the_best(
        id="mohri.8.6b",
        source="Mohri et al., theorem 8.6, second part",
        statement="With η = √(8 log N/T) the regret is at most √((T/2) log N), for convex losses in [0, 1].",
        latex=r"R_T \le \sqrt{(T/2)\log N}",
        rules=(ExponentialWeights,),
        formula="√((T/2) log N)",
        assumptions=(DECLARED, CONVEX, HORIZON, UNIFORM, SEVERAL),
        bound=root,
        lemmas=(HOEFFDING,),
    ),
    _to_the_best(
        id="mohri.8.7",
        source="Mohri et al., theorem 8.7",
        statement="With the doubling schedule, losses forgotten at the start of each period, the regret is at most "
        "(√2/(√2−1))√((T/2) log N) + √(log N/2). Errata: without forgetting it can be linear in T.",
        latex=r"R_T \le \tfrac{\sqrt2}{\sqrt2-1}\sqrt{(T/2)\log N}+\sqrt{\log N/2}",
        rules=(ExponentialWeights,),
        formula="(√2/(√2−1))√((T/2) log N) + √(log N/2)",
        assumptions=(DECLARED, CONVEX, _DOUBLES, UNIFORM, SEVERAL),
        bound=doubling_bound,
        lemmas=(HOEFFDING, RESTARTS),
    ),
    _to_the_best(
        id="mohri.8.7t",
        source="after Mohri et al., section 8.2.4, η_t = √(8 log N/t)",
        statement="With weights exp(−η_t·L), taken anew in each round, the regret is at most "
        "(3/2)√((T/2) log N) − √(log N/8). Errata: multiplying old weights by exp(−η_t·l) is linear in T.",
        latex=r"R_T \le \tfrac32\sqrt{(T/2)\log N}-\sqrt{\log N/8}",
        rules=(ExponentialWeights,),
        formula="(3/2)√((T/2) log N) − √(log N/8)",
        assumptions=(DECLARED, CONVEX, _ANYTIME, UNIFORM, SEVERAL),
        bound=anytime_bound,
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
        assumptions=(DECLARED, CONVEX, AWAKE, _HALF, SEVERAL),
        measured=_own,
        bound=lambda evidence: _second_order(evidence, 1.0),
        trivial=uniform_loss,
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
        assumptions=(DECLARED, CONVEX, AWAKE, _STEEP, SEVERAL),
        measured=_own,
        bound=lambda evidence: _second_order(evidence, _alpha(evidence)),
        trivial=uniform_loss,
        lemmas=(FACTOR_MIXES, STEEP),
    ),
    _to_the_best(
        id="mohri.ex8.9t",
        source="Mohri et al., exercise 8.9(b)",
        statement="With β = 1−√(α log N/T) the regret is at most 2√(T log N/α). Errata: for α > 1 this fails where β was "
        "clipped to α/2.",
        latex=r"R_T \le 2\sqrt{T\log N/\alpha}",
        rules=(MultiplicativeWeights,),
        formula="2√(T log N/α)",
        assumptions=(DECLARED, CONVEX, HORIZON, ExpertAssumption("α was given", lambda e: not _best_alpha(e)), _UNCLIPPED),
        bound=lambda evidence: evidence.width * 2.0 * math.sqrt(evidence.rounds * evidence.log_experts / _alpha(evidence)),
        lemmas=(FACTOR_MIXES, STEEP),
    ),
    _to_the_best(
        id="mohri.ex8.9x",
        source="after Mohri et al., exercise 8.9, with the best α for N and T",
        statement="With k = √(log N/T), α = (√(k²+2)−k)² and β = α/2 the regret is at most √(2T log N + log²N) + log N.",
        latex=r"R_T \le \sqrt{2T\log N+\log^2 N}+\log N",
        rules=(MultiplicativeWeights,),
        formula="√(2T log N + log²N) + log N",
        assumptions=(DECLARED, CONVEX, HORIZON, _BEST_ALPHA),
        bound=_best_alpha_bound,
        lemmas=(FACTOR_MIXES, STEEP),
    ),
    _to_the_best(
        id="mohri.ex8.8",
        source="Mohri et al., exercise 8.8",
        statement="The regret of polynomial weights is at most M·√((α−1)T)·N^(1/α) for convex losses in [0, M].",
        latex=r"R_T \le M\sqrt{(\alpha-1)T}\,N^{1/\alpha}",
        rules=(PolynomialWeights,),
        formula="M√((α−1)T)·N^(1/α)",
        assumptions=(DECLARED, CONVEX),
        bound=_polynomial_bound,
        lemmas=(POTENTIAL, ADDS_REGRETS),
    ),
)

GUARANTEES: tuple[ExpertGuarantee, ...] = (*OF_THE_SOURCES, *BEYOND, *LATE, *DESCENT, *MIXTURES, *OWN_RATES)
