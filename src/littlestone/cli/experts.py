"""`littlestone experts`: forecasts in, one forecast out."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.table import Table

from littlestone.cli.text import print_certificate
from littlestone.errors import InvalidData
from littlestone.experts import ExpertRule, oracles
from littlestone.experts.mixture import aggregate

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.experts.run import ExpertRun

_MISSING = ("", "na", "nan", "null")
_SHOWN = 3


def combine_file(
    path: str, rule: ExpertRule, *, truth: str, loss: str, ignore: tuple[str, ...], predictions: str | None, as_json: bool
) -> None:
    """Combines the experts of a CSV file and prints how it went beside the best of them."""
    names, advice, outcomes = read_forecasts(path, truth, ignore)
    run = aggregate(rule, advice, outcomes, loss=loss, experts=names)
    if predictions is not None:
        Path(predictions).write_text("".join(f"{value:.9g}\n" for value in np.asarray(run.predictions).tolist()), "utf-8")
    rounds = max(run.ledger.rounds, 1)
    lines = {type(rule).__name__: run.ledger.loss / rounds, "uniform mean": oracles.uniform(advice, outcomes, loss).mean}
    lines |= {f"expert {name}": float(total) / rounds for name, total in zip(names, run.ledger.losses, strict=True)}
    if as_json:
        summary = {"rounds": rounds, "mean loss": lines, "certificates": [c.to_dict() for c in run.certify()]}
        print(json.dumps(summary))
        return
    _print(run, lines, loss)


def _print(run: ExpertRun, lines: dict[str, float], loss: str) -> None:
    console = Console()
    table = Table("", f"mean {loss} loss", title=f"{run.ledger.rounds:,} rounds")
    for name, mean in lines.items():
        table.add_row(name, f"{mean:.6g}")
    console.print(table)
    for certificate in run.certify()[:_SHOWN]:
        print_certificate(console, certificate)


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
