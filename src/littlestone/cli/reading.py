"""How files are read: the options that every command that reads rows has, and what they come to."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Literal, NamedTuple, final

import click

from littlestone.cli.early import CHUNK

if TYPE_CHECKING:
    from littlestone.streams.files import FormatName, Reader

_FORMATS = click.Choice(["svmlight", "vw", "csv", "tsv", "jsonl", "arrow", "cache"])


@final
class Reading(NamedTuple):
    """What was said of the files; a command gets it as `reading`."""

    form: FormatName | None
    bits: int | None
    label: str | None
    on_error: Literal["raise", "skip"]

    def reader(self, file: str, *, cache: bool = False, chunk: int = CHUNK) -> Reader:
        """A reader of one of the files."""
        from littlestone.streams.files import read

        return read(file, format=self.form, chunk=chunk, bits=self.bits, label=self.label, on_error=self.on_error, cache=cache)


_OPTIONS = (
    click.option("--format", "form", type=_FORMATS, help="The format; by default it goes by name and content."),
    click.option("--bits", type=click.IntRange(1, 30), help="Hash features to 2^BITS columns."),
    click.option("--label", help="The column or key of the label (CSV, JSON lines, Arrow)."),
    click.option(
        "--on-error", type=click.Choice(["raise", "skip"]), default="raise", show_default=True, help="Malformed lines."
    ),
)


def reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options, which reach the command as one value."""

    @wraps(command)
    def read_so(
        form: FormatName | None, bits: int | None, label: str | None, on_error: Literal["raise", "skip"], **given: object
    ) -> None:
        command(reading=Reading(form, bits, label, on_error), **given)

    for option in reversed(_OPTIONS):
        read_so = option(read_so)
    return read_so
