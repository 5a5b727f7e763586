"""Every guarantee: its lemma on every round, its theorem on streams, tight instances, and every verdict."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import laws
import littlestone as ls
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.theory import Comparison, LinearEvidence, Verdict, passive_aggressive, perceptron
from littlestone.theory.guarantee import within
from littlestone.theory.moments import moments
from shown import shows
from strategies import Stream, integer, intervals, separable, streams, tame
from test_perceptron import FOUR, hadamard
from test_teeth import BiasOutsideTheNorm, WrongSignOnNegatives

PERCEPTRON = ("mohri.8.8", "mohri.8.8w0", "mohri.8.11", "mohri.8.12", "blum.5.11", "bylander.5")


ETA = st.sampled_from([0.3, 1.0, 4.0])


def certificate(name: str, run: ls.Run, against: object = None) -> ls.Certificate:
    """The certificate of one guarantee."""
    found = [c for c in laws.call(ls.certify, run, against=against) if c.id == name]
    assert len(found) == 1, f"{name} does not speak of {run.rule}"
    return found[0]


def run_of(rule: ls.LinearRule, stream: Stream, **more: int) -> ls.Run:
    return ls.run(rule, stream.X, stream.y, labels=(-1, 1) if stream.labelled else None, passes=more.get("passes", 1))


def check_lemmas(name: str, rule: ls.LinearRule, stream: Stream, u: FloatArray) -> int:
    """Asserts the one-round inequalities of a guarantee on every round; returns the number of moves."""
    moved = 0
    for moment in moments(rule, _core.dense_batch(stream.X), stream.outcomes, u, rule.ends()[0]):
        moved += moment.moved
        for lemma in ls.theory.linear[name].lemmas:
            left, right = lemma.sides(moment)
            # Squared distances cancel: the rounding is that of the largest square.
            scale = float(moment.w @ moment.w + moment.w_next @ moment.w_next + u @ u)
            assert within(left, right + 1e-12 * scale), f"{lemma.words}: {left} > {right}"
    return moved


def opposed(rule: ls.LinearRule, X: FloatArray) -> Stream:
    """The labels that make every round a mistake."""
    learner = ls.Learner(rule, labels=(-1, 1))
    y = []
    for x in X:
        y.append(-1 if learner.score_one(x) >= 0.0 else 1)
        learner.learn_one(x, y[-1])
    return Stream(X, np.array(y))


def radius_squared(stream: Stream) -> float:
    return max(float((stream.X**2).sum(axis=1).max()), 1e-12)


def test_every_guarantee_has_a_lemma_and_words() -> None:
    for name, guarantee in ls.theory.guarantees.items():
        assert guarantee.id == name
        assert guarantee.lemmas, name
        assert guarantee.statement
        assert guarantee.latex
        assert guarantee.source


# --- lemmas


@pytest.mark.parametrize("name", PERCEPTRON)
@given(data=st.data())
def test_lemmas_of_the_perceptron(name: str, data: st.DataObject) -> None:
    stream = data.draw(streams("labels", tame))
    u = np.array(data.draw(st.lists(st.floats(-3, 3), min_size=stream.width, max_size=stream.width)))
    rule = ls.Perceptron(
        eta=data.draw(st.sampled_from([0.3, 1.0, 4.0])), start=data.draw(st.sampled_from([None, np.array([1.0, -3.5])]))
    )
    check_lemmas(name, rule, stream, u)
    hostile = opposed(rule, stream.X)
    assert check_lemmas(name, rule, hostile, u) == len(hostile)


@pytest.mark.parametrize("kind", ["labels", "intervals"])
@given(data=st.data())
def test_lemma_of_bylander_2(kind: str, data: st.DataObject) -> None:
    stream = data.draw(streams(kind, tame))
    u = np.array(data.draw(st.lists(st.floats(-3, 3), min_size=stream.width, max_size=stream.width)))
    rule = ls.Perceptron(
        eta=data.draw(st.sampled_from([0.3, 1.0, 4.0])), start=data.draw(st.sampled_from([None, np.array([1.0, -3.5])]))
    )
    check_lemmas("bylander.2", rule, stream, u)
    run = run_of(rule, stream)
    assert certificate("bylander.2", run, u).proved


@shows("never", "bylander.8")
@pytest.mark.parametrize("kind", ["labels", "intervals"])
@given(data=st.data())
def test_lemma_of_bylander_8(kind: str, data: st.DataObject) -> None:
    stream = data.draw(streams(kind, tame))
    tolerance = data.draw(st.sampled_from([0.1, 0.5, 2.0]))
    part = data.draw(st.sampled_from([1.0, 0.5]))
    rule = ls.Perceptron(eta=part * 2.0 * tolerance / radius_squared(stream), tolerance=tolerance)
    u = np.array(data.draw(st.lists(st.floats(-3, 3), min_size=stream.width, max_size=stream.width)))
    check_lemmas("bylander.8", rule, stream, u)
    assert certificate("bylander.8", run_of(rule, stream), u).proved


@shows("never", "bylander.11")
@given(data=st.data())
def test_lemma_of_bylander_11(data: st.DataObject) -> None:
    stream = data.draw(streams("labels", tame))
    rule = ls.RandomizedPerceptron(eta=1.0 / radius_squared(stream))
    u = np.array(data.draw(st.lists(st.floats(-3, 3), min_size=stream.width, max_size=stream.width)))
    for name in ("bylander.8", "bylander.11"):
        check_lemmas(name, rule, stream, u)
        check_lemmas(name, rule, opposed(rule, stream.X), u)
    assert certificate("bylander.11", run_of(rule, stream), u).verdict in (Verdict.HOLDS, Verdict.VACUOUS)


@given(data=st.data(), case=separable())
def test_lemmas_of_the_margin_perceptron(data: st.DataObject, case: tuple[Stream, FloatArray]) -> None:
    stream, u = case
    for name in ("mohri.ex8.6", "mohri.ex8.6x"):
        check_lemmas(name, ls.MarginPerceptron(rho=data.draw(st.sampled_from([0.1, 1.0, 9.0]))), stream, u)


@pytest.mark.parametrize("name", ["pa.1", "pa.1r", "pa.1m", "pa.1h"])
@given(case=separable(), start=st.sampled_from([None, np.array([3.0])]))
def test_lemma_of_the_projection(name: str, case: tuple[Stream, FloatArray], start: FloatArray | None) -> None:
    stream, u = case
    rule = ls.PassiveAggressive(start=start)
    assert check_lemmas(name, rule, stream, u) >= (start is None)


@given(data=st.data())
def test_lemma_of_the_projection_on_targets(data: st.DataObject) -> None:
    rows = data.draw(tame)
    u = np.array(data.draw(st.lists(st.floats(-3, 3), min_size=rows.shape[1], max_size=rows.shape[1])))
    noise = np.array(data.draw(st.lists(st.floats(-0.099, 0.099), min_size=len(rows), max_size=len(rows))))
    stream = Stream(rows, rows @ u + noise)
    rule = ls.PassiveAggressiveRegression(epsilon=0.1)
    check_lemmas("pa.1", rule, stream, u)
    verdict = certificate("pa.1", run_of(rule, stream), u)
    assert verdict.verdict is not Verdict.VIOLATED
    if verdict.verdict is Verdict.UNPROVED:
        assert run_of(rule, stream).ledger.impossible


@pytest.mark.parametrize("kind", ["labels", "targets", "intervals"])
@given(data=st.data())
def test_lemma_of_pa_3(kind: str, data: st.DataObject) -> None:
    stream = data.draw(streams(kind, tame))
    u = np.array(data.draw(st.lists(st.floats(-3, 3), min_size=stream.width, max_size=stream.width)))
    gamma = data.draw(st.sampled_from([0.1, 1.0, 10.0]))
    rule: ls.LinearRule = ls.PassiveAggressive(variant="relaxed", gamma=gamma, margin=data.draw(st.sampled_from([0.5, 1.0])))
    if kind == "targets":
        rule = ls.PassiveAggressiveRegression(variant="PA-II", C=gamma)
    check_lemmas("pa.3", rule, stream, u)
    run = run_of(rule, stream)
    found = certificate("pa.3", run, u)
    assert found.verdict is Verdict.UNPROVED if run.ledger.impossible else found.proved


# --- theorems on streams


@shows("never", "mohri.8.8", "mohri.8.8w0", "bylander.5", "bylander.2", "mohri.ex8.11")
@given(case=separable(), passes=st.sampled_from([1, 50]))
def test_theorems_of_the_perceptron_are_never_violated(case: tuple[Stream, FloatArray], passes: int) -> None:
    stream, u = case
    for rule in (ls.Perceptron(), ls.Perceptron(eta=0.3), ls.Perceptron(eta=2.0, start=np.array([-3.5]))):
        run = run_of(rule, stream, passes=passes)
        for found in ls.certify(run, against=u):
            assert found.verdict is not Verdict.VIOLATED, str(found)


@shows("never", "mohri.8.11", "mohri.8.12", "blum.5.11")
@given(stream=streams("labels", tame), scale=st.floats(-2, 2))
def test_theorems_for_every_comparator(stream: Stream, scale: float) -> None:
    """Spec 8.11, 8.12, 5.11: any u, any stream, labels that oppose the learner."""
    u = scale * stream.signs @ stream.X / len(stream)
    for case in (stream, opposed(ls.Perceptron(), stream.X)):
        run = run_of(ls.Perceptron(), case)
        for name in ("mohri.8.11", "mohri.8.12", "blum.5.11"):
            assert certificate(name, run, u).verdict in (Verdict.HOLDS, Verdict.VACUOUS)
    # Where every round is an update, L ≤ √M·√Σℓ² makes 8.11 the sharper; on x = 1, 1 with y·u·x = ½ it is not: 1.64 > 1.46.
    assert run.ledger.updates == run.ledger.rounds
    assert certificate("mohri.8.11", run, u).bound <= certificate("mohri.8.12", run, u).bound * (1 + 1e-9)


def test_neither_of_two_hinge_bounds_is_always_the_sharper() -> None:
    run = run_of(ls.Perceptron(), Stream(np.ones((2, 1)), np.array([-1, -1])))
    bounds = [certificate(name, run, np.array([-0.5])).bound for name in ("mohri.8.11", "mohri.8.12")]
    assert bounds == pytest.approx([((0.5 + 4.25**0.5) / 2) ** 2, (0.5 + 0.5**0.5) ** 2])
    assert bounds[0] > bounds[1]


@shows("never", "pa.1", "pa.1r", "pa.1x", "pa.1c", "pa.1m", "pa.1h", "pa.2", "pa.3", "pa.3m", "pa.capped")
@shows("never", "mohri.ex8.6", "mohri.ex8.6x")
@given(case=separable())
def test_theorems_of_pa_and_margin_are_never_violated(case: tuple[Stream, FloatArray]) -> None:
    stream, u = case
    rho = float((stream.signs * (stream.X @ u)).min() / np.linalg.norm(u))
    for rule in (
        ls.PassiveAggressive(),
        ls.PassiveAggressive(margin=0.3, start=np.array([1.0])),
        ls.PassiveAggressive(variant="relaxed", gamma=0.3),
        ls.PassiveAggressive(variant="PA-II", C=2.0),
        ls.PassiveAggressive(variant="PA-I", C=0.3, margin=0.7),
        ls.MarginPerceptron(rho=rho),
        ls.RandomizedPerceptron(eta=1.0 / radius_squared(stream)),
    ):
        found = ls.certify(run_of(rule, stream, passes=20), against=u)
        assert found
        assert not [str(c) for c in found if c.verdict is Verdict.VIOLATED]


def wide_margin(count: int = 1600) -> tuple[Stream, FloatArray]:
    """A stream on which the theorems say something."""
    source = np.random.default_rng(7)
    X = source.uniform(-1, 1, size=(count, 3))
    u = np.array([1.0, -1.0, 0.5])
    X = X[np.abs(X @ u) > 0.5]
    return Stream(X, np.where(X @ u > 0, 1, -1)), u


NON_VACUOUS: list[tuple[str, ls.LinearRule]] = [
    *((name, ls.Perceptron()) for name in PERCEPTRON),
    ("mohri.8.8w0", ls.Perceptron(start=np.array([-1.0, 0.0, 0.5]))),
    ("bylander.2", ls.Perceptron()),
    ("bylander.8", ls.Perceptron(tolerance=0.25, eta=0.1)),
    ("bylander.11", ls.RandomizedPerceptron(eta=1.0 / 3.0)),
    ("mohri.ex8.6", ls.MarginPerceptron(rho=0.33)),
    ("mohri.ex8.6x", ls.MarginPerceptron(rho=0.33)),
    ("pa.1", ls.PassiveAggressive()),
    ("pa.1r", ls.PassiveAggressive()),
    ("pa.1x", ls.PassiveAggressive()),
    ("mohri.ex8.11", ls.Perceptron()),
    ("pa.1c", ls.PassiveAggressive()),
    ("pa.2", ls.PassiveAggressive()),
    ("pa.batch", ls.BatchPassiveAggressive(beta=0.25)),
    ("pa.1m", ls.PassiveAggressive()),
    ("pa.1h", ls.PassiveAggressive()),
    ("pa.3", ls.PassiveAggressive(variant="relaxed", gamma=1.0)),
    ("pa.3", ls.PassiveAggressive(variant="PA-II", C=0.5)),
    ("pa.3m", ls.PassiveAggressive(variant="PA-II", C=0.5)),
    ("pa.capped", ls.PassiveAggressive(variant="PA-I", C=1.0)),
    ("pa.2", ls.PassiveAggressive()),
    ("pa.batch", ls.BatchPassiveAggressive(beta=0.5)),
    ("mohri.ex8.11", ls.Perceptron()),
]


@pytest.mark.parametrize(("name", "rule"), NON_VACUOUS, ids=str)
def test_theorem_says_something(name: str, rule: ls.LinearRule) -> None:
    stream, u = wide_margin()
    if name in ("bylander.2", "bylander.8"):
        # A score of 0 loses nothing on a label, so a bound on the loss says something only of other intervals.
        stream = Stream(stream.X, ls.Intervals.of_labels(np.asarray(stream.y), margin=1.0))
    found = certificate(name, run_of(rule, stream), 2.0 * u)
    assert found.verdict is Verdict.HOLDS
    assert 0.0 < found.measured <= found.bound < len(stream)
    assert all(check.met for check in found.assumptions)


def test_every_guarantee_is_shown_to_say_something() -> None:
    additive = {guarantee.id for guarantee in (*perceptron.GUARANTEES, *passive_aggressive.GUARANTEES)}
    assert {name for name, _ in NON_VACUOUS} == additive


# --- tight instances

UNIT = Stream(np.eye(9), np.ones(9, dtype=np.int64))
ONES = np.ones(9)


@shows("tight", "mohri.8.8", "bylander.5")
@shows("example", "bylander.5")
def test_ex83_unit_vectors_meet_mohri_88() -> None:
    found = certificate("mohri.8.8", run_of(ls.Perceptron(), UNIT), ONES)
    assert found.measured == 9
    assert found.bound == pytest.approx(9.0, rel=1e-12)
    assert certificate("mohri.8.8w0", run_of(ls.Perceptron(), UNIT), ONES).bound == pytest.approx(9.0, rel=1e-12)
    assert certificate("bylander.5", run_of(ls.Perceptron(), UNIT), ONES).bound == 9


@shows("example", "mohri.8.8")
def test_mohri_88_four_points() -> None:
    """M = 4 ≤ 25: r² = 5 over the rows, ρ = .44721; the update rounds alone give r² = 2."""
    run = run_of(ls.Perceptron(), FOUR, passes=9)
    found = certificate("mohri.8.8", run, [2.0, -1.0])
    assert run.ledger.largest_norm_squared == 5.0
    reference = ls.run(ls.Fixed(weights=np.array([2.0, -1.0])), FOUR.X, FOUR.y)
    assert reference.ledger.smallest_margin / math.sqrt(5) == pytest.approx(0.44721, abs=1e-5)
    assert (found.measured, found.proved) == (4, True)
    assert found.bound == pytest.approx(2.0 * 5.0)


@shows("tight", "mohri.8.8")
def test_hadamard_meets_mohri_88() -> None:
    X = hadamard(64)
    stream = Stream(X, X[:, 0].astype(np.int64))
    found = certificate("mohri.8.8", run_of(ls.Perceptron(), stream), np.eye(64)[0])
    assert (found.measured, found.bound) == (64, 64.0)


@shows("example", "mohri.8.8w0")
def test_mohri_88_is_false_as_printed_for_a_start() -> None:
    """Spec: x = 1, y = +, w_0 = −3.5: 4 updates where r²/ρ² = 1; the corrected bound is 8."""
    run = ls.run(ls.Perceptron(start=np.array([-3.5])), np.ones((9, 1)), np.ones(9, dtype=int))
    assert run.ledger.updates == 4
    printed = certificate("mohri.8.8", run, [1.0])
    assert printed.verdict is Verdict.UNPROVED
    assert [check.words for check in printed.assumptions if not check.met] == ["the start is 0"]
    assert ls.theory.linear["mohri.8.8"].bound(LinearEvidence(run.rule, run.ledger, comparison([1.0], run))) == 1.0 < 4
    corrected = certificate("mohri.8.8w0", run, [1.0])
    assert corrected.proved
    assert corrected.bound == pytest.approx(8.0)


def comparison(u: list[float], run: ls.Run) -> Comparison:
    return Comparison(np.array(u), ls.run(ls.Fixed(weights=np.array(u)), run.X, run.y, labels=(-1, 1)).ledger)


@shows("example", "mohri.8.11", "mohri.8.12", "blum.5.11", "mohri.ex8.11")
def test_hinge_bounds_by_hand() -> None:
    """Spec: x = 1 four times, y = +, +, +, −: M = 2; with u = 1: 8.11 4, 8.12 (1 + 2)² = 9, 5.11 5; ex 8.11 2 + √2."""
    run = ls.run(ls.Perceptron(), np.ones((4, 1)), [1, 1, 1, -1])
    assert run.ledger.updates == 2
    for name, bound in (("mohri.8.11", 4.0), ("mohri.8.12", 9.0), ("blum.5.11", 5.0)):
        found = certificate(name, run, [1.0])
        assert found.bound == pytest.approx(bound)
        assert found.verdict is Verdict.VACUOUS
    assert certificate("mohri.ex8.11", run, [1.0]).bound == pytest.approx(2.0 + math.sqrt(2.0))


@shows("example", "bylander.2")
@shows("tight", "bylander.2")
def test_bylander_2_by_hand_is_tight() -> None:
    """x = 1, I = {1}, η = ½, three rounds: losses 1, ½, 0; with the two updates counted the bound is 1.5."""
    run = ls.run(ls.Perceptron(eta=0.5), np.ones((3, 1)), ls.Intervals.of_targets(np.ones(3)), keep=("loss",))
    assert run.columns["loss"].tolist() == [1.0, 0.5, 0.0]
    found = certificate("bylander.2", run, [1.0])
    assert (found.measured, found.bound, found.proved) == (1.5, 1.5, True)


@shows("tight", "bylander.2")
@pytest.mark.parametrize(("length", "U"), [(4, 2.0), (9, 3.0), (16, 1.0)])
def test_bylander_2_unit_vectors_are_tight(length: int, U: float) -> None:
    """x_t = e_t, I_t = {U/√l}, η = U/√l: loss U√l = bound."""
    target = U / math.sqrt(length)
    run = ls.run(ls.Perceptron(eta=target), np.eye(length), ls.Intervals.of_targets(np.full(length, target)))
    found = certificate("bylander.2", run, np.full(length, target))
    assert found.measured == pytest.approx(U * math.sqrt(length))
    assert found.bound == pytest.approx(found.measured)


@shows("example", "bylander.8")
@shows("tight", "bylander.8")
def test_bylander_8_by_hand_is_tight() -> None:
    y = ls.Intervals(np.ones(5), np.full(5, np.inf))
    found = certificate("bylander.8", ls.run(ls.Perceptron(tolerance=0.5), np.ones((5, 1)), y), [1.0])
    assert (found.measured, found.bound, found.proved) == (0.5, 0.5, True)


@shows("example", "bylander.11")
@shows("tight", "bylander.11")
def test_bylander_11_unit_vectors_are_tight() -> None:
    found = certificate("bylander.11", run_of(ls.RandomizedPerceptron(), UNIT), ONES)
    assert (found.measured, found.bound, found.proved) == (4.5, 4.5, True)


@shows("example", "pa.1", "pa.1m", "pa.1h")
@shows("tight", "pa.1")
def test_pa_1_unit_vectors_are_tight() -> None:
    found = certificate("pa.1", run_of(ls.PassiveAggressive(), UNIT), ONES)
    assert (found.measured, found.bound, found.proved) == (9.0, 9.0, True)
    assert certificate("pa.1m", run_of(ls.PassiveAggressive(), UNIT), ONES).bound == pytest.approx(9.0)
    assert certificate("pa.1h", run_of(ls.PassiveAggressive(), UNIT), ONES).bound == pytest.approx(18.0)


@shows("example", "pa.1x")
def test_pa_1_counts_what_margin_is_to_spare() -> None:
    """u = 2·(1, ..., 1) has margin 2 where 1 is asked for: 9 + 2·1·9 ≤ 36; without a spare margin it is pa.1 itself."""
    run = run_of(ls.PassiveAggressive(), UNIT)
    found = certificate("pa.1x", run, 2.0 * ONES)
    assert (found.measured, found.bound, found.proved) == (27.0, 36.0, True)
    assert [certificate(name, run, ONES).measured for name in ("pa.1", "pa.1x")] == [9.0, 9.0]
    assert certificate("pa.1x", run, 0.5 * ONES).verdict is Verdict.UNPROVED


@shows("example", "pa.1x")
def test_pa_1_counts_what_error_is_to_spare() -> None:
    """Targets 1 on unit vectors, ε = ½: losses of ½. u = .9 errs by .1, so 9·¼ + 2·.4·4.5 = 5.85 ≤ 9·.81 = 7.29."""
    rule = ls.PassiveAggressiveRegression(epsilon=0.5)
    run = ls.run(rule, np.eye(9), np.ones(9))
    fixed = ls.run(ls.Fixed(weights=0.9 * ONES, task="targets", epsilon=0.5), np.eye(9), np.ones(9))
    for against in (0.9 * ONES, fixed):
        found = next(one for one in run.certify(against=against) if one.id == "pa.1x")
        assert [found.measured, found.bound] == pytest.approx([5.85, 7.29])
        assert found.proved
    assert next(one for one in run.certify(against=0.4 * ONES) if one.id == "pa.1x").verdict is Verdict.UNPROVED
    nearest = next(one for one in run.certify(against="best") if one.id == "pa.1x")
    assert [nearest.measured, nearest.bound] == pytest.approx([2.25, 2.25], abs=1e-6), "u = ½ has nothing to spare"
    assert nearest.proved


@shows("never", "pa.1x")
@given(seed=st.integers(0, 2**32 - 1), epsilon=st.sampled_from([0.0, 0.1, 0.5]))
def test_pa_1_of_targets_is_never_violated(seed: int, epsilon: float) -> None:
    source = np.random.default_rng(seed)
    X, u = source.normal(size=(40, 3)), source.normal(size=3)
    y = X @ u + epsilon * source.uniform(-1, 1, size=40)
    run = ls.run(ls.PassiveAggressiveRegression(epsilon=epsilon), X, y, passes=3, audit=True, against=u)
    found = next(one for one in run.certify(against=u) if one.id == "pa.1x")
    assert found.verdict is not Verdict.VIOLATED
    assert all(check.met for check in found.assumptions) or epsilon == 0.0


@shows("example", "pa.3")
def test_pa_3_by_hand() -> None:
    """3.25 ≤ 4 for w* = 0: (1 + B/γ)Σℓ*² = 2·2."""
    run = ls.run(ls.PassiveAggressive(variant="relaxed", gamma=1.0), [[1.0], [1.0]], [1, -1])
    found = certificate("pa.3", run, [0.0])
    assert (found.measured, found.bound) == (3.25, 4.0)


@shows("example", "pa.3m", "pa.capped")
def test_mistakes_of_pa_1_and_pa_2_by_hand() -> None:
    """x = 1, y = +, −. PA-I, C = ½: w = 0, ½, 0, two mistakes; u = 0: max{1, 2}·2·½·2 = 4; u = 1: 2(1 + 2) = 6."""
    capped = ls.run(ls.PassiveAggressive(variant="PA-I", C=0.5), [[1.0], [1.0]], [1, -1], keep=("score",))
    assert capped.columns["score"].tolist() == [0.0, 0.5]
    for u, bound in ((0.0, 4.0), (1.0, 6.0)):
        found = certificate("pa.capped", capped, [u])
        assert (found.measured, found.bound) == (2, bound)
    relaxed = ls.run(ls.PassiveAggressive(variant="relaxed", gamma=1.0), [[1.0], [1.0]], [1, -1])
    assert (certificate("pa.3m", relaxed, [0.0]).measured, certificate("pa.3m", relaxed, [0.0]).bound) == (2, 4.0)


@given(data=st.data())
def test_lemma_of_pa_1_capped(data: st.DataObject) -> None:
    stream = data.draw(streams("labels", tame))
    u = np.array(data.draw(st.lists(st.floats(-3, 3), min_size=stream.width, max_size=stream.width)))
    C, margin = data.draw(st.sampled_from([0.1, 1.0, 10.0])), data.draw(st.sampled_from([0.5, 1.0]))
    rule = ls.PassiveAggressive(variant="PA-I", C=C, margin=margin)
    check_lemmas("pa.capped", rule, stream, u)
    run = run_of(rule, stream)
    found = certificate("pa.capped", run, u)
    assert found.verdict is Verdict.UNPROVED if run.ledger.impossible else found.proved


@shows("example", "mohri.ex8.6", "mohri.ex8.6x")
@shows("tight", "mohri.ex8.6x")
def test_ex86_by_hand() -> None:
    """e_1, e_2 with ρ = 1/√2: 2 ≤ 32; the recursion's values for R/ρ = 1, 2, 5, 10, 100."""
    run = ls.run(ls.MarginPerceptron(rho=1 / math.sqrt(2)), np.eye(2), [1, 1], passes=10)
    assert certificate("mohri.ex8.6", run, [1.0, 1.0]).bound == pytest.approx(32.0)
    alone = certificate("mohri.ex8.6x", ls.run(ls.MarginPerceptron(rho=1.0), [[1.0]] * 3, [1] * 3), [1.0])
    assert (alone.measured, alone.bound, alone.verdict) == (1, 1, Verdict.VACUOUS)  # all labels are alike
    for ratio, expected in ((1, 1), (2, 8), (5, 61), (10, 249), (100, 25127)):
        long = ls.run(ls.MarginPerceptron(rho=1.0), [[float(ratio)]], [1])
        evidence = LinearEvidence(long.rule, replace(long.ledger, rounds=10**6), comparison([1.0], long))
        assert ls.theory.linear["mohri.ex8.6x"].bound(evidence) == expected


# --- verdicts


def test_vacuous() -> None:
    """A bound of at least the number of rounds is true of every algorithm."""
    run = ls.run(ls.Perceptron(), FOUR.X, FOUR.y)
    for name in ("mohri.8.8", "bylander.5", "mohri.8.8w0"):
        assert certificate(name, run, [2.0, -1.0]).verdict is Verdict.VACUOUS
    assert certificate("pa.1m", run_of(ls.PassiveAggressive(), FOUR), [2.0, -1.0]).verdict is Verdict.VACUOUS
    margin = ls.run(ls.MarginPerceptron(rho=0.4), FOUR.X, FOUR.y)
    for name in ("mohri.ex8.6", "mohri.ex8.6x"):
        assert certificate(name, margin, [2.0, -1.0]).verdict is Verdict.VACUOUS


@pytest.mark.parametrize(("name", "rule"), NON_VACUOUS, ids=str)
def test_unproved_without_a_comparator(name: str, rule: ls.LinearRule) -> None:
    stream, _ = wide_margin()
    found = certificate(name, run_of(rule, stream))
    assert found.verdict is Verdict.UNPROVED
    assert math.isnan(found.bound)
    assert [check.met for check in found.assumptions if not check.met] == [None]
    assert "?" in str(found)


@pytest.mark.parametrize(("name", "rule"), NON_VACUOUS, ids=str)
def test_unproved_when_the_comparator_saw_another_stream(name: str, rule: ls.LinearRule) -> None:
    """A comparator that separates some of the rounds proves nothing about the others."""
    stream, u = wide_margin()
    margin, epsilon = rule.ends()
    fewer = ls.run(ls.Fixed(weights=2.0 * u, margin=margin, epsilon=epsilon), stream.X[:-7], stream.signs[:-7], labels=(-1, 1))
    assert certificate(name, run_of(rule, stream), fewer).verdict is Verdict.UNPROVED


UNMET: list[tuple[str, ls.LinearRule, str]] = [
    ("mohri.8.8", ls.Perceptron(start=np.array([1.0, 0.0, 0.0])), "the start is 0"),
    ("mohri.8.8", ls.Perceptron(tolerance=0.1), "the rule has no tolerance"),
    ("mohri.8.8w0", ls.Perceptron(tolerance=0.1), "the rule has no tolerance"),
    ("mohri.8.11", ls.Perceptron(start=np.array([1.0])), "the start is 0"),
    ("bylander.2", ls.Perceptron(tolerance=0.1), "the rule has no tolerance"),
    ("bylander.8", ls.Perceptron(eta=0.1), "the rule has a tolerance τ > 0"),
    ("bylander.8", ls.RandomizedPerceptron(eta=10.0), "η ≤ 2τ/X²"),
    ("bylander.11", ls.RandomizedPerceptron(eta=10.0), "η ≤ 2τ/X²"),
    ("mohri.ex8.6", ls.MarginPerceptron(rho=3.0), "the comparator has margin at least ρ"),
    ("pa.1", ls.PassiveAggressive(variant="PA-I", C=1.0), 'the variant is "PA"'),
    ("pa.1m", ls.PassiveAggressive(variant="PA-II", C=1.0), 'the variant is "PA"'),
    ("pa.1h", ls.PassiveAggressive(margin=2.0), "the margin is 1"),
    ("pa.3", ls.PassiveAggressive(), 'the variant is "relaxed" or "PA-II"'),
]


@pytest.mark.parametrize(("name", "rule", "words"), UNMET, ids=str)
def test_unproved_names_the_assumption_that_fails(name: str, rule: ls.LinearRule, words: str) -> None:
    stream, u = wide_margin()
    found = certificate(name, run_of(rule, stream), 2.0 * u)
    assert found.verdict is Verdict.UNPROVED
    assert words in [check.words for check in found.assumptions if check.met is False]


def test_unproved_when_the_comparator_does_not_separate() -> None:
    stream, u = wide_margin()
    for name in ("mohri.8.8", "mohri.8.8w0", "bylander.5"):
        assert certificate(name, run_of(ls.Perceptron(), stream), -u).verdict is Verdict.UNPROVED
    for name in ("pa.1", "pa.1m", "pa.1h"):
        assert certificate(name, run_of(ls.PassiveAggressive(), stream), -u).verdict is Verdict.UNPROVED


@pytest.mark.parametrize("size", [5e-324, 1e-310, 1e-200, 1e-160, 1.0, 1e120])
def test_the_length_of_a_comparator_does_not_matter(size: float) -> None:
    """Down to numbers that have lost their digits, which prove nothing."""
    for rule, names in ((ls.Perceptron(), PERCEPTRON[:2]), (ls.PassiveAggressive(), ("pa.1", "pa.1m", "pa.1h"))):
        for name in names:
            found = certificate(name, run_of(rule, UNIT), size * ONES)
            assert found.verdict is (Verdict.UNPROVED if size < 1e-300 else certificate(name, run_of(rule, UNIT), ONES).verdict)
            assert size < 1e-300 or found.bound == pytest.approx(certificate(name, run_of(rule, UNIT), ONES).bound)


def test_unproved_on_an_empty_row_with_a_loss() -> None:
    run = ls.run(ls.PassiveAggressive(), [[0.0], [1.0]], [1, 1])
    found = certificate("pa.1m", run, [1.0])
    assert "no empty row has a loss" in [check.words for check in found.assumptions if check.met is False]


def test_unproved_when_outcomes_are_intervals() -> None:
    run = ls.run(ls.Perceptron(), [[1.0]], ls.Intervals(1.0, 2.0))
    for name in ("mohri.8.8", "mohri.8.11", "bylander.5"):
        assert certificate(name, run, [1.0]).verdict is Verdict.UNPROVED


@final
@dataclass(frozen=True)
class Impostor:
    """A mutant whose ledger is shown as that of the rule it claims to be."""

    mutant: ls.LinearRule
    claims: ls.LinearRule
    stream: Stream
    u: FloatArray

    def certify(self, name: str) -> ls.Certificate:
        ledger = run_of(self.mutant, self.stream).ledger
        fixed = ls.run(ls.Fixed(weights=self.u), self.stream.X, self.stream.y, labels=(-1, 1))
        return ls.theory.linear[name].certify(LinearEvidence(self.claims, ledger, Comparison(self.u, fixed.ledger)))


NEGATIVE = Stream(np.ones((20, 1)), -np.ones(20, dtype=np.int64))


@pytest.mark.parametrize("name", [*PERCEPTRON, "bylander.2"])
def test_violated_by_a_wrong_sign_on_negatives(name: str) -> None:
    claims = ls.Perceptron(eta=0.01) if name == "bylander.2" else ls.Perceptron()
    found = Impostor(WrongSignOnNegatives(), claims, NEGATIVE, np.array([-1.0])).certify(name)
    assert found.verdict is Verdict.VIOLATED
    assert "≰" in str(found)
    honest = Impostor(claims, claims, NEGATIVE, np.array([-1.0])).certify(name)
    assert honest.proved


@pytest.mark.parametrize("name", ["pa.1", "pa.1h"])
def test_violated_by_a_bias_outside_the_norm(name: str) -> None:
    """Rows (±½, 1) whose bias is left out of the norm: every step is five times too long."""
    X = np.column_stack([np.tile([0.5, -0.5], 40), np.ones(80)])
    stream = Stream(X, np.tile([1, -1], 40))
    u = np.array([2.0, 0.0])
    assert Impostor(BiasOutsideTheNorm(), ls.PassiveAggressive(), stream, u).certify(name).verdict is Verdict.VIOLATED
    assert Impostor(ls.PassiveAggressive(), ls.PassiveAggressive(), stream, u).certify(name).verdict is not Verdict.VIOLATED


REST: list[tuple[str, ls.LinearRule]] = [
    ("bylander.8", ls.Perceptron(eta=0.5, tolerance=0.5)),
    ("bylander.11", ls.RandomizedPerceptron(eta=0.5)),
    ("mohri.ex8.6", ls.MarginPerceptron(rho=1.0)),
    ("mohri.ex8.6x", ls.MarginPerceptron(rho=1.0)),
    ("pa.1m", ls.PassiveAggressive()),
    ("pa.3", ls.PassiveAggressive(variant="relaxed", gamma=1.0)),
]


@pytest.mark.parametrize(("name", "claims"), REST, ids=str)
def test_violated_by_who_never_learns(name: str, claims: ls.LinearRule) -> None:
    """The rest of the guarantees, against a mutant that only repeats the wrong sign."""
    long = Stream(np.ones((60, 1)), -np.ones(60, dtype=np.int64))
    found = Impostor(WrongSignOnNegatives(), claims, long, np.array([-1.0])).certify(name)
    assert found.verdict is Verdict.VIOLATED
    assert Impostor(claims, claims, long, np.array([-1.0])).certify(name).proved


# --- certify itself


def test_certificates_are_ordered_and_plain() -> None:
    stream, u = wide_margin()
    found = run_of(ls.Perceptron(), stream).certify(against=u)
    order = [Verdict.VIOLATED, Verdict.HOLDS, Verdict.VACUOUS, Verdict.UNPROVED]
    places = [order.index(c.verdict) for c in found]
    assert places == sorted(places)
    for hindsight in (False, True):
        holding = [c.tightness for c in found if c.holds and c.hindsight is hindsight]
        assert holding == sorted(holding, reverse=True)
    assert [c.hindsight for c in found if c.holds] == sorted(c.hindsight for c in found if c.holds)
    assert found[0].to_dict()["verdict"] == "holds"
    assert {c.verdict.words for c in found}


def test_a_comparator_may_be_a_run_or_a_vector() -> None:
    stream, u = wide_margin()
    run = run_of(ls.Perceptron(), stream, passes=9)
    reference = ls.run(ls.Fixed(weights=u), stream.X, stream.y, labels=(-1, 1))
    assert certificate("mohri.8.8", run, reference).bound == certificate("mohri.8.8", run, u).bound
    learner = ls.Learner(ls.Perceptron(), labels=(-1, 1))
    learner.learn_many(stream.X, stream.y)
    once = ls.certify(learner, against=reference)
    assert next(c for c in once if c.id == "mohri.8.8").proved
    with pytest.raises(ls.NotApplicable, match="keeps no rows"):
        ls.certify(learner, against=u)
    with pytest.raises(ls.NotApplicable, match="expected a run of Fixed"):
        ls.certify(run, against=run)
    with pytest.raises(ls.InvalidData, match="expected a run of Fixed or a vector"):
        ls.certify(run, against=["a"])


def test_a_comparator_charged_another_loss_is_refused() -> None:
    """The bound reads the comparator's loss, so a smaller margin would make it too small."""
    run = ls.run(ls.Perceptron(), np.ones((4, 1)), [1, 1, 1, -1])
    cheap = ls.run(ls.Fixed(weights=np.array([0.1]), margin=0.1), np.ones((4, 1)), [1, 1, 1, -1])
    with pytest.raises(ls.NotApplicable, match="margin"):
        ls.certify(run, against=cheap)


def test_labels_are_read_as_the_run_read_them() -> None:
    """ "spam" came second in the run and comes first to nobody else."""
    run = ls.run(ls.Perceptron(), [[1.0], [-1.0]], ["spam", "ham"], labels=("ham", "spam"))
    assert certificate("mohri.8.8", run, [1.0]).measured == 1
    assert certificate("mohri.8.8", run, [1.0]).proved


def test_unknown_guarantee_lists_what_there_is() -> None:
    with pytest.raises(ls.UnknownName, match=r"there is no theorem 'mohri.9.9'; there are mohri.8.8, "):
        ls.theory["mohri.9.9"]
    assert set(ls.theory) >= {
        "mohri.8.8",
        "mohri.8.8w0",
        "bylander.2",
        "bylander.5",
        "bylander.8",
        "pa.1",
        "pa.3",
        "mohri.ex8.6",
    }
    assert len(ls.theory) == len(list(ls.theory))


def test_nothing_is_claimed_before_the_first_round() -> None:
    for rule in (ls.Perceptron(), ls.PassiveAggressive(), ls.MarginPerceptron(rho=1.0), ls.RandomizedPerceptron()):
        assert {c.verdict for c in ls.Learner(rule).certify()} == {Verdict.UNPROVED}
    assert {c.verdict for c in ls.Learner(ls.OnlineSVM()).certify()} == {Verdict.UNPROVED}


@given(X=integer, data=st.data())
def test_bylander_2_with_intervals_of_every_kind_and_a_start(X: FloatArray, data: st.DataObject) -> None:
    y = data.draw(intervals(len(X)))
    u = np.array(data.draw(st.lists(st.integers(-2, 2).map(float), min_size=X.shape[1], max_size=X.shape[1])))
    run = ls.run(ls.Perceptron(eta=0.5, start=u[:2] + 1.0), X, y)
    assert certificate("bylander.2", run, u).proved
