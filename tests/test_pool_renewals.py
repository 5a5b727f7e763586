"""Views that are cut anew while rows are few: they know all rows so far, and what they are made from is state."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import laws
import littlestone as ls
from littlestone.arrays import BoolArray, FloatArray

RENEWED = (24, 48, 96, 400)
"""Rows that find the views cut anew."""
every_task = pytest.mark.parametrize("task", ["labels", "classes", "targets"])


def rule_for(task: str, views: tuple[str, ...] = ("raw", "bins", "pairs")) -> ls.LinearRule:
    return ls.PoolRegression(views=views) if task == "targets" else ls.Pool(views=views)


def letters(rows: int, task: str = "labels", columns: int = 16) -> tuple[FloatArray, FloatArray]:
    """Columns of four values each, none of them 0; the outcome is of two columns together, by no order of their values."""
    source = np.random.default_rng(columns)
    X = source.choice([-1.0, 0.5, 2.0, 3.0], size=(rows, columns))
    table = source.normal(size=(4, 4))
    target = table[np.searchsorted([-1.0, 0.5, 2.0, 3.0], X[:, -2]), np.searchsorted([-1.0, 0.5, 2.0, 3.0], X[:, -1])]
    if task == "targets":
        return X, target
    return X, np.digitize(target, [0.0] if task == "labels" else [-0.5, 0.5]).astype(float)


def learned(
    task: str,
    X: FloatArray | sp.csr_matrix[np.float64],
    y: FloatArray | BoolArray,
    views: tuple[str, ...] = ("raw", "bins", "pairs"),
) -> ls.Learner:
    learner = ls.Learner(rule_for(task, views))
    learner.learn_many(X, y)
    return learner


class Cuts:
    """Where a pool has cut its columns: the seat of column j is j + 1."""

    def __init__(self, arrays: Mapping[str, FloatArray]) -> None:
        self.scales = arrays["views.scales"][1:].reshape(-1, 3).astype(int)
        self.pairings = arrays["views.pairings"][1:].reshape(-1, 3).astype(int)
        self.width = int(arrays["views.features"][0])
        cuts, self.cuts = arrays["views.cuts"].tolist(), list[list[float]]()
        while cuts:
            count = int(cuts[0])
            self.cuts.append(cuts[1 : 1 + count])
            cuts = cuts[1 + count :]

    def shown(self, X: FloatArray, pairs: bool) -> sp.csr_matrix[np.float64]:
        """The rows with their bins, and with their cells."""
        out = np.zeros((len(X), self.width))
        out[:, : X.shape[1]] = X
        bins = [
            np.searchsorted(cuts, X[:, scale[1] - 1], side="right") for scale, cuts in zip(self.scales, self.cuts, strict=True)
        ]
        rows = np.arange(len(X))
        for (_, _, first), bin_of in zip(self.scales, bins, strict=True):
            if first >= 0:
                out[rows, first + bin_of] = 1.0
        for left, right, first in self.pairings if pairs else ():
            out[rows, first + bins[left] * (len(self.cuts[right]) + 1) + bins[right]] = 1.0
        return sp.csr_matrix(out)


def numbers(lines: FloatArray) -> FloatArray:
    """The weights, precisions and masses of features; bins have no gauge."""
    return lines[1:].reshape(-1, 13)[:, :10]


@every_task
@pytest.mark.parametrize("rows", [*RENEWED, 130])
def test_a_view_that_is_cut_anew_has_learned_all_rows_before(task: str, rows: int) -> None:
    """Bit for bit what a pool has that was shown the bins from the first row on; of classes, one for each."""
    compare_with_pools_of_bins(task, *letters(rows, task))


@pytest.mark.parametrize("rows", [96, 130, 400])
def test_a_class_that_came_since_is_taught_the_rows_before_it(rows: int) -> None:
    X, y = letters(rows, "classes")
    y[:60] = np.minimum(y[:60], 1.0)
    compare_with_pools_of_bins("classes", X, y)


def compare_with_pools_of_bins(task: str, X: FloatArray, y: FloatArray) -> None:
    pool = learned(task, X, y)
    arrays = pool.state.arrays
    cuts, name = Cuts(arrays), "mixture" if task == "targets" else "stacks"
    outcomes = [y == label for label in pool.labels] if task == "classes" else [y]
    for view in ("bins", "pairs"):
        lines, stacks = (np.split(arrays[f"{view}.{part}"], len(outcomes)) for part in ("lines", name))
        for c, outcome in enumerate(outcomes):
            alone = learned(task, cuts.shown(X, view == "pairs"), outcome, ("raw",)).state.arrays
            ours, theirs = numbers(lines[c]), numbers(alone["raw.lines"])
            known = min(len(ours), len(theirs))
            assert ours[:known].tobytes() == theirs[:known].tobytes()
            assert stacks[c].tobytes() == alone[f"raw.{name}"].tobytes()


def test_few_rows_of_letters_are_enough() -> None:
    """The right two of sixteen columns are paired as soon as their bins tell something, and known from all rows."""
    X, y = letters(400)
    wrong = np.sign(ls.run(ls.Pool(), X, y, keep=("score",)).columns["score"]) != np.where(y > 0, 1, -1)
    assert wrong[200:].mean() < 0.1


@every_task
@pytest.mark.parametrize("rows", [10, 23, 30, 191, 399])
def test_what_the_next_views_are_made_from_is_state(task: str, rows: int, tmp_path: Path) -> None:
    X, y = letters(rows + 60, task)
    learner = learned(task, X[:rows], y[:rows])
    learner.save(tmp_path / "pool.lst")
    twins = [ls.load(tmp_path / "pool.lst"), pickle.loads(pickle.dumps(learner)), copy.deepcopy(learner)]
    expected = learner.learn_many(X[rows:], y[rows:], keep=("score",))["score"]
    for twin in twins:
        assert isinstance(twin, ls.Learner)
        assert twin.learn_many(X[rows:], y[rows:], keep=("score",))["score"].tobytes() == expected.tobytes()
        assert laws.fingerprint(twin) == laws.fingerprint(learner)


@every_task
def test_rows_are_kept_as_long_as_views_are_made_anew(task: str) -> None:
    X, y = letters(400, task)
    learner = ls.Learner(rule_for(task))
    for rows in (24, 399):
        learner.learn_many(X[learner.ledger.rounds : rows], y[learner.ledger.rounds : rows])
        assert learner.state.arrays["views.past"][0] == rows
    learner.learn_many(X[399:], y[399:])
    assert learner.state.arrays["views.past"].tolist() == [0.0]


def test_rows_that_no_run_has_are_refused() -> None:
    """A class that was not met, no weight, the constant in the wrong place, a seat twice, more rows than were learned."""
    X, y = letters(60)
    learner = learned("labels", X, y)
    known = dict(learner.state.arrays)
    # Rows, then of the first its entries, label and weight, and pairs of a seat and a value, the constant's first.
    forgeries = {0: 61.0, 1: 97.0, 2: 2.0, 3: 0.0, 4: 1.0, 6: 0.0, 8: 1.0, 7: 0.0}
    for at, value in forgeries.items():
        forged = {key: array.copy() for key, array in known.items()}
        forged["views.past"][at] = value
        with pytest.raises(ls.InvalidData, match=r"views\.past"):
            copy.deepcopy(learner).state.refilled(forged, 0)
