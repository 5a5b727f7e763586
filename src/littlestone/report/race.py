"""The section of a race: errors over time with a band, regrets to the best, where everyone ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.report.chart import COLOURS, Band, Chart, Line, Role, as_array
from littlestone.report.learning_curve import DELTA, Measure, baseline_lines
from littlestone.report.sections import Bars, Fact, Section

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.learner import Learner
    from littlestone.report.curves import Recorder
    from littlestone.theory.certificate import Certificate


@final
@dataclass
class Runner:
    """A learner in a race."""

    name: str
    learner: Learner
    recorder: Recorder
    seconds: float = 0.0
    out: str | None = None
    """Why it left the race, if it did."""

    @property
    def labels(self) -> bool:
        """Whether it is judged by the labels it shows."""
        return not self.learner.ledger.targets

    @property
    def measure(self) -> str:
        """What it is judged by."""
        return "error" if self.labels else "MAE"

    @property
    def judge(self) -> Measure:
        """The same as a measure of ledgers."""
        return Measure.of(self.learner.ledger, labels=self.labels)

    @property
    def total(self) -> float:
        """Wrong labels shown, or distances to the targets, in all."""
        return float(self.judge.total(self.learner.ledger))

    @property
    def totals(self) -> FloatArray:
        """The same at the moments that were recorded."""
        total = self.judge.total
        return as_array([total(ledger) for ledger in self.recorder.ledgers])

    @property
    def moments(self) -> FloatArray:
        """The rounds of these."""
        return as_array([ledger.rounds for ledger in self.recorder.ledgers])

    @property
    def mean(self) -> float:
        """The same per round."""
        return self.total / max(self.learner.ledger.rounds, 1)

    def band(self, several: int) -> tuple[float, float]:
        """Where the mean may be: for labels at all times at once, with a share of δ for each of several runners."""
        return self.judge.band(self.learner.ledger, DELTA / max(several, 1))

    def shown(self, value: float) -> str:
        """A mean for people."""
        return self.judge.shown(value)

    def summary(self, best: Runner, several: int) -> dict[str, object]:
        """For machines."""
        low, high = self.band(several)
        return {
            "name": self.name,
            "rule": repr(self.learner.rule),
            self.measure.lower(): self.mean,
            "band": [low, high],
            "regret": self.total - best.total,
            "seconds": self.seconds,
            "out": self.out,
            "ledger": self.learner.ledger.to_dict(),
        }


def ranked_runners(runners: Sequence[Runner]) -> list[Runner]:
    """The best first, of equals the one that was named first, and behind them those who are out."""
    return sorted(runners, key=lambda runner: (runner.out is not None, runner.mean))


def race_section(order: Sequence[Runner], certificates: Sequence[Certificate], *, title: str, lead: str) -> Section:
    """The section of a race, with the certificates of its winner."""
    running = [runner for runner in order if runner.out is None]
    best, drawn = running[0], running[: COLOURS - 1]
    notes = tuple(f"{runner.name} is out: {runner.out}" for runner in order if runner.out is not None)
    more = f" {len(running) - len(drawn)} more rules are in the table alone." if len(running) > len(drawn) else ""
    return Section(
        title=title,
        lead=lead,
        facts=_facts(running),
        charts=(_errors(drawn, len(running), more), _regrets(drawn, more)) if len(best.recorder.ledgers) > 1 else (),
        tables=(Bars("Where they ended", ("rule", best.measure), tuple((one.name, one.mean) for one in running)),),
        certificates=tuple(certificates),
        notes=notes,
    )


def _facts(running: Sequence[Runner]) -> tuple[Fact, ...]:
    best = running[0]
    low, high = best.band(len(running))
    second = f"{running[1].shown(running[1].mean)} for {running[1].name}" if len(running) > 1 else ""
    baselines = ", ".join(f"{name} {best.shown(value)}" for name, value in best.learner.ledger.baselines.items())
    return (
        Fact("winner", best.name, f"{len(running)} rules to the end"),
        Fact(best.measure, best.shown(best.mean), f"{best.shown(low)} to {best.shown(high)}, for all rules at once"),
        Fact("second", second.split(" ")[0] or "none", second.partition(" ")[2]),
        Fact("without learning", baselines.split(", ")[0].rpartition(" ")[2], baselines),
    )


def _errors(drawn: Sequence[Runner], several: int, more: str) -> Chart:
    best = drawn[0]
    ledgers, measure = best.recorder.ledgers, best.judge
    ends = [measure.band(ledger, DELTA / several) for ledger in ledgers]
    low, high = as_array([low for low, _ in ends]), as_array([high for _, high in ends])
    words = "95 % for all rules at once, if i.i.d." if best.labels else "about 95 %, if i.i.d."
    return Chart(
        name="race",
        title="Who is best",
        words=f"The progressive {best.measure} of each rule. {best.name} ends at {best.shown(best.mean)}.{more}",
        x_label="rounds",
        y_label=f"progressive {best.measure}",
        lines=(*(_line(runner, k) for k, runner in enumerate(drawn)), *baseline_lines(best.learner.ledger, ledgers)),
        bands=(Band(f"{best.name}, {words}", best.moments, low, high, 0),),
        log_x=True,
        percent=best.labels,
    )


def _line(runner: Runner, colour: int) -> Line:
    rounds = runner.moments
    return Line(runner.name, rounds, runner.totals / rounds, Role.MEASURED if colour == 0 else Role.ONE_OF_MANY, colour)


def _regrets(drawn: Sequence[Runner], more: str) -> Chart:
    """What each has lost more than the one who is best in the end."""
    best = drawn[0]
    rounds, own = best.moments, best.totals
    lines = []
    for colour, runner in enumerate(drawn[1:], start=1):
        moments = runner.moments
        more_lost = runner.totals - np.interp(moments, rounds, own)
        lines.append(Line(runner.name, moments, more_lost, Role.ONE_OF_MANY, colour))
    what = "errors" if best.labels else "absolute error"
    return Chart(
        name="regret",
        title="Regret to the best",
        words=f"The {what} of each rule minus that of {best.name}, which ended first.{more}",
        x_label="rounds",
        y_label=f"{what} more than {best.name}",
        lines=tuple(lines),
        log_x=True,
        zero=True,
    )
