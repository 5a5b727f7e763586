"""A small titled table for notebooks, in the colours of whatever page it stands on, without scripts or style sheets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final
from xml.etree import ElementTree as ET

from littlestone.report.elements import Element, el

if TYPE_CHECKING:
    from collections.abc import Iterable

    from littlestone.report.sections import Fact

MOST = 12
"""Lines of a table; of more, the first."""

_LONGEST = 300
# Ink is inherited and lines are half transparent, so that a page may be light or dark.
_LINE = "1px solid rgba(128, 128, 128, 0.35)"
_TABLE = "border-collapse: collapse; margin: 0.2em 0; font-size: 0.92em; color: inherit; background: transparent"
_CELL = f"padding: 0.15em 0.9em 0.15em 0; border: none; border-bottom: {_LINE}; background: transparent; color: inherit"
_LEFT, _RIGHT = f"{_CELL}; text-align: left", f"{_CELL}; text-align: right; font-variant-numeric: tabular-nums"
_QUIET = "opacity: 0.75"


@final
@dataclass(frozen=True)
class Card:
    """A title, a sentence, and lines of cells: the first of a line is its name, the last may be a remark."""

    title: str
    rows: tuple[tuple[str, ...], ...] = ()
    head: tuple[str, ...] = ()
    lead: str = ""
    notes: tuple[str, ...] = ()

    @staticmethod
    def of_facts(title: str, facts: Iterable[Fact], lead: str = "", notes: tuple[str, ...] = ()) -> Card:
        """A line a fact."""
        return Card(title, tuple((fact.words, fact.value, fact.detail) for fact in facts), lead=lead, notes=notes)

    def html(self) -> str:
        """The card as an element; whatever a text holds is written as text."""
        return ET.tostring(self.element(), encoding="unicode", method="html")

    def element(self) -> Element:
        """The card as a tree."""
        shown = self.rows[:MOST]
        rest = [f"{len(self.rows) - len(shown):,} more"] if len(self.rows) > len(shown) else []
        lines = [_line("th", self.head, self._numeric())] if self.head else []
        lines += [_line("td", row, self._numeric()) for row in shown]
        return el(
            "div",
            el("b", _cut(self.title)),
            el("div", self.lead) if self.lead else None,
            el("table", el("tbody", *lines), style=_TABLE) if lines else None,
            *(el("div", note, style=_QUIET) for note in (*rest, *self.notes)),
            class_="littlestone",
            style="line-height: 1.4; color: inherit",
        )

    def _numeric(self) -> set[int]:
        """The columns of numbers, which stand to the right; without a head, those after the second are remarks."""
        wide = max((len(row) for row in self.rows), default=0) if self.head else 2
        cells = {k: [row[k] for row in self.rows if len(row) > k and row[k]] for k in range(1, wide)}
        return {k for k, column in cells.items() if all(cell[0].isdigit() or cell[0] in "−-+." for cell in column)}


def _line(tag: str, cells: tuple[str, ...], numeric: set[int]) -> Element:
    return el("tr", *(el(tag, _cut(cell), style=_RIGHT if k in numeric else _LEFT) for k, cell in enumerate(cells)))


def _cut(text: str) -> str:
    """A name may be as long as a stranger likes."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
