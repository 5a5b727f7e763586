"""Anomalies in mammograms: a ball that follows a stream without labels, and how well its score ranks what it should find.

Usage: python examples/anomalies.py [mammography.csv.gz]

The file has 11,183 rows of six numbers and a label, '1' for the 260 anomalies. Labels are used only to judge: each row is
scored, then learned, so every score is one of a row that was new.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

import littlestone as ls

PLACES = (
    Path(os.environ.get("LITTLESTONE_DATA", "")) / "oneclass" / "mammography.csv.gz",
    Path(__file__).parents[2] / "shared" / "data" / "oneclass" / "mammography.csv.gz",
)

RULES: dict[str, ls.LinearRule] = {
    "ball": ls.Uniclass(epsilon=1.0),
    "ball in the space of a Gaussian": ls.KernelUniclass(kernel=ls.kernels.Gaussian(gamma=0.1), epsilon=0.7, budget=200),
    "ball in the space of a Laplace kernel": ls.KernelUniclass(kernel=ls.kernels.Laplace(gamma=0.1), epsilon=0.7, budget=200),
}


def average_precision(scores: npt.NDArray[np.float64], anomaly: npt.NDArray[np.bool_]) -> float:
    """The mean, over the anomalies, of the share of anomalies among the rows that score at least as high."""
    order = np.argsort(-scores, kind="stable")
    hits = anomaly[order]
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return float(precision[hits].mean())


def read(path: Path) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """The rows, and which of them are anomalies, in an order drawn once."""
    table = np.genfromtxt(path, delimiter=",", dtype=str)
    order = np.random.default_rng(0).permutation(len(table))
    return table[order, :6].astype(np.float64), np.char.strip(table[order, 6], "'") == "1"


def main() -> None:
    """Prints the average precision of each rule."""
    given = [Path(argument) for argument in sys.argv[1:2]]
    path = next((place for place in (*given, *PLACES) if place.is_file()), None)
    if path is None:
        print("skipped: there is no mammography.csv.gz; give its path, or the data's in LITTLESTONE_DATA")
        return
    X, anomaly = read(path)
    print(f"{len(X):,} rows, {int(anomaly.sum())} anomalies; a score at random would have {anomaly.mean():.3f}")
    for name, rule in RULES.items():
        run = ls.run(rule, X, keep=("score",))
        precision = average_precision(run.columns["score"].astype(np.float64), anomaly)
        print(f"average precision {precision:.3f}   {name}: {run.ledger.updates:,} updates, {run.state}")


if __name__ == "__main__":
    main()
