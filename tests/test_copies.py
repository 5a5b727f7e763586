"""A learner that was copied or pickled goes on with the same bits, and leaves the other alone."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pytest

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.outcomes import OutcomesLike
from littlestone.rule import LinearRule


def products(points: object, x: object) -> FloatArray:
    dots: FloatArray = np.asarray(points, dtype=np.float64) @ np.asarray(x, dtype=np.float64)
    return dots


GAUSSIAN = ls.kernels.Gaussian(gamma=0.5)

RULES: tuple[LinearRule, ...] = (
    ls.Perceptron(start=np.array([1.0, 2.0])),
    ls.RandomizedPerceptron(),
    ls.OnlineSVM(),
    ls.SignedWinnow(),
    ls.PassiveAggressiveRegression(),
    ls.MulticlassPerceptron(),
    ls.OneVersusRest(rule=ls.Winnow()),
    ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=GAUSSIAN, budget=5)),
    ls.OneVersusRest(rule=ls.KernelPassiveAggressive(kernel=ls.kernels.Custom(function=products))),
    ls.KernelPerceptron(kernel=GAUSSIAN),
    ls.KernelPerceptron(kernel=GAUSSIAN, budget=5),
    ls.KernelPerceptron(kernel=GAUSSIAN, budget=5, when_full="drop-oldest"),
    ls.KernelPassiveAggressive(kernel=ls.kernels.Custom(function=products)),
    ls.Uniclass(epsilon=1.0),
    ls.KernelUniclass(kernel=GAUSSIAN, epsilon=0.5),
    ls.MultiplicativeUniclass(epsilon=0.5),
)


def through_pickle(learner: ls.Learner) -> ls.Learner:
    restored = pickle.loads(pickle.dumps(learner))
    assert isinstance(restored, ls.Learner)
    return restored


every_way = pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, through_pickle])


def rows() -> FloatArray:
    return np.random.default_rng(0).normal(size=(80, 3))


def outcomes(rule: LinearRule, X: FloatArray) -> OutcomesLike:
    """Of whatever kind the rule learns."""
    if rule.abilities.alone:
        return ls.Intervals.inside(len(X))
    if rule.abilities.targets:
        return X[:, 0] + X[:, 1]
    return (X[:, 0] > 0).astype(int) + (rule.abilities.classes) * (X[:, 1] > 0)


@every_way
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_it_goes_on_with_the_same_bits(rule: LinearRule, copied: Callable[[ls.Learner], ls.Learner]) -> None:
    X = rows()
    learner = ls.Learner(rule, average=True)
    learner.learn_many(X[:40], outcomes(rule, X[:40]))
    twin = copied(learner)
    assert (twin.rule, twin.labels, twin.ledger) == (rule, learner.labels, learner.ledger)
    learner.learn_many(X[40:], outcomes(rule, X[40:]))
    assert twin.ledger.rounds == 40  # what one learns the other does not
    twin.learn_many(X[40:], outcomes(rule, X[40:]))
    assert np.array_equal(twin.score_many(X), learner.score_many(X))
    assert twin.ledger == learner.ledger


@every_way
def test_before_anything_was_learned(copied: Callable[[ls.Learner], ls.Learner]) -> None:
    twin = copied(ls.Learner(ls.KernelPerceptron(kernel=GAUSSIAN), labels=("a", "b"), missing="skip"))
    twin.learn_one({"x": 1.0, "y": float("nan")}, "b")
    assert (twin.labels, twin.ledger.missing) == (("a", "b"), 1)


@every_way
def test_averages_and_names_go_along(copied: Callable[[ls.Learner], ls.Learner]) -> None:
    learner = ls.Learner(ls.Perceptron(), average=True)
    learner.learn_one({"a": 1.0}, 1)
    learner.learn_one({"b": 1.0, "a": 1.0}, -1)
    twin = copied(learner)
    assert twin.features == ["a", "b"]
    assert twin.averaged().weights == learner.averaged().weights == {"a": 0.5}


def test_arrays_of_a_pickle_may_be_read_only() -> None:
    """As they are where joblib maps them from a file."""
    learner = ls.Learner(ls.Perceptron())
    learner.learn_many(rows(), outcomes(ls.Perceptron(), rows()))
    call, (packed,) = learner.__reduce__()
    state = packed.state
    assert state is not None
    state.w.setflags(write=False)
    twin = call(packed)
    twin.learn_many(-rows(), outcomes(ls.Perceptron(), rows()))
    assert twin.ledger.rounds == 160
