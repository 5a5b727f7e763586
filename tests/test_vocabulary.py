"""A cap on the names that a pool keeps: who goes, that it hangs on the rounds alone, and that memory stays where it is."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import final

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_matrix, csr_matrix

import laws
import littlestone as ls
from littlestone.pool.state import PoolState
from littlestone.report.curves import Rerun
from littlestone.vocabulary import staying
from test_cli import call, refused
from test_safety_learner import Interrupter, is_sound

Row = dict[str, float]


def stream(count: int, classes: int = 2, seed: int = 0) -> tuple[list[Row], list[int]]:
    """Words that speak for a label, words that speak for none, some named with a zero, and one that never comes again."""
    source = np.random.default_rng(seed)
    y = source.integers(0, classes, count).tolist()
    rows = []
    for t, label in enumerate(y):
        common = {f"common {int(40 * source.uniform() ** 2)}": float(source.integers(0, 3)) for _ in range(4)}
        rows.append(common | {f"about {label} {source.integers(0, 3)}": 1.0, f"once {t}": 1.0})
    return rows, y


def capped(most: int | None) -> ls.Learner:
    return ls.Learner(ls.Pool(most_features=most), labels=(0, 1))


# --- who goes


def test_those_met_least_go_and_of_equals_those_known_for_longest() -> None:
    assert staying(np.array([1.0, 5.0, 1.0, 2.0, 1.0, 9.0, 1.0, 1.0, 1.0]), 8).tolist() == [1, 3, 5, 6, 7, 8]


def test_a_quarter_goes_once_there_is_one_name_too_many() -> None:
    learner = capped(8)
    for t in range(8):
        learner.learn_one({"often": 1.0, f"name {t}": 1.0}, t % 2)
        assert len(learner.features) == (t + 2 if t < 7 else 6)
    assert learner.features == ["often", *(f"name {t}" for t in range(3, 8))]


def lines(learner: ls.Learner) -> dict[object, bytes]:
    """What is known of the constant and of every feature: a name is kept with all that belongs to it, or goes with it."""
    kept = learner.state.arrays["raw.lines"]
    return dict(zip([None, *learner.features], (line.tobytes() for line in kept[1:].reshape(-1, 13)), strict=True))


def test_what_is_known_of_those_who_stay_stays_to_the_last_bit() -> None:
    X, y = stream(40)
    all_of_them = capped(None)
    all_of_them.learn_many(X, y)
    names = len(all_of_them.features)
    some = capped(names - 1)
    some.learn_many(X, y)
    assert len(some.features) == names - 1 - (names - 1) // 4
    kept, known = lines(some), lines(all_of_them)
    assert kept.items() <= known.items()
    met = dict(zip(all_of_them.features, all_of_them.state.evidence(names).tolist(), strict=True))
    gone = known.keys() - kept.keys()
    assert max(met[name] for name in met if name in gone) <= min(met[name] for name in some.features)


def test_totals_are_of_what_is_kept() -> None:
    """P, N and V of the evidence: a pool that met the kept features alone has the same, up to rounding."""
    X, y = stream(200)
    learner = capped(60)
    learner.learn_many(X, y)
    arrays = learner.state.arrays
    kept = arrays["raw.lines"][1:].reshape(-1, 13)
    negative, positive = arrays["raw.totals"][2:4]
    np.testing.assert_allclose([positive, negative], kept[:, 8:10].sum(axis=0), rtol=1e-6)
    assert arrays["raw.features"][0] == np.count_nonzero(kept[1:, 10])


def test_one_that_went_begins_anew() -> None:
    learner = capped(4)
    learner.learn_one({"gone": 1.0}, 1)
    for t in range(6):
        learner.learn_one({f"name {t}": 1.0, "stays": 1.0}, t % 2)
    assert "gone" not in learner.features
    learner.learn_one({"gone": 1.0}, 1)
    assert learner.state.evidence(len(learner.features))[learner.features.index("gone")] == 1.0


# --- the same bits whatever the calls


@settings(max_examples=15, deadline=None)
@given(most=st.integers(1, 90), seed=st.integers(0, 99), classes=st.sampled_from([2, 4]), data=st.data())
def test_it_hangs_on_the_rounds_alone(most: int, seed: int, classes: int, data: st.DataObject) -> None:
    X, y = stream(120, classes, seed)
    one, many, chunks = (capped(most) for _ in range(3))
    for x, label in zip(X, y, strict=True):
        said = one.predict_one(x)
        assert one.learn_one(x, label) == said
        assert len(one.features) <= most + len(x)
    many.learn_many(iter(X), y)
    laws.same(one, many)
    begin = 0
    while begin < len(X):
        end = begin + data.draw(st.integers(1, 60))
        chunks.learn_many(X[begin:end], y[begin:end])
        begin, chunks = end, copy.deepcopy(chunks)
    laws.same(one, chunks)


def test_columns_are_those_of_the_rounds() -> None:
    X, y = stream(700)
    one, many = capped(50), capped(50)
    kept = many.learn_many(X, y, keep=("score", "loss", "prediction", "mistake"))
    scores = []
    for x, label in zip(X, y, strict=True):
        scores.append(one.score_one(x))
        one.learn_one(x, label)
    assert kept["score"].tolist() == scores
    assert kept["mistake"].sum() == many.ledger.mistakes
    assert kept["loss"].sum() == pytest.approx(many.ledger.loss)
    assert len(kept["prediction"]) == 700


def test_targets_files_and_resuming(tmp_path: Path) -> None:
    X, labels = stream(300)
    y = [label + 0.25 * (t % 3) for t, label in enumerate(labels)]
    whole = ls.Learner(ls.PoolRegression(most_features=40))
    whole.learn_many(X, y)
    half = ls.Learner(ls.PoolRegression(most_features=40))
    half.learn_many(X[:150], y[:150])
    half.save(tmp_path / "half.lst")
    resumed = ls.load(tmp_path / "half.lst")
    assert isinstance(resumed, ls.Learner)
    assert resumed.rule == ls.PoolRegression(most_features=40)
    resumed.learn_many(X[150:], y[150:])
    laws.same(whole, resumed)
    laws.same(whole, pickle.loads(pickle.dumps(whole)))
    assert len(whole.features) <= 40


def test_a_cap_that_is_never_reached_changes_nothing() -> None:
    X, y = stream(100)
    capped_one, free = capped(10_000), capped(None)
    for learner in (capped_one, free):
        learner.learn_many(X, y)
    assert laws.fingerprint(capped_one)["state"] == laws.fingerprint(free)["state"]


def test_the_certificate_of_the_master_holds() -> None:
    X, y = stream(600)
    learner = capped(30)
    learner.learn_many(X, y)
    found = {certificate.id: certificate for certificate in learner.certify()}
    assert found["pool.master"].verdict is ls.Verdict.HOLDS
    assert isinstance(learner.state, PoolState)
    accounts = learner.state.accounts()
    assert learner.ledger.log_loss <= min(accounts["view_losses"]) + np.log(600) + np.log(5) + 1e-9


def test_a_master_and_late_labels() -> None:
    """Whoever begins a round of a learner and ends it later forgets as the learner alone would."""
    X, y = stream(90)
    alone, led, late = capped(25), capped(25), capped(25)
    alone.learn_many(X, y)
    for x, label in zip(X, y, strict=True):
        led.begin_one(x, label)
        led.end()
        late.begin_many([x], [label])
        late.end()
    laws.same(alone, led)
    laws.same(alone, late)
    delayed = ls.Delayed(capped(25))
    for t, (x, label) in enumerate(zip(X, y, strict=True)):
        delayed.predict(t, x, float(t))
        delayed.label(t, label, float(t))
    assert delayed.model.features == alone.features


@pytest.mark.parametrize(("classes", "passes"), [(2, 1), (3, 1), (2, 2)])
def test_a_report_repeats_the_run(classes: int, passes: int) -> None:
    """Names go where they went, so that there are curves; and what was shown is what was shown."""
    X, y = stream(300, classes)
    run = ls.run(ls.Pool(most_features=40), X, y, keep=("prediction",), passes=passes)
    replay = Rerun(run)
    curve = replay.rule()
    assert curve is not None
    assert curve[-1] == replace(run.ledger, repeats=0)
    assert replay.shown is not None
    assert replay.shown.tolist() == run.columns["prediction"][:300].tolist()
    assert len(replay.accounts) == len(curve)


# --- all or nothing


@final
class Moody(Mapping[str, float]):
    """A row that can be read once, and has no number the second time."""

    def __init__(self) -> None:
        self._read = 0

    def __getitem__(self, name: str) -> float:
        self._read += 1
        return 1.0 if self._read == 1 else float("nan")

    def __iter__(self) -> Iterator[str]:
        return iter(("moody",))

    def __len__(self) -> int:
        return 1


@pytest.mark.parametrize("bad", [{"x": float("nan")}, {"x": "word"}, Moody()], ids=["nan", "word", "second reading"])
def test_a_call_that_is_refused_forgets_nothing(bad: Mapping[str, float]) -> None:
    X, y = stream(500)
    learner = capped(30)
    learner.learn_many(X[:100], y[:100])
    before = laws.fingerprint(learner)
    with pytest.raises(ls.InvalidData):
        laws.call(learner.learn_many, [*X[100:400], bad, *X[400:]], [*y[100:400], 1, *y[400:]])
    assert laws.fingerprint(learner) == before
    learner.begin_many(X[100:], y[100:])
    learner.take_back()
    assert laws.fingerprint(learner) == before


def test_an_interrupt_at_any_line_leaves_a_sound_learner(tmp_path: Path) -> None:
    X, y = stream(15)
    for many in (False, True):
        for line in range(0, 3000, 3):
            learner, interrupter = capped(12), Interrupter(line)
            learner.learn_many(X[:12], y[:12])
            work = partial(learner.learn_many, X[12:], y[12:]) if many else partial(learner.learn_one, X[12], y[12])
            if not interrupter.cuts_short(work):
                break
            assert learner.ledger.rounds in range(12, 16)
            assert learner.state.evidence(len(learner.features)).max() <= learner.ledger.rounds
            if line % 5 == 0:
                is_sound(learner, tmp_path / "model.lst")
        assert 10 < line < 2999


# --- memory

ONCE = """
import resource, littlestone as ls
learner, high = ls.Learner(ls.Pool(most_features=10_000), labels=(0, 1)), []
for begin in range(0, 100_000, 2_000):
    rows = [{f"{t} {k}": 1.0 for k in range(10)} | {f"label {t % 2}": 1.0} for t in range(begin, begin + 2_000)]
    learner.learn_many(rows, [t % 2 for t in range(begin, begin + 2_000)])
    high.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
print(len(learner.features), learner.ledger.mistakes, (high[-1] - high[9]) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the most memory used is counted in kilobytes on Linux")
def test_a_million_names_that_never_come_again() -> None:
    """Memory is what it was after the first tenth (names and lines of all would take some 200 MB more), and it learns."""
    done = subprocess.run([sys.executable, "-c", ONCE], capture_output=True, text=True, check=True)
    names, mistakes, megabytes = map(int, done.stdout.split())
    assert names <= 10_000
    assert mistakes < 100
    assert megabytes < 32


# --- what is refused


@pytest.mark.parametrize("most", [0, -3, 1.5, True, "many", float("nan")])
def test_a_cap_is_a_whole_number(most: object) -> None:
    for rule in (ls.Pool, ls.PoolRegression):
        with pytest.raises(ls.InvalidParameter, match=r"most_features .*a whole number, at least 1, or None"):
            laws.call(rule, most_features=most)


def test_a_cap_and_guests_are_refused_together() -> None:
    with pytest.raises(ls.InvalidParameter, match="most_features is 9; members of one's own know features by their numbers"):
        ls.Pool(most_features=9, members=["arow", ls.Perceptron()])


def test_columns_of_a_frame_and_of_a_hash_have_their_places_for_ever(tmp_path: Path) -> None:
    learner = capped(3)
    with pytest.raises(ls.InvalidData, match="the columns of the DataFrame are more names than most_features"):
        learner.learn_many(pd.DataFrame(np.ones((2, 4)), columns=list("abcd")), [0, 1])
    (tmp_path / "d.vw").write_text("1 | a b c\n-1 | d e f\n")
    for rows, labels in ls.read(tmp_path / "d.vw", bits=4):
        with pytest.raises(
            ls.InvalidData, match=r"rows have 16 columns by hash, which keep their places, and most_features is 3"
        ):
            learner.learn_many(rows, labels)
    assert learner.features == []
    learner.learn_many(np.ones((2, 3)), [0, 1])
    assert learner.features == [0, 1, 2]


def in_svmlight(path: Path, X: csr_matrix, y: list[int], first: int = 0) -> Path:
    """A file of these rows, its columns numbered from the first."""
    rows = ([f"{k + first}:{value}" for k, value in zip(x.indices, x.data, strict=True)] for x in X.sorted_indices())
    path.write_text("".join(f"{label} {' '.join(row)}\n" for label, row in zip(y, rows, strict=True)))
    return path


def wide(seed: int, rows: int) -> tuple[csr_matrix, list[int]]:
    """A matrix of far more columns than are kept, of which few are met often."""
    source = np.random.default_rng(seed)
    columns = np.minimum(source.geometric(0.1, size=(rows, 4)) - 1, 999)
    places = (np.repeat(np.arange(rows), 4), columns.ravel())
    return csr_matrix((np.ones(4 * rows), places), shape=(rows, 1000)), (columns.min(axis=1) < 3).astype(int).tolist()


CAPPED = pytest.mark.parametrize(
    "rule", [ls.Pool(most_features=20), ls.PoolRegression(most_features=20)], ids=["labels", "targets"]
)


@CAPPED
def test_columns_of_wide_rows_are_names_that_go(rule: ls.LinearRule, tmp_path: Path) -> None:
    """The same learner from a sparse matrix, an array, an svmlight file and dicts, many rows at a time or one."""
    X, y = wide(0, 300)
    dense = X.toarray()
    dicts = [dict(zip(row.indices.tolist(), row.data.tolist(), strict=True)) for row in X]
    many, single, array, singles, named, parts, file = (ls.Learner(rule) for _ in range(7))
    shown = many.learn_many(X, y, keep=("score",))
    for t in range(300):
        single.learn_one(X[t] if t % 2 else coo_matrix(X[t]), y[t])
        singles.learn_one(dense[t] if t % 2 else dense[t].tolist(), y[t])
    array.learn_many(np.asfortranarray(dense), y)
    named.learn_many(dicts, y)
    parts.learn_many(X[:100], y[:100])
    parts.save(tmp_path / "half.lst")
    parts = ls.load(tmp_path / "half.lst")
    parts.learn_many(X[100:200].tocsc(), y[100:200])
    parts.learn_many(dense[200:].astype(np.float32), y[200:])
    for chunk, labels in ls.read(in_svmlight(tmp_path / "d.svm", X, y), chunk=70):
        file.learn_many(chunk, labels.astype(int))
    assert len(many.features) <= 20
    assert set(many.features) >= {0, 1}
    for other in (single, array, singles, named, parts, file):
        laws.same(many, other)
    scores = named.score_many(dicts).tolist()
    for rows in (X, dense, [row.tolist() for row in dense]):
        assert many.score_many(rows).tolist() == scores
    assert [many.score_one(row) for row in X[:9]] == [many.score_one(row) for row in dense[:9]] == scores[:9]
    laws.same(many, named)  # whoever is asked learns no name
    assert len(shown["score"]) == 300


def test_columns_of_a_file_are_names_whatever_its_chunks_hold(tmp_path: Path) -> None:
    """How wide a file is shows at its end: rows decide who goes, not how many of them are read at once."""
    X, y = wide(3, 200)
    path = in_svmlight(tmp_path / "d.svm", X[:, np.argsort(np.arange(1000) % 97, kind="stable")], y)
    learners = []
    for chunk in (1, 7, 200):
        learner = capped(20)
        for rows, labels in ls.read(path, chunk=chunk):
            learner.learn_many(rows, labels)
        learners.append(learner)
    laws.same(learners[0], learners[1])
    laws.same(learners[0], learners[2])


def test_a_stored_zero_and_an_order_of_columns_change_nothing() -> None:
    X, y = wide(4, 60)
    plain, other = capped(20), capped(20)
    plain.learn_many(X, y)
    messy = X.copy()
    for t in range(60):
        span = slice(messy.indptr[t], messy.indptr[t + 1])
        messy.indices[span], messy.data[span] = messy.indices[span][::-1].copy(), messy.data[span][::-1].copy()
    messy.has_sorted_indices = False
    zeros = csr_matrix((np.zeros(60), (np.arange(60), np.arange(60) + 900)), shape=X.shape)
    stored = csr_matrix(
        (
            np.concatenate([messy.data, zeros.data]),
            (np.concatenate([messy.tocoo().row, zeros.tocoo().row]), np.concatenate([messy.indices, zeros.indices])),
        ),
        shape=X.shape,
    )
    assert stored.nnz > X.nnz
    other.learn_many(stored, y)
    laws.same(plain, other)


def test_a_learner_of_words_refuses_columns() -> None:
    X, y = wide(5, 9)
    learner = capped(20)
    learner.learn_one({"word": 1.0}, 1)
    for rows in (X, X.toarray()):
        with pytest.raises(ls.InvalidData, match="rows have no names; this learner knows its features by name"):
            learner.learn_many(rows, y)
    assert learner.features == ["word"]


def test_a_sparse_matrix_that_fits_keeps_its_columns() -> None:
    X, y = wide(1, 50)
    capped, free = ls.Learner(ls.Pool(most_features=1000)), ls.Learner(ls.Pool())
    assert (
        capped.learn_many(X, y, keep=("score",))["score"].tolist() == free.learn_many(X, y, keep=("score",))["score"].tolist()
    )
    assert capped.features == list(range(1000))


@pytest.mark.parametrize("dense", [False, True], ids=["sparse", "dense"])
def test_wide_rows_with_a_value_that_is_none_leave_no_trace(dense: bool) -> None:
    X, y = wide(2, 50)
    X.data[-1] = np.nan
    rows = X.toarray() if dense else X
    learner = ls.Learner(ls.Pool(most_features=20), missing="error")
    with pytest.raises(ls.InvalidData, match="row 49"):
        learner.learn_many(rows, y)
    assert learner.features == []
    assert learner.ledger.rounds == 0
    skipping = ls.Learner(ls.Pool(most_features=20), missing="skip")
    skipping.learn_many(rows, y)
    assert skipping.ledger.missing == 1


def test_a_report_repeats_the_run_of_wide_rows() -> None:
    X, y = wide(6, 200)
    for rows in (X, X.toarray()):
        run = ls.run(ls.Pool(most_features=20), rows, y, keep=("prediction",))
        replay = Rerun(run)
        curve = replay.rule()
        assert curve is not None
        assert curve[-1] == replace(run.ledger, repeats=0)


# --- the command line


def written(path: Path) -> Path:
    X, y = stream(400)
    rows = [
        f"{label},{' '.join(name.replace(' ', '_') for name in x)},u{t}" for t, (x, label) in enumerate(zip(X, y, strict=True))
    ]
    path.write_text("\n".join(["y,words,user", *rows]) + "\n")
    return path


def test_the_flag(tmp_path: Path) -> None:
    path, model = written(tmp_path / "d.csv"), tmp_path / "m.lst"
    flags = ("--rule", "pool", "--label", "y", "--text", "words", "--most-features", "60")
    result = call("learn", path, *flags, "--model", model)
    assert result.exit_code == 0, result.stderr
    learner = ls.load(model)
    assert isinstance(learner, ls.Learner)
    assert learner.rule == ls.Pool(most_features=60)
    assert 40 < len(learner.features) <= 60
    assert call("predict", model, path).exit_code == 0
    by_chunk = ls.Learner(ls.Pool(most_features=60), missing="skip")
    for rows, labels in ls.read(path, label="y", text=["words"], chunk=512):
        by_chunk.learn_many(rows, labels)
    assert by_chunk.features == learner.features
    assert by_chunk.state.arrays["raw.lines"].tobytes() == learner.state.arrays["raw.lines"].tobytes()


def test_the_flag_typed_wrong(tmp_path: Path) -> None:
    path = written(tmp_path / "d.csv")
    line = ("learn", path, "--label", "y")
    assert "--most-features is a flag of pool, pool-regression; name one" in refused(*line, "--most-features", "9", code=2)
    assert "--most-features" in refused(*line, "--rule", "perceptron", "--most-features", "9", code=2)
    assert "a whole number, at least 1" in refused(*line, "--rule", "pool", "--most-features", "0", code=2)
    (tmp_path / "d.vw").write_text("1 | a b c\n-1 | d e f\n")
    assert "hash them to fewer (--bits)" in refused(
        "learn", tmp_path / "d.vw", "--bits", "5", "--rule", "pool", "--most-features", "9"
    )


def test_the_flag_for_columns_by_number(tmp_path: Path) -> None:
    X, y = wide(7, 300)
    path, model = in_svmlight(tmp_path / "d.svm", X, y, first=1), tmp_path / "m.lst"
    result = call("learn", path, "--rule", "pool", "--most-features", "20", "--model", model)
    assert result.exit_code == 0, result.stderr
    learner = ls.load(model)
    assert isinstance(learner, ls.Learner)
    assert 10 < len(learner.features) <= 20
    assert call("predict", model, path).exit_code == 0
