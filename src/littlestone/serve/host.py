"""A host: a model, its book of ids and what watches over it, moved by the entries of a journal and by nothing else.

`admit` looks at a request before it is written, and changes nothing. `apply` is what a record does, now and in every
replay: it goes by the entry, its number and its time alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from typing import TypeAlias, final

import msgspec

from littlestone.errors import LittlestoneError
from littlestone.serve.book import Book, Known, Told
from littlestone.serve.drift import Drift
from littlestone.serve.entries import (
    Entry,
    Feedback,
    Learn,
    LearnMany,
    Limits,
    Outcome,
    Predict,
    Prediction,
    Promote,
    Rollback,
    Row,
    StartShadow,
    StopShadow,
    decoded,
    digest,
    key_of,
)
from littlestone.serve.errors import RefusalError, unfit, unknown
from littlestone.serve.models import Served
from littlestone.serve.paired import Paired, loss
from littlestone.serve.records import Record

_WATCHED = 64
"""The error rate is looked at after every so many rounds: a ledger is not made for each."""


@final
class Predicted(msgspec.Struct, frozen=True):
    """To one row."""

    prediction: Prediction
    model_version: int


@final
class ManyPredicted(msgspec.Struct, frozen=True):
    """To many rows."""

    predictions: list[Prediction]
    model_version: int


@final
class Done(msgspec.Struct, frozen=True):
    """To what is no row."""

    model_version: int


Reply: TypeAlias = Predicted | ManyPredicted | Done


@final
class Host:
    """A model and all that belongs to it.

    Args:
        live: the model.
        open_file: makes the model of a file of the folder, for entries that name one.
    """

    def __init__(self, live: Served, open_file: Callable[[str], Served], limits: Limits | None = None) -> None:
        self.live = live
        self.shadow: Served | None = None
        self.shadow_failed: str | None = None
        self.paired = Paired()
        self.drift = Drift()
        self.unwatched = 0
        """Rounds since the error rate was looked at."""
        self.book = Book(limits or Limits())
        self.sequence = 0
        self.time = 0
        self.on_round: Callable[[Row, Outcome, float, Prediction], None] | None = None
        """Told of every round, after it."""
        self._open = open_file
        self._verbs: dict[type[Entry], Callable[..., Reply]] = {
            Learn: self._learn,
            LearnMany: self._learn_many,
            Predict: self._predict,
            Feedback: self._feedback,
            Limits: self._limit,
            StartShadow: self._start_shadow,
            StopShadow: self._stop_shadow,
            Promote: self._promote,
            Rollback: self._roll_back,
        }

    def replay(self, records: Iterable[Record]) -> int:
        """Applies records in order; what was refused is refused again. Returns how many there were."""
        before, learn_again, replay_one = self.sequence, self._learn_again, self.replay_one
        for sequence, time, _, body in records:
            entry = decoded(body)
            if type(entry) is Learn and entry.key is None and not self.book:
                learn_again(sequence, time, entry)
            else:
                replay_one(sequence, time, body, entry)
        return self.sequence - before

    def _learn_again(self, sequence: int, time: int, entry: Learn) -> None:
        """What `replay_one` does with a round that nobody can ask about, which most are."""
        self.sequence = sequence
        if time > self.time:
            self.time = time
        try:
            self._round(entry.row, entry.label, entry.weight)
        except LittlestoneError:
            return

    def replay_one(self, sequence: int, time: int, body: bytes, entry: Entry) -> None:
        """Applies a record again, and refuses it again if it was refused."""
        try:
            self.apply(sequence, time, entry, body)
        except LittlestoneError:
            return

    def apply(self, sequence: int, time: int, entry: Entry, body: bytes) -> Reply:
        """What a record does.

        Raises:
            LittlestoneError: if it is refused; then it has changed nothing but the number and the time.
        """
        self.sequence = sequence
        if time > self.time:  # a clock that goes backwards makes nothing younger
            self.time = time
        self.book.forget(self.time)
        return self._verbs[type(entry)](entry, body)

    # Before a request is written.

    def admit(self, entry: Entry, body: bytes) -> Reply | None:
        """What is answered at once, since it was answered before; None for what is to be written.

        Raises:
            LittlestoneError: if it is refused.
        """
        if isinstance(entry, Feedback):
            before: Reply | None = self._told(entry)
        else:
            before = self._answered(key_of(entry), body)
        if before is None:
            self.check(entry)
        return before

    def check(self, entry: Entry) -> None:
        """Raises what the model would raise, as far as it can be said before what is on its way is applied."""
        if isinstance(entry, Learn):
            self.live.check([entry.row], [entry.label], [entry.weight])
        elif isinstance(entry, LearnMany):
            self.live.check(entry.rows, entry.labels, entry.weights)
        elif isinstance(entry, Predict):
            self.live.predict(entry.row)
        elif isinstance(entry, Feedback):
            known = self.book.find(entry.id)
            if known is not None and known.row is not None:
                self.live.check([known.row], [entry.label], [entry.weight])
        elif isinstance(entry, (StopShadow, Promote)):
            self._check_shadow()

    def _answered(self, key: str | None, body: bytes) -> Reply | None:
        """What was answered to the same request before.

        Raises:
            RefusalError: if the id came with another one.
        """
        known = None if key is None else self.book.find(key)
        if known is None:
            return None
        if known.digest != digest(body):
            raise unfit(f"the id {_short(key)} came with another request before; a retry must be the same, byte for byte")
        if isinstance(known.prediction, list):
            return ManyPredicted(known.prediction, known.version)
        return Predicted(known.prediction, known.version)

    def _told(self, entry: Feedback) -> Predicted | None:
        """What was answered to the same label before; None if the row waits for it.

        Raises:
            RefusalError: if no row waits under the id.
        """
        known = self.book.find(entry.id)
        if known is None:
            raise unknown(f"there is no prediction with the id {_short(entry.id)}; predict with an id first")
        if known.expired:
            sentence = f"the prediction with the id {_short(entry.id)} has expired; its label came too late"
            raise RefusalError(HTTPStatus.GONE, "expired", sentence)
        if known.row is not None:
            return None
        if known.told is None:
            raise unknown(f"{_short(entry.id)} is the id of a learn; its label came with it")
        if (known.told.label, known.told.weight) != (entry.label, entry.weight):
            sentence = f"the prediction with the id {_short(entry.id)} has another label already; the first one counts"
            raise RefusalError(HTTPStatus.CONFLICT, "conflict", sentence)
        return Predicted(known.told.prediction, known.told.version)

    # What records do.

    def _learn(self, entry: Learn, body: bytes) -> Reply:
        if entry.key is None:
            return Predicted(self._round(entry.row, entry.label, entry.weight), self.sequence)
        before = self._answered(entry.key, body)
        if before is not None:
            return before
        prediction = self._round(entry.row, entry.label, entry.weight)
        self.book.remember(entry.key, Known(self.time, digest(body), self.sequence, prediction))
        return Predicted(prediction, self.sequence)

    def _learn_many(self, entry: LearnMany, body: bytes) -> Reply:
        before = self._answered(entry.key, body)
        if before is not None:
            return before
        self.live.check(entry.rows, entry.labels, entry.weights)
        labels: Sequence[Outcome] = entry.labels or [None] * len(entry.rows)
        weights = entry.weights or [1.0] * len(entry.rows)
        predictions = [self._round(*each) for each in zip(entry.rows, labels, weights, strict=True)]
        if entry.key is not None:
            self.book.remember(entry.key, Known(self.time, digest(body), self.sequence, predictions))
        return ManyPredicted(predictions, self.sequence)

    def _predict(self, entry: Predict, body: bytes) -> Reply:
        before = self._answered(entry.id, body)
        if before is not None:
            return before
        prediction = self.live.predict(entry.row)
        self.book.ask(entry.id, Known(self.time, digest(body), self.sequence, prediction, row=entry.row))
        return Predicted(prediction, self.sequence)

    def _feedback(self, entry: Feedback, _: bytes) -> Reply:
        before = self._told(entry)
        if before is not None:
            return before
        known = self.book.find(entry.id)
        assert known is not None
        assert known.row is not None
        prediction = self._round(known.row, entry.label, entry.weight)
        told = Told(entry.label, entry.weight, prediction, self.sequence)
        self.book.remember(entry.id, msgspec.structs.replace(known, time=self.time, row=None, told=told))
        return Predicted(prediction, self.sequence)

    def _limit(self, entry: Limits, _: bytes) -> Reply:
        self.book.limits = entry
        self.book.forget(self.time)
        return Done(self.sequence)

    def _round(self, row: Row, label: Outcome, weight: float) -> Prediction:
        """The model learns, and the shadow after it, whatever it makes of the row."""
        prediction = self.live.learn(row, label, weight)
        if self.shadow is not None:
            try:
                other = self.shadow.learn(row, label, weight)
            except LittlestoneError as error:
                self.shadow, self.shadow_failed = None, str(error)
            else:
                targets = self.live.targets
                self.paired.note(loss(prediction, label, targets=targets), loss(other, label, targets=targets))
        self.unwatched += 1
        if self.unwatched == _WATCHED:
            self.unwatched = 0
            self.drift.note(*self.live.counts())
        if self.on_round is not None:
            self.on_round(row, label, weight, prediction)
        return prediction

    def _start_shadow(self, entry: StartShadow, _: bytes) -> Reply:
        self.shadow, self.shadow_failed, self.paired = self._open(entry.file), None, Paired()
        return Done(self.sequence)

    def _stop_shadow(self, _: StopShadow, __: bytes) -> Reply:
        self._check_shadow()
        self.shadow, self.paired = None, Paired()
        return Done(self.sequence)

    def _promote(self, _: Promote, __: bytes) -> Reply:
        self.live, self.shadow, self.paired = self._check_shadow(), None, Paired()
        self.drift.restart(*self.live.counts())
        return Done(self.sequence)

    def _roll_back(self, entry: Rollback, _: bytes) -> Reply:
        self.live = self._open(entry.file)
        self.drift.restart(*self.live.counts())
        return Done(self.sequence)

    def _check_shadow(self) -> Served:
        if self.shadow is None:
            raise RefusalError(HTTPStatus.CONFLICT, "conflict", "there is no shadow; start one first")
        return self.shadow


def _short(key: str | None) -> str:
    shown = repr(key)
    return shown if len(shown) <= 60 else shown[:57] + "..."
