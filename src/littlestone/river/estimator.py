"""What the estimators share: a learner, its ledger and its certificates, rows with a constant feature."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, TypeAlias, cast, final

from river.base import Base

from littlestone.errors import InvalidData
from littlestone.learner import Learner
from littlestone.rule import checked

if TYPE_CHECKING:
    import pandas as pd

    from littlestone.ledger import Ledger
    from littlestone.rule import LinearRule
    from littlestone.snapshots import Missing
    from littlestone.streams.batches import Record
    from littlestone.theory.certificate import Certificate
    from littlestone.theory.proofs import Against
    from littlestone.views import View

    Features: TypeAlias = Mapping[Hashable, float] | Mapping[str, float] | Mapping[int, float]

CONSTANT = "intercept"
"""The name of the constant feature."""


class RiverEstimator(Base, ABC):
    """A rule as an estimator of River, and the learner that learns by it."""

    rule: LinearRule
    intercept: bool
    missing: Missing
    view: View | None
    learner: Learner
    _met: bool
    """Whether a label is known."""

    def __post_init__(self) -> None:
        """Makes the learner."""
        checked(self.rule)
        self._check_rule()
        self.learner = Learner(self.rule, missing=self.missing, view=self.view, calibrate=self._calibrated())
        self._met = False

    def _calibrated(self) -> bool:
        """Whether probabilities are asked for that the rule does not have."""
        return False

    @abstractmethod
    def _check_rule(self) -> None:
        """Raises NotApplicable for a rule that learns something else."""

    @property
    @final
    def ledger(self) -> Ledger:
        """The running totals of all that was learned."""
        return self.learner.ledger

    @final
    def certify(self, against: Against = None) -> list[Certificate]:
        """Every guarantee that speaks of the rule, best first, on what was learned so far (see `ls.certify`)."""
        return self.learner.certify(against)

    @final
    def _row(self, x: Features) -> Record:
        """The row as the learner takes it; whether its names and values are sound the learner says itself."""
        if not self.intercept:
            return cast("Record", x)
        if CONSTANT in x:
            raise InvalidData(
                f"the row has a feature {CONSTANT!r}, the name of the constant one; rename it, or intercept=False"
            )
        return cast("Record", {**x, CONSTANT: 1.0})

    @final
    def _rows(self, X: pd.DataFrame) -> pd.DataFrame:
        if not self.intercept:
            return X
        if CONSTANT in X.columns:
            raise InvalidData(f"there is a column {CONSTANT!r}, the name of the constant one; rename it, or intercept=False")
        return X.assign(**{CONSTANT: 1.0})
