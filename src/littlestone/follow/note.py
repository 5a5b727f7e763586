"""What a model file says of the log that it follows: how far it was read, and what waits for labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, cast, final

from littlestone.delayed import Counts, Remembered
from littlestone.errors import InvalidData
from littlestone.follow.log import Place, Read

if TYPE_CHECKING:
    from collections.abc import Hashable

    from littlestone.labels import Label
    from littlestone.store.container import Json

_VERSION = 1


@final
@dataclass(frozen=True)
class Waiting:
    """What waits for labels."""

    now: float | None
    """The time of the last message; None before the first."""
    counts: Counts
    remembered: Mapping[Hashable, Remembered]

    def to_json(self) -> dict[str, Json]:
        """As it is written."""
        kept = [[id, r.time, r.x, r.prediction, r.label, r.labelled] for id, r in self.remembered.items()]
        return {"now": self.now, "counts": asdict(self.counts), "remembered": cast("Json", kept)}

    @staticmethod
    def of_json(note: Mapping[str, Json]) -> Waiting:
        """As it was written.

        Raises:
            ValueError: if it was not.
        """
        now, counted, kept = note["now"], note["counts"], note["remembered"]
        if not (now is None or _is_number(now)) or not isinstance(counted, dict) or not isinstance(kept, list):
            raise ValueError("what waits for labels")
        wanted = {each.name: each.default for each in fields(Counts)}
        if counted.keys() != wanted.keys() or not all(map(_is_number, counted.values())):
            raise ValueError("the counts")
        known: dict[Hashable, Remembered] = {}
        for id, time, x, said, label, labelled in cast("list[list[Json]]", kept):
            scalars = all(value is None or isinstance(value, str | int | float) for value in (said, label))
            row = isinstance(x, str) or (x is None and labelled is True)
            if not (isinstance(id, str) and _is_number(time) and row and scalars):
                raise ValueError("a row that waits")
            moment = float(cast("float", time))
            known[id] = Remembered(moment, moment, x, cast("Label", said), cast("Label", label), labelled is True)
        return Waiting(None if now is None else float(cast("float", now)), Counts(**cast("dict[str, int]", counted)), known)


@final
@dataclass(frozen=True)
class Note:
    """How far a log was read."""

    positions: Mapping[Place, Read]
    messages: int = 0
    skipped: int = 0
    unlabelled: int = 0
    marks: Mapping[str, str] = field(default_factory=dict)
    """Where the places of the predictions ended."""
    waiting: Waiting | None = None
    """Where there is a topic of labels."""

    def to_json(self) -> Json:
        """As it is written."""
        places: list[Json] = [[*place, read.position, read.number] for place, read in sorted(self.positions.items())]
        note: dict[str, Json] = {
            "follow": _VERSION,
            "positions": places,
            "messages": self.messages,
            "skipped": self.skipped,
            "unlabelled": self.unlabelled,
            "marks": dict(self.marks),
        }
        return note if self.waiting is None else note | self.waiting.to_json()

    @staticmethod
    def of_json(name: str, note: Json) -> Note:
        """As it was written into the file of this name.

        Raises:
            InvalidData: if the file says nothing of a log, or nothing that can be followed.
        """
        if not isinstance(note, dict) or note.get("follow") != _VERSION:
            raise InvalidData(f"{name} is a model that has followed no log; name a file that is not there yet")
        try:
            return _read(note)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise InvalidData(f"{name} is damaged: what it says of the log is not sound: {error}") from None


def _read(note: Mapping[str, Json]) -> Note:
    positions: dict[Place, Read] = {}
    for topic, part, position, number in cast("list[list[Json]]", note["positions"]):
        if not (isinstance(topic, str) and isinstance(position, str | None)):
            raise TypeError("a position")
        positions[Place(topic, _count(part))] = Read(position, _count(number))
    marks = note["marks"]
    if not isinstance(marks, dict):
        raise TypeError("the marks")
    waiting = Waiting.of_json(note) if "remembered" in note else None
    messages, skipped, unlabelled = (_count(note[name]) for name in ("messages", "skipped", "unlabelled"))
    return Note(positions, messages, skipped, unlabelled, {name: str(mark) for name, mark in marks.items()}, waiting)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value and abs(value) < 1e18


def _count(value: Json) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 63:
        raise TypeError("a count")
    return value
