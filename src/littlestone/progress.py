"""A progress bar for long calls; rich is imported only when one is shown."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Self, final

if TYPE_CHECKING:
    from rich.progress import Progress


def slices(count: int, *, shown: bool, words: str) -> Iterator[slice]:
    """Cuts `count` rounds into slices: one slice, or with a bar about a hundred, each drawn when it is done."""
    if not shown or count == 0:
        yield slice(0, count)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns) as bar:
        task = bar.add_task(words, total=count)
        step = max(1, -(-count // 100))
        for begin in range(0, count, step):
            end = min(begin + step, count)
            yield slice(begin, end)
            bar.update(task, completed=end)


@final
class Patience:
    """Tells how far a call has come; the bar is drawn once it has lasted two seconds, so that quick calls show none.

    A long call may make long calls of its own: the first bar that is drawn is the only one.
    """

    SECONDS = 2.0
    _drawn = False

    def __init__(self, words: str, total: int) -> None:
        self._words, self._total = words, total
        self._began = time.monotonic()
        self._bar: Progress | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
            Patience._drawn = False

    def done(self, count: int) -> None:
        """Says that `count` of the total are done."""
        if self._bar is None and not Patience._drawn and time.monotonic() - self._began > self.SECONDS:
            self._draw()
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=count)

    def _draw(self) -> None:
        from rich.console import Console
        from rich.errors import LiveError
        from rich.progress import Progress

        bar = Progress(transient=True, console=Console(stderr=True))
        bar.add_task(self._words, total=self._total)
        try:
            bar.start()
        except LiveError:  # the caller draws something already
            return
        self._bar, Patience._drawn = bar, True
