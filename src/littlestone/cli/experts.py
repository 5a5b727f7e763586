"""`littlestone experts`: forecasts in, one forecast out."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone import outputs
from littlestone.cli.machine import print_json
from littlestone.cli.output import MIXTURE, PREDICTIONS, ReportOptions, Target
from littlestone.cli.text import say, say_proof
from littlestone.columns import counted
from littlestone.errors import InvalidData
from littlestone.experts import oracles
from littlestone.experts.losses import Pinball
from littlestone.experts.mixture import Mixture
from littlestone.experts.summary import SLEEPERS, aligned, ranks_above, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from littlestone.arrays import FloatArray
    from littlestone.conformal.conformal import Conformal
    from littlestone.conformal.run import ConformalRun
    from littlestone.experts import ExpertRule
    from littlestone.experts.losses import Loss
    from littlestone.experts.run import ExpertRun
    from littlestone.experts.summary import Standing
    from littlestone.theory import Certificate

_MISSING = ("", "na", "nan", "null")
_SHOWN = 3


@final
@dataclass(frozen=True)
class Combining:
    """How forecasts are combined: by what was typed, or as the mixture of a file does."""

    rule: ExpertRule | None
    loss: str | None
    quantile: float | None
    delay: int
    initial: str | None

    @property
    def judged_by(self) -> str | Loss | None:
        """The loss that was typed, if any."""
        return self.loss if self.quantile is None else Pinball(quantile=self.quantile)

    def mixture(self, experts: list[str]) -> Mixture:
        """A mixture of these experts; in one that goes on those that are new to it join, and it is said who came and went."""
        if self.initial is None:
            return Mixture(self.rule, experts=experts, loss=self.judged_by)
        from littlestone.store import load

        mixture = load(self.initial, kind=Mixture)
        new = [name for name in experts if name not in mixture.experts]
        gone = [name for name in mixture.experts if name not in experts]
        if new:
            mixture.join(*new)
            say(f"joined: {', '.join(new)}", err=True)
        if gone:
            say(f"asleep, for there is no such column: {', '.join(gone)}", err=True)
        return mixture


def combine_file(
    path: str,
    combining: Combining,
    *,
    truth: str,
    ignore: tuple[str, ...],
    interval: float | None,
    model: str | None,
    predictions: str | None,
    wanted: ReportOptions,
    as_json: bool,
) -> None:
    """Combines the experts of a CSV file and prints how everybody did."""
    read = [path] if combining.initial is None else [path, combining.initial]
    kept = Target("--model", model, MIXTURE, instead_of=combining.initial)
    wanted.check(read, kept, Target("--predictions", predictions, PREDICTIONS))
    names, advice, outcomes = read_forecasts(path, truth, ignore)
    mixture, known = combining.mixture(names), len(outcomes)
    placed: FloatArray = np.full((len(advice), len(mixture.experts)), np.nan)
    placed[:, [mixture.experts.index(name) for name in names]] = advice
    run = mixture.learn_many(placed[:known], outcomes, delay=combining.delay)
    intervals, band = _band(run, outcomes, interval)
    if predictions is not None:
        coming = [mixture.predict_one(row) for row in placed[known:]]
        outputs.write(predictions, (line.encode() for line in _lines(run, coming, intervals, band)))
    if model is not None:
        mixture.save(model)
    certificates = run.certify()
    if as_json:
        print_json(_summary(run, placed[:known], certificates, band))
    else:
        _print(run, len(advice) - known, certificates, band)
    if wanted:
        _write(run, certificates, band, path, wanted)


def _band(run: ExpertRun, outcomes: FloatArray, coverage: float | None) -> tuple[Conformal, ConformalRun] | tuple[None, None]:
    """Intervals around the predictions of the mixture, where they are wanted."""
    if coverage is None:
        return None, None
    from littlestone.conformal.conformal import Conformal

    intervals = Conformal(coverage=coverage)
    return intervals, intervals.learn_many(run.predictions, outcomes)


def _lines(run: ExpertRun, coming: list[float], intervals: Conformal | None, band: ConformalRun | None) -> Iterator[str]:
    """A line per round, and per row to come: the prediction, and where intervals are wanted its ends."""
    if intervals is None or band is None:
        yield from (f"{value:.9g}\n" for value in [*np.asarray(run.predictions).tolist(), *coming])
        return
    from littlestone.cli.intervals import run_lines, shown_lines

    yield from run_lines(band)
    yield from shown_lines(intervals.predict_one(value) for value in coming)


def _summary(
    run: ExpertRun, advice: FloatArray, certificates: list[Certificate], band: ConformalRun | None
) -> dict[str, object]:
    from littlestone.cli.intervals import interval_summary

    rows = run.standings()
    means = {f"expert {row.name}": row.measures["loss"] for row in rows if row.weight is not None}
    means[type(run.rule).__name__] = next(row.measures["loss"] for row in rows if row.name.endswith("(mixture)"))
    means["uniform mean"] = oracles.uniform(advice, run.outcomes, run.loss).mean if run.outcomes is not None else math.nan
    return {
        "rule": run.rule.name(),
        "loss": run.loss.name,
        "gradient": run.gradient,
        "delay": run.delay,
        "rounds": run.ledger.rounds,
        "mean loss": means,
        "standings": [_standing(row) for row in rows],
        "regret": run.regret,
        "best": run.ledger.best,
        "certificates": [certificate.to_dict() for certificate in certificates],
        **({} if band is None else {"interval": interval_summary(band)}),
    }


def _standing(row: Standing) -> dict[str, object]:
    return {"name": row.name, "rounds": row.rounds, **row.measures, "regret": row.regret, "next weight": row.weight}


def _print(run: ExpertRun, coming: int, certificates: list[Certificate], band: ConformalRun | None) -> None:
    rows, ledger = run.standings(), run.ledger
    before = ledger.rounds - len(run.advice)
    trick = " on gradients" if run.gradient else ""
    late = f", the truth {run.delay} rows late" if run.delay else ""
    after = f", {coming} more to come" if coming else ""
    say(f"{run.rule!r}{trick}, {run.loss.name} loss{late}: {counted(len(run.advice), 'round')}{after}")
    say("\n".join(aligned(table(rows))))
    say(f"regret {ledger.regret:.6g} to {ledger.best}" + (f", over {ledger.rounds:,} rounds in all" if before else ""))
    if run.delay:
        say(f"the delay cost {run.price:.6g}")
    if ranks_above(rows):
        say(SLEEPERS)
    say_proof(certificates, most=_SHOWN, every=False, hint="--json shows them")
    if band is not None:
        from littlestone.cli.intervals import say_intervals

        say()
        say_intervals(band)


def _write(
    run: ExpertRun, certificates: list[Certificate], band: ConformalRun | None, path: str, wanted: ReportOptions
) -> None:
    from littlestone.report.conformal import conformal_section
    from littlestone.report.experts import expert_section

    ledger = run.ledger
    lead = f"{run.rule!r} over {counted(ledger.rounds, 'round')} and {len(ledger.experts):,} experts from {path}."
    sections = [expert_section(run, certificates, title=f"{run.rule.name()} on {Path(path).name}", lead=lead)]
    sections += [] if band is None else [conformal_section(band, title="Intervals around the mixture")]
    wanted.write(sections, [path])


def read_forecasts(path: str, truth: str, ignore: tuple[str, ...]) -> tuple[list[str], FloatArray, FloatArray]:
    """The names of the experts, their advice (nan where one is silent) and what happened: rows at the end may lack it.

    Raises:
        InvalidData: naming the line and the column that is wrong.
    """
    with Path(path).open(newline="", encoding="utf-8-sig") as file:
        lines = csv.reader(file)
        header = next(lines, [])
        _check_header(path, header, truth, ignore)
        rows, numbers = [], []
        for row in lines:
            if row:
                cells = _cells(path, lines.line_num, header, row, ignore)
                rows.append([_number(path, lines.line_num, name, text) for name, text in cells])
                numbers.append(lines.line_num)
    kept = [name for name in header if name not in ignore]
    table = np.array(rows, dtype=np.float64).reshape(len(rows), len(kept))
    place = kept.index(truth)
    outcomes, advice = table[:, place], np.delete(table, place, axis=1)
    known = len(outcomes) - int(np.argmin(np.isnan(outcomes[::-1]))) if not np.isnan(outcomes).all() else 0
    if known == 0:
        raise InvalidData(f"{path} has no row with a {truth!r}; there is nothing to learn from")
    holes = np.flatnonzero(np.isnan(outcomes[:known]))
    if len(holes):
        where = f"{path}, line {numbers[int(holes[0])]}: column {truth!r} is empty"
        raise InvalidData(f"{where}; only rows at the end may lack it, so fill it in or leave the line out")
    silent = np.flatnonzero(np.isnan(advice).all(axis=1))
    if len(silent):
        raise InvalidData(f"{path}, line {numbers[int(silent[0])]}: no expert gives advice; leave the line out")
    return [name for name in kept if name != truth], advice, outcomes[:known]


def _check_header(path: str, header: list[str], truth: str, ignore: tuple[str, ...]) -> None:
    if not header:
        raise InvalidData(f"{path} is empty; its first line must name the columns")
    for name in (truth, *ignore):
        if name not in header:
            raise InvalidData(f"{path} has no column {name!r}; its columns are {', '.join(header)}")
    twice = [name for name in header if header.count(name) > 1 and name not in ignore]
    if twice:
        raise InvalidData(f"{path} has two columns {twice[0]!r}; the names must differ")
    if truth in ignore:
        raise InvalidData(f"{truth!r} is both the truth and ignored; ignore other columns")
    if not set(header) - {truth, *ignore}:
        raise InvalidData(f"{path} has no expert: no column is left beside {truth!r}")


def _cells(path: str, line: int, header: list[str], row: list[str], ignore: tuple[str, ...]) -> list[tuple[str, str]]:
    if len(row) != len(header):
        raise InvalidData(f"{path}, line {line}: got {len(row)} fields; expected {len(header)}")
    return [(name, text) for name, text in zip(header, row, strict=True) if name not in ignore]


def _number(path: str, line: int, name: str, text: str) -> float:
    if text.strip().lower() in _MISSING:
        return math.nan
    try:
        value = float(text)
    except ValueError:
        value = math.inf
    if not math.isfinite(value):
        wanted = "expected a finite number, or nothing (--ignore leaves a column out)"
        raise InvalidData(f"{path}, line {line}: column {name!r} is {text!r}; {wanted}")
    return value
