"""What came of a column of outcomes: a set for each, and whether it missed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.conformal.shown import PredictionInterval, PredictionSet
from littlestone.display import Plotted
from littlestone.errors import NotApplicable

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from littlestone.arrays import BoolArray, FloatArray
    from littlestone.conformal.ledger import ConformalLedger
    from littlestone.conformal.rule import ConformalRule
    from littlestone.conformal.shown import Shown
    from littlestone.theory.certificate import Certificate


@final
@dataclass(frozen=True, eq=False)
class ConformalRun(Plotted):
    """The rounds of one call: outcomes, misses and levels, with intervals or sets of labels.

    The ledger is that of the model after the call; what it learned before counts too.
    """

    rule: ConformalRule
    alpha: float
    ledger: ConformalLedger
    outcomes: npt.NDArray[np.generic]
    missed: BoolArray
    levels: FloatArray
    values: FloatArray | None
    """The forecasts, where they are numbers."""
    ends: FloatArray | None
    """The lower and the upper ends of the intervals, two rows."""
    sets: tuple[tuple[object, ...], ...] | None
    """The labels of each set, where outcomes are labels."""

    @staticmethod
    def of_shown(
        rule: ConformalRule, alpha: float, ledger: ConformalLedger, y: npt.NDArray[np.generic], shown: Sequence[Shown]
    ) -> ConformalRun:
        """From what was shown row by row."""
        intervals = [one for one in shown if isinstance(one, PredictionInterval)]
        labels = [one for one in shown if isinstance(one, PredictionSet)]
        outcomes = y.tolist()
        levels = np.array([one.level for one in shown], dtype=np.float64)
        if intervals or not labels:
            missed = np.array([y not in one for y, one in zip(outcomes, intervals, strict=True)], dtype=bool)
            kept = np.array([(one.value, one.low, one.high) for one in intervals], dtype=np.float64).reshape(-1, 3).T
            return ConformalRun(rule, alpha, ledger, y, missed, levels, kept[0], kept[1:3], None)
        missed = np.array([y not in one for y, one in zip(outcomes, labels, strict=True)], dtype=bool)
        return ConformalRun(rule, alpha, ledger, y, missed, levels, None, None, tuple(one.labels for one in labels))

    @staticmethod
    def joined(runs: Sequence[ConformalRun]) -> ConformalRun:
        """Several calls in a row as one, with the ledger of the last."""
        first, last = runs[0], runs[-1]
        return ConformalRun(
            last.rule,
            last.alpha,
            last.ledger,
            np.concatenate([run.outcomes for run in runs]),
            np.concatenate([run.missed for run in runs]),
            np.concatenate([run.levels for run in runs]),
            None if first.values is None else np.concatenate([run.values for run in runs if run.values is not None]),
            None if first.ends is None else np.concatenate([run.ends for run in runs if run.ends is not None], axis=1),
            None if first.sets is None else tuple(labels for run in runs for labels in run.sets or ()),
        )

    @property
    def low(self) -> FloatArray:
        """The lower ends; −∞ for everything, nan for nothing.

        Raises:
            NotApplicable: if outcomes are labels.
        """
        low, _ = self._ends()
        return low

    @property
    def high(self) -> FloatArray:
        """The upper ends.

        Raises:
            NotApplicable: if outcomes are labels.
        """
        _, high = self._ends()
        return high

    def certify(self) -> list[Certificate]:
        """What is promised of the share of misses, and what was measured."""
        from littlestone.theory.conformal import certify_conformal

        return certify_conformal(self)

    def __repr__(self) -> str:
        return f"ConformalRun({self.ledger})"

    def _ends(self) -> tuple[FloatArray, FloatArray]:
        if self.ends is None:
            raise NotApplicable("outcomes are labels; their sets have no ends: see `sets`")
        low: FloatArray = self.ends[0]
        high: FloatArray = self.ends[1]
        return low, high
