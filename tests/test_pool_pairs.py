"""Pairs of columns are judged by what they tell together, and a narrow view that is far behind the other one rests."""

from __future__ import annotations

import copy
import pickle
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.special import xlogy

import laws
import littlestone as ls
from littlestone.arrays import FloatArray
from test_pool_renewals import Cuts

JUDGED = {4_000: 0.5, 8_000: 1.5, 16_000: 3.0}
"""After which rows, and how many standard deviations above what chance gives a pair needs to stay."""
every_outcome = pytest.mark.parametrize("task", ["labels", "classes"])


def checks(rows: int, task: str = "labels", noise: int = 4) -> tuple[FloatArray, FloatArray]:
    """The outcome goes by the first two columns together, by the third, and by chance; the others tell nothing."""
    source = np.random.default_rng(7)
    X = source.normal(size=(rows, 3 + noise))
    lean = 2.0 * np.sign(X[:, 0] * X[:, 1]) + X[:, 2] + source.normal(size=rows)
    return X, np.digitize(lean, [0.0] if task == "labels" else [-1.5, 1.5]).astype(float)


def learned(X: FloatArray, y: FloatArray, size: int = 1_000_000) -> ls.Learner:
    learner = ls.Learner(ls.Pool())
    for begin in range(0, len(X), size):
        learner.learn_many(X[begin : begin + size], y[begin : begin + size])
    return learner


def columns_paired(learner: ls.Learner) -> set[tuple[int, int]]:
    """By the seats of columns, which have them in the order in which they came."""
    arrays = learner.state.arrays
    lines = np.split(arrays["raw.lines"], int(arrays["raw.classes"][0]))[0]
    column_of = {int(seat): column for column, seat in enumerate(lines[1:].reshape(-1, 13)[1:, 12]) if seat > 0}
    columns = [column_of[seat] for seat in arrays["views.scales"][1:].reshape(-1, 3)[:, 1].astype(int)]
    pairings = arrays["views.pairings"][1:].reshape(-1, 3).astype(int)
    return {(min(pair), max(pair)) for left, right, _ in pairings for pair in [(columns[left], columns[right])]}


def deviance(counts: FloatArray) -> tuple[float, float]:
    """Of a table of cells and labels, from the logistic model with a term for each bin of either column, and its freedom."""
    left, right, _ = counts.shape
    rows = counts.sum(axis=2)
    there = rows.ravel() > 0
    design = np.zeros((left * right, left + right))
    for i in range(left):
        for j in range(right):
            design[i * right + j, [i, left + j]] = 1.0
    design, n, k = design[there], rows.ravel()[there], counts[:, :, 1].ravel()[there]
    weights = np.zeros(left + right)
    for _ in range(100):  # Newton, with a little ridge where the terms are not independent
        p = 1.0 / (1.0 + np.exp(-np.clip(design @ weights, -30.0, 30.0)))
        hessian = design.T @ (design * (n * p * (1.0 - p))[:, None]) + 1e-9 * np.eye(left + right)
        weights += np.linalg.solve(hessian, design.T @ (k - n * p))
    p = np.clip(1.0 / (1.0 + np.exp(-design @ weights)), 1e-15, 1.0 - 1e-15)
    terms = xlogy(k, k / (n * p)) + xlogy(n - k, (n - k) / (n * (1.0 - p)))
    return 2.0 * float(terms.sum()), float(there.sum() - np.linalg.matrix_rank(design))


def evidence(learner: ls.Learner) -> dict[tuple[int, int], float]:
    """Of every pair of columns the most that one of its pairings has, from the masses of its cells."""
    arrays, cuts = learner.state.arrays, Cuts(learner.state.arrays)
    classes = int(arrays["pairs.classes"][0])
    found = dict[tuple[int, int], float]()
    for left, right, first in cuts.pairings:
        shape = len(cuts.cuts[left]) + 1, len(cuts.cuts[right]) + 1
        ratio = freedom = 0.0
        for lines in np.split(arrays["pairs.lines"], classes):
            masses = np.zeros((first + shape[0] * shape[1], 2))
            known = lines[1:].reshape(-1, 13)[1 : first + shape[0] * shape[1] + 1, [9, 8]]
            masses[: len(known)] = known
            one = deviance(masses[first:].reshape(*shape, 2))
            ratio, freedom = ratio + one[0], freedom + one[1]
        seats = sorted((cuts.scales[left, 1] - 1, cuts.scales[right, 1] - 1))
        pair = seats[0], seats[1]
        sure = (ratio - freedom) / np.sqrt(2.0 * freedom) if freedom > 0 else np.inf
        found[pair] = max(found.get(pair, -np.inf), sure)
    return found


@every_outcome
def test_pairs_that_stay_are_those_with_evidence(task: str) -> None:
    """By the deviance of an additive logistic model, fitted by other means."""
    X, y = checks(16_000, task)
    learner = learned(X[:400], y[:400])
    assert columns_paired(learner) == set(combinations(range(7), 2))
    sure_of = unsure = 0
    for before, (at, least) in zip([400, *JUDGED], JUDGED.items(), strict=False):
        learner.learn_many(X[before : at - 1], y[before : at - 1])
        known = evidence(learner)
        learner.learn_many(X[at - 1 : at], y[at - 1 : at])
        stay = columns_paired(learner)
        for pair, sure in known.items():
            if abs(sure - least) < 0.15:  # one row more, and a fit that stops early
                unsure += 1
            else:
                sure_of += 1
                assert (pair in stay) == (sure >= least), (at, pair, sure)
    assert (0, 1) in stay
    assert len(stay) <= 2
    assert sure_of > 4 * unsure


def test_what_tells_nothing_goes_and_the_error_with_it() -> None:
    """Of 66 pairs one tells: late in the stream they cost next to nothing (.003; .0135 when all of them stayed)."""
    X, y = checks(20_000, noise=9)
    late = []
    for rows in (X, X[:, :3]):
        shown = ls.run(ls.Pool(), rows, y, keep=("score",)).columns["score"] > 0.0
        late.append(np.mean((shown != (y > 0))[16_000:]))
    assert late[0] < late[1] + 0.008


def test_columns_that_tell_no_label_keep_next_to_no_pair() -> None:
    """Of 10 pairs; and a scale for pairs is kept as long as there is a pair that it is part of."""
    source = np.random.default_rng(5)
    X, y = source.normal(size=(16_000, 5)), source.integers(0, 2, 16_000).astype(float)
    learner = learned(X, y)
    assert not columns_paired(learner)
    scales = learner.state.arrays["views.scales"][1:].reshape(-1, 3)
    assert (scales[:, 2] >= 0).all()


@every_outcome
@pytest.mark.parametrize("size", [127, 1_500, 15_999])
def test_judgements_fall_after_the_same_rounds_in_any_chunks(task: str, size: int) -> None:
    X, y = checks(17_000, task)
    laws.same(learned(X, y, size), learned(X, y))


@pytest.mark.parametrize("weight", [0.01, 1.0, 30.0])
def test_weights_that_are_all_alike_are_no_evidence(weight: float) -> None:
    X, y = checks(8_000)
    learner = ls.Learner(ls.Pool(largest_weight=max(weight, 1.0)))
    learner.learn_many(X, y, weights=np.full(8_000, weight))
    assert (0, 1) in columns_paired(learner)
    assert len(columns_paired(learner)) <= 6


def rested(task: str = "labels") -> tuple[ls.Learner, FloatArray, FloatArray]:
    X, y = checks(17_000, task)
    return learned(X[:16_000], y[:16_000]), X[16_000:], y[16_000:]


@every_outcome
def test_the_view_that_is_far_behind_rests(task: str, tmp_path: Path) -> None:
    """Bins know nothing of two columns together; what is left goes on from files, pickles and copies."""
    learner, X, y = rested(task)
    arrays = learner.state.arrays
    assert arrays["views.rounds"].tolist() == [16_000.0, 1.0]
    classes = int(arrays["bins.classes"][0])
    assert arrays["bins.lines"].shape == (classes * 14,)  # the constant is left
    learner.save(tmp_path / "pool.lst")
    twins = [ls.load(tmp_path / "pool.lst"), pickle.loads(pickle.dumps(learner)), copy.deepcopy(learner)]
    expected = learner.learn_many(X, y, keep=("score",))["score"]
    for twin in twins:
        assert isinstance(twin, ls.Learner)
        assert twin.learn_many(X, y, keep=("score",))["score"].tobytes() == expected.tobytes()
        laws.same(twin, learner)


def test_cells_rest_where_columns_add_up() -> None:
    source = np.random.default_rng(4)
    X = source.normal(size=(16_000, 6))
    y = np.sin(3.0 * X).sum(axis=1) + 0.2 * source.normal(size=16_000) > 0
    learner = learned(X, y.astype(float))
    assert learner.state.arrays["views.rounds"][1] == 2.0
    assert np.isfinite(learner.score_many(X[:10])).all()


def test_a_view_at_rest_is_explained_by_the_others_and_met_by_new_labels() -> None:
    learner, X, y = rested("classes")
    explained = learner.explain_one(X[0])
    total = sum(explained.features.values()) + explained.constant + explained.rest
    assert total == pytest.approx(explained.score)
    learner.learn_many(X, np.where(np.arange(len(y)) % 5 == 0, 3.0, y))
    assert len(learner.labels) == 4
    assert np.isfinite(learner.score_many(X)).all()


def test_a_rest_is_no_jump() -> None:
    """One round changes what is shown of next to no row."""
    X, y = checks(17_000)
    before, after = learned(X[:15_999], y[:15_999]), learned(X[:16_000], y[:16_000])
    assert np.mean(before.predict_many(X[16_000:]) != after.predict_many(X[16_000:])) < 0.02


def test_pools_of_earlier_files_have_both_views_and_are_judged_from_here_on() -> None:
    X, y = checks(9_000)
    learner = learned(X[:5_000], y[:5_000])
    earlier = {name: array.copy() for name, array in learner.state.arrays.items()}
    earlier["views.rounds"] = np.array([4_000.0])
    twin = ls.Learner(ls.Pool())
    twin.learn_many(X[:5_000], y[:5_000])
    twin.state.refilled(earlier, 0)
    twin.learn_many(X[5_000:], y[5_000:])
    assert twin.state.arrays["views.rounds"].tolist() == [8_000.0, 0.0]
    assert (0, 1) in columns_paired(twin)


def test_a_rest_that_no_run_has_is_refused() -> None:
    """Before its time, of no view, in part; and cells beyond those of a pair."""
    X, y = checks(16_000)
    learner = learned(X[:5_000], y[:5_000])
    for at, resting in [(5_000.0, 1.0), (16_000.0, 3.0), (16_000.0, 0.5), (16_000.0, -1.0)]:
        forged = {name: array.copy() for name, array in learner.state.arrays.items()}
        forged["views.rounds"] = np.array([at, resting])
        with pytest.raises(ls.InvalidData, match=r"views\.rounds"):
            copy.deepcopy(learner).state.refilled(forged, 0)
    forged = {name: array.copy() for name, array in learner.state.arrays.items()}
    widest = max(range(len(cuts := Cuts(forged).cuts)), key=lambda scale: len(cuts[scale]))
    forged["views.scales"][1 + 3 * widest + 2] = -1.0
    with pytest.raises(ls.InvalidData, match="more cells than a pair"):
        copy.deepcopy(learner).state.refilled(forged, 0)


def hidden(rows: int, columns: int, kind: str, seed: int = 11) -> tuple[FloatArray, FloatArray]:
    """The label goes by two columns together, neither of which tells anything alone; the others lean to it a little."""
    source = np.random.default_rng(seed)
    if kind == "flags":
        X = source.integers(0, 2, size=(rows, columns)).astype(float)
        return X, (X[:, 3] != X[:, 17]).astype(float)
    X = source.normal(size=(rows, columns))
    lean = 1.5 * np.sign(X[:, 3] * X[:, 17]) + 0.3 * X[:, 4:17].sum(axis=1)
    return X, (lean + 0.3 * source.normal(size=rows) > 0).astype(float)


@pytest.mark.parametrize("kind", ["numbers", "flags"])
def test_two_of_many_columns_that_tell_together_are_found(kind: str) -> None:
    """After row 400, whatever the others are worth; flags are columns of one value, which is there or not."""
    X, y = hidden(2_000, 30, kind)
    learner = learned(X[:400], y[:400])
    assert (3, 17) in columns_paired(learner)
    assert len(columns_paired(learner)) <= 66
    shown = learner.learn_many(X[400:], y[400:], keep=("score",))["score"] > 0.0
    assert np.mean(shown[600:] != (y[1_000:] > 0)) < {"numbers": 0.3, "flags": 0.02}[kind]


def test_the_pairs_that_are_found_are_those_that_tell_most() -> None:
    """By the deviance of an additive model on quarters of the columns, of all pairs there are."""
    X, y = hidden(400, 20, "numbers", seed=5)
    quarters = np.column_stack([1 + np.searchsorted(np.sort(x[:399])[[99, 199, 299]], x[:399], side="right") for x in X.T])
    told = dict[tuple[int, int], float]()
    for a, b in combinations(range(20), 2):
        counts = np.zeros((5, 5, 2))
        np.add.at(counts, (quarters[:, a], quarters[:, b], y[:399].astype(int)), 1.0)
        ratio, freedom = deviance(counts)
        told[a, b] = (ratio - freedom) / np.sqrt(2.0 * freedom)
    least = np.sqrt(1.4 * np.log(len(told)))
    telling = {pair for pair, sure in told.items() if sure > least + 0.05}
    assert (3, 17) in telling
    assert telling <= columns_paired(learned(X, y))


def test_many_classes_and_tables_that_are_too_wide_are_not_searched() -> None:
    """A row of 400 would cost as much as all others."""
    X, y = hidden(400, 30, "flags")
    classes = learned(X, y + (np.arange(400) % 7 == 0))
    wide = learned(np.column_stack([X, np.random.default_rng(0).integers(0, 2, size=(400, 70))]), y)
    assert not columns_paired(classes)
    assert not columns_paired(wide)


@pytest.mark.parametrize("kind", ["numbers", "flags"])
@pytest.mark.parametrize("size", [1, 399, 401, 3_999])
def test_what_was_found_does_not_hang_on_calls(kind: str, size: int, tmp_path: Path) -> None:
    X, y = hidden(4_500, 25, kind)
    whole, parts = learned(X, y), ls.Learner(ls.Pool())
    for begin in range(0, len(X), size):
        parts.learn_many(X[begin : begin + size], y[begin : begin + size])
        if size > 1:
            parts.save(tmp_path / "pool.lst")
            parts = ls.load(tmp_path / "pool.lst")
    laws.same(parts, whole)
    assert (3, 17) in columns_paired(whole)
