"""Epochs on Spark (the extra `spark`): a map for `ls.epochs`, `fit` for a DataFrame, predictions as a column, an estimator.

The interpreter of the executors must be one that has littlestone (`spark.pyspark.python`, or the variable PYSPARK_PYTHON).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar, cast, final

import numpy as np

from littlestone.epochs import Epochs
from littlestone.epochs import epochs as _epochs
from littlestone.errors import InvalidParameter
from littlestone.partitions import Elsewhere
from littlestone.shards import Slot
from littlestone.streams.formats import listed
from littlestone.workers import OrderedMap, held_at_once

if find_spec("pyspark") is None:
    raise ModuleNotFoundError("littlestone.spark needs PySpark; pip install 'littlestone[spark]'", name="pyspark")

from pyspark import TaskContext
from pyspark import ml as spark_ml
from pyspark.ml.functions import vector_to_array
from pyspark.ml.linalg import VectorUDT
from pyspark.ml.param.shared import HasFeaturesCol, HasLabelCol, HasPredictionCol
from pyspark.serializers import CPickleSerializer
from pyspark.sql.functions import col, pandas_udf, struct

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.sql import Column, DataFrame, SparkSession

    from littlestone.arrays import FloatArray
    from littlestone.labels import Label
    from littlestone.learner import Learner
    from littlestone.mixer import Shares
    from littlestone.rule import LinearRule
    from littlestone.snapshots import Missing

Task = TypeVar("Task")
Result = TypeVar("Result")


_ANSWER = "answer binary"
_PICKLES = CPickleSerializer()
# What a label is in Spark.
_TYPES = {bool: "boolean", int: "long", float: "double", str: "string"}


def map(session: SparkSession) -> OrderedMap:
    """The ordered map of a Spark session, for `ls.epochs`: a task for every partition, which its executor opens itself.

    The task of an executor that dies is run anew, from the same weights, and results are mixed in the order of the
    partitions: the bits are those of a run in one process.

    Args:
        session: a `pyspark.sql.SparkSession`.
    """

    def ordered(function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        waiting = list(tasks)
        work = cast("Callable[[Task], object]", function)
        answers = session.sparkContext.parallelize(waiting, max(len(waiting), 1)).map(work)
        for answer in _in_turn(answers, at_once=len(waiting) <= held_at_once(function)):
            yield cast("Result", answer)

    return ordered


def fit(
    rule: LinearRule,
    frame: DataFrame,
    *,
    features: Sequence[str] | str,
    label: str | None = None,
    epochs: int = 1,
    weights: Shares = "uniform",
    stretch: bool = True,
    labels: tuple[Label, ...] | None = None,
    missing: Missing = "error",
    average: bool = False,
    unproved: bool = False,
    progress: bool = False,
) -> Epochs:
    """Learns a DataFrame, each partition by the executor that holds it (see `ls.epochs`).

    The columns are kept by Spark from the first epoch to the last; each epoch is a `mapInArrow` over them. The driver sends one
    model to every task and gets one back, and no row.

    Args:
        rule: the rule.
        frame: the rows; its partitions and their order are those of the frame.
        features: columns of numbers or strings; or one column of vectors (`pyspark.ml`) or arrays, which are whole rows.
        label: the column of the label; none for a rule of one class.
        epochs: how many times every partition is learned.
        weights: the share of each partition, as in `ls.epochs`.
        stretch: begin the next epoch beyond the mixture, as in `ls.epochs`.
        labels: the labels, in order; None reads every partition once to find them.
        missing: "error" refuses nulls and nans, "skip" leaves them out and counts them.
        average: keep the sum of the weights over all rounds.
        unproved: mix by a rule of whose mixture nothing is proved.
        progress: show a bar in long epochs and a line after each.
    """
    names = _columns(frame, features)
    wanted = [*names, *([] if label is None else [*_columns(frame, label)])]
    held = frame.select(*wanted).persist()
    slots = [Elsewhere(label, names)] * held.rdd.getNumPartitions()
    try:
        return _epochs(
            slots,
            rule,
            epochs=epochs,
            map=_over(held),
            weights=weights,
            stretch=stretch,
            labels=labels,
            missing=missing,
            average=average,
            unproved=unproved,
            progress=progress,
        )
    finally:
        held.unpersist()


def predictions(learner: Learner, features: Sequence[str] | Column) -> Column:
    """A column of what a learner predicts, by a pandas UDF, for `frame.withColumn("shown", ...)`.

    Args:
        learner: what was learned.
        features: the columns it was learned from; or one column of arrays, which are whole rows.
    """
    pandas = import_module("pandas")
    whole = not isinstance(features, list | tuple)

    def predict(rows: object) -> object:
        given = _stacked(rows) if whole else rows
        return pandas.Series(learner.predict_many(cast("FloatArray", given)))

    predict.__annotations__ = {"rows": pandas.Series if whole else pandas.DataFrame, "return": pandas.Series}
    shown = pandas_udf(predict, returnType=_type_of(learner))
    return shown(features) if whole else shown(struct(*cast("Sequence[str]", features)))


@final
class Estimator(spark_ml.Estimator["Model"], HasFeaturesCol, HasLabelCol, HasPredictionCol):
    """A rule as an estimator of `pyspark.ml`: `fit` gives a `Model`, whose `transform` adds a column of predictions.

    Args:
        rule: the rule.
        featuresCol: a column of vectors or arrays.
        labelCol: the column of the label.
        predictionCol: the column that `transform` adds.
        epochs: how many times every partition is learned.
        weights: the share of each partition, as in `ls.epochs`.
    """

    def __init__(
        self,
        rule: LinearRule,
        *,
        featuresCol: str = "features",
        labelCol: str = "label",
        predictionCol: str = "prediction",
        epochs: int = 1,
        weights: Shares = "uniform",
    ) -> None:
        super().__init__()
        self.rule, self.epochs, self.weights = rule, epochs, weights
        self.set(self.featuresCol, featuresCol)
        self.set(self.labelCol, labelCol)
        self.set(self.predictionCol, predictionCol)

    def _fit(self, dataset: DataFrame) -> Model:
        features, label = self.getFeaturesCol(), self.getLabelCol()
        run = fit(self.rule, dataset, features=features, label=label, epochs=self.epochs, weights=self.weights)
        return Model(run, featuresCol=features, predictionCol=self.getPredictionCol())


@final
class Model(spark_ml.Model, HasFeaturesCol, HasPredictionCol):
    """What an `Estimator` has learned; `run` is what the epochs left behind, with its certificates."""

    def __init__(self, run: Epochs, *, featuresCol: str, predictionCol: str) -> None:
        super().__init__()
        self.run = run
        self.set(self.featuresCol, featuresCol)
        self.set(self.predictionCol, predictionCol)

    def _transform(self, dataset: DataFrame) -> DataFrame:
        features = self.getFeaturesCol()
        vectors = isinstance(dataset.schema[features].dataType, VectorUDT)  # which a UDF takes as arrays
        column = vector_to_array(features) if vectors else col(features)
        return dataset.withColumn(self.getPredictionCol(), predictions(self.run.learner, column))


def _stacked(rows: object) -> FloatArray:
    """Arrays, one per row, as a table."""
    arrays = list(cast("Iterable[FloatArray]", rows))
    return np.stack(arrays).astype(np.float64) if arrays else np.zeros((0, 0))


def _type_of(learner: Learner) -> str:
    kinds = {type(label) for label in learner.labels}
    return _TYPES.get(kinds.pop(), "string") if len(kinds) == 1 else "string" if kinds else "double"


def _columns(frame: DataFrame, wanted: Sequence[str] | str) -> tuple[str, ...]:
    names = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    gone = next((name for name in names if name not in frame.columns), None)
    if gone is not None or not names:
        raise InvalidParameter(f"there is no column {gone!r}; the columns are {listed(frame.columns)}")
    return names


def _over(held: DataFrame) -> OrderedMap:
    """A map whose workers are where the partitions are. All tasks begin from the same learner, which is sent once."""

    def ordered(function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        first = cast("Slot", next(iter(tasks)))
        answers = held.mapInArrow(_Partitionwise(function, first), _ANSWER)
        for row in _in_turn(answers, at_once=held.rdd.getNumPartitions() <= held_at_once(function)):
            (answer,) = cast("tuple[bytes]", row)
            yield cast("Result", _PICKLES.loads(answer))

    return ordered


def _in_turn(answers: DataFrame | RDD[object], *, at_once: bool) -> Iterator[object]:
    """The answers of all partitions, in order: all at once, or one after another while the executors hold the rest."""
    if at_once:
        yield from answers.collect()
        return
    kept = answers.persist()
    try:
        kept.count()  # works out all of them at the same time, where the next line would take one after another
        yield from kept.toLocalIterator()
    finally:
        kept.unpersist()


@final
class _Partitionwise:
    """What an executor does with the record batches of a partition."""

    def __init__(self, function: Callable[..., object], slot: Slot) -> None:
        self._function, self._slot = function, slot

    def __call__(self, batches: Iterator[object]) -> Iterator[object]:
        pyarrow = import_module("pyarrow")
        task, held = TaskContext.get(), self._slot.partition
        assert task is not None
        assert isinstance(held, Elsewhere)
        answer = self._function(Slot(task.partitionId(), held.filled(batches)))
        yield pyarrow.RecordBatch.from_pydict({"answer": [_PICKLES.dumps(answer)]})
