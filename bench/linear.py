"""The linear rules beside scikit-learn and River, in one run: the best of several alternating rounds.

scikit-learn reads the rows in their order (`shuffle=False`), as we do. Whole matrices are shown with one thread of ours, and
with the second, which checks the rows ahead of the one that learns. NumPy's linear algebra has one thread: neither side works
in it, and its idle threads keep a core busy for some 25 ms after each product that scikit-learn makes between the runs.

Usage: python bench/linear.py [repeats]
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Callable, Hashable
from functools import partial
from typing import Protocol

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.sparse import csr_array

import littlestone as ls
from littlestone.streams.synthetic import zipf_rows
from turns import fastest, without_idle_threads

ROWS, FEATURES, NONZEROS = 200_000, 47_000, 68
RECORDS = 20_000
CLASSES = np.array([-1, 1])

PA_I = ls.PassiveAggressive(variant="PA-I", C=1.0)


class OneByOne(Protocol):
    """What our learners and River's models share."""

    def predict_one(self, x: dict[str, float]) -> Hashable:
        """The prediction for a row."""
        ...

    def learn_one(self, x: dict[str, float], y: bool) -> object:
        """One round."""
        ...


def on_one_core(contender: Callable[[], object]) -> None:
    """Runs it where it can have no second thread, on systems that can say so."""
    if not hasattr(os, "sched_setaffinity"):
        contender()
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        contender()
    finally:
        os.sched_setaffinity(0, allowed)


def one_by_one(make: Callable[[], OneByOne], rows: list[dict[str, float]], y: list[bool]) -> Callable[[], None]:
    """Predict, then learn, a row at a time."""

    def loop() -> None:
        model = make()
        predict, learn = model.predict_one, model.learn_one
        for x, label in zip(rows, y, strict=True):
            predict(x)
            learn(x, label)

    return loop


def import_time(statement: str) -> float:
    """Seconds that a fresh interpreter spends on an import, best of seven."""
    code = f"import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
    return min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout) for _ in range(7))


class Report:
    """One table, a line a race."""

    def __init__(self, repeats: int) -> None:
        self.table = Table(title=f"littlestone {ls.__version__}, best of {repeats} alternating rounds")
        for column in ("task", "ours", "theirs", "ratio", "asked"):
            self.table.add_column(column, justify="left" if column == "task" else "right")

    def times(self, task: str, times: list[float], asked: str) -> None:
        """A race measured in time."""
        self.table.add_row(task, *(f"{t * 1e3:.1f} ms" for t in times), f"{times[1] / times[0]:.2f}", asked)

    def rates(self, task: str, rounds: int, times: list[float], asked: str) -> None:
        """A race measured in rounds a second."""
        self.table.add_row(task, *(f"{rounds / t:,.0f}/s" for t in times), f"{times[1] / times[0]:.2f}", asked)


def sparse_and_dense(
    report: Report, X: csr_array[np.float64], y: np.ndarray[tuple[int], np.dtype[np.int64]], repeats: int
) -> None:
    """Whole matrices against scikit-learn's partial_fit."""
    sklearn = importlib.import_module("sklearn.linear_model")
    pa = {"loss": "hinge", "learning_rate": "pa1", "penalty": None, "eta0": 1.0, "shuffle": False}
    for dtype in (np.float64, np.float32):
        M = X.astype(dtype)
        perceptron = partial(sklearn.Perceptron(shuffle=False).partial_fit, M, y, CLASSES)
        passive_aggressive = partial(sklearn.SGDClassifier(**pa).partial_fit, M, y, CLASSES)
        for title, rule, theirs in (("Perceptron", ls.Perceptron(), perceptron), ("PA-I", PA_I, passive_aggressive)):
            ours, name = partial(ls.run, rule, M, y), f"{title}, CSR {np.dtype(dtype)}"
            report.times(f"{name}, one thread", fastest([partial(on_one_core, ours), theirs], repeats), "")
            report.times(f"{name}, two threads", fastest([ours, theirs], repeats), "1.5")
    rng = np.random.default_rng(1)
    D = rng.normal(size=(20_000, 2_000)).astype(np.float32)
    labels = np.where(D @ rng.normal(size=2_000) > 0, 1, -1)
    theirs = partial(sklearn.Perceptron(shuffle=False).partial_fit, D, labels, CLASSES)
    times = fastest([partial(ls.run, ls.Perceptron(), D, labels), theirs], repeats)
    report.times("Perceptron, dense float32 20,000 × 2,000", times, "3")


def records(report: Report, X: csr_array[np.float64], y: np.ndarray[tuple[int], np.dtype[np.int64]], repeats: int) -> None:
    """Dicts, one at a time, against River."""
    river = importlib.import_module("river.linear_model")
    labels = [bool(label > 0) for label in y[:RECORDS]]
    keys: tuple[tuple[str, list[str] | list[int]], ...] = (
        ("str", [f"feature{j}" for j in range(FEATURES)]),
        ("int", list(range(FEATURES))),
    )
    for kind, names in keys:
        rows = [
            {names[j]: float(v) for j, v in zip(X.indices[a:b], X.data[a:b], strict=True)}
            for a, b in zip(X.indptr[:RECORDS], X.indptr[1 : RECORDS + 1], strict=True)
        ]
        for title, rule, theirs in (("Perceptron", ls.Perceptron(), river.Perceptron), ("PA-I", PA_I, river.PAClassifier)):
            ours = one_by_one(partial(ls.Learner, rule), rows, labels)
            times = fastest([ours, one_by_one(theirs, rows, labels)], repeats)
            report.rates(f"{title}, dicts with {kind} keys, one at a time", len(rows), times, "5")


def main(repeats: int) -> None:
    """Prints one table."""
    report = Report(repeats)
    X, y, _ = zipf_rows(ROWS, FEATURES, NONZEROS, noise=0.05)
    sparse_and_dense(report, X, y, repeats)
    records(report, X, y, repeats)
    extra = import_time("import numpy, littlestone") - import_time("import numpy")
    report.table.add_row("import littlestone over import numpy", f"{extra * 1e3:.0f} ms", "", "", "≤ 100 ms")
    Console(width=110).print(report.table)


if __name__ == "__main__":
    without_idle_threads()
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
