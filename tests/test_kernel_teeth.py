"""Mutants of kernel rules, budgets, balls and conversions: each law passes as the code is, and fails once it is spoiled."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

import littlestone as ls
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.convert import choices
from littlestone.convert.choices import penalized_estimates
from littlestone.convert.hypotheses import Hypotheses, hypotheses
from littlestone.kernels import Support
from littlestone.kernels.expansion import DefinedExpansion
from littlestone.kernels.functions import Points, gram
from littlestone.kernels.kernel_passive_aggressive import KernelPassiveAggressive
from littlestone.state import State
from littlestone.uniclass.centre import CentredBall
from littlestone.uniclass.simplex_centre import SimplexCentre

Law: TypeAlias = Callable[[], None]

SOURCE = np.random.default_rng(17)
INTEGERS = SOURCE.integers(-3, 4, size=(40, 4)).astype(float)
SIGNS = np.where(INTEGERS @ [1.0, -2.0, 1.0, 0.5] > 0, 1, -1)
NORMAL = SOURCE.normal(size=(40, 3))
RING = np.where(np.sum(NORMAL**2, axis=1) > 2.4, 1, -1)


def linear(points: Points, x: object) -> FloatArray:
    return ls.kernels.Linear().values(points, x)


def gaussian(points: Points, x: object) -> FloatArray:
    return ls.kernels.Gaussian(gamma=0.5).values(points, x)


SHARES = np.abs(NORMAL) / np.abs(NORMAL).sum(axis=1, keepdims=True)
# Coefficients of the u with y(u·φ(x)) = 1 for every row, where the lemmas are tight.
TIGHT: FloatArray = np.asarray(
    np.linalg.solve(gram(ls.kernels.Gaussian(gamma=0.5), NORMAL), RING) * (1.0 + 1e-9), dtype=np.float64
)

# Kernels in Python, so that the expansion under test is the definition.
DOT, BELL = ls.kernels.Custom(function=linear), ls.kernels.Custom(function=gaussian)


def support(learner: ls.Learner) -> Support:
    assert isinstance(learner.state, Support)
    return learner.state


# --- laws


def dual_is_primal() -> None:
    """B3: the kernel Perceptron with the dot product makes the updates of the Perceptron."""
    dual = ls.run(ls.KernelPerceptron(kernel=DOT), INTEGERS, SIGNS, labels=(-1, 1), passes=3, keep=("update", "score"))
    primal = ls.run(ls.Perceptron(), INTEGERS, SIGNS, labels=(-1, 1), passes=3, keep=("update", "score"))
    assert dual.columns["update"].tolist() == primal.columns["update"].tolist()
    assert dual.columns["score"].tolist() == primal.columns["score"].tolist()


def ties_update() -> None:
    """D1: a score of 0 is a mistake, and updates."""
    run = ls.run(ls.KernelPerceptron(kernel=DOT), np.eye(3), [1, 1, 1], labels=(-1, 1))
    assert run.ledger.mistakes == run.ledger.updates == 3


def a_row_has_one_place() -> None:
    run = ls.run(ls.KernelPerceptron(kernel=DOT), [[1.0, 0.0], [3.0, 1.0]], [1, -1], passes=20)
    assert len(support(run.learner)) == 2
    assert np.abs(support(run.learner).alpha).sum() == run.ledger.updates


def norm_is_tracked() -> None:
    for rule in (
        ls.KernelPerceptron(kernel=BELL),
        ls.KernelPerceptron(kernel=BELL, budget=5, when_full="drop-oldest"),
        ls.KernelPerceptron(kernel=BELL, budget=5, when_full="project"),
    ):
        state = support(ls.run(rule, NORMAL, RING, labels=(-1, 1)).learner)
        exact = float(state.alpha @ gram(BELL, np.asarray(state.points)) @ state.alpha)
        assert state.expansion.norm_squared == pytest.approx(exact, rel=1e-9)


def norm_of_a_ball_is_tracked() -> None:
    state = support(ls.run(ls.KernelUniclass(kernel=BELL, epsilon=0.5), NORMAL).learner)
    exact = float(state.alpha @ gram(BELL, np.asarray(state.points)) @ state.alpha)
    assert state.expansion.norm_squared == pytest.approx(exact, rel=1e-9)
    assert state.alpha.sum() == pytest.approx(1.0)


def the_oldest_goes() -> None:
    """The points are those of the last B updates; far apart, none comes twice."""
    rule = ls.KernelPerceptron(
        kernel=ls.kernels.Custom(function=lambda p, x: gaussian(10.0 * np.asarray(p), 10.0 * np.asarray(x))),
        budget=3,
        when_full="drop-oldest",
    )
    X = np.arange(8.0)[:, np.newaxis]
    state = support(ls.run(rule, X, [1, -1] * 4, labels=(-1, 1)).learner)
    assert sorted(np.asarray(state.points).ravel().tolist()) == [5.0, 6.0, 7.0]
    assert len(state) == 3


def projection_keeps_the_scores_of_the_points() -> None:
    batch = _core.dense_batch(NORMAL[:5])
    short, free = (DefinedExpansion(BELL, budget=budget, project=True) for budget in (3, 0))
    for t, w in itertools.product(range(5), (short, free)):
        w.look(batch, t)
        w.add(1.0)
    for t in range(3):
        short.look(batch, t)
        free.look(batch, t)
        assert short.score() == pytest.approx(free.score(), rel=1e-9)


def average_is_the_mean() -> None:
    learner, total = ls.Learner(ls.KernelPerceptron(kernel=BELL), labels=(-1, 1)), np.zeros(len(NORMAL))
    for x, y in zip(NORMAL, RING.tolist(), strict=True):
        total += learner.score_many(NORMAL)
        learner.learn_one(x, y)
    assert learner.averaged().score_many(NORMAL) == pytest.approx(total / len(NORMAL), rel=1e-9, abs=1e-12)


def audited(rule: ls.LinearRule, against: FloatArray | None = None) -> Law:
    """Every lemma of the rule, at every round."""

    def holds() -> None:
        if rule.abilities.alone:
            ls.run(rule, SHARES, passes=2, audit=True, against=against)
        else:
            ls.run(rule, NORMAL, RING, labels=(-1, 1), passes=2, audit=True, against=against)

    holds.__name__ = f"lemmas of {type(rule).__name__}"
    return holds


def ball_is_the_paper() -> None:
    """C1: w ← w + ℓ(x − w)/‖x − w‖ from the first row, for both forms."""
    w = NORMAL[0].copy()
    for x in NORMAL[1:]:
        distance = float(np.linalg.norm(x - w))
        w += max(distance - 0.7, 0.0) * (x - w) / distance
    learner = ls.Learner(ls.Uniclass(epsilon=0.7))
    for x in NORMAL:
        learner.learn_one(x)
    assert _defined(ls.Uniclass(epsilon=0.7), NORMAL).w == pytest.approx(w, rel=1e-9)
    assert learner.state.w == pytest.approx(w, rel=1e-9)
    state = support(ls.run(ls.KernelUniclass(kernel=DOT, epsilon=0.7), NORMAL).learner)
    assert state.alpha @ np.asarray(state.points) == pytest.approx(w, rel=1e-9)


def _defined(rule: ls.LinearRule, X: FloatArray) -> State:
    """The state that the definition of a rule reaches."""
    from littlestone.loop import PythonLoop

    state, totals = rule.init(X.shape[1]), _core.Totals()
    outcomes = ls.Intervals.inside(len(X)).outcomes
    PythonLoop(rule, state, None).learn(_core.dense_batch(X), outcomes, totals, _core.RoundColumns(len(X)), 0, len(X))
    return state


def multiplicative_is_the_paper() -> None:
    """C3: θ ← θ + 2ℓ(x − w)/‖x − w‖, for the definition and the core."""
    X = SHARES
    theta: FloatArray = np.zeros(3)
    for x in X:
        w = np.exp(theta) / np.exp(theta).sum()
        distance = float(np.linalg.norm(x - w))
        theta += 2.0 * max(distance - 0.2, 0.0) * (x - w) / distance
    expected = np.exp(theta) / np.exp(theta).sum()
    assert _defined(ls.MultiplicativeUniclass(epsilon=0.2), X).w == pytest.approx(expected, rel=1e-12)
    assert ls.run(ls.MultiplicativeUniclass(epsilon=0.2), X).state.w == pytest.approx(expected, rel=1e-12)


def batch_rests_with_small_losses() -> None:
    """C4: where it rests every loss is at most √β, and it has moved only for larger ones."""
    run = ls.run(ls.BatchUniclass(epsilon=1.0, beta=0.25), NORMAL / 2.5, passes=500, keep=("loss", "update"))
    assert run.converged
    assert run.learner.score_many(NORMAL / 2.5).max() <= 0.5
    moved = run.columns["update"].astype(bool)
    assert (run.columns["loss"][moved][1:] > 0.5).all()


def stops_before_its_round() -> None:
    """D2: the hypothesis of a round is the one before its row was learned."""
    run = ls.run(ls.Perceptron(), np.eye(4), [1] * 4, labels=(-1, 1), keep=("step", "update"))
    for seed in range(12):
        result = ls.convert.random_stopping(run, seed=seed)
        assert result.round is not None
        assert int((result.score_many(np.eye(4)) > 0).sum()) == result.round - 1


def estimates_are_those_of_the_specification() -> None:
    """D4: T = 3, δ = ½: 1.39445, .89135, 1.26057."""
    rule = ls.Perceptron(eta=2.0, start=np.array([-1.0, 1.0]))
    run = ls.run(rule, [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], [1, 1, 1], labels=(-1, 1), keep=("step", "update"))
    assert penalized_estimates(run, hypotheses(run), delta=0.5).round(5).tolist() == [1.39445, 0.89135, 1.26057]


# --- mutants


def wrong_sign(rule: ls.KernelPerceptron, state: State, _: _core.Row, trial: _core.Trial) -> _core.Step:
    assert isinstance(state, Support)
    if trial.side == 0:
        return _core.Step.stay()
    state.expansion.add(rule.eta)
    return _core.Step.by(trial.side * rule.eta)


def tie_ignored(rule: ls.KernelPerceptron, state: State, _: _core.Row, trial: _core.Trial) -> _core.Step:
    assert isinstance(state, Support)
    if trial.side == 0 or trial.score == 0.0:
        return _core.Step.stay()
    state.expansion.add(trial.side * rule.eta)
    return _core.Step.by(trial.side * rule.eta)


def double_step(rule: ls.KernelPerceptron, state: State, _: _core.Row, trial: _core.Trial) -> _core.Step:
    assert isinstance(state, Support)
    if trial.side == 0:
        return _core.Step.stay()
    state.expansion.add(2.0 * trial.side * rule.eta)
    return _core.Step.by(trial.side * rule.eta)


def half_projection(_: KernelPassiveAggressive, state: State, __: _core.Row, trial: _core.Trial) -> _core.Step:
    assert isinstance(state, Support)
    if trial.distance == 0.0:
        return _core.Step.stay()
    step = 0.5 * trial.side * trial.distance / state.expansion.self()
    state.expansion.add(step)
    return _core.Step.by(step)


def never_shrinks(rule: ls.KernelUniclass, state: State, _: _core.Row, trial: _core.Trial) -> _core.Step:
    assert isinstance(state, Support)
    if len(state) and trial.distance == 0.0:
        return _core.Step.stay()
    step = trial.distance / (trial.score + rule.epsilon) if len(state) else 1.0
    state.expansion.add(step)
    return _core.Step.by(step)


def too_far(_: CentredBall, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
    """All the way to the row: λ = 1."""
    state.rounds[0] += 1.0
    if state.rounds[0] > 1.0 and trial.distance == 0.0:
        return _core.Step.stay()
    state.v[:] = 0.0
    state.scale[0] = 1.0
    row.add_to(state.v, 1.0)
    state.norm_squared[0] = row.norm_squared
    return _core.Step.by(1.0)


def printed_step(rule: ls.MultiplicativeUniclass, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
    """Errata 25: τ = ℓ/8."""
    assert isinstance(state, SimplexCentre)
    if trial.distance == 0.0:
        return _core.Step.stay()
    state.move(row, trial.distance / (8.0 * (trial.score + rule.epsilon)))
    return _core.Step.by(trial.distance / 8.0)


def forgets_the_centre(state: SimplexCentre, row: _core.Row, step: float) -> None:
    """θ ← θ + step·x, without −w."""
    for feature, value in zip(row.indices, row.values, strict=True):
        state.theta[feature] += step * value
        state.seen[feature] = 1.0
    theta = state.log_weights
    state.shift[0] = theta.max()
    state.total[0] = np.exp(theta - state.shift[0]).sum()


def no_cross_term(w: DefinedExpansion, step: float, length_squared: float) -> None:
    w.norm_squared += step * step * length_squared


def scale_of_the_norm_forgotten(w: DefinedExpansion, factor: float) -> None:
    w._alpha *= factor
    w.norm_squared *= factor


def always_appended(w: DefinedExpansion, step: float) -> None:
    w._append(step)


def newest_dropped(w: DefinedExpansion, step: float) -> None:
    w._oldest = len(w) - 1
    _REPLACE(w, step)


def norm_keeps_the_dropped(w: DefinedExpansion, step: float) -> None:
    before = w.norm_squared
    slot, x = w._oldest, w._x
    w._points.replace(slot, x)
    w._alpha[slot] = w._drift[slot] = 0.0
    w._look(x)
    w._move(slot, step)
    w._oldest = (slot + 1) % w._budget
    w.norm_squared = before + step * step * w._self
    w.dropped += 1


def discarded(w: DefinedExpansion, step: float) -> None:
    if len(w) < w._budget:
        w._append(step)


def late_drift(w: DefinedExpansion, p: int, change: float) -> None:
    w._alpha[p] += change
    w._drift[p] += (w.rounds - 1.0) * change


_REPLACE = DefinedExpansion._replace_oldest

MUTANTS: list[tuple[Law, type, str, object]] = [
    (dual_is_primal, ls.KernelPerceptron, "update", wrong_sign),
    (dual_is_primal, ls.KernelPerceptron, "update", double_step),
    (ties_update, ls.KernelPerceptron, "update", tie_ignored),
    (audited(ls.KernelPerceptron(kernel=BELL), TIGHT), ls.KernelPerceptron, "update", wrong_sign),
    (audited(ls.KernelPerceptron(kernel=BELL)), ls.KernelPerceptron, "update", double_step),
    (audited(ls.KernelPerceptron(kernel=BELL, budget=4)), ls.KernelPerceptron, "update", double_step),
    (audited(KernelPassiveAggressive(kernel=BELL), TIGHT), KernelPassiveAggressive, "update", half_projection),
    (audited(ls.KernelUniclass(kernel=BELL, epsilon=0.5, budget=None)), ls.KernelUniclass, "update", never_shrinks),
    (audited(ls.Uniclass(epsilon=0.1)), CentredBall, "update", too_far),
    (audited(ls.MultiplicativeUniclass(epsilon=0.1), SHARES[0]), ls.MultiplicativeUniclass, "update", printed_step),
    (ball_is_the_paper, ls.KernelUniclass, "update", never_shrinks),
    (ball_is_the_paper, CentredBall, "update", too_far),
    (multiplicative_is_the_paper, SimplexCentre, "move", forgets_the_centre),
    (multiplicative_is_the_paper, ls.MultiplicativeUniclass, "update", printed_step),
    (norm_is_tracked, DefinedExpansion, "_grow_norm", no_cross_term),
    (norm_is_tracked, DefinedExpansion, "_replace_oldest", norm_keeps_the_dropped),
    (norm_of_a_ball_is_tracked, DefinedExpansion, "shrink", scale_of_the_norm_forgotten),
    (a_row_has_one_place, DefinedExpansion, "add", always_appended),
    (the_oldest_goes, DefinedExpansion, "add", always_appended),
    (the_oldest_goes, DefinedExpansion, "_replace_oldest", newest_dropped),
    (projection_keeps_the_scores_of_the_points, DefinedExpansion, "_add_projected", discarded),
    (average_is_the_mean, DefinedExpansion, "_move", late_drift),
    (batch_rests_with_small_losses, ls.BatchUniclass, "lets_be", lambda rule: 2.0 * rule.beta),
    (batch_rests_with_small_losses, ls.BatchUniclass, "lets_be", lambda _: 0.0),
    (stops_before_its_round, Hypotheses, "used_in", lambda known, t: int(np.searchsorted(known.rounds, t, side="right"))),
]


@pytest.mark.parametrize(("law", "owner", "name", "spoiled"), MUTANTS, ids=lambda it: getattr(it, "__name__", ""))
def test_law_catches_mutant(law: Law, owner: type, name: str, spoiled: object, monkeypatch: pytest.MonkeyPatch) -> None:
    law()
    monkeypatch.setattr(owner, name, spoiled)
    with pytest.raises((AssertionError, ls.LemmaViolated, ls.InvalidData)):
        law()


def test_estimates_that_forget_the_rounds_of_a_hypothesis_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    estimates_are_those_of_the_specification()

    def spoiled(of: ls.Run, *_: object) -> FloatArray:
        """Only the rows after the last round of each hypothesis."""
        return np.zeros(len(of.columns["update"]))

    monkeypatch.setattr(choices, "_replayed", spoiled)
    with pytest.raises(AssertionError):
        estimates_are_those_of_the_specification()
