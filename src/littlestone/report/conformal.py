"""The section of intervals or sets: the band of the last rounds, the share of misses within its promise, proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from littlestone.report.chart import Band, Chart, Line, Role
from littlestone.report.sections import Bars, Fact, Section, number

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.conformal.run import ConformalRun

_SHOWN = 200
_SIZES = 12


def conformal_section(run: ConformalRun, *, title: str, lead: str = "") -> Section:
    """The section of a run of `ls.Conformal`."""
    ledger, certificates = run.ledger, tuple(run.certify())
    charts = ((_band(run),) if run.ends is not None and len(run.missed) else ()) + ((_misses(run),) if len(run.missed) else ())
    return Section(
        title=title,
        lead=lead or f"{run.rule!r}, asked to hold {1.0 - run.alpha:.4g} of the outcomes, over {ledger.rounds:,} of them.",
        facts=conformal_facts(run),
        charts=charts,
        tables=() if run.sets is None else (_sizes(run),),
        certificates=certificates,
    )


def conformal_facts(run: ConformalRun) -> tuple[Fact, ...]:
    """What was held, missed, and ruled out."""
    ledger = run.ledger
    unit = ("labels a set", "every label", "no label") if run.sets is not None else ("width", "infinite", "empty")
    return (
        Fact("coverage", f"{ledger.coverage:.2%}", f"asked for: {1.0 - run.alpha:.4g}"),
        Fact("misses", f"{ledger.misses:,}", f"of {ledger.rounds:,}"),
        Fact(f"mean {unit[0]}", number(ledger.mean_size), "of the others"),
        Fact(unit[1], f"{ledger.everything:,}", "cannot miss"),
        Fact(unit[2], f"{ledger.nothing:,}", "cannot hit"),
    )


def _band(run: ConformalRun) -> Chart:
    """The last rounds; an infinite interval reaches over the whole height, an empty one is a gap."""
    assert run.values is not None
    last = slice(max(len(run.missed) - _SHOWN, 0), None)
    x = np.arange(1, len(run.missed) + 1, dtype=np.float64)[last]
    low, high, values = run.low[last], run.high[last], run.values[last]
    outcomes, missed = run.outcomes[last].astype(np.float64), run.missed[last]
    drawn = np.concatenate([outcomes, values, low[np.isfinite(low)], high[np.isfinite(high)]])
    bottom, top = float(drawn.min()), float(drawn.max())
    room = 0.05 * (top - bottom or 1.0)
    infinite = int(np.isinf(high).sum())
    shown = f"{len(x):,} rounds, {int(missed.sum()):,} misses, {infinite:,} infinite intervals (drawn over the whole height)"
    return Chart(
        name="band",
        title=f"Intervals that hold {1.0 - run.alpha:.4g} of the outcomes",
        words=f"The last {shown}. Over all {run.ledger.rounds:,} rounds the coverage is {run.ledger.coverage:.2%}.",
        x_label="rounds",
        y_label="outcome",
        bands=(Band("interval", x, np.clip(low, bottom - room, None), np.clip(high, None, top + room)),),
        lines=(
            Line("forecast", x, values, Role.ONE_OF_MANY, 0),
            Line("outcome", x, outcomes, Role.ONE_OF_MANY),
            Line("missed", x[missed], outcomes[missed], Role.POINTS, 1),
        ),
    )


def _misses(run: ConformalRun) -> Chart:
    """The share of misses so far between the two lines of the promise."""
    before = run.ledger.rounds - len(run.missed)
    ends = np.unique(np.geomspace(min(10, len(run.missed)), len(run.missed), 200).astype(int))
    share = np.cumsum(run.missed)[ends - 1] / ends
    lines = [Line("share of misses", ends.astype(np.float64), share, Role.MEASURED, 0)]
    lines += _promise(run, ends.astype(np.float64)) if before == 0 else []
    lines.append(Line("asked for", ends.astype(np.float64), np.full(len(ends), run.alpha), Role.GUIDE))
    return Chart(
        name="misses",
        title="Share of misses over time",
        words=f"After {len(run.missed):,} rounds {share[-1]:.2%} of the sets missed; {run.alpha:.2%} was asked for.",
        x_label="rounds",
        y_label="share of misses",
        lines=tuple(lines),
        log_x=True,
        percent=True,
    )


def _promise(run: ConformalRun, rounds: FloatArray) -> list[Line]:
    """How far the share can be from what was asked for, where that is promised and says something."""
    certificate = run.certify()[0]
    if not certificate.holds:
        return []
    away = certificate.bound * run.ledger.rounds / rounds
    seen = away <= max(4.0 * run.alpha, 2.0 * certificate.bound)
    ends = ((1.0, "promised: at most"), (-1.0, "promised: at least"))
    return [Line(name, rounds[seen], np.clip(run.alpha + sign * away[seen], 0.0, 1.0), Role.BOUND, 1) for sign, name in ends]


def _sizes(run: ConformalRun) -> Bars:
    assert run.sets is not None
    counts = np.bincount([len(labels) for labels in run.sets])
    rows = [(f"{size} labels", float(count)) for size, count in enumerate(counts.tolist()) if count]
    return Bars("Sizes of the sets", ("labels in the set", "rounds"), tuple(rows[:_SIZES]))
