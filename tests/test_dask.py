"""Epochs on a Dask cluster of two processes: every kind of collection, a worker that is killed, partitions that are wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest

import littlestone as ls
from dying import Dying
from littlestone import workers
from littlestone.arrays import FloatArray
from littlestone.partitions import Elsewhere
from littlestone.streams.synthetic import linear_labels

pytest.importorskip("distributed")
import littlestone.dask
from littlestone.dask import _placed

NAMES = ["a", "b", "c", "d"]
PARTS = 3


class Lazy(Protocol):
    """What the tests use of a Dask frame."""

    def __getitem__(self, names: list[str] | str) -> Lazy: ...

    def to_delayed(self) -> list[object]: ...

    def map_partitions(self, function: Callable[..., object], *, meta: object) -> object: ...


class Result(Protocol):
    """A lazy series."""

    def compute(self) -> pd.Series[str]: ...


@pytest.fixture(scope="module")
def client() -> Iterator[littlestone.dask.DaskClient]:
    cluster = import_module("distributed")  # by name: it comes without types
    with cluster.Client(n_workers=2, threads_per_worker=1, dashboard_address=":0") as client:
        yield client


def rows() -> tuple[FloatArray, npt.NDArray[np.str_]]:
    X, y, _ = linear_labels(rows=120, features=4, margin=0.1, seed=3)
    X[::5, 1] = 0.0
    return X, np.where(y > 0, "p", "n")


def frames() -> list[pd.DataFrame]:
    X, y = rows()
    return [pd.DataFrame(X[k::PARTS], columns=NAMES).assign(y=y[k::PARTS]) for k in range(PARTS)]


def lazy(parts: list[pd.DataFrame]) -> Lazy:
    """A Dask frame of these partitions, none of which is looked at before it is computed."""
    delayed, frame = import_module("dask").delayed, import_module("dask.dataframe")
    made: Lazy = frame.from_delayed([delayed(part) for part in parts], meta=frames()[0].iloc[:0], verify_meta=False)
    return made


def same(one: ls.Epochs, other: ls.Epochs) -> None:
    assert one.learner.weights == other.learner.weights
    assert one.ledgers == other.ledgers


# --- every kind of collection


def test_a_frame_is_learned_as_its_partitions_would_be(client: littlestone.dask.DaskClient) -> None:
    alone = ls.epochs(frames(), ls.Perceptron(), epochs=3, label="y")
    same(alone, littlestone.dask.fit(ls.Perceptron(), lazy(frames()), client=client, label="y", epochs=3))
    some = littlestone.dask.fit(ls.Perceptron(), lazy(frames()), client=client, label="y", features=["a", "c"])
    assert some.learner.features == ["a", "c"]


def test_arrays_are_learned_as_pairs_would_be(client: littlestone.dask.DaskClient) -> None:
    """The blocks of X and y stay with the workers, which check them once; the bits are those of one process."""
    array = import_module("dask.array")
    X, y = rows()
    lazily = array.from_array(X, chunks=(40, 4)), array.from_array(y, chunks=40)
    alone = ls.epochs([(X[k : k + 40], y[k : k + 40]) for k in (0, 40, 80)], ls.Perceptron(), epochs=3)
    run = littlestone.dask.fit(ls.Perceptron(), lazily, client=client, epochs=3)
    assert run.learner.state.w.tobytes() == alone.learner.state.w.tobytes()
    assert run.ledgers == alone.ledgers
    assert [c.verdict for c in run.certify(np.ones(4))] == [c.verdict for c in alone.certify(np.ones(4))]


def test_an_array_alone_is_for_a_rule_of_one_class(client: littlestone.dask.DaskClient) -> None:
    array, (X, _) = import_module("dask.array"), rows()
    rule = ls.Uniclass(epsilon=1.0)
    run = littlestone.dask.fit(rule, array.from_array(X, chunks=(60, 4)), client=client, epochs=2, unproved=True)
    alone = ls.epochs([X[:60], X[60:]], rule, epochs=2, unproved=True)
    assert run.learner.state.w.tobytes() == alone.learner.state.w.tobytes()


@pytest.mark.parametrize("pairs", [False, True])
def test_a_bag_holds_dicts_or_pairs(client: littlestone.dask.DaskClient, pairs: bool) -> None:
    bag = import_module("dask.bag")
    parts = [[dict(zip(NAMES, x, strict=True)) for x in part[NAMES].to_numpy().tolist()] for part in frames()]
    labels = [part["y"].tolist() for part in frames()]
    records: list[object] = []
    for part, outcomes in zip(parts, labels, strict=True):
        records += zip(part, outcomes, strict=True) if pairs else [{**x, "y": y} for x, y in zip(part, outcomes, strict=True)]
    run = littlestone.dask.fit(
        ls.Perceptron(), bag.from_sequence(records, npartitions=PARTS), client=client, epochs=2, label="y"
    )
    same(run, ls.epochs(list(zip(parts, labels, strict=True)), ls.Perceptron(), epochs=2))


def test_predictions_of_the_estimator_stay_lazy(client: littlestone.dask.DaskClient) -> None:
    frame = lazy(frames())
    model = littlestone.dask.Estimator(rule=ls.Perceptron(), client=client, epochs=3).fit(frame[NAMES], frame["y"])
    shown = model.transform(frame[NAMES])
    whole = pd.concat(frames())
    assert cast("Result", shown).compute().tolist() == model.learner_.predict_many(whole[NAMES]).tolist()
    with pytest.raises(ls.NotApplicable, match="fit it first"):
        littlestone.dask.Estimator(rule=ls.Perceptron(), client=client).predict(frame[NAMES])


def test_the_estimator_predicts_arrays_too(client: littlestone.dask.DaskClient) -> None:
    array, (X, y) = import_module("dask.array"), rows()
    lazily = array.from_array(X, chunks=(40, 4))
    model = littlestone.dask.Estimator(rule=ls.Perceptron(), client=client).fit(lazily, array.from_array(y, chunks=40))
    shown = cast("Result", model.predict(lazily)).compute()
    assert shown.tolist() == model.learner_.predict_many(X).tolist()
    with pytest.raises(ls.InvalidData, match="the rows are cut into 2 pieces; rechunk the array"):
        model.predict(array.from_array(X, chunks=(40, 2)))
    with pytest.raises(ls.InvalidData, match="X is a ndarray; expected a Dask frame or array"):
        model.predict(cast("littlestone.dask.Blocks", X))


# --- faults


def test_a_worker_that_is_killed_in_an_epoch_changes_nothing(client: littlestone.dask.DaskClient, tmp_path: Path) -> None:
    X, y = rows()
    parts = [(X[k::PARTS], y[k::PARTS]) for k in range(PARTS)]
    mark = tmp_path / "killed"
    killed = ls.epochs(parts, ls.Perceptron(), epochs=3, map=Dying(littlestone.dask.map(client), mark))
    assert mark.exists()
    same(killed, ls.epochs(parts, ls.Perceptron(), epochs=3))


def test_a_large_model_is_sent_once_and_outlives_the_worker_that_has_it(
    client: littlestone.dask.DaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results are fetched one at a time, and what was sent is there for the task that is done anew."""
    X, y = rows()
    parts = [(X[k::PARTS], y[k::PARTS]) for k in range(PARTS)]
    alone = ls.epochs(parts, ls.Perceptron(), epochs=3)
    monkeypatch.setattr(workers, "AT_ONCE", 1)
    assert workers.held_at_once(abs) == 1
    mark = tmp_path / "killed"
    same(alone, ls.epochs(parts, ls.Perceptron(), epochs=3, map=Dying(littlestone.dask.map(client), mark)))
    assert mark.exists()


def test_rows_that_a_killed_worker_held_are_computed_anew(client: littlestone.dask.DaskClient, tmp_path: Path) -> None:
    array, (X, y) = import_module("dask.array"), rows()
    lazily = array.from_array(X, chunks=(40, 4)), array.from_array(y, chunks=40)
    slots, engine = _placed(lazily, client, Elsewhere())
    mark = tmp_path / "killed"
    killed = ls.epochs(slots, ls.Perceptron(), epochs=3, map=Dying(engine, mark))
    assert mark.exists()
    same(killed, ls.epochs([(X[k : k + 40], y[k : k + 40]) for k in (0, 40, 80)], ls.Perceptron(), epochs=3))


def test_an_empty_partition_learns_nothing(client: littlestone.dask.DaskClient) -> None:
    parts = [frames()[0], frames()[1].iloc[:0], frames()[2]]
    run = littlestone.dask.fit(ls.Perceptron(), lazy(parts), client=client, label="y", epochs=2)
    assert [ledger.rounds for ledger in run.ledgers[1]] == [40, 0, 40]
    same(run, ls.epochs(parts, ls.Perceptron(), label="y", epochs=2))


def test_columns_of_one_partition_alone_are_those_of_all(client: littlestone.dask.DaskClient) -> None:
    parts = [frames()[0], frames()[1].rename(columns={"d": "e"})]
    run = littlestone.dask.fit(ls.Perceptron(), lazy(parts), client=client, label="y")
    assert run.learner.features == [*NAMES, "e"]
    with pytest.raises(ls.InvalidPartition, match="partition 1: the table has no column 'y', which label= names"):
        littlestone.dask.fit(ls.Perceptron(), lazy([parts[0], parts[1][NAMES[:3]]]), client=client, label="y")


def test_a_label_that_one_partition_alone_has_means_the_same_to_all(client: littlestone.dask.DaskClient) -> None:
    whole = frames()[0]
    parts = [whole[whole.y == "n"], whole[whole.y == "p"]]
    assert littlestone.dask.fit(ls.Perceptron(), lazy(parts), client=client, label="y").learner.labels == ("n", "p")
    with pytest.raises(ls.InvalidPartition, match="partition 2: the label 'z' is a third one"):
        littlestone.dask.fit(ls.Perceptron(), lazy([*parts, whole.assign(y="z")]), client=client, label="y")


def test_a_nan_is_named_with_its_partition(client: littlestone.dask.DaskClient) -> None:
    parts = frames()
    parts[1].iloc[7, 2] = np.nan
    with pytest.raises(ls.InvalidPartition, match="partition 1: row 7: ") as refused:
        littlestone.dask.fit(ls.Perceptron(), lazy(parts), client=client, label="y", epochs=2)
    assert (refused.value.number, refused.value.run) == (1, None)
    again = littlestone.dask.fit(ls.Perceptron(), lazy(parts), client=client, label="y", missing="skip")
    assert again.learner.ledger.missing == 1


def test_a_file_that_is_gone_is_named(client: littlestone.dask.DaskClient, tmp_path: Path) -> None:
    paths = [tmp_path / f"part-{k}.csv" for k in range(2)]
    frames()[0].to_csv(paths[0], index=False)
    with pytest.raises(ls.InvalidPartition, match=r"partition 1 \(.*part-1.csv\): .*part-1.csv is not there; "):
        littlestone.dask.fit(ls.Perceptron(), paths, client=client, label="y")


def test_collections_that_are_cut_otherwise_are_refused(client: littlestone.dask.DaskClient) -> None:
    array, (X, y) = import_module("dask.array"), rows()
    halves, thirds = array.from_array(X, chunks=(60, 4)), array.from_array(y, chunks=40)
    with pytest.raises(ls.InvalidData, match="X has 2 partitions and y has 3; they must be cut alike"):
        littlestone.dask.fit(ls.Perceptron(), (halves, thirds), client=client)
    across = array.from_array(X, chunks=(40, 2))
    with pytest.raises(ls.InvalidData, match="the rows are cut into 2 pieces; rechunk the array"):
        littlestone.dask.fit(ls.Perceptron(), (across, thirds), client=client)
    stray: littlestone.dask.Data = import_module("builtins").int(7)  # as a stranger would
    with pytest.raises(ls.InvalidParameter, match="data is a int; expected a Dask frame, a bag, a pair"):
        littlestone.dask.fit(ls.Perceptron(), stray, client=client)


@pytest.mark.parametrize("stranger", [None, 5, "tcp://127.0.0.1:8786", object(), {"map": 1}])
def test_what_is_no_client_is_refused(stranger: littlestone.dask.DaskClient) -> None:
    for call in (lambda: littlestone.dask.map(stranger), lambda: littlestone.dask.fit(ls.Perceptron(), [], client=stranger)):
        with pytest.raises(ls.InvalidParameter, match="expected a distributed"):
            call()


def test_features_and_pairs_that_are_none_are_refused(client: littlestone.dask.DaskClient) -> None:
    array, (X, _) = import_module("dask.array"), rows()
    whole, fit = array.from_array(X, chunks=(60, 4)), cast("Callable[..., object]", littlestone.dask.fit)
    for features in ("ab", 5, {"a"}):
        with pytest.raises(ls.InvalidParameter, match="expected a list of names of columns, or None"):
            fit(ls.Perceptron(), whole, client=client, features=features)
    with pytest.raises(ls.InvalidParameter, match=r"data has 3 collections; expected one, or a pair"):
        fit(ls.Perceptron(), (whole, whole, whole), client=client)
