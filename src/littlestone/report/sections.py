"""What a report says of one run, before it becomes a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from littlestone.report.chart import Chart
    from littlestone.theory.certificate import Certificate


def number(value: float, digits: int = 4) -> str:
    """A number for people: 1,234, −0.05, 1.2e+09.

    Example:
        >>> number(1234.5), number(-0.05), number(3), number(1.234567e9)
        ('1,234', '−0.05', '3', '1.235e+09')
    """
    text = f"{value:,.0f}" if 1e3 <= abs(value) < 1e6 else f"{value:.{digits}g}"
    return text.replace("-", "−", 1) if text.startswith("-") else text


@final
@dataclass(frozen=True)
class Fact:
    """A number worth large print."""

    words: str
    value: str
    detail: str = ""


@final
@dataclass(frozen=True)
class Bars:
    """Names with numbers, drawn as a table with bars; negative numbers point left."""

    title: str
    head: tuple[str, str]
    rows: tuple[tuple[str, float], ...]
    note: str = ""


@final
@dataclass(frozen=True)
class Matrix:
    """Counts of pairs: a row and a column for each name, the diagonal where both are the same."""

    title: str
    corner: str
    """What rows and columns are."""
    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    note: str = ""


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Section:
    """One story: what ran, its numbers, its figures, its tables and its proof."""

    title: str
    lead: str
    facts: tuple[Fact, ...]
    charts: tuple[Chart, ...]
    tables: tuple[Bars | Matrix, ...]
    certificates: tuple[Certificate, ...]
    notes: tuple[str, ...] = ()
