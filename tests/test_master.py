"""The master over learners."""

from __future__ import annotations

import math
from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

import laws
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


@settings(max_examples=15, deadline=None)
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


@settings(max_examples=10, deadline=None)
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


# --- the short way


class Roundabout(dict[str, float]):
    """A dict that is not exactly one goes the long way."""


def team() -> ls.Master:
    """Learners of which every one goes the short way, with names of its own before the others."""
    rules = (ls.PassiveAggressive(variant="PA-I", C=0.1), ls.AROW(), ls.SignedWinnow(), ls.RandomizedPerceptron(seed=4))
    first = ls.Learner(ls.Perceptron(), average=True, labels=("ham", "spam"))
    first.learn_many([{"own": 1.0, "c": 2.0}] * 3, ["ham", "spam", "ham"])
    return ls.Master([first, *(ls.Learner(rule) for rule in rules)])


def everything(master: ls.Master) -> object:
    members = [laws.fingerprint(each) for each in master.learners if isinstance(each, ls.Learner)]
    return members, laws.votes_of(master), master.wrong_votes.tolist(), master.labels


def letters(seed: int, rounds: int) -> list[tuple[dict[str, float], str]]:
    """Rows of names, new ones among them for ever, and noise."""
    source = np.random.default_rng(seed)
    rows = [{str(name): float(source.normal()) for name in source.choice(list("abcdef"), 3)} for _ in range(rounds)]
    for t in range(0, rounds, 7):
        rows[t][f"new {t}"] = 1.0
    noise = source.random(rounds)
    return [(x, "spam" if x.get("a", 0.0) + noise[t] > 0.5 else "ham") for t, x in enumerate(rows)]


def test_the_short_way_ends_where_the_long_one_does() -> None:
    short, long, many = team(), team(), team()
    went = 0
    for x, y in letters(0, 600):
        way = short._quick  # the long way closes it and opens another
        assert short.predict_one(x) == long.predict_one(Roundabout(x)) == short.learn_one(x, y)
        went += way is not None and short._quick is way
        long.learn_one(Roundabout(x), y)
        assert long._quick is None
    many.learn_many(*zip(*letters(0, 600), strict=True))
    assert went > 500
    assert everything(short) == everything(long) == everything(many)
    looked = [each.watch.looked for each in short.learners if isinstance(each, ls.Learner)]
    assert all(looked), "rounds of a master are held to the definition of the rule, too"


def test_the_short_way_stays_open_when_a_row_is_refused_or_another_form_comes() -> None:
    master, twin = team(), team()
    for each in (master, twin):
        for x, y in letters(1, 20):
            each.learn_one(x, y)
    for bad, label in (({"a": "?", "z": 1.0}, "spam"), ({"z": math.inf}, "ham"), ({1.5: 1.0}, "ham"), ({"z": 1.0}, "third")):
        with pytest.raises(ls.InvalidData):
            laws.call(master.learn_one, bad, label)
    master.learn_one(Roundabout(a=1.0), "ham")
    twin.learn_one({"a": 1.0}, "ham")
    assert master.learn_one({"a": 1e40, "late": 1.0}, "ham") == twin.learn_one(Roundabout(a=1e40, late=1.0), "ham")
    assert everything(master) == everything(twin)


def test_a_learner_that_is_asked_behind_the_masters_back_sends_it_the_long_way() -> None:
    master, twin = team(), team()
    for t, (x, y) in enumerate(letters(2, 60)):
        master.learn_one(x, y)
        twin.learn_one(Roundabout(x), y)
        if t % 9 == 0:
            for each in (master, twin):
                learner = each.learners[t % 5]
                assert isinstance(learner, ls.Learner)
                learner.learn_many([{"a": 1.0, f"beside {t}": 1.0}], ["ham"])
                learner.learn_one({"b": 1.0}, "spam")
    assert everything(master) == everything(twin)


def test_reading_a_row_may_come_back_to_the_master() -> None:
    """What the row's own code learns by the short way is learned before it, or refused by the long one."""
    master, twin = team(), team()
    for each in (master, twin):
        for x, y in letters(3, 20):
            each.learn_one(x, y)

    class Nosy:
        def __float__(self) -> float:
            master.learn_one({"a": 1.0}, "spam")
            return 2.0

    laws.call(master.learn_one, {"b": Nosy(), "other": 1.0}, "ham")
    twin.learn_one({"a": 1.0}, "spam")
    twin.learn_one({"b": 2.0, "other": 1.0}, "ham")
    assert master.ledger.rounds == twin.ledger.rounds
    assert everything(master) == everything(twin)


def test_threads_by_the_short_way_and_by_the_long_one_learn_every_row_once() -> None:
    master = team()
    rows = letters(4, 120)

    def work(part: int) -> None:
        for t, (x, y) in enumerate(rows):
            if part == 2 and t % 20 == 0:
                taken = ls.Master.restored(master.snapshot())
                rounds = {each.ledger.rounds for each in taken.learners[1:] if isinstance(each, ls.Learner)}
                assert rounds == {taken.ledger.rounds}
            master.learn_one(Roundabout(x) if part == 1 and t % 3 == 0 else x, y)

    with ThreadPoolExecutor(3) as pool:
        for done in [pool.submit(work, part) for part in range(3)]:
            done.result()
    assert master.ledger.rounds == 360
    assert {each.ledger.rounds for each in master.learners[1:] if isinstance(each, ls.Learner)} == {360}
