"""How the command line shows things to people: colours on a terminal, plain text anywhere else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from littlestone.theory import Certificate

_COLOURS = {"holds": "green", "vacuous": "yellow", "unproved": "cyan", "violated": "red"}


def say(text: str = "", *, err: bool = False, colour: str | None = None, bold: bool = False, dim: bool = False) -> None:
    """A line; colours and weights are left out where the output is not a terminal."""
    click.echo(click.style(text, fg=colour, bold=bold or None, dim=dim or None), err=err)


def say_certificates(certificates: Iterable[Certificate], *, err: bool = False) -> None:
    """Two lines each, the verdict in colour."""
    for certificate in certificates:
        say_certificate(certificate, err=err)


def say_proof(certificates: Sequence[Certificate], *, most: int | None, every: bool, hint: str) -> None:
    """The certificates that say something, at most so many, or every one; and how many there are besides."""
    telling = [c for c in certificates if every or c.verdict.value != "unproved"]
    say_certificates(telling[:most])
    silent, left = len(certificates) - len(telling), len(telling) - len(telling[:most])
    if not certificates:
        say("No theorem here speaks of this rule.", colour="yellow")
    if left:
        say(f"and {left} more", dim=True)
    if silent:
        say(f"{silent} unproved, where an assumption fails or cannot be checked; {hint}.", dim=True)


def say_certificate(certificate: Certificate, *, err: bool = False) -> None:
    """The two lines of a certificate, its verdict in colour."""
    verdict = certificate.verdict.value
    first, second = str(certificate).split("\n", 1)
    head, tail = first.split(f": {verdict}: ", 1)
    click.echo(f"{head}: {click.style(verdict, fg=_COLOURS[verdict], bold=True)}: {tail}", err=err)
    say(second, err=err, dim=True)


def say_table(head: Sequence[str], rows: Iterable[Sequence[str]], *, title: str = "") -> None:
    """Columns: the first to the left, the others, which are numbers, to the right."""
    lines = [tuple(head), *(tuple(row) for row in rows)]
    widths = [max(len(line[k]) for line in lines) for k in range(len(head))]
    if title:
        say(title, bold=True)
    for number, line in enumerate(lines):
        cells = [line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))]
        say("  ".join(cells).rstrip(), dim=number == 0)
