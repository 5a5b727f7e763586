"""What is counted of paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from littlestone.columns import counted
from littlestone.display import Displayed

if TYPE_CHECKING:
    from collections.abc import Hashable


@final
@dataclass(frozen=True)
class PathLedger(Displayed):
    """Totals of the rounds, beside the best path in hindsight."""

    rounds: int
    loss: float
    """What the rounds cost in expectation over the draw of the path, where the rule knows it, and otherwise as they went."""
    taken_loss: float
    """What the paths cost that were taken."""
    best_loss: float
    """What the cheapest path would have cost in every round."""
    best: tuple[Hashable, ...]
    """Its nodes."""
    tabled: bool
    """Whether all rounds were told as tables, whose costs cannot look at the draws of their rounds."""

    @property
    def regret(self) -> float:
        """By how much the rounds cost more than the best path."""
        return self.loss - self.best_loss

    def __str__(self) -> str:
        way = " → ".join(str(node) for node in self.best)
        return f"{counted(self.rounds, 'round')}, loss {self.loss:.6g}, regret {self.regret:.6g} to {way}"
