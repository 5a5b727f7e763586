"""What a journal tells: its records, and the rounds they came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, final

from littlestone.serve.entries import Entry, Outcome, Prediction, Row, decoded
from littlestone.serve.folder import Folder
from littlestone.serve.journal import JournalReader, segments

if TYPE_CHECKING:
    from littlestone.serve.host import Host


@final
class Round(NamedTuple):
    """A round that was learned."""

    sequence: int
    time: int
    row: Row
    label: Outcome
    weight: float
    prediction: Prediction


@final
@dataclass
class JournalHistory:
    """A journal that was gone through from the oldest snapshot on.

    Raises:
        LittlestoneError: if the journal is damaged, naming the record.
    """

    folder: Folder
    start: int = 0
    """The number of the snapshot that it begins after: the records up to there are not in the journal any more."""
    segments: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    first: int | None = None
    """The time of the first record."""
    cut: str | None = None
    """The segment that ends in a torn record, if the last one does."""

    @staticmethod
    def of(path: Path) -> JournalHistory:
        """The history of a folder."""
        folder = Folder.looked_at(path)
        return JournalHistory(folder, folder.snapshots()[0], len(segments(folder.disk)))

    def host(self) -> Host:
        """The model as it was at the start."""
        return self.folder.opened(self.start)

    def entries(self) -> Iterator[tuple[int, int, bytes, Entry]]:
        """Number, time, body and entry of every record."""
        reading = JournalReader(self.folder.disk, self.start)
        for sequence, time, _, body in reading:
            entry = decoded(body)
            self.kinds[type(entry).__name__] += 1
            self.first = time if self.first is None else self.first
            yield sequence, time, body, entry
        self.cut = reading.cut

    def rounds(self, host: Host) -> Iterator[Round]:
        """Replays the records on a host, and yields the rounds that were learned."""
        found: list[Round] = []
        host.on_round = lambda row, label, weight, prediction: found.append(
            Round(host.sequence, host.time, row, label, weight, prediction)
        )
        for sequence, time, body, entry in self.entries():
            host.replay_one(sequence, time, body, entry)
            yield from found
            found.clear()
