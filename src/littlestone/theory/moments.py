"""A run round by round, as its proof sees it: the definition of the rule, one moment after another."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.log_weights import LogWeights, SignedLogWeights
from littlestone.loop import advance
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
    start: State | None = None,
    rounds: range | None = None,
) -> Iterator[LinearMoment]:
    """Watches the definition of a rule and yields every round with the comparator beside it.

    The state is the one given, as `Learner.first_state` makes it; or a fresh one. The rounds are those of all rows, or some.
    """
    state = rule.init(batch.width) if start is None else start
    half_line = partial(_core.Interval.half_line, margin=u_margin)
    around = partial(_core.Interval.around, epsilon=rule.ends()[1])
    for t in (t for _ in range(passes) for t in rounds or range(len(batch))):
        row, label = batch[t], outcomes.label(t)
        trial = rule.face(state, row, outcomes, t).trial
        w, theta, arrays = state.w.copy(), _log_weights(state), _copies(state)
        step = advance(rule, state, row, trial)
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
            arrays=arrays,
            arrays_next=_copies(state),
        )


def _copies(state: State) -> dict[str, FloatArray]:
    """All arrays of a state whose weights are not all that an update moves."""
    plain = isinstance(state, LogWeights | SignedLogWeights) or len(state.arrays) == 1
    return {} if plain else {name: array.copy() for name, array in state.arrays.items()}


def _log_weights(state: State) -> FloatArray | None:
    """Of the features that take part by now."""
    return state.theta[: int(state.members[0])].copy() if isinstance(state, LogWeights | SignedLogWeights) else None
