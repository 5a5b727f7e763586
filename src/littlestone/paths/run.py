"""What came of a table of costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from littlestone.display import Displayed

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.paths.ledger import PathLedger
    from littlestone.paths.network import Network
    from littlestone.paths.rule import PathRule, Scale
    from littlestone.theory.certificate import Certificate


@final
@dataclass(frozen=True, eq=False)
class PathRun(Displayed):
    """The rounds of one call; the ledger is that of the learner after it."""

    rule: PathRule
    network: Network
    scale: Scale
    ledger: PathLedger
    losses: FloatArray
    """Of each round, in expectation where the rule knows it."""
    taken_losses: FloatArray
    """Of the paths that were taken."""
    flows: FloatArray | None
    """How likely each arc was in each round, a row per round, where `keep=("flow",)` asked for it."""

    @property
    def regret(self) -> float:
        """By how much the rounds cost more than the best path."""
        return self.ledger.regret

    def certify(self) -> list[Certificate]:
        """What is proved of the regret, and what was measured."""
        from littlestone.theory.paths import certify_paths

        return certify_paths(self)

    def __repr__(self) -> str:
        return f"PathRun({self.ledger})"
