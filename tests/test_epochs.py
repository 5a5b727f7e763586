"""Partitions of every kind, workers that die, and every way in which a partition can be wrong."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Sized
from importlib import import_module
from pathlib import Path
from sys import getsizeof
from typing import Never, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array

import littlestone as ls
from dying import Dying
from littlestone.arrays import FloatArray
from littlestone.partitions import Held
from littlestone.streams.synthetic import linear_labels
from littlestone.watch import Watch
from littlestone.workers import OrderedMap

Task = TypeVar("Task")
Result = TypeVar("Result")

NAMES = ["a", "b", "c", "d"]
PARTS = 3


def rows() -> tuple[FloatArray, npt.NDArray[np.str_]]:
    X, y, _ = linear_labels(rows=120, features=4, margin=0.1, seed=3)
    X[::5, 1] = 0.0
    return X, np.where(y > 0, "p", "n")


def frame(k: int) -> pd.DataFrame:
    X, y = rows()
    return pd.DataFrame(X[k::PARTS], columns=NAMES).assign(y=y[k::PARTS])


def written(place: Path, k: int) -> Path:
    path = place / f"part-{k}.csv"
    frame(k).to_csv(path, index=False)
    return path


def same(one: ls.Epochs, other: ls.Epochs) -> None:
    assert one.learner.weights == other.learner.weights
    assert one.ledgers == other.ledgers


# --- kinds of partitions


def test_frames_tables_files_and_readers_are_the_same_partitions(tmp_path: Path) -> None:
    arrow = import_module("pyarrow")
    by_frame = ls.epochs([frame(k) for k in range(PARTS)], ls.Perceptron(), epochs=2)
    same(by_frame, ls.epochs([pl.from_pandas(frame(k)) for k in range(PARTS)], ls.Perceptron(), epochs=2))
    same(by_frame, ls.epochs([arrow.Table.from_pandas(frame(k)) for k in range(PARTS)], ls.Perceptron(), epochs=2))
    paths = [written(tmp_path, k) for k in range(PARTS)]
    same(by_frame, ls.epochs(paths, ls.Perceptron(), epochs=2, label="y"))
    same(by_frame, ls.epochs([ls.read(path) for path in paths], ls.Perceptron(), epochs=2, map=ls.threads(2)))


def test_a_parquet_data_set_is_one_partition(tmp_path: Path) -> None:
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    parquet.write_to_dataset(arrow.Table.from_pandas(frame(0)), str(tmp_path / "set"), partition_cols=[])
    same(ls.epochs([tmp_path / "set"], ls.Perceptron()), ls.epochs([frame(0)], ls.Perceptron()))


def test_rows_alone_are_a_partition_of_a_rule_of_one_class() -> None:
    X, _ = rows()
    run = ls.epochs([X[:60], X[60:]], ls.Uniclass(epsilon=1.0), unproved=True)
    assert run.learner.ledger.rounds == 120


@pytest.mark.parametrize("partition", [7, [1, 2], {"a": 1}])  # as a stranger would
def test_what_is_no_partition_is_refused(partition: str) -> None:
    with pytest.raises(ls.InvalidData, match="a partition is a "):
        ls.epochs([partition], ls.Perceptron())


@pytest.mark.parametrize(
    ("partitions", "words"),
    [
        (7, "partitions is a int; expected several, such as a list of paths"),
        ("rows.svm", r"partitions is 'rows.svm'; expected several, or a list of one: \['rows.svm'\]"),
        ([], "partitions is empty; there must be at least one"),
        (rows(), r"partitions is a pair of rows and outcomes; expected several, or a list of one: \[\(X, y\)\]"),
    ],
)
def test_what_are_no_partitions_is_refused(partitions: Never, words: str) -> None:
    with pytest.raises(ls.InvalidParameter, match=words):
        ls.epochs(partitions, ls.Perceptron())


def test_rows_alone_are_refused_by_a_rule_of_labels() -> None:
    with pytest.raises(ls.InvalidData, match=r"^partition 1: there are no outcomes; Perceptron learns"):
        ls.epochs([rows(), rows()[0]], ls.Perceptron())


@pytest.mark.parametrize("rule", ["perceptron", ls.Perceptron, ls.ExponentialWeights(eta=1.0)])  # as a stranger would
def test_what_is_no_rule_of_learners_is_refused(rule: Never) -> None:
    with pytest.raises(ls.InvalidParameter, match="the rule is "):
        ls.epochs([frame(0)], rule)


@pytest.mark.parametrize(
    ("engine", "words"),
    [
        (3, "map is 3; expected a map"),
        (lambda *_: [], "given 0 results for 2 "),
        (lambda *_: None, "map has given a NoneType; expected the results, one for each partition"),
        (lambda function, tasks: [*map(function, tasks)] * 2, "given 4 results for 2 "),
        (lambda _, tasks: [7 for _ in tasks], "map has given a int; expected what the function that it got returns"),
    ],
)
def test_what_is_no_map_is_refused(engine: Never, words: str) -> None:
    with pytest.raises(ls.InvalidParameter, match=words):
        ls.epochs([frame(0), frame(1)], ls.Perceptron(), map=engine)


@pytest.mark.parametrize("name", ["stretch", "unproved", "progress"])
def test_what_is_neither_true_nor_false_is_refused(name: str) -> None:
    said: dict[str, Never] = {name: import_module("builtins").str("no")}  # as a stranger would
    with pytest.raises(ls.InvalidParameter, match=f"{name} is 'no'; {name} must be True or False"):
        ls.epochs([frame(0)], ls.Perceptron(), **said)


# --- the error of the mixture, and the risk of what it was made of


def test_the_mixed_error_is_that_of_the_mixture(capsys: pytest.CaptureFixture[str]) -> None:
    X, y = rows()
    parts = [(X[k::PARTS], y[k::PARTS]) for k in range(PARTS)]
    run = ls.epochs(parts, ls.Perceptron(), epochs=3, progress=True)
    assert run.errors[-1] == np.mean(run.learner.predict_many(X) != y)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(",")[0] for line in lines] == ["epoch 1 of 3", "epoch 2 of 3", "epoch 3 of 3"]
    assert "mistakes" in lines[-1]
    assert lines[-1].endswith(f"mixed error {run.errors[-1]:.4g}")
    tested = ls.epochs(parts[:2], ls.Perceptron(), epochs=2, test=parts[2])
    assert tested.errors[-1] == np.mean(tested.learner.predict_many(parts[2][0]) != parts[2][1])
    assert ls.epochs(parts, ls.Perceptron(), epochs=3).errors == ()


def test_the_risk_bound_is_that_of_the_first_epoch() -> None:
    X, y, _ = linear_labels(rows=4_000, features=5, margin=0.2)
    run = ls.epochs([(X[k::4], y[k::4]) for k in range(4)], ls.Perceptron(), epochs=2)
    first = run.risk_bound(delta=0.1)
    assert first.verdict is ls.Verdict.HOLDS
    assert 30 / 4_000 < first.bound < 0.03  # 30 mistakes in the first epoch
    assert run.progress[0].mistakes == 30
    assert run.learner.ledger.risk_bound().verdict is ls.Verdict.UNPROVED
    assert run.risk_bound(iid=False).verdict is ls.Verdict.UNPROVED


# --- rows in memory are checked once


@pytest.mark.parametrize("sparse", [False, True])
def test_rows_in_memory_are_checked_in_the_first_epoch_and_no_more(sparse: bool) -> None:
    X, y = rows()
    matrix = csr_array(X)
    held = Held(matrix if sparse else X, y)
    learner = ls.Learner(ls.Perceptron(), labels=("n", "p"))
    ((first, _),), ((again, _),) = held.read_by(learner), held.read_by(learner)
    assert again is first
    ((skipping, _),) = held.read_by(ls.Learner(ls.Perceptron(), missing="skip"))
    assert skipping is not first  # which would have left out what is missing
    assert getsizeof(held) >= (matrix.data.nbytes if sparse else X.nbytes)
    there = pickle.loads(pickle.dumps(held))
    assert next(iter(there.read_by(learner)))[0] is not first


def test_a_certificate_looks_at_the_rows_anew() -> None:
    """What the epochs have found out of the rows is not believed once they are over."""
    X, y = rows()
    parts = [(X[:60], y[:60]), (X[60:], y[60:])]
    run = ls.epochs(parts, ls.Perceptron(), epochs=2)
    assert run.certify(np.ones(4))
    X[77, 1] = np.nan
    with pytest.raises(ls.InvalidPartition, match="partition 1: row 17: value of feature 1 is nan"):
        run.certify(np.ones(4))


def test_a_loop_that_does_not_do_what_the_definition_says_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A partition is held to the definition in the first epoch, and not in those that follow."""
    looked: list[int] = []

    def look(watch: Watch, _rule: object, _state: object, batch: Sized, *_: object) -> None:
        looked.append(len(batch))
        watch.finding = "the weights after round 120 are those of the definition" if len(batch) == 120 else None

    monkeypatch.setattr(Watch, "look", look)
    X, y = rows()
    ls.epochs([(X[:80], y[:80]), (X[40:], y[40:])], ls.Perceptron(), epochs=5)
    assert looked == [80, 80]
    with pytest.raises(ls.InvalidPartition, match="partition 1: it does not hold that the weights after round 120 are those"):
        ls.epochs([(X[:80], y[:80]), (X, y)], ls.Perceptron())


# --- workers that die


def test_a_process_that_is_killed_changes_nothing(tmp_path: Path) -> None:
    X, y = rows()
    parts = [(X[k::PARTS], y[k::PARTS]) for k in range(PARTS)]
    mark = tmp_path / "killed"
    killed = ls.epochs(parts, ls.Perceptron(), epochs=2, map=Dying(ls.processes(2), mark))
    assert mark.exists()
    same(killed, ls.epochs(parts, ls.Perceptron(), epochs=2))


def test_workers_that_always_die_are_given_up_in_a_sentence() -> None:
    from littlestone.workers import WorkerDied

    engine = ls.processes(1)
    with pytest.raises(WorkerDied, match="a worker was killed 3 times without a result"):
        list(engine(_die, [1, 2]))
    assert list(engine(abs, [-1, 2])) == [1, 2]


def _die(number: int) -> int:
    import os
    import signal

    os.kill(os.getpid(), signal.SIGKILL)
    return number


# --- partitions that are wrong


def test_an_empty_partition_learns_nothing_and_counts_its_share(tmp_path: Path) -> None:
    path, empty = written(tmp_path, 0), tmp_path / "empty.csv"
    empty.write_text("a,b,c,d,y\n")
    run = ls.epochs([path, empty, frame(1).iloc[:0]], ls.Perceptron(), epochs=2)
    assert [ledger.rounds for ledger in run.ledgers[0]] == [40, 0, 0]
    alone = ls.epochs([path], ls.Perceptron())
    first = ls.epochs([path, empty, frame(1).iloc[:0]], ls.Perceptron())
    assert first.learner.weights == {name: pytest.approx(w / 3.0) for name, w in alone.learner.weights.items()}


def test_columns_that_differ_by_name_are_those_of_all() -> None:
    other = frame(1).rename(columns={"d": "e"})
    run = ls.epochs([frame(0), other], ls.Perceptron(), epochs=2)
    assert run.learner.features == ["a", "b", "c", "d", "e"]


def test_columns_that_differ_by_position_are_refused() -> None:
    X, y = rows()
    with pytest.raises(ls.InvalidData, match="partition 1 has rows of 3 features, those before have 4; "):
        ls.epochs([(X[:60], y[:60]), (X[60:, :3], y[60:])], ls.Perceptron())


def test_a_column_without_its_label_is_named_with_its_partition() -> None:
    with pytest.raises(ls.InvalidPartition, match="partition 1: the table has no column 'y', which label= names") as refused:
        ls.epochs([frame(0), frame(1).drop(columns="y")], ls.Perceptron(), label="y")
    assert refused.value.number == 1
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)


def test_another_kind_of_column_is_named(tmp_path: Path) -> None:
    paths = [written(tmp_path, k) for k in range(2)]
    frame(1).assign(a="word").to_csv(paths[1], index=False)
    with pytest.raises(
        ls.LittlestoneError, match="partition 1: the column 'a' holds categories; this learner has learned numbers"
    ):
        ls.epochs(paths, ls.Perceptron(), epochs=2)


def test_a_third_label_is_named_with_its_partition() -> None:
    with pytest.raises(ls.InvalidPartition, match="partition 2: the label 'z' is a third one"):
        ls.epochs([frame(0), frame(1), frame(2).replace({"y": {"n": "z"}})], ls.Perceptron())
    with pytest.raises(ls.InvalidPartition, match="partition 1: row 0: the label 'z'"):
        ls.epochs([frame(0), frame(1).assign(y="z")], ls.Perceptron(), labels=("n", "p"))


def test_a_label_that_one_partition_alone_has_means_the_same_to_all() -> None:
    both = frame(0)
    parts = [both[both.y == "n"], both[both.y == "p"]]
    run = ls.epochs(parts, ls.Perceptron(), epochs=4)
    assert run.learner.labels == ("n", "p")
    many = ls.epochs([*parts, both.assign(y="q")], ls.MulticlassPerceptron(), unproved=True)
    assert many.learner.labels == ("n", "p", "q")


@pytest.mark.parametrize("engine", [map, ls.threads(2), ls.processes(2)])
def test_a_nan_in_one_partition_is_named_and_nothing_is_lost(engine: OrderedMap) -> None:
    X, y = rows()
    bad = X[40:80].copy()
    bad[7, 2] = np.nan
    parts = [(X[:40], y[:40]), (bad, y[40:80]), (X[80:], y[80:])]
    with pytest.raises(ls.InvalidPartition, match="partition 1: row 7: value of feature 2 is nan") as refused:
        ls.epochs(parts, ls.Perceptron(), map=engine)
    assert (refused.value.number, refused.value.run) == (1, None)
    assert ls.epochs(parts, ls.Perceptron(), map=engine, missing="skip").learner.ledger.missing == 1


def test_a_file_that_vanishes_is_named_and_the_epochs_before_are_kept(tmp_path: Path) -> None:
    paths = [written(tmp_path, k) for k in range(PARTS)]
    with pytest.raises(ls.InvalidPartition, match=r"partition 2 \(.*part-2.csv\): .*part-2.csv is not there; ") as refused:
        ls.epochs(paths, ls.Perceptron(), epochs=5, map=Vanishing(paths[2], after=2))
    run = refused.value.run
    assert isinstance(run, ls.Epochs)
    assert len(run.ledgers) == 2
    written(tmp_path, 2)
    same(run, ls.epochs(paths, ls.Perceptron(), epochs=2))


class Vanishing:
    """A map that removes a file once so many epochs are done; the first call finds the labels."""

    def __init__(self, path: Path, after: int) -> None:
        self._path, self._left = path, after + 1

    def __call__(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterable[Result]:
        if self._left == 0:
            self._path.unlink()
        self._left -= 1
        return map(function, tasks)


def test_a_test_without_rows_is_refused() -> None:
    """It has no error, not even 0."""
    X, y = rows()
    with pytest.raises(ls.InvalidData, match="test has no rows; expected at least one, or leave test out"):
        ls.epochs([(X, y)], ls.Perceptron(), test=(X[:0], y[:0]))
