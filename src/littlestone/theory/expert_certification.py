"""From an expert run to its certificates."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from littlestone.errors import InvalidData
from littlestone.experts.second_order import SecondOrder
from littlestone.theory.certification import ranked, refuted, sequence_of
from littlestone.theory.expert_delays import LATE
from littlestone.theory.expert_evidence import PROMPT, ComparedSequence, ExpertEvidence, Sequence
from littlestone.theory.experts import GUARANTEES

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.experts.mixture import Mixture
    from littlestone.experts.rule import ExpertRule
    from littlestone.experts.run import ExpertRun
    from littlestone.theory.certificate import Certificate
    from littlestone.theory.expert_evidence import ExpertGuarantee


def certify_experts(of: ExpertRun | Mixture, *, against: Sequence | None = None) -> list[Certificate]:
    """Every guarantee that speaks of the rule, best first.

    Args:
        of: a run, or a mixture.
        against: a sequence of experts, an expert per round, for the theorem on tracking: its loss is measured on the advice of
            the run, so a mixture, which keeps none, proves nothing of it. None compares with the best expert.

    Raises:
        NotApplicable: if against is anything else.
    """
    from littlestone.experts.run import ExpertRun

    sequence = sequence_of(against)
    followed = None if sequence is None else _followed(of, sequence)
    unknown = sequence is not None and followed is None
    regrets = _regrets(of) if isinstance(of.rule, SecondOrder) else None
    delay = of.delay if isinstance(of, ExpertRun) else 0
    evidence = ExpertEvidence(of.rule, of.ledger, of.state, of.loss, of.gradient, followed, unknown, regrets, delay)
    certificates = [guarantee.certify(evidence) for guarantee in _speaking_of(of.rule, delay)]
    return ranked(refuted(certificates, None if delay else _found_in(of)))


def _speaking_of(rule: ExpertRule, delay: int) -> list[ExpertGuarantee]:
    """The guarantees about a rule; of outcomes that come late only a few speak, and the others assume that none does."""
    spoken = [guarantee for guarantee in GUARANTEES if guarantee.speaks_of(rule)]
    prompt = [guarantee for guarantee in spoken if guarantee not in LATE]
    if delay == 0:
        return prompt
    unmet = [replace(guarantee, assumptions=(*guarantee.assumptions, PROMPT)) for guarantee in prompt]
    return [*(guarantee for guarantee in spoken if guarantee in LATE), *unmet]


def _found_in(of: ExpertRun | Mixture) -> str | None:
    from littlestone.experts.run import ExpertRun
    from littlestone.theory.expert_audit import expert_finding

    return expert_finding(of) if isinstance(of, ExpertRun) else of.watch.finding


def _regrets(of: ExpertRun | Mixture) -> FloatArray | None:
    """The regrets of the rounds as the rule was charged them; None where they are not kept."""
    from littlestone.experts.run import ExpertRun

    if not isinstance(of, ExpertRun) or len(of.advice) != of.ledger.rounds or not len(of.advice):
        return None
    advice = np.asarray(of.advice, dtype=np.float64)
    awake, outcomes = ~np.isnan(advice), np.zeros(len(advice)) if of.outcomes is None else of.outcomes
    if of.gradient:
        said = np.asarray(of.predictions, dtype=np.float64)
        apart = of.loss.gradient(said, outcomes)[:, None] * (said[:, None] - advice)
    else:
        theirs = of.loss(np.where(awake, advice, 0.5), outcomes[:, None])
        apart = np.asarray(of.losses, dtype=np.float64)[:, None] - theirs
    return np.where(awake, apart, 0.0)


def _followed(of: ExpertRun | Mixture, sequence: Sequence) -> ComparedSequence | None:
    """What following the sequence over the rounds of the run costs; None where that cannot be known.

    Raises:
        InvalidData: if it is not an expert of the run in every round.
    """
    from littlestone.experts.run import ExpertRun

    choices, experts = np.asarray(sequence.choices), of.ledger.experts
    if not isinstance(of, ExpertRun) or len(of.advice) != of.ledger.rounds:
        return None
    if len(choices) != len(of.advice):
        raise InvalidData(f"the sequence has {len(choices)} rounds; the run has {len(of.advice)}")
    if tuple(sequence.experts) != experts or not np.isin(choices, np.arange(len(experts))).all():
        raise InvalidData(f"the sequence is of the experts {', '.join(sequence.experts)}; the run has {', '.join(experts)}")
    said = np.asarray(of.advice, dtype=np.float64)[np.arange(len(choices)), choices]
    outcomes = np.zeros(len(said)) if of.outcomes is None else of.outcomes
    return ComparedSequence(int(np.count_nonzero(np.diff(choices))), math.fsum(of.loss(said, outcomes).tolist()))
