"""The multiplicative rules: hand-worked numbers, equivalences, numerics, bad input, and mutants that must not pass."""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeAlias, final

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.linalg import hadamard
from scipy.sparse import csr_matrix

import littlestone as ls
from littlestone import _core
from littlestone.abilities import Abilities
from littlestone.arrays import FloatArray
from littlestone.loop import Loop, PythonLoop
from littlestone.schema import PER_FEATURE
from littlestone.state import Average, State

Signs: TypeAlias = "npt.NDArray[np.int64]"
Outcomes: TypeAlias = "Signs | FloatArray | ls.Intervals"

RULES: tuple[ls.LinearRule, ...] = (
    ls.Winnow(eta=0.7),
    ls.SignedWinnow(eta=0.7),
    ls.ExponentiatedUpdate(eta=0.3, U=2.0),
    ls.ExponentiatedUpdate(eta=1.5, tolerance=0.25, tie_tol=1e-12),
    ls.SignedExponentiatedUpdate(eta=0.4, U=3.0),
    ls.RandomizedExponentiatedUpdate(eta=0.8, U=2.0, seed=5),
    ls.MultiplicativePassiveAggressive(margin=0.5),
    ls.MultiplicativePassiveAggressiveRegression(epsilon=0.1),
)
POSITIVE = tuple(rule for rule in RULES if not type(rule).__name__.startswith("Signed"))

seeds = st.integers(0, 2**32 - 1)
every_rule = pytest.mark.parametrize("rule", RULES, ids=repr)
quick = settings(max_examples=25, deadline=None)


def rows(seed: int, count: int = 30, width: int = 7, *, density: float = 0.6) -> FloatArray:
    source = np.random.default_rng(seed)
    return np.where(source.random((count, width)) < density, source.normal(size=(count, width)), 0.0)


def outcomes(rule: ls.LinearRule, seed: int, count: int) -> Outcomes:
    source = np.random.default_rng(seed + 1)
    if rule.abilities.labels:
        return source.choice([-1, 1], size=count)
    return source.normal(size=count)


def compiled(y: Outcomes) -> _core.Outcomes:
    if isinstance(y, ls.Intervals):
        return y.outcomes
    return _core.labels(y.astype(np.int8)) if y.dtype.kind == "i" else _core.targets(y.astype(np.float64))


Watched: TypeAlias = "tuple[State, _core.Totals, dict[str, FloatArray]]"


def watch(make: Callable[[State], Loop], rule: ls.LinearRule, X: FloatArray, y: Outcomes) -> Watched:
    """The state, ledger and columns that a loop leaves."""
    batch, state, totals = _core.dense_batch(X), rule.init(X.shape[1]), _core.Totals()
    columns = {name: np.zeros(len(X)) for name in ("score", "loss", "step")}
    kept = _core.RoundColumns(len(X), score=columns["score"], loss=columns["loss"], step=columns["step"])
    make(state).learn(batch, compiled(y), totals, kept, 0, len(X))
    return state, totals, columns


def softmax(theta: FloatArray) -> FloatArray:
    power = np.exp(theta - np.max(theta))
    return power / float(np.sum(power))


# The kernel is the definition.


@every_rule
@quick
@given(seed=seeds)
def test_kernel_agrees_with_the_definition(rule: ls.LinearRule, seed: int) -> None:
    X, y = rows(seed), outcomes(rule, seed, 30)
    kernel = watch(lambda state: rule.loop(state, None), rule, X, y)
    python = watch(lambda state: PythonLoop(rule, state, None), rule, X, y)
    for name in kernel[2]:
        np.testing.assert_allclose(kernel[2][name], python[2][name], rtol=1e-12, atol=1e-12)
    assert kernel[1].mistakes == python[1].mistakes
    assert kernel[1].updates == python[1].updates
    np.testing.assert_allclose(kernel[0].theta, python[0].theta, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(kernel[0].w, python[0].w, rtol=1e-11, atol=1e-13)


@every_rule
def test_a_state_may_change_hands_between_definition_and_kernel(rule: ls.LinearRule) -> None:
    X, y = rows(3, 40), outcomes(rule, 3, 40)
    whole = watch(lambda state: rule.loop(state, None), rule, X, y)[0]
    state, totals, batch = rule.init(7), _core.Totals(), _core.dense_batch(X)
    for begin, make in ((0, rule.loop), (10, lambda s, a: PythonLoop(rule, s, a)), (20, rule.loop)):
        make(state, None).learn(batch, compiled(y), totals, _core.RoundColumns(40), begin, begin + (20 if begin == 20 else 10))
    np.testing.assert_allclose(state.w, whole.w, rtol=1e-11, atol=1e-13)


# Laws.


@every_rule
@quick
@given(seed=seeds, cut=st.integers(0, 30))
def test_chunks_and_single_rounds_leave_the_same_bits(rule: ls.LinearRule, seed: int, cut: int) -> None:
    X, y = rows(seed), outcomes(rule, seed, 30)
    pair = (-1, 1) if rule.abilities.labels else None
    whole, parts, single, sparse = (ls.Learner(rule, labels=pair, average=True) for _ in range(4))
    whole.learn_many(X, y)
    parts.learn_many(X[:cut], y[:cut])
    parts.learn_many(X[cut:], y[cut:])
    for x, outcome in zip(X, y.tolist() if isinstance(y, np.ndarray) else [], strict=True):
        shown = single.predict_one(x)
        assert single.learn_one(x, outcome) == shown
    sparse.learn_many(csr_matrix(X), y)
    for other in (parts, single, sparse):
        assert {name: a.tobytes() for name, a in other.state.arrays.items()} == {
            name: a.tobytes() for name, a in whole.state.arrays.items()
        }
        assert other.ledger == whole.ledger


@pytest.mark.parametrize("rule", POSITIVE, ids=repr)
@quick
@given(seed=seeds)
@example(seed=1_558_172)  # values near 0.001 of a row with nothing else: a step of more than a million
def test_weights_are_positive_with_their_sum(rule: ls.LinearRule, seed: int) -> None:
    state = ls.run(rule, rows(seed), outcomes(rule, seed, 30)).state
    assert np.isfinite(state.theta).all()  # the weight itself: e^-1600 of the others is 0 as a double, and comes back
    assert (state.w[state.theta > state.theta.max() - 700.0] > 0.0).all()
    assert (state.w >= 0.0).all()
    assert math.isclose(float(np.sum(state.w)), float(state.U[0]), rel_tol=1e-12)
    np.testing.assert_allclose(state.w, float(state.U[0]) * softmax(state.theta), rtol=1e-12, atol=1e-300)


@every_rule
@quick
@given(seed=seeds, shift=st.floats(-2000.0, 2000.0))
def test_a_constant_added_to_every_log_weight_changes_nothing(rule: ls.LinearRule, seed: int, shift: float) -> None:
    X, y = rows(seed), outcomes(rule, seed, 30)
    plain, moved = rule.init(7), rule.init(7)
    if not isinstance(plain, ls.LogWeights) or not isinstance(moved, ls.LogWeights):
        return  # the signed form has theta and -theta: there is no such constant
    moved.theta[:] += shift
    moved.refill()
    scores = []
    for state in (plain, moved):
        kept = np.zeros(30)
        rule.loop(state, None).learn(
            _core.dense_batch(X), compiled(y), _core.Totals(), _core.RoundColumns(30, score=kept), 0, 30
        )
        scores.append(kept)
    np.testing.assert_allclose(scores[0], scores[1], rtol=1e-9, atol=1e-10)


@every_rule
@quick
@given(seed=seeds)
def test_the_average_is_the_mean_of_the_weights_used(rule: ls.LinearRule, seed: int) -> None:
    X, y = 5.0 * rows(seed, 60), outcomes(rule, seed, 60)
    learner = ls.Learner(rule, labels=(-1, 1) if rule.abilities.labels else None, average=True)
    learner.learn_many(X[:0], y[:0])
    used = np.zeros(7)
    for t in range(60):
        used += learner.state.w
        learner.learn_many(X[t : t + 1], y[t : t + 1])
    np.testing.assert_allclose(learner.averaged().state.w, used / 60, atol=1e-10)


def test_the_average_survives_sums_that_rise_and_fall() -> None:
    """The normaliser moves by e^400 and back, so that the running sum has to be settled on the way."""
    X = np.array([[1.0, 0.0, 0.5]] * 40 + [[-1.0, 0.2, 0.0]] * 80)
    y = ls.Intervals(np.full(len(X), 2.0), math.inf)
    rule = ls.ExponentiatedUpdate(eta=10.0)
    learner, used = ls.Learner(rule, average=True), np.zeros(3)
    state = rule.init(3)
    loop, totals, batch = rule.loop(state, None), _core.Totals(), _core.dense_batch(X)
    for t in range(len(X)):
        used += state.w
        loop.learn(batch, y.outcomes, totals, _core.RoundColumns(len(X)), t, t + 1)
    learner.learn_many(X, y)
    np.testing.assert_allclose(learner.averaged().state.w, used / len(X), atol=1e-12)


@quick
@given(seed=seeds, eta=st.sampled_from([0.1, 0.7, 3.0]))
def test_signed_equals_doubled(seed: int, eta: float) -> None:
    X, y = rows(seed, 40), outcomes(RULES[0], seed, 40)
    doubled = np.hstack([X, -X])
    pairs = (
        (ls.SignedWinnow(eta=eta), ls.Winnow(eta=eta, tie_tol=1e-13)),
        (ls.SignedExponentiatedUpdate(eta=eta, U=2.5), ls.ExponentiatedUpdate(eta=eta, U=2.5, tie_tol=1e-13)),
    )
    for signed, plain in pairs:
        half, full = ls.run(signed, X, y, keep=("score",)), ls.run(plain, doubled, y, keep=("score",))
        np.testing.assert_allclose(half.columns["score"], full.columns["score"], atol=1e-12)
        np.testing.assert_allclose(half.state.w, full.state.w[:7] - full.state.w[7:], atol=1e-12)
        assert half.ledger.mistakes == full.ledger.mistakes


def test_signed_is_exact_for_the_smallest_steps() -> None:
    """sinh as a difference of exponentials would keep no digit of a step of 1e-18."""
    run = ls.run(ls.SignedWinnow(eta=1e-18), [[1.0, 0.0]], [+1])
    assert run.state.w[0] == pytest.approx(0.5e-18, rel=1e-12)


# Equivalences.


def weighted_majority(votes: FloatArray, signs: Signs, beta: float, *, tie_is_mistake: bool) -> tuple[list[int], list[bool]]:
    """Mohri et al., figure 8.3, on counts of mistakes: predictions and rounds of update. Powers of beta are exact."""
    counts = np.zeros(votes.shape[1], dtype=int)
    shown, updated = [], []
    for vote, sign in zip(votes, signs, strict=True):
        power = np.array([beta ** float(c) for c in counts - counts.min()])
        gap = float(np.sum(np.where(vote > 0.5, power, -power)))
        tied = abs(gap) <= 1e-12 * float(np.sum(power))
        predicted = 1 if tied or gap > 0 else -1
        wrong = predicted != sign or (tied and tie_is_mistake)
        counts += wrong * ((vote > 0.5) != (sign > 0))
        shown.append(predicted)
        updated.append(bool(wrong))
    return shown, updated


@settings(max_examples=100, deadline=None)
@given(seed=seeds, beta=st.sampled_from([0.25, 0.5, 1.0 / math.e, 0.9]), width=st.integers(1, 9))
def test_winnow_on_signs_is_weighted_majority(seed: int, beta: float, width: int) -> None:
    source = np.random.default_rng(seed)
    X, y = source.choice([-1.0, 1.0], size=(40, width)), source.choice([-1, 1], size=40)
    _, updated = weighted_majority(X, y, beta, tie_is_mistake=True)
    rule = ls.Winnow(eta=-0.5 * math.log(beta), tie_tol=1e-12)
    assert ls.run(rule, X, y, keep=("update",)).columns["update"].tolist() == updated


@settings(max_examples=400, deadline=None)
@given(seed=seeds, beta=st.sampled_from([0.25, 0.5, 1.0 / math.e, 0.9]), width=st.integers(1, 8))
def test_exponentiated_update_is_weighted_majority_with_its_ties(seed: int, beta: float, width: int) -> None:
    source = np.random.default_rng(seed)
    votes, y = source.choice([0.0, 1.0], size=(30, width)), source.choice([-1, 1], size=30)
    shown, updated = weighted_majority(votes, y, beta, tie_is_mistake=False)
    rule = ls.ExponentiatedUpdate.weighted_majority(beta=beta)
    run = ls.run(rule, votes, ls.Intervals.of_votes(y), keep=("score", "update"))
    assert run.columns["update"].tolist() == updated
    assert [1 if score >= 0.5 else -1 for score in run.columns["score"]] == shown


def test_printed_intervals_update_on_a_tied_positive() -> None:
    """Errata 31: with (½, 1] the tie of the first round is an update; Weighted Majority predicts 1 and is right."""
    rule = ls.ExponentiatedUpdate.weighted_majority(beta=0.5)
    votes = [[1.0, 0.0]]
    assert ls.run(rule, votes, ls.Intervals.of_votes([1])).ledger.updates == 0
    assert ls.run(rule, votes, ls.Intervals(0.5, 1.0, lo_open=True)).ledger.updates == 1


# Hand-worked numbers.


def test_the_lecture_run_of_two_mistakes() -> None:
    X = [[1.0, -1.0, 1.0, -1.0], [1.0, 1.0, -1.0, -1.0]]
    rule = ls.Winnow(eta=0.5 * math.log(3.0), tie_tol=1e-12)
    first = ls.run(rule, X[:1], [1])
    np.testing.assert_allclose(8.0 * first.state.w, [3.0, 1.0, 3.0, 1.0], rtol=1e-14)
    run = ls.run(rule, X, [1, 1], keep=("score",))
    np.testing.assert_allclose(16.0 * run.state.w, [9.0, 3.0, 3.0, 1.0], rtol=1e-14)
    assert run.columns["score"].tolist() == [0.0, 0.0]
    assert run.ledger.mistakes == 2


@pytest.mark.parametrize(("width", "mistakes"), [(4, 2), (8, 3), (64, 6), (256, 8)])
def test_every_bit_of_a_binary_expansion_is_a_mistake(width: int, mistakes: int) -> None:
    """The tight instance: rows are the bits of the feature's number, label the first feature's; ties all along."""
    bits = (np.arange(width)[np.newaxis, :] >> np.arange(mistakes)[:, np.newaxis]) & 1
    for eta in (1.0, 0.5 * math.log(3.0)):
        run = ls.run(ls.Winnow(eta=eta, tie_tol=1e-12), 1.0 - 2.0 * bits, np.ones(mistakes, dtype=int), labels=(-1, 1))
        assert run.ledger.mistakes == mistakes


def test_hadamard_rows_cost_winnow_six_and_the_perceptron_sixty_four() -> None:
    H = hadamard(64).astype(np.float64)
    y = np.where(H[:, 3] > 0, 1, -1)
    assert ls.run(ls.Winnow(eta=1.0, tie_tol=1e-12), H, y).ledger.mistakes == 6
    assert ls.run(ls.Perceptron(), H, y).ledger.mistakes == 64


def test_exponentiated_update_by_hand() -> None:
    y = ls.Intervals(np.full(3, 2.0), math.inf)
    run = ls.run(ls.ExponentiatedUpdate(eta=math.log(2.0), U=2.0), [[1.0, 0.0]] * 3, y, keep=("score",))
    np.testing.assert_allclose(run.columns["score"], [1.0, 4.0 / 3.0, 8.0 / 5.0], rtol=1e-14)
    assert run.ledger.loss == pytest.approx(31.0 / 15.0)


def test_above_the_interval_the_weights_shrink() -> None:
    run = ls.run(ls.ExponentiatedUpdate(eta=math.log(2.0), U=2.0), [[1.0, 0.0]], ls.Intervals(-math.inf, 0.0))
    np.testing.assert_allclose(run.state.w, [2.0 / 3.0, 4.0 / 3.0], rtol=1e-14)


def test_one_feature_keeps_all_the_weight() -> None:
    run = ls.run(ls.ExponentiatedUpdate(eta=5.0, U=3.0), [[1.0]] * 50, ls.Intervals(np.full(50, 9.0), math.inf))
    assert run.state.w.tolist() == [3.0]


def test_a_start_vector_is_where_the_run_starts() -> None:
    rule = ls.ExponentiatedUpdate(eta=math.log(2.0), U=4.0, start=[1.0, 3.0])
    np.testing.assert_allclose(rule.init(2).w, [1.0, 3.0], rtol=1e-15)
    run = ls.run(rule, [[1.0, 0.0]], ls.Intervals(2.0, math.inf))
    np.testing.assert_allclose(run.state.w, [1.6, 2.4], rtol=1e-14)


def test_a_tolerance_widens_the_interval() -> None:
    """Score ½ against [1, ∞): outside by exactly ½, so a tolerance of ½ leaves the weights alone."""
    y = ls.Intervals(1.0, math.inf)
    for tolerance, updates in ((0.5, 0), (0.4, 1)):
        assert ls.run(ls.ExponentiatedUpdate(tolerance=tolerance), [[1.0, 0.0]], y).ledger.updates == updates


def test_the_randomised_rule_updates_below_one_half_whatever_it_drew() -> None:
    scores = []
    for seed in range(6):
        rule = ls.RandomizedExponentiatedUpdate(eta=0.3, seed=seed)
        run = ls.run(rule, [[1.0, -1.0]] * 5, [1] * 5, labels=(-1, 1), keep=("score", "update"))
        scores.append(run.columns["score"].tolist())
        assert run.columns["update"].tolist() == [score < 0.5 for score in scores[-1]]
        expected = sum(max(0.0, 0.5 - score) for score in scores[-1])
        assert run.ledger.expected_mistakes == pytest.approx(expected, rel=1e-12)
    assert all(row == scores[0] for row in scores)
    np.testing.assert_allclose(scores[0][:2], [0.0, math.tanh(0.3)], rtol=1e-14)


def test_multiplicative_passive_aggressive_by_hand() -> None:
    rule = ls.MultiplicativePassiveAggressiveRegression(epsilon=0.0)
    run = ls.run(rule, [[1.0, 0.0]] * 4, [1.0] * 4, keep=("loss", "step"))
    np.testing.assert_allclose(run.columns["loss"], [0.5, 0.119203, 0.0775, 0.058041], atol=5e-7)
    assert run.ledger.loss_squared == pytest.approx(0.273584, abs=5e-7)
    assert run.columns["step"][0] == 2.0


def test_signed_rows_get_a_quarter_of_the_printed_step() -> None:
    """ρ = 2 for x = (1, −1), so τ = ℓ; for x = (1, 0) ρ = 1 and τ = 4ℓ, as printed."""
    for x, tau in (([1.0, -1.0], 0.5), ([1.0, 0.0], 0.0), ([3.0, 1.0], 0.0)):
        rule = ls.MultiplicativePassiveAggressive(margin=0.5)
        kept = ls.run(rule, [x], [1], labels=(-1, 1), keep=("step", "loss")).columns
        expected = tau or 4.0 * float(kept["loss"][0]) / max(x) ** 2
        assert kept["step"][0] == expected


@quick
@given(seed=seeds)
def test_printed_constants_are_the_corrected_ones_where_they_are_right(seed: int) -> None:
    X, y = np.abs(rows(seed)), np.random.default_rng(seed).random(30)
    printed = ls.run(ls.MultiplicativePassiveAggressiveRegression(constants="printed"), X, y)
    corrected = ls.run(ls.MultiplicativePassiveAggressiveRegression(), X, y)
    assert printed.state.theta.tobytes() == corrected.state.theta.tobytes()


def test_named_constructors() -> None:
    assert ls.Winnow.textbook(margin=0.5, radius=2.0).eta == 0.125
    assert ls.Winnow.lecture(margin=0.5, radius=1.0).eta == pytest.approx(0.5 * math.log(3.0))
    assert ls.Winnow.lecture(margin=1.0, radius=2.0).eta == pytest.approx(0.25 * math.log(3.0))
    assert ls.SignedWinnow.textbook(margin=0.5, radius=2.0) == ls.SignedWinnow(eta=0.125)
    assert 10.0 < ls.SignedWinnow.lecture(margin=1.0, radius=1.0).eta < 20.0
    assert ls.ExponentiatedUpdate.weighted_majority(beta=0.5).eta == math.log(2.0)


# Numerics.


def test_a_weight_that_vanished_returns() -> None:
    """Safety test 1: 900 rounds one way (a weight of e^-1800), then the other; the best u loses 5800."""
    X = np.array([[1.0, -1.0]] * 900 + [[-1.0, 1.0]] * 3100)
    y = ls.Intervals(np.full(4000, 2.0), math.inf)
    run = ls.run(ls.ExponentiatedUpdate(eta=1.0), X, y)
    assert run.ledger.loss == pytest.approx(5802.28, abs=0.005)
    certificate = next(c for c in ls.certify(run, against=[0.0, 1.0]) if c.id == "bylander.3")
    assert certificate.holds
    assert certificate.bound == pytest.approx(7800.69, abs=0.005)


def test_recovery_from_e_to_the_minus_2000() -> None:
    for rule in (ls.Winnow(eta=1.0), ls.SignedWinnow(eta=1.0)):
        state = rule.init(2)
        assert isinstance(state, ls.LogWeights | ls.SignedLogWeights)
        state.theta[:] = [0.0, 2000.0]
        state.refill()
        loop, totals = rule.loop(state, None), _core.Totals()
        back = np.array([[2.5, -1.0]])
        for _ in range(1200):
            loop.learn(_core.dense_batch(back), _core.one_label(1), totals, _core.RoundColumns(1), 0, 1)
        assert loop.score_row(_core.dense_batch(back))[0] > 0.0
        assert np.isfinite(state.w).all()
        assert state.w[0] > 0.2


def test_features_that_have_all_but_vanished_still_have_a_sign() -> None:
    """Both weights of the row are e^-2000 of the third: the score underflows, its sign does not."""
    for rule in (ls.Winnow(eta=1.0), ls.SignedWinnow(eta=1.0)):
        state = rule.init(3)
        assert isinstance(state, ls.LogWeights | ls.SignedLogWeights)
        state.theta[:] = [3.0, 1.0, 2000.0]
        state.refill()
        batch = _core.dense_batch(np.array([[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]))
        for loop in (rule.loop(state, None), PythonLoop(rule, state, None)):
            scores = np.zeros(3)
            loop.score(batch, scores)
            assert np.sign(scores).tolist() == [1.0, -1.0, 0.0]


def recounted(state: State) -> float:
    """log of the normaliser, from theta alone."""
    theta = state.theta
    every = np.concatenate([theta, -theta]) - math.log(2.0) if isinstance(state, ls.SignedLogWeights) else theta
    highest = float(np.max(every))
    return highest + math.log(math.fsum(np.exp(every - highest)))


@pytest.mark.parametrize("rule", [ls.ExponentiatedUpdate(eta=0.5), ls.SignedExponentiatedUpdate(eta=0.5)], ids=repr)
def test_the_normaliser_after_a_million_updates(rule: ls.LinearRule) -> None:
    """Safety test 7: to 1e-9 relative. The stream drives weights up and down by e^±60 all the time."""
    source = np.random.default_rng(0)
    count, width, nonzeros = 250_000, 400, 4
    index = np.sort(source.permuted(np.tile(np.arange(100, dtype=np.int32), (count, 1)), axis=1)[:, :nonzeros] * 4, axis=1)
    value = source.normal(size=(count, nonzeros))
    X = csr_matrix((value.ravel(), index.ravel(), np.arange(count + 1, dtype=np.int32) * nonzeros), shape=(count, width))
    up = np.arange(count) % 400 < 200
    y = ls.Intervals(np.where(up, 50.0, -np.inf), np.where(up, np.inf, -50.0))
    learner = ls.Learner(rule)
    for _ in range(4):
        learner.learn_many(X, y)
    assert learner.ledger.updates == 1_000_000
    state = learner.state
    kept = math.log(float(state.total[0])) + float(state.shift[0])
    assert abs(kept - recounted(state)) <= 1e-9


def test_one_weight_that_rises_by_e_to_the_50_and_falls_again() -> None:
    """v14: plain subtraction is wrong by .999 after these 400 updates."""
    rule = ls.ExponentiatedUpdate(eta=0.25)
    X = np.zeros((400, 10))
    X[:, 0] = np.where(np.arange(400) < 200, 1.0, -1.0)
    learner = ls.Learner(rule)
    learner.learn_many(X, ls.Intervals(np.full(400, 10.0), math.inf))
    assert learner.state.theta.tolist() == [0.0] * 10
    np.testing.assert_allclose(learner.state.w, np.full(10, 0.1), rtol=1e-14)
    plain = 10.0
    theta = 0.0
    for x in X[:, 0]:
        plain += math.exp(theta + 0.25 * x) - math.exp(theta)
        theta += 0.25 * x
    assert abs(plain - 10.0) / 10.0 > 0.5


@pytest.mark.parametrize("eta", [1e-300, 1.0, 1e3, 1e200, 1e308])
def test_everything_stays_finite(eta: float) -> None:
    source = np.random.default_rng(1)
    X = source.choice([0.0, 1.0, -1.0, 1e-300, 1e140, -1e140], size=(300, 5))
    y = source.choice([-1, 1], size=300)
    for rule in (
        ls.Winnow(eta=eta),
        ls.SignedWinnow(eta=eta),
        ls.ExponentiatedUpdate(eta=eta, U=1e150),
        ls.SignedExponentiatedUpdate(eta=eta, U=1e-150),
        ls.RandomizedExponentiatedUpdate(eta=eta),
        ls.MultiplicativePassiveAggressive(margin=1.0),
    ):
        learner = ls.Learner(rule, labels=(-1, 1), average=True)
        kept = learner.learn_many(X, y, keep=("score",))
        assert np.isfinite(kept["score"]).all()
        for name, array in learner.state.arrays.items():
            assert np.isfinite(array).all(), name
        weigh = learner.state.arrays.get("weigh", learner.state.lean)
        assert math.isclose(float(np.sum(weigh)), float(learner.state.total[0]), rel_tol=1e-9)


def test_ten_thousand_rounds_of_rounding_leave_the_sum_exact() -> None:
    """The slack is an honest bound: the sum of the powers, taken exactly, differs by no more."""
    source = np.random.default_rng(5)
    rule = ls.ExponentiatedUpdate(eta=0.9)
    learner = ls.Learner(rule)
    X = source.normal(size=(10_000, 30))
    learner.learn_many(X, ls.Intervals(np.full(10_000, 30.0), math.inf))
    state = learner.state
    exact = math.fsum(state.lean)
    error = abs(math.fsum([float(state.total[0]), float(state.correction[0]), -exact]))
    assert error <= float(state.slack[0]) + 2.0**-53 * exact
    assert float(state.slack[0]) <= 2.0**-46 * exact


# Growth.


def test_winnow_makes_the_mistakes_of_a_run_that_knew_every_feature() -> None:
    X = rows(11, 80, 12, density=0.3)
    y = outcomes(RULES[0], 11, 80)
    assert isinstance(y, np.ndarray)
    order = list(dict.fromkeys(int(k) for x in X for k in np.flatnonzero(x)))
    for rule in (ls.Winnow(), ls.SignedWinnow()):
        known = ls.run(rule, X[:, order], y, labels=(-1, 1))
        late = ls.Learner(rule, labels=(-1, 1))
        for x, label in zip(X, y.tolist(), strict=True):
            late.learn_one({str(k): float(x[k]) for k in np.flatnonzero(x)}, label)
        assert late.ledger.mistakes == known.ledger.mistakes
        np.testing.assert_allclose(late.state.w, known.state.w, rtol=1e-12, atol=1e-15)


@every_rule
@quick
@given(seed=seeds, cuts=st.lists(st.integers(1, 40), max_size=4))
def test_late_features_join_in_the_round_they_are_learned_in(rule: ls.LinearRule, seed: int, cuts: list[int]) -> None:
    """Dicts one by one and in any chunks (after the first row) leave the same bits, average included."""
    X = rows(seed, 40, 25, density=0.15)
    y = outcomes(rule, seed, 40)
    assert isinstance(y, np.ndarray)
    records = [{f"f{k}": float(x[k]) for k in reversed(np.flatnonzero(x).tolist())} for x in X]
    pair = (-1, 1) if rule.abilities.labels else None
    single, chunks = ls.Learner(rule, labels=pair, average=True), ls.Learner(rule, labels=pair, average=True)
    for record, outcome in zip(records, y.tolist(), strict=True):
        single.learn_one(record, outcome)
    bounds = sorted({0, 1, 40, *cuts})
    for begin, end in itertools.pairwise(bounds):
        chunks.learn_many(records[begin:end], y[begin:end])
    assert chunks.features == single.features
    assert chunks.ledger == single.ledger
    for name, array in single.state.arrays.items():
        assert chunks.state.arrays[name].tobytes() == array.tobytes(), name
    np.testing.assert_array_equal(chunks.averaged().state.w, single.averaged().state.w)
    weigh = single.state.arrays.get("weigh", single.state.lean)
    assert math.isclose(float(np.sum(weigh)), float(single.state.total[0]), rel_tol=1e-12)


@every_rule
def test_rows_may_be_empty_before_there_is_a_feature(rule: ls.LinearRule) -> None:
    learner = ls.Learner(rule, labels=(-1, 1) if rule.abilities.labels else None, average=True)
    outcome = 1 if rule.abilities.labels else 1.0
    first: dict[str, float] = {}
    for x in (first, {"a": 1.0}, first):
        assert math.isfinite(learner.score_one(x))
        learner.learn_one(x, outcome)
    assert np.isfinite(learner.state.w).all()
    assert np.isfinite(learner.averaged().state.w).all()


def test_late_features_add_to_log_size_what_they_add_to_the_sum() -> None:
    """log of the sum = log_size at the start + what updates did: the identity the proofs telescope."""
    rule = ls.ExponentiatedUpdate(eta=0.8)
    learner, updates = ls.Learner(rule), 0.0
    source = np.random.default_rng(2)
    for t in range(60):
        x = {f"f{k}": float(source.normal()) for k in source.integers(0, 1 + t, size=3)}
        learner.check_one(x, ls.Intervals(3.0, math.inf))
        twin = ls.Learner.restored(learner.snapshot())
        twin.learn_one(dict.fromkeys(x, 0.0), ls.Intervals(-math.inf, math.inf))
        before = recounted(twin.state)
        learner.learn_one(x, ls.Intervals(3.0, math.inf))
        updates += recounted(learner.state) - before
    assert float(learner.state.log_size[0]) + updates == pytest.approx(recounted(learner.state), abs=1e-9)


def test_a_refused_row_takes_back_the_features_it_brought() -> None:
    learner = ls.Learner(ls.ExponentiatedUpdate(), labels=(-1, 1), average=True)
    for _ in range(3):
        learner.learn_one({"a": 1.0, "b": -1.0}, -1)
    before = {name: array.tobytes() for name, array in learner.state.arrays.items()}
    for bad, label in (({"c": math.nan}, 1), ({"c": 1.0, "d": 2.0}, "third")):
        with pytest.raises(ls.InvalidData):
            learner.learn_one(bad, label)
        learner.check_one({"e": 1.0}, 1)
        assert {name: array.tobytes() for name, array in learner.state.arrays.items()} == before
        assert learner.features == ["a", "b"]
    learner.learn_one({"c": 1.0, "a": 1.0}, -1)
    assert math.isclose(float(np.sum(learner.state.w)), 1.0, rel_tol=1e-12)


# Bad input.


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ls.Winnow(eta=0.0), "eta is 0.0; eta must be a finite number above 0"),
        (lambda: ls.SignedWinnow(eta=-1.0), "eta is -1.0"),
        (lambda: ls.Winnow(tie_tol=1.0), "tie_tol is 1.0"),
        (lambda: ls.ExponentiatedUpdate(eta=math.nan), "eta is nan"),
        (lambda: ls.ExponentiatedUpdate(U=0.0), "U is 0.0; U must be a finite number above 0"),
        (lambda: ls.ExponentiatedUpdate(U=-2.0), "U is -2.0"),
        (lambda: ls.SignedExponentiatedUpdate(U=math.inf), "U is inf"),
        (lambda: ls.RandomizedExponentiatedUpdate(U=0.0), "U is 0.0"),
        (lambda: ls.ExponentiatedUpdate(tolerance=-0.1), "tolerance is -0.1"),
        (lambda: ls.ExponentiatedUpdate(start=[0.5, 0.0, 0.5]), r"start\[1\] is 0; every entry of start must be above 0"),
        (lambda: ls.ExponentiatedUpdate(start=[1.5, -0.5]), r"start\[1\] is -0.5"),
        (lambda: ls.ExponentiatedUpdate(U=2.0, start=[0.5, 0.5]), "start has sum 1.0; its sum must be U = 2.0"),
        (lambda: ls.MultiplicativePassiveAggressive(margin=1.0, start=[0.5, 0.6]), "start has sum 1.1"),
        (lambda: ls.MultiplicativePassiveAggressive(margin=0.0), "margin is 0.0"),
        (lambda: ls.MultiplicativePassiveAggressiveRegression(epsilon=-1.0), "epsilon is -1.0"),
        (lambda: ls.Winnow.textbook(margin=2.0, radius=1.0), "margin is 2.0; margin must be at most the radius, 1.0"),
        (lambda: ls.Winnow.lecture(margin=0.0, radius=1.0), "margin is 0.0"),
        (lambda: ls.SignedWinnow.lecture(margin=1.0, radius=math.inf), "radius is inf"),
        (lambda: ls.ExponentiatedUpdate.weighted_majority(beta=1.0), "beta is 1.0"),
    ],
)
def test_parameters_outside_their_domain(make: Callable[[], object], words: str) -> None:
    with pytest.raises(ls.InvalidParameter, match=words):
        make()


def test_printed_constants_refuse_negative_values() -> None:
    rule = ls.MultiplicativePassiveAggressive(margin=0.5, constants="printed")
    learner = ls.Learner(rule, labels=(-1, 1))
    learner.learn_many([[1.0, 0.5, 0.0]], [1])
    before = {name: array.tobytes() for name, array in learner.state.arrays.items()}
    words = 'value of feature 2 is -0.25; with constants="printed" values must be at least 0'
    with pytest.raises(ls.InvalidData, match="row 1: " + words):
        learner.learn_many([[1.0, 0.0, 0.0], [0.0, 1.0, -0.25]], [1, 1])
    with pytest.raises(ls.InvalidData, match="row 0: " + words):
        learner.learn_one([0.0, 1.0, -0.25], 1)
    assert {name: array.tobytes() for name, array in learner.state.arrays.items()} == before
    assert learner.ledger.rounds == 1


def test_printed_constants_refuse_negative_values_in_dicts_too() -> None:
    learner = ls.Learner(ls.MultiplicativePassiveAggressive(margin=0.5, constants="printed"), labels=(-1, 1))
    for _ in range(3):
        learner.learn_one({"a": 1.0}, 1)
    with pytest.raises(ls.InvalidData, match="is -1; with constants"):
        learner.learn_one({"a": -1.0}, 1)
    assert learner.ledger.rounds == 3


def test_a_start_vector_fixes_the_number_of_features() -> None:
    learner = ls.Learner(ls.ExponentiatedUpdate(start=[0.5, 0.5]), labels=(-1, 1))
    for width in (1, 3):
        with pytest.raises(ls.InvalidData, match="the start vector has 2 weights"):
            learner.learn_many(np.ones((1, width)), [1])
    learner.learn_many(np.ones((1, 2)), [1])
    assert learner.ledger.rounds == 1


def test_an_empty_row_with_a_loss_cannot_be_helped() -> None:
    run = ls.run(ls.MultiplicativePassiveAggressive(margin=0.5), [[0.0, 0.0]], [1], labels=(-1, 1))
    assert (run.ledger.impossible, run.ledger.updates) == (1, 0)


def test_targets_are_not_for_winnow() -> None:
    with pytest.raises(ls.NotApplicable):
        ls.Learner(ls.Winnow()).learn_many([[1.0]], ls.Intervals(0.0, 1.0))


# Mutants: each is a known mistake, and the laws above must not pass on it.


class _Mutant(ls.LinearRule, ABC):
    """The Exponentiated Update with n weights of sum 1, and one thing wrong."""

    abilities = Abilities(learns=frozenset({"intervals"}))

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        if trial.side == 0:
            return _core.Step.stay()
        self.multiply(state, row, trial.side)
        return _core.Step.by(trial.side)

    @abstractmethod
    def multiply(self, state: State, row: _core.Row, step: float) -> None: ...


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class StoresNormalisedWeights(_Mutant):
    source: ClassVar[str] = "mutant"

    def init(self, width: int) -> ls.Weights:
        return ls.Weights(w=np.full(width, 1.0 / width))

    def multiply(self, state: State, row: _core.Row, step: float) -> None:
        state.w[row.indices] *= np.exp(step * row.values)
        state.w[:] /= np.sum(state.w)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class SubtractsInTheNormaliser(_Mutant):
    source: ClassVar[str] = "mutant"

    def init(self, width: int) -> ls.Weights:
        total = np.array([float(width)])
        return ls.Weights({"theta": PER_FEATURE}, w=np.full(width, 1.0 / width), theta=np.zeros(width), total=total)

    def multiply(self, state: State, row: _core.Row, step: float) -> None:
        before = np.exp(state.theta[row.indices])
        row.add_to(state.theta, step)
        state.total[0] += float(np.sum(np.exp(state.theta[row.indices]) - before))
        state.w[:] = np.exp(state.theta) / state.total[0]


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class ForgetsTheNormaliser(_Mutant):
    source: ClassVar[str] = "mutant"

    def init(self, width: int) -> ls.Weights:
        return ls.Weights(w=np.full(width, 1.0 / width))

    def multiply(self, state: State, row: _core.Row, step: float) -> None:
        state.w[row.indices] *= np.exp(step * row.values)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class StepsTheWrongWay(_Mutant):
    source: ClassVar[str] = "mutant"

    def init(self, width: int) -> ls.LogWeights:
        return ls.LogWeights.uniform(width)

    def multiply(self, state: State, row: _core.Row, step: float) -> None:
        assert isinstance(state, ls.LogWeights)
        state.move(row, -step)


def recovers(rule: ls.LinearRule) -> bool:
    """Safety test 1 with its theorem: the loss stays below that of u = (0, 1), log 2 and half the updates."""
    X = np.array([[1.0, -1.0]] * 900 + [[-1.0, 1.0]] * 3100)
    with np.errstate(all="ignore"):
        run = ls.run(rule, X, ls.Intervals(np.full(4000, 2.0), math.inf))
    return run.ledger.loss <= 5800.0 + math.log(2.0) + 2000.0


def keeps_its_sum(rule: ls.LinearRule) -> bool:
    """One log-weight goes up by 50 and comes down again, and the weights have sum 1 throughout."""
    X = np.zeros((100, 4))
    X[:, 0] = np.where(np.arange(100) < 50, 1.0, -1.0)
    with np.errstate(all="ignore"):
        state = ls.run(rule, X, ls.Intervals(np.full(100, 10.0), math.inf)).state
    return math.isclose(float(np.sum(state.w)), 1.0, rel_tol=1e-9)


def test_the_rule_itself_passes_what_the_mutants_fail() -> None:
    assert recovers(ls.ExponentiatedUpdate(eta=1.0))
    assert keeps_its_sum(ls.ExponentiatedUpdate(eta=1.0))


def test_mutant_stored_weights_violates_the_theorem() -> None:
    """By hand: the loss of this one is 10201.28."""
    X = np.array([[1.0, -1.0]] * 900 + [[-1.0, 1.0]] * 3100)
    run = ls.run(StoresNormalisedWeights(), X, ls.Intervals(np.full(4000, 2.0), math.inf))
    assert run.ledger.loss == pytest.approx(10201.28, abs=0.005)
    assert not recovers(StoresNormalisedWeights())


def test_mutant_subtraction_is_caught() -> None:
    assert not keeps_its_sum(SubtractsInTheNormaliser())


def test_mutant_without_a_normaliser_is_caught() -> None:
    X = rows(1, 20, 4)
    state = ls.run(ForgetsTheNormaliser(), X, ls.Intervals(np.full(20, 2.0), math.inf)).state
    assert not math.isclose(float(np.sum(state.w)), 1.0, rel_tol=1e-3)


def test_mutant_with_a_wrong_sign_is_caught() -> None:
    assert not recovers(StepsTheWrongWay())


def test_average_of_python_rules_adds_outright() -> None:
    rule = ls.ExponentiatedUpdate(eta=0.4)
    X, y = rows(9), ls.Intervals(np.full(30, 1.0), math.inf)
    state, average = rule.init(7), Average.of(7)
    PythonLoop(rule, state, average).learn(_core.dense_batch(X), y.outcomes, _core.Totals(), _core.RoundColumns(30), 0, 30)
    kernel = ls.Learner(rule, average=True)
    kernel.learn_many(X, y)
    np.testing.assert_allclose(average.total(state) / 30, kernel.averaged().state.w, atol=1e-12)
