"""Runs of kernel rules and of balls round by round, as their proofs see them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from littlestone import _core
from littlestone.errors import NotApplicable
from littlestone.kernels import KernelRule, Support
from littlestone.loop import advance
from littlestone.theory.evidence import LinearMoment
from littlestone.theory.flagging import FlagMoment
from littlestone.theory.kernels import KernelMoment
from littlestone.theory.spaces import centre_of, dense_rows, feature_rows, vector_of
from littlestone.theory.uniclass import UniclassMoment, lift_of, most
from littlestone.uniclass import (
    BatchUniclass,
    KernelUniclass,
    MultiplicativeUniclass,
    RadiusUniclass,
    ShareFlagging,
    Uniclass,
)
from littlestone.uniclass.simplex_centre import SimplexCentre

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.rule import LinearRule
    from littlestone.run import Run
    from littlestone.state import State


def ball_moments(run: Run, against: npt.ArrayLike | None) -> Iterator[UniclassMoment]:
    """Runs the definition of a ball rule beside a centre u; without one, the centre it began with.

    A row counts with its own distance r from u: with v the way from w to x, of length 1, v·(u − w) ≥ ‖x − w‖ − r whatever r
    is, so every u puts the lemma to the test, whether or not its ball holds the rows. The row that is the first centre is no
    round of the proof.

    Raises:
        NotApplicable: if u is to be a distribution and is not.
    """
    rule = run.rule
    assert isinstance(rule, Uniclass | KernelUniclass | MultiplicativeUniclass | BatchUniclass | RadiusUniclass)
    batch, outcomes = run.learner.encode(run.X, run.y)
    rows = feature_rows(rule, batch) if isinstance(rule, KernelUniclass) else dense_rows(batch)
    u = _first_centre(rule, rows) if against is None else centre_of(rule, rows, against)
    if isinstance(rule, RadiusUniclass):  # the proof is in the space with the lift
        radius = float(np.linalg.norm(rows - u, axis=1).max()) if len(rows) else 0.0
        rows, u = np.column_stack([rows, np.zeros(len(rows))]), np.append(u, lift_of(rule, radius))
    if isinstance(rule, MultiplicativeUniclass) and ((u < 0.0).any() or abs(float(u.sum()) - 1.0) > 1e-9):
        raise NotApplicable("against is not a distribution over the features; the theorem compares with one")
    distance = partial(_divergence, u) if isinstance(rule, MultiplicativeUniclass) else partial(_apart, u)
    state, places = rule.init(batch.width), _places(rule, batch, rows)
    w = places(state)
    for number, t in enumerate(t for _ in range(run.passes) for t in range(len(batch))):
        trial = rule.face(state, batch[t], outcomes, t).trial
        step = advance(rule, state, batch[t], trial)
        after, away = places(state), float(np.linalg.norm(rows[t] - u))
        counts = number > 0 or isinstance(rule, MultiplicativeUniclass)
        before, now = distance(w), distance(after)
        w = after
        loss, gain = (trial.loss, before - now) if counts else (0.0, 0.0)
        yield UniclassMoment(loss, most(rule), away, gain, before + now, step.moved)


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
    state, places = rule.init(batch.width), _places(rule, batch, rows)
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


def _places(rule: LinearRule, batch: _core.Batch, rows: FloatArray) -> Callable[[State], FloatArray]:
    """Where the weights are: for a kernel rule, the vector with the scores that the state gives the rows.

    A distribution is told by its logarithms, which no underflow reaches.
    """
    if isinstance(rule, MultiplicativeUniclass):
        return _logarithms
    if isinstance(rule, RadiusUniclass):
        return lambda state: np.append(state.w, state.lift)
    if not isinstance(rule, KernelRule):
        return lambda state: state.w.copy()
    inverse = np.linalg.pinv(rows)

    def place(state: State) -> FloatArray:
        assert isinstance(state, Support)
        scores = np.zeros(len(batch))
        for t in range(len(batch)):
            state.expansion.look(batch, t)
            scores[t] = state.expansion.score()
        found: FloatArray = inverse @ scores
        return found

    return place


def _first_centre(rule: LinearRule, rows: FloatArray) -> FloatArray:
    even = isinstance(rule, MultiplicativeUniclass) or len(rows) == 0
    return np.full(rows.shape[1], 1.0 / max(1, rows.shape[1])) if even else rows[0]


def _logarithms(state: State) -> FloatArray:
    assert isinstance(state, SimplexCentre)
    logs: FloatArray = state.log_weights - float(state.shift[0]) - np.log(float(state.total[0]))
    return logs


def _divergence(u: FloatArray, logs: FloatArray) -> float:
    """Σ u·log(u/w)."""
    held = u > 0.0
    return float(np.sum(u[held] * (np.log(u[held]) - logs[held])))


def _apart(u: FloatArray, w: FloatArray) -> float:
    return float(np.sum((w - u) ** 2))
