"""What a conversion gives: a batch predictor, and what is known of its risk."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, final

from littlestone.errors import NotApplicable
from littlestone.theory.generalization import GUARANTEES
from littlestone.theory.risk import Progressive, RiskGuarantee

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.run import Run
    from littlestone.streams.space import Table
    from littlestone.theory.certificate import Certificate


class ScoringModel(Protocol):
    """What predicts many rows."""

    def score_many(self, X: Table) -> FloatArray:
        """The scores of the rows."""
        ...

    def predict_many(self, X: Table) -> npt.NDArray[np.generic]:
        """The labels or scores of the rows."""
        ...


@final
@dataclass(frozen=True)
class Converted:
    """A batch predictor and its certificates, the one that speaks of it first."""

    predictor: ScoringModel
    certificates: tuple[Certificate, ...]
    round: int | None = None
    """The round (from 1) whose hypothesis was chosen, where one was."""

    @property
    def certificate(self) -> Certificate:
        """The first certificate."""
        return self.certificates[0]

    def score_many(self, X: Table) -> FloatArray:
        """The scores of the rows."""
        return self.predictor.score_many(X)

    def predict_many(self, X: Table) -> npt.NDArray[np.generic]:
        """The labels or scores of the rows."""
        return self.predictor.predict_many(X)


def risk(guarantee: str) -> RiskGuarantee:
    """The bound on a risk of this id."""
    return next(known for known in GUARANTEES if known.id == guarantee)


def check_signs(of: Run, evidence: Progressive) -> None:
    """Refuses a run whose mistakes are not wrong signs of its scores.

    Raises:
        NotApplicable: if it did not learn labels, or drew them.
    """
    if evidence.signs or not evidence.rounds:
        return
    if not math.isfinite(of.ledger.smallest_margin):
        raise NotApplicable("the outcomes are not labels; mistakes are counted on labels")
    raise NotApplicable(f"{type(of.rule).__name__} draws its labels, so that its mistakes are not those of its hypotheses")


def mistakes_of(
    of: Run, *, delta: float, iid: bool, unseen: bool | None = None, mistake_bound: float | None = None
) -> Progressive:
    """The mistakes of a run as evidence; more than one pass shows rows that are not new."""
    ledger = of.ledger
    return Progressive(
        rounds=ledger.rounds,
        loss=ledger.mistakes,
        delta=delta,
        iid=iid,
        passes=ledger.passes,
        convex=False,
        mistake_bound=mistake_bound,
        signs=math.isfinite(ledger.smallest_margin) and not of.rule.decide(of.state, 0.25).randomized,
        weighed=not ledger.unit_weights,
        blank=ledger.blank_start,
        repeated=ledger.repeats > 0,
        unseen=unseen,
    )
