"""Delayed labels offline: predictions and labels in the order of time, as if they happened now."""

from __future__ import annotations

import math
from abc import ABC
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple, final, overload

import numpy as np

from littlestone.arguments import flag
from littlestone.delayed import Delayed, Duration, Fated, M, Prediction, Time, check_clock, check_id, moment_of
from littlestone.display import Displayed
from littlestone.errors import InvalidData, InvalidParameter, LittlestoneError, NotApplicable
from littlestone.learner import Learner
from littlestone.rule import LinearRule

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class Event(ABC):
    """Something that happens at a time, to the row with an id."""

    time: Time
    id: Hashable


@final
@dataclass(frozen=True, slots=True)
class PredictEvent(Event):
    """A prediction is asked for: the row as it was then, under an id that its label will come with."""

    x: object


@final
@dataclass(frozen=True, slots=True)
class LabelEvent(Event):
    """The label (or target) of the row that was predicted under the id becomes known."""

    y: object


@final
class Ignored(NamedTuple):
    """An event that changed nothing, and why."""

    id: Hashable
    time: Time
    why: Literal["repeated", "duplicate", "contradiction", "unknown"]


@final
@dataclass(frozen=True, eq=False)
class Replay(Displayed, Generic[M]):
    """What a replay left behind."""

    model: M
    """The model after the last event, with its ledger and certificates: its rounds are the labels, in the order they came."""
    predictions: int
    labelled: int
    waiting: int
    """Predictions whose label had not come by the end, and may yet."""
    expired: int
    """Predictions that were given up: no label came in time."""
    repeated: int
    """Predictions asked for again under an id that was known; the first one counts."""
    duplicates: int
    """Labels for what was labelled before; the first one counts."""
    contradictions: int
    """Those of them that differ from the first."""
    unknown: int
    """Labels without a prediction before them that is remembered."""
    loss: float
    """The sum over the labelled predictions, as they were shown."""
    loss_when_learned: float
    table: list[Prediction] = field(repr=False)
    """A line for each prediction, in the order of time; `pandas.DataFrame(replay.table)` reads it."""
    ignored: list[Ignored] = field(repr=False)
    """The events that changed nothing, in the order of time."""

    @property
    def unlabelled(self) -> int:
        """Predictions that were never labelled."""
        return self.waiting + self.expired

    @property
    def mean_loss(self) -> float:
        """Of the predictions shown; the rate of mistakes where they are labels. 0 without any label."""
        return self.loss / self.labelled if self.labelled else 0.0

    def progress(self, by: Literal["prediction", "label"] = "prediction") -> FloatArray:
        """The mean loss so far: of predictions as shown, in their order, or as learned, in the order of the labels.

        Raises:
            NotApplicable: if the table was not kept.
        """
        if len(self.table) != self.predictions:
            raise NotApplicable("the table was not kept; replay with keep=True")
        done = [line for line in self.table if line.round is not None]
        if by == "label":
            done.sort(key=lambda line: line.round or 0)
        losses = np.array([line.loss_when_learned if by == "label" else line.loss for line in done], dtype=np.float64)
        return np.cumsum(losses) / np.arange(1, len(losses) + 1)

    def __str__(self) -> str:
        return (
            f"{self.predictions:,} predictions, {self.labelled:,} labelled (mean loss {self.mean_loss:.4g}), "
            f"{self.waiting:,} waiting, {self.expired:,} expired; {self.duplicates:,} duplicate labels "
            f"({self.contradictions:,} contradict), {self.unknown:,} unknown, {self.repeated:,} repeated predictions"
        )


@overload
def replay(
    events: Iterable[Event],
    model: LinearRule | Learner,
    *,
    expire: Duration | None = None,
    ordered: bool = False,
    keep: bool = True,
) -> Replay[Learner]: ...


@overload
def replay(
    events: Iterable[Event],
    model: Callable[[], M],
    *,
    expire: Duration | None = None,
    ordered: bool = False,
    keep: bool = True,
) -> Replay[M]: ...


def replay(
    events: Iterable[Event],
    model: LinearRule | Learner | Callable[[], M],
    *,
    expire: Duration | None = None,
    ordered: bool = False,
    keep: bool = True,
) -> Replay[Learner] | Replay[M]:
    """Runs predictions and labels in the order of time, as if they happened now.

    A prediction is made by the model as it is at that moment, and its row is kept. When its label comes, however late and in
    whatever order, the model learns that row with it. The second label of an id changes nothing, nor does a label whose
    prediction is not known: it was never asked for, is asked for only later, or has expired. Events of the same time happen
    in the order they are given.

    Args:
        events: `ls.PredictEvent` and `ls.LabelEvent`.
        model: a rule or a learner, of which a copy learns; for any other model (a `ls.Mixture`, a `ls.Master`) a function
            that makes it.
        expire: how long a prediction waits for its label, and how long its id is remembered; a label of exactly that age is
            still learned. None remembers all of them.
        ordered: the events come in the order of time and are read one by one, so that with `expire` and keep=False the
            memory is bounded by what is waiting; an event before the last one is an error. Else they are all read and sorted.
        keep: keep a line for each prediction, and for each event that changed nothing.

    Raises:
        InvalidData: naming the event that is malformed; the model that was given has not changed.

    Example:
        >>> import littlestone as ls
        >>> events = [
        ...     ls.PredictEvent(1, "a", {"offer": 1}),
        ...     ls.PredictEvent(2, "b", {"offer": 1}),        # nothing is known of a yet
        ...     ls.LabelEvent(3, "a", "spam"),
        ...     ls.PredictEvent(4, "c", {"offer": 1}),
        ...     ls.LabelEvent(5, "c", "spam"),
        ...     ls.LabelEvent(6, "b", "spam"),
        ...     ls.LabelEvent(7, "b", "ham"),
        ... ]
        >>> learner = ls.Learner(ls.PassiveAggressive(), labels=("spam", "ham"))
        >>> done = ls.replay(events, learner)
        >>> [(line.id, line.prediction, line.loss, line.round) for line in done.table]
        [('a', 'ham', 1.0, 1), ('b', 'ham', 1.0, 3), ('c', 'spam', 0.0, 2)]
        >>> print(done.model.ledger)
        3 rounds, 1 mistake (33.33%), 1 update, loss 1
        >>> done.duplicates, done.contradictions, learner.ledger.rounds
        (1, 1, 0)
    """
    ordered, keep = flag("ordered", ordered), flag("keep", keep)
    if isinstance(model, LinearRule | Learner):
        learner = Learner(model) if isinstance(model, LinearRule) else Learner.restored(model.snapshot())
        return _played(Delayed(learner, expire=expire), events, _Lines(keep), ordered=ordered)
    if not callable(model):
        raise InvalidParameter(f"the model is a {type(model).__name__}; expected a rule, a learner or what makes a model")
    made = model()
    if not all(callable(getattr(made, verb, None)) for verb in ("predict_one", "learn_one")):
        raise InvalidParameter(f"model made a {type(made).__name__}; expected something with predict_one and learn_one")
    return _played(Delayed(made, expire=expire), events, _Lines(keep), ordered=ordered)


@final
class _Lines:
    """A line for each prediction, and one for each event that changed nothing."""

    def __init__(self, keep: bool) -> None:
        self._keep = keep
        self.table: list[Prediction] = []
        self.ignored: list[Ignored] = []
        self._places: dict[Hashable, int] = {}

    def asked(self, event: PredictEvent, prediction: object) -> None:
        """A prediction was made."""
        if self._keep:
            self._places[event.id] = len(self.table)
            self.table.append(Prediction(event.id, event.time, prediction, None, None, None, None, None))

    def told(self, event: LabelEvent, told: Fated) -> None:
        """A label was told."""
        if not self._keep:
            return
        if told.prediction is not None:
            self.table[self._places[event.id]] = told.prediction
        elif told.fate != "learned":
            self.ignored.append(Ignored(event.id, event.time, told.fate))

    def repeated(self, event: PredictEvent) -> None:
        """A prediction was asked for again."""
        if self._keep:
            self.ignored.append(Ignored(event.id, event.time, "repeated"))


def _played(desk: Delayed[M], events: Iterable[Event], lines: _Lines, *, ordered: bool) -> Replay[M]:
    numbered = _numbered(events, desk.expire)
    for number, _, event in _in_order(numbered) if ordered else sorted(numbered, key=lambda each: each[1]):
        try:
            if isinstance(event, PredictEvent):
                before = desk.counts.repeated
                prediction = desk.predict(event.id, event.x, event.time)
                lines.repeated(event) if desk.counts.repeated > before else lines.asked(event, prediction)
            elif isinstance(event, LabelEvent):
                lines.told(event, desk.label(event.id, event.y, event.time))
        except LittlestoneError as error:
            raise type(error)(f"event {number}: {error}") from None
    counts = desk.counts
    return Replay(
        model=desk.model,
        predictions=counts.predictions,
        labelled=counts.labelled,
        waiting=counts.waiting,
        expired=counts.expired,
        repeated=counts.repeated,
        duplicates=counts.duplicates,
        contradictions=counts.contradictions,
        unknown=counts.unknown,
        loss=counts.loss,
        loss_when_learned=counts.loss_when_learned,
        table=lines.table,
        ignored=lines.ignored,
    )


def _numbered(events: Iterable[Event], expire: Duration | None) -> Iterator[tuple[int, float, Event]]:
    """Each event with its number and its moment; all are checked before the first is played, unless they come in order."""
    kind: str | None = None
    if not isinstance(events, Iterable) or getattr(events, "ndim", 1) != 1:
        raise InvalidData(f"the events are a {type(events).__name__}; expected a PredictEvent or a LabelEvent after another")
    for number, event in enumerate(events):
        if not isinstance(event, PredictEvent | LabelEvent):
            raise InvalidData(f"event {number}: got a {type(event).__name__}; expected a PredictEvent or a LabelEvent")
        try:
            check_id(event.id)
            clock, moment = moment_of(event.time)
            check_clock(clock, kind, expire)
        except InvalidData as error:
            raise InvalidData(f"event {number}: {error}") from None
        kind = clock
        yield number, moment, event


def _in_order(numbered: Iterator[tuple[int, float, Event]]) -> Iterator[tuple[int, float, Event]]:
    last = -math.inf
    for number, moment, event in numbered:
        if moment < last:
            raise InvalidData(f"event {number}: its time {event.time} is before the last; say ordered=False to sort the events")
        last = moment
        yield number, moment, event
