"""Bounds on the regret that several theorems on expert advice share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from littlestone.experts import ExponentialWeights, FollowThePerturbedLeader

if TYPE_CHECKING:
    from littlestone.experts.rule import ExpertRule
    from littlestone.theory.expert_evidence import ExpertEvidence

DOUBLING = math.sqrt(2.0) / (math.sqrt(2.0) - 1.0)
"""What the doubling trick costs: Σ 2^{k/2} over the periods is at most this times √T, and 1."""


def regret(evidence: ExpertEvidence) -> float:
    """The regret to the best expert."""
    return evidence.ledger.regret


def totals(evidence: ExpertEvidence) -> float:
    """How large the totals are whose difference is a regret."""
    return abs(evidence.ledger.loss) + float(np.max(np.abs(evidence.ledger.losses), initial=0.0))


def most_regret(evidence: ExpertEvidence) -> float:
    """No algorithm can lose more than the width of the range in a round."""
    return evidence.width * evidence.rounds


def uniform_regret(evidence: ExpertEvidence) -> float:
    """Whoever weighs all experts alike for ever loses no more than their mean, and so has this regret at most."""
    if not evidence.ledger.everybody_awake:
        return most_regret(evidence)
    losses = evidence.ledger.losses
    return min(most_regret(evidence), float(np.mean(losses) - np.min(losses)))


def uniform_loss(evidence: ExpertEvidence) -> float:
    """The mean of the experts' losses: what equal weights lose at most."""
    return min(float(evidence.rounds), float(np.mean(evidence.theirs)))


def uniform_mistakes(evidence: ExpertEvidence) -> float:
    """An unweighted vote errs only where half of the experts do: at most twice as often as they do in the mean."""
    return min(float(evidence.rounds), 2.0 * float(np.mean(evidence.ledger.losses)))


def pace(rule: ExpertRule) -> str:
    """The schedule that the rule follows, where it has one."""
    pace: object = getattr(rule, "pace", "")
    return pace if isinstance(pace, str) else ""


def rate_of(evidence: ExpertEvidence) -> float:
    """η of the first round."""
    rule = evidence.rule
    assert isinstance(rule, ExponentialWeights | FollowThePerturbedLeader)
    return rule.rate(evidence.experts, 0)


def fixed_bound(evidence: ExpertEvidence) -> float:
    """Log N/η + ηT/8."""
    eta = rate_of(evidence)
    return evidence.width * (evidence.log_experts / eta + eta * evidence.rounds / 8.0)


def root(evidence: ExpertEvidence) -> float:
    """√((T/2) log N)."""
    return evidence.width * math.sqrt(evidence.rounds / 2.0 * evidence.log_experts)


def anytime_bound(evidence: ExpertEvidence) -> float:
    """(3/2)√((T/2) log N) − √(log N/8)."""
    return 1.5 * root(evidence) - evidence.width * math.sqrt(evidence.log_experts / 8.0)


def doubling_bound(evidence: ExpertEvidence) -> float:
    """(√2/(√2−1))√((T/2) log N) + √(log N/2)."""
    return DOUBLING * root(evidence) + evidence.width * math.sqrt(evidence.log_experts / 2.0)
