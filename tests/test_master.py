"""The master over learners."""

from __future__ import annotations

import math
from collections.abc import Hashable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

import littlestone as ls
from littlestone.arrays import FloatArray

seeds = st.integers(0, 2**32 - 1)


class Opposite:
    """A learner that is nobody's subclass: says the other label than the last one."""

    def __init__(self) -> None:
        self.last: Hashable = "ham"

    def predict_one(self, x: object) -> Hashable:
        return "spam" if self.last == "ham" else "ham"

    def learn_one(self, x: object, y: Hashable) -> Hashable:
        shown = self.predict_one(x)
        self.last = y
        return shown


def stream(seed: int, rows: int = 80, width: int = 6) -> tuple[FloatArray, list[str]]:
    source = np.random.default_rng(seed)
    X = source.normal(size=(rows, width))
    y = X[:, 0] - 0.5 * X[:, 1] + 0.5 * source.normal(size=rows) > 0
    return X, ["spam" if spam else "ham" for spam in y]


def crew() -> ls.Master:
    """Linear rules, a randomised one, another master, and a learner of the caller's."""
    inner = ls.Master([ls.Learner(ls.Perceptron()), ls.Learner(ls.OnlineSVM())])
    rules = (ls.Perceptron(), ls.PassiveAggressive(), ls.SignedWinnow(), ls.RandomizedPerceptron(seed=4))
    return ls.Master([*(ls.Learner(rule) for rule in rules), inner, Opposite()], labels=("ham", "spam"))


@settings(max_examples=15, deadline=None, derandomize=True)
@given(seed=seeds)
def test_its_theorem_holds_for_any_mix(seed: int) -> None:
    X, y = stream(seed)
    master = crew()
    master.learn_many(X, y)
    found = master.certify()[0]
    assert found.id == "bylander.master"
    assert found.verdict in (ls.Verdict.HOLDS, ls.Verdict.VACUOUS)
    assert found.bound == pytest.approx(8.0 / 3.0 * (int(master.wrong_votes.min()) + math.log(6)), rel=1e-9)
    assert found.measured == master.ledger.mistakes


@settings(max_examples=10, deadline=None, derandomize=True)
@given(seed=seeds)
def test_many_equals_one_by_one(seed: int) -> None:
    X, y = stream(seed)
    many, single, sparse = crew(), crew(), crew()
    many.learn_many(X, y)
    for x, label in zip(X, y, strict=True):
        shown = single.predict_one(x)
        assert single.learn_one(x, label) == shown
    sparse.learn_many(csr_matrix(X), y)
    for other in (single, sparse):
        assert other.ledger == many.ledger
        assert other.wrong_votes.tolist() == many.wrong_votes.tolist()
        assert other.weights.tobytes() == many.weights.tobytes()
    assert many.predict_many(X) == [single.predict_one(x) for x in X]


def test_weights_are_those_of_weighted_majority_with_beta_1_over_e() -> None:
    """On a mistake each learner that was wrong falls by e against each that was right."""
    X, y = stream(3)
    master, votes = ls.Master([ls.Learner(ls.Fixed(weights=row)) for row in np.eye(6)]), np.sign(X)
    wrong_on_mistakes = np.zeros(6)
    signs = np.array([1 if label == "spam" else -1 for label in y])
    for x, vote, sign in zip(X, votes, signs, strict=True):
        before = master.ledger.mistakes
        master.learn_one(x, int(sign))
        wrong_on_mistakes += (master.ledger.mistakes > before) * (vote != sign)
    expected = np.exp(-wrong_on_mistakes)
    np.testing.assert_allclose(master.weights, expected / np.sum(expected), rtol=1e-12)
    assert master.wrong_votes.tolist() == np.sum(votes != signs[:, np.newaxis], axis=0).tolist()


def test_it_follows_the_best_learner() -> None:
    source = np.random.default_rng(0)
    X = source.choice([-1.0, 1.0], size=(2000, 9))
    master = ls.Master([ls.Learner(ls.Fixed(weights=row)) for row in np.eye(9)])
    master.learn_many(X, X[:, 4].astype(int))
    assert master.ledger.mistakes <= math.floor(8.0 / 3.0 * math.log(9))
    assert int(np.argmax(master.weights)) == 4


def test_labels_of_the_learners_are_the_masters() -> None:
    first = ls.Learner(ls.Perceptron(), labels=("no", "yes"))
    master = ls.Master([first, ls.Learner(ls.Perceptron())])
    master.learn_many([[1.0], [-1.0], [1.0]], ["yes", "no", "yes"])
    assert master.labels == ("no", "yes")
    assert [master.predict_one([value]) for value in (2.0, -2.0)] == ["yes", "no"]
    assert master.predict_many([[2.0], [-2.0]]) == ["yes", "no"]


def test_predicting_before_learning_is_defined_and_pure() -> None:
    master = crew()
    assert master.predict_one({"a": 1.0}) in ("ham", "spam")
    assert master.ledger.rounds == 0
    assert float(np.sum(master.weights)) == pytest.approx(1.0)


def test_a_refused_call_changes_nothing() -> None:
    """The printed constants refuse what the other learner takes; neither has learned it afterwards."""
    picky = ls.Learner(ls.MultiplicativePassiveAggressive(margin=0.5, constants="printed"))
    master = ls.Master([ls.Learner(ls.Perceptron()), picky], labels=(-1, 1))
    master.learn_one([1.0, 0.0], 1)
    before = [learner.ledger for learner in (*master.learners, master) if isinstance(learner, ls.Learner | ls.Master)]
    for x, y in (([1.0, -1.0], 1), ([math.nan, 1.0], 1), ([1.0, 1.0], "third"), ([1.0], 1)):
        with pytest.raises(ls.InvalidData):
            master.learn_one(x, y)
        with pytest.raises(ls.InvalidData):
            master.learn_many([[1.0, 1.0], x], [1, y])
    with pytest.raises(ls.InvalidData, match="there are 2 rows and 1 outcomes"):
        master.learn_many([[1.0, 1.0]] * 2, [1])
    after = [learner.ledger for learner in (*master.learners, master) if isinstance(learner, ls.Learner | ls.Master)]
    assert after == before


def test_who_cannot_vote_is_refused() -> None:
    with pytest.raises(ls.InvalidParameter, match="at least one learner"):
        ls.Master([])
    with pytest.raises(ls.NotApplicable, match=r"learners\[0\] has the rule PassiveAggressiveRegression"):
        ls.Master([ls.Learner(ls.PassiveAggressiveRegression())])
    same = ls.Learner(ls.Perceptron())
    with pytest.raises(ls.InvalidParameter, match="twice"):
        ls.Master([same, same])
    with pytest.raises(ls.InvalidParameter, match="all learners must know the same pair"):
        ls.Master([ls.Learner(ls.Perceptron(), labels=("a", "b")), ls.Learner(ls.Perceptron(), labels=("b", "a"))])
