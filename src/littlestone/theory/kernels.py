"""Theorems on kernel rules with a budget; without one a kernel rule is a linear rule, in another space."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

from littlestone.kernels import KernelPerceptron
from littlestone.theory.comparators.program import Path
from littlestone.theory.evidence import Comparison, square
from littlestone.theory.guarantee import Assumption, Guarantee, Lemma

if TYPE_CHECKING:
    from littlestone.ledger import Ledger


@final
@dataclass(frozen=True)
class KernelEvidence:
    """The ledger of a kernel rule, what its budget did (lengths in units of the step η), and the comparator, if any."""

    ledger: Ledger
    dropped: int
    distortion: float
    comparison: Comparison | None

    @property
    def against(self) -> Comparison:
        """The comparator; only bounds whose assumptions asked for one get here."""
        assert self.comparison is not None
        return self.comparison


@final
@dataclass(frozen=True)
class KernelMoment:
    """One update seen from the proof: ‖w‖² before and after, K(x, x), the step, and how the comparator fared."""

    before: float
    after: float
    length_squared: float
    step: float
    gained: float = 0.0
    """u·(w′ − w)."""
    due: float = 0.0
    """step·u·φ(x): what the whole update would have gained."""
    taken: float = 0.0
    """The length that projecting took away from the update."""
    u_norm: float = 0.0


KernelAssumption: TypeAlias = Assumption[KernelEvidence]
KernelGuarantee: TypeAlias = Guarantee[KernelEvidence, KernelMoment]


def _norm_grows(moment: KernelMoment) -> tuple[float, float]:
    """An update on a mistake adds at most η²K(x, x) to ‖w‖², projected or not."""
    return moment.after - moment.before, moment.step**2 * moment.length_squared


def _progress(moment: KernelMoment) -> tuple[float, float]:
    """What is taken away can have cost ‖u‖ times its length, no more."""
    return moment.due - moment.u_norm * moment.taken, moment.gained


def _projected(evidence: KernelEvidence) -> float:
    """The larger root in √M of M − r‖u‖√M − (L + ‖u‖D).

    With step 1 (another η scales w and D alike) an update is w′ = w + y·Pφ(x), P the projection onto the span of the points
    that are kept, w among them; P is the identity where the row becomes a point. Two things follow. As w·Pφ = w·φ and the
    round was a mistake, ‖w′‖² = ‖w‖² + 2y·w·φ + ‖Pφ‖² ≤ ‖w‖² + K(x, x), so that ‖w‖ ≤ r√M in the end. And
    u·w′ − u·w = y·u·φ − y·u·(φ − Pφ) ≥ 1 − ℓ(u) − ‖u‖·‖φ − Pφ‖. The sum over the updates, with Cauchy's inequality:
    M − L − ‖u‖D ≤ u·w ≤ ‖u‖r√M, which is a quadratic in √M. The loss of u in other rounds only makes L larger.
    """
    norm = evidence.against.norm
    a = math.sqrt(evidence.ledger.largest_update_norm_squared) * norm
    return square((a + math.hypot(a, 2.0 * math.sqrt(evidence.against.ledger.loss + norm * evidence.distortion))) / 2.0)


def _same_rounds(evidence: KernelEvidence) -> bool | None:
    return None if evidence.comparison is None else evidence.comparison.ledger.is_of(evidence.ledger)


PROJECTED = KernelGuarantee(
    id="kernel.projected",
    source="after Orabona, Keshet and Caputo 2009 (the Projectron) and Mohri et al., theorem 8.11",
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
    trivial=lambda evidence: min(evidence.ledger.positives, evidence.ledger.rounds - evidence.ledger.positives),
    lemmas=(
        Lemma("‖w′‖² − ‖w‖² ≤ η²K(x,x) on an update", _norm_grows),
        Lemma("u·(w′ − w) ≥ η·y·u·φ(x) − ‖u‖·(what was taken away)", _progress),
    ),
    comparator=Path(power=1),
    hindsight=True,
)

GUARANTEES: tuple[KernelGuarantee, ...] = (PROJECTED,)
