"""What workers do with partitions: each has a learner of its own, and answers with a result or with why there is none."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar, cast, final

import numpy as np

from littlestone._core import work_beside_others
from littlestone.errors import InvalidData, InvalidParameter, LittlestoneError
from littlestone.learner import Learner
from littlestone.partitions import Held, labels_met, place_of
from littlestone.streams.intervals import NO_OUTCOME

if TYPE_CHECKING:
    from littlestone.epochs import Epochs
    from littlestone.labels import Label
    from littlestone.partitions import Pieces
    from littlestone.workers import OrderedMap

Result = TypeVar("Result")

_NEVER = 2**63


@final
class Slot(NamedTuple):
    """What one worker gets and no other: a partition."""

    number: int
    partition: Pieces


@final
class Shard(NamedTuple):
    """What a worker works with: a partition, and a learner of its own as it was mixed."""

    learner: Learner
    partition: Pieces


@final
class Failure(NamedTuple):
    """What a worker answers in place of a result: an error that was pickled would not come whole through every engine."""

    number: int
    words: str


@final
class Judged(NamedTuple):
    """Rows, and what fixed weights got wrong of them: labels, or distances to targets."""

    rows: int
    wrong: float


Work: TypeAlias = "Callable[[Shard], Result]"


@final
class InvalidPartition(InvalidData):
    """A partition that cannot be read or learned; what was done before it is not lost."""

    def __init__(self, words: str, number: int, run: Epochs | None) -> None:
        super().__init__(words, number, run)
        self.number = number
        """Which partition, counted from 0."""
        self.run = run
        """The epochs before; None in the first."""

    def __str__(self) -> str:
        """One sentence."""
        return str(self.args[0])


def results_of(
    map: OrderedMap, function: Work[Result], learner: Learner, parts: Sequence[Pieces], run: Epochs | None
) -> Iterator[Result]:
    """The results of the workers, in order; the first failure ends it."""
    count = 0
    work = _Guarded(function, learner, several=len(parts) > 1)
    answers: object = map(work, [Slot(number, part) for number, part in enumerate(parts)])
    if not isinstance(answers, Iterable):
        raise InvalidParameter(f"map has given a {type(answers).__name__}; expected the results, one for each partition")
    try:
        for answer in answers:
            if isinstance(answer, Failure):
                raise InvalidPartition(answer.words, answer.number, run if run is not None and run.ledgers else None)
            if not isinstance(answer, _Answer):
                got = type(answer).__name__
                raise InvalidParameter(f"map has given a {got}; expected what the function that it got returns")
            count += 1
            if count <= len(parts):
                yield cast("Result", answer.result)
            del answer  # before the next one comes, and with it another model
    finally:
        if isinstance(answers, Generator):  # what an engine still does or holds for it is over now
            answers.close()
    if count != len(parts):
        raise InvalidParameter(f"map has given {count} results for {len(parts)} partitions; expected one for each, in order")


@final
@dataclass(frozen=True)
class _Answer:
    """What a worker answers, and nobody else."""

    result: object


@final
@dataclass(frozen=True)
class _Guarded:
    """What a worker does with a learner of its own, and its refusals as answers."""

    function: Callable[[Shard], object]
    learner: Learner
    several: bool
    """Whether there are others at work, who have the other cores."""

    def __call__(self, slot: Slot) -> object:
        known = self.learner.snapshot()
        own = Learner.restored(known, copy=False)
        if known.state is not None:  # rounds were held to the definition of the rule in the first epoch
            own.watch.next = _NEVER
        before = work_beside_others(self.several)
        try:
            return _Answer(self.function(Shard(own, slot.partition)))
        except LittlestoneError as error:
            return Failure(slot.number, f"partition {slot.number}{place_of(slot.partition)}: {error}")
        finally:
            work_beside_others(before)


def learned_by(shard: Shard) -> Learner:
    """A partition learned, and every row of it checked."""
    alone = shard.learner.rule.abilities.alone  # a rule of one class learns rows, whatever labels they have
    for X, y in shard.partition:
        shard.learner.learn_many(X, NO_OUTCOME if alone else y)
    if shard.learner.watch.finding is not None:  # which a learner does not take along
        raise InvalidData(f"it does not hold that {shard.learner.watch.finding}: its rounds are not to be trusted")
    return shard.learner


def learned_again(shard: Shard) -> Learner:
    """The same in an epoch: rows in memory are checked in the first, and are the same rows in those that follow."""
    held = shard.partition
    return learned_by(shard._replace(partition=held.read_by(shard.learner)) if isinstance(held, Held) else shard)


def judged_by(shard: Shard) -> Judged:
    """A partition predicted."""
    rows, wrong, learner = 0, 0.0, shard.learner
    for X, y in shard.partition:
        shown = learner.predict_many(X)
        rows += len(shown)
        if learner.rule.abilities.alone:
            wrong += float(np.sum(shown == learner.labels[1]))
        elif learner.rule.abilities.named:
            wrong += float(np.sum(shown != np.asarray(y)))
        else:
            wrong += float(np.sum(np.abs(shown - np.asarray(y))))
    return Judged(rows, wrong)


def labels_in(shard: Shard) -> list[Label]:
    """The labels of a partition, in the order in which they come."""
    return labels_met(shard.partition)
