"""A learner that follows a log, and whose model file says how far it has read."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, final

from littlestone.delayed import Counts, Delayed, DelayedSnapshot
from littlestone.errors import InvalidData, LittlestoneError, NotApplicable
from littlestone.follow.log import Place, Published, Read
from littlestone.follow.note import Note, Waiting
from littlestone.follow.reading import Texts
from littlestone.learner import Learner
from littlestone.loop import Interrupts
from littlestone.store import load_noted, save_noted

if TYPE_CHECKING:
    import os

    from littlestone.follow.log import Message, MessageLog
    from littlestone.follow.reading import Habits, Reading, Topics
    from littlestone.labels import Label
    from littlestone.ledger import Ledger
    from littlestone.streams.rows import Rows

_FETCHED = 0.2
"""Seconds to wait for messages before looking around."""


@final
@dataclass
class Followed:
    """What came of following a log."""

    learner: Learner
    messages: int = 0
    """Taken in this run and in those before."""
    skipped: int = 0
    """Malformed messages that were passed over (`on_error="skip"`)."""
    unlabelled: int = 0
    """Rows without a label, which were predicted only."""
    positions: dict[Place, Read] = field(default_factory=dict)
    counts: Counts = field(default_factory=Counts)
    """Of predictions and labels, where labels come later."""

    @property
    def ledger(self) -> Ledger:
        """The ledger of the learner."""
        return self.learner.ledger


def followed(
    log: MessageLog, learner: Learner, model: str | os.PathLike[str], topics: Topics, reading: Reading, habits: Habits
) -> Followed:
    """Follows a log to where the habits say, and ends the connection, whatever happens."""
    try:
        return Follower(log, learner, model, topics=topics, reading=reading, habits=habits).run()
    finally:
        log.close()


@final
class Follower:
    """A learner, a log, and the model file that holds both the learner and how far the log was read.

    Messages are taken in the order of their times, and of equal times in the order of topics, partitions and positions; a place
    that was read to its end is not waited for. Before the model file is written, the answers are published. Answers that
    were published before a crash are found in the log when the follower begins anew, and are not published again.
    """

    def __init__(
        self,
        log: MessageLog,
        learner: Learner,
        model: str | os.PathLike[str],
        *,
        topics: Topics,
        reading: Reading,
        habits: Habits,
    ) -> None:
        self._log, self._model, self._topics, self._reading, self._habits = log, Path(model), topics, reading, habits
        if topics.labels is not None and learner.rule.abilities.alone:
            raise NotApplicable(f"{type(learner.rule).__name__} learns rows alone; there are no labels to wait for")
        self._state = Followed(learner)
        self._delayed: Delayed[Texts] | None = None
        self._marks: Mapping[str, str] = {}
        self._now = 0.0
        noted = load_noted(self._model) if self._model.exists() else None
        if noted is not None:
            kept, note = noted
            self._take_up(kept, Note.of_json(str(self._model), note), learner)
        elif topics.labels is not None:
            self._delayed = Delayed(Texts(learner, reading), expire=habits.expire)
        self._published: set[tuple[str, int, str]] = set()
        self._answers: list[Published] = []
        self._unsaved, self._saved_at = 0, time.monotonic()

    @property
    def state(self) -> Followed:
        """How far it has come."""
        if self._delayed is not None:
            self._state.counts = self._delayed.counts
        return self._state

    def run(self) -> Followed:
        """Follows until the end, the limit, or an interrupt; what was taken is in the model file then.

        Raises:
            InvalidData: for a message that is malformed, naming it; those before it are in the model file.
        """
        places = self._places()
        if not self._model.exists():  # so that what is published before the first commit will be found
            self._commit()
        self._find_published()
        self._state.positions = self._log.begin(self._state.positions)
        waiting: dict[Place, deque[Message]] = {place: deque() for place in places}
        try:
            while not self._done(waiting):
                for message in self._log.fetch(_FETCHED):
                    waiting[message.place].append(message)
                self._take_ready(waiting)
                if self._unsaved and time.monotonic() - self._saved_at >= self._habits.seconds:
                    self._commit()
        finally:
            if self._unsaved:
                self._commit()
        return self.state

    def _places(self) -> list[Place]:
        topics = [self._topics.rows, *([] if self._topics.labels is None else [self._topics.labels])]
        places = [place for topic in topics for place in self._log.places(topic)]
        for place in places:
            self._state.positions.setdefault(place, Read())
        gone = next((place for place in self._state.positions if place not in places), None)
        if gone is not None:
            raise InvalidData(f"{self._model} has read {gone}, which is not followed now; give the topics that it began with")
        return places

    def _done(self, waiting: Mapping[Place, deque[Message]]) -> bool:
        if self._habits.limit is not None and self._state.messages >= self._habits.limit:
            return True
        ended = all(not queue and self._log.at_end(place) for place, queue in waiting.items())
        return self._habits.until_end and ended

    def _take_ready(self, waiting: Mapping[Place, deque[Message]]) -> None:
        """Takes messages as long as it is known which comes next; an interrupt falls between two of them."""
        order = {place: number for number, place in enumerate(waiting)}
        with Interrupts() as interrupts:
            while all(queue or self._log.at_end(place) for place, queue in waiting.items()):
                heads = [queue[0] for queue in waiting.values() if queue]
                if not heads or self._state.messages == self._habits.limit:
                    return
                message = min(heads, key=lambda head: (head.time, order[head.place]))
                self._take(message)
                waiting[message.place].popleft()
                if self._unsaved >= self._habits.every:
                    self._commit()
                interrupts.let_through()

    def _take(self, message: Message) -> None:
        try:
            if message.place.topic == self._topics.labels:
                self._label(message)
            else:
                self._row(message)
        except LittlestoneError as error:
            if self._habits.on_error == "raise":
                raise InvalidData(f"{message.place}, message {message.position}: {error}") from None
            self._state.skipped += 1
        count = self._state.positions[message.place].number + 1
        self._state.positions[message.place] = Read(message.position, count)
        self._state.messages += 1
        self._unsaved += 1

    def _row(self, message: Message) -> None:
        text = message.value.decode("utf-8", "surrogateescape")
        if self._delayed is not None:
            prediction = self._delayed.predict(_key(message), text, self._moment(message))
        else:
            prediction = self._learned(*self._reading.row(text))
        if self._topics.predictions is not None:
            self._answers.append(Published(message, prediction))

    def _learned(self, x: Rows, y: object) -> Label:
        learner = self._state.learner
        if learner.rule.abilities.alone:
            return learner.learn_one(x)
        if y is None or y != y:
            self._state.unlabelled += 1
            return learner.predict_one(x)
        return learner.learn_one(x, y)

    def _label(self, message: Message) -> None:
        assert self._delayed is not None
        self._delayed.label(_key(message), _label_of(message.value), self._moment(message))

    def _moment(self, message: Message) -> float:
        """The time of a message in seconds, which does not go back."""
        assert self._delayed is not None
        self._state.learner = self._delayed.model.learner
        self._now = max(self._now, message.time / 1000.0)
        return self._now

    # The model file.

    def _commit(self) -> None:
        """Publishes, then writes: a crash between the two is seen when the follower begins anew."""
        topic = self._topics.predictions
        if topic is not None:
            fresh = [answer for answer in self._answers if _source(answer.message) not in self._published]
            if fresh:
                self._log.publish(topic, fresh)
            self._published.difference_update(_source(answer.message) for answer in self._answers)
            self._marks = self._log.marks(topic)
        self._answers.clear()
        save_noted(self._state.learner, self._model, self._note().to_json())
        self._unsaved, self._saved_at = 0, time.monotonic()

    def _find_published(self) -> None:
        topic = self._topics.predictions
        if topic is None:
            return
        found = (Published.source_of(text) for text in self._log.since(topic, self._marks))
        self._published.update(source for source in found if source is not None)

    def _note(self) -> Note:
        state = self._state
        return Note(state.positions, state.messages, state.skipped, state.unlabelled, self._marks, self._waiting())

    def _waiting(self) -> Waiting | None:
        if self._delayed is None:
            return None
        known = self._delayed.snapshot()
        return Waiting(known.now if known.clock is not None else None, known.counts, known.remembered)

    def _take_up(self, learner: Learner, note: Note, given: Learner) -> None:
        if learner.rule != given.rule:
            raise InvalidData(f"{self._model} holds {learner.rule!r}, not {given.rule!r}; go on with the rule it began with")
        if (self._topics.labels is not None) != (note.waiting is not None):
            began = "without" if note.waiting is None else "with"
            raise InvalidData(f"{self._model} began {began} a topic of labels; go on {began} it")
        self._marks = note.marks
        self._state = Followed(learner, note.messages, note.skipped, note.unlabelled, dict(note.positions))
        if note.waiting is not None:
            self._remember(note.waiting)

    def _remember(self, waiting: Waiting) -> None:
        """What waits for labels, as it was."""
        now = waiting.now
        texts = Texts(self._state.learner, self._reading)
        clock, moment = (None, float("-inf")) if now is None else ("a number", now)
        self._delayed = Delayed.restored(
            DelayedSnapshot(texts, self._habits.expire, waiting.counts, clock, moment, dict(waiting.remembered))
        )
        self._state.learner = self._delayed.model.learner
        self._now = 0.0 if now is None else now


def _source(message: Message) -> tuple[str, int, str]:
    return (*message.place, message.position)


def _key(message: Message) -> str:
    if message.key is None:
        raise InvalidData("it has no key; rows and their labels find one another by their keys")
    return message.key


def _label_of(value: bytes) -> Label:
    """A label as JSON: a number, a text, a truth value, or an object that has it under "label"."""
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        raise InvalidData(f'got {value[:40]!r}; expected a label as JSON, such as 1 or "spam"') from None
    label = found.get("label") if isinstance(found, dict) else found
    if not isinstance(label, str | int | float):
        raise InvalidData(f'got {value[:40]!r}; expected a label as JSON, or an object that has it under "label"')
    return label
