"""`littlestone learn FILES` without a flag: the same run, before the flags that there are were loaded.

Most runs are of this kind, and to set up a hundred flags takes longer than to learn some files. Whatever goes wrong is told
by the command with the flags, in its words.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from littlestone.cli.early import begun
from littlestone.cli.imports import quick_imports
from littlestone.errors import LittlestoneError
from littlestone.lazy import click

_failures: list[BaseException] = []


def is_plain(words: Sequence[str]) -> bool:
    """Whether these words are nothing but `learn` and files, and are not looked at by a shell that completes them."""
    files = words[1:]
    flagged = any(word.startswith("-") for word in files)
    return (
        words[:1] == ["learn"] and bool(files) and not flagged and "_LITTLESTONE_COMPLETE" not in os.environ and os.name != "nt"
    )


@contextmanager
def told_in_a_line() -> Iterator[None]:
    """Warnings that a command tells of in a line of its own are not shown as such."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="the squared lengths of rows")
        yield


def learn_plainly(files: Sequence[str]) -> bool:
    """Learns the files by the pool, as the command does; False where the command is to tell what went wrong."""
    try:
        with told_in_a_line():
            _learn(files)
    except (LittlestoneError, OSError, MemoryError, KeyboardInterrupt, click.ClickException) as error:
        _failures.append(error)
    return not _failures


def raise_failure() -> None:
    """In the command itself, which is called with the words of a run that went wrong."""
    if _failures:
        raise _failures.pop()


def _learn(files: Sequence[str]) -> None:
    with quick_imports():
        from littlestone.cli.beginning import Fresh, TypedRule, decided_by
        from littlestone.cli.learn import Output, learn
        from littlestone.cli.output import ReportOptions
        from littlestone.cli.passes import PassPlan
        from littlestone.cli.reading import FileOptions

    readers = begun([FileOptions().reader(file) for file in files])
    output = Output(None, None, ReportOptions(), as_json=False, quiet=False)
    output.check(readers)
    decided = decided_by(readers[0], None)
    fresh = Fresh(average=False, keeps_mean=False, missing="skip", scale=None, calibrate=False)
    learner = fresh.learner(TypedRule(None, {}, rest=False), decided, None)
    learn(learner, readers, plan=PassPlan(), against=None, iid=False, output=output, decided=decided)
