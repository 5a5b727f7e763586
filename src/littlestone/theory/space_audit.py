"""Audits of rules whose weights are not a vector over the features: kernel rules and balls.

A kernel rule is followed by the definition of its expansion, and seen by the proof in the coordinates of `feature_rows`,
where w = Σ α_p φ(x_p) is a vector.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone import _core
from littlestone.errors import NotApplicable
from littlestone.kernels import KernelPerceptron, KernelRule, Support
from littlestone.kernels.expansion import DefinedExpansion
from littlestone.rule import LinearRule
from littlestone.theory.catalogue import theory
from littlestone.theory.evidence import LinearEvidence, LinearGuarantee, LinearMoment
from littlestone.theory.guarantee import Lemma
from littlestone.theory.kernels import PROJECTED, KernelMoment
from littlestone.theory.spaces import AnyBall, coordinates, dense_rows, feature_rows
from littlestone.theory.uniclass import GUARANTEES as UNICLASS
from littlestone.theory.uniclass import UniclassMoment
from littlestone.uniclass import BatchUniclass, KernelUniclass, MultiplicativeUniclass, Uniclass
from littlestone.uniclass.simplex_centre import SimplexCentre

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.run import Run
    from littlestone.state import State


@final
@dataclass(frozen=True)
class Checked:
    """Both sides of a lemma in a round, and the lengths that a rounding of them is measured by."""

    round: int
    guarantee: str
    words: str
    left: float
    right: float
    scale: float


@final
@dataclass(frozen=True)
class _Round:
    """One round of a rule: the weights as a vector before and after it, its row, its trial and its step."""

    number: int
    w: FloatArray
    w_next: FloatArray
    x: FloatArray
    trial: _core.Trial
    label: int
    step: _core.Step
    norm_before: float
    norm_after: float
    length_squared: float
    log_ratio: FloatArray
    """log(w′/w), for a centre that is a distribution."""


def space_checks(run: Run, against: FloatArray | None) -> Iterator[Checked]:
    """Every lemma that speaks of a kernel rule or a ball, at every round.

    Args:
        run: the run.
        against: the comparator: a centre for a ball, coefficients, one a row, for a kernel rule; None is what the rule began
            with.
    """
    rule = run.rule
    batch, outcomes = run.learner.encode(run.X, run.y)
    batch.check()
    rows = feature_rows(rule, batch) if isinstance(rule, KernelRule) else dense_rows(batch)
    u = None if against is None else coordinates(rule, rows, against)
    rounds = _rounds(rule, batch, outcomes, rows, run.passes)
    if isinstance(rule, Uniclass | KernelUniclass | MultiplicativeUniclass | BatchUniclass):
        return _ball_checks(run, rule, rows, u, rounds)
    assert isinstance(rule, KernelRule)
    return _kernel_checks(run, rule, rows, u, rounds)


def _rounds(rule: LinearRule, batch: _core.Batch, outcomes: _core.Outcomes, rows: FloatArray, passes: int) -> Iterator[_Round]:
    """The definition of the rule, round by round."""
    follow = _Follower(rule, batch.width, rows)
    for number, t in enumerate(t for _ in range(passes) for t in range(len(batch))):
        row, state, w, before, logs = batch[t], follow.state, follow.w, follow.norm_squared, follow.log_w
        interval = outcomes.interval(t, partial(rule.accepts_label, state), partial(rule.accepts_target, state))
        score = rule.score(state, row)
        length = state.expansion.self() if isinstance(state, Support) else row.norm_squared
        trial = _core.Trial(score, interval, rule.widening(), rule.lengths(state, row), outcomes.label(t))
        step = rule.update(state, row, trial)
        follow.moved(t)
        yield _Round(
            number=number,
            w=w,
            w_next=follow.w,
            x=rows[t],
            trial=trial,
            label=outcomes.label(t),
            step=step,
            norm_before=before,
            norm_after=follow.norm_squared,
            length_squared=length,
            log_ratio=follow.log_w - logs,
        )


@final
class _Follower:
    """The state of a rule and its weights as a vector; of a support set it knows which row each point is."""

    def __init__(self, rule: LinearRule, width: int, rows: FloatArray) -> None:
        self._rows = rows
        self._points: list[int] = []
        self._dropped = 0
        self._limit = rule.limit() or 0 if isinstance(rule, KernelRule) else 0
        self.state: State = _defined(rule) if isinstance(rule, KernelRule) else rule.init(width)

    @property
    def w(self) -> FloatArray:
        """The weights in the coordinates of the rows."""
        if not isinstance(self.state, Support):
            return self.state.w.copy()
        w: FloatArray = self.state.alpha @ self._rows[self._points]
        return w

    @property
    def log_w(self) -> FloatArray:
        """The logarithms of w, which no underflow reaches, where w is a distribution."""
        if not isinstance(self.state, SimplexCentre):
            return np.zeros(0)
        logs: FloatArray = self.state.log_weights - self.state.shift[0] - np.log(self.state.total[0])
        return logs

    @property
    def norm_squared(self) -> float:
        """‖w‖², as the rule keeps it where it does."""
        return self.state.expansion.norm_squared if isinstance(self.state, Support) else 0.0

    def moved(self, t: int) -> None:
        """Takes note of the point that row t may have become."""
        if not isinstance(self.state, Support):
            return
        if self.state.expansion.dropped > self._dropped:
            self._points[self._dropped % self._limit] = t
            self._dropped = self.state.expansion.dropped
        elif len(self.state) > len(self._points):
            self._points.append(t)


def _defined(rule: KernelRule) -> Support:
    return Support(rule.kernel, DefinedExpansion(rule.kernel, budget=rule.limit() or 0, project=rule.projects()))


def _unchanged(run: Run) -> bool:
    """Whether no budget took effect."""
    return not isinstance(run.state, Support) or not (run.state.expansion.dropped or run.state.expansion.distortion)


# Kernel rules.


def _kernel_checks(
    run: Run, rule: KernelRule, rows: FloatArray, u: FloatArray | None, rounds: Iterator[_Round]
) -> Iterator[Checked]:
    lemmas = _linear_lemmas(run, rule) if _unchanged(run) else {}
    projected = isinstance(rule, KernelPerceptron) and rule.limit() is not None and rule.projects()
    comparator = np.zeros(rows.shape[1]) if u is None else u
    for one in rounds:
        moment = _linear_moment(rule.primal(), one, comparator)
        scale = _scale(one, comparator)
        for lemma, guarantee in lemmas.items():
            yield Checked(one.number, guarantee.id, lemma.words, *lemma.sides(moment), scale)
        if projected and one.step.moved:
            seen = KernelMoment(one.norm_before, one.norm_after, one.length_squared, one.step.size)
            for small in PROJECTED.lemmas:
                yield Checked(one.number, PROJECTED.id, small.words, *small.sides(seen), scale)


def _linear_lemmas(run: Run, rule: KernelRule) -> dict[Lemma[LinearMoment], LinearGuarantee]:
    """Each lemma of the linear rule once, with the first theorem it serves."""
    evidence = LinearEvidence(rule.primal(), run.ledger, None)
    found: dict[Lemma[LinearMoment], LinearGuarantee] = {}
    for guarantee in theory.about(rule.primal()):
        if all(assumption.check(evidence) is not False for assumption in guarantee.assumptions):
            for lemma in guarantee.lemmas:
                found.setdefault(lemma, guarantee)
    return found


def _linear_moment(primal: LinearRule, one: _Round, u: FloatArray) -> LinearMoment:
    u_score = float(u @ one.x)
    return LinearMoment(
        rule=primal,
        w=one.w,
        w_next=one.w_next,
        x=one.x,
        label=one.label,
        score=one.trial.score,
        side=one.trial.side,
        loss=one.trial.loss,
        tolerated_loss=one.trial.distance,
        step=one.step.size,
        moved=one.step.moved,
        u=u,
        u_score=u_score,
        u_loss=_charged(one, u_score, primal.ends()[0]),
    )


def _charged(one: _Round, score: float, margin: float) -> float:
    """The loss of a comparator: of a label by the margin, else by the interval of the round."""
    if one.label:
        return max(margin - one.label * score, 0.0)
    interval = one.trial.interval
    return max(interval.low - score, score - interval.high, 0.0)


def _scale(one: _Round, u: FloatArray) -> float:
    lengths = float(one.w @ one.w + one.w_next @ one.w_next + u @ u)
    return (1.0 + lengths) * (1.0 + one.length_squared)


# Balls.


def _ball_checks(
    run: Run, rule: AnyBall, rows: FloatArray, u: FloatArray | None, rounds: Iterator[_Round]
) -> Iterator[Checked]:
    lemmas = [(lemma, known.id) for known in UNICLASS if known.speaks_of(rule) for lemma in known.lemmas]
    if not _unchanged(run):
        return
    multiplicative = isinstance(rule, MultiplicativeUniclass)
    width = rows.shape[1]
    first = np.full(width, 1.0 / width) if multiplicative else rows[0] if len(rows) else np.zeros(width)
    centre = first if u is None else u
    if multiplicative and ((centre < 0.0).any() or abs(float(centre.sum()) - 1.0) > 1e-9):
        raise NotApplicable("against is not a distribution over the features; the theorem compares with one")
    for one in rounds:
        if one.number == 0 and not multiplicative:
            continue  # the first row is the first centre
        moment = _ball_moment(rule, one, centre)
        for lemma, guarantee in lemmas:
            yield Checked(one.number, guarantee, lemma.words, *lemma.sides(moment), _scale(one, centre))


def _ball_moment(rule: AnyBall, one: _Round, u: FloatArray) -> UniclassMoment:
    """The lemma is true of any u with ε* = ‖x − u‖, the round's own radius."""
    if isinstance(rule, MultiplicativeUniclass):
        gain = float(u @ one.log_ratio)  # D(u‖w) − D(u‖w′)
    else:
        gain = float(np.sum((one.w - u) ** 2) - np.sum((one.w_next - u) ** 2))
    radius = float(np.linalg.norm(one.x - u))
    return UniclassMoment(max(one.trial.score, 0.0), rule.epsilon, radius, gain, one.step.moved)
