"""What stands in the journal: one entry per request that changes something, in the order in which they are applied."""

from __future__ import annotations

from hashlib import blake2b
from typing import Annotated, TypeAlias, final

import msgspec

from littlestone.errors import InvalidData
from littlestone.serve.errors import UNREADABLE

Value: TypeAlias = float | str | bool | None
Row: TypeAlias = dict[str, Value] | list[float | None]
"""Features by name, or columns; advice by expert, for a mixture."""

Whole: TypeAlias = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
Outcome: TypeAlias = bool | Whole | float | str | None
"""A label or a target; None for a rule that learns rows alone."""

Prediction: TypeAlias = bool | int | float | str | None


@final
class Learn(msgspec.Struct, array_like=True, tag=1, frozen=True):
    """One round."""

    row: Row
    label: Outcome
    weight: float = 1.0
    key: str | None = None


@final
class LearnMany(msgspec.Struct, array_like=True, tag=2, frozen=True):
    """Some rounds, all of them or none."""

    rows: list[Row]
    labels: list[Outcome] | None
    weights: list[float] | None = None
    key: str | None = None


@final
class Predict(msgspec.Struct, array_like=True, tag=3, frozen=True):
    """A prediction whose label may come by its id."""

    row: Row
    id: str


@final
class Feedback(msgspec.Struct, array_like=True, tag=4, frozen=True):
    """The label of a prediction."""

    id: str
    label: Outcome
    weight: float = 1.0


@final
class Limits(msgspec.Struct, array_like=True, tag=5, frozen=True):
    """How much the book of ids holds; in the journal, since what it forgot decides what it answers.

    Attributes:
        waiting: rows that wait for their label; one more, and the oldest expires.
        waiting_seconds: how long a row waits.
        remembered: predictions that are remembered for whoever asks again.
        remembered_seconds: how long.
    """

    waiting: int = 100_000
    waiting_seconds: float = 604_800.0
    remembered: int = 100_000
    remembered_seconds: float = 86_400.0


@final
class StartShadow(msgspec.Struct, array_like=True, tag=6, frozen=True):
    """A second model learns beside the first, from this file of the folder on."""

    file: str


@final
class StopShadow(msgspec.Struct, array_like=True, tag=7, frozen=True):
    """The second model is let go."""


@final
class Promote(msgspec.Struct, array_like=True, tag=8, frozen=True):
    """The second model takes the place of the first."""


@final
class Rollback(msgspec.Struct, array_like=True, tag=9, frozen=True):
    """The model becomes again what it was in this file of the folder; the book of ids stays."""

    file: str


Entry: TypeAlias = Learn | LearnMany | Predict | Feedback | Limits | StartShadow | StopShadow | Promote | Rollback


def key_of(entry: Entry) -> str | None:
    """The id that it comes with, if any."""
    if isinstance(entry, (Learn, LearnMany)):
        return entry.key
    return entry.id if isinstance(entry, (Predict, Feedback)) else None


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Entry).decode


def encoded(entry: Entry) -> bytes:
    """The entry as the body of a record."""
    return _encode(entry)


def decoded(body: bytes) -> Entry:
    """The entry that a body holds.

    Raises:
        InvalidData: if it holds none.
    """
    try:
        entry: Entry = _decode(body)
    except UNREADABLE as error:
        raise InvalidData(f"a record holds no entry: {error}") from None
    return entry


def digest(body: bytes) -> bytes:
    """What two bodies have in common only if they are equal."""
    return blake2b(body, digest_size=16).digest()
