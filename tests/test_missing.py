"""Missing values: refused, or absent in their round; the same bits whatever holds the rows."""

from __future__ import annotations

import copy
import math
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import laws
import littlestone as ls
from inventory import FAMILIES, short
from littlestone.arrays import FloatArray
from littlestone.cli.main import main
from littlestone.outcomes import OutcomesLike
from littlestone.streams import batches
from strategies import Stream, streams

RULES: tuple[ls.LinearRule, ...] = (
    ls.Perceptron(),
    ls.OnlineSVM(),
    ls.PassiveAggressive(variant="PA-I", C=0.5),
    ls.Winnow(),
    ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.5)),
    ls.MulticlassPerceptron(),
    ls.OneVersusRest(rule=ls.Perceptron()),
    ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=ls.kernels.Gaussian())),
)
every_rule = pytest.mark.parametrize("rule", RULES, ids=repr)


def skipping(rule: ls.LinearRule) -> ls.Learner:
    labels = (-1, 1) if {"labels", "classes"} & rule.abilities.learns else None
    return ls.Learner(rule, labels=labels, missing="skip")


def outcomes_for(rule: ls.LinearRule, X: FloatArray) -> OutcomesLike:
    if rule.abilities.alone:
        return ls.Intervals.inside(len(X))
    return X.sum(axis=1) if rule.abilities.targets else np.where(X[:, 0] > X[:, 1], 1, -1)


@pytest.mark.parametrize("rule", [rule for rules in FAMILIES.values() for rule in rules], ids=short)
def test_what_is_missing_is_a_feature_that_is_not_there_for_every_rule(rule: ls.LinearRule) -> None:
    rng = np.random.default_rng(6)
    X, gone = np.abs(rng.normal(size=(30, 4))), rng.random((30, 4)) < 0.3
    learner, other = skipping(rule), skipping(rule)
    learner.learn_many(with_holes(X, gone), outcomes_for(rule, X))
    other.learn_many(np.where(gone, 0.0, X), outcomes_for(rule, X))
    laws.same(learner, other, but=("ledger",))
    assert learner.ledger.missing == np.count_nonzero(gone)
    assert replace(learner.ledger, missing=0) == other.ledger


@st.composite
def holed(draw: st.DrawFn) -> tuple[Stream, npt.NDArray[np.bool_]]:
    """A stream, and where its values are missing."""
    stream = draw(streams("labels"))
    return stream, draw(hnp.arrays(np.bool_, stream.X.shape))


def with_holes(X: FloatArray, gone: npt.NDArray[np.bool_]) -> FloatArray:
    return np.where(gone, np.nan, X)


def _csr_with_nan(X: FloatArray) -> sp.csr_array[np.float64]:
    rows, width = X.shape
    start, index = np.arange(rows + 1) * width, np.tile(np.arange(width), rows)
    return sp.csr_array((X.ravel(), index, start), shape=X.shape)


def forms(X: FloatArray) -> dict[str, object]:
    """The rows, with nan for what is missing, in every form that has positions."""
    objects = X.astype(object)
    objects[np.isnan(X)] = None
    return {
        "array": X,
        "fortran": np.asfortranarray(X),
        "strided": np.repeat(X, 2, axis=0)[::2],
        "csr": _csr_with_nan(X),
        "csc": sp.csc_array(_csr_with_nan(X)),
        "objects": objects,
        "lists with None": objects.tolist(),
        "masked": np.ma.MaskedArray(np.nan_to_num(X), mask=np.isnan(X)),
        "masked integers": np.ma.MaskedArray(X, mask=np.isnan(X)),
    }


def a_missing_value_is_not_there(rule: ls.LinearRule, stream: Stream, gone: npt.NDArray[np.bool_]) -> None:
    """Every form leaves the bits of the rows in which the value is 0, and counts how many were missing."""
    plain = ls.Learner(rule, labels=(-1, 1), missing="skip")
    plain.learn_many(np.where(gone, 0.0, stream.X), stream.y)
    for name, X in forms(with_holes(stream.X, gone)).items():
        learner = skipping(rule)
        laws.call(learner.learn_many, X, stream.y)
        assert learner.ledger.missing == np.count_nonzero(gone), name
        assert learner.ledger.rounds == plain.ledger.rounds
        assert fingerprint(learner) == fingerprint(plain), name


def fingerprint(learner: ls.Learner) -> laws.Fingerprint:
    """Everything but how many values were missing."""
    known = laws.fingerprint(learner)
    totals = {name: value for name, value in learner.snapshot().totals.items() if name != "missing"}
    return {**known, "ledger": repr(sorted(totals.items()))}


@every_rule
@given(made=holed())
def test_a_missing_value_is_not_there(rule: ls.LinearRule, made: tuple[Stream, npt.NDArray[np.bool_]]) -> None:
    a_missing_value_is_not_there(rule, *made)


@every_rule
@given(made=holed())
def test_one_by_one_is_the_same(rule: ls.LinearRule, made: tuple[Stream, npt.NDArray[np.bool_]]) -> None:
    stream, gone = made
    X = with_holes(stream.X, gone)
    whole, single, listed = skipping(rule), skipping(rule), skipping(rule)
    whole.learn_many(X, stream.y)
    for x, y in zip(X, stream.signs.tolist(), strict=True):
        assert single.predict_one(x) == single.learn_one(x, y)
        laws.call(listed.learn_one, [None if np.isnan(value) else value for value in x.tolist()], y)
    laws.same(whole, single)
    laws.same(whole, listed)


@every_rule
@given(made=holed())
def test_dicts_leave_it_out(rule: ls.LinearRule, made: tuple[Stream, npt.NDArray[np.bool_]]) -> None:
    """A dict with None or nan learns what the dict without the name learns, and no name comes of it."""
    stream, gone = made
    X = with_holes(stream.X, gone)
    absent = [{f"f{k}": v for k, v in enumerate(x.tolist()) if not np.isnan(v)} for x in X]
    nones = [{f"f{k}": None if np.isnan(v) else v for k, v in enumerate(x.tolist())} for x in X]
    nans = [{f"f{k}": v for k, v in enumerate(x.tolist())} for x in X]
    plain = skipping(rule)
    laws.call(plain.learn_many, absent, stream.y)
    for records in (nones, nans):
        whole, single = skipping(rule), skipping(rule)
        laws.call(whole.learn_many, records, stream.y)
        for record, y in zip(records, stream.signs.tolist(), strict=True):
            shown = laws.call(single.predict_one, record)
            # New names take part in a multiplicative sum as soon as they are learned.
            assert laws.call(single.learn_one, record, y) == shown or "members" in rule.init(1).arrays
        assert whole.ledger.missing == single.ledger.missing == np.count_nonzero(gone)
        assert fingerprint(whole) == fingerprint(plain)
        laws.same(whole, single)


def test_dicts_for_a_learner_of_arrays() -> None:
    learner, plain = skipping(ls.Perceptron()), skipping(ls.Perceptron())
    for one in (learner, plain):
        one.learn_many([[1.0, 2.0]], [1])
    laws.call(learner.learn_one, {0: 1.0, 1: None}, -1)
    plain.learn_one({0: 1.0}, -1)
    assert fingerprint(learner) == fingerprint(plain)
    assert learner.ledger.missing == 1


FRAMES: dict[str, Callable[[list[float | None], list[float | None]], object]] = {
    "pandas": lambda a, b: pd.DataFrame({"a": a, "b": b}, dtype=float),
    "pandas objects": lambda a, b: pd.DataFrame({"a": a, "b": b}, dtype=object),
    "pandas nullable": lambda a, b: pd.DataFrame({"a": pd.array(a, dtype="Float64"), "b": pd.array(b, dtype="Int64")}),
    "polars": lambda a, b: pl.DataFrame({"a": a, "b": b}),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_frames(kind: str) -> None:
    frame = FRAMES[kind]([1.0, None, 3.0, -1.0], [None, 2.0, 4.0, 1.0])
    learner, plain = skipping(ls.Perceptron()), skipping(ls.Perceptron())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        laws.call(learner.learn_many, frame, [1, -1, 1, -1])
    plain.learn_many([{"a": 1.0}, {"b": 2.0}, {"a": 3.0, "b": 4.0}, {"a": -1.0, "b": 1.0}], [1, -1, 1, -1])
    assert learner.weights == plain.weights
    assert learner.ledger.missing == 2
    with pytest.raises(ls.InvalidData, match=r"row [01]: (column '[ab]' has no value|value of feature [01] is nan)"):
        laws.call(ls.Learner(ls.Perceptron()).learn_many, frame, [1, -1, 1, -1])


@every_rule
def test_it_is_defined_before_the_first_learning_and_never_nan(rule: ls.LinearRule) -> None:
    learner = skipping(rule)
    empty = np.full(3, np.nan)
    assert np.isfinite(learner.score_one(empty))
    assert learner.predict_one(empty) in (-1, 1)
    source = np.random.default_rng(0)
    X = np.where(source.random((200, 3)) < 0.5, np.nan, source.normal(size=(200, 3)))
    learner.learn_many(X, source.choice([-1, 1], size=200))
    assert all(np.isfinite(array).all() for array in learner.state.arrays.values())
    assert np.isfinite(learner.score_many(X)).all()
    assert learner.ledger.missing == np.count_nonzero(np.isnan(X))
    assert np.isfinite(learner.ledger.loss)


def test_scoring_does_not_count() -> None:
    learner = skipping(ls.Perceptron())
    learner.learn_many([[1.0, np.nan]], [1])
    learner.score_many([[np.nan, 1.0]])
    learner.predict_one([np.nan, np.nan])
    assert learner.ledger.missing == 1


ROWS: dict[str, tuple[object, str]] = {
    "nan": ([[1.0, 2.0], [1.0, np.nan]], "row 1: value of feature 1 is nan"),
    "None": ([[1.0, 2.0], [None, 1.0]], r'row 1: value of feature 0 is None; values must be numbers \(missing="skip"'),
    "csr": (_csr_with_nan(np.array([[1.0, 2.0], [1.0, np.nan]])), "row 1: value of feature 1 is nan"),
    "dict": ([{"a": 1.0}, {"b": None}], "row 1: feature 'b' has the value None"),
    "dict, nan": ([{"a": 1.0}, {"b": float("nan")}], "row 1: feature 'b' has the value nan"),
    "masked": (np.ma.MaskedArray(np.ones((2, 2)), mask=[[False, False], [False, True]]), "values are masked in places"),
    "frame": (pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, None]}, dtype=object), "row 1: column 'b' has no value"),
}


@pytest.mark.parametrize("kind", ROWS)
def test_by_default_it_is_an_error_that_says_where(kind: str) -> None:
    X, words = ROWS[kind]
    learner = ls.Learner(ls.Perceptron(), labels=(-1, 1))
    before = laws.fingerprint(learner)
    with pytest.raises(ls.InvalidData, match=words):
        laws.call(learner.learn_many, X, [1, -1])
    assert laws.fingerprint(learner) == before


def test_infinity_is_not_missing() -> None:
    for X in ([[np.inf, np.nan]], [{"a": np.inf, "b": None}]):
        learner = skipping(ls.Perceptron())
        with pytest.raises(ls.InvalidData, match="inf"):
            laws.call(learner.learn_many, X, [1])
        assert learner.ledger.missing == 0


def test_words_are_not_missing() -> None:
    for X in ([{"a": "red"}], np.array([["red", None]], dtype=object)):
        with pytest.raises(ls.InvalidData, match="number"):
            laws.call(skipping(ls.Perceptron()).learn_many, X, [1])


def test_there_are_two_choices() -> None:
    with pytest.raises(ls.InvalidParameter, match='missing is \'mean\'; missing must be one of "error", "skip"'):
        laws.call(ls.Learner, ls.Perceptron(), missing="mean")


def test_a_run_skips_as_a_learner_does() -> None:
    X = np.array([[1.0, np.nan], [np.nan, 2.0]])
    run = ls.run(ls.Perceptron(), X, [1, -1], missing="skip", passes=2)
    assert run.ledger.missing == 2 * run.passes
    assert run.state.w.tolist() == [1.0, -2.0]


# --- mutants


STREAM = Stream(np.arange(12.0).reshape(4, 3) - 5.0, np.array([1, -1, 1, 1]))
GONE = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0], [0, 1, 1]], dtype=bool)


def filled_with_ones(values: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_] | None]:
    gone = np.isnan(values)
    return np.where(gone, 1.0, values), gone


def not_counted(values: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_] | None]:
    return np.nan_to_num(values), None


@pytest.mark.parametrize("mutant", [filled_with_ones, not_counted], ids=lambda mutant: mutant.__name__)
def test_law_catches_mutant(mutant: Callable[..., object], monkeypatch: pytest.MonkeyPatch) -> None:
    a_missing_value_is_not_there(ls.Perceptron(), STREAM, GONE)
    monkeypatch.setattr(batches, "without_missing", mutant)
    with pytest.raises(AssertionError):
        a_missing_value_is_not_there(ls.Perceptron(), STREAM, GONE)


# An indicator: a feature that says that a value is missing, whatever shape the rows come in.

RECORDS: list[dict[str, object]] = [
    {"age": 31.0, "city": "Rome"},
    {"age": None, "city": "Oslo"},
    {"age": 8.0, "city": None},
    {"age": float("nan"), "city": "Rome"},
]
TABLE = "age,city,label\n31,Rome,1\n,Oslo,0\n8,,1\n?,Rome,0\n"
TOLD = {"age", "city=Rome", "city=Oslo", "age=?", "city=?"}


def indicated(tmp_path: Path, bits: int | None = None) -> ls.Learner:
    (tmp_path / "t.csv").write_text(TABLE)
    learner = ls.Learner(ls.Perceptron(), missing="indicator")
    for X, y in ls.read(tmp_path / "t.csv", indicator=True, bits=bits):
        learner.learn_many(X, y)
    return learner


def test_a_file_a_frame_and_dicts_tell_alike_what_is_missing(tmp_path: Path) -> None:
    learner = indicated(tmp_path)
    assert set(learner.features) == TOLD
    assert learner.ledger.missing == 3
    rows = next(iter(ls.read(tmp_path / "t.csv", indicator=True)))[0]
    by_file = learner.score_many(rows).tolist()
    frame = pd.DataFrame(RECORDS)
    assert learner.score_many(frame).tolist() == by_file
    assert [laws.call(learner.score_one, record) for record in RECORDS] == by_file
    assert laws.call(learner.score_many, RECORDS).tolist() == by_file


def test_numbers_alone_as_frames_and_dicts() -> None:
    rows = [{"a": 1.0, "b": math.nan}, {"a": math.nan, "b": 2.0}, {"a": 3.0, "b": 4.0}]
    framed, single = (ls.Learner(ls.Perceptron(), labels=(-1, 1), missing="indicator") for _ in range(2))
    framed.learn_many(pd.DataFrame(rows), [1, -1, 1])
    for row, label in zip(rows, [1, -1, 1], strict=True):
        single.learn_one(row, label)
    assert framed.weights == single.weights == {"a": 4.0, "b": 2.0, "b=?": 1.0, "a=?": -1.0}
    assert framed.ledger.missing == single.ledger.missing == 2
    assert framed.ledger.fingerprint == single.ledger.fingerprint


def test_by_hash_as_by_name(tmp_path: Path) -> None:
    """The indicator is the category ? of its column: the same column of hashes as a file that writes it out."""
    found, said = (
        next(iter(ls.read(path, indicator=tells, bits=12, categorical=["city"])))[0].tocsr()
        for path, tells in ((indicated_file(tmp_path), True), (written_out(tmp_path), False))
    )
    assert np.array_equal(found.toarray()[2], said.toarray()[2])


def indicated_file(tmp_path: Path) -> Path:
    (tmp_path / "gone.csv").write_text("age,city,label\n31,Rome,1\n4,Oslo,0\n8,,1\n")
    return tmp_path / "gone.csv"


def written_out(tmp_path: Path) -> Path:
    (tmp_path / "said.csv").write_text("age,city,label\n31,Rome,1\n4,Oslo,0\n8,?,1\n")
    return tmp_path / "said.csv"


def test_the_model_remembers_that_it_tells(tmp_path: Path) -> None:
    learner = indicated(tmp_path)
    learner.save(tmp_path / "m.lst")
    loaded = ls.load(tmp_path / "m.lst")
    assert isinstance(loaded, ls.Learner)
    assert loaded.missing == copy.deepcopy(learner).missing == "indicator"
    assert laws.call(loaded.score_one, RECORDS[1]) == laws.call(learner.score_one, RECORDS[1])


def test_columns_without_names_and_rows_that_do_not_tell_are_refused(tmp_path: Path) -> None:
    learner = ls.Learner(ls.Perceptron(), missing="indicator")
    with pytest.raises(ls.InvalidData, match=r"nan; values must be finite \(missing=.skip. leaves out nan\)"):
        learner.learn_many(np.array([[1.0, math.nan]]), [1])
    (tmp_path / "t.csv").write_text(TABLE)
    X, y = next(iter(ls.read(tmp_path / "t.csv")))
    with pytest.raises(ls.InvalidData, match="'age' has no value, and these rows do not tell of it; read them with indicator"):
        learner.learn_many(X, y)
    assert learner.ledger.rounds == 0


def test_the_command_line_tells_too(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE)
    table, model = str(tmp_path / "t.csv"), str(tmp_path / "m.lst")
    for rule in (["--rule", "perceptron"], []):
        done = CliRunner().invoke(main, ["learn", table, *rule, "--missing", "indicator", "--model", model])
        assert done.exit_code == 0, done.output
        assert "3 missing values were left out" in done.stderr
        learner = ls.load(model)
        assert isinstance(learner, ls.Learner)
        assert set(learner.features) == TOLD
        told = CliRunner().invoke(main, ["predict", model, table])
        assert told.exit_code == 0, told.output
        assert len(told.stdout.splitlines()) == 4
