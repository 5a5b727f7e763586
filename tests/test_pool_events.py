"""A pool after something happened: the log loss over the next 10,000 rows is at most twice the best member's, and finite.

Here it happens at row 20,000; `make stress` waits for row 1,000,000.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest
from scipy.sparse import csr_array, hstack

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.streams.space import Table

AFTER = 10_000
Stream: TypeAlias = "tuple[Table, FloatArray]"


def stream(rows: int, width: int = 5) -> tuple[FloatArray, FloatArray]:
    """Columns in several units and a label that is a line of them, one in ten turned over."""
    source = np.random.default_rng(11)
    X = source.normal(size=(rows, width)) * 10.0 ** np.arange(-2, width - 2)
    lean = (X / 10.0 ** np.arange(-2, width - 2)) @ np.linspace(1.0, -1.0, width)
    return X, np.where((lean > 0.0) ^ (source.random(rows) < 0.1), 1.0, -1.0)


def outliers(at: int) -> Stream:
    """One value in a hundred is a million times as large from there on."""
    X, y = stream(at + AFTER)
    wild = np.random.default_rng(1).random((AFTER, X.shape[1])) < 0.01
    X[at:] *= np.where(wild, 1e6, 1.0)
    return X, y


def constant_column(at: int) -> Stream:
    """The column that says most says nothing from there on."""
    X, y = stream(at + AFTER)
    X[at:, 0] = 7.0
    return X, y


def column_that_comes_late(at: int) -> Stream:
    """A column that was never there before, and knows the label."""
    X, y = stream(at + AFTER)
    late = np.zeros((len(X), 1))
    late[at:, 0] = 3.0 * y[at:] + np.random.default_rng(2).normal(size=AFTER)
    return np.hstack([X, late]), y


def labels_that_flip(at: int) -> Stream:
    """Every label is the other one from there on."""
    X, y = stream(at + AFTER)
    y[at:] *= -1.0
    return X, y


def one_label(at: int) -> Stream:
    """Nothing but positive labels from there on."""
    X, y = stream(at + AFTER)
    y[at:] = 1.0
    return X, y


def features_once_each(at: int) -> Stream:
    """Every row has a feature that no other row has, at last."""
    X, y = stream(at + AFTER)
    once = csr_array((np.ones(len(X)), (np.arange(len(X)), np.arange(len(X)))), shape=(len(X), len(X)))
    return csr_array(hstack([csr_array(X), once])), y


EVENTS: tuple[Callable[[int], Stream], ...] = (
    outliers,
    constant_column,
    column_that_comes_late,
    labels_that_flip,
    one_label,
    features_once_each,
)
every_event = pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.__name__)


def member_losses(learner: ls.Learner) -> FloatArray:
    state = learner.state
    assert isinstance(state, ls.PoolState)
    return np.asarray(state.accounts()["member_losses"]).ravel()


def lost_after(event: Callable[[int], Stream], at: int) -> tuple[float, float]:
    """What the pool, and the best member, lost in the rows after the event."""
    X, y = event(at)
    assert isinstance(X, np.ndarray | csr_array)
    learner = ls.Learner(ls.Pool(), labels=(-1.0, 1.0))
    learner.learn_many(X[:at], y[:at])
    before, members = learner.ledger.log_loss, member_losses(learner)
    kept = learner.learn_many(X[at:], y[at:], keep=("score", "loss"))
    assert np.isfinite(kept["score"]).all()
    assert np.isfinite(kept["loss"]).all()
    assert learner.state.sound()
    return learner.ledger.log_loss - before, float((member_losses(learner) - members).min())


@every_event
def test_after_an_event(event: Callable[[int], Stream]) -> None:
    pool, best = lost_after(event, 20_000)
    assert pool <= 2.0 * best


@pytest.mark.stress
@every_event
def test_after_an_event_at_row_a_million(event: Callable[[int], Stream]) -> None:
    pool, best = lost_after(event, 1_000_000)
    assert pool <= 2.0 * best
