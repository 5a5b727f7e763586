"""Where a command leaves what it found: a report and figures, checked before the work begins."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, final

import click

from littlestone.cli.text import say

if TYPE_CHECKING:
    from littlestone.report import Section

Command = TypeVar("Command", bound=Callable[..., object])

_COMMAND = "littlestone.command"


def report_options(command: Command) -> Command:
    """Adds --report and --figures."""
    figures = click.option("--figures", metavar="DIR", help="Draw every figure into this directory, as PNG and SVG.")
    report = click.option("--report", metavar="FILE", help="Write a report: one HTML file that opens offline.")
    return report(figures(command))


def remember(context: click.Context, args: Sequence[str]) -> None:
    """Keeps the command as it was typed, for a report to say how to get it again."""
    context.meta[_COMMAND] = ["littlestone", *args]


@final
@dataclass(frozen=True)
class Wanted:
    """A report, figures, both, or nothing."""

    report: str | None
    figures: str | None

    def __bool__(self) -> bool:
        return self.report is not None or self.figures is not None

    def check(self) -> None:
        """Refuses now what would fail after the work.

        Raises:
            NotApplicable: if a package is missing.
            OSError: if the report cannot be written.
        """
        if not self:
            return
        from littlestone.report.drawing import check_matplotlib
        from littlestone.report.writing import check_packages

        check_matplotlib()
        if self.report is not None:
            check_packages()
            check_writable(self.report)
        if self.figures is not None and Path(self.figures).exists() and not Path(self.figures).is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), self.figures)

    def write(self, sections: Sequence[Section], files: Sequence[str], *, title: str | None = None) -> None:
        """Writes what is wanted, and says where on standard error."""
        from littlestone.report import draw_figures, provenance, write_report

        if self.report is not None:
            context = click.get_current_context(silent=True)
            command = None if context is None else context.meta.get(_COMMAND)
            write_report(list(sections), self.report, title=title, origin=provenance(command, files))
            say(f"Report: {self.report}", err=True)
        if self.figures is not None:
            count = len(draw_figures(list(sections), self.figures))
            say(f"Figures: {count} files in {self.figures}", err=True)


def check_writable(path: str | None) -> None:
    """Refuses a file in a directory that does not exist, or a directory in place of a file.

    Raises:
        OSError: naming the path.
    """
    if path is None:
        return
    if Path(path).is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not Path(path).parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such directory", str(Path(path).parent))
