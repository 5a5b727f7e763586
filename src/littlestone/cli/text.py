"""How the command line shows things to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from littlestone.theory import Certificate

_COLOURS = {"holds": "green", "vacuous": "yellow", "unproved": "cyan", "violated": "red"}


def print_certificate(console: Console, certificate: Certificate) -> None:
    """The two lines of a certificate, its verdict in colour."""
    verdict = certificate.verdict.value
    first, second = str(certificate).split("\n", 1)
    head, tail = first.split(f": {verdict}: ", 1)
    console.print(f"{head}: ", end="", highlight=False, markup=False)
    console.print(verdict, end="", style=f"bold {_COLOURS[verdict]}")
    console.print(f": {tail}", highlight=False, markup=False, soft_wrap=True)
    console.print(second, style="dim", highlight=False, markup=False, soft_wrap=True)
