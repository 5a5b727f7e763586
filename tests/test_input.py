"""Every way in, and every refusal: clear, and without a trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias, final

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

import laws
import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.streams.batches import sparse_batch
from strategies import Stream

Case: TypeAlias = "tuple[object, object, str]"

X = np.array([[1.0, 0.0, -2.0], [0.0, 3.0, 1.0], [2.0, 1.0, 0.0], [0.5, 0.0, 0.25]])
Y = np.array([1, -1, 1, -1])
STREAM = Stream(X, Y)


def weights(X: object, y: object = Y, rule: ls.LinearRule | None = None) -> list[float]:
    learner = ls.Learner(rule or ls.PassiveAggressive())
    laws.call(learner.learn_many, X, y)
    w: list[float] = learner.state.w.tolist()
    return w


EXPECTED = weights(X)

# --- what is taken


@pytest.mark.parametrize("name", laws.forms(X))
def test_every_form_of_array(name: str) -> None:
    assert weights(laws.forms(X)[name]) == EXPECTED


@pytest.mark.parametrize("form", ["csc", "coo", "lil", "dok", "bsr", "dia", "csr"])
@pytest.mark.parametrize("make", [sp.csr_matrix, sp.csr_array])
def test_every_sparse_format(form: str, make: Callable[[FloatArray], sp.csr_matrix[np.float64]]) -> None:
    assert weights(laws.call(make(X).asformat, form)) == EXPECTED


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.uint16, np.bool_, np.float16, np.float32])
def test_numbers_of_every_kind(kind: npt.DTypeLike) -> None:
    table = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1]])
    assert weights(table.astype(kind)) == weights(table.astype(float))
    if kind != np.float16:
        assert weights(sp.csr_matrix(table.astype(kind))) == weights(table.astype(float))


def test_csr_and_dense_are_read_in_place() -> None:
    """The batch reads the caller's memory: what is written there before the first round is what is learned."""
    matrix = sp.csr_matrix(X)
    batch = sparse_batch(matrix)
    matrix.data[0] = 7.0
    assert batch[0].values[0] == 7.0
    for order in ("C", "F"):
        table = np.array(X, order=order)
        dense = ls.Learner(ls.Perceptron())._space.batch(table, grow=True)
        table[0, 0] = 9.0
        assert dense[0].values[0] == 9.0


def test_long_indices_and_short_values() -> None:
    matrix = sp.csr_matrix(X.astype(np.float32))
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    assert weights(matrix) == EXPECTED
    mixed = sp.csr_matrix(X)
    mixed.indptr = mixed.indptr.astype(np.int64)
    assert weights(mixed) == EXPECTED


def test_rows_one_at_a_time_in_every_form() -> None:
    rows: dict[str, Callable[[int], object]] = {
        "array": lambda t: X[t],
        "float32": lambda t: X[t].astype(np.float32),
        "list": lambda t: X[t].tolist(),
        "tuple": lambda t: tuple(X[t].tolist()),
        "strided": lambda t: np.repeat(X[t], 2)[::2],
        "csr matrix": lambda t: sp.csr_matrix(X)[t],
        "csr array of one row": lambda t: sp.csr_array(X)[[t]],
        "csr array, one-dimensional": lambda t: sp.csr_array(X)[t],
    }
    for name, row in rows.items():
        learner = ls.Learner(ls.PassiveAggressive())
        for t in range(len(X)):
            laws.call(learner.learn_one, row(t), int(Y[t]))
        assert learner.state.w.tolist() == EXPECTED, name


def test_dicts_bring_features_at_any_time() -> None:
    learner = ls.Learner(ls.Perceptron(), average=True)
    learner.learn_one({"a": 1.0}, 1)
    laws.call(learner.learn_one, {7: 2.0, "b": 1.0}, -1)
    assert learner.features == ["a", 7, "b"]
    assert learner.weights == {"a": 1.0, 7: -2.0, "b": -1.0}
    learner.learn_many([{"c": 1.0, "a": 3.0}, {}], [-1, 1])
    assert learner.weights == {"a": -2.0, 7: -2.0, "b": -1.0, "c": -1.0}
    assert learner.averaged().weights == {7: -1.0, "b": -0.5, "c": -0.25}


def test_many_features_one_at_a_time() -> None:
    """Growth by doubling, with every weight and every mean intact."""
    learner = ls.Learner(ls.Perceptron(), labels=(-1, 1), average=True)
    for k in range(300):
        learner.learn_one({f"f{k}": 1.0 + k}, 1 if k % 3 else -1)
    assert learner.weights == {f"f{k}": (1.0 + k) * (1 if k % 3 else -1) for k in range(300)}
    averaged = learner.averaged().weights
    assert averaged["f0"] == pytest.approx(-299 / 300)
    assert "f299" not in averaged


@pytest.mark.parametrize("rule", [ls.OnlineSVM(eta=0.9), ls.MarginPerceptron(rho=0.5), ls.RandomizedPerceptron()], ids=repr)
def test_growth_keeps_the_scalars_of_a_state(rule: ls.LinearRule) -> None:
    """From one feature on: a state with one weight holds scalars of the same length."""
    one, many = ls.Learner(rule, labels=(-1, 1), average=True), ls.Learner(rule, labels=(-1, 1), average=True)
    rows = [{f"f{j}": 1.0 for j in range(k % 20 + 1)} for k in range(60)]
    signs = [1 if k % 3 else -1 for k in range(60)]
    for row, sign in zip(rows, signs, strict=True):
        one.learn_one(row, sign)
    many.learn_many(rows, signs)
    assert {name: len(array) for name, array in one.state.arrays.items() if len(array) != 20} == {
        name: 1 for name, array in many.state.arrays.items() if len(array) == 1
    }
    assert one.ledger.rounds == 60
    np.testing.assert_allclose(one.averaged().state.w, many.averaged().state.w, rtol=1e-12)
    np.testing.assert_allclose(one.state.w, many.state.w, rtol=1e-12)


def test_mappings_ints_and_bools_as_records() -> None:
    learner = ls.Learner(ls.Perceptron())
    learner.learn_one(MappingProxyType({"a": 1, "b": True}), True)
    laws.call(learner.learn_many, [MappingProxyType({"a": np.float32(2.0)}), {"b": np.int64(1)}], [False, True])
    assert learner.weights == {"a": -1.0, "b": 1.0}
    assert learner.labels == (False, True)


def test_the_order_within_a_dict_does_not_matter_on_integers() -> None:
    one, other = ls.Learner(ls.Perceptron()), ls.Learner(ls.Perceptron())
    row = {f"f{k}": float(k) for k in range(40)}
    for learner in (one, other):
        learner.learn_one(row, 1)
    assert one.score_one(row) == other.score_one(dict(reversed(row.items())))


def test_dicts_for_a_learner_of_columns() -> None:
    learner = laws.learned(ls.PassiveAggressive(), STREAM)
    assert learner.score_one({2: 1.0, 0: 2.0}) == learner.score_one([2.0, 0.0, 1.0])
    learner.learn_one({1: 2.0}, 1)
    learner.learn_many([{0: 1}, {}], [1, -1])
    assert learner.ledger.rounds == 7


def test_frames_learn_by_name() -> None:
    for make in (pd.DataFrame, pl.DataFrame):
        frame = make({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2]})
        learner = ls.Learner(ls.PassiveAggressive())
        learner.learn_many(frame, Y)
        assert learner.features == ["a", "b", "c"]
        assert learner.state.w.tolist() == EXPECTED
        turned = make({"c": X[:, 2], "a": X[:, 0], "b": X[:, 1]})
        assert learner.score_many(turned).tolist() == learner.score_many(frame).tolist()
        again = ls.Learner(ls.PassiveAggressive())
        again.learn_many(frame[:2], Y[:2])
        again.learn_many(turned[2:], Y[2:])
        assert again.state.w.tolist() == EXPECTED
        assert again.score_one({"a": 1.0, "c": 2.0}) == learner.score_many(make({"c": [2.0], "a": [1.0], "z": [9.0]}))[0]


def test_frames_of_mixed_numbers_and_new_columns() -> None:
    frame = pd.DataFrame({"n": [1, 2], "x": [0.5, 1.5], "b": [True, False]})
    learner = ls.Learner(ls.Perceptron())
    learner.learn_many(frame, ["no", "yes"])
    learner.learn_many(pl.DataFrame({"x": [1.0], "new": [3]}), ["no"])
    assert learner.features == ["n", "x", "b", "new"]


def test_empty_batches_and_rows() -> None:
    nothing: tuple[object, ...] = ([], np.zeros((0, 3)), sp.csr_matrix((0, 3)), pd.DataFrame(), pl.DataFrame())
    for empty in nothing:
        learner = ls.Learner(ls.PassiveAggressive(), average=True)
        laws.call(learner.learn_many, empty, [])
        assert learner.ledger.rounds == 0
        assert laws.call(learner.score_many, empty).tolist() == []
        assert laws.call(learner.predict_many, empty).tolist() == []
    started = ls.Learner(ls.Perceptron(start=np.array([1.0, 2.0])))
    started.learn_many([], [])
    started.learn_many([[1.0, 1.0]], [1])
    assert started.ledger.mistakes == 0
    known = laws.learned(ls.PassiveAggressive(), STREAM)
    before = laws.fingerprint(known)
    for empty in nothing[:3]:
        laws.call(known.learn_many, empty, np.array([], dtype=np.int64))
    assert laws.fingerprint(known) == before


def test_rows_without_entries_and_tables_without_columns() -> None:
    learner = ls.Learner(ls.PassiveAggressive())
    learner.learn_many([{}, {"a": 1.0}, {}], [1, -1, 1])
    assert (learner.ledger.impossible, learner.ledger.updates, learner.ledger.mistakes) == (2, 1, 3)
    for table in (np.zeros((3, 0)), sp.csr_matrix((3, 0))):
        narrow = ls.Learner(ls.Perceptron())
        narrow.learn_many(table, [1, -1, 1])
        assert (narrow.ledger.rounds, narrow.ledger.mistakes, narrow.state.w.tolist()) == (3, 3, [])
    narrow = ls.Learner(ls.Perceptron())
    narrow.learn_one([], 1)
    assert narrow.ledger.mistakes == 1


# --- labels


@pytest.mark.parametrize(
    "labels",
    [
        ["spam", "ham", "spam", "ham"],
        [True, False, True, False],
        [1, 0, 1, 0],
        [1.0, -1.0, 1.0, -1.0],
        [2, 5, 2, 5],
        ["1", 1, "1", 1],
        [("a", 1), ("b", 2), ("a", 1), ("b", 2)],
        np.array(["x", "y", "x", "y"]),
        np.array([3, 4, 3, 4], dtype=np.uint8),
        np.array([True, False, True, False]),
        [np.str_("x"), np.str_("y"), np.str_("x"), np.str_("y")],
        [np.int64(7), np.int64(8), np.int64(7), np.int64(8)],
        np.array(["2020-01-01", "2021-01-01", "2020-01-01", "2021-01-01"], dtype="datetime64[ns]"),
        pd.Series(["x", "y", "x", "y"]),
        pd.Series(["x", "y", "x", "y"], dtype="category"),
        pd.Series([True, False, True, False], index=[9, 8, 7, 6]),
        pl.Series(["x", "y", "x", "y"]),
    ],
    ids=repr,
)
def test_labels_of_every_kind(labels: object) -> None:
    many, single = ls.Learner(ls.PassiveAggressive()), ls.Learner(ls.PassiveAggressive())
    laws.call(many.learn_many, X, labels)
    assert isinstance(labels, list | np.ndarray | pd.Series | pl.Series)
    for x, label in zip(X, labels, strict=True):
        single.learn_one(x, label)
    assert np.abs(many.state.w).tolist() == np.abs(EXPECTED).tolist()
    assert single.state.w.tobytes() == many.state.w.tobytes()
    assert single.labels == many.labels
    assert set(many.predict_many(X).tolist()) <= set(many.labels)
    assert single.predict_one(X[0]) == many.predict_many(X).tolist()[0]


@pytest.mark.parametrize(
    ("first", "pair"),
    [
        ([1, -1], (-1, 1)),
        ([-1, 1], (-1, 1)),
        ([0, 1], (0, 1)),
        ([1, 0], (0, 1)),
        ([True, False], (False, True)),
        ([False, True], (False, True)),
        (["b", "a"], ("b", "a")),
        ([5, 3], (5, 3)),
        ([1, 2], (2, 1)),
    ],
)
def test_which_label_is_negative(first: list[object], pair: tuple[object, object]) -> None:
    many, single = ls.Learner(ls.Perceptron()), ls.Learner(ls.Perceptron())
    many.learn_many(X[:2], first)
    for x, y in zip(X[:2], first, strict=True):
        laws.call(single.learn_one, x, y)
    assert many.labels == single.labels == pair


def test_given_labels() -> None:
    learner = ls.Learner(ls.Perceptron(), labels=("spam", "ham"))
    learner.learn_one({"a": 1.0}, "ham")
    assert learner.weights == {"a": 1.0}
    for wrong in (("a", "a"), ("a",), ["a", "b"], "ab"):
        with pytest.raises(ls.InvalidParameter, match="labels is"):
            laws.call(ls.Learner, ls.Perceptron(), labels=wrong)


# --- what is refused, without a trace

BIG = 24_000
"""Rows of three features: more than one block of the loop, so that rows are learned before a late fault is met."""


def spoiled(value: float, row: int = BIG - 2, feature: int = 2) -> FloatArray:
    table = np.tile(X, (BIG // 4, 1))
    table[row, feature] = value
    return table


def broken_csr(break_it: Callable[[npt.NDArray[np.int32], FloatArray, npt.NDArray[np.int32]], None]) -> object:
    matrix = sp.csr_matrix(np.tile(X, (BIG // 4, 1)))
    break_it(matrix.indices, matrix.data, matrix.indptr)
    return matrix


def _beyond(index: npt.NDArray[np.int32], _: FloatArray, start: npt.NDArray[np.int32]) -> None:
    index[start[BIG - 3] - 1] = 3


def _below(index: npt.NDArray[np.int32], _: FloatArray, start: npt.NDArray[np.int32]) -> None:
    index[start[BIG - 4]] = -1


def _infinite(_: npt.NDArray[np.int32], value: FloatArray, start: npt.NDArray[np.int32]) -> None:
    value[start[BIG - 4] + 1] = -np.inf


def _offsets(_: npt.NDArray[np.int32], __: FloatArray, start: npt.NDArray[np.int32]) -> None:
    start[5] = start[6] + 1


def _offsets_beyond(_: npt.NDArray[np.int32], __: FloatArray, start: npt.NDArray[np.int32]) -> None:
    start[-1] += 100


BIG_Y = np.tile(Y, BIG // 4)


def _third() -> npt.NDArray[np.int64]:
    y = BIG_Y.copy()
    y[BIG - 5] = 2
    return y


ROW = rf"row {BIG - 2}: value of feature 2 is "
BAD_TABLES: dict[str, Callable[[], Case]] = {
    "nan": lambda: (spoiled(np.nan), BIG_Y, ROW + "nan; values must be finite"),
    "inf": lambda: (spoiled(np.inf), BIG_Y, ROW + "inf; values must be finite"),
    "minus inf": lambda: (spoiled(-np.inf), BIG_Y, ROW + "-inf; values must be finite"),
    "nan, float32": lambda: (spoiled(np.nan).astype(np.float32), BIG_Y, ROW + "nan"),
    "nan, fortran": lambda: (np.asfortranarray(spoiled(np.nan)), BIG_Y, ROW + "nan"),
    "nan, strided": lambda: (np.repeat(spoiled(np.nan), 2, axis=1)[:, ::2], BIG_Y, ROW + "nan"),
    "nan, csr": lambda: (sp.csr_matrix(spoiled(np.nan)), BIG_Y, ROW + "nan"),
    "nan, coo": lambda: (sp.coo_array(spoiled(np.nan)), BIG_Y, ROW + "nan"),
    "nan, lists": lambda: (spoiled(np.nan).tolist(), BIG_Y, ROW + "nan"),
    "nan, first row": lambda: (spoiled(np.nan, 0, 1), BIG_Y, "row 0: value of feature 1 is nan"),
    "too large": lambda: (spoiled(1e200), BIG_Y, rf"row {BIG - 2}: the sum of squares overflows"),
    "-inf, csr": lambda: (broken_csr(_infinite), BIG_Y, rf"row {BIG - 4}: value of feature 2 is -inf"),
    "out of range": lambda: (broken_csr(_beyond), BIG_Y, rf"row {BIG - 4}: feature index 3 is outside the matrix"),
    "negative": lambda: (broken_csr(_below), BIG_Y, rf"row {BIG - 4}: feature index -1 is outside the matrix"),
    "offsets": lambda: (broken_csr(_offsets), BIG_Y, "row 5: the row offsets|row 6: the row offsets"),
    "offsets beyond": lambda: (broken_csr(_offsets_beyond), BIG_Y, rf"row {BIG - 1}: the row offsets"),
    "wide": lambda: (np.zeros((4, 4)), Y, "rows have 4 features; this learner has learned rows of 3"),
    "narrow, csr": lambda: (sp.csr_matrix((4, 2)), Y, "rows have 2 features"),
    "three dimensions": lambda: (np.zeros((4, 3, 1)), Y, "3 dimensions"),
    "one dimension": lambda: (np.zeros(3), Y, "1 dimensions"),
    "ragged": lambda: ([[1.0, 2.0, 3.0], [1.0]], Y[:2], "rows differ in length"),
    "strings": lambda: (X.astype(str), Y, "dtype"),
    "objects": lambda: (X.astype(object), Y, "dtype object"),
    "complex": lambda: (X.astype(complex), Y, "dtype complex"),
    "complex, csr": lambda: (sp.csr_matrix(X.astype(complex)), Y, "dtype complex"),
    "names": lambda: ([{"a": 1.0}], [1], "row 0: feature 'a' is not a column; this learner has columns 0 to 2"),
    "beyond, dict": lambda: ([{0: 1.0}, {3: 1.0}], [1, -1], "row 1: feature 3 is not a column"),
    "nan, dict": lambda: ([{0: 1.0}, {2: np.nan}], [1, -1], "row 1: .*feature 2 .*nan"),
    "text, dict": lambda: ([{0: 1.0}, {2: "red"}], [1, -1], "row 1: .*feature 2 .*'red'"),
    "a number among dicts": lambda: ([{0: 1.0}, 5], [1, -1], "5"),
    "few outcomes": lambda: (X, Y[:3], "4 rows and 3 outcomes"),
    "third label": lambda: (np.tile(X, (BIG // 4, 1)), _third(), rf"row {BIG - 5}: the label 2 is a third one"),
    "third label, text": lambda: (X, [1, -1, "b", 1], "row 2: the label 'b' is a third one"),
    "nan label": lambda: (X, [1.0, -1.0, np.nan, 1.0], "row 2: the label is nan"),
    "missing label": lambda: (X, [1, -1, None, 1], "row 2: the label is None"),
    "missing label, pandas": lambda: (X, pd.Series([1, -1, pd.NA, 1], dtype=object), "row 2: the label is <NA>"),
    "missing label, nullable": lambda: (X, pd.Series([1, -1, pd.NA, 1], dtype="Int8"), "row 2: the label is nan"),
    "columns of labels": lambda: (X, Y[:, np.newaxis], "2 dimensions"),
    "intervals": lambda: (X, ls.Intervals(np.zeros(4), np.ones(4)), "this learner has learned labels"),
}
RULES: tuple[ls.LinearRule, ...] = (ls.Perceptron(), ls.OnlineSVM(eta=0.5), ls.MarginPerceptron(rho=1.0))


@final
@dataclass(frozen=True)
class Path:
    """How `learn_many` sees to a refusal: by checking first, or by restoring."""

    entries_per_state: int


PATHS = {"check first": Path(10**9), "restore": Path(0)}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("name", BAD_TABLES)
def test_learn_many_refuses_without_a_trace(name: str, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("littlestone.state._ENTRIES_PER_NUMBER", PATHS[path].entries_per_state)
    table, y, sentence = BAD_TABLES[name]()
    for rule in RULES:
        if "intervals" in name and "intervals" not in rule.abilities.learns:
            continue
        learner = laws.learned(rule, STREAM)
        before = laws.fingerprint(learner)
        with pytest.raises(ls.LittlestoneError, match=sentence):
            laws.call(learner.learn_many, table, y)
        assert laws.fingerprint(learner) == before
        learner.learn_many(X, Y)
        twice = laws.fresh(rule)
        twice.learn_many(np.vstack([X, X]), np.concatenate([Y, Y]))
        laws.same(learner, twice)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("name", BAD_TABLES)
def test_a_fresh_learner_refuses_without_a_trace(name: str, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("littlestone.state._ENTRIES_PER_NUMBER", PATHS[path].entries_per_state)
    table, y, _ = BAD_TABLES[name]()
    learner = ls.Learner(ls.Perceptron(), average=True)
    before = laws.fingerprint(learner)
    try:
        laws.call(learner.learn_many, table, y)
    except ls.LittlestoneError:
        assert laws.fingerprint(learner) == before
    else:
        assert name in {"wide", "narrow, csr", "intervals", "names", "beyond, dict"}  # fine for who knows nothing yet


BAD_ROWS: dict[str, tuple[object, object, str]] = {
    "nan": (np.array([1.0, np.nan, 0.0]), 1, "row 0: value of feature 1 is nan"),
    "inf": ([np.inf, 0.0, 0.0], 1, "row 0: value of feature 0 is inf"),
    "nan, csr": (sp.csr_matrix([[0.0, 0.0, np.nan]]), 1, "row 0: value of feature 2 is nan"),
    "wide": ([1.0, 2.0, 3.0, 4.0], 1, "4 features"),
    "two rows": (X[:2], 1, "2 dimensions"),
    "two rows, csr": (sp.csr_matrix(X[:2]), 1, "one row"),
    "text": ("abc", 1, "0 dimensions"),
    "texts": (["a", "b", "c"], 1, "dtype"),
    "ragged": ([[1.0], [1.0, 2.0]], 1, "row"),
    "none": (None, 1, "dimensions|dtype"),
    "third label": (X[0], 3, "row 0: the label 3 is a third one"),
    "nan label": (X[0], float("nan"), "row 0: the label is nan"),
    "missing label": (X[0], None, "row 0: the label is None"),
    "missing label, pandas": (X[0], pd.NA, "row 0: the label is <NA>"),
    "array label": (X[0], np.array([1, 2]), "row 0: the label is"),
    "list label": (X[0], [1], "row 0: the label is"),
    "two intervals": (X[0], ls.Intervals([0.0, 1.0], [1.0, 2.0]), "2 intervals for one row"),
    "interval": (X[0], ls.Intervals(0.0, 1.0), "this learner has learned labels"),
    "name": ({"a": 1.0}, 1, "feature 'a' is not a column"),
    "text in a dict": ({1: "red"}, 1, "feature 1 .*'red'"),
    "nan in a dict": ({1: np.nan}, 1, "feature 1 .*nan"),
}


@pytest.mark.parametrize("name", BAD_ROWS)
def test_learn_one_refuses_without_a_trace(name: str) -> None:
    x, y, sentence = BAD_ROWS[name]
    learner = laws.learned(ls.Perceptron(), STREAM)
    before = laws.fingerprint(learner)
    with pytest.raises(ls.LittlestoneError, match=sentence):
        laws.call(learner.learn_one, x, y)
    assert laws.fingerprint(learner) == before
    untaught = ls.Learner(ls.Perceptron(), average=True)
    before = laws.fingerprint(untaught)
    try:
        laws.call(untaught.learn_one, x, y)
    except ls.LittlestoneError:
        assert laws.fingerprint(untaught) == before
    else:
        assert name in {"wide", "third label", "interval", "name"}


BAD_RECORDS: dict[str, tuple[list[object], str]] = {
    "nan": ([{"new": 1.0}, {"a": 1.0, "z": float("nan")}], "row 1: feature 'z' has the value nan; values must be finite"),
    "inf": ([{"new": 1.0}, {"a": -np.inf}], "row 1: feature 'a' has the value -inf"),
    "text": ([{"new": 1.0}, {"colour": "red"}], "row 1: feature 'colour' has the value 'red'; values must be numbers"),
    "none": ([{"new": 1.0}, {"a": None}], "row 1: feature 'a' has the value None"),
    "key": ([{"new": 1.0}, {1.5: 1.0}], "row 1: feature 1.5 is neither str nor int"),
    "bool key": ([{"new": 1.0}, {True: 1.0}], "row 1: feature True is neither"),
    "tuple key": ([{"new": 1.0}, {("a", 1): 1.0}], "row 1: feature .* is neither"),
    "too large": ([{"new": 1.0}, {"a": 1e200}], "row 1: the sum of squares overflows"),
    "no dict": ([{"new": 1.0}, [1.0]], "dict"),
}


def _taught_by_name() -> ls.Learner:
    learner = ls.Learner(ls.OnlineSVM(), average=True)
    learner.learn_many([{"a": 1.0, "b": 2.0}, {"b": -1.0, "c": 1.0}], ["no", "yes"])
    return learner


@pytest.mark.parametrize("name", BAD_RECORDS)
def test_bad_records_leave_no_name_behind(name: str) -> None:
    rows, sentence = BAD_RECORDS[name]
    for learner in (_taught_by_name(), ls.Learner(ls.Perceptron(), average=True)):
        before = laws.fingerprint(learner)
        with pytest.raises(ls.InvalidData, match=sentence):
            laws.call(learner.learn_many, rows, ["no", "yes"])
        assert laws.fingerprint(learner) == before
        if isinstance(rows[1], Mapping):
            with pytest.raises(ls.InvalidData, match=sentence.replace("row 1", "row 0")):
                laws.call(learner.learn_one, rows[1], "yes")
        assert laws.fingerprint(learner) == before
    learner = _taught_by_name()
    learner.learn_one({"d": 1.0, "new": 1.0}, "yes")
    assert learner.features == ["a", "b", "c", "d", "new"]


@pytest.mark.parametrize("path", PATHS)
def test_new_features_and_labels_of_a_refused_call_are_forgotten(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame brings names before its values are read, and a label before its row."""
    monkeypatch.setattr("littlestone.state._ENTRIES_PER_NUMBER", PATHS[path].entries_per_state)
    frame = pd.DataFrame(spoiled(np.nan), columns=["c", "x", "y"])
    for learner in (_taught_by_name(), ls.Learner(ls.PassiveAggressive(), average=True)):
        before = laws.fingerprint(learner)
        with pytest.raises(ls.InvalidData, match=rf"row {BIG - 2}: value of feature \d is nan"):
            learner.learn_many(frame, ["no", "yes"] * (BIG // 2))
        assert laws.fingerprint(learner) == before
    half = ls.Learner(ls.Perceptron())
    half.learn_one([1.0], "a")
    with pytest.raises(ls.InvalidData, match="row 0: value of feature 0 is nan"):
        half.learn_one([np.nan], "b")
    assert half.labels == ("a", "a")
    half.learn_one([1.0], "c")
    assert half.labels == ("a", "c")


def test_bad_frames() -> None:
    learner = _taught_by_name()
    before = laws.fingerprint(learner)
    for frame, sentence in (
        (pd.DataFrame({"a": ["x", "y"], "b": [1.0, 2.0]}), "column 'a' does not hold numbers"),
        (pl.DataFrame({"b": [1.0, 2.0], "a": ["x", "y"]}), "column 'a' does not hold numbers"),
        (pd.DataFrame([[1.0, 2.0], [1.0, 2.0]], columns=["a", "a"]), "same name"),
        (pl.DataFrame({"a": [1.0, None]}), "row 1: value of feature 0 is nan"),
        (pd.DataFrame({"a": [1.0, None]}), "row 1: value of feature 0 is nan"),
    ):
        with pytest.raises(ls.InvalidData, match=sentence):
            learner.learn_many(frame, ["no", "yes"])
        assert laws.fingerprint(learner) == before
    with pytest.raises(ls.InvalidData, match="by name"):
        learner.learn_many(X, ["no", "yes", "no", "yes"])
    for table in (None, 5, "abc", {"a": [1.0]}):
        with pytest.raises(ls.NotApplicable, match="expected an array"):
            laws.call(learner.learn_many, table, ["no"])
    assert laws.fingerprint(learner) == before


BAD_TARGETS: dict[str, tuple[object, str]] = {
    "nan": ([0.0, 1.0, np.nan, 1.0], "row 2: the target is not finite"),
    "inf": ([0.0, np.inf, 0.0, 1.0], "row 1: the target is not finite"),
    "text": (["a", "b", "c", "d"], "dtype"),
    "bool": ([True, False, True, False], "dtype bool"),
    "columns": (np.zeros((4, 1)), "2 dimensions"),
    "ragged": ([[1.0], [1.0, 2.0], [1.0], [1.0]], "target"),
    "few": ([1.0], "4 rows and 1 outcomes"),
}


@pytest.mark.parametrize("name", BAD_TARGETS)
def test_bad_targets(name: str) -> None:
    y, sentence = BAD_TARGETS[name]
    learner = laws.learned(ls.PassiveAggressiveRegression(), Stream(X, np.array([0.5, 1.0, -2.0, 0.0])))
    before = laws.fingerprint(learner)
    with pytest.raises(ls.LittlestoneError, match=sentence):
        laws.call(learner.learn_many, X, y)
    assert laws.fingerprint(learner) == before


@pytest.mark.parametrize("target", [np.nan, np.inf, "a", None, True, [1.0], 1j], ids=repr)
def test_bad_target_of_one_row(target: object) -> None:
    learner = laws.learned(ls.PassiveAggressiveRegression(), Stream(X, np.array([0.5, 1.0, -2.0, 0.0])))
    before = laws.fingerprint(learner)
    with pytest.raises(ls.InvalidData, match="row 0: the target is"):
        laws.call(learner.learn_one, X[0], target)
    assert laws.fingerprint(learner) == before


@pytest.mark.parametrize(
    ("lo", "hi", "lo_open", "hi_open", "row"),
    [
        ([0.0, 1.0], [1.0, 0.5], False, False, 1),
        ([0.0], [0.0], True, False, 0),
        ([0.0], [0.0], False, True, 0),
        ([0.0, 0.0, np.nan], [1.0, 1.0, 1.0], False, False, 2),
        ([0.0], [np.nan], False, False, 0),
        ([np.inf], [np.inf], False, False, 0),
        ([-np.inf], [-np.inf], False, False, 0),
    ],
)
def test_empty_intervals(lo: list[float], hi: list[float], lo_open: bool, hi_open: bool, row: int) -> None:
    with pytest.raises(ls.InvalidData, match=f"row {row}: the interval is empty"):
        ls.Intervals(lo, hi, lo_open=lo_open, hi_open=hi_open)


def test_intervals_that_are_no_numbers() -> None:
    for lo, hi in (("a", 1.0), ([0.0, 1.0], [1.0, 2.0, 3.0]), ([[0.0]], [[1.0]]), (None, 1.0), ([0.0], [[1.0], [2.0, 3.0]])):
        with pytest.raises(ls.InvalidData, match="interval"):
            laws.call(ls.Intervals, lo, hi)


def test_outcomes_that_a_rule_does_not_learn() -> None:
    for rule in (ls.OnlineSVM(), ls.MarginPerceptron(rho=1.0), ls.RandomizedPerceptron()):
        learner = ls.Learner(rule, average=True)
        before = laws.fingerprint(learner)
        with pytest.raises(ls.NotApplicable, match=f"{type(rule).__name__} learns labels"):
            learner.learn_many(X, ls.Intervals(np.zeros(4), np.ones(4)))
        with pytest.raises(ls.NotApplicable, match="learns labels"):
            learner.learn_one(X[0], ls.Intervals(0.0, 1.0))
        assert laws.fingerprint(learner) == before


def test_predicting_refuses_as_well_and_changes_nothing() -> None:
    for learner in (laws.learned(ls.Perceptron(), STREAM), _taught_by_name()):
        before = laws.fingerprint(learner)
        for bad in ([1.0, np.nan, 0.0], [1.0], {"a": np.nan}, {0: np.nan}, {1.5: 1.0}, "abc", None):
            for ask in (learner.predict_one, learner.score_one):
                with pytest.raises(ls.LittlestoneError):
                    laws.call(ask, bad)
        for table in (spoiled(np.nan)[-4:], np.zeros((2, 9)), None):
            for ask_many in (learner.predict_many, learner.score_many):
                with pytest.raises(ls.LittlestoneError):
                    laws.call(ask_many, table)
        assert laws.fingerprint(learner) == before


# --- parameters


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: ls.Perceptron(eta=0.0), "Perceptron: eta is 0.0; eta must be a number above 0 and at most 1e50"),
        (lambda: ls.Perceptron(eta=-1.0), "eta is -1.0"),
        (lambda: ls.Perceptron(eta=np.nan), "eta is nan"),
        (lambda: ls.Perceptron(eta=np.inf), "eta is inf"),
        (lambda: ls.Perceptron(eta=True), "eta is True"),
        (lambda: ls.Perceptron(eta=10**400), "eta must be"),
        (lambda: ls.Perceptron(tolerance=-0.1), "tolerance is -0.1; tolerance must be a finite number, at least 0"),
        (lambda: laws.call(ls.Perceptron, start=[np.nan]), "start must be"),
        (lambda: laws.call(ls.Perceptron, start=[[1.0]]), "start must be"),
        (lambda: laws.call(ls.Perceptron, start=["a"]), "start is not a list of numbers"),
        (lambda: ls.MarginPerceptron(rho=0.0), "rho must be"),
        (lambda: ls.OnlineSVM(eta=1.0), "eta must be a number strictly between 0 and 1, or None"),
        (lambda: ls.OnlineSVM(eta=0.0), "eta must be"),
        (lambda: ls.OnlineSVM(C=0.0), "C must be"),
        (lambda: ls.RandomizedPerceptron(seed=-1), "seed must be"),
        (lambda: ls.RandomizedPerceptron(seed=2**64), "seed must be"),
        (lambda: ls.PassiveAggressive(margin=0.0), "margin must be"),
        (lambda: ls.PassiveAggressive(variant="PA-I"), 'C must be given for "PA-I"'),
        (lambda: ls.PassiveAggressive(variant="PA-I", C=0.0), "C must be"),
        (lambda: ls.PassiveAggressive(variant="relaxed"), 'gamma must be given for "relaxed"'),
        (lambda: ls.PassiveAggressive(C=1.0), 'C has no meaning for "PA"'),
        (lambda: ls.PassiveAggressive(variant="PA-II", C=1.0, gamma=1.0), "gamma has no meaning"),
        (lambda: ls.PassiveAggressiveRegression(epsilon=-0.1), "epsilon must be"),
        (lambda: laws.call(ls.Fixed, weights=[np.inf]), "weights must be"),
    ],
)
def test_a_parameter_outside_its_domain(make: Callable[[], ls.LinearRule], sentence: str) -> None:
    with pytest.raises(ls.InvalidParameter, match=sentence):
        make()


def test_rows_narrower_than_the_start_vector() -> None:
    learner = ls.Learner(ls.Perceptron(start=np.array([1.0, 2.0])), average=True)
    before = laws.fingerprint(learner)
    with pytest.raises(ls.InvalidData, match="the start vector has 2 weights and the rows 1 features"):
        learner.learn_one([1.0], 1)
    with pytest.raises(ls.InvalidData, match="the start vector has 2 weights"):
        learner.learn_many([[1.0]], [1])
    assert laws.fingerprint(learner) == before
    learner.learn_one([1.0, 1.0], 1)


def test_keep_names_columns() -> None:
    learner = ls.Learner(ls.Perceptron())
    for wrong in (("scores",), "score"):
        with pytest.raises(ls.InvalidParameter, match="keep names"):
            laws.call(learner.learn_many, X, Y, keep=wrong)
    for passes in (0, -1, 1.5, True):
        with pytest.raises(ls.InvalidParameter, match="passes is"):
            laws.call(ls.run, ls.Perceptron(), X, Y, passes=passes)
    assert learner.ledger.rounds == 0
