"""How a log is followed: what its messages hold, and how often the model file is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, final

from littlestone.errors import InvalidData, InvalidParameter
from littlestone.streams.files import TextFormat, parse

if TYPE_CHECKING:
    from littlestone.labels import Label
    from littlestone.learner import Learner
    from littlestone.streams.rows import Rows
    from littlestone.streams.scheme import Hashing

OnError: TypeAlias = Literal["raise", "skip"]


@final
@dataclass(frozen=True, kw_only=True)
class Reading:
    """How messages become rows, as `ls.parse` takes it."""

    format: TextFormat = "jsonl"
    """"jsonl", "svmlight", "vw", "csv" or "tsv"."""
    bits: int | None = None
    """Hash features to 2^bits columns."""
    hashing: Hashing = "strings"
    label: str | int | None = None
    """The key or column of the label in a row; None: one called label."""

    def row(self, text: str) -> tuple[Rows, object]:
        """The row of a message, and its label.

        Raises:
            InvalidData: if it is not one row.
        """
        chunk = parse(
            text.encode("utf-8", "surrogateescape"), self.format, bits=self.bits, hashing=self.hashing, label=self.label
        )
        if not text.strip():
            raise InvalidData('it is empty; expected one row (of an entry of Redis, in its field "value")')
        if len(chunk.X) != 1:
            raise InvalidData(f"got {len(chunk.X)} rows; expected one row per message")
        return chunk.X, chunk.y.tolist()[0]


@final
class Texts:
    """A learner that takes a row as the text it came in, so that what waits for its label can be written to a file."""

    def __init__(self, learner: Learner, reading: Reading) -> None:
        self.learner, self._reading = learner, reading
        if learner.rule.abilities.named:
            self.labels = learner.labels  # which says that predictions are right or wrong, and not near or far

    def predict_one(self, x: str) -> Label:
        """The prediction for a text."""
        return self.learner.predict_one(self._reading.row(x)[0])

    def learn_one(self, x: str, y: Label) -> Label:
        """One round; returns the prediction made before."""
        return self.learner.learn_one(self._reading.row(x)[0], y)


@final
@dataclass(frozen=True, kw_only=True)
class Topics:
    """What is read and written: rows, labels that come later under the same keys, and predictions."""

    rows: str
    labels: str | None = None
    predictions: str | None = None

    def __post_init__(self) -> None:
        """Each of them is another one."""
        named = [self.rows, *(name for name in (self.labels, self.predictions) if name is not None)]
        for name in named:
            if not isinstance(name, str) or not name.isprintable() or not name:
                raise InvalidParameter(f"a topic is {name!r}; the name of a topic must be a text")
        if len(set(named)) < len(named):
            raise InvalidParameter(f"the topics are {', '.join(named)}; rows, labels and predictions must be three topics")


@final
@dataclass(frozen=True, kw_only=True)
class Habits:
    """How a log is followed."""

    every: int = 1000
    """So many messages, at most, between two writings of the model file."""
    seconds: float = 1.0
    """So much time, at most, before what was read is written to the model file."""
    expire: float | None = None
    """How many seconds a prediction waits for its label; None waits for ever, and remembers every row."""
    on_error: OnError = "raise"
    """"raise" stops at a malformed message and names it, "skip" counts it and goes on."""
    until_end: bool = False
    """Whether to stop where every topic ends now, instead of waiting for more."""
    limit: int | None = None
    """Stop after so many messages in all."""

    def __post_init__(self) -> None:
        """Checks them."""
        for name, number in (("every", self.every), ("limit", self.limit)):
            if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < 1):
                raise InvalidParameter(f"{name} is {number!r}; {name} must be a whole number, at least 1")
        for name, seconds in (("seconds", self.seconds), ("expire", self.expire)):
            number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
            if seconds is not None and not (number and seconds >= 0.0):
                raise InvalidParameter(f"{name} is {seconds!r}; {name} must be a number of seconds, at least 0")
        if self.on_error not in ("raise", "skip"):
            raise InvalidParameter(f'on_error is {self.on_error!r}; on_error must be one of "raise", "skip"')


AS_JSON = Reading()
"""Messages are JSON lines, with the label under "label"."""
FOR_EVER = Habits()
"""Goes on until somebody stops it."""
