"""Rows that all have views are learned view by view, of others the full covariance runs ahead of the other members; by two
threads where there are cores: nothing may depend on that.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from scipy.sparse import csr_array

import laws
import littlestone as ls
from littlestone import _core
from littlestone.arrays import FloatArray

ROWS = 6_000
"""All columns are cut for the last time after 4,000."""
TASKS = ("labels", "classes", "targets", "raw", "raw classes", "flags", "flags of many")
every_task = pytest.mark.parametrize("task", TASKS)


@contextmanager
def without_help() -> Iterator[None]:
    """As a worker beside others, who have the cores."""
    before = _core.work_beside_others(True)
    try:
        yield
    finally:
        _core.work_beside_others(before)


def learner_for(task: str) -> ls.Learner:
    if task.startswith("raw"):
        return ls.Learner(ls.Pool(views=("raw",)))
    return ls.Learner(ls.PoolRegression() if task == "targets" else ls.Pool())


def flags(task: str) -> tuple[FloatArray, FloatArray]:
    """More columns of 0 and 1 than have a seat, a larger value late; half of the time or of the ones at the end have none."""
    chance = np.random.default_rng(5)
    X = (chance.random((ROWS, 140)) < 0.1).astype(float)
    X[4_800:4_900] *= 7.0
    lean = X @ chance.normal(size=140) + 0.3 * chance.normal(size=ROWS)
    if task == "flags of many":
        return X, np.digitize(lean, [-0.5, 0.5]).astype(float)
    X[5_400:, :100] *= chance.random((600, 100)) < 0.2
    return X, (lean > 0).astype(float)


def sample(task: str) -> tuple[FloatArray, FloatArray]:
    """Five columns of numbers and two of few values; one comes late, some values are 0, missing or next to it."""
    if task.startswith("flags"):
        return flags(task)
    chance = np.random.default_rng(3)
    X = np.column_stack([chance.normal(size=(ROWS, 5)), chance.integers(0, 3, size=(ROWS, 2)), np.zeros(ROWS)])
    X[:, 3] *= chance.random(ROWS) < 0.8
    X[5_200::50, 7] = 1.0
    X[4_700, 0] = 1e-120
    lean = np.sin(3.0 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.3 * chance.normal(size=ROWS)
    if task == "targets":
        return X, lean
    y = (lean > 0).astype(float)
    if task.endswith("classes"):
        y[lean > 1.5] = 2.0
        y[5_500::40] = 3.0
    return X, y


def learned(task: str, size: int = ROWS, weights: FloatArray | None = None, *, sparse: bool = False) -> ls.Learner:
    """Learns so many rows in each call."""
    X, y = sample(task)
    learner = learner_for(task)
    for begin in range(0, ROWS, size):
        rows = slice(begin, begin + size)
        part = csr_array(X[rows]) if sparse else X[rows]
        learner.learn_many(part, y[rows], weights=None if weights is None else weights[rows])
    return learner


@every_task
def test_a_second_thread_changes_no_bit(task: str) -> None:
    with without_help():
        alone = learned(task)
    laws.same(learned(task), alone)


@every_task
@pytest.mark.parametrize("size", [1, 127, 700, 3_001])
def test_rows_in_any_chunks_are_the_same_rounds(task: str, size: int) -> None:
    """Of calls with fewer than 128 rows every row is faced by itself."""
    laws.same(learned(task, size), learned(task))


@every_task
def test_sparse_rows_are_the_same_rounds(task: str) -> None:
    laws.same(learned(task, 700, sparse=True), learned(task))


@every_task
def test_rounds_of_any_weight_are_the_same(task: str) -> None:
    weights = np.random.default_rng(4).choice([0.0, 0.25, 1.0], size=ROWS)
    laws.same(learned(task, 1, weights), learned(task, ROWS, weights))


@every_task
def test_the_columns_of_a_run_are_those_of_single_rounds(task: str) -> None:
    X, y = sample(task)
    together, single = learner_for(task), learner_for(task)
    keep = ("score", "loss", "update")
    whole = together.learn_many(X, y, keep=keep)
    parts = [single.learn_many(X[t : t + 1], y[t : t + 1], keep=keep) for t in range(ROWS)]
    for name in keep:
        assert np.array_equal(whole[name], np.concatenate([part[name] for part in parts])), name


@every_task
def test_what_is_refused_behind_a_stretch_changes_nothing(task: str) -> None:
    X, y = sample(task)
    learner = learner_for(task)
    learner.learn_many(X[:4_500], y[:4_500])
    before = laws.fingerprint(learner)
    X[5_999, 0] = np.nan
    with pytest.raises(ls.InvalidData):
        learner.learn_many(X[4_500:], y[4_500:])
    assert laws.fingerprint(learner) == before


def test_cuts_that_do_not_increase_are_refused() -> None:
    learner = learned("labels")
    forged = {name: array.copy() for name, array in learner.state.arrays.items()}
    cuts = forged["views.cuts"]
    cuts[2] = cuts[1]
    with pytest.raises(ls.InvalidData, match="do not increase"):
        learner.state.refilled(forged, 0)
