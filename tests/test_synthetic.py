"""Streams made by formulas: the tight instances are tight, the random ones are what they say and the same every time."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.errors import InvalidParameter
from littlestone.streams.synthetic import hadamard, linear_targets, relevant_features, staircase, unit_vectors, zipf_rows


def winnow_mistakes(X: FloatArray, y: FloatArray, eta: float) -> int:
    """Winnow in a few lines, a tie within rounding being a mistake."""
    theta, mistakes = np.zeros(X.shape[1]), 0
    for x, label in zip(X, y, strict=True):
        terms = np.exp(theta - theta.max()) * x
        if label * terms.sum() <= 1e-12 * np.abs(terms).sum():
            mistakes += 1
            theta += eta * label * x
    return mistakes


@pytest.mark.parametrize("features", [1, 2, 7, 40])
def test_the_perceptron_errs_on_every_unit_vector(features: int) -> None:
    """mohri.ex8.3: M = T = r²/ρ²."""
    X, y, u = unit_vectors(features)
    margin = float((y * (X @ u)).min()) / float(np.linalg.norm(u))
    assert ls.run(ls.Perceptron(), X, y).ledger.updates == features == round(1.0 / margin**2)


@pytest.mark.parametrize("features", range(1, 7))
def test_the_staircase_costs_a_third_of_4_to_the_n(features: int) -> None:
    """mohri.ex8.1, corrected: 1, 5, 21, 85, 341, 1365 updates, and w = (1, 2, 4, …)."""
    X, y, u = staircase(features)
    assert (y * (X @ u)).tolist() == [1.0] * features
    run = ls.run(ls.Perceptron(), X, y, passes=2 * 4**features)
    assert run.ledger.updates == (4**features - 1) // 3
    assert run.state.w.tolist() == u.tolist()


def test_the_staircase_costs_the_same_in_every_order() -> None:
    X, y, _ = staircase(3)
    for order in itertools.permutations(range(3)):
        rows = list(order)
        assert ls.run(ls.Perceptron(), X[rows], y[rows], passes=100).ledger.updates == 21


def test_the_rows_of_the_staircase_by_hand() -> None:
    X, y, _ = staircase(3)
    assert X.tolist() == [[1.0, 0.0, 0.0], [1.0, -1.0, 0.0], [-1.0, -1.0, 1.0]]
    assert y.tolist() == [1, -1, 1]


def test_the_printed_staircase_is_easy() -> None:
    """The mutant of erratum 1: i leading components, as printed."""
    size = 6
    signs = np.where(np.arange(1, size + 1) % 2 == 0, 1.0, -1.0)
    X = np.zeros((size, size + 1))
    for k, sign in enumerate(signs):
        X[k, : k + 1], X[k, k + 1] = sign, -sign
    assert ls.run(ls.Perceptron(), X, -signs, passes=100).ledger.updates <= 2


@pytest.mark.parametrize("column", [0, 1, 37])
def test_on_hadamard_rows_the_perceptron_errs_64_times_and_winnow_6(column: int) -> None:
    X, y, u = hadamard(64, column=column)
    assert np.array_equal(X @ X.T, 64.0 * np.eye(64))
    assert np.array_equal(X @ u, y)
    assert ls.run(ls.Perceptron(), X, y).ledger.mistakes == 64
    assert winnow_mistakes(X, y.astype(np.float64), eta=1.0) == 6 <= 2.0 * math.log(64)


def test_zipf_rows_are_unit_sparse_and_separated() -> None:
    X, y, u = zipf_rows(500, 2000, 20, seed=1)
    assert X.shape == (500, 2000)
    assert np.diff(X.indptr).tolist() == [20] * 500
    assert X.has_canonical_format
    assert np.asarray(X.multiply(X).sum(axis=1)) == pytest.approx(np.ones(500))
    assert (X.data > 0.0).all()
    assert (y * (X.toarray() @ u) > 0.0).all()
    assert 150 < np.count_nonzero(y > 0) < 350


def test_features_of_zipf_rows_follow_the_law() -> None:
    # With one nonzero a row nothing is drawn anew, and the counts are those of the law itself.
    features, rows = 50, 40_000
    X, _, _ = zipf_rows(rows, features, 1, seed=2)
    law = 1.0 / np.arange(1, features + 1)
    expected = rows * law / law.sum()
    counts = np.bincount(X.indices, minlength=features)
    assert float(np.sum((counts - expected) ** 2 / expected)) < 90.0  # chi² with 49 degrees: 1 in 4,000
    X, _, _ = zipf_rows(rows, features, 1, exponent=0.0, seed=2)
    counts = np.bincount(X.indices, minlength=features)
    assert float(np.sum((counts - rows / features) ** 2 / (rows / features))) < 90.0


def test_a_row_may_hold_half_of_the_features() -> None:
    X, _, _ = zipf_rows(20, 40, 20)
    assert X.has_canonical_format
    assert X.nnz == 400


def test_noise_turns_over_its_share_of_labels() -> None:
    X, y, u = zipf_rows(4000, 500, 5, noise=0.25, seed=3)
    assert 0.22 < float(np.mean(y * (X.toarray() @ u) < 0.0)) < 0.28


def test_relevant_features_have_the_margin_they_promise() -> None:
    X, y, u = relevant_features(200, 3000, 5, seed=4)
    assert X.dtype == np.float32
    assert set(np.unique(X).tolist()) == {-1.0, 1.0}
    assert np.count_nonzero(u) == 5
    assert float(u.sum()) == pytest.approx(1.0)
    assert float((y * (X @ u)).min()) == pytest.approx(0.2)
    assert abs(float(X.mean())) < 0.01


def test_few_relevant_features_are_what_winnow_is_for() -> None:
    """mohri.8.13: at most 2k² log N mistakes; the Perceptron makes more even in one short pass."""
    X, y, _ = relevant_features(1200, 2000, 5, seed=5)
    winnow = winnow_mistakes(X.astype(np.float64), y.astype(np.float64), eta=0.2)
    assert winnow <= 2.0 * 25.0 * math.log(2000)
    assert 2 * winnow < ls.run(ls.Perceptron(), X, y).ledger.mistakes


def test_linear_targets_are_explained_up_to_the_noise() -> None:
    X, y, u = linear_targets(2000, 8, noise=0.3, seed=6)
    assert np.linalg.norm(u) == pytest.approx(1.0)
    assert np.linalg.norm(X, axis=1) == pytest.approx(np.ones(2000))
    assert 0.28 < float(np.std(y - X @ u)) < 0.32


@pytest.mark.parametrize(
    "make",
    [
        lambda seed: zipf_rows(50, 100, 5, seed=seed),
        lambda seed: relevant_features(50, 100, 3, seed=seed),
        lambda seed: linear_targets(50, 4, seed=seed),
    ],
    ids=["zipf", "relevant", "targets"],
)
def test_a_seed_is_a_stream(make: Callable[[int], tuple[object, FloatArray, FloatArray]]) -> None:
    (_, y, u), (_, again, v), (_, other, w) = make(7), make(7), make(8)
    assert np.array_equal(y, again)
    assert np.array_equal(u, v)
    assert not np.array_equal(u, w)
    assert not np.array_equal(y, other)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: unit_vectors(0), "features is 0; features must be at least 1"),
        (lambda: staircase(0), "features is 0"),
        (lambda: hadamard(12), "features is 12; features must be a power of two"),
        (lambda: hadamard(8, column=8), "column is 8; column must be at least 0 and at most 7"),
        (lambda: zipf_rows(10, 10, 6), "nonzeros is 6; nonzeros must be at least 1 and at most 5"),
        (lambda: zipf_rows(10, 10, 2, noise=0.6), "noise is 0.6"),
        (lambda: zipf_rows(10, 10, 2, exponent=-1.0), "exponent is -1.0"),
        (lambda: zipf_rows(0, 10, 2), "rows is 0"),
        (lambda: relevant_features(10, 100, 4), "relevant is 4; relevant must be odd"),
        (lambda: relevant_features(10, 3, 5), "relevant is 5"),
        (lambda: linear_targets(10, 3, noise=math.nan), "noise is nan"),
    ],
)
def test_bad_sizes_are_refused(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(InvalidParameter, match=sentence):
        make()
