"""The progressive-validation table, and under it a bar where there is a terminal and time to look at it."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Self, final

from littlestone.cli.text import say

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from littlestone.ledger import Ledger
    from littlestone.streams.files import Reader

_PATIENCE = 1.0
"""Seconds before a bar is drawn: a quick run shows none."""
_REST = 0.1
"""Seconds between two movements of the bar."""
_COMPRESSED = (".gz", ".zst", ".parquet", ".arrow", ".feather")


@final
class Progress:
    """A line whenever the number of examples has doubled: error so far and since the last line."""

    def __init__(self, readers: list[Reader], passes: int, *, labels: bool, quiet: bool) -> None:
        self._labels, self._quiet = labels, quiet
        self._next = 1
        self._last: tuple[int, float] = (0, 0.0)
        self._chunks = 0
        self._chunk = readers[0].chunk if readers else 0
        self._total = _bytes(readers, passes)
        self._bar: Bar | None = None
        self._moved = time.monotonic() + _PATIENCE if not quiet and sys.stderr.isatty() else float("inf")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def due(self, rounds: int) -> bool:
        """A chunk was learned: whether it is time for a line, or for the bar to move."""
        self._chunks += 1
        return time.monotonic() > self._moved or (not self._quiet and rounds >= self._next)

    def after(self, ledger: Ledger, *, last: bool = False) -> None:
        """Prints a line if it is time, or if it is the last, and moves the bar."""
        if time.monotonic() > self._moved:
            self._try_to_move(ledger)
        rounds, total = self._last
        if self._quiet or ledger.rounds == rounds or (ledger.rounds < self._next and not last):
            return
        if rounds == 0:
            measure = "error" if self._labels else "MAE" if ledger.targets else "loss"
            say(f"{measure:>12} {'since last':>12} {'examples':>14} {'updates':>14}", err=True, dim=True)
        now = float(ledger.shown_errors) if self._labels else ledger.absolute_error if ledger.targets else ledger.loss
        lately = (now - total) / (ledger.rounds - rounds)
        self._print(f"{now / ledger.rounds:>12.6f} {lately:>12.6f} {ledger.rounds:>14,} {ledger.updates:>14,}")
        self._last, self._next = (ledger.rounds, now), 2 * ledger.rounds

    def _print(self, line: str) -> None:
        if self._bar is not None:
            self._bar.console.print(line, highlight=False, markup=False)
        else:
            say(line, err=True)

    def _try_to_move(self, ledger: Ledger) -> None:
        """A bar that nobody sees any more is no reason to stop."""
        try:
            self._move(ledger)
        except (OSError, SystemExit):  # the library of the bar ends a program whose terminal is gone
            self._bar, self._moved = None, float("inf")

    def _move(self, ledger: Ledger) -> None:
        if self._bar is None:
            self._bar = _bar(self._total)
        self._bar.update(self._bar.task_ids[0], completed=self._chunks * self._chunk, rows=f"{ledger.rounds:,} rows")
        self._moved = time.monotonic() + _REST


def _bar(total: int | None) -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("learning"),
        BarColumn(),
        TextColumn("{task.fields[rows]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    bar.add_task("learning", total=total, rows="")
    bar.start()
    return bar


def _bytes(readers: list[Reader], passes: int) -> int | None:
    """How many bytes there are to read; None where that is not known."""
    total = 0
    for reader in readers:
        path = reader.source.path
        if path is None or not path.is_file() or path.suffix in _COMPRESSED:
            return None
        total += path.stat().st_size
    return total * passes
