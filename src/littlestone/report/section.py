"""What a report says of one run, before it becomes a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from littlestone.report.chart import Chart
    from littlestone.theory.certificate import Certificate


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
@dataclass(frozen=True, eq=False, kw_only=True)
class Section:
    """One story: what ran, its numbers, its figures, its tables and its proof."""

    title: str
    lead: str
    facts: tuple[Fact, ...]
    charts: tuple[Chart, ...]
    tables: tuple[Bars, ...]
    certificates: tuple[Certificate, ...]
    notes: tuple[str, ...] = ()
