"""Blocks of rows that are copied as they are checked, or gathered in another order, ahead of the loop that learns them."""

from __future__ import annotations

import threading

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

import littlestone as ls
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.sklearn.sample import rows_of
from littlestone.streams.space import Table

WIDTH, ROWS = 300, 16_000
"""Enough entries for several blocks, and so for the second thread."""

every_type = pytest.mark.parametrize(
    ("value", "index"), [(np.float32, np.int32), (np.float32, np.int64), (np.float64, np.int32), (np.float64, np.int64)]
)


def sample(value: type = np.float64, index: type = np.int32) -> tuple[csr_array, npt.NDArray[np.int64]]:
    """About 12 entries per row, some of them zeros, some rows empty."""
    rng = np.random.default_rng(5)
    count = rng.integers(0, 25, ROWS)
    start = np.concatenate([[0], np.cumsum(count)])
    total = int(start[-1])
    places = np.argsort(rng.random((ROWS, WIDTH)), axis=1)[:, :25]
    at = np.concatenate([np.sort(row[:n]) for row, n in zip(places, count, strict=True)])
    values = np.where(rng.random(total) < 0.1, 0.0, rng.normal(size=total))
    X: csr_array = csr_array((values.astype(value), at.astype(index), start.astype(index)), shape=(ROWS, WIDTH))
    return X, np.where(rng.random(ROWS) < 0.5, -1, 1)


def weights(rows: Table, y: npt.NDArray[np.int64]) -> tuple[FloatArray, int, int]:
    learner = ls.Learner(ls.PassiveAggressive(variant="PA-I", C=0.1), labels=(-1, 1))
    learner.learn_many(rows, y)
    return learner.state.w, learner.ledger.fingerprint, learner.ledger.mistakes


@every_type
def test_rows_that_are_gathered_are_those_that_stand_in_the_order(value: type, index: type) -> None:
    X, y = sample(value, index)
    order = np.random.default_rng(6).integers(0, ROWS, ROWS)
    gathered, written = weights(rows_of(X, constant=False).in_order(order), y[order]), weights(X[order], y[order])
    assert np.array_equal(gathered[0], written[0])
    assert gathered[1:] == written[1:]


@every_type
def test_copies_of_sparse_blocks_have_the_bits_of_dense_rows(value: type, index: type) -> None:
    X, y = sample(value, index)
    sparse, dense = weights(X, y), weights(X.toarray(), y)
    assert np.array_equal(sparse[0], dense[0])
    assert sparse[1:] == dense[1:]


@pytest.mark.parametrize("bad", [-1, WIDTH, 2**31 - 1])
@pytest.mark.parametrize("row", [0, 9_000, ROWS - 1])
def test_an_index_outside_is_named_in_any_block(row: int, bad: int) -> None:
    X, y = sample()
    filled = row + int(np.argmax(np.diff(X.indptr)[row:] > 0)) if row < ROWS - 1 else int(np.flatnonzero(np.diff(X.indptr))[-1])
    X.indices[X.indptr[filled]] = bad
    learner = ls.Learner(ls.Perceptron(), labels=(-1, 1))
    with pytest.raises(ls.InvalidData, match=f"row {filled}: feature index {bad} is outside"):
        learner.learn_many(X, y)
    assert learner.ledger.rounds == 0


def test_indices_that_another_thread_changes_meanwhile_are_never_followed_outside() -> None:
    """Whatever is written, the call learns the rows or refuses them; with sanitizers, nothing else is touched."""
    X, y = sample()
    right, over = X.indices.copy(), threading.Event()

    def disturb() -> None:
        while not over.is_set():
            X.indices[:] = 2**31 - 1
            X.indices[:] = right

    other = threading.Thread(target=disturb)
    other.start()
    try:
        for _ in range(20):
            learner = ls.Learner(ls.Perceptron(), labels=(-1, 1))
            try:
                learner.learn_many(X, y)
                assert learner.ledger.rounds == ROWS
            except ls.InvalidData:
                assert learner.ledger.rounds == 0
    finally:
        over.set()
        other.join()


@given(seed=st.integers(0, 2**32), count=st.integers(0, 200))
def test_an_order_is_drawn_from_its_seed(seed: int, count: int) -> None:
    order = _core.permutation(seed, count)
    assert sorted(order.tolist()) == list(range(count))
    assert order.tolist() == _core.permutation(seed, count).tolist()


def test_every_order_is_as_likely() -> None:
    """All 24 orders of four numbers, of seeds one after the other: chi-square with 23 degrees of freedom, p > 0.001."""
    drawn = [tuple(_core.permutation(seed, 4).tolist()) for seed in range(24_000)]
    counts = np.unique(drawn, axis=0, return_counts=True)[1]
    assert len(counts) == 24
    assert float(((counts - 1000.0) ** 2 / 1000.0).sum()) < 49.7
