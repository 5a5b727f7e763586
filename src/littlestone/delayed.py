"""Delayed labels offline: predictions and labels in the order of time, each label learned with the row of its prediction."""

from __future__ import annotations

import copy
import math
from abc import ABC
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple, Never, Protocol, TypeAlias, TypeVar, cast, final, overload

import numpy as np

from littlestone.errors import InvalidData, InvalidParameter, LittlestoneError, NotApplicable
from littlestone.learner import Learner
from littlestone.rule import LinearRule

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray

Time: TypeAlias = "float | datetime | np.datetime64"
"""A number of any unit, a datetime (all with a time zone, or none), or a NumPy or pandas time."""

Duration: TypeAlias = "float | timedelta | np.timedelta64"

_COUNTS = ("predictions", "labelled", "expired", "repeated", "duplicates", "contradictions", "unknown")
_COUNTED = {
    "repeated": ("repeated",),
    "duplicate": ("duplicates",),
    "contradiction": ("duplicates", "contradictions"),
    "unknown": ("unknown",),
}
_EXPIRES = {True: "a timedelta", False: "a number"}
_NANOSECOND = np.timedelta64(1, "ns")


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


class Model(Protocol):
    """What is asked of a model: two verbs, for rows and outcomes of whatever kind it learns."""

    def predict_one(self, x: Never, /) -> object:
        """The prediction for a row. Nothing changes."""
        ...

    def learn_one(self, x: Never, y: Never, /) -> object:
        """One round; returns the prediction made before the update."""
        ...


M = TypeVar("M", bound=Model)


@final
class Prediction(NamedTuple):
    """What became of a prediction; the last five are None while its label is not known."""

    id: Hashable
    time: Time
    prediction: object
    labelled: Time | None
    label: object
    loss: float | None
    """Of the prediction that was shown: 1 for a wrong label, or the distance from the target."""
    round: int | None
    """In which round it was learned, counted from 1."""
    loss_when_learned: float | None
    """Of the prediction that would have been made just before it was learned."""


@final
class Ignored(NamedTuple):
    """An event that changed nothing, and why."""

    id: Hashable
    time: Time
    why: Literal["repeated", "duplicate", "contradiction", "unknown"]


@final
@dataclass(frozen=True, eq=False)
class Replay(Generic[M]):
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
        3 rounds, 1 mistakes (33.33%), 1 updates, loss 1
        >>> done.duplicates, done.contradictions, learner.ledger.rounds
        (1, 1, 0)
    """
    if isinstance(model, LinearRule | Learner):
        learner = Learner(model) if isinstance(model, LinearRule) else Learner.restored(model.snapshot())
        if learner.rule.signs() is not None:
            raise NotApplicable(f"{type(learner.rule).__name__} learns rows alone; there are no labels to wait for")
        judge = _wrong if learner.rule.learns() & {"labels", "classes"} else _distance
        return _Player(learner, judge, expire, keep).played(events, ordered=ordered)
    made = model()
    return _Player(made, _wrong if hasattr(made, "labels") else _distance, expire, keep).played(events, ordered=ordered)


def _wrong(prediction: object, y: object) -> float:
    return 0.0 if prediction == y else 1.0


def _distance(prediction: object, y: object) -> float:
    assert isinstance(prediction, int | float | np.number)
    assert isinstance(y, int | float | np.number)
    return abs(float(prediction) - float(y))


@final
@dataclass(slots=True)
class _Known:
    """A prediction that is remembered: its row until the label comes, the label after."""

    event: PredictEvent
    moment: float
    x: object
    prediction: object
    line: int
    label: object = None
    labelled: bool = False


@final
class _Player(Generic[M]):
    """Plays events in order, and counts."""

    def __init__(self, model: M, judge: Callable[[object, object], float], expire: Duration | None, keep: bool) -> None:
        self._model, self._judge, self._keep = model, judge, keep
        self._predict = cast("Callable[[object], object]", model.predict_one)
        self._learn = cast("Callable[[object, object], object]", model.learn_one)
        self._expire = _patience(expire)
        self._timed = None if expire is None else isinstance(expire, timedelta | np.timedelta64)
        self._known: dict[Hashable, _Known] = {}  # in the order of their times
        self._table: list[Prediction] = []
        self._ignored: list[Ignored] = []
        self._count = dict.fromkeys(
            ("predictions", "labelled", "expired", "repeated", "duplicates", "contradictions", "unknown"), 0
        )
        self._loss = self._loss_when_learned = 0.0

    def played(self, events: Iterable[Event], *, ordered: bool) -> Replay[M]:
        """Plays all events."""
        numbered = _numbered(events, self._timed)
        for number, moment, event in _in_order(numbered) if ordered else sorted(numbered, key=lambda each: each[1]):
            self._forget(moment)
            try:
                if isinstance(event, PredictEvent):
                    self._asked(event, moment)
                elif isinstance(event, LabelEvent):
                    self._told(event)
            except LittlestoneError as error:
                raise type(error)(f"event {number}: {error}") from None
        waiting = sum(not known.labelled for known in self._known.values())
        return Replay(
            model=self._model,
            waiting=waiting,
            loss=self._loss,
            loss_when_learned=self._loss_when_learned,
            table=self._table,
            ignored=self._ignored,
            **self._count,
        )

    def _forget(self, moment: float) -> None:
        """Lets go of what is older than it may be; the oldest are in front."""
        while self._expire is not None and self._known:
            first = next(iter(self._known))
            if moment - self._known[first].moment <= self._expire:
                return
            self._count["expired"] += not self._known.pop(first).labelled

    def _asked(self, event: PredictEvent, moment: float) -> None:
        if event.id in self._known:
            self._ignore(event, "repeated")
            return
        prediction = self._predict(event.x)
        self._known[event.id] = _Known(event, moment, _kept(event.x), prediction, self._count["predictions"])
        self._count["predictions"] += 1
        if self._keep:
            self._table.append(Prediction(event.id, event.time, prediction, None, None, None, None, None))

    def _told(self, event: LabelEvent) -> None:
        known = self._known.get(event.id)
        if known is None:
            self._ignore(event, "unknown")
        elif known.labelled:
            self._ignore(event, "contradiction" if known.label != event.y else "duplicate")
        else:
            self._learned(known, event)

    def _ignore(self, event: Event, why: Literal["repeated", "duplicate", "contradiction", "unknown"]) -> None:
        for count in _COUNTED[why]:
            self._count[count] += 1
        if self._keep:
            self._ignored.append(Ignored(event.id, event.time, why))

    def _learned(self, known: _Known, event: LabelEvent) -> None:
        late = self._judge(self._learn(known.x, event.y), event.y)
        loss = self._judge(known.prediction, event.y)
        known.x, known.label, known.labelled = None, event.y, True
        self._count["labelled"] += 1
        self._loss += loss
        self._loss_when_learned += late
        if self._keep:
            made = known.event
            self._table[known.line] = Prediction(
                made.id, made.time, known.prediction, event.time, event.y, loss, self._count["labelled"], late
            )


def _kept(x: object) -> object:
    """The row as it is now, whatever its owner does with it."""
    return copy.copy(x) if isinstance(x, dict | list | np.ndarray) or (hasattr(x, "tocsr") and hasattr(x, "copy")) else x


def _numbered(events: Iterable[Event], timed: bool | None) -> Iterator[tuple[int, float, Event]]:
    """Each event with its number and its moment; the clocks of all, and that of `expire`, must be of one kind."""
    kind: str | None = None
    for number, event in enumerate(events):
        if not isinstance(event, PredictEvent | LabelEvent):
            raise InvalidData(f"event {number}: got a {type(event).__name__}; expected a PredictEvent or a LabelEvent")
        if not isinstance(event.id, Hashable) or event.id is None:
            raise InvalidData(f"event {number}: the id is {event.id!r}; an id must be a value that a dict can hold")
        clock, moment = _moment(event.time, number)
        if kind not in (None, clock):
            raise InvalidData(f"event {number}: the time is {clock}; those before it are {kind}")
        if timed not in (None, clock != "a number"):
            raise InvalidData(f"event {number}: the time is {clock}; expire must be {_EXPIRES[not timed]} then")
        kind = clock
        yield number, moment, event


def _in_order(numbered: Iterator[tuple[int, float, Event]]) -> Iterator[tuple[int, float, Event]]:
    last = -math.inf
    for number, moment, event in numbered:
        if moment < last:
            raise InvalidData(f"event {number}: its time {event.time} is before the last; say ordered=False to sort the events")
        last = moment
        yield number, moment, event


def _moment(time: object, number: int) -> tuple[str, float]:
    """The kind of a time, and the time itself as a number: nanoseconds, for what is no number."""
    if isinstance(time, int | float | np.integer | np.floating) and not isinstance(time, bool) and math.isfinite(time):
        return "a number", time if isinstance(time, int) else float(time)
    if isinstance(time, datetime):
        start = datetime(1970, 1, 1, tzinfo=UTC if time.tzinfo else None)
        return "a time with a zone" if time.tzinfo else "a time without a zone", _length(time - start)
    if isinstance(time, np.datetime64) and not np.isnat(time):
        return "a time without a zone", _length(time - np.datetime64(0, "ns"))
    raise InvalidData(f"event {number}: the time is {time!r}; expected a finite number or a time")


def _length(duration: Duration) -> float:
    """A duration as a number: nanoseconds, for what is no number."""
    if isinstance(duration, timedelta):
        return (duration // timedelta(microseconds=1)) * 1000 + int(getattr(duration, "nanoseconds", 0))
    if isinstance(duration, np.timedelta64):
        return int(duration // _NANOSECOND)
    return duration


def _patience(expire: object) -> float | None:
    """How long to wait, as a number.

    Raises:
        InvalidParameter: if it is not a duration of at least 0.
    """
    if expire is None:
        return None
    if isinstance(expire, int | float | timedelta | np.timedelta64) and not isinstance(expire, bool):
        length = math.nan if isinstance(expire, np.timedelta64) and np.isnat(expire) else _length(expire)
        if length >= 0:
            return length
    raise InvalidParameter(f"expire is {expire!r}; expire must be a number or a timedelta, at least 0, or None")
