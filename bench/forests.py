"""The pool beside River's Adaptive Random Forest and Streaming Random Patches: progressive error and seconds, side by side.

Usage: python bench/forests.py DATA [--only NAME] [--rows COUNT] [--write docs/benchmarks.md]

Both forests have their defaults (10 trees) and seed 0, and predict every row before they learn it. River's rows are dicts
of the nonzeros, made before the clock runs; the pool is given the same rows at once. Seconds are those of the processor, of
all threads together, so that what else the machine does is not in them. The covtype-like stream is made here. Of streams
longer than --rows the first rows are taken, by all three; the table says so.
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


def of_forest(model: Model, data: Data) -> Measured:
    """Predict, then learn, row by row."""
    X = data.X
    starts, index, value = X.indptr.tolist(), X.indices.tolist(), X.data.tolist()
    rows: list[dict[Hashable, float]] = [
        dict(zip(index[a:b], value[a:b], strict=True)) for a, b in zip(starts[:-1], starts[1:], strict=True)
    ]
    wrong, begin = 0, time.process_time()
    for x, y in zip(rows, data.y.tolist(), strict=True):
        wrong += model.predict_one(x) != y
        model.learn_one(x, y)
    return Measured(wrong / len(rows), time.process_time() - begin)


def of_pool(data: Data) -> Measured:
    """The same by the pool; the best of three clocks."""
    clocks = []
    for _ in range(3):
        begin = time.process_time()
        ledger = ls.run(ls.Pool(), data.X, data.y, labels=(0.0, 1.0)).ledger
        clocks.append(time.process_time() - begin)
    return Measured(ledger.error_rate, min(clocks))


def line(name: str, data: Data) -> str:
    """A line of the table: the fewest errors are in bold."""
    ours = of_pool(data)
    forests = (of_forest(model, data) for model in (forest.ARFClassifier(seed=0), ensemble.SRPClassifier(seed=0)))
    measured = [ours, *forests]
    least = min(one.error for one in measured)
    cells = [f"**{one.error:.4f}**" if one.error == least else f"{one.error:.4f}" for one in measured]
    seconds = [f"{one.seconds:.2f}" if one is ours else f"{one.seconds:.0f}" for one in measured]
    faster = [f"{one.seconds / ours.seconds:,.0f}" for one in measured[1:]]
    return f"| {' | '.join([name, *cells, *seconds, *faster])} |"


def rows(folder: Path, only: str, most: int | None) -> list[str]:
    """The table."""
    heads = ("stream", "pool", "ARF", "SRP", "seconds: pool", "ARF", "SRP", "times faster than ARF", "than SRP")
    found = [f"| {' | '.join(heads)} |", "|" + " --- |" * len(heads)]
    for name, data in tables(folder).items():
        if name.startswith(only):
            if most is not None and len(data.y) > most:
                name, data = f"{name}, first {most:,} rows", data.first(most)
            found.append(line(name, data))
            print(found[-1], flush=True)
    return found


def main() -> None:
    """Measures, prints and writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--rows", type=int)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    text = "\n".join(rows(given.data, given.only, given.rows)) + "\n"
    if given.write is not None:
        written_into(given.write, MARKS, text)


if __name__ == "__main__":
    main()
