"""How the command line shows things to people: colours on a terminal, plain text anywhere else."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TextIO

from littlestone.lazy import click

if TYPE_CHECKING:
    from littlestone.theory import Certificate

_COLOURS = {"holds": "green", "vacuous": "yellow", "unproved": "cyan", "violated": "red"}


def _takes_text_alone(stream: TextIO) -> bool:
    """Whether what is printed goes as it is: into a file or a pipe, in a process that has had no need of click so far."""
    return "click" not in sys.modules and stream.encoding == "utf-8" and not stream.isatty() and os.name != "nt"


def _styled(text: str, *, err: bool, colour: str | None = None, bold: bool = False, dim: bool = False) -> str:
    if _takes_text_alone(sys.stderr if err else sys.stdout):
        return text
    return click.style(text, fg=colour, bold=bold or None, dim=dim or None)


def say(text: str = "", *, err: bool = False, colour: str | None = None, bold: bool = False, dim: bool = False) -> None:
    """A line; colours and weights are left out where the output is not a terminal."""
    shown = "\n".join(plain(line) for line in text.split("\n"))
    echo(_styled(shown, err=err, colour=colour, bold=bold, dim=dim), err=err)


def echo(text: str, *, err: bool = False) -> None:
    """Prints a line as it is. Whoever closes our output has seen enough of it; the work goes on, for it may leave files.

    Raises:
        OSError: if there is no room for it.
    """
    stream = sys.stderr if err else sys.stdout
    try:
        if _takes_text_alone(stream):
            stream.write(f"{text}\n")
            stream.flush()
        else:
            click.echo(text, err=err, color=False if os.environ.get("NO_COLOR") else None)
    except BrokenPipeError:
        silence(stream)
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard error" if err else "standard output") from None


def put(lines: Iterable[str]) -> None:
    """Lines to standard output, where they are seen at once.

    Raises:
        BrokenPipeError: if nobody reads them.
        OSError: if there is no room for them.
    """
    try:
        sys.stdout.writelines(lines)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from None


def silence(stream: TextIO) -> None:
    """Lets a stream that nobody reads end in nothing, with whatever it still holds."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, stream.fileno())
    os.close(nothing)


def plain(text: str) -> str:
    r"""Names and labels come from files: what would move a terminal, end a line or hide text is shown as an escape.

    Example:
        >>> print(plain("a\x1b[31m\tb"), plain("süß, 寿司"))
        a\x1b[31m\tb süß, 寿司
    """
    return text if text.isprintable() else "".join(map(_escaped, text))


def field(text: str) -> str:
    r"""A text as a field of a line between tabs; a backslash is doubled, so that no two texts look alike.

    Example:
        >>> print(field("a\tb"), field("a\\tb"))
        a\tb a\\tb
    """
    return plain(text.replace("\\", "\\\\"))


def _escaped(letter: str) -> str:
    from unicodedata import category  # most texts have nothing to hide

    if category(letter) not in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return letter
    number = ord(letter)
    if 0xDC80 <= number <= 0xDCFF:  # a byte of a file name that is not UTF-8
        return f"\\x{number - 0xDC00:02x}"
    return letter.encode("unicode_escape").decode("ascii")


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
    echo(f"{plain(head)}: {_styled(verdict, err=err, colour=_COLOURS[verdict], bold=True)}: {plain(tail)}", err=err)
    say(f"  {certificate.plain}", err=err)
    say(second, err=err, dim=True)


def say_table(head: Sequence[str], rows: Iterable[Sequence[str]], *, title: str = "") -> None:
    """Columns: the first to the left, the others, which are numbers, to the right."""
    lines = [tuple(map(plain, line)) for line in (head, *rows)]
    widths = [max(len(line[k]) for line in lines) for k in range(len(head))]
    if title:
        say(title, bold=True)
    for number, line in enumerate(lines):
        cells = [line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))]
        say("  ".join(cells).rstrip(), dim=number == 0)
