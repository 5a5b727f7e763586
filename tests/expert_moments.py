"""The rounds of an expert rule as its proof sees them, for rules and losses of any kind."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from littlestone.arrays import FloatArray
from littlestone.experts.losses import Loss
from littlestone.experts.reading import AdviceRound, AdviceRule
from littlestone.experts.rule import ExpertRule
from littlestone.theory.expert_evidence import ExpertMoment


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
        if isinstance(rule, AdviceRule):
            everybody = np.ones(len(row), dtype=np.bool_)
            rule.learn(state, AdviceRound(row, losses, everybody, float(outcome), loss, gradient=False))
        else:
            rule.update(state, losses, None, own)
        yield ExpertMoment(rule, before, state.copy(), p, losses, own)
