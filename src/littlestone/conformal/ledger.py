"""What is counted of sets and outcomes."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import final

from littlestone.display import Displayed


@final
@dataclass(frozen=True)
class ConformalLedger(Displayed):
    """Totals of the outcomes that were learned, each held against the set that was shown for it."""

    rounds: int = 0
    misses: int = 0
    everything: int = 0
    """Sets that ruled nothing out, which cannot miss: infinite intervals."""
    nothing: int = 0
    """Empty sets, which cannot hit."""
    sizes: float = 0.0
    """The widths of the intervals, or the numbers of labels, of all other sets, added up."""
    lag: int = 0
    """The most outcomes that were learned between the moment a set was shown and the moment its own outcome was."""

    @property
    def coverage(self) -> float:
        """The share of outcomes that were in their sets; nan before the first."""
        return 1.0 - self.misses / self.rounds if self.rounds else float("nan")

    @property
    def mean_size(self) -> float:
        """The mean width, or the mean number of labels, of sets that are neither everything nor nothing; nan without any."""
        bounded = self.rounds - self.everything - self.nothing
        return self.sizes / bounded if bounded else float("nan")

    def __str__(self) -> str:
        odd = f"{self.everything:,} of them everything, {self.nothing:,} nothing"
        counted = f"{self.rounds:,} sets, {self.misses:,} misses (coverage {self.coverage:.2%})"
        return f"{counted}, mean size {self.mean_size:.6g}; {odd}"


@final
class ConformalTotals:
    """The same numbers while they are counted."""

    __slots__ = ("everything", "lag", "misses", "nothing", "rounds", "sizes")

    def __init__(self, ledger: ConformalLedger) -> None:
        self.rounds, self.misses, self.lag = ledger.rounds, ledger.misses, ledger.lag
        self.everything, self.nothing, self.sizes = ledger.everything, ledger.nothing, ledger.sizes

    def add(self, size: float, after: int, *, missed: bool) -> None:
        """Another outcome, and the size of its set: infinite for everything, nan for nothing."""
        self.lag = max(self.lag, self.rounds - after)
        self.rounds += 1
        self.misses += missed
        if size == math.inf:
            self.everything += 1
        elif size != size:
            self.nothing += 1
        else:
            self.sizes += size

    @property
    def ledger(self) -> ConformalLedger:
        """The numbers at this moment."""
        return ConformalLedger(**{field.name: getattr(self, field.name) for field in fields(ConformalLedger)})
