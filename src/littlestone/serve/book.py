"""The book of ids: rows that wait for their label, and what was answered to whoever may ask again.

Time passes by the times of the records alone, so that a replay forgets what was forgotten.
"""

from __future__ import annotations

from typing import final

import msgspec

from littlestone.errors import InvalidData
from littlestone.serve.entries import Limits, Outcome, Prediction, Row
from littlestone.serve.errors import UNREADABLE

_MICROSECONDS = 1_000_000


@final
class Told(msgspec.Struct, array_like=True, frozen=True):
    """The label that came, and what was answered."""

    label: Outcome
    weight: float
    prediction: Prediction
    version: int


@final
class Known(msgspec.Struct, array_like=True, frozen=True):
    """What is known of an id."""

    time: int
    """When it came into the part of the book where it is."""
    digest: bytes
    """Of the entry that it came with: the same id with another one is refused."""
    version: int
    prediction: Prediction | list[Prediction]
    row: Row | None = None
    """While it waits for its label."""
    told: Told | None = None
    expired: bool = False
    """No label came in time."""

    @property
    def size(self) -> int:
        """How many predictions are remembered with it."""
        return len(self.prediction) if isinstance(self.prediction, list) else 1


@final
class _Written(msgspec.Struct, array_like=True, frozen=True):
    limits: Limits
    waiting: dict[str, Known]
    remembered: dict[str, Known]
    expired: int


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Written).decode


@final
class Book:
    """Ids in two parts, each in the order of time: those that wait, and those that are remembered."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.expired = 0
        """How many rows were given up."""
        self._waiting: dict[str, Known] = {}
        self._remembered: dict[str, Known] = {}
        self._size = 0

    @property
    def waiting(self) -> int:
        """How many rows wait for their label."""
        return len(self._waiting)

    @property
    def remembered(self) -> int:
        """How many predictions are remembered besides."""
        return self._size

    def __bool__(self) -> bool:
        return bool(self._waiting or self._remembered)

    def find(self, key: str) -> Known | None:
        """What is known of an id."""
        return self._waiting.get(key) or self._remembered.get(key)

    def ask(self, key: str, known: Known) -> None:
        """A row begins to wait."""
        self._waiting[key] = known

    def remember(self, key: str, known: Known) -> None:
        """What was answered is kept for whoever asks again; a row under the id waits no longer."""
        self._waiting.pop(key, None)
        self._remembered[key] = known
        self._size += known.size

    def forget(self, time: int) -> None:
        """Lets go of what is too old or too much; the oldest are in front."""
        if not self:
            return
        limits = self.limits
        while self._waiting:
            key, known = next(iter(self._waiting.items()))
            if len(self._waiting) <= limits.waiting and time - known.time <= limits.waiting_seconds * _MICROSECONDS:
                break
            self.expired += 1
            self.remember(key, msgspec.structs.replace(known, time=time, row=None, expired=True))
        while self._remembered:
            key, known = next(iter(self._remembered.items()))
            if self._size <= limits.remembered and time - known.time <= limits.remembered_seconds * _MICROSECONDS:
                break
            del self._remembered[key]
            self._size -= known.size

    def copy(self) -> Book:
        """A book of its own with the same content."""
        twin = Book(self.limits)
        twin._waiting, twin._remembered = dict(self._waiting), dict(self._remembered)
        twin._size, twin.expired = self._size, self.expired
        return twin

    def written(self) -> bytes:
        """The book as JSON."""
        return _encode(_Written(self.limits, self._waiting, self._remembered, self.expired))

    @staticmethod
    def read(content: bytes) -> Book:
        """The book that was written.

        Raises:
            InvalidData: if it is not one.
        """
        try:
            found = _decode(content)
        except UNREADABLE as error:
            raise InvalidData(f"the book of ids is damaged: {error}") from None
        book = Book(found.limits)
        book._waiting, book._remembered, book.expired = found.waiting, found.remembered, found.expired
        book._size = sum(known.size for known in found.remembered.values())
        return book
