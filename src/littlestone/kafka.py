"""Following a Kafka topic (the extra `kafka`): offsets live in the model file, so that every message is learned once.

A plain consumer is assigned its partitions and told where to begin; no consumer group keeps anything. Predictions are
written in transactions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, final

from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition

from littlestone.errors import InvalidData, InvalidParameter
from littlestone.follow.follower import Followed, followed
from littlestone.follow.log import Message, Place, Published, Read
from littlestone.follow.reading import AS_JSON, FOR_EVER, Habits, Reading, Topics

if TYPE_CHECKING:
    import os

    from confluent_kafka import Message as Found

    from littlestone.learner import Learner

_AT_ONCE = 2000
"""Messages that are fetched in one call."""
_SECONDS = 30.0
"""How long to wait for a broker."""
_END = KafkaError._PARTITION_EOF
_GONE = (KafkaError._AUTO_OFFSET_RESET, KafkaError.OFFSET_OUT_OF_RANGE)
_ANEW = "begin a new model"


def follow(
    topic: str,
    learner: Learner,
    *,
    servers: str,
    model: str | os.PathLike[str],
    labels: str | None = None,
    predictions: str | None = None,
    reading: Reading = AS_JSON,
    habits: Habits = FOR_EVER,
    config: Mapping[str, str] | None = None,
) -> Followed:
    """Learns the messages of a topic in order, and goes on where the model file says that it stopped.

    The model file holds the learner and the offset of every partition, written in one step: kill the process at any
    moment, and the next one goes on with the same bits. Messages of several partitions, and of the topic of labels, are
    taken in the order of their timestamps.

    Args:
        topic: the topic of rows.
        learner: what begins if there is no model file; else the model file has to hold a learner of the same rule.
        servers: "host:port", several between commas.
        model: the model file.
        labels: a topic of labels that come later, each under the key of its row: a number or a text as JSON, or an object with
            "label". Rows are then predicted when they come and learned when their label comes.
        predictions: a topic that predictions are written to, each under the key of its row, once.
        reading: what a message holds, such as `Reading(format="vw", bits=20)`.
        habits: when the model file is written, how long rows wait for their labels, what becomes of malformed messages and
            when to stop, such as `Habits(every=100, until_end=True)`.
        config: further settings of librdkafka, such as those of a secure connection.

    Raises:
        InvalidData: for a malformed message; for a topic that is not there, or that begins behind the offset in the model file.
    """
    log = KafkaLog({**(config or {}), "bootstrap.servers": servers}, writer=f"littlestone-{topic}-{predictions}")
    topics = Topics(rows=topic, labels=labels, predictions=predictions)
    return followed(log, learner, model, topics, reading, habits)


@final
class KafkaLog:
    """The topics of a cluster."""

    def __init__(self, config: Mapping[str, str], *, writer: str) -> None:
        self._config, self._writer = dict(config), writer
        try:
            self._consumer = self._reader()
            self._asking = self._reader()  # behind a consumer that waits for messages a question would wait, too
        except (KafkaException, TypeError, ValueError) as error:
            raise InvalidParameter(f"the settings of Kafka are refused: {_words(error)}") from None
        self._producer: Producer | None = None
        self._ended: set[Place] = set()

    def places(self, topic: str) -> list[Place]:
        """The partitions of a topic."""
        with _told(f"no broker of {self._config['bootstrap.servers']} has answered"):
            found = self._asking.list_topics(topic, _SECONDS).topics[topic]
        if found.error is not None or not found.partitions:
            raise InvalidData(f"the topic {topic} is not there: {found.error.str() if found.error else 'it has no partition'}")
        return [Place(topic, number) for number in sorted(found.partitions)]

    def begin(self, positions: Mapping[Place, Read]) -> dict[Place, Read]:
        """Begins behind the offsets that were read."""
        with _told("the topics cannot be read"):
            self._consumer.assign([self._start(place, read) for place, read in positions.items()])
        return dict(positions)

    def _start(self, place: Place, read: Read) -> TopicPartition:
        low, high = self._ends(place)
        if read.position is None:
            return TopicPartition(*place, low)
        following, known = _offset(read.position) + 1, f"the model has read up to {read.position}"
        if following < low:
            raise InvalidData(f"{place} begins at offset {low}, and {known}: {low - following:,} messages are gone; {_ANEW}")
        if following > high:
            raise InvalidData(f"{place} ends at offset {high}, and {known}: it is another topic; {_ANEW}")
        return TopicPartition(*place, following)

    def fetch(self, seconds: float) -> list[Message]:
        """The next messages, and news of ends."""
        messages = []
        with _told("the topics cannot be read"):
            fetched = self._consumer.consume(_AT_ONCE, seconds)
        for found in fetched:
            place = Place(str(found.topic()), int(found.partition() or 0))
            error = found.error()
            if error is None:
                self._ended.discard(place)
                messages.append(_message(place, found))
            elif error.code() == _END:
                self._ended.add(place)
            elif error.code() in _GONE:
                raise InvalidData(f"{place} was cut behind what the model has read: messages are gone; {_ANEW}")
            elif error.fatal() or not error.retriable():
                raise InvalidData(f"{place} cannot be read: {error.str()}")
        return messages

    def at_end(self, place: Place) -> bool:
        """Whether the end was met."""
        return place in self._ended

    def publish(self, topic: str, answers: Sequence[Published]) -> None:
        """In one transaction."""
        producer = self._writing()
        with _told(f"the topic {topic} cannot be written"):
            producer.begin_transaction()
            try:
                for answer in answers:
                    _produce(producer, topic, answer)
                producer.commit_transaction(_SECONDS)
            except KafkaException:
                producer.abort_transaction(_SECONDS)
                raise

    def marks(self, topic: str) -> dict[str, str]:
        """The offset behind the last message of each partition."""
        return {str(place.partition): str(self._ends(place)[1]) for place in self.places(topic)}

    def since(self, topic: str, marks: Mapping[str, str]) -> Iterator[bytes]:
        """What was committed behind the marks; a transaction that a killed follower has left open is ended first."""
        self._writing()
        reader = self._reader()
        try:
            ends = {place: self._ends(place)[1] for place in self.places(topic)}
            begins = {place: _offset(marks.get(str(place.partition), "0")) for place in ends}
            left = {place for place, end in ends.items() if begins[place] < end}
            reader.assign([TopicPartition(*place, begins[place]) for place in left])
            while left:
                for found in reader.consume(_AT_ONCE, 1.0):
                    error, value = found.error(), found.value()
                    if error is not None and error.code() == _END:
                        left.discard(Place(topic, int(found.partition() or 0)))
                    elif error is None and value is not None:
                        yield value
        finally:
            reader.close()

    def close(self) -> None:
        """Ends the connection."""
        self._consumer.close()
        self._asking.close()

    def _reader(self) -> Consumer:
        own = {"group.id": "littlestone", "enable.auto.commit": False, "auto.offset.reset": "error"}
        return Consumer({**own, "enable.partition.eof": True, "isolation.level": "read_committed", **self._config})

    def _writing(self) -> Producer:
        if self._producer is None:
            with _told("no transaction can be begun"):
                producer = Producer({**self._config, "transactional.id": self._writer})
                producer.init_transactions(_SECONDS)
            self._producer = producer
        return self._producer

    def _ends(self, place: Place) -> tuple[int, int]:
        with _told(f"the ends of {place} are not known"):
            found = self._asking.get_watermark_offsets(TopicPartition(*place), _SECONDS)
        if found is None:
            raise InvalidData(f"the ends of {place} are not known: no broker has answered")
        return int(found[0]), int(found[1])


@contextmanager
def _told(what: str) -> Iterator[None]:
    """Whatever Kafka says is said as one of our sentences."""
    try:
        yield
    except KafkaException as error:
        raise InvalidData(f"{what}: {_words(error)}") from None


def _words(error: Exception) -> str:
    said = error.args[0] if error.args else error
    return " ".join(str(said.str() if isinstance(said, KafkaError) else said).split())


def _produce(producer: Producer, topic: str, answer: Published) -> None:
    while True:
        try:
            producer.produce(topic, key=answer.message.raw_key(), value=answer.text())
        except BufferError:  # the queue to the broker is full
            producer.poll(0.1)
        else:
            return


def _offset(position: str) -> int:
    if not position.isdecimal() or len(position) > 18:
        raise InvalidData(f"the model says that it has read up to {position!r}; expected an offset")
    return int(position)


def _message(place: Place, found: Found) -> Message:
    key, value = found.key(), found.value()
    text = key.decode("utf-8", "surrogateescape") if isinstance(key, bytes) else key
    raw = value if isinstance(value, bytes) else (value or "").encode()
    return Message(place, str(found.offset()), int(found.timestamp()[1]), text, raw)
