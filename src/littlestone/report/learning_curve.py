"""The learning curve of a run: its progressive error or loss, with a band, beside those who learn nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.report.chart import Band, Chart, Line, Role, as_array
from littlestone.report.sections import number
from littlestone.theory.risk import anytime_bound

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.ledger import Ledger

DELTA = 0.05


@final
@dataclass(frozen=True)
class Measure:
    """What a run is judged by: wrong labels shown, distances to targets, or losses."""

    words: str
    percent: bool
    total: Callable[[Ledger], float]
    squares: Callable[[Ledger], float]

    @staticmethod
    def of(ledger: Ledger, *, labels: bool) -> Measure:
        """The measure of a run that has come so far."""
        if labels:
            return Measure("error", True, attrgetter("shown_errors"), attrgetter("shown_errors"))
        if ledger.targets:
            return Measure("absolute error", False, attrgetter("absolute_error"), attrgetter("squared_error"))
        return Measure("loss", False, attrgetter("loss"), attrgetter("loss_squared"))

    def shown(self, value: float) -> str:
        """A mean for people."""
        return f"{value:.2%}" if self.percent else number(float(value))

    def band(self, ledger: Ledger, delta: float = DELTA) -> tuple[float, float]:
        """Where the mean is. Losses without a known range have no band that is sure, and no δ."""
        rounds = max(ledger.rounds, 1)
        if self.percent:
            return _sure_band(int(self.total(ledger)), rounds, delta)
        return _normal_band(self.total(ledger), self.squares(ledger), rounds)


def learning_curve(curve: Sequence[Ledger], *, labels: bool, iid: bool) -> Chart:
    """The chart."""
    # The first rounds of a long run say nothing and would take up a quarter of the axis.
    curve = [ledger for ledger in curve if curve[-1].rounds < 1000 or ledger.rounds >= 10]
    measure = Measure.of(curve[-1], labels=labels)
    rounds = as_array([ledger.rounds for ledger in curve])
    mean = as_array([measure.total(ledger) for ledger in curve]) / rounds
    bands = _bands(curve, measure, iid=iid)
    told = [f"; the band is from {measure.shown(band.low[-1])} to {measure.shown(band.high[-1])}" for band in bands]
    if bands and bands[0].x[-1] < rounds[-1]:
        told.append(" after the first pass, and there is none when rows are not new")
    return Chart(
        name="learning-curve",
        title="Learning curve",
        words=f"The progressive {measure.words}, each round judged before it was learned, ends at {measure.shown(mean[-1])} "
        f"after {int(rounds[-1]):,} rounds{''.join(told)}.",
        x_label="rounds",
        y_label=f"progressive {measure.words}",
        lines=(
            Line(f"{measure.words} so far", rounds, mean, Role.MEASURED, 0),
            Line(f"{measure.words} lately", rounds, _lately(rounds, mean * rounds), Role.ONE_OF_MANY, 1),
            *baseline_lines(curve[-1], curve),
        ),
        bands=bands,
        log_x=True,
        percent=measure.percent,
    )


def baseline_lines(last: Ledger, curve: Sequence[Ledger]) -> list[Line]:
    """Those who learn nothing and stand in the last ledger."""
    rounds = as_array([ledger.rounds for ledger in curve])
    values = {name: as_array([ledger.baselines.get(name, math.nan) for ledger in curve]) for name in last.baselines}
    return [Line(name, rounds, values[name], Role.GUIDE, dash) for dash, name in enumerate(values, start=2)]


def _bands(curve: Sequence[Ledger], measure: Measure, *, iid: bool) -> tuple[Band, ...]:
    """The band over the first pass; from the second on the rows are not new, and there is none."""
    fresh = [ledger for ledger in curve if ledger.passes == 1]
    if not fresh:
        return ()
    ends = [measure.band(ledger) for ledger in fresh]
    declared = "rows declared i.i.d." if iid else "if the rows are i.i.d."
    words = f"95 % at all times at once, {declared}" if measure.percent else f"about 95 %, {declared}"
    low, high = as_array([low for low, _ in ends]), as_array([high for _, high in ends])
    return (Band(words, as_array([ledger.rounds for ledger in fresh]), low, high, 0),)


def _lately(rounds: FloatArray, totals: FloatArray) -> FloatArray:
    """The mean over the rounds since there were half as many."""
    before = np.interp(rounds / 2.0, rounds, totals, left=0.0)
    since = np.where(rounds / 2.0 < rounds[0], 0.0, rounds / 2.0)
    recent: FloatArray = (totals - np.where(since == 0.0, 0.0, before)) / (rounds - since)
    return recent


def _sure_band(errors: int, rounds: int, delta: float) -> tuple[float, float]:
    """Where the rate of errors is, at all times at once, with probability 1 − δ if the rows are i.i.d.

    Both ends of a confidence sequence, each with half of δ; the lower end is the upper end of being right.
    """
    return 1.0 - anytime_bound(rounds - errors, rounds, delta / 2.0), anytime_bound(errors, rounds, delta / 2.0)


def _normal_band(total: float, squares: float, rounds: int) -> tuple[float, float]:
    """Where a mean is, about 19 times of 20: 1.96 standard errors to both sides."""
    mean = total / rounds
    wide = 1.96 * math.sqrt(max(squares / rounds - mean * mean, 0.0) / rounds)
    return max(mean - wide, 0.0), mean + wide
