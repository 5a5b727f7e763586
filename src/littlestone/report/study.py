"""What is known of a linear run when a report is written of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.learner import Learner
    from littlestone.ledger import Ledger
    from littlestone.report.confusion import Confusion
    from littlestone.theory.certificate import Certificate


@final
@dataclass(frozen=True, eq=False)
class ComparedWeights:
    """Fixed weights and their ledgers at the moments of a curve."""

    u: FloatArray
    ledgers: Sequence[Ledger]


@final
@dataclass(frozen=True, eq=False)
class Study:
    """A learner, its ledger at many moments, its certificates, and the comparators of those that have one, by id."""

    learner: Learner
    curve: Sequence[Ledger]
    certificates: Sequence[Certificate]
    comparators: Mapping[str, ComparedWeights] = field(default_factory=dict)
    iid: bool = False
    """Whether the rows were declared independent, of one distribution."""
    confusion: Confusion | None = None
    """Which label was shown for which in the first pass, where it is known."""
    accounts: Mapping[int, Mapping[str, list[float]]] = field(default_factory=dict)
    """Of a pool: weights and losses of its experts, by the rounds of the curve."""
