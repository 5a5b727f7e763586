"""The mean of the weights over the rounds, of many classes: by hand, by brute force, and saved."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import laws
import littlestone as ls
from inventory import GAUSSIAN, short
from inventory import MULTICLASS as RULES
from littlestone.arrays import FloatArray
from littlestone.multiclass.rule import MulticlassRule
from littlestone.state import Average, State
from strategies import Stream, integer
from test_multiclass import NATIVE, codes, kernel_equals_definition, streams

AVERAGED = tuple(rule for rule in RULES if rule.abilities.averages)


def used(rule: MulticlassRule, stream: Stream, weights: Sequence[float]) -> list[FloatArray]:
    """The weights that each round was scored with, a row per class that the stream will have had in the end.

    A class that is not there yet has weights of 0 in a native rule; one versus the rest has it as if it had been announced.
    """
    count = int(codes(stream).max()) + 1
    learner, found = ls.Learner(rule, labels=tuple(range(count)) if isinstance(rule, ls.OneVersusRest) else None), []
    for x, number, weight in zip(stream.X, codes(stream).tolist(), weights, strict=True):
        now = learner.state if learner.ledger.rounds else learner.first_state(len(x))
        found.append(np.zeros((count, len(x))))
        found[-1][: len(now.w)] = now.w
        learner.learn_one(x, number, weight)
    return found


def mean_is_that_of_the_rounds(rule: MulticlassRule, stream: Stream, weights: Sequence[float], *, exact: bool) -> None:
    learner = ls.Learner(rule, average=True)
    learner.learn_many(stream.X, codes(stream), weights)
    found = used(rule, stream, weights)
    mean = learner.averaged()
    assert mean.labels == learner.labels
    slack = 0.0 if exact else 1e-11 * (1.0 + float(np.abs(found).max()))
    assert np.abs(mean.state.w - np.sum(found, axis=0) / len(stream)).max() <= slack


@pytest.mark.parametrize("rule", AVERAGED, ids=short)
@given(data=st.data())
def test_the_average_is_the_mean_of_the_weights_used(rule: MulticlassRule, data: st.DataObject) -> None:
    stream = data.draw(streams(integer))
    heavy = st.sampled_from([0.0, 1.0, 2.0]) if rule.abilities.takes_weights else st.just(1.0)
    mean_is_that_of_the_rounds(rule, stream, [data.draw(heavy) for _ in range(len(stream))], exact=False)


@pytest.mark.parametrize("rule", [ls.MulticlassPerceptron(share="max"), ls.OneVersusRest(rule=ls.Perceptron())], ids=short)
@given(data=st.data())
def test_the_average_is_exact_on_integers(rule: MulticlassRule, data: st.DataObject) -> None:
    stream = data.draw(streams(integer))
    mean_is_that_of_the_rounds(rule, stream, [1.0] * len(stream), exact=True)


def test_by_hand_with_a_class_that_comes_late() -> None:
    """Rounds 1 and 2 have weights of 0; then b has 2 and a has −2; c comes in the last round, which counts 0 for it."""
    learner = ls.Learner(ls.MulticlassPerceptron(share="max"), average=True)
    learner.learn_many([[1.0], [2.0], [1.0], [1.0]], ["a", "b", "b", "c"])
    assert learner.labels == ("a", "b", "c")
    assert (4 * learner.averaged().state.w).ravel().tolist() == [-4.0, 4.0, 0.0]
    learner.learn_one([0.0], "c")  # an empty row moves nothing, and is a round; before it b lost 1 to c
    assert (5 * learner.averaged().state.w).ravel().tolist() == [-6.0, 5.0, 1.0]


def test_one_versus_rest_by_hand_with_a_class_that_comes_late() -> None:
    """Learners of a, b and none after rounds 1 and 2: (1, −1, −1), then (−1, 1, −1); c takes what none has, mean and all."""
    learner = ls.Learner(ls.OneVersusRest(rule=ls.Perceptron()), average=True)
    learner.learn_many([[1.0], [2.0], [1.0]], ["a", "b", "c"])
    assert (3 * learner.averaged().state.w).ravel().tolist() == [0.0, 0.0, -2.0]


def test_the_mean_of_support_sets_is_the_mean_of_their_scores() -> None:
    source = np.random.default_rng(3)
    X, y = source.normal(size=(40, 3)), source.integers(0, 3, size=40)
    rule, total = ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=GAUSSIAN)), np.zeros((40, 3))
    learner = ls.Learner(rule, labels=(0, 1, 2))
    for x, label in zip(X, y.tolist(), strict=True):
        total += learner.score_many(X)
        learner.learn_one(x, label)
    mean = learner.averaged()
    assert np.allclose(mean.score_many(X), total / 40, rtol=1e-12, atol=1e-13)
    assert mean.predict_many(X).tolist() == np.argmax(total, axis=1).tolist()
    assert pickle.loads(pickle.dumps(mean)).score_many(X).tobytes() == mean.score_many(X).tobytes()


@pytest.mark.parametrize("rule", [*NATIVE[:4], ls.OneVersusRest(rule=ls.OnlineSVM())], ids=short)
def test_a_file_goes_on_with_the_mean(rule: MulticlassRule, tmp_path: Path) -> None:
    source = np.random.default_rng(9)
    X, y = source.normal(size=(90, 4)), source.choice(["a", "b", "c", "d"], size=90)
    steady, stopped = ls.Learner(rule, average=True), ls.Learner(rule, average=True)
    steady.learn_many(X, y)
    for begin in range(0, 90, 5):
        stopped.learn_many(X[begin : begin + 5], y[begin : begin + 5])
        stopped.save(tmp_path / "m.lst")
        stopped = ls.load(tmp_path / "m.lst")
    laws.same(steady, stopped)
    assert steady.averaged().state.w.tobytes() == stopped.averaged().state.w.tobytes()
    steady.averaged().save(tmp_path / "mean.lst")
    assert ls.load(tmp_path / "mean.lst").predict_many(X).tolist() == steady.averaged().predict_many(X).tolist()


def test_learners_side_by_side_add_their_sums_up() -> None:
    source = np.random.default_rng(2)
    X, y = source.normal(size=(60, 3)), np.arange(60) % 3
    parts = [(X[:30], y[:30]), (X[30:], y[30:])]
    learners = [ls.Learner(ls.MulticlassPerceptron(), average=True) for _ in parts]
    for learner, (rows, labels) in zip(learners, parts, strict=True):
        learner.learn_many(rows, labels)
    both = ls.mix(learners, unproved=True)
    expected = (30 * learners[0].averaged().state.w + 30 * learners[1].averaged().state.w) / 60
    np.testing.assert_allclose(both.averaged().state.w, expected, rtol=1e-12, atol=1e-14)
    run = ls.epochs(parts, ls.MulticlassPerceptron(), epochs=2, average=True, unproved=True)
    assert run.learner.averaged().state.w.shape == (3, 3)
    assert run.learner.ledger.rounds == 120


def forgets_the_sum_of_no_class(sums: Average, state: State, _: range) -> None:
    """A mutant: a class that comes late has its weights from the beginning and their sum from now on."""
    for k in state.in_use:
        sums.row(k).settled[:] += state.row(k).w


def test_the_mean_of_a_late_class_has_teeth(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Stream(np.array([[1.0], [2.0], [1.0]]), np.array([0, 1, 2]))
    rule = ls.OneVersusRest(rule=ls.Perceptron())
    kernel_equals_definition(rule, stream)
    monkeypatch.setattr(Average, "add", forgets_the_sum_of_no_class)
    with pytest.raises(AssertionError):
        kernel_equals_definition(rule, stream)
