"""Theorems on the on-line support vector machine and on one versus the rest."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.loop import Loop, PythonLoop
from littlestone.state import Average, ScaledWeights, State
from littlestone.theory import certify_stream
from littlestone.theory.audit import audit
from littlestone.theory.guarantee import within
from littlestone.theory.moments import moments
from littlestone.theory.one_versus_rest import UNION, RestMoment
from shown import shows

Verdict = ls.Verdict


def separable(rows: int, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    X = np.random.default_rng(seed).uniform(-1.0, 1.0, size=(4 * rows, 2))
    X = X[np.abs(X[:, 0]) > 0.5][:rows]
    return X, np.sign(X[:, 0])


def svm(run: ls.Run, u: FloatArray | list[float] | None) -> ls.Certificate:
    (found,) = run.certify(against=u)
    return found


@shows("example", "svm.regret")
def test_two_rounds_by_hand() -> None:
    """x = 1, y = +: w = 0, then ½C: losses 1 and ½ at C = 1; u = 1: 0 + 3/2 + 2·log 3."""
    run = ls.run(ls.OnlineSVM(), [[1.0], [1.0]], [1, 1], labels=(-1, 1))
    found = svm(run, [1.0])
    assert [found.measured, found.bound] == pytest.approx([1.5, 1.5 + 2.0 * math.log(3.0)])


@shows("holds", "svm.regret")
@shows("vacuous", "svm.regret")
@shows("unproved", "svm.regret")
def test_verdicts_of_the_svm() -> None:
    X, y = separable(4000)
    assert svm(ls.run(ls.OnlineSVM(C=40.0), X, y, labels=(-1.0, 1.0)), [2.0, 0.0]).holds
    assert svm(ls.run(ls.OnlineSVM(), X, y, labels=(-1.0, 1.0)), [2.0, 0.0]).verdict is Verdict.VACUOUS
    assert svm(ls.run(ls.OnlineSVM(eta=0.1), X, y, labels=(-1.0, 1.0)), [2.0, 0.0]).verdict is Verdict.UNPROVED
    stays = ls.run(ls.OnlineSVM(C=2.0), [[1.0]] * 3, [1] * 3, labels=(-1, 1))  # at margin 1 from the second round on
    assert svm(stays, [1.0]).verdict is Verdict.UNPROVED
    shrinks = ls.run(ls.OnlineSVM(C=2.0, kink="shrink"), [[1.0]] * 3, [1] * 3, labels=(-1, 1))
    assert svm(shrinks, [1.0]).proved


@shows("never", "svm.regret")
@settings(max_examples=60)
@given(seed=st.integers(0, 10_000), C=st.sampled_from([0.1, 1.0, 30.0]), noise=st.booleans())
def test_the_svm_is_never_violated(seed: int, C: float, noise: bool) -> None:
    source = np.random.default_rng(seed)
    X, y = separable(60, seed)
    y = np.where(source.random(len(y)) < 0.2, -y, y) if noise else y
    rule = ls.OnlineSVM(C=C, kink="shrink")
    run = ls.run(rule, X, y, labels=(-1.0, 1.0), audit=True)
    for u in (np.zeros(2), np.array([2.0, 0.0]), source.normal(size=2)):
        assert svm(run, u).proved


def test_the_best_comparator_of_the_svm_balances_its_bound() -> None:
    X, y = separable(500)
    run = ls.run(ls.OnlineSVM(C=20.0), X, y, labels=(-1.0, 1.0))
    (best,) = run.certify(against="best")
    assert best.proved
    for size in (0.5, 1.0, 1.5, 2.0):
        assert best.bound <= svm(run, [size, 0.0]).bound * (1.0 + 1e-3)


def twice_the_step(_: ls.OnlineSVM, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
    """Shrinks, and steps away from the margin."""
    assert isinstance(state, ScaledWeights)
    state.rounds[0] += 1.0
    state.shrink(0.5)
    state.add(row, -2.0 * trial.side)
    return _core.Step.otherwise(1.0)


def as_defined(rule: ls.LinearRule, state: State, average: Average | None) -> Loop:
    return PythonLoop(rule, state, average)


@shows("mutant", "svm.regret")
@shows("violated", "svm.regret")
def test_a_wrong_svm_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = separable(300)
    lemma = ls.theory.linear["svm.regret"].lemmas[0]

    def broken() -> bool:
        seen = moments(ls.OnlineSVM(), _core.dense_batch(X), _core.labels(y.astype(np.int8)), np.array([2.0, 0.0]))
        return not all(within(*lemma.sides(moment)) for moment in seen)

    assert not broken()
    monkeypatch.setattr(ls.OnlineSVM, "update", twice_the_step)
    monkeypatch.setattr(ls.OnlineSVM, "loop", as_defined)
    assert broken()
    assert svm(ls.run(ls.OnlineSVM(), X, y, labels=(-1.0, 1.0)), [2.0, 0.0]).verdict is Verdict.VIOLATED


# --- one versus the rest


def classes(rows: int) -> tuple[FloatArray, list[str]]:
    numbers = np.arange(rows) % 3
    return np.eye(3)[numbers], ["abc"[k] for k in numbers]


U = 2.0 * np.eye(3) - 1.0


@shows("example", "rest.perceptron", "rest.capped")
@shows("holds", "rest.perceptron", "rest.capped")
@shows("unproved", "rest.perceptron", "rest.capped")
@shows("vacuous", "rest.perceptron", "rest.capped")
def test_one_versus_the_rest_by_hand() -> None:
    """Unit vectors: u = ±1 everywhere has no hinge loss and ‖u‖² = 3, so each Perceptron errs at most 3 times, all of them 9.

    PA-I, C = 1: max{1, 1}·(3 + 0) for each as well.
    """
    X, y = classes(300)
    for rule, name, other in (
        (ls.Perceptron(), "rest.perceptron", "rest.capped"),
        (ls.PassiveAggressive(variant="PA-I", C=1.0), "rest.capped", "rest.perceptron"),
    ):
        run = ls.run(ls.OneVersusRest(rule=rule), X, y)
        found = {one.id: one for one in run.certify(against=U)}
        assert found[name].bound == pytest.approx(9.0)
        assert found[name].holds
        assert found[other].verdict is Verdict.UNPROVED
        assert {one.verdict for one in run.certify()} == {Verdict.UNPROVED}
        assert {one.verdict for one in run.learner.certify()} == {Verdict.UNPROVED}
        few = ls.run(ls.OneVersusRest(rule=rule), X[:9], y[:9])
        assert {one.id: one for one in few.certify(against=U)}[name].verdict is Verdict.VACUOUS
        with pytest.raises(ls.InvalidData, match="expected 3 rows"):
            run.certify(against=np.eye(2))


@shows("never", "rest.perceptron", "rest.capped")
@settings(max_examples=40)
@given(seed=st.integers(0, 10_000))
def test_one_versus_the_rest_is_never_violated(seed: int) -> None:
    source = np.random.default_rng(seed)
    X, y = source.normal(size=(60, 3)), source.integers(0, 3, size=60)
    for rule in (ls.Perceptron(), ls.PassiveAggressive(variant="PA-I", C=0.3)):
        run = ls.run(ls.OneVersusRest(rule=rule), X, y, passes=2)
        for V in (np.zeros((3, 3)), source.normal(size=(3, 3))):
            given = V[: len(run.learner.labels)]
            assert not [str(one) for one in run.certify(against=given) if one.verdict is Verdict.VIOLATED]
    alone = [ls.Learner(ls.Perceptron(), labels=(-1, 1)) for _ in range(3)]
    for k, learner in enumerate(alone):
        learner.learn_many(X, np.where(y == k, 1, -1))
    whole = ls.Learner(ls.OneVersusRest(rule=ls.Perceptron()), labels=(0, 1, 2))
    whole.learn_many(X, y)
    assert whole.ledger.mistakes <= sum(learner.ledger.mistakes for learner in alone)


@shows("mutant", "rest.perceptron", "rest.capped")
@shows("violated", "rest.perceptron", "rest.capped")
def test_a_wrong_union_is_seen() -> None:
    """Whoever errs though every binary learner is right breaks the lemma; a ledger that says so breaks the theorem."""
    assert within(*UNION.sides(RestMoment(wrong=True, wrong_binaries=1)))
    assert not within(*UNION.sides(RestMoment(wrong=True, wrong_binaries=0)))
    X, y = classes(300)
    for rule, name in ((ls.Perceptron(), "rest.perceptron"), (ls.PassiveAggressive(variant="PA-I", C=1.0), "rest.capped")):
        run = ls.run(ls.OneVersusRest(rule=rule), X, y)
        more = replace(run, ledger=replace(run.ledger, mistakes=200))
        found = {one.id: one for one in more.certify(against=U)}
        assert found[name].verdict is Verdict.VIOLATED


@pytest.mark.parametrize("told", [None, ("a", "b", "c"), ("c", "a", "b")])
def test_the_best_weights_for_every_class_are_solved_for(told: tuple[str, ...] | None) -> None:
    """u = ±1 is best for unit vectors and margin 1, up to what hinge losses save; from a run, and from a stream read again."""
    X, y = classes(300)
    for rule, name in ((ls.Perceptron(), "rest.perceptron"), (ls.PassiveAggressive(variant="PA-I", C=1.0), "rest.capped")):
        run = ls.run(ls.OneVersusRest(rule=rule), X, y, labels=told)
        again = certify_stream(run.learner, [[(X, y)]])
        for found in (run.certify(against="best"), again):
            best = {one.id: one for one in found}[name]
            assert best.holds, str(best)
            assert best.bound <= 9.0 + 1e-6
            assert best.comparator == "the best weights for every class against the rest"
    kernel = ls.run(ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=ls.kernels.Linear())), X, y, labels=told)
    assert {one.verdict for one in kernel.certify(against="best")} == {Verdict.UNPROVED}


def test_an_audit_of_one_versus_the_rest_sees_a_wrong_binary_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    source = np.random.default_rng(0)
    X = source.normal(size=(40, 3))
    y = np.argmax(X, axis=1)
    run = ls.run(ls.OneVersusRest(rule=ls.Perceptron()), X, y)
    assert audit(run) == audit(run, np.eye(3)) == 40 * (1 + 3 * 3)
    with pytest.raises(ls.InvalidData, match="expected 3 rows"):
        audit(run, np.eye(2))
    moved = ls.Perceptron.update

    def away(rule: ls.Perceptron, state: ls.State, row: ls.Row, trial: ls.Trial) -> ls.Step:
        step = moved(rule, state, row, trial)
        if step.moved:
            row.add_to(state.w, -3.0 * step.size)
        return step

    monkeypatch.setattr(ls.Perceptron, "update", away)
    with pytest.raises(ls.LemmaViolated):
        audit(run)


def test_other_rows_prove_nothing_of_one_versus_the_rest() -> None:
    X, y = classes(300)
    X = X.copy()
    run = ls.run(ls.OneVersusRest(rule=ls.Perceptron()), X, y)
    X[:] = np.roll(X, 1, axis=1)
    assert {one.verdict for one in run.certify(against=U)} == {Verdict.UNPROVED}
