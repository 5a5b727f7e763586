"""Rows that are only scored: block by block, by two threads, with the bits and the refusals of one row at a time."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.sklearn import PassiveAggressiveClassifier

WIDTH, ROWS = 400, 30_000
"""Enough entries for several blocks, and so for the second thread."""


def matrix(*, shuffled: bool = False, zeros: bool = False, empty: bool = False) -> csr_array:
    """About 7 entries per row of 400 columns."""
    rng = np.random.default_rng(11)
    count = rng.integers(0 if empty else 1, 14, ROWS)
    start = np.concatenate([[0], np.cumsum(count)]).astype(np.int32)
    index = np.concatenate([rng.permutation(WIDTH)[:n] if shuffled else np.sort(rng.permutation(WIDTH)[:n]) for n in count])
    value = rng.normal(size=start[-1])
    if zeros:
        value[rng.random(len(value)) < 0.2] = 0.0
    return csr_array((value, index.astype(np.int32), start), shape=(ROWS, WIDTH))


def learned(X: csr_array) -> ls.Learner:
    learner = ls.Learner(ls.PassiveAggressive(variant="PA-I", C=1.0))
    learner.learn_many(X[:500], np.where(np.arange(500) % 3 == 0, 1, -1))
    return learner


def one_at_a_time(learner: ls.Learner, X: csr_array) -> FloatArray:
    dense = X[:200].toarray()
    return np.array([learner.score_many(dense[t : t + 1])[0] for t in range(len(dense))])


@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("shuffled", [False, True])
def test_scores_of_a_block_are_those_of_its_rows(shuffled: bool, zeros: bool) -> None:
    X = matrix(shuffled=shuffled, zeros=zeros, empty=True)
    learner = learned(X)
    scores = learner.score_many(X)
    tidy = X.copy()
    tidy.sort_indices()
    tidy.eliminate_zeros()
    assert (scores == learner.score_many(tidy)).all()
    assert (scores[:200] == one_at_a_time(learner, tidy)).all()
    assert (scores == np.concatenate([learner.score_many(tidy[k : k + 50]) for k in range(0, ROWS, 50)])).all()


def test_what_a_feature_has_twice_is_added_up() -> None:
    learner = learned(matrix())
    twice = csr_array((np.array([1.0, 2.0, 4.0]), np.array([7, 3, 7]), np.array([0, 3])), shape=(1, WIDTH))
    once = csr_array((np.array([2.0, 5.0]), np.array([3, 7]), np.array([0, 2])), shape=(1, WIDTH))
    assert learner.score_many(twice) == learner.score_many(once) != 0.0


@pytest.mark.parametrize("row", [0, 17_000, ROWS - 1])
@pytest.mark.parametrize("bad", [WIDTH, -1, 2**31 - 1])
def test_the_first_row_outside_the_matrix_is_named(row: int, bad: int) -> None:
    X = matrix(shuffled=True)
    learner = learned(X)
    for at in (row, ROWS - 1):
        X.indices[X.indptr[at]] = bad
    with pytest.raises(ls.InvalidData, match=f"row {row}: feature index {bad} is outside"):
        learner.score_many(X)


@pytest.mark.parametrize(("value", "words"), [(np.nan, "is nan"), (np.inf, "is inf"), (1e200, "the sum of squares overflows")])
def test_the_first_row_that_is_not_finite_is_named(value: float, words: str) -> None:
    X = matrix()
    learner = learned(X)
    for at in (21_000, 29_000):
        X.data[X.indptr[at]] = value
    with pytest.raises(ls.InvalidData, match=f"row 21000: .*{words}"):
        learner.score_many(X)


def test_the_first_score_beyond_all_numbers_is_named() -> None:
    X = matrix()
    learner = ls.Learner(ls.Perceptron(eta=1e50))
    learner.learn_many(csr_array((np.full(WIDTH, 1e140), np.arange(WIDTH), np.array([0, WIDTH])), shape=(1, WIDTH)), [1])
    assert np.isfinite(learner.score_many(X)).all()
    for at in (23_456, 29_000):
        X.data[X.indptr[at]] = 1e139
    with pytest.raises(ls.InvalidData, match="row 23456: "):
        learner.score_many(X)


def test_many_classes_are_shared_as_well() -> None:
    X = matrix(shuffled=True)
    model = PassiveAggressiveClassifier(max_iter=2, tol=None, random_state=0).fit(X[:900], np.arange(900) % 5)
    whole = model.decision_function(X)
    assert (whole == np.concatenate([model.decision_function(X[k : k + 100]) for k in range(0, ROWS, 100)])).all()


@pytest.mark.parametrize("classes", [3, 8, 26])
@pytest.mark.parametrize("constant", [False, True])
def test_scores_of_all_classes_are_those_of_each(classes: int, constant: bool) -> None:
    X = matrix(zeros=True, empty=True)[:3000]
    y = np.arange(3000) % classes
    model = PassiveAggressiveClassifier(fit_intercept=constant, max_iter=1, random_state=0).fit(X, y)
    scores = model.decision_function(X)
    alone = np.concatenate([model.decision_function(X[t : t + 1]) for t in range(200)])  # too few to put weights down anew
    assert (scores[:200] == alone).all()
    assert (scores == model.decision_function(X.toarray())).all()


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_long_rows_in_any_order_are_scored_as_sorted_ones(dtype: type, index: type) -> None:
    rng = np.random.default_rng(3)
    learner = learned(matrix())
    for count in (1, 15, 16, 17, 33, 255, 256, 257, 400):
        order = rng.permutation(WIDTH)[:count]
        values: FloatArray = rng.normal(size=count).astype(dtype)
        X = csr_array((values, order.astype(index), np.array([0, count], dtype=index)), shape=(1, WIDTH))
        tidy = X.copy()
        tidy.sort_indices()
        assert learner.score_many(X)[0] == learner.score_many(tidy)[0] == learner.score_many(tidy.toarray())[0] != 0.0
