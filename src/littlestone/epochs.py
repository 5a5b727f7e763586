"""Iterative parameter mixing: partitions of a stream learned apart, from the same weights, and mixed after every epoch."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, TypeVar, final

import numpy as np

from littlestone._core import Totals
from littlestone.errors import InvalidData, InvalidParameter, LittlestoneError
from littlestone.labels import Labels
from littlestone.learner import Learner
from littlestone.mixing import Shares, merge, mix, shares_of
from littlestone.streams.files import read

if TYPE_CHECKING:
    import os

    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.labels import Label
    from littlestone.ledger import Ledger
    from littlestone.outcomes import Outcomes
    from littlestone.rule import LinearRule
    from littlestone.snapshots import Missing
    from littlestone.streams.space import Table
    from littlestone.theory.certificate import Certificate

    Partition: TypeAlias = "str | os.PathLike[str] | tuple[Table, Outcomes]"

Task = TypeVar("Task")
Result = TypeVar("Result")


class OrderedMap(Protocol):
    """Calls a function for every task and gives the results in the order of the tasks: `map`, or that of an engine."""

    def __call__(self, function: Callable[[Task], Result], tasks: Iterable[Task], /) -> Iterable[Result]:
        """The results, in order."""
        ...


@final
class Shard(NamedTuple):
    """What a worker gets: a learner as it was mixed, and the partition that it is to learn from."""

    number: int
    learner: Learner
    partition: Partition


@final
@dataclass(frozen=True, eq=False)
class Epochs:
    """What the epochs left behind."""

    learner: Learner
    """The mixed learner. Its ledger is that of all rounds of all partitions."""
    ledgers: tuple[tuple[Ledger, ...], ...]
    """Of every partition, epoch by epoch."""
    shares: tuple[FloatArray, ...]
    """What each partition's weights counted in the mixture, epoch by epoch."""
    partitions: tuple[Partition, ...]

    @property
    def rule(self) -> LinearRule:
        """The rule."""
        return self.learner.rule

    @property
    def progress(self) -> list[Ledger]:
        """The ledger of each epoch, all partitions together; only the first has met new rows."""
        return [merge(epoch) for epoch in self.ledgers]

    def certify(self, against: npt.ArrayLike) -> list[Certificate]:
        """What is proved of the mixture, beside fixed weights u that are run over the partitions once.

        Args:
            against: the weights u, in the order of `learner.features`.
        """
        from littlestone.theory.mixing import certify_epochs

        return certify_epochs(self, np.asarray(against, dtype=np.float64))

    def __str__(self) -> str:
        lines = (f"epoch {number}: {ledger}" for number, ledger in enumerate(self.progress, start=1))
        return "\n".join([f"{len(self.partitions)} partitions of {type(self.rule).__name__}", *lines])


def epochs(
    partitions: Iterable[Partition],
    rule: LinearRule,
    *,
    epochs: int = 1,
    map: OrderedMap = map,
    weights: Shares = "uniform",
    labels: tuple[Label, ...] | None = None,
    missing: Missing = "error",
    average: bool = False,
    unproved: bool = False,
    progress: bool = False,
) -> Epochs:
    """Learns partitions apart and mixes the learners after every epoch (iterative parameter mixing).

    In each epoch every partition is learned from the same mixed learner, by whoever `map` gives the work to; the
    results are mixed in the order of the partitions, so the bits are the same however many workers there are. A worker opens
    its own partition: the rows do not pass through the caller.

    Args:
        partitions: paths (any format of `ls.read`; a pattern or a directory is every file of it, in order), or pairs (X, y).
        rule: the rule.
        epochs: how many times every partition is learned.
        map: an ordered map. The built-in one works in this thread; `ls.threads(4)` and `ls.processes(4)` have workers of
            their own, as have `littlestone.dask.map(client)` and `littlestone.spark.map(session)`.
        weights: the share of each partition: "uniform", "mistakes" (of the epoch), or a number each.
        labels: the labels, in order; None reads every partition once to find them, so that a label means the same to all.
        missing: "error" refuses missing values, "skip" leaves them out and counts them.
        average: keep the sum of the weights over all rounds.
        unproved: mix by a rule of whose mixture nothing is proved, instead of refusing.
        progress: print a line for each epoch to standard error.

    Raises:
        InvalidData: naming the partition that cannot be read or learned; nothing is returned then.
        NotApplicable: if learners of the rule cannot be mixed.

    Example:
        >>> import littlestone as ls
        >>> from littlestone.streams.synthetic import linear_labels
        >>> X, y, u = linear_labels(rows=400, features=5, margin=0.2)
        >>> run = ls.epochs([(X[k::4], y[k::4]) for k in range(4)], ls.Perceptron(), epochs=3)
        >>> [ledger.mistakes for ledger in run.progress][-1] <= run.progress[0].mistakes
        True
        >>> run.learner.ledger.rounds
        1200

    Source: McDonald, Hall and Mann 2010, figure 3.
    """
    parts = tuple(partitions)
    if not parts:
        raise InvalidParameter("partitions is empty; there must be at least one")
    if isinstance(epochs, bool) or not isinstance(epochs, int) or epochs < 1:
        raise InvalidParameter(f"epochs is {epochs!r}; epochs must be a whole number, at least 1")
    known = _labels(parts, rule, map) if labels is None else labels
    mixed, ledgers, shares = Learner(rule, labels=known, missing=missing, average=average), [], []
    for number in range(1, epochs + 1):
        learned = list(map(_learned, [Shard(k, _begun(mixed), part) for k, part in enumerate(parts)]))
        ledgers.append(tuple(learner.ledger for learner in learned))
        shares.append(shares_of(weights, ledgers[-1]))
        mixed = _continued(mixed, mix(learned, weights=shares[-1], unproved=unproved))
        if progress:
            print(f"epoch {number} of {epochs}, {len(parts)} partitions: {merge(ledgers[-1])}", file=sys.stderr)
    return Epochs(mixed, tuple(ledgers), tuple(shares), parts)


def threads(count: int) -> OrderedMap:
    """A map with so many threads: the compiled loop does not hold the interpreter's lock."""
    return _pooled(lambda: ThreadPoolExecutor(_workers(count), thread_name_prefix="littlestone-epoch"))


def processes(count: int) -> OrderedMap:
    """A map with so many processes, for rules and kernels in Python; what they learn from must be a path or be pickled."""
    return _pooled(lambda: ProcessPoolExecutor(_workers(count), mp_context=get_context("spawn")))


def _pooled(pool: Callable[[], ThreadPoolExecutor | ProcessPoolExecutor]) -> OrderedMap:
    def ordered(function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterable[Result]:
        with pool() as workers:
            return list(workers.map(function, tasks))

    return ordered


def _workers(count: int) -> int:
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= 1024:
        raise InvalidParameter(f"there are {count!r} workers; there must be at least 1 and at most 1024")
    return count


def _begun(mixed: Learner) -> Learner:
    """A learner that goes on from the mixed weights with a ledger of its own."""
    snapshot = mixed.snapshot()
    fresh = None if snapshot.average is None else type(snapshot.average).of(len(snapshot.average.drift))
    return Learner.restored(replace(snapshot, totals=Totals().parts(), average=fresh), copy=False)


def _continued(before: Learner, learned: Learner) -> Learner:
    """The mixture of an epoch with the ledgers and sums of the epochs before."""
    old, new = before.snapshot(), learned.snapshot()
    totals = Totals.from_parts(dict(old.totals))
    totals.merge(Totals.from_parts(dict(new.totals)))
    if old.average is not None and new.average is not None and old.state is not None:
        new.average.settled[: old.state.width] += old.average.total(old.state)
    passes = old.passes + (1 if before.ledger.rounds else 0)
    return Learner.restored(replace(new, totals=totals.parts(), passes=passes), copy=False)


def _learned(shard: Shard) -> Learner:
    """What a worker does."""
    try:
        for X, y in chunks(shard.partition):
            shard.learner.learn_many(X, y)
    except LittlestoneError as error:
        raise InvalidData(f"partition {shard.number}{_named(shard.partition)}: {error}") from None
    return shard.learner


def chunks(partition: Partition) -> Iterator[tuple[Table, Outcomes]]:
    """The rows of a partition and their outcomes.

    Raises:
        InvalidData: if a file is not there.
    """
    if isinstance(partition, tuple):
        yield partition
        return
    for path in files(partition):
        yield from read(path)


def files(place: str | os.PathLike[str]) -> list[str]:
    """The files of a path, a pattern, or a directory, in the order of their names.

    Raises:
        InvalidData: if there is none.
    """
    path = Path(place)
    if path.is_dir():
        return sorted(str(file) for file in path.rglob("*") if file.is_file() and not file.name.startswith((".", "_")))
    found = [path] if path.exists() else sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
    if not found:
        raise InvalidData(f"{place} is not there; give a file, a directory or a pattern that matches some")
    return [str(file) for file in found]


def _named(partition: Partition) -> str:
    return "" if isinstance(partition, tuple) else f" ({partition})"


def _labels(parts: Sequence[Partition], rule: LinearRule, map: OrderedMap) -> tuple[Label, ...] | None:
    """The labels of all partitions, in their order, as one learner of the whole stream would number them."""
    if not rule.learns() & {"labels", "classes"} or rule.signs() is not None:
        return None
    met: dict[Label, None] = {}
    for found in map(_census, [Shard(k, Learner(rule), part) for k, part in enumerate(parts)]):
        met |= dict.fromkeys(found)
    if "classes" in rule.learns():
        return tuple(met)
    pair = Labels()
    for label in met:
        pair = pair.placed(label)
    return None if None in pair.known() else pair.known()


def _census(shard: Shard) -> list[Label]:
    """The labels of a partition in the order in which they are met."""
    met: dict[Label, None] = {}
    for _, y in chunks(shard.partition):
        values = np.asarray(y)
        _, first = np.unique(values, return_index=True)
        met |= dict.fromkeys(values[np.sort(first)].tolist())
    return list(met)
