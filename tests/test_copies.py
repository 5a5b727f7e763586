"""A learner that was copied or pickled goes on with the same bits, and leaves the other alone."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

import laws
import littlestone as ls
from inventory import FAMILIES, OWN, short
from littlestone.arrays import FloatArray
from littlestone.outcomes import OutcomesLike
from littlestone.rule import LinearRule

GAUSSIAN = ls.kernels.Gaussian(gamma=0.5)


def is_saved(rule: LinearRule) -> bool:
    """A function of the user's own is code, which no file holds."""
    within = rule.parameters().get("rule", rule)
    return isinstance(within, ls.Rule) and within.parameters().get("kernel") != OWN


def through_pickle(learner: ls.Learner) -> ls.Learner:
    restored = pickle.loads(pickle.dumps(learner))
    assert isinstance(restored, ls.Learner)
    return restored


def through_snapshot(learner: ls.Learner) -> ls.Learner:
    return ls.Learner.restored(learner.snapshot())


def through_file(learner: ls.Learner) -> ls.Learner:
    with TemporaryDirectory() as folder:
        learner.save(Path(folder) / "m.lst")
        return ls.load(Path(folder) / "m.lst")


every_way = pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, through_pickle])


def rows() -> FloatArray:
    """None is negative: some rules refuse that."""
    return np.abs(np.random.default_rng(0).normal(size=(80, 3)))


def outcomes(rule: LinearRule, X: FloatArray) -> OutcomesLike:
    """Of whatever kind the rule learns."""
    if rule.abilities.alone:
        return ls.Intervals.inside(len(X))
    if rule.abilities.targets:
        return X[:, 0] + X[:, 1]
    return (X[:, 0] > 0.7).astype(int) + (rule.abilities.classes) * (X[:, 1] > 0.7)


@pytest.mark.parametrize("rule", [rule for rules in FAMILIES.values() for rule in rules], ids=short)
def test_it_goes_on_with_the_same_bits(rule: LinearRule) -> None:
    X = rows()
    learner = ls.Learner(rule, average=rule.abilities.averages)
    learner.learn_many(X[:40], outcomes(rule, X[:40]))
    ways = (copy.copy, copy.deepcopy, through_pickle, through_snapshot, *((through_file,) if is_saved(rule) else ()))
    twins = [copied(learner) for copied in ways]
    for twin in twins:
        assert (twin.rule, twin.labels, twin.ledger) == (rule, learner.labels, learner.ledger)
    learner.learn_many(X[40:], outcomes(rule, X[40:]))
    for twin in twins:
        assert twin.ledger.rounds == 40  # what one learns the other does not
        twin.learn_many(X[40:], outcomes(rule, X[40:]))
        laws.same(learner, twin)
        assert np.array_equal(twin.score_many(X), learner.score_many(X))


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
