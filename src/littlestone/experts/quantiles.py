"""Forecasts that are whole distributions, given by their quantiles: a mixture for each level, kept in order, and their CRPS."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.arrays import FloatArray
from littlestone.columns import counted
from littlestone.display import Displayed
from littlestone.domain import several
from littlestone.errors import InvalidData, InvalidParameter
from littlestone.experts.aggregation import aggregate
from littlestone.experts.losses import Pinball
from littlestone.streams.batches import numbers

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.experts.rule import ExpertRule
    from littlestone.experts.run import ExpertRun


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class QuantileRun(Displayed):
    """A mixture for each level, what they said in order, and how well the quantiles met the outcomes."""

    levels: FloatArray
    runs: tuple[ExpertRun, ...] = field(repr=False)
    """The run of each level, with its ledger and its certificates."""
    quantiles: FloatArray = field(repr=False)
    """What was said, a round per row and a level per column: what the mixtures said, put in order."""
    outcomes: FloatArray = field(repr=False)
    experts: tuple[str, ...]
    advice: FloatArray = field(repr=False)

    @property
    def crps(self) -> float:
        """The mean continuous ranked probability score: twice the pinball loss, averaged over the levels."""
        return crps(self.quantiles, self.outcomes, self.levels)

    @property
    def expert_crps(self) -> FloatArray:
        """That of each expert on the rounds in which it was awake; nan for one that never was."""
        scores = []
        for i in range(self.advice.shape[1]):
            awake = ~np.isnan(self.advice[:, i]).any(axis=1)
            said, y = self.advice[awake, i], self.outcomes[awake]
            scores.append(crps(said, y, self.levels) if awake.any() else np.nan)
        return np.array(scores)

    @property
    def coverage(self) -> FloatArray:
        """The share of outcomes at or below each quantile, which is to be near its level."""
        below: FloatArray = np.mean(self.outcomes[:, None] <= self.quantiles, axis=0)
        return below

    @property
    def crossings(self) -> int:
        """In how many rounds the mixtures said quantiles that were out of order, and were put in order."""
        said = np.column_stack([np.asarray(run.predictions, dtype=np.float64) for run in self.runs])
        return int(np.count_nonzero((np.diff(said, axis=1) < 0.0).any(axis=1)))

    def __str__(self) -> str:
        rounds, scores = len(self.outcomes), self.expert_crps
        best = int(np.nanargmin(scores))
        head = f"{self.runs[0].rule!r}: {counted(rounds, 'round')}, {len(self.experts)} experts, {len(self.levels)} quantiles"
        crossed = f"; put in order in {counted(self.crossings, 'round')}" if self.crossings else ""
        return f"{head}\n  CRPS {self.crps:.6g}, best expert {self.experts[best]} {scores[best]:.6g}{crossed}"


def aggregate_quantiles(
    rule: ExpertRule | None,
    advice: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    levels: Sequence[float] | FloatArray,
    experts: Sequence[str] | None = None,
    delay: int = 0,
) -> QuantileRun:
    """Mixes the quantiles of several forecasters, each level by a mixture of its own under its pinball loss.

    Mixtures of different levels may cross; what is said is put in order, which no outcome makes worse: sorting never raises
    the sum of the pinball losses (Chernozhukov, Fernández-Val and Galichon 2010), and so the bounds on the regret of all
    levels together hold for what is said.

    Args:
        rule: the rule of every level; None is AdaHedge on gradients.
        advice: rounds by experts by levels; an expert whose quantiles are nan sleeps.
        y: the outcomes, one per round.
        levels: strictly between 0 and 1, in order.
        experts: their names; None numbers them.
        delay: by how many rounds outcomes come late.

    Raises:
        InvalidParameter: if the levels are not in order or not between 0 and 1.
        InvalidData: if the advice is no table of this shape, or an expert gives only some of its quantiles in a round.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> advice = np.array([[[1.0, 2.0], [3.0, 5.0]]])                 # one round, two experts, two levels
        >>> run = ls.aggregate_quantiles(ls.MLpol(), advice, [3.0], levels=[0.25, 0.75])
        >>> run.quantiles, run.crps                                       # twice the mean of .25·1 and .25·.5
        (array([[2. , 3.5]]), 0.375)
    """
    cut = _levels(levels)
    table = np.asarray(numbers(advice, "the advice"), dtype=np.float64)
    if table.ndim != 3 or table.shape[2] != len(cut):
        raise InvalidData(f"the advice has shape {table.shape}; expected rounds by experts by {len(cut)} levels")
    silent = np.isnan(table)
    partly = np.argwhere(silent.any(axis=2) & ~silent.all(axis=2))
    if len(partly):
        t, i = (int(k) for k in partly[0])
        raise InvalidData(f"row {t}: expert {i} gives only some of its quantiles; give all of them, or nan for sleep")
    called = [str(i) for i in range(table.shape[1])] if experts is None else several(experts, "experts", "their names")
    names = tuple(called)
    runs = tuple(
        aggregate(rule, table[:, :, k], y, loss=Pinball(quantile=float(level)), experts=names, delay=delay)
        for k, level in enumerate(cut)
    )
    said = np.column_stack([np.asarray(run.predictions, dtype=np.float64) for run in runs])
    outcomes = runs[0].outcomes
    assert outcomes is not None
    return QuantileRun(levels=cut, runs=runs, quantiles=np.sort(said, axis=1), outcomes=outcomes, experts=names, advice=table)


def crps(quantiles: FloatArray, outcomes: FloatArray, levels: FloatArray) -> float:
    """The mean over rounds and levels of twice the pinball loss; for evenly spaced levels it tends to the CRPS."""
    over = quantiles - outcomes[:, None]
    return float(2.0 * np.mean(((over > 0.0).astype(np.float64) - levels) * over))


def _levels(levels: Sequence[float] | FloatArray) -> FloatArray:
    try:
        cut = np.asarray(levels, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        cut = np.zeros(0)
    sound = cut.ndim == 1 and len(cut) > 0 and bool(((cut > 0.0) & (cut < 1.0)).all()) and bool((np.diff(cut) > 0.0).all())
    if not sound:
        raise InvalidParameter(f"levels is {levels!r}; expected numbers strictly between 0 and 1, in order, as [0.1, 0.5, 0.9]")
    return cut
