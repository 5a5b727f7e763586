"""What a theorem asks to be compared with: small values that a guarantee carries and `against="best"` solves."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from littlestone.theory.comparators.descent import NearOptimum
from littlestone.theory.comparators.nearest import max_margin, nearest
from littlestone.theory.comparators.path import balance, best_on_path

if TYPE_CHECKING:
    from littlestone.theory.comparators.path import Bound
    from littlestone.theory.comparators.trials import Trials
    from littlestone.theory.evidence import LinearEvidence


class HindsightComparator(ABC):
    """A program that gives the comparator a theorem wants."""

    @property
    @abstractmethod
    def words(self) -> str:
        """What is solved for, as a certificate says it."""

    @abstractmethod
    def solve(self, trials: Trials, evidence: LinearEvidence, bound: Bound) -> NearOptimum:
        """The comparator for a run: its trials, its ledger, and the bound as a function of the comparator."""

    def key(self, evidence: LinearEvidence) -> object:
        """Two guarantees with equal keys share a solution; None is shared with nobody."""
        return (self, evidence.rule)


@final
@dataclass(frozen=True)
class MaxMargin(HindsightComparator):
    """The separating vector of largest margin."""

    @property
    def words(self) -> str:
        """What is solved for."""
        return "the vector of largest margin"

    def solve(self, trials: Trials, evidence: LinearEvidence, bound: Bound) -> NearOptimum:
        """See `max_margin`."""
        return max_margin(trials)


@final
@dataclass(frozen=True)
class Nearest(HindsightComparator):
    """The vector without a loss that is nearest to the start."""

    @property
    def words(self) -> str:
        """What is solved for."""
        return "the nearest vector without a loss"

    def solve(self, trials: Trials, evidence: LinearEvidence, bound: Bound) -> NearOptimum:
        """See `nearest`."""
        return nearest(trials)

    def key(self, evidence: LinearEvidence) -> object:
        """From a zero start, labels make it the vector of largest margin."""
        labels = math.isfinite(evidence.ledger.smallest_margin)
        return MaxMargin().key(evidence) if labels and not evidence.start.any() else super().key(evidence)


@final
@dataclass(frozen=True)
class Balance(HindsightComparator):
    """The vector with the least ½‖u − w₁‖² + C·Σ loss^power, C read off the run: the bound itself up to a factor."""

    power: int
    weight: Callable[[LinearEvidence], float]

    @property
    def words(self) -> str:
        """What is solved for."""
        return f"the vector that balances norm and {'squared ' if self.power == 2 else ''}loss best"

    def solve(self, trials: Trials, evidence: LinearEvidence, bound: Bound) -> NearOptimum:
        """See `balance`."""
        C = self.weight(evidence)
        return balance(trials, C, power=self.power) if 0.0 < C < math.inf else NearOptimum(trials.start.copy(), math.nan)

    def key(self, evidence: LinearEvidence) -> object:
        """The same power and C."""
        return (type(self), self.power, self.weight(evidence))


@final
@dataclass(frozen=True)
class Path(HindsightComparator):
    """The vector on the path of all C at which the bound is smallest."""

    power: int

    @property
    def words(self) -> str:
        """What is solved for."""
        return f"the best vector on the {'squared-' if self.power == 2 else ''}hinge path"

    def solve(self, trials: Trials, evidence: LinearEvidence, bound: Bound) -> NearOptimum:
        """See `best_on_path`."""
        return best_on_path(trials, bound, power=self.power)

    def key(self, evidence: LinearEvidence) -> object:
        """Each bound has its own place on the path."""
        return None
