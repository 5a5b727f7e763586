"""Delayed labels: predictions whose labels come later, each learned with the row of its prediction."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Container, Hashable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Generic, Literal, NamedTuple, Never, Protocol, TypeAlias, TypeVar, cast, final, runtime_checkable

import numpy as np

from littlestone.arguments import short
from littlestone.errors import InvalidData, InvalidParameter, NotApplicable
from littlestone.guarded import Guarded
from littlestone.learner import Learner
from littlestone.loop import Interrupts

Time: TypeAlias = "float | datetime | np.datetime64"
"""A number of any unit, a datetime (all with a time zone, or none), or a NumPy or pandas time."""

Duration: TypeAlias = "float | timedelta | np.timedelta64"
Fate: TypeAlias = Literal["learned", "duplicate", "contradiction", "unknown"]
"""What became of a label."""

_EXPIRES = {True: "a timedelta", False: "a number"}
_NANOSECOND = np.timedelta64(1, "ns")


@runtime_checkable
class AskedModel(Protocol):
    """What is asked of a model: two verbs, for rows and outcomes of whatever kind it learns."""

    def predict_one(self, x: Never, /) -> object:
        """The prediction for a row. Nothing changes."""
        ...

    def learn_one(self, x: Never, y: Never, /) -> object:
        """One round; returns the prediction made before the update."""
        ...


@runtime_checkable
class Showing(Protocol):
    """A model that promises something of what it has shown: it is told of that, and not of what it would show by now."""

    def learn_shown(self, x: object, y: object, shown: object, /) -> object:
        """One round, of what was shown for the row; returns it."""
        ...


M = TypeVar("M", bound=AskedModel)


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
class Fated(NamedTuple):
    """What became of a label, and of the prediction that was waiting for it, if it was learned."""

    fate: Fate
    prediction: Prediction | None


@final
@dataclass(frozen=True)
class Counts:
    """How many predictions and labels there were, and what became of them."""

    predictions: int = 0
    labelled: int = 0
    expired: int = 0
    """Predictions that were given up: no label came in time."""
    repeated: int = 0
    """Predictions asked for again under an id that was known; the first one counts."""
    duplicates: int = 0
    """Labels for what was labelled before; the first one counts."""
    contradictions: int = 0
    """Those of them that differ from the first."""
    unknown: int = 0
    """Labels without a prediction before them that is remembered."""
    loss: float = 0.0
    """The sum over the labelled predictions, as they were shown."""
    loss_when_learned: float = 0.0

    @property
    def waiting(self) -> int:
        """Predictions whose label has not come, and may yet."""
        return self.predictions - self.labelled - self.expired


@final
@dataclass(frozen=True)
class Remembered:
    """A prediction that is remembered: its row until the label comes, the label after."""

    time: Time
    moment: float
    x: object
    prediction: object
    label: object = None
    labelled: bool = False


@final
@dataclass(frozen=True)
class DelayedSnapshot(Generic[M]):
    """Everything that waits for labels, and a copy of the model."""

    model: M
    expire: Duration | None
    counts: Counts
    clock: str | None
    now: float
    remembered: dict[Hashable, Remembered]


@final
class _DelayedBefore(NamedTuple):
    counts: Counts
    clock: str | None
    now: float


@final
class Delayed(Guarded[_DelayedBefore], Generic[M]):
    """Asks a model now and tells it later: predictions are kept with their rows until their labels come.

    Args:
        model: a `ls.Learner`, `ls.Mixture`, `ls.Master` or `ls.Conformal`, or anything with `predict_one` and `learn_one`.
        expire: how long a prediction waits for its label, and how long its id is remembered; a label of exactly that age is
            still learned. None remembers all of them.

    Times are numbers or times, and do not go back. `ls.replay` plays a list of events through one of these.

    Example:
        >>> import littlestone as ls
        >>> desk = ls.Delayed(ls.Learner(ls.PassiveAggressive(), labels=("spam", "ham")), expire=10)
        >>> desk.predict("a", {"offer": 1}, time=1), desk.predict("b", {"offer": 1}, time=2)
        ('ham', 'ham')
        >>> [desk.label(id, "spam", time=time).fate for id, time in (("a", 3), ("a", 4), ("b", 15))]
        ['learned', 'duplicate', 'unknown']
        >>> desk.model.ledger.rounds, desk.counts.expired, desk.counts.waiting
        (1, 1, 0)
    """

    def __init__(self, model: M, *, expire: Duration | None = None) -> None:
        super().__init__()
        if not isinstance(model, AskedModel):
            raise InvalidParameter(f"the model is {short(model)}; expected one that predicts and learns, such as ls.Learner()")
        if isinstance(model, Learner) and model.rule.abilities.alone:
            raise NotApplicable(f"{type(model.rule).__name__} learns rows alone; there are no labels to wait for")
        if isinstance(model, Learner):
            model.expect_late_labels()
        self.model = model
        self.expire = expire
        self._patience = _patience(expire)
        self._judge = _judge_of(model)
        self._clock: str | None = None
        self._now = -math.inf
        self._remembered: dict[Hashable, Remembered] = {}  # in the order of their times
        self._counts = Counts()

    @property
    def counts(self) -> Counts:
        """What became of the predictions and labels so far."""
        with self._alone:
            return self._counts

    def predict(self, id: Hashable, x: object, time: Time) -> object:
        """The prediction for a row, which is kept for the label of this id; of an id that is known the one that was made.

        Raises:
            InvalidData: if id, row or time is malformed, or the time is before the last; nothing has changed then.
        """
        return self._whole(lambda: self._asked(id, x, time))

    def label(self, id: Hashable, y: object, time: Time) -> Fated:
        """Learns the row that was predicted under the id with its label, and says what became of both.

        The second label of an id changes nothing, nor does one whose prediction is not known.

        Raises:
            InvalidData: if id, label or time is malformed, or the time is before the last; nothing has changed then.
        """
        return self._whole(lambda: self._told(id, y, time))

    def snapshot(self) -> DelayedSnapshot[M]:
        """A copy of everything that waits, and of the model."""
        with self._alone:
            self._heal()
            model = copy.deepcopy(self.model)
            return DelayedSnapshot(model, self.expire, self._counts, self._clock, self._now, dict(self._remembered))

    @staticmethod
    def restored(snapshot: DelayedSnapshot[M]) -> Delayed[M]:
        """One that goes on where the snapshot was taken."""
        twin = Delayed(copy.deepcopy(snapshot.model), expire=snapshot.expire)
        twin._counts, twin._clock, twin._now = snapshot.counts, snapshot.clock, snapshot.now
        twin._remembered = dict(snapshot.remembered)
        return twin

    def __reduce__(self) -> tuple[Callable[[DelayedSnapshot[M]], Delayed[M]], tuple[DelayedSnapshot[M]]]:
        """Copies and pickles go by the snapshot."""
        return Delayed.restored, (self.snapshot(),)

    def __repr__(self) -> str:
        return f"Delayed({self.model!r}: {self.counts})"

    def _asked(self, id: Hashable, x: object, time: Time) -> object:
        moment = self._moment(id, time)
        known = self._known(id, moment)
        if known is not None:
            self._pass(moment, repeated=self._counts.repeated + 1)
            return known.prediction
        prediction = cast("Callable[[object], object]", self.model.predict_one)(x)
        made = Remembered(time, moment, _kept(x), prediction)
        with Interrupts():
            self._pass(moment)
            self._counts = replace(self._counts, predictions=self._counts.predictions + 1)
            self._remembered[id] = made
        return prediction

    def _told(self, id: Hashable, y: object, time: Time) -> Fated:
        moment = self._moment(id, time)
        known = self._known(id, moment)
        counts = self._counts
        if known is None:
            self._pass(moment, unknown=counts.unknown + 1)
            return Fated("unknown", None)
        if known.labelled:
            differs = known.label != y
            self._pass(moment, duplicates=counts.duplicates + 1, contradictions=counts.contradictions + int(differs))
            return Fated("contradiction" if differs else "duplicate", None)
        loss = self._judge(known.prediction, y)
        # The model has learned the row and the row is known to be learned, or neither.
        with Interrupts():
            late = self._judge(self._learned(known, y), y)
            self._pass(moment, labelled=counts.labelled + 1)
            sums = counts.loss + loss, counts.loss_when_learned + late
            self._counts = replace(self._counts, loss=sums[0], loss_when_learned=sums[1])
            self._remembered[id] = replace(known, x=None, label=y, labelled=True)
        line = Prediction(id, known.time, known.prediction, time, y, loss, self._counts.labelled, late)
        return Fated("learned", line)

    def _learned(self, known: Remembered, y: object) -> object:
        model: object = self.model
        if isinstance(model, Showing):
            return model.learn_shown(known.x, y, known.prediction)
        return cast("Callable[[object, object], object]", self.model.learn_one)(known.x, y)

    def _moment(self, id: object, time: object) -> float:
        check_id(id)
        clock, moment = moment_of(time)
        check_clock(clock, self._clock, self.expire)
        if moment < self._now:
            raise InvalidData(f"its time {time} is before the last; times must not go back")
        self._clock = clock
        return moment

    def _known(self, id: Hashable, moment: float) -> Remembered | None:
        known = self._remembered.get(id)
        return None if known is None or self._is_old(known, moment) else known

    def _is_old(self, known: Remembered, moment: float) -> bool:
        return self._patience is not None and moment - known.moment > self._patience

    def _pass(self, moment: float, **counts: int) -> None:
        """Lets time go on: what is older than it may be is forgotten, and the oldest are in front."""
        self._now = moment
        self._counts = replace(self._counts, **counts)
        while self._remembered:
            first = next(iter(self._remembered))
            known = self._remembered[first]
            if not self._is_old(known, moment):
                return
            del self._remembered[first]
            self._counts = replace(self._counts, expired=self._counts.expired + (not known.labelled))

    def _marked(self) -> _DelayedBefore:
        return _DelayedBefore(self._counts, self._clock, self._now)

    def _stands(self, before: _DelayedBefore, *, interrupted: bool) -> bool:
        """Whether the event was taken in before the interrupt had its way."""
        return self._now != before.now or self._counts is not before.counts

    def _return_to(self, before: _DelayedBefore) -> None:
        self._clock = before.clock


def _judge_of(model: AskedModel) -> Callable[[object, object], float]:
    """How predictions are judged: labels are right or wrong, sets hit or miss, numbers are near or far."""
    if isinstance(model, Showing):
        return _missed
    if isinstance(model, Learner):
        return _wrong if model.rule.abilities.named else _distance
    return _wrong if hasattr(model, "labels") else _distance


def check_id(id: object) -> None:
    """Refuses what a dict cannot hold.

    Raises:
        InvalidData: for it.
    """
    try:
        known = id is not None and hash(id) is not None
    except TypeError:
        known = False
    if not known:
        raise InvalidData(f"the id is {id!r}; an id must be a value that a dict can hold")


def check_clock(clock: str, before: str | None, expire: object) -> None:
    """The clocks of all events, and that of `expire`, must be of one kind.

    Raises:
        InvalidData: if they are not.
    """
    if before not in (None, clock):
        raise InvalidData(f"the time is {clock}; those before it are {before}")
    timed = isinstance(expire, timedelta | np.timedelta64)
    if expire is not None and timed != (clock != "a number"):
        raise InvalidData(f"the time is {clock}; expire must be {_EXPIRES[not timed]} then")


def _wrong(prediction: object, y: object) -> float:
    return 0.0 if prediction == y else 1.0


def _missed(prediction: object, y: object) -> float:
    assert isinstance(prediction, Container)
    return 0.0 if y in prediction else 1.0


def _distance(prediction: object, y: object) -> float:
    assert isinstance(prediction, int | float | np.number)
    assert isinstance(y, int | float | np.number)
    return abs(float(prediction) - float(y))


def _kept(x: object) -> object:
    """The row as it is now, whatever its owner does with it."""
    return copy.copy(x) if isinstance(x, dict | list | np.ndarray) or (hasattr(x, "tocsr") and hasattr(x, "copy")) else x


def moment_of(time: object) -> tuple[str, float]:
    """The kind of a time, and the time itself as a number: nanoseconds, for what is no number."""
    if isinstance(time, int | float | np.integer | np.floating) and not isinstance(time, bool) and math.isfinite(time):
        return "a number", time if isinstance(time, int) else float(time)
    if isinstance(time, datetime):
        start = datetime(1970, 1, 1, tzinfo=UTC if time.tzinfo else None)
        return "a time with a zone" if time.tzinfo else "a time without a zone", _length(time - start)
    if isinstance(time, np.datetime64) and not np.isnat(time):
        return "a time without a zone", _length(time - np.datetime64(0, "ns"))
    raise InvalidData(f"the time is {time!r}; expected a finite number or a time")


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
