"""Theorems on expert advice beyond the sources: tracking, second order, internal and swap regret, noise, Brier losses."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from littlestone.experts import AdaHedge, AggregatingAlgorithm, FixedShare, FollowThePerturbedLeader, InternalRegret, SwapRegret
from littlestone.theory.expert_bounds import anytime_bound, doubling_bound, fixed_bound, pace, regret, totals, uniform_regret
from littlestone.theory.expert_evidence import (
    AWAKE,
    CONVEX,
    DECLARED,
    HORIZON,
    SEVERAL,
    ExpertAssumption,
    ExpertEvidence,
    ExpertGuarantee,
)
from littlestone.theory.expert_lemmas import (
    ADDS_LOSSES,
    ADDS_SAVINGS,
    COPIES_AGREE,
    COPIES_MIX,
    COPIES_STEEP,
    GAP_BY_VARIANCE,
    GAP_IS_PAID,
    GAP_IS_SMALL,
    LEADS,
    MIXABLE,
    PAIRS_BALANCE,
    SHARES_MIX,
    SHARES_PASS_ON,
    VARIANCE_BY_MEAN,
)

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray

_CHANCE = 1e-9
"""With this probability the bound on a random run may fail."""


def _against_sequence(evidence: ExpertEvidence) -> float:
    sequence = evidence.sequence
    return evidence.ledger.regret if sequence is None else evidence.ledger.loss - sequence.total


def _uniform_to_sequence(evidence: ExpertEvidence) -> float:
    sequence, losses = evidence.sequence, evidence.ledger.losses
    best = float(np.min(losses)) if sequence is None else sequence.total
    return min(evidence.width * evidence.rounds, float(np.mean(losses)) - best)


def _uniform_internal(evidence: ExpertEvidence) -> float:
    """Equal weights have a share 1/N on each expert that another might have had."""
    losses = evidence.ledger.losses
    return float(np.max(losses) - np.min(losses)) / evidence.experts


def _uniform_spread(evidence: ExpertEvidence) -> float:
    """As `uniform_regret`, without a declared range."""
    losses = evidence.ledger.losses
    return min(evidence.ledger.largest_range * evidence.rounds, float(np.mean(losses) - np.min(losses)))


def _share_bound(evidence: ExpertEvidence) -> float:
    rule, sequence = evidence.rule, evidence.sequence
    assert isinstance(rule, FixedShare)
    eta = rule.rate(evidence.experts)
    cost = rule.complexity(evidence.experts, evidence.rounds, 0 if sequence is None else sequence.switches)
    return evidence.width * (cost / eta + eta * evidence.rounds / 8.0)


def _adahedge_bound(evidence: ExpertEvidence) -> float:
    log = evidence.log_experts
    return 2.0 * math.sqrt(evidence.ledger.variance * log) + evidence.ledger.largest_range * (4.0 / 3.0 * log + 2.0)


def _adahedge_by_best(evidence: ExpertEvidence) -> float:
    """With L⁻ = 0 and L⁺ = T in units of the range, which bound what the least and the most of every round add up to.

    Δ² ≤ V log N + ((2/3) log N + 1)Δ, and V ≤ q + R with q = L*(1 − L*/T), by the lemma on variances and because the sum of
    concave (1 − m)m is at most T times that of the mean. As R ≤ 2Δ, Δ ≤ √(q log N) + (8/3) log N + 1.
    """
    log, best = evidence.log_experts, float(np.min(evidence.theirs))
    spread = max(best * (1.0 - best / evidence.rounds), 0.0) if evidence.rounds else 0.0
    return evidence.width * (2.0 * math.sqrt(spread * log) + 16.0 / 3.0 * log + 2.0)


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
    if pace(evidence.rule) == "fixed":
        return fixed_bound(evidence) + evidence.width * luck
    worst = anytime_bound(evidence) if pace(evidence.rule) == "anytime" else doubling_bound(evidence)
    return worst + evidence.width * luck


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
_FOLLOWED = ExpertAssumption(
    "the loss of the sequence was measured on these rounds", lambda evidence: None if evidence.unfollowed else True
)
# Whoever sleeps is charged what the learner lost. Where losses are linear that is the mean of the others, which widens no
# variance; where they curve it may be less.
_LINEAR = ExpertAssumption(
    "nobody slept, or the losses are linear",
    lambda evidence: evidence.ledger.everybody_awake or evidence.gradient or evidence.loss.name == "given",
)
_LONG = ExpertAssumption("T ≥ 4N log N", _long)
# Losses cannot show whether whoever made them knew the seed.
_BLIND = ExpertAssumption("the losses did not look at the draw of their round", lambda _: None)

BEYOND: tuple[ExpertGuarantee, ...] = (
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
        assumptions=(DECLARED, CONVEX, AWAKE, SEVERAL, _FOLLOWED),
        measured=_against_sequence,
        subtracted=totals,
        bound=_share_bound,
        trivial=_uniform_to_sequence,
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
        assumptions=(CONVEX, _LINEAR),
        measured=regret,
        subtracted=totals,
        bound=_adahedge_bound,
        trivial=_uniform_spread,
        lemmas=(GAP_IS_PAID, GAP_IS_SMALL, GAP_BY_VARIANCE),
        hindsight=True,
    ),
    ExpertGuarantee(
        id="second.best",
        source="de Rooij, van Erven, Grünwald and Koolen 2014, theorem 8",
        statement="The regret of AdaHedge on losses in [0, 1] is at most 2√(L*(1 − L*/T) log N) + (16/3) log N + 2, L* the "
        "loss of the best expert: little where it is nearly perfect, or nearly always wrong.",
        latex=r"R_T \le 2\sqrt{L^*(1-L^*/T)\log N}+\tfrac{16}3\log N+2",
        rules=(AdaHedge,),
        quantity="regret",
        formula="2√(L*(1 − L*/T) log N) + (16/3) log N + 2",
        compared="the best expert",
        assumptions=(DECLARED, CONVEX, AWAKE),
        measured=regret,
        subtracted=totals,
        bound=_adahedge_by_best,
        trivial=uniform_regret,
        lemmas=(GAP_IS_PAID, GAP_IS_SMALL, GAP_BY_VARIANCE, VARIANCE_BY_MEAN),
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
        trivial=_uniform_internal,
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
        trivial=uniform_regret,
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
        measured=regret,
        subtracted=totals,
        bound=_perturbed_bound,
        trivial=uniform_regret,
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
        subtracted=totals,
        bound=_brier_bound,
        trivial=uniform_regret,
        lemmas=(MIXABLE,),
    ),
)
