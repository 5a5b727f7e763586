"""Kernel rules: primal and dual, compiled and defined, budgets, averages, objects."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import laws
import littlestone as ls
import pressed
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.kernels import Kernel, KernelRule, Support
from littlestone.kernels.expansion import DefinedExpansion
from littlestone.kernels.functions import Points, gram
from littlestone.loop import PythonLoop
from littlestone.streams.space import Table
from littlestone.theory.guarantee import within
from littlestone.theory.kernels import GUARANTEES, KernelMoment
from shown import shows

KERNELS: tuple[Kernel, ...] = (
    ls.kernels.Linear(),
    ls.kernels.Polynomial(degree=3, gamma=0.5, constant=1.0),
    ls.kernels.Gaussian(gamma=0.3),
    ls.kernels.Laplace(gamma=0.2),
)
every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: type(kernel).__name__)
XOR = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
XOR_LABELS = [1, -1, -1, 1]


def stream(seed: int, rows: int = 60, width: int = 5) -> tuple[FloatArray, list[int]]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, width))
    return X, np.where(np.sum(X**2, axis=1) + 0.3 * rng.normal(size=rows) > width - 1, 1, -1).tolist()


def rules(kernel: Kernel) -> Sequence[KernelRule]:
    return (
        ls.KernelPerceptron(kernel=kernel),
        ls.KernelPerceptron(kernel=kernel, budget=7, when_full="drop-oldest"),
        ls.KernelPerceptron(kernel=kernel, budget=4, when_full="project"),
        ls.KernelPassiveAggressive(kernel=kernel),
        ls.KernelPassiveAggressive(kernel=kernel, variant="PA-I", C=0.1),
        ls.KernelPassiveAggressive(kernel=kernel, variant="PA-II", C=0.5, margin=0.5),
        ls.KernelUniclass(kernel=kernel, epsilon=0.9, budget=None),
    )


def ring(seed: int, rows: int) -> tuple[FloatArray, list[int]]:
    X = np.random.default_rng(seed).normal(size=(rows, 3))
    return X, np.where(np.sum(X**2, axis=1) > 2.4, 1, -1).tolist()


# --- the linear kernel is the primal rule


@given(seed=st.integers(0, 10_000))
def test_linear_kernel_makes_the_updates_of_the_perceptron(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, size=(40, 4)).astype(float)
    y = np.where(rng.random(40) < 0.5, 1, -1)
    dual = ls.run(ls.KernelPerceptron(kernel=ls.kernels.Linear()), X, y, labels=(-1, 1), passes=3, keep=("update", "score"))
    primal = ls.run(ls.Perceptron(), X, y, labels=(-1, 1), passes=3, keep=("update", "score"))
    assert dual.columns["update"].tolist() == primal.columns["update"].tolist()
    assert dual.columns["score"].tolist() == primal.columns["score"].tolist()
    assert dual.ledger == primal.ledger
    support = dual.state
    assert isinstance(support, Support)
    points = np.asarray(support.points)
    assert (support.alpha @ points).tolist() == primal.state.w[: points.shape[1]].tolist()


@pytest.mark.parametrize(
    ("dual", "primal"),
    [
        (ls.KernelPassiveAggressive(kernel=ls.kernels.Linear()), ls.PassiveAggressive()),
        (
            ls.KernelPassiveAggressive(kernel=ls.kernels.Linear(), variant="PA-I", C=0.2),
            ls.PassiveAggressive(variant="PA-I", C=0.2),
        ),
        (
            ls.KernelPassiveAggressive(kernel=ls.kernels.Linear(), variant="relaxed", gamma=0.7),
            ls.PassiveAggressive(variant="relaxed", gamma=0.7),
        ),
    ],
)
def test_linear_kernel_makes_the_updates_of_passive_aggressive(dual: KernelRule, primal: ls.LinearRule) -> None:
    X, y = stream(3)
    left, right = (ls.run(rule, X, y, labels=(-1, 1), passes=2, keep=("update", "step")) for rule in (dual, primal))
    assert left.columns["update"].tolist() == right.columns["update"].tolist()
    assert left.columns["step"] == pytest.approx(right.columns["step"], rel=1e-9, abs=1e-12)


def test_regression_with_the_linear_kernel() -> None:
    X, _ = stream(4)
    y = X[:, 0] - 2.0 * X[:, 1]
    left = ls.run(ls.KernelPassiveAggressiveRegression(kernel=ls.kernels.Linear(), epsilon=0.05), X, y)
    right = ls.run(ls.PassiveAggressiveRegression(epsilon=0.05), X, y)
    assert left.ledger.updates == right.ledger.updates
    assert left.learner.score_many(X) == pytest.approx(right.learner.score_many(X), rel=1e-9, abs=1e-10)


# --- numbers


def test_xor_with_the_quadratic_kernel() -> None:
    """mohri.ex8.11: alpha = (1, 1, 1, 1) and M = 4 ≤ max K/ρ² = 9/2."""
    run = ls.run(ls.KernelPerceptron(kernel=ls.kernels.Polynomial(degree=2)), XOR, XOR_LABELS, passes=5)
    state = run.state
    assert isinstance(state, Support)
    assert (state.alpha * XOR_LABELS).tolist() == [1.0, 1.0, 1.0, 1.0]
    assert (run.ledger.updates, run.passes, run.ledger.largest_norm_squared) == (4, 2, 9.0)
    novikoff = next(c for c in run.certify("best") if c.id == "mohri.8.8")
    assert novikoff.bound == pytest.approx(4.5, rel=1e-6)
    assert novikoff.proved


def test_a_row_that_comes_again_gets_a_larger_coefficient() -> None:
    run = ls.run(ls.KernelPerceptron(kernel=ls.kernels.Linear()), [[1.0, 0.0], [3.0, 1.0]], [1, -1], passes=20)
    state = run.state
    assert isinstance(state, Support)
    assert len(state) == 2
    assert np.abs(state.alpha).sum() == run.ledger.updates > 2


@every_kernel
def test_tracked_norm_is_the_norm(kernel: Kernel) -> None:
    X, y = stream(5)
    for rule in rules(kernel):
        run = ls.run(rule, X) if rule.abilities.alone else ls.run(rule, X, y, labels=(-1, 1))
        state = run.state
        assert isinstance(state, Support)
        exact = float(state.alpha @ gram(kernel, state.points) @ state.alpha)
        assert state.expansion.norm_squared == pytest.approx(exact, rel=1e-7, abs=1e-9), rule


@given(x=st.lists(st.floats(-1e3, 1e3), min_size=40, max_size=40))
def test_gaussian_of_the_core_is_exact_to_the_last_digits(x: list[float]) -> None:
    """The core's own exp, and distances from dot products, against the definition summed exactly."""
    rows = np.array(x).reshape(20, 2) / 100.0
    batch = _core.dense_batch(rows)
    table = _core.Expansion(_core.KernelFunction.gaussian(0.37), budget=0, project=False)
    table.hold(batch)
    for t in range(20):
        table.look(batch, t)
        exact = [math.exp(-0.37 * math.fsum((a - b) ** 2 for a, b in zip(p, rows[t], strict=True))) for p in rows]
        assert table.values() == pytest.approx(exact, rel=2e-8, abs=1e-300)
        assert table.values()[t] == 1.0


def test_exp_of_the_core_to_an_ulp_or_two() -> None:
    """A one-dimensional Laplace kernel shows it bare, from 0 down to where it gives 0."""
    far = np.concatenate([np.linspace(0.0, 3.0, 997), np.linspace(3.0, 707.0, 5000)])[:, np.newaxis]
    table = _core.Expansion(_core.KernelFunction.laplace(1.0), budget=0, project=False)
    table.hold(_core.dense_batch(far))
    table.look(_core.dense_batch(np.zeros((1, 1))), 0)
    assert np.abs(table.values() / np.exp(-far[:, 0]) - 1.0).max() < 5e-16


def test_far_from_the_origin_near_points_keep_their_distance() -> None:
    """A difference of squares would lose every digit here."""
    rows = np.array([[1e8, 0.0], [1e8 + 1.0, 0.0]])
    table = _core.Expansion(_core.KernelFunction.gaussian(1.0), budget=0, project=False)
    table.hold(_core.dense_batch(rows))
    table.look(_core.dense_batch(rows), 0)
    assert table.values() == pytest.approx([1.0, math.exp(-1.0)], rel=1e-12)


# --- laws


@every_kernel
def test_compiled_equals_defined(kernel: Kernel) -> None:
    """The core repeats `DefinedExpansion` with the kernel's own `values`, budgets and all."""
    X, y = stream(6)
    for rule in rules(kernel):
        outcomes = ls.Intervals.inside(len(X)).outcomes if rule.abilities.alone else _core.labels(np.array(y, dtype=np.int8))
        state = Support(kernel, DefinedExpansion(kernel, budget=rule.limit() or 0, project=rule.projects()))
        totals, scores = _core.Totals(), np.zeros(len(X))
        columns = _core.RoundColumns(len(X), score=scores)
        PythonLoop(rule, state, None).learn(_core.dense_batch(X), outcomes, totals, columns, 0, len(X))
        keep = ("score",)
        run = ls.run(rule, X, keep=keep) if rule.abilities.alone else ls.run(rule, X, y, labels=(-1, 1), keep=keep)
        compiled = run.state
        assert isinstance(compiled, Support)
        assert ls.Ledger.of(totals).updates == run.ledger.updates, rule
        assert run.columns["score"] == pytest.approx(scores, rel=1e-12, abs=1e-12 * max(1.0, np.abs(scores).max())), rule
        assert compiled.alpha == pytest.approx(state.alpha, rel=1e-9, abs=1e-11), rule
        assert compiled.expansion.distortion == pytest.approx(state.expansion.distortion, rel=1e-6, abs=1e-6)
        assert compiled.expansion.dropped == state.expansion.dropped


@every_kernel
def test_every_way_gives_the_same_bits(kernel: Kernel) -> None:
    """Whole, parts, one by one, dense, sparse, Fortran, and dicts in the order of the columns."""
    X, y = stream(7, rows=40, width=33)
    X[np.random.default_rng(1).random(X.shape) < 0.5] = 0.0
    X[0] = 1.0
    for rule in rules(kernel):
        plain = ls.Learner(rule, labels=None if rule.abilities.alone else (-1, 1))
        learn(plain, X, y)
        for form in (np.asfortranarray(X), sp.csr_matrix(X), [{f"f{k}": v for k, v in enumerate(x) if v} for x in X.tolist()]):
            other = ls.Learner(rule, labels=None if rule.abilities.alone else (-1, 1))
            learn(other, form, y)
            assert alpha(other).tobytes() == alpha(plain).tobytes()
            assert laws.without_names(other.ledger) == laws.without_names(plain.ledger)
        single = ls.Learner(rule, labels=None if rule.abilities.alone else (-1, 1))
        for x, label in zip(X, y, strict=True):
            expected = single.predict_one(x)
            assert (single.learn_one(x) if rule.abilities.alone else single.learn_one(x, label)) == expected
        assert alpha(single).tobytes() == alpha(plain).tobytes()


def learn(learner: ls.Learner, X: Table, y: list[int]) -> None:
    if learner.rule.abilities.alone:
        learner.learn_many(X)
    else:
        learner.learn_many(X, y)


def alpha(learner: ls.Learner) -> FloatArray:
    assert isinstance(learner.state, Support)
    return learner.state.alpha


def test_scoring_minds_features_that_were_never_learned() -> None:
    learner = ls.Learner(ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=1.0)), labels=(-1, 1))
    learner.learn_one({"a": 1.0}, 1)
    assert learner.score_one({"a": 1.0}) == 1.0
    assert learner.score_one({"a": 1.0, "new": 1.0}) == pytest.approx(math.exp(-1.0))
    assert learner.features == ["a"]


def test_predictions_of_dicts_one_by_one_mind_them_too() -> None:
    """Each row brings a feature of its own, so what `predict_one` leaves out `learn_one` would see."""
    learner = ls.Learner(ls.KernelPerceptron(kernel=ls.kernels.Polynomial(degree=1, constant=0.5)), labels=(-1, 1))
    rng = np.random.default_rng(3)
    for t in range(60):
        row = {f"f{k}": float(rng.normal()) for k in rng.integers(0, 8, size=3).tolist()} | {f"own{t}": 2.0}
        expected = learner.predict_one(row)
        assert learner.learn_one(row, int(rng.choice([-1, 1]))) == expected
    learner = ls.Learner(ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=1.0)), labels=(-1, 1))
    learner.learn_many([{"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 1.0}], [1, -1])
    learner.learn_one({"a": 0.0}, 1)
    assert learner.predict_one({"a": 1.0, "b": 1.0}) == -1
    assert learner.predict_one({"a": 1.0, "b": 1.0, "new": 100.0}) == 1, "a score of 0 shows +1"


@pytest.mark.parametrize("when_full", ["drop-oldest", "project"])
def test_a_budget_is_kept(when_full: str) -> None:
    X, y = stream(8, rows=400)
    rule = ls.KernelPerceptron(
        kernel=ls.kernels.Gaussian(gamma=0.2), budget=20, when_full="project" if when_full == "project" else "drop-oldest"
    )
    run = ls.run(rule, X, y)
    state = run.state
    assert isinstance(state, Support)
    assert len(state) == 20
    assert run.ledger.updates > 40
    assert run.ledger.mistakes < 0.5 * run.ledger.rounds


def test_drop_oldest_drops_the_oldest() -> None:
    rule = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=100.0), budget=2, when_full="drop-oldest")
    run = ls.run(rule, [[0.0], [1.0], [2.0], [3.0]], [1, -1, 1, -1], labels=(-1, 1))
    state = run.state
    assert isinstance(state, Support)
    assert np.asarray(state.points).tolist() == [[2.0], [3.0]]
    assert state.alpha.tolist() == [1.0, -1.0]


def test_projection_leaves_scores_on_the_points_as_they_would_be() -> None:
    """w + Pφ(x) and w + φ(x) agree on every support point."""
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(4, 3))
    batch = _core.dense_batch(rows)
    kernel = _core.KernelFunction.gaussian(0.5)
    projected, free = (_core.Expansion(kernel, budget=b, project=True) for b in (3, 0))
    for t in range(4):
        for w in (projected, free):
            w.look(batch, t)
            w.add(1.0)
    assert (len(projected), len(free)) == (3, 4)
    for t in range(3):
        projected.look(batch, t)
        free.look(batch, t)
        assert projected.score() == pytest.approx(free.score(), rel=1e-12)
    assert projected.norm_squared + projected.distortion**2 == pytest.approx(free.norm_squared, rel=1e-9)


def test_budget_certificates() -> None:
    X, y = ring(9, rows=300)
    kernel = ls.kernels.Gaussian(gamma=0.5)
    projected = ls.run(ls.KernelPerceptron(kernel=kernel, budget=30), X, y).certify("best")
    assert [c.id for c in projected if c.proved] == ["kernel.projected"]
    dropped = ls.run(ls.KernelPerceptron(kernel=kernel, budget=15, when_full="drop-oldest"), X, y).certify("best")
    assert {c.verdict for c in dropped} == {ls.Verdict.UNPROVED}
    idle = ls.run(ls.KernelPerceptron(kernel=kernel, budget=10_000), X, y)
    assert "mohri.8.11" in [c.id for c in idle.certify("best") if c.proved]


@shows("never", "kernel.projected")
@settings(max_examples=15)
@given(seed=st.integers(0, 10_000), budget=st.sampled_from([3, 8, 20]))
def test_projected_bound_is_never_violated(seed: int, budget: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 2))
    y = np.where(rng.random(60) < 0.5, 1, -1)
    run = ls.run(ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=1.0), budget=budget), X, y, labels=(-1, 1))
    for beta in (0.1 * y, 0.5 * y * (rng.random(60) < 0.3)):
        certificate = next(c for c in run.certify(beta) if c.id == "kernel.projected")
        assert certificate.verdict in (ls.Verdict.HOLDS, ls.Verdict.VACUOUS)


def test_a_mutant_that_forgets_the_distortion_breaks_the_theorem() -> None:
    """Without D the bound is false: one support point, and labels that it cannot tell apart."""
    X = np.linspace(0.0, 12.0, 60)[:, np.newaxis]
    y = np.where(np.arange(60) % 2, 1, -1)
    run = ls.run(ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=30.0), budget=1), X, y, labels=(-1, 1), passes=40)
    certificate = next(c for c in run.certify("best") if c.id == "kernel.projected")
    assert certificate.verdict is not ls.Verdict.VIOLATED
    novikoff = next(
        c
        for c in ls.run(ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=30.0)), X, y, labels=(-1, 1), passes=40).certify(
            "best"
        )
        if c.id == "mohri.8.8"
    )
    assert run.ledger.updates > novikoff.bound


def test_averaged_form_is_the_mean_of_the_scores_used() -> None:
    X, y = stream(10, rows=50)
    rule = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.2))
    learner, total = ls.Learner(rule, labels=(-1, 1)), np.zeros(50)
    for x, label in zip(X, y, strict=True):
        total += learner.score_many(X)
        learner.learn_one(x, label)
    assert learner.averaged().score_many(X) == pytest.approx(total / 50, rel=1e-9, abs=1e-12)


def test_voted_form_is_the_vote() -> None:
    X, y = stream(11, rows=40)
    rule = ls.KernelPerceptron(kernel=ls.kernels.Laplace(gamma=0.2))
    learner, votes = ls.Learner(rule, labels=(-1, 1)), np.zeros(40)
    for x, label in zip(X, y, strict=True):
        votes += np.sign(learner.score_many(X))
        learner.learn_one(x, label)
    run = ls.run(rule, X, y, labels=(-1, 1), keep=("step", "update"))
    assert ls.convert.voted(run).score_many(X) == pytest.approx(votes / 40)


def test_averaged_uniform_of_a_kernel_equals_the_primal() -> None:
    X, y = [[1, 0], [-3, 1], [0, 1], [1, 0], [0, 1]], [1, 1, -1, 1, -1]
    run = ls.run(ls.KernelPerceptron(kernel=ls.kernels.Linear()), X, y, keep=("step", "update"))
    assert (6 * ls.convert.averaged_uniform(run).score_many(np.eye(2))).round(12).tolist() == [-5.0, 0.0]


# --- kernels of the user


def test_custom_kernel_on_arrays_equals_the_compiled_one() -> None:
    X, y = stream(12)
    own = ls.kernels.Custom(function=lambda points, x: np.exp(-0.3 * np.sum((np.asarray(points) - x) ** 2, axis=1)))
    left = ls.run(ls.KernelPerceptron(kernel=own), X, y, labels=(-1, 1))
    right = ls.run(ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.3)), X, y, labels=(-1, 1))
    assert left.ledger.updates == right.ledger.updates
    assert left.learner.score_many(X) == pytest.approx(right.learner.score_many(X), rel=1e-9, abs=1e-12)


def shared_letters(points: Points, x: object) -> list[float]:
    return [float(len(set(str(p)) & set(str(x)))) for p in points]


def test_strings_through_a_kernel() -> None:
    words = np.array(["abba", "xyzzy", "cab", "zoo", "bad", "yox"] * 4, dtype=object)
    y = ["early", "late", "early", "late", "early", "late"] * 4
    rule = ls.KernelPerceptron(kernel=ls.kernels.Custom(function=shared_letters, of="objects"))
    run = ls.run(rule, words, y, passes=20)
    assert run.converged
    assert run.learner.predict_many(words).tolist() == y
    assert any(c.holds for c in run.certify("best"))


@pytest.mark.parametrize(
    "function",
    [lambda points, x: [1.0], lambda points, x: [math.nan] * len(points), lambda points, x: [-1.0] * len(points)],
    ids=["too few", "nan", "negative"],
)
def test_a_bad_kernel_is_refused_without_a_trace(function: object) -> None:
    calls = 0

    def sometimes(points: Points, x: object) -> object:
        nonlocal calls
        calls += 1
        assert callable(function)
        return [1.0] * len(points) if calls < 6 else function(points, x) if calls % 2 == 0 or len(points) > 1 else [-1.0]

    learner = ls.Learner(ls.KernelPerceptron(kernel=ls.kernels.Custom(function=sometimes)), labels=(-1, 1))
    learner.learn_many([[1.0], [2.0]], [1, -1])
    before = (learner.ledger, alpha(learner).tolist())
    with pytest.raises(ls.InvalidData, match="kernel"):
        learner.learn_many([[3.0], [4.0], [5.0], [6.0]], [-1, 1, -1, 1])
    assert (learner.ledger, alpha(learner).tolist()) == before


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ls.kernels.Polynomial(degree=0), "Polynomial: degree is 0; degree must be a whole number"),
        (lambda: ls.kernels.Polynomial(gamma=0.0), "Polynomial: gamma is 0.0; gamma must be a finite number above 0"),
        (lambda: ls.kernels.Polynomial(constant=-1.0), "Polynomial: constant is -1.0"),
        (lambda: ls.kernels.Gaussian(gamma=math.inf), "Gaussian: gamma is inf"),
        (lambda: ls.KernelPerceptron(kernel=ls.kernels.Linear(), budget=0), "KernelPerceptron: budget is 0"),
        (lambda: ls.KernelPassiveAggressive(kernel=ls.kernels.Linear(), C=1.0), "C has no meaning"),
        (lambda: ls.Uniclass(epsilon=-1.0), "Uniclass: epsilon is -1.0"),
    ],
)
def test_parameters_are_checked(make: Callable[[], object], words: str) -> None:
    with pytest.raises(ls.InvalidParameter, match=re.escape(words)):
        make()


@settings(max_examples=10)
@given(seed=st.integers(0, 10_000), when_full=st.sampled_from([0, 5]))
def test_lemma_of_the_projected_perceptron(seed: int, when_full: int) -> None:
    X, y = stream(seed, rows=40)
    batch = _core.dense_batch(X)
    w = _core.Expansion(_core.KernelFunction.gaussian(0.3), budget=when_full, project=True)
    for t, label in enumerate(y):
        w.look(batch, t)
        if label * w.score() <= 0.0:
            before = w.norm_squared
            w.add(float(label))
            moment = KernelMoment(before, w.norm_squared, w.self(), 1.0)
            assert within(*GUARANTEES[0].lemmas[0].sides(moment))


def test_malformed_rows_change_nothing() -> None:
    learner = ls.Learner(ls.KernelPerceptron(kernel=ls.kernels.Gaussian()), labels=(-1, 1))
    learner.learn_many([[1.0], [2.0]], [1, -1])
    before = (learner.ledger, alpha(learner).tolist())
    with pytest.raises(ls.InvalidData, match="row 1: value of feature 0 is nan"):
        learner.learn_many([[1.0], [math.nan]], [1, -1])
    assert (learner.ledger, alpha(learner).tolist()) == before


# --- theorems in the space of the kernel


@settings(max_examples=12)
@given(seed=st.integers(0, 10_000))
def test_no_theorem_is_violated(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 2)).round(1)
    y = np.where(rng.random(40) < 0.6, np.where(np.sum(X**2, axis=1) > 1.5, 1, -1), np.where(rng.random(40) < 0.5, 1, -1))
    for rule in (
        ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=1.0)),
        ls.KernelPassiveAggressive(kernel=ls.kernels.Laplace(gamma=1.0)),
        ls.KernelPassiveAggressive(kernel=ls.kernels.Polynomial(), variant="relaxed", gamma=1.0),
    ):
        run = ls.run(rule, X, y, labels=(-1, 1))
        for against in ("best", 0.3 * y):
            assert ls.Verdict.VIOLATED not in [c.verdict for c in run.certify(against)]


# --- long calls


def test_ctrl_c_ends_a_long_call_and_keeps_the_rounds_before_it() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60_000, 20))
    y = np.where(rng.random(60_000) < 0.5, 1, -1)
    learner = ls.Learner(ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.01)), labels=(-1, 1))
    with pytest.raises(KeyboardInterrupt), pressed.ctrl_c(after=0.4):
        learner.learn_many(X, y)
    rounds = learner.ledger.rounds
    assert 0 < rounds < 60_000
    again = ls.Learner(learner.rule, labels=(-1, 1))
    again.learn_many(X[:rounds], y[:rounds])
    assert alpha(again).tobytes() == alpha(learner).tobytes()


def test_progress_bar(capsys: pytest.CaptureFixture[str]) -> None:
    X, y = stream(13)
    shown = ls.Learner(ls.KernelPerceptron(kernel=ls.kernels.Gaussian()), labels=(-1, 1))
    shown.learn_many(X, y, progress=True)
    assert "KernelPerceptron" in capsys.readouterr().out
    silent = ls.Learner(shown.rule, labels=(-1, 1))
    silent.learn_many(X, y)
    assert alpha(shown).tobytes() == alpha(silent).tobytes()


def test_average_precision_on_mammography() -> None:
    """The uniclass score finds anomalies several times as well as chance."""
    place = Path(os.environ.get("LITTLESTONE_DATA", Path(__file__).parents[2] / "shared" / "data"))
    path = place / "oneclass" / "mammography.csv.gz"
    if not path.is_file():
        pytest.skip("mammography.csv.gz is not there")
    table = np.genfromtxt(path, delimiter=",", dtype=str)
    table = table[np.random.default_rng(0).permutation(len(table))]
    anomaly = np.char.strip(table[:, 6], "'") == "1"
    run = ls.run(ls.Uniclass(epsilon=1.0), table[:, :6].astype(np.float64), keep=("score",))
    hits = anomaly[np.argsort(run.columns["score"], kind="stable")[::-1]]
    precision = float((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean())
    assert precision > 4.0 * anomaly.mean()
