"""The epochs on Spark: the same bits as in one process, also when an executor's worker is killed. They need Java."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import littlestone as ls
from dying import Dying
from littlestone import workers
from littlestone.streams.synthetic import linear_labels

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from littlestone.arrays import FloatArray

pytestmark = [
    pytest.mark.stress,  # Spark takes longer to start than all that is tested here
    pytest.mark.filterwarnings("ignore"),  # PySpark's own, about the version of pandas
    pytest.mark.skipif(find_spec("pyspark") is None, reason="PySpark is not installed: pip install 'littlestone[spark]'"),
    pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java here, which Spark runs on"),
]
PARTS = 3
NAMES = ["a", "b", "c", "d"]


@pytest.fixture(scope="module")
def session() -> Iterator[SparkSession]:
    from pyspark.sql import SparkSession as Session

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = str(Path(__file__).parent)  # where workers find the helpers of the tests
    builder = Session.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    begun = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    begun.sparkContext.setLogLevel("ERROR")
    yield begun
    begun.stop()


def rows(seed: int = 0) -> tuple[FloatArray, list[str]]:
    X, y, _ = linear_labels(rows=240, features=4, margin=0.1, seed=seed)
    X[::7, 2] = 0.0
    return X, ["p" if label > 0 else "n" for label in y]


@pytest.fixture(scope="module")
def parquet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory of Parquet, a file for each partition."""
    arrow, files = import_module("pyarrow"), import_module("pyarrow.parquet")  # by name: it comes without types
    place, (X, y) = tmp_path_factory.mktemp("parquet"), rows()
    for k in range(PARTS):
        columns: dict[str, object] = {name: X[k::PARTS, j] for j, name in enumerate(NAMES)}
        files.write_table(arrow.table({**columns, "y": y[k::PARTS]}), place / f"part-{k}.parquet")
    return place


def paths(parquet: Path) -> list[Path]:
    return [parquet / f"part-{k}.parquet" for k in range(PARTS)]


def framed(session: SparkSession, X: FloatArray, y: list[str]) -> DataFrame:
    """A frame whose partitions are those of the lists: every partition is contiguous, in order."""
    data = [(*map(float, x), label) for k in range(PARTS) for x, label in zip(X[k::PARTS], y[k::PARTS], strict=True)]
    spark_rows = session.sparkContext.parallelize(data, PARTS)
    return session.createDataFrame(spark_rows, [*NAMES, "y"])


def same(one: ls.Epochs, other: ls.Epochs) -> None:
    assert one.learner.state.w.tobytes() == other.learner.state.w.tobytes()
    assert one.learner.ledger == other.learner.ledger
    assert one.ledgers == other.ledgers


def test_threads_dask_and_spark_give_the_bits_of_one_process(session: SparkSession, parquet: Path) -> None:
    distributed = pytest.importorskip("distributed")
    import littlestone.dask
    import littlestone.spark

    alone = ls.epochs(paths(parquet), ls.Perceptron(), epochs=3, label="y")
    same(alone, ls.epochs(paths(parquet), ls.Perceptron(), epochs=3, label="y", map=ls.threads(2)))
    with distributed.Client(processes=False, n_workers=2, threads_per_worker=1, dashboard_address=":0") as client:
        same(alone, littlestone.dask.fit(ls.Perceptron(), paths(parquet), client=client, epochs=3, label="y"))
    same(alone, ls.epochs(paths(parquet), ls.Perceptron(), epochs=3, label="y", map=littlestone.spark.map(session)))
    X, y = rows()
    same(alone, littlestone.spark.fit(ls.Perceptron(), framed(session, X, y), features=NAMES, label="y", epochs=3))


def test_large_models_are_fetched_one_after_another(session: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    import littlestone.spark

    X, y = rows()
    parts = [(X[k::PARTS], y[k::PARTS]) for k in range(PARTS)]
    alone = ls.epochs(parts, ls.Perceptron(), epochs=2, labels=("n", "p"))
    monkeypatch.setattr(workers, "AT_ONCE", 1)
    same(alone, ls.epochs(parts, ls.Perceptron(), epochs=2, labels=("n", "p"), map=littlestone.spark.map(session)))
    frame = framed(session, X, y)
    run = littlestone.spark.fit(ls.Perceptron(), frame, features=NAMES, label="y", labels=("n", "p"), epochs=2)
    assert run.learner.state.w.tobytes() == alone.learner.state.w.tobytes()


def test_certificates_are_read_where_the_rows_are(session: SparkSession) -> None:
    import littlestone.spark

    X, y, u = linear_labels(rows=240, features=4, margin=0.1, seed=1)
    frame = framed(session, X, ["p" if label > 0 else "n" for label in y])
    run = littlestone.spark.fit(ls.Perceptron(), frame, features=NAMES, label="y", labels=("n", "p"), epochs=2)
    assert {c.id: c.verdict for c in run.certify(against=u)}["mcdonald.3"] is not ls.Verdict.VIOLATED


def test_predictions_are_a_column(session: SparkSession) -> None:
    import littlestone.spark

    X, y = rows()
    frame = framed(session, X, y)
    run = littlestone.spark.fit(ls.Perceptron(), frame, features=NAMES, label="y", epochs=3)
    shown = frame.withColumn("shown", littlestone.spark.predictions(run.learner, NAMES)).select("shown").collect()
    order = np.concatenate([np.arange(len(y))[k::PARTS] for k in range(PARTS)])
    names = [dict(zip(NAMES, map(float, x), strict=True)) for x in X[order]]
    assert [row[0] for row in shown] == run.learner.predict_many(names).tolist()


@pytest.mark.parametrize("sparse", [False, True])
def test_the_estimator_takes_vectors(session: SparkSession, sparse: bool) -> None:
    from pyspark.ml.linalg import Vectors

    import littlestone.spark

    X, y = rows()
    data = [
        (Vectors.sparse(4, np.flatnonzero(x).tolist(), x[x != 0.0].tolist()) if sparse else Vectors.dense(*x.tolist()), label)
        for k in range(PARTS)
        for x, label in zip(X[k::PARTS], y[k::PARTS], strict=True)
    ]
    frame = session.createDataFrame(session.sparkContext.parallelize(data, PARTS), ["features", "label"])
    model = littlestone.spark.Estimator(ls.Perceptron(), epochs=3).fit(frame)
    alone = ls.epochs([(X[k::PARTS], y[k::PARTS]) for k in range(PARTS)], ls.Perceptron(), epochs=3)
    same(alone, model.run)
    shown = [row[0] for row in model.transform(frame).select("prediction").collect()]
    order = np.concatenate([np.arange(len(y))[k::PARTS] for k in range(PARTS)])
    assert shown == alone.learner.predict_many(X[order]).tolist()


def test_a_killed_worker_changes_nothing(session: SparkSession, parquet: Path, tmp_path: Path) -> None:
    """The interpreter that learns the second partition kills itself, once, in the middle of the second epoch."""
    import littlestone.spark

    alone = ls.epochs(paths(parquet), ls.Perceptron(), epochs=3, label="y")
    mark = tmp_path / "killed"
    engine = littlestone.spark.map(session)
    killed = ls.epochs(paths(parquet), ls.Perceptron(), epochs=3, label="y", map=Dying(engine, mark))
    assert mark.exists()
    same(alone, killed)


def test_an_empty_partition_learns_nothing_and_a_label_of_one_partition_means_the_same_to_all(session: SparkSession) -> None:
    import littlestone.spark

    X, _ = rows()
    X[1::PARTS, 1] = 1000.0
    labels = ["p" if t % PARTS == 2 else "n" for t in range(len(X))]
    frame = framed(session, X, labels).filter("b < 1000")  # which leaves nothing of the second partition
    run = littlestone.spark.fit(ls.Perceptron(), frame, features=NAMES, label="y", epochs=2)
    assert [ledger.rounds for ledger in run.ledgers[1]] == [80, 0, 80]
    assert run.learner.labels == ("n", "p")


def test_a_partition_with_a_null_is_named_and_what_was_refused_is_a_sentence(session: SparkSession) -> None:
    import littlestone.spark

    X, y = rows()
    X[PARTS * 5 + 1, 0] = np.nan  # the sixth row of the second partition
    with pytest.raises(ls.InvalidPartition, match=r"partition 1: row 5: 'a' has no value") as refused:
        littlestone.spark.fit(ls.Perceptron(), framed(session, X, y), features=NAMES, label="y", epochs=2)
    assert (refused.value.number, refused.value.run) == (1, None)
    with pytest.raises(ls.InvalidParameter, match="there is no column 'e'"):
        littlestone.spark.fit(ls.Perceptron(), framed(session, X, y), features=["e"], label="y")
