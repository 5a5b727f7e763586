"""Whoever asks for signs alone gets those of the scores, in whatever order the entries of rows lie; passes in one call."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

import littlestone as ls
from littlestone import _core
from littlestone.errors import InvalidData
from littlestone.sklearn import PassiveAggressiveClassifier, PerceptronClassifier
from littlestone.sklearn.sample import Sample, rows_of

every_type = pytest.mark.parametrize(
    ("value", "index"), [(np.float32, np.int32), (np.float32, np.int64), (np.float64, np.int32), (np.float64, np.int64)]
)


def rows(value: type = np.float64, index: type = np.int32, count: int = 600, width: int = 40, seed: int = 3) -> csr_array:
    """Rows whose entries are in no order, some of them twice in a row, some zero."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(0, 30, count)
    start = np.concatenate([[0], np.cumsum(sizes)])
    at = rng.integers(0, width, int(start[-1]))
    values = np.where(rng.random(len(at)) < 0.1, 0.0, rng.integers(-4, 5, len(at)) * 0.1)
    return csr_array((values.astype(value), at.astype(index), start.astype(index)), shape=(count, width))


def fixed(w: npt.NDArray[np.float64]) -> ls.Learner:
    learner = ls.Learner(ls.Fixed(weights=w), labels=(-1, 1))
    learner.learn_many(np.zeros((1, len(w))), [1])
    return learner


@every_type
@pytest.mark.parametrize("whole", [False, True], ids=["fractions", "ties"])
def test_the_signs_are_those_of_the_scores(value: type, index: type, whole: bool) -> None:
    X = rows(value, index)
    w = np.random.default_rng(1).integers(-3, 4, X.shape[1]) * (1.0 if whole else 0.3)
    learner = fixed(np.asarray(w, dtype=np.float64))
    scores = learner.score_many(X)
    assert learner.verdicts_many(X).tolist() == np.sign(scores).tolist()
    assert len(set(np.sign(scores).tolist())) == 3


@given(seed=st.integers(0, 10_000), value=st.sampled_from([np.float32, np.float64]))
def test_sums_that_cancel_have_the_sign_of_the_sorted_row(seed: int, value: type) -> None:
    rng = np.random.default_rng(seed)
    x: npt.NDArray[np.floating] = (rng.normal(size=12) * 10.0 ** rng.integers(-8, 8, 12)).astype(value)
    pairs: npt.NDArray[np.floating] = np.concatenate([x, -x, [rng.choice([0.0, 1e-17, -1e-17])]]).astype(value)
    at = rng.permutation(len(pairs))
    X = csr_array((pairs[np.argsort(at)], rng.permutation(at).astype(np.int32), np.array([0, len(at)], dtype=np.int32)))
    learner = fixed(np.ones(len(at)))
    assert learner.verdicts_many(X).tolist() == np.sign(learner.score_many(X)).tolist()


def test_numbers_next_to_zero_keep_their_sign() -> None:
    X = csr_array((np.array([1e-200, 1e-200]), np.array([1, 0]), np.array([0, 2])), shape=(1, 2))
    for w in ([1e-150, 1e-150], [1e-120, -1e-120], [5e-324, 0.0]):
        learner = fixed(np.array(w))
        assert learner.verdicts_many(X).tolist() == np.sign(learner.score_many(X)).tolist()


@every_type
@pytest.mark.parametrize("fault", ["below", "above", "nan", "inf", "large"])
def test_what_a_score_refuses_a_verdict_refuses(value: type, index: type, fault: str) -> None:
    X = rows(value, index)
    learner = fixed(np.ones(X.shape[1]))
    if fault in ("below", "above"):
        X.indices[700] = -1 if fault == "below" else X.shape[1]
    else:
        X.data[700] = {"nan": np.nan, "inf": np.inf, "large": np.finfo(value).max}[fault]
    if fault == "large" and value is np.float32:  # its square is a double
        assert learner.verdicts_many(X).tolist() == np.sign(learner.score_many(X)).tolist()
        return
    with pytest.raises(InvalidData) as told:
        learner.score_many(X)
    with pytest.raises(InvalidData) as also_told:
        learner.verdicts_many(X)
    assert str(told.value) == str(also_told.value)


def test_of_many_classes_the_first_of_the_largest_scores() -> None:
    X, y = rows(count=300), np.arange(300) % 5
    learner = ls.Learner(ls.OneVersusRest(rule=ls.Perceptron()), labels=tuple(range(5)))
    learner.learn_many(X, y)
    assert learner.verdicts_many(X).tolist() == np.argmax(learner.score_many(X), axis=1).tolist()


def test_a_view_in_front_judges_what_it_shows() -> None:
    X, y = rows(count=200), np.arange(200) % 2
    learner = ls.Learner(ls.Perceptron(), labels=(0, 1), view=ls.features.StandardScale())
    learner.learn_many(X, y)
    assert learner.verdicts_many(X).tolist() == np.sign(learner.score_many(X)).tolist()


@pytest.mark.parametrize("labels", [["b", "a"], [True, False], [3.0, -2.0]])
def test_a_classifier_predicts_what_its_scores_say(labels: list[object]) -> None:
    X = rows(count=400)
    y = np.array(labels)[np.random.default_rng(0).integers(0, 2, 400)]
    model = PassiveAggressiveClassifier(max_iter=3, tol=None, random_state=0).fit(X, y)
    shown = model.predict(X)
    assert shown.dtype == y.dtype
    assert shown.tolist() == model.classes_[(model.decision_function(X) > 0.0).astype(int)].tolist()


def test_a_third_class_and_labels_in_another_order_are_decided_by_their_scores() -> None:
    X = rows(count=400)
    y = np.random.default_rng(0).integers(0, 4, 400)
    model = PerceptronClassifier().partial_fit(X[:200], y[:200] % 2, classes=[1, 0])
    for rounds in (model, model.partial_fit(X[200:], y[200:])):
        scores = rounds.decision_function(X)
        assert rounds.predict(X).tolist() == rounds.classes_[np.argmax(scores, axis=1)].tolist()


def test_scikit_learn_says_in_its_words_what_is_not_finite() -> None:
    X = rows()
    model = PerceptronClassifier().fit(X, np.arange(600) % 2)
    X.data[5] = np.nan
    with pytest.raises(ValueError, match="Input X contains NaN"):
        model.predict(X)
    with pytest.raises(ValueError, match="Input X contains NaN"):
        model.decision_function(X)


def taught(passes: int, *, together: bool) -> ls.Learner:
    """A learner after passes in orders of their own, in one call or in one each."""
    X, y = rows(count=4000, width=60), np.arange(4000) % 3 % 2
    sample, learner = Sample(rows_of(X, constant=True), y), ls.Learner(ls.PassiveAggressive(variant="PA-I", C=0.1))
    orders = [_core.permutation(seed, len(y)) for seed in range(passes)]
    sample.teach(learner, orders[0])
    outcomes = sample.encoded(learner)
    if together:
        order = np.concatenate(orders[1:])
        made = learner.learn_again(sample.rows.in_order(order), outcomes.in_order(order), passes - 1, lambda _: False)
        assert made == passes - 1
    else:
        for order in orders[1:]:
            learner.next_pass()
            learner.learn_many(sample.rows.in_order(order), outcomes.in_order(order))
    return learner


def test_passes_in_one_call_have_the_bits_of_passes_one_by_one() -> None:
    one, other = taught(6, together=True), taught(6, together=False)
    assert one.state.w.tobytes() == other.state.w.tobytes()
    assert one.ledger == other.ledger
    assert one.ledger.passes == 6


def test_passes_end_where_they_are_told_to() -> None:
    learner = taught(2, together=False)
    X = rows_of(rows(count=500), constant=False)
    order, rounds = np.tile(np.arange(500), 8), []

    def ends(totals: _core.Totals) -> bool:
        rounds.append(totals.rounds)
        return len(rounds) == 3

    narrow = ls.Learner(ls.PassiveAggressive(variant="PA-I", C=0.1), labels=(0, 1))
    narrow.learn_many(X, np.arange(500) % 2)
    outcomes = narrow.encode(X, np.arange(500) % 2)[1]
    assert narrow.learn_again(X.in_order(order), outcomes.in_order(order), 8, ends) == 3
    assert rounds == [1000, 1500, 2000]
    assert narrow.ledger.passes == 4
    assert learner.ledger.rounds == 8000


def test_an_exception_between_passes_takes_them_all_back() -> None:
    X = rows_of(rows(count=500), constant=False)
    learner = ls.Learner(ls.PassiveAggressive(variant="PA-I", C=0.1), labels=(0, 1))
    learner.learn_many(X, np.arange(500) % 2)
    before, order, outcomes = learner.state.w.copy(), np.tile(np.arange(500), 4), learner.encode(X, np.arange(500) % 2)[1]

    def ends(_totals: _core.Totals) -> bool:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        learner.learn_again(X.in_order(order), outcomes.in_order(order), 4, ends)
    assert learner.state.w.tobytes() == before.tobytes()
    assert learner.ledger.rounds == 500


@pytest.mark.parametrize("count", [1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 200, 511, 512, 600])
def test_rows_of_any_length_are_put_into_order(count: int) -> None:
    rng = np.random.default_rng(count)
    at, values = rng.permutation(count), rng.normal(size=count)
    for index in (np.int32, np.int64):
        X = csr_array((values, at.astype(index), np.array([0, count], dtype=index)), shape=(1, count))
        shown = rows_of(X, constant=False)[0]
        assert shown.indices.tolist() == list(range(count))
        assert shown.values.tolist() == values[np.argsort(at)].tolist()
