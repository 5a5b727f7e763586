"""What is followed: a log of messages that keeps their order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, final

if TYPE_CHECKING:
    from littlestone.labels import Label


@final
class Place(NamedTuple):
    """A sequence of messages: a partition of a topic, or a stream."""

    topic: str
    partition: int

    def __str__(self) -> str:
        return f"{self.topic}, partition {self.partition}"


@final
class Message(NamedTuple):
    """What was found in a log."""

    place: Place
    position: str
    """Where it stands, as the log says it."""
    time: int
    """In milliseconds, as the log says it."""
    key: str | None
    value: bytes

    def raw_key(self) -> bytes | None:
        """The key as it came: bytes of any kind."""
        return None if self.key is None else self.key.encode("utf-8", "surrogateescape")


@final
class Published(NamedTuple):
    """A prediction for a message."""

    message: Message
    prediction: Label

    def text(self) -> bytes:
        """As it is published; where the row stands tells which answers were published before a crash."""
        (topic, partition), position = self.message.place, self.message.position
        said = {"prediction": self.prediction, "topic": topic, "partition": partition, "position": position}
        return json.dumps(said).encode()

    @staticmethod
    def source_of(text: bytes) -> tuple[str, int, str] | None:
        """Where the row of a published answer stands; None of what is no answer, for others may write there, too."""
        try:
            said = json.loads(text)
        except (ValueError, RecursionError):
            return None
        match said:
            case {"topic": str(topic), "partition": int(partition), "position": str(position)}:
                return topic, partition, position
        return None


class MessageLog(Protocol):
    """A log of messages that keeps their order, and into which several can be written at once or not at all."""

    def places(self, topic: str) -> list[Place]:
        """The sequences of a topic.

        Raises:
            InvalidData: if there is no such topic.
        """
        ...

    def begin(self, positions: Mapping[Place, Read]) -> dict[Place, Read]:
        """Begins behind the messages that were read; says how far that was, with what was gone before the first in the count.

        Raises:
            InvalidData: if messages behind them are there no more.
        """
        ...

    def fetch(self, seconds: float) -> list[Message]:
        """The next messages of any place, in the order of each; none where none came in time."""
        ...

    def at_end(self, place: Place) -> bool:
        """Whether everything that there was has been fetched."""
        ...

    def publish(self, topic: str, answers: Sequence[Published]) -> None:
        """Writes all answers or none, and returns when they are safe."""
        ...

    def marks(self, topic: str) -> dict[str, str]:
        """Where the places of a topic end now."""
        ...

    def since(self, topic: str, marks: Mapping[str, str]) -> Iterable[bytes]:
        """What was published behind these marks."""
        ...

    def close(self) -> None:
        """Ends the connection."""
        ...


@final
class Read(NamedTuple):
    """How far a place was read."""

    position: str | None = None
    """Of the last message; None before the first."""
    number: int = 0
    """How many messages there were."""
