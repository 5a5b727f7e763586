"""The Perceptron of Rosenblatt, its interval form and tolerance (Bylander 1998), and its averages."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from laws import learned
from littlestone.arrays import FloatArray
from strategies import Stream, integer, streams, tame

FOUR = Stream(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0]]), np.array([1, -1, 1, 1]))
FIVE = Stream(np.array([[1.0, 0.0], [-3.0, 1.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), np.array([1, 1, -1, 1, -1]))


def used(rule: ls.LinearRule, stream: Stream) -> list[list[float]]:
    """w_1, ..., w_{T+1}."""
    learner = ls.Learner(rule, labels=(-1, 1))
    learner.learn_many(stream.X[:0], stream.y[:0])
    every = [learner.state.w.tolist()]
    for x, y in stream.rounds():
        learner.learn_one(x, y)
        every.append(learner.state.w.tolist())
    return every


def test_b1_hand_worked_rounds() -> None:
    """Spec 2B: updates on points 1, 2, 3, 2; w = (2, -1)."""
    run = ls.run(ls.Perceptron(), FOUR.X, FOUR.y, passes=9, keep=("update",))
    assert np.flatnonzero(run.columns["update"]).tolist() == [0, 1, 2, 5]
    assert (run.state.w.tolist(), run.ledger.updates) == ([2.0, -1.0], 4)


def test_b1_adds_the_row_times_eta_on_a_mistake_and_on_a_tie() -> None:
    assert used(ls.Perceptron(eta=0.5), Stream(np.array([[2.0, -4.0]]), np.array([-1]))) == [[0.0, 0.0], [-1.0, 2.0]]


@given(stream=streams("labels", integer), eta=st.sampled_from([0.25, 2.0, 8.0]))
def test_b1_from_zero_every_step_size_makes_the_same_mistakes(stream: Stream, eta: float) -> None:
    """Mohri exercise 8.2."""
    plain = ls.run(ls.Perceptron(), stream.X, stream.y, labels=(-1, 1), keep=("mistake",))
    scaled = ls.run(ls.Perceptron(eta=eta), stream.X, stream.y, labels=(-1, 1), keep=("mistake",))
    assert plain.columns["mistake"].tolist() == scaled.columns["mistake"].tolist()
    assert (eta * plain.state.w).tolist() == scaled.state.w.tolist()


@given(stream=streams("labels", tame))
def test_b1_is_subgradient_descent_on_the_hinge_at_zero(stream: Stream) -> None:
    """Mohri 8.23: w <- w - g with g = -yx where y(w·x) <= 0, the kink included."""
    w = np.zeros(stream.width)
    for x, y in zip(stream.X, stream.signs, strict=True):
        if ls.Learner(ls.Fixed(weights=w)).score_one(x) * y <= 0.0:
            w = w + y * x
    assert learned(ls.Perceptron(), stream).state.w.tolist() == w.tolist()


def test_b1_a_zero_row_is_a_mistake_without_effect() -> None:
    ledger = ls.run(ls.Perceptron(), [[0.0, 0.0]], [1]).ledger
    assert (ledger.mistakes, ledger.updates) == (1, 1)


def test_b1_unit_vectors_are_all_mistakes() -> None:
    """Mohri exercise 8.3; with sgn(0) = +1 in the test for an update there would be none."""
    run = ls.run(ls.Perceptron(), np.eye(7), np.ones(7, dtype=int))
    assert (run.ledger.mistakes, run.ledger.updates, run.state.w.tolist()) == (7, 7, [1.0] * 7)


def staircase(n: int) -> Stream:
    """mohri.ex8.1, corrected: i - 1 leading components (-1)^i, then (-1)^(i+1)."""
    X = np.zeros((n, n))
    for i in range(1, n + 1):
        X[i - 1, : i - 1] = (-1) ** i
        X[i - 1, i - 1] = (-1) ** (i + 1)
    return Stream(X, np.array([(-1) ** (i + 1) for i in range(1, n + 1)]))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_ex81_the_staircase_takes_exponentially_many_updates(n: int) -> None:
    """Measured in the spec: (4^N - 1)/3 updates, w = (1, 2, 4, ...)."""
    stream = staircase(n)
    run = ls.run(ls.Perceptron(), stream.X, stream.y, labels=(-1, 1), passes=10**5)
    assert run.converged
    assert run.ledger.updates == (4**n - 1) // 3
    assert run.state.w.tolist() == [2.0**k for k in range(n)]


# --- B2, the averages


def test_b2_five_points_by_hand() -> None:
    """w_1..w_6, and the sum of w_1..w_5 = (-4, 1)."""
    expected = [[0.0, 0.0], [1.0, 0.0], [-2.0, 1.0], [-2.0, 0.0], [-1.0, 0.0], [-1.0, -1.0]]
    assert used(ls.Perceptron(), FIVE) == expected
    learner = learned(ls.Perceptron(), FIVE)
    assert (5 * learner.averaged().state.w).tolist() == [-4.0, 1.0]
    assert (5 * learner.averaged().state.w + learner.state.w - expected[0]).tolist() == [-5.0, 0.0]


def test_b2_lazy_sum_is_exact_on_integers() -> None:
    """The sum that is kept lazily is that of all weights used."""
    source = np.random.default_rng(8)
    X = source.integers(-9, 10, size=(4096, 6)).astype(float)
    stream = Stream(X, np.where(source.normal(size=len(X)) > 0, 1, -1))
    for start in (None, np.array([3.0, -1.0, 2.0])):
        rule = ls.Perceptron(start=start)
        total = np.sum(used(rule, stream)[:-1], axis=0)
        assert (4096 * learned(rule, stream).averaged().state.w).tolist() == total.tolist()
        chunked = ls.Learner(rule, labels=(-1, 1), average=True)
        for begin in range(0, 4096, 1000):
            chunked.learn_many(stream.X[begin : begin + 1000], stream.y[begin : begin + 1000])
        assert (4096 * chunked.averaged().state.w).tolist() == total.tolist()


# --- B8, intervals


@pytest.mark.parametrize(
    ("score", "interval", "moved", "loss"),
    [
        (0.0, ls.Intervals(1.0, 2.0), +1, 1.0),
        (1.0, ls.Intervals(1.0, 2.0), 0, 0.0),
        (1.0, ls.Intervals(1.0, 2.0, lo_open=True), +1, 0.0),
        (2.0, ls.Intervals(1.0, 2.0), 0, 0.0),
        (2.0, ls.Intervals(1.0, 2.0, hi_open=True), -1, 0.0),
        (5.0, ls.Intervals(1.0, 2.0), -1, 3.0),
        (0.0, ls.Intervals(0.0, np.inf, lo_open=True), +1, 0.0),
        (0.0, ls.Intervals(-np.inf, 0.0, hi_open=True), -1, 0.0),
        (7.0, ls.Intervals(-np.inf, np.inf), 0, 0.0),
        (3.0, ls.Intervals(3.0, 3.0), 0, 0.0),
    ],
)
def test_b8_where_a_score_stands_to_an_interval(score: float, interval: ls.Intervals, moved: int, loss: float) -> None:
    """At an open end the score is outside although its loss is 0."""
    run = ls.run(ls.Perceptron(eta=0.5, start=np.array([score])), [[1.0]], interval, keep=("loss", "step"))
    assert run.columns["step"].tolist() == [0.5 * moved]
    assert run.columns["loss"].tolist() == [loss]
    assert run.ledger.mistakes == abs(moved)
    assert run.state.w.tolist() == [score + 0.5 * moved]


@given(stream=streams("labels", tame))
def test_b8_labels_are_open_half_lines(stream: Stream) -> None:
    positive = stream.signs > 0
    intervals = ls.Intervals(np.where(positive, 0.0, -np.inf), np.where(positive, np.inf, 0.0), lo_open=True, hi_open=True)
    by_label = ls.run(ls.Perceptron(), stream.X, stream.y, labels=(-1, 1))
    by_interval = ls.run(ls.Perceptron(), stream.X, intervals)
    assert by_label.state.w.tobytes() == by_interval.state.w.tobytes()
    assert by_label.ledger.mistakes == by_interval.ledger.mistakes
    assert by_label.ledger.loss == by_interval.ledger.loss


def test_b8_absolute_loss_of_labels() -> None:
    y = ls.Intervals.of_labels([1, -1], margin=1.0)
    run = ls.run(ls.Perceptron(eta=0.5), [[1.0], [1.0]], y, keep=("loss",))
    assert run.columns["loss"].tolist() == [1.0, 1.5]
    assert repr(y) == "Intervals([1, inf), (-inf, -1])"
    targets = ls.Intervals.of_targets([1.0, 2.0], epsilon=0.5)
    assert (targets.lo.tolist(), targets.hi.tolist()) == ([0.5, 1.5], [1.5, 2.5])


# --- B10, tolerance


@pytest.mark.parametrize(("score", "moved"), [(0.25, 1), (0.5, 0), (0.75, 0), (3.5, 0), (3.75, -1)])
def test_b10_moves_only_outside_the_widened_interval(score: float, moved: int) -> None:
    """I = [1, 3] with τ = ½ goes by [½, 3½]; the loss is measured to I."""
    run = ls.run(ls.Perceptron(start=np.array([score]), tolerance=0.5), [[1.0]], ls.Intervals(1.0, 3.0), keep=("loss", "step"))
    assert run.columns["step"].tolist() == [float(moved)]
    assert run.columns["loss"].tolist() == [max(1.0 - score, score - 3.0, 0.0)]
    assert run.ledger.tolerated_loss == max(0.5 - score, score - 3.5, 0.0)


def test_b10_open_ends_stay_open() -> None:
    run = ls.run(ls.Perceptron(start=np.array([-0.5]), tolerance=0.5), [[1.0]], [1])
    assert (run.ledger.updates, run.ledger.tolerated_loss) == (1, 0.0)


def test_b10_bylander_8_by_hand() -> None:
    """x = 1, I = [1, ∞), τ = ½, η = 1: toleranced loss ½."""
    run = ls.run(ls.Perceptron(tolerance=0.5), np.ones((5, 1)), ls.Intervals(np.ones(5), np.full(5, np.inf)))
    assert (run.ledger.tolerated_loss, run.ledger.updates) == (0.5, 1)


def hadamard(n: int) -> FloatArray:
    matrix = np.ones((1, 1))
    while len(matrix) < n:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix


def test_hadamard_rows_are_all_mistakes() -> None:
    """Spec 2B: label = first column, N = 64: 64 mistakes."""
    X = hadamard(64)
    shuffled = X[:, np.random.default_rng(0).permutation(64)]
    label = np.ones(64, dtype=int)
    for table in (X, shuffled):
        assert ls.run(ls.Perceptron(), table, label).ledger.mistakes == 64
