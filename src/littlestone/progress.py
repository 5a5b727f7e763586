"""A progress bar for long calls; rich is imported only when one is shown."""

from __future__ import annotations

from collections.abc import Iterator


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
