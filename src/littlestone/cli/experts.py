"""`littlestone experts`: forecasts in, one forecast out."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from littlestone import outputs
from littlestone.cli.machine import print_json
from littlestone.cli.output import PREDICTIONS, Target, Wanted
from littlestone.cli.text import say, say_proof, say_table
from littlestone.errors import InvalidData
from littlestone.experts import ExpertRule, oracles
from littlestone.experts.mixture import aggregate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from littlestone.arrays import FloatArray
    from littlestone.conformal.run import ConformalRun
    from littlestone.experts.run import ExpertRun
    from littlestone.theory import Certificate

_MISSING = ("", "na", "nan", "null")
_SHOWN = 3


def combine_file(
    path: str,
    rule: ExpertRule,
    *,
    truth: str,
    loss: str,
    ignore: tuple[str, ...],
    interval: float | None,
    predictions: str | None,
    wanted: Wanted,
    as_json: bool,
) -> None:
    """Combines the experts of a CSV file and prints how it went beside the best of them."""
    wanted.check([path], Target("--predictions", predictions, PREDICTIONS))
    names, advice, outcomes = read_forecasts(path, truth, ignore)
    run = aggregate(rule, advice, outcomes, loss=loss, experts=names)
    band = None if interval is None else _band(run, outcomes, interval)
    if predictions is not None:
        outputs.write(predictions, (line.encode() for line in _lines(run, band)))
    rounds = max(run.ledger.rounds, 1)
    lines = {type(rule).__name__: run.ledger.loss / rounds, "uniform mean": oracles.uniform(advice, outcomes, loss).mean}
    awake = np.maximum(run.ledger.rounds - run.ledger.asleep, 1.0)
    lines |= {f"expert {name}": float(mean) for name, mean in zip(names, run.ledger.losses / awake, strict=True)}
    certificates = run.certify()
    if as_json:
        print_json(_summary(run, lines, certificates, band))
    else:
        _print(run, lines, certificates, band)
    if wanted:
        _write(run, certificates, band, path, wanted)


def _band(run: ExpertRun, outcomes: FloatArray, coverage: float) -> ConformalRun:
    """Intervals around the predictions of the mixture."""
    from littlestone.conformal.conformal import Conformal

    return Conformal(coverage=coverage).learn_many(run.predictions, outcomes)


def _lines(run: ExpertRun, band: ConformalRun | None) -> Iterator[str]:
    """A line per round: the prediction, and where intervals are wanted its ends."""
    if band is None:
        return (f"{value:.9g}\n" for value in np.asarray(run.predictions).tolist())
    from littlestone.cli.intervals import run_lines

    return run_lines(band)


def _summary(
    run: ExpertRun, lines: dict[str, float], certificates: list[Certificate], band: ConformalRun | None
) -> dict[str, object]:
    from littlestone.cli.intervals import interval_summary

    return {
        "rule": run.rule.name(),
        "rounds": run.ledger.rounds,
        "mean loss": lines,
        "regret": run.regret,
        "best": run.ledger.best,
        "certificates": [certificate.to_dict() for certificate in certificates],
        **({} if band is None else {"interval": interval_summary(band)}),
    }


def _print(run: ExpertRun, lines: dict[str, float], certificates: list[Certificate], band: ConformalRun | None) -> None:
    ordered = sorted(lines.items(), key=lambda item: item[1])
    say_table(("", f"mean {run.loss.name} loss"), [(name, f"{mean:.6g}") for name, mean in ordered])
    say()
    say(str(run.ledger))
    say_proof(certificates, most=_SHOWN, every=False, hint="--json shows them")
    if band is not None:
        from littlestone.cli.intervals import say_intervals

        say()
        say_intervals(band)


def _write(run: ExpertRun, certificates: list[Certificate], band: ConformalRun | None, path: str, wanted: Wanted) -> None:
    from littlestone.report.conformal import conformal_section
    from littlestone.report.experts import expert_section

    ledger = run.ledger
    lead = f"{run.rule!r} over {ledger.rounds:,} rounds and {len(ledger.experts):,} experts from {path}."
    sections = [expert_section(run, certificates, title=f"{run.rule.name()} on {Path(path).name}", lead=lead)]
    sections += [] if band is None else [conformal_section(band, title="Intervals around the mixture")]
    wanted.write(sections, [path])


def read_forecasts(path: str, truth: str, ignore: tuple[str, ...]) -> tuple[list[str], FloatArray, FloatArray]:
    """The names of the experts, their advice (nan where one is silent) and what happened.

    Raises:
        InvalidData: naming the line and the column that is not a number.
    """
    with Path(path).open(newline="", encoding="utf-8") as file:
        lines = csv.reader(file)
        header = next(lines, [])
        for name in (truth, *ignore):
            if name not in header:
                raise InvalidData(f"{path} has no column {name!r}; its columns are {', '.join(header)}")
        rows = [[_number(path, lines.line_num, name, text) for name, text in _cells(path, lines.line_num, header, row, ignore)]
                for row in lines if row]  # fmt: skip
    kept = [name for name in header if name not in ignore]
    table = np.array(rows, dtype=np.float64).reshape(len(rows), len(kept))
    place = kept.index(truth)
    return [name for name in kept if name != truth], np.delete(table, place, axis=1), table[:, place]


def _cells(path: str, line: int, header: list[str], row: list[str], ignore: tuple[str, ...]) -> list[tuple[str, str]]:
    if len(row) != len(header):
        raise InvalidData(f"{path}, line {line}: got {len(row)} fields; expected {len(header)}")
    return [(name, text) for name, text in zip(header, row, strict=True) if name not in ignore]


def _number(path: str, line: int, name: str, text: str) -> float:
    if text.strip().lower() in _MISSING:
        return float("nan")
    try:
        return float(text)
    except ValueError:
        raise InvalidData(f"{path}, line {line}: column {name!r} is {text!r}; expected a number, or nothing") from None
