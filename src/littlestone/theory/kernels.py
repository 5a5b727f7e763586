"""Theorems on kernel rules with a budget; without one a kernel rule is a linear rule, in another space."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

from littlestone.kernels import KernelPerceptron
from littlestone.theory.comparators.program import Path
from littlestone.theory.evidence import Comparison
from littlestone.theory.guarantee import Assumption, Guarantee

if TYPE_CHECKING:
    from littlestone.ledger import Ledger


@final
@dataclass(frozen=True)
class KernelEvidence:
    """The ledger of a kernel rule, what its budget did, and the comparator where one was given."""

    ledger: Ledger
    dropped: int
    distortion: float
    comparison: Comparison | None

    @property
    def against(self) -> Comparison:
        """The comparator; only bounds whose assumptions asked for one get here."""
        assert self.comparison is not None
        return self.comparison


KernelAssumption: TypeAlias = Assumption[KernelEvidence]
KernelGuarantee: TypeAlias = Guarantee[KernelEvidence, None]


def _projected(evidence: KernelEvidence) -> float:
    """The larger root in √M of M − r‖u‖√M − (L + ‖u‖D)."""
    norm = evidence.against.norm
    a = math.sqrt(evidence.ledger.largest_update_norm_squared) * norm
    return ((a + math.sqrt(a**2 + 4.0 * (evidence.against.ledger.loss + norm * evidence.distortion))) / 2.0) ** 2


def _same_rounds(evidence: KernelEvidence) -> bool | None:
    return None if evidence.comparison is None else evidence.comparison.ledger.rounds == evidence.ledger.rounds


PROJECTED = KernelGuarantee(
    id="kernel.projected",
    source="after Orabona, Keshet and Caputo 2009, theorem 1, and Mohri et al., theorem 8.11",
    statement="The kernel Perceptron whose budget projects, with D the sum of the lengths that projecting took from the "
    "updates: for every u the updates M satisfy M ≤ L(u) + ‖u‖(r√M + D). A projection onto the span of the points leaves "
    "w·φ(x) as it is, so ‖w‖² grows by at most r² an update, and w·u by at least 1 − ℓ(u) − ‖u‖·(what was taken away).",
    latex=r"M \le \Bigl(\tfrac{a+\sqrt{a^2+4(L+\|u\|D)}}{2}\Bigr)^2,\quad a=r\|u\|",
    rules=(KernelPerceptron,),
    quantity="updates",
    formula="((r‖u‖ + √(r²‖u‖² + 4(L + ‖u‖D)))/2)²",
    assumptions=(
        KernelAssumption("the outcomes are labels", lambda evidence: math.isfinite(evidence.ledger.smallest_margin)),
        KernelAssumption("no point was dropped", lambda evidence: evidence.dropped == 0),
        KernelAssumption("the comparator ran over the same rounds", _same_rounds),
    ),
    measured=lambda evidence: evidence.ledger.updates,
    bound=_projected,
    trivial=lambda evidence: evidence.ledger.rounds,
    comparator=Path(power=1),
)

GUARANTEES: tuple[KernelGuarantee, ...] = (PROJECTED,)
