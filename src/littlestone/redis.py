"""Following a Redis stream (the extra `redis`): the position lives in the model file, so that every entry is learned once.

An entry has the field "value", the row or the label, and may have the field "key". Let the server sync what it acknowledges
(`appendfsync always`): a stream that loses its last entries in a power cut has a model that has read them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast, final

from redis import Redis
from redis.exceptions import BusyLoadingError as NotReady
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as TooSlow

from littlestone.errors import InvalidData, InvalidParameter
from littlestone.follow.follower import Followed, followed
from littlestone.follow.log import Message, Place, Published, Read
from littlestone.follow.reading import AS_JSON, FOR_EVER, Habits, Reading, Topics

if TYPE_CHECKING:
    import os

    from littlestone.learner import Learner

Result = TypeVar("Result")
Entry: TypeAlias = "tuple[bytes, dict[bytes, bytes]]"

_AT_ONCE = 2000
"""Entries that are fetched in one call."""
_FIRST = "0-0"
_SILENCE = 1.0
"""After how many seconds it is told that a server is waited for."""
_PATIENCE = 30.0
"""How long to wait for a server that is gone, which may be starting anew."""


def follow(
    stream: str,
    learner: Learner,
    *,
    server: str,
    model: str | os.PathLike[str],
    labels: str | None = None,
    predictions: str | None = None,
    reading: Reading = AS_JSON,
    habits: Habits = FOR_EVER,
) -> Followed:
    """Learns the entries of a stream in order, and goes on where the model file says that it stopped.

    As `littlestone.kafka.follow`, with streams in place of topics.

    Args:
        stream: the stream of rows.
        learner: what begins if there is no model file; else the model file has to hold a learner of the same rule.
        server: "redis://host:port/0".
        model: the model file.
        labels: a stream of labels that come later, each under the key of its row.
        predictions: a stream that predictions are written to.
        reading: what an entry holds.
        habits: when the model file is written and when to stop.

    Raises:
        InvalidData: for a malformed entry; for a stream that is not there, or has lost entries that were not read yet.
    """
    topics = Topics(rows=stream, labels=labels, predictions=predictions)
    return followed(RedisLog(server), learner, model, topics, reading, habits)


@final
class RedisLog:
    """The streams of a server."""

    def __init__(self, server: str) -> None:
        self._server = server
        try:
            self._redis = Redis.from_url(server)
        except (ValueError, TypeError, AttributeError):
            raise InvalidParameter(f"server is {server!r}; expected one like redis://127.0.0.1:6379/0") from None
        self._read: dict[str, str] = {}
        self._ended: set[str] = set()

    def places(self, topic: str) -> list[Place]:
        """The stream itself: it has one part."""
        if not self._patient(lambda: self._redis.exists(topic)):
            raise InvalidData(f"the stream {topic} is not there; add an entry to it first, or correct its name")
        return [Place(topic, 0)]

    def begin(self, positions: Mapping[Place, Read]) -> dict[Place, Read]:
        """Begins behind the entries that were read."""
        self._read = {place.topic: read.position or _FIRST for place, read in positions.items()}
        return {place: self._checked(place.topic, read) for place, read in positions.items()}

    def _checked(self, stream: str, read: Read) -> Read:
        """Refuses a stream that was trimmed behind what was read: more is gone than was gone before and met since."""
        info = cast("dict[str, object]", self._patient(lambda: self._redis.xinfo_stream(stream)))
        if "entries-added" not in info:
            raise InvalidData(f"the server {self._server} does not count the entries of a stream; Redis does from 7.0 on")
        gone = int(cast("int", info["entries-added"])) - int(cast("int", info["length"]))
        if read.position is None:
            return Read(None, gone)
        last, known = cast("bytes", info["last-generated-id"]).decode(), f"the model has read up to {read.position}"
        if _number(last) < _number(read.position):
            raise InvalidData(f"the stream {stream} ends at {last}, and {known}: it is another stream; begin a new model")
        if gone > read.number:
            lost = f"{gone - read.number:,} entries are gone that were not read"
            raise InvalidData(f"the stream {stream} was trimmed, and {known}: {lost}; begin a new model")
        return read

    def fetch(self, seconds: float) -> list[Message]:
        """The next entries of every stream; where none came in time, all have ended."""
        wait = max(1, int(1000 * seconds))
        behind = cast("dict[str | bytes | memoryview, str | bytes | memoryview | int]", self._read)
        found = self._patient(lambda: self._redis.xread(dict(behind), count=_AT_ONCE, block=wait)) or []
        messages: list[Message] = []
        for name, entries in cast("list[tuple[bytes, list[Entry]]]", found):
            stream = name.decode()
            messages += [_message(Place(stream, 0), entry) for entry in entries]
            self._read[stream] = entries[-1][0].decode()
        fetched = {message.place.topic for message in messages}
        self._ended = set(self._read) - fetched if messages else set(self._read)
        return messages

    def at_end(self, place: Place) -> bool:
        """Whether the last call found nothing behind what was read."""
        return place.topic in self._ended

    def publish(self, topic: str, answers: Sequence[Published]) -> None:
        """In one transaction of the server; if the connection is lost, it is seen in the stream whether they were written."""
        before = self.marks(topic)

        def write() -> None:
            if answers[0].text() in self.since(topic, before):
                return
            pipe = self._redis.pipeline(transaction=True)
            for answer in answers:
                key = answer.message.raw_key()
                pipe.xadd(topic, {"value": answer.text()} if key is None else {"key": key, "value": answer.text()})
            pipe.execute()

        self._patient(write)

    def marks(self, topic: str) -> dict[str, str]:
        """The id of the last entry."""
        return {"0": self._patient(lambda: _last(self._redis, topic))}

    def since(self, topic: str, marks: Mapping[str, str]) -> Iterator[bytes]:
        """The entries behind a mark."""
        last = marks.get("0", _FIRST)
        while found := self._patient(partial(self._range, topic, f"({last}")):
            yield from (fields[b"value"] for _, fields in found if b"value" in fields)
            last = found[-1][0].decode()

    def _range(self, topic: str, begin: str) -> list[Entry]:
        return cast("list[Entry]", self._redis.xrange(topic, min=begin, count=_AT_ONCE))

    def close(self) -> None:
        """Ends the connection."""
        self._redis.close()

    def _patient(self, ask: Callable[[], Result]) -> Result:
        """The answer of the server, which may be starting anew, or be slow."""
        begun, told = time.monotonic(), False
        while True:
            try:
                return ask()
            except (NoConnection, NotReady, TooSlow) as error:
                waited = time.monotonic() - begun
                if waited > _PATIENCE:
                    raise InvalidData(f"the server {self._server} does not answer: {error}") from None
                if waited > _SILENCE and not told:
                    told = True
                    print(f"the server {self._server} does not answer; asking for {_PATIENCE:g} s: {error}", file=sys.stderr)
                time.sleep(0.1)
            except RedisError as error:
                raise InvalidData(f"the server {self._server} refuses: {error}") from None


def _last(redis: Redis, stream: str) -> str:
    """The id of the last entry; of a stream that is not there, the one before the first."""
    if not redis.exists(stream):
        return _FIRST
    info = cast("dict[str, bytes]", redis.xinfo_stream(stream))
    return info["last-generated-id"].decode()


def _number(position: str) -> tuple[int, int]:
    milliseconds, _, number = position.partition("-")
    if not (milliseconds.isdecimal() and (number or "0").isdecimal() and len(position) <= 41):
        raise InvalidData(f"the model says that it has read up to {position!r}; expected the id of an entry")
    return int(milliseconds), int(number or 0)


def _message(place: Place, entry: Entry) -> Message:
    position, fields = entry
    key = fields.get(b"key")
    text = None if key is None else key.decode("utf-8", "surrogateescape")
    return Message(place, position.decode(), _number(position.decode())[0], text, fields.get(b"value", b""))
