"""Theorems on outcomes that come late."""

from __future__ import annotations

import numpy as np

from littlestone.experts import ExponentialWeights
from littlestone.theory.expert_bounds import pace, rate_of, regret, totals, uniform_regret
from littlestone.theory.expert_evidence import (
    CONVEX,
    DECLARED,
    SEVERAL,
    UNIFORM,
    ExpertAssumption,
    ExpertEvidence,
    ExpertGuarantee,
    ExpertMoment,
)
from littlestone.theory.expert_lemmas import HOEFFDING
from littlestone.theory.guarantee import Lemma


def _late_bound(evidence: ExpertEvidence) -> float:
    eta = rate_of(evidence)
    late = (1.0 + 2.0 * evidence.delay) * eta * evidence.rounds / 8.0
    return evidence.width * (evidence.log_experts / eta + late)


def _moves_slowly(moment: ExpertMoment) -> tuple[float, float]:
    """How far the weights go in one round: exponential weights whose losses differ by at most 1 differ by at most η/4."""
    rule = moment.rule
    assert isinstance(rule, ExponentialWeights)
    eta = rule.rate(len(moment.p), int(moment.before.rounds[0]))
    after = rule.rate(len(moment.p), int(moment.after.rounds[0]))
    if eta != after:  # another schedule, of which the theorem does not speak
        return 0.0, 0.0
    moved = 0.5 * float(np.sum(np.abs(moment.p - rule.weights(moment.after))))
    return moved, eta / 4.0 * float(np.ptp(moment.losses))


MOVES_SLOWLY = Lemma("½‖p − p′‖₁ ≤ (η/4)·range(l): so far can the weights go in one round", _moves_slowly)

_FIXED = ExpertAssumption("the rate is fixed", lambda evidence: pace(evidence.rule) == "fixed")

LATE: tuple[ExpertGuarantee, ...] = (
    ExpertGuarantee(
        id="delay.exponential",
        source="after Weinberger and Ordentlich 2002 and Mohri et al., theorem 8.6",
        statement="With outcomes that come h rounds late the regret is at most log N/η + (1+2h)ηT/8, for convex losses in "
        "[0, 1]: the weights are those of h rounds before, which are within hη/4 of what they would be.",
        latex=r"R_T \le \frac{\log N}{\eta}+(1+2h)\frac{\eta T}{8}",
        rules=(ExponentialWeights,),
        quantity="regret",
        formula="log N/η + (1+2h)ηT/8",
        compared="the best expert",
        assumptions=(DECLARED, CONVEX, _FIXED, UNIFORM, SEVERAL),
        measured=regret,
        subtracted=totals,
        bound=_late_bound,
        trivial=uniform_regret,
        lemmas=(HOEFFDING, MOVES_SLOWLY),
    ),
)
