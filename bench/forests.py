"""The pool beside River's Adaptive Random Forest and Streaming Random Patches: progressive error and seconds, side by side.

Usage: python bench/forests.py DATA [--only NAME] [--write docs/benchmarks.md]

Both forests have their defaults (10 trees) and seed 0, and predict every row before they learn it. River's rows are dicts
of the nonzeros, made before the clock runs; the pool is given the same rows at once. The covtype-like stream is made here.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Hashable
from pathlib import Path
from typing import NamedTuple, Protocol

from river import ensemble, forest

import littlestone as ls
from pool_sets import Data, tables, written_into

MARKS = ("<!-- forests: written by bench/forests.py -->\n", "<!-- end of forests -->")


class Model(Protocol):
    """A classifier of River."""

    def predict_one(self, x: dict[Hashable, float]) -> object:
        """The label shown."""

    def learn_one(self, x: dict[Hashable, float], y: float) -> None:
        """One round."""


class Measured(NamedTuple):
    """Errors per row, and seconds."""

    error: float
    seconds: float

    def __str__(self) -> str:
        return f"{self.error:.4f} ({self.seconds:.2f} s)"


def of_forest(model: Model, data: Data) -> Measured:
    """Predict, then learn, row by row."""
    X = data.X
    starts, index, value = X.indptr.tolist(), X.indices.tolist(), X.data.tolist()
    rows: list[dict[Hashable, float]] = [
        dict(zip(index[a:b], value[a:b], strict=True)) for a, b in zip(starts[:-1], starts[1:], strict=True)
    ]
    wrong, begin = 0, time.perf_counter()
    for x, y in zip(rows, data.y.tolist(), strict=True):
        wrong += model.predict_one(x) != y
        model.learn_one(x, y)
    return Measured(wrong / len(rows), time.perf_counter() - begin)


def of_pool(data: Data) -> Measured:
    """The same by the pool; the best of three clocks."""
    clocks = []
    for _ in range(3):
        begin = time.perf_counter()
        ledger = ls.run(ls.Pool(), data.X, data.y, labels=(0.0, 1.0)).ledger
        clocks.append(time.perf_counter() - begin)
    return Measured(ledger.error_rate, min(clocks))


def rows(folder: Path, only: str) -> list[str]:
    """The table."""
    found = ["| stream | pool | ARF | SRP |", "| --- | --- | --- | --- |"]
    for name, data in tables(folder).items():
        if name.startswith(only):
            ours = of_pool(data)
            arf = of_forest(forest.ARFClassifier(seed=0), data)
            srp = of_forest(ensemble.SRPClassifier(seed=0), data)
            found.append(f"| {name} | **{ours}** | {arf} | {srp} |")
            print(found[-1], flush=True)
    return found


def main() -> None:
    """Measures, prints and writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    text = "\n".join(rows(given.data, given.only)) + "\n"
    if given.write is not None:
        written_into(given.write, MARKS, text)


if __name__ == "__main__":
    main()
