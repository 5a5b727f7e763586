"""Epochs on a Dask cluster (the extra `dask`): a map for `ls.epochs`, `fit` for Dask's own collections, and an estimator.

>>> import pandas, littlestone as ls, littlestone.dask
>>> from dask.dataframe import from_pandas
>>> from distributed import Client
>>> frame = from_pandas(pandas.DataFrame({"a": [0.0, 1.0] * 4, "b": [1.0, 0.0] * 4, "y": ["n", "p"] * 4}), npartitions=2)
>>> with Client(processes=False, n_workers=1, dashboard_address=":0") as client:
...     run = littlestone.dask.fit(ls.Perceptron(), frame, client=client, label="y", epochs=2)
>>> run.learner.weights, run.learner.ledger.rounds
({'a': 1.0, 'b': -1.0}, 16)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, Self, TypeAlias, TypeVar, cast, final

import numpy as np

from littlestone.epochs import Epochs, epochs
from littlestone.errors import InvalidData, InvalidParameter, NotApplicable
from littlestone.partitions import Elsewhere
from littlestone.shards import Slot
from littlestone.streams.batches import is_frame
from littlestone.workers import OrderedMap, held_at_once

if TYPE_CHECKING:
    import os

    from littlestone.labels import Label
    from littlestone.learner import Learner
    from littlestone.mixer import Shares
    from littlestone.partitions import Pieces
    from littlestone.rule import LinearRule
    from littlestone.snapshots import Missing
    from littlestone.streams.space import Table

Task = TypeVar("Task")
Result = TypeVar("Result")


class DaskClient(Protocol):
    """What is used of `distributed.Client`."""

    def map(self, function: Callable[..., object], *tasks: Sequence[object], pure: bool) -> Sequence[object]:
        """Begins every task; returns what stands for the results."""
        ...

    def gather(self, futures: Sequence[object]) -> Sequence[object]:
        """Waits for the results, in order."""
        ...

    def compute(self, collections: Sequence[object]) -> Sequence[object]:
        """Begins to compute what is lazy; the results stay with the workers."""
        ...


class Collection(Protocol):
    """What is used of a Dask frame, series, array or bag: its partitions, each of them lazy."""

    def to_delayed(self) -> Iterable[object]:
        """The partitions, in order."""
        ...


class Mapped(Protocol):
    """What is used of a Dask frame to predict it."""

    def map_partitions(self, function: Callable[..., object], *, meta: object) -> object:
        """A lazy collection of what the function makes of every partition."""
        ...


class Blocks(Protocol):
    """What is used of a Dask array to predict it."""

    def map_blocks(self, function: Callable[..., object], *, drop_axis: int, dtype: object) -> object:
        """A lazy array of what the function makes of every block."""
        ...


Lazy: TypeAlias = Mapped | Blocks
"""A frame or an array."""

Data: TypeAlias = "Collection | tuple[Collection, Collection] | Sequence[str | os.PathLike[str]]"
"""A frame, a bag, a pair (X, y) of collections with the same partitions, or paths that the workers see."""


def map(client: DaskClient) -> OrderedMap:
    """The ordered map of a cluster, for `ls.epochs`: a task for every partition, which its worker opens itself.

    The task of a worker that dies is run anew, from the same weights, and results are mixed in the order of the
    partitions: the bits are those of a run in one process.

    Args:
        client: a `distributed.Client`.
    """
    _check_client(client)

    def ordered(function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterable[Result]:
        return _mapped(client, _done, function, [list(tasks)])

    return ordered


def _mapped(
    client: DaskClient, work: Callable[..., Result], function: Callable[..., object], columns: Sequence[Sequence[object]]
) -> Iterator[Result]:
    """The results in order, a few at a time: the others wait with the workers.

    What all of them do, and the model in it, goes with every task where it is small; otherwise it is a result of its own, which
    is sent once, passed on by the workers, and made anew where it is lost.
    """
    count, at_once = len(columns[0]), held_at_once(function)
    sent: object = function
    if at_once < count:
        (sent,) = client.map(_itself, [function], pure=False)
    begun = deque(client.map(work, *columns, [sent] * count, pure=False))
    while begun:
        some = [begun.popleft() for _ in range(min(len(begun), at_once))]
        results = deque(client.gather(some))
        del some
        while results:
            yield cast("Result", results.popleft())


def _itself(function: Callable[..., object]) -> Callable[..., object]:
    return function


def _done(task: Task, function: Callable[[Task], Result]) -> Result:
    return function(task)


def fit(
    rule: LinearRule,
    data: Data,
    *,
    client: DaskClient,
    features: Sequence[str] | None = None,
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
    """Learns a Dask collection, each partition by the worker that holds it (see `ls.epochs`).

    The collection is computed once and stays with the workers for all epochs; what a worker that dies has held is computed
    anew. No row passes through the caller.

    Args:
        rule: the rule.
        data: a Dask frame; a bag of dicts, or of pairs (x, y); a pair (X, y) of collections; or paths that the workers see.
        client: a `distributed.Client`.
        features: the columns to learn from; None is all but the label.
        label: the column, or in a bag of dicts the key, of the label; None: one called label, target, class or y.
        epochs: how many times every partition is learned.
        weights: the share of each partition, as in `ls.epochs`.
        stretch: begin the next epoch beyond the mixture, as in `ls.epochs`.
        labels: the labels, in order; None reads every partition once to find them.
        missing: "error" refuses missing values, "skip" leaves them out and counts them.
        average: keep the sum of the weights over all rounds.
        unproved: mix by a rule of whose mixture nothing is proved.
        progress: show a bar in long epochs and a line after each.
    """
    _check_client(client)
    if features is not None and (isinstance(features, str) or not isinstance(features, Sequence)):
        raise InvalidParameter(f"features is {features!r}; expected a list of names of columns, or None")
    parts, engine = _placed(data, client, Elsewhere(label, None if features is None else tuple(features)))
    return _epochs(
        parts,
        rule,
        epochs=epochs,
        map=engine,
        weights=weights,
        stretch=stretch,
        label=label,
        labels=labels,
        missing=missing,
        average=average,
        unproved=unproved,
        progress=progress,
    )


_epochs = epochs


@final
@dataclass(kw_only=True)
class Estimator:
    """A rule as an estimator of Dask: `fit` on lazy collections, `predict` and `transform` that stay lazy.

    Example:
        >>> import pandas, littlestone as ls
        >>> from dask.dataframe import from_pandas
        >>> from distributed import Client
        >>> from littlestone.dask import Estimator
        >>> rows = pandas.DataFrame({"a": [0.0, 1.0] * 4, "b": [1.0, 0.0] * 4, "y": ["n", "p"] * 4})
        >>> frame = from_pandas(rows, npartitions=2)
        >>> with Client(processes=False, n_workers=1, dashboard_address=":0") as client:
        ...     model = Estimator(rule=ls.Perceptron(), client=client).fit(frame[["a", "b"]], frame["y"])
        ...     model.predict(frame[["a", "b"]]).compute().tolist()[:3]
        ['n', 'p', 'n']
    """

    rule: LinearRule
    client: DaskClient
    epochs: int = 1
    weights: Shares = "uniform"
    missing: Missing = "error"
    unproved: bool = False
    run_: Epochs | None = field(default=None, init=False, repr=False)
    """What the last `fit` left behind."""

    def fit(self, X: Collection, y: Collection) -> Self:
        """Learns partitions of X with those of y."""
        self.run_ = fit(
            self.rule,
            (X, y),
            client=self.client,
            epochs=self.epochs,
            weights=self.weights,
            missing=self.missing,
            unproved=self.unproved,
        )
        return self

    @property
    def learner_(self) -> Learner:
        """The mixed learner.

        Raises:
            NotApplicable: before the first fit.
        """
        if self.run_ is None:
            raise NotApplicable("the estimator has learned nothing yet; fit it first")
        return self.run_.learner

    def predict(self, X: Lazy) -> object:
        """The predictions, lazily: a series for a frame, a vector for an array."""
        example, predicted = np.asarray(self.learner_.labels or (0.0,))[:0], _Predicted(self.learner_)
        if hasattr(X, "map_partitions"):
            pandas = import_module("pandas")  # by name: Dask brings it
            return cast("Mapped", X).map_partitions(predicted, meta=pandas.Series(example, name="prediction"))
        if not hasattr(X, "map_blocks"):
            raise InvalidData(f"X is a {type(X).__name__}; expected a Dask frame or array")
        _partitions(cast("Collection", X))  # whose rows must be whole
        return X.map_blocks(predicted, drop_axis=1, dtype=example.dtype)

    def transform(self, X: Lazy) -> object:
        """The same as `predict`, for pipelines."""
        return self.predict(X)


@final
@dataclass(frozen=True)
class _Predicted:
    """What a worker makes of a frame, or of a block of rows."""

    learner: Learner

    def __call__(self, rows: Table) -> object:
        shown = self.learner.predict_many(rows)
        if not is_frame(rows):
            return shown
        return import_module("pandas").Series(shown, index=getattr(rows, "index", None), name="prediction")


def _placed(data: Data, client: DaskClient, slot: Elsewhere) -> tuple[Sequence[Elsewhere | str], OrderedMap]:
    """The partitions, and a map whose workers find them."""
    if isinstance(data, list | tuple) and not hasattr(data[0] if data else data, "to_delayed"):
        return cast("Sequence[str]", data), map(client)
    collections = data if isinstance(data, tuple) else (data,)
    if len(collections) > 2:
        raise InvalidParameter(f"data has {len(collections)} collections; expected one, or a pair (X, y)")
    if not all(hasattr(collection, "to_delayed") for collection in collections):
        raise InvalidParameter(f"data is a {type(data).__name__}; expected a Dask frame, a bag, a pair (X, y), or paths")
    columns = [_partitions(cast("Collection", collection)) for collection in collections]
    if len({len(parts) for parts in columns}) > 1:
        raise InvalidData(f"X has {len(columns[0])} partitions and y has {len(columns[1])}; they must be cut alike")
    held = client.map(slot.held, *(client.compute(parts) for parts in columns), pure=False)

    def ordered(function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterable[Result]:
        return cast("Iterator[Result]", _mapped(client, _filled, function, [list(tasks), held]))

    return [slot] * len(columns[0]), ordered


def _check_client(client: DaskClient) -> None:
    if not all(callable(getattr(client, verb, None)) for verb in ("map", "gather", "compute")):
        raise InvalidParameter(f"client is a {type(client).__name__}; expected a distributed.Client")


def _partitions(collection: Collection) -> list[object]:
    """The lazy partitions; those of an array come as a table of blocks, of which there must be one across."""
    parts = collection.to_delayed()
    if isinstance(parts, np.ndarray) and parts.ndim > 1 and parts.shape[1] > 1:
        raise InvalidData(f"the rows are cut into {parts.shape[1]} pieces; rechunk the array so that every row is whole")
    return list(parts.ravel()) if isinstance(parts, np.ndarray) else list(parts)


def _filled(slot: Slot, held: Pieces, function: Callable[[Slot], object]) -> object:
    """What a worker does: the partition is there by now."""
    return function(slot._replace(partition=held))
