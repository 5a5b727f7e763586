"""A progress bar for long calls; rich is imported only when one is shown."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Self, final

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
    """Tells how far a call has come; a bar is drawn once it has lasted two seconds, so that quick calls show none.

    A clock draws it, so that a solver that says nothing before it is done is seen to be at work: without a total there is
    the time that has gone by. It goes to stderr, and only where that is a terminal. A long call may make long calls of its
    own: the outermost tells for all of them.

    Args:
        words: what is being done.
        total: how many steps there are; None where nobody counts them.
    """

    SECONDS = 2.0
    _lock: ClassVar[threading.RLock] = threading.RLock()
    _outermost: ClassVar[Patience | None] = None

    def __init__(self, words: str, total: int | None = None) -> None:
        self._words, self._total, self._count = words, total, 0
        self._began = time.monotonic()
        self._clock: threading.Timer | None = None
        self._bar: Progress | None = None

    def __enter__(self) -> Self:
        with Patience._lock:
            if Patience._outermost is None:
                Patience._outermost = self
                self._clock = threading.Timer(self.SECONDS, self._draw)
                self._clock.daemon = True
                self._clock.start()
        return self

    def __exit__(self, *_: object) -> None:
        with Patience._lock:
            if self._clock is None:
                return
            self._clock.cancel()
            Patience._outermost = None
            if self._bar is not None:
                self._bar.stop()

    def done(self, count: int, words: str | None = None) -> None:
        """Says that `count` of the total are done, and what comes next."""
        with Patience._lock:
            self._count, self._words = count, words or self._words
            if self._bar is not None:
                self._bar.update(self._bar.task_ids[0], completed=count, description=self._words)

    def _draw(self) -> None:
        from rich.console import Console
        from rich.errors import LiveError
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        console = Console(stderr=True)
        with Patience._lock:
            if Patience._outermost is not self or not console.is_terminal:
                return
            columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
            bar = Progress(*columns, transient=True, console=console)
            bar.add_task(self._words, total=self._total, completed=self._count)
            bar.tasks[0].start_time = self._began
            try:
                bar.start()
            except LiveError:  # the caller draws something already
                return
            self._bar = bar
