"""Runs of kernel rules and of balls round by round, as their proofs see them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from littlestone import _core
from littlestone.kernels import KernelRule
from littlestone.loop import advance
from littlestone.theory.ball_spaces import BallSpace, place_in_kernel
from littlestone.theory.evidence import LinearMoment
from littlestone.theory.flagging import FlagMoment
from littlestone.theory.kernels import KernelMoment
from littlestone.theory.spaces import feature_rows, vector_of
from littlestone.theory.uniclass import UniclassMoment
from littlestone.uniclass import ShareFlagging

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.run import Run


def ball_moments(run: Run, space: BallSpace, against: npt.ArrayLike | None) -> Iterator[UniclassMoment]:
    """Runs the definition of a ball rule beside a centre u; without one, the centre it began with.

    A row counts with its own distance r from u: with v the way from w to x, of length 1, v·(u − w) ≥ ‖x − w‖ − r whatever r
    is, so every u puts the lemma to the test, whether or not its ball holds the rows. The row that is the first centre is no
    round of the proof.

    Raises:
        NotApplicable: if u is to be a distribution and is not.
    """
    rule, (batch, outcomes) = run.rule, run.learner.encode(run.X, run.y)
    rows, state = space.rows(rule, batch), rule.init(batch.width)
    most, place = rule.threshold(state), space.place(batch, rows)
    rows, u = space.proved(rows, space.first(rows) if against is None else space.given(rows, against), most)
    w = place(state)
    for number, t in enumerate(t for _ in range(run.passes) for t in range(len(batch))):
        trial = rule.face(state, batch[t], outcomes, t).trial
        step = advance(rule, state, batch[t], trial)
        after, away = place(state), float(np.linalg.norm(rows[t] - u))
        before, now = space.distance(u, w), space.distance(u, after)
        w = after
        loss, gain = (trial.loss, before - now) if number > 0 or space.first_counts else (0.0, 0.0)
        yield UniclassMoment(loss, most, away, gain, before + now, step.moved)


def flag_moments(run: Run) -> Iterator[FlagMoment]:
    """Runs the definition of a rule that flags a share."""
    rule = run.rule
    assert isinstance(rule, ShareFlagging)
    batch, outcomes = run.learner.encode(run.X, run.y)
    state = rule.init(batch.width)
    for t in (t for _ in range(run.passes) for t in range(len(batch))):
        before = float(state.threshold[0])
        trial = rule.face(state, batch[t], outcomes, t).trial
        advance(rule, state, batch[t], trial)
        yield FlagMoment(trial.score > 0.0, rule.flag, rule.eta, before, float(state.threshold[0]))


def kernel_moments(run: Run, rule: KernelRule, against: npt.ArrayLike | None) -> Iterator[tuple[LinearMoment, KernelMoment]]:
    """Runs the definition of a kernel rule beside u = Σ β_t φ(x_t), in the space of the kernel; without β, u = 0."""
    batch, outcomes = run.learner.encode(run.X, run.y)
    rows = feature_rows(rule, batch)
    u = np.zeros(rows.shape[1]) if against is None else vector_of(against, len(rows), "coefficients, one per row") @ rows
    state, places = rule.init(batch.width), place_in_kernel(batch, rows)
    w = places(state)
    for t in (t for _ in range(run.passes) for t in range(len(batch))):
        norm_squared, distortion = state.expansion.norm_squared, state.expansion.distortion
        trial = rule.face(state, batch[t], outcomes, t).trial
        step = advance(rule, state, batch[t], trial)
        after = places(state) if step.moved else w
        u_score = float(rows[t] @ u)
        yield (
            LinearMoment(
                rule=rule.primal(),
                w=w,
                w_next=after,
                x=rows[t],
                label=outcomes.label(t),
                score=trial.score,
                side=trial.side,
                loss=trial.loss,
                tolerated_loss=trial.distance,
                step=step.size,
                moved=step.moved,
                u=u,
                u_score=u_score,
                u_loss=_loss(rule, outcomes, t, u_score, batch[t]),
            ),
            KernelMoment(
                before=norm_squared,
                after=state.expansion.norm_squared,
                length_squared=float(rows[t] @ rows[t]),
                step=step.size,
                gained=float((after - w) @ u),
                due=step.size * u_score,
                taken=state.expansion.distortion - distortion,
                u_norm=float(np.linalg.norm(u)),
            ),
        )
        w = after


def _loss(rule: KernelRule, outcomes: _core.Outcomes, t: int, score: float, row: _core.Row) -> float:
    """What a comparator with this score is charged."""
    margin, epsilon = rule.ends()
    half_line, around = partial(_core.Interval.half_line, margin=margin), partial(_core.Interval.around, epsilon=epsilon)
    return _core.Trial(score, outcomes.interval(t, half_line, around), 0.0, row, outcomes.label(t)).loss
