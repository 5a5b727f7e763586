"""A run round by round, as its proof sees it: the definition of the rule, one moment after another."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.rule import LinearRule
from littlestone.state import State
from littlestone.theory.evidence import LinearMoment


def moments(
    rule: LinearRule,
    batch: _core.Batch,
    outcomes: _core.Outcomes,
    u: FloatArray,
    u_margin: float = 1.0,
    *,
    passes: int = 1,
) -> Iterator[LinearMoment]:
    """Runs the definition of a rule and yields every round with the comparator beside it."""
    state = rule.init(batch.width)
    half_line = partial(_core.Interval.half_line, margin=u_margin)
    around = partial(_core.Interval.around, epsilon=rule.ends()[1])
    for t in (t for _ in range(passes) for t in range(len(batch))):
        row, w, label, theta = batch[t], state.w.copy(), outcomes.label(t), _log_weights(state)
        accepts = outcomes.interval(t, partial(rule.accepts_label, state), partial(rule.accepts_target, state))
        score = rule.settle(state, row, rule.score(state, row), accepts)
        trial = _core.Trial(score, accepts, rule.widening(), row, label)
        step = rule.update(state, row, trial)
        u_score = row.dot(u)
        u_trial = _core.Trial(u_score, outcomes.interval(t, half_line, around), 0.0, row, label)
        x = np.zeros(batch.width)
        x[row.indices] = row.values
        yield LinearMoment(
            rule=rule,
            w=w,
            w_next=state.w.copy(),
            x=x,
            label=label,
            score=trial.score,
            side=trial.side,
            loss=trial.loss,
            tolerated_loss=trial.distance,
            step=step.size,
            moved=step.moved,
            u=u,
            u_score=u_score,
            u_loss=u_trial.loss,
            theta=theta,
            theta_next=_log_weights(state),
        )


def _log_weights(state: State) -> FloatArray | None:
    return state.theta.copy() if "theta" in state.arrays else None
