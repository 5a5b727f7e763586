"""From an expert run to its certificates, and to the rounds of its proof."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from littlestone.theory.certification import ranked, sequence_of
from littlestone.theory.expert_evidence import ExpertEvidence, ExpertMoment, Sequence
from littlestone.theory.experts import GUARANTEES

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.experts.losses import Loss
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

    Raises:
        NotApplicable: if against is anything else.
    """
    evidence = ExpertEvidence(of.rule, of.ledger, of.state, of.loss, of.gradient, sequence_of(against))
    return ranked([guarantee.certify(evidence) for guarantee in GUARANTEES if guarantee.speaks_of(of.rule)])


def expert_moments(rule: ExpertRule, losses: FloatArray) -> Iterator[ExpertMoment]:
    """Runs the definition of a rule on losses in [0, 1] and yields every round as its proof sees it.

    For a vote the losses are the advice too, and the outcome is 0: whoever says 1 is wrong, and so is a tie.
    """
    state = rule.init(losses.shape[1])
    for row in losses:
        before, p = state.copy(), rule.weights(state)
        own = rule.predict(state, p, row, labels=True) if rule.votes else float(p @ row)
        rule.update(state, row, None, own)
        yield ExpertMoment(rule, before, state.copy(), p, row, own)


def advised_moments(rule: ExpertRule, advice: FloatArray, outcomes: FloatArray, loss: Loss) -> Iterator[ExpertMoment]:
    """The same for a rule that answers advice with a prediction of its own, under a loss in [0, 1]."""
    state = rule.init(advice.shape[1])
    for row, outcome in zip(advice, outcomes, strict=True):
        before, p = state.copy(), rule.weights(state)
        said = np.array([rule.predict(state, p, row, labels=loss.labels)])
        own, losses = float(loss(said, np.array([outcome]))[0]), loss(row, np.full(len(row), outcome))
        rule.update(state, losses, None, own)
        yield ExpertMoment(rule, before, state.copy(), p, losses, own)
