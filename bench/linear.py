"""The linear rules beside scikit-learn and River, in one run: best of several alternating rounds.

Usage: python bench/linear.py [repeats]
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import scipy.sparse as sp
from river import linear_model
from rich.console import Console
from rich.table import Table
from sklearn.linear_model import Perceptron, SGDClassifier

import littlestone as ls

ROWS, FEATURES, NONZEROS = 200_000, 47_000, 68


def zipf_stream(rows: int, features: int, nonzeros: int, seed: int) -> tuple[sp.csr_matrix, np.ndarray]:
    """Unit rows with Zipf-distributed features, labelled by a random separator with noise."""
    rng = np.random.default_rng(seed)
    popularity = 1.0 / np.arange(1, features + 1) ** 1.1
    edges = np.cumsum(popularity / popularity.sum())
    drawn = np.searchsorted(edges, rng.random((rows, 2 * nonzeros)))
    drawn.sort(axis=1)
    fresh = np.ones(drawn.shape, dtype=bool)
    fresh[:, 1:] = drawn[:, 1:] != drawn[:, :-1]
    fresh &= fresh.cumsum(axis=1) <= rng.poisson(nonzeros, size=(rows, 1))
    start = np.concatenate([[0], fresh.sum(axis=1).cumsum()]).astype(np.int32)
    value = rng.exponential(size=start[-1])
    norms = np.sqrt(np.add.reduceat(value**2, start[:-1]))
    value /= np.repeat(norms, np.diff(start))
    X = sp.csr_matrix((value, drawn[fresh].astype(np.int32), start), shape=(rows, features))
    score = X @ rng.normal(size=features)
    return X, np.where(score + 0.3 * rng.normal(size=rows) > 0, 1, -1)


def race(ours: Callable[[], object], theirs: Callable[[], object], repeats: int) -> tuple[float, float]:
    """The best time of each, taken in turns so that both meet the same machine."""
    best = [np.inf, np.inf]
    for _ in range(repeats):
        for k, contender in enumerate((ours, theirs)):
            begin = time.perf_counter()
            contender()
            best[k] = min(best[k], time.perf_counter() - begin)
    return best[0], best[1]


def one_by_one(make: Callable[[], object], rows: list[dict], y: list[bool]) -> Callable[[], None]:
    """Predict, then learn, a row at a time."""

    def loop() -> None:
        model = make()
        predict, learn = model.predict_one, model.learn_one
        for x, label in zip(rows, y, strict=True):
            predict(x)
            learn(x, label)

    return loop


def import_time(statement: str) -> float:
    """Seconds that a fresh interpreter spends on an import, best of five."""
    code = f"import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
    return min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout) for _ in range(5))


def main(repeats: int) -> None:
    """Prints one table."""
    table = Table(title=f"littlestone {ls.__version__}, best of {repeats} alternating rounds")
    for column in ("task", "ours", "theirs", "ratio", "asked"):
        table.add_column(column, justify="right" if column != "task" else "left")

    def add(task: str, times: tuple[float, float], asked: str, rounds: int = 0) -> None:
        shown = [f"{rounds / t:,.0f}/s" if rounds else f"{t * 1e3:.1f} ms" for t in times]
        table.add_row(task, *shown, f"{times[1] / times[0]:.2f}", asked)

    classes = np.array([-1, 1])
    X, y = zipf_stream(ROWS, FEATURES, NONZEROS, seed=0)
    for dtype in (np.float64, np.float32):
        M = X.astype(dtype)
        name = f"CSR {np.dtype(dtype)} {M.shape[0]:,} × {M.shape[1]:,}, {M.nnz / M.shape[0]:.0f} nonzeros"
        pa1 = ls.PassiveAggressive(variant="PA-I", C=1.0)
        add(
            f"Perceptron, {name}",
            race(lambda: ls.run(ls.Perceptron(), M, y), lambda: Perceptron().partial_fit(M, y, classes), repeats),
            "1.5",
        )
        sgd = {"loss": "hinge", "learning_rate": "pa1", "penalty": None, "eta0": 1.0}
        add(
            f"PA-I, {name}",
            race(lambda: ls.run(pa1, M, y), lambda: SGDClassifier(**sgd).partial_fit(M, y, classes), repeats),
            "1.5",
        )
    rng = np.random.default_rng(1)
    D = rng.normal(size=(20_000, 2_000)).astype(np.float32)
    yd = np.where(D @ rng.normal(size=2_000) > 0, 1, -1)
    add(
        "Perceptron, dense float32 20,000 × 2,000",
        race(lambda: ls.run(ls.Perceptron(), D, yd), lambda: Perceptron().partial_fit(D, yd, classes), repeats),
        "3",
    )
    part = X[:20_000]
    for kind, names in (("str", [f"feature{j}" for j in range(FEATURES)]), ("int", list(range(FEATURES)))):
        records = [
            {names[j]: float(v) for j, v in zip(part.indices[a:b], part.data[a:b], strict=True)}
            for a, b in zip(part.indptr[:-1], part.indptr[1:], strict=True)
        ]
        labels = [bool(label > 0) for label in y[: len(records)]]
        pairs = (
            ("Perceptron", ls.Perceptron(), linear_model.Perceptron),
            ("PA-I", ls.PassiveAggressive(variant="PA-I", C=1.0), linear_model.PAClassifier),
        )
        for title, rule, river in pairs:
            ours = one_by_one(lambda rule=rule: ls.Learner(rule), records, labels)
            times = race(ours, one_by_one(river, records, labels), repeats)
            add(f"{title}, dicts, {kind} keys, predict_one + learn_one", times, "5", rounds=len(records))
    extra = import_time("import numpy, littlestone") - import_time("import numpy")
    table.add_row("import littlestone over import numpy", f"{extra * 1e3:.0f} ms", "", "", "≤ 100 ms")
    Console().print(table)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
