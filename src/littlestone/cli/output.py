"""Where a command leaves what it found: files that are checked before the work begins, and a report and figures."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, final

from littlestone.cli.text import say
from littlestone.errors import InvalidParameter
from littlestone.lazy import click
from littlestone.outputs import Kind, check_writable, is_of_kind

if TYPE_CHECKING:
    from littlestone.report import Section

COMMAND = "littlestone.command"
"""Where the context of a command has it as it was typed."""
_HELD = rb'\{"library": "[^"]*", "kind": "(\w+)"'
"""How the header of a model begins."""


def _holds(*kinds: str) -> Callable[[bytes], bool]:
    """Whether a file begins as a model does that holds one of these."""

    def begins(first: bytes) -> bool:
        import re

        from littlestone.store.container import MAGIC

        found = re.search(_HELD, first)
        return first.startswith(MAGIC) and found is not None and found[1].decode() in kinds

    return begins


def _are_predictions(first: bytes) -> bool:
    """A number per line, or behind a tab; or words that are in no format of data."""
    from littlestone.streams.formats import detected_format

    lines = first.split(b"\n")[:-1] or [first]
    return all(_is_number(line.rpartition(b"\t")[2]) or detected_format(line) is None for line in lines)


def _is_number(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


LEARNER = Kind("the model of a learner", _holds("learner", "conformal"))
MIXTURE = Kind("a mixture of experts", _holds("mixture"))
PREDICTIONS = Kind("predictions", _are_predictions)
REPORT = Kind("a report of littlestone", lambda first: first.startswith(b"<!DOCTYPE html>") and b"littlestone" in first)
EXPORT = Kind("an exported model", lambda first: first.startswith(b'{\n "rule"') or b"littlestone" in first[:32])
FIGURE = Kind("a figure", lambda first: first.startswith((b"\x89PNG", b"<?xml", b"<svg", b"%PDF", b"%!PS", b"\xff\xd8")))


@final
class Target(NamedTuple):
    """A file that a command is to write, and the flag that names it."""

    flag: str
    path: str | None
    kind: Kind
    instead_of: str | None = None
    """A file that is read and may be replaced all the same: a model that goes on."""


def check_targets(targets: Iterable[Target], inputs: Iterable[str], *, force: bool) -> None:
    """Refuses, before anything is done, what would destroy a file or could not be written in the end.

    Args:
        targets: what is to be written.
        inputs: the files that are read; "-" is standard input.
        force: whether a file that is read, or is of another kind, may be replaced.

    Raises:
        InvalidParameter: if a target is an input, a file of another kind, or another target.
        OSError: if a target cannot be written.
    """
    named = [target for target in targets if target.path is not None]
    read = [place for place in map(_identity, inputs) if place is not None]
    for k, target in enumerate(named):
        assert target.path is not None
        check_writable(target.path)
        _check_apart(target, named[:k])
        if force:
            continue
        place = _identity(target.path)
        if place in read and (target.instead_of is None or place != _identity(target.instead_of)):
            raise InvalidParameter(f"{target.flag} is {target.path}, which is read too; choose another name, or say --force")
        if not is_of_kind(target.path, target.kind):
            held = f"which holds something else and not {target.kind.name}"
            raise InvalidParameter(f"{target.flag} is {target.path}, {held}; choose another name, or say --force to replace it")


def _check_apart(target: Target, others: Sequence[Target]) -> None:
    assert target.path is not None
    for other in others:
        if os.path.realpath(target.path) == os.path.realpath(other.path or "") and not _is_device(target.path):
            raise InvalidParameter(f"{target.flag} and {other.flag} are both {target.path}; give each a file of its own")


def _identity(path: str) -> tuple[int, int] | None:
    """What a file is under all its names; None if it is not there, or is a device, which can be read and written at once."""
    if path != "-" and _is_device(path):
        return None
    try:
        seen = os.fstat(sys.stdin.fileno()) if path == "-" else Path(path).stat()
    except (OSError, ValueError, AttributeError):
        return None
    return seen.st_dev, seen.st_ino


def _is_device(path: str) -> bool:
    return Path(path).is_char_device()


@final
class ReportOptions(NamedTuple):
    """A report, figures, both, or nothing; and whether files in the way may be replaced."""

    report: str | None = None
    figures: str | None = None
    force: bool = False

    def __bool__(self) -> bool:
        return self.report is not None or self.figures is not None

    def check(self, inputs: Iterable[str], *others: Target) -> None:
        """Refuses now what would fail after the work: of these files, and of the others that the command is to write.

        Raises:
            NotApplicable: if a package is missing.
            InvalidParameter: if a file is in the way.
            OSError: if a file cannot be written.
        """
        check_targets([*others, Target("--report", self.report, REPORT)], inputs, force=self.force)
        if not self:
            return
        from littlestone.report.drawing import check_matplotlib
        from littlestone.report.writing import check_packages

        check_matplotlib()
        if self.report is not None:
            check_packages()
        if self.figures is not None and Path(self.figures).exists() and not Path(self.figures).is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), self.figures)

    def write(self, sections: Sequence[Section], files: Sequence[str], *, title: str | None = None) -> None:
        """Writes what is wanted, and says where on standard error."""
        from littlestone.report import draw_figures, provenance, write_report

        if self.report is not None:
            context = click.get_current_context(silent=True)
            command = None if context is None else context.meta.get(COMMAND)
            write_report(list(sections), self.report, title=title, origin=provenance(command, files))
            say(f"Report: {self.report}", err=True)
        if self.figures is not None:
            count = len(draw_figures(list(sections), self.figures))
            say(f"Figures: {count} files in {self.figures}", err=True)
