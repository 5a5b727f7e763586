"""Certificates: what a theorem says of a run, in numbers."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import NamedTuple, final

from littlestone.display import Displayed


def whole(bound: float) -> float:
    """The largest whole number up to the bound, a rounding counting for the learner."""
    return math.floor(bound * (1.0 + 1e-12)) if math.isfinite(bound) else bound


@final
class Verdict(enum.Enum):
    """The four things a certificate can say."""

    HOLDS = "holds"
    VACUOUS = "vacuous"
    UNPROVED = "unproved"
    VIOLATED = "violated"

    @property
    def words(self) -> str:
        """What the verdict means."""
        return {
            Verdict.HOLDS: "the assumptions were checked and the inequality is true",
            Verdict.VACUOUS: "true, but the bound says no more than what is always true",
            Verdict.UNPROVED: "an assumption fails or cannot be checked",
            Verdict.VIOLATED: "the assumptions hold and the inequality does not: a bug, here or in the paper",
        }[self]


@final
class Check(NamedTuple):
    """An assumption and whether it was met; None when it cannot be checked on what is there."""

    words: str
    met: bool | None

    def __str__(self) -> str:
        mark = {True: "✓", False: "✗", None: "?"}[self.met]
        return f"{self.words} {mark}"


@final
@dataclass(frozen=True)
class Certificate(Displayed):
    """The theorem, its assumptions checked on the data, and both sides of the inequality."""

    id: str
    source: str
    statement: str
    verdict: Verdict
    quantity: str
    """What is measured, in words."""
    measured: float
    """The left-hand side, read off the run."""
    bound: float
    """The right-hand side; nan where it could not be computed."""
    formula: str
    """The right-hand side as a formula."""
    assumptions: tuple[Check, ...]
    comparator: str = ""
    """What the run was compared with, where it was solved for."""
    hindsight: bool = False
    """Whether the bound reads what the run itself measured: it ranks below one that could be known without the run."""

    @property
    def holds(self) -> bool:
        """Whether the verdict is *holds*."""
        return self.verdict is Verdict.HOLDS

    @property
    def proved(self) -> bool:
        """Whether the assumptions are met and the inequality is true, even if it says no more than what is always true."""
        return self.verdict in (Verdict.HOLDS, Verdict.VACUOUS)

    @property
    def tightness(self) -> float:
        """Measured over bound; nan where there is no bound."""
        return self.measured / self.bound if self.bound > 0 else math.nan

    @property
    def plain(self) -> str:
        """What it says in one sentence without a symbol."""
        from littlestone.theory.plain import plain

        return plain(self)

    def to_dict(self) -> dict[str, object]:
        """Plain values, for machines; None for a number that is not known or not finite, which JSON has no word for."""
        return {
            "id": self.id,
            "source": self.source,
            "statement": self.statement,
            "verdict": self.verdict.value,
            "quantity": self.quantity,
            "measured": self.measured if math.isfinite(self.measured) else None,
            "bound": self.bound if math.isfinite(self.bound) else None,
            "formula": self.formula,
            "assumptions": {check.words: check.met for check in self.assumptions},
            "comparator": self.comparator,
            "hindsight": self.hindsight,
            "plain": self.plain,
        }

    @property
    def relation(self) -> str:
        """The inequality with its numbers, as far as they are known: a risk is bounded without being measured."""
        sides = [] if math.isnan(self.measured) else [_number(self.measured)]
        sides += ["≰" if self.verdict is Verdict.VIOLATED and not self.measured <= self.bound else "≤"]
        sides += [] if math.isnan(self.bound) else [_number(self.bound), "="]
        return " ".join([self.quantity, *sides, self.formula])

    def to_markdown(self) -> str:
        """The certificate as a Markdown section."""
        checks = "\n".join(f"- {line}" for line in self._lines())
        return f"**{self.id}** ({self.verdict.value}): {self.relation}\n\n{self.statement}\n\n{checks}\n\n*{self.source}*\n"

    def to_html(self) -> str:
        """The certificate as an HTML element of its own."""
        return self._repr_html_()

    def _lines(self) -> list[str]:
        """The assumptions and the comparator."""
        notes = [f"against {self.comparator}"] if self.comparator else []
        notes += ["in hindsight: the bound reads the run"] if self.hindsight else []
        return [str(check) for check in self.assumptions] + notes

    def __str__(self) -> str:
        return f"{self.id}: {self.verdict.value}: {self.relation}\n  {self.source}: {'; '.join(self._lines())}"


@final
class Certificates(list[Certificate], Displayed):
    """Certificates, best first; a notebook shows them as one table."""


def _number(value: float) -> str:
    if math.isfinite(value) and value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.6g}" if abs(value) < 1e6 else f"{value:.6g}"
