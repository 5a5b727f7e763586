"""From an expert run to its certificates, and to the rounds of its proof."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from littlestone.theory.certification import ranked
from littlestone.theory.expert_evidence import ExpertEvidence, ExpertMoment, Sequence
from littlestone.theory.experts import GUARANTEES

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.experts.mixture import Mixture
    from littlestone.experts.rule import ExpertRule
    from littlestone.experts.run import ExpertRun
    from littlestone.theory.certificate import Certificate


def certify_experts(of: ExpertRun | Mixture, *, against: Sequence | None = None) -> list[Certificate]:
    """Every guarantee that speaks of the rule, best first.

    Args:
        of: a run, or a mixture.
        against: a sequence of experts, with the number of its `switches` and its `total` loss, for the theorem on
            tracking; None compares with the best expert.
    """
    evidence = ExpertEvidence(of.rule, of.ledger, of.state, of.loss, of.gradient, against)
    return ranked([guarantee.certify(evidence) for guarantee in GUARANTEES if guarantee.speaks_of(of.rule)])


def expert_moments(rule: ExpertRule, losses: FloatArray) -> Iterator[ExpertMoment]:
    """Runs the definition of a rule on losses in [0, 1] and yields every round as its proof sees it.

    A vote is taken to be wrong where at least half of the weight is.
    """
    state = rule.init(losses.shape[1])
    for row in losses:
        before, p = state.copy(), rule.weights(state)
        mean = float(p @ row)
        own = float(mean >= 0.5) if rule.votes else mean
        rule.update(state, row, None, own)
        yield ExpertMoment(rule, before, state.copy(), p, row, own)
