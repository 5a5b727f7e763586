"""The pool from text beside Vowpal Wabbit: whole processes, from their start to their end, taking turns.

Usage: python bench/pool_speed.py DATA [--rounds 5] [--write docs/benchmarks.md]

Streams: a9a; imdb; 200,000 rows of 68 among 47,000 features; and the covtype-like stream of pool_sets.py, 500,000 rows with 54
columns, zeros left out and written out. littlestone reads svmlight (of imdb VW's text), VW its own text, with
`--loss_function logistic`. Then `learn_one` on dicts of 68 features beside River's StandardScaler | LogisticRegression, and the
memory that a pool of a million features takes. Python may keep what it has compiled, as it does of an installed package.
"""

from __future__ import annotations

import argparse
import gzip
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path
from typing import Protocol, cast

import numpy as np
from river import linear_model, preprocessing

import littlestone as ls
from pool_sets import Data, forest_cover, svmlight, written_into
from readers import best, python, write_stream

MARKS = ("<!-- pool speed: written by bench/pool_speed.py -->\n", "<!-- end of pool speed -->")

_MANY = """
import numpy as np, scipy.sparse as sp, littlestone as ls
learner = ls.Learner(ls.Pool())
for k in range({calls}):
    rows = sp.csr_matrix((np.ones(50_000), np.arange(50_000) + 50_000 * k, np.arange(0, 50_001, 50)), shape=(1000, 1_000_000))
    learner.learn_many(rows, np.arange(1000) % 2)
"""


# A small process of its own between this one and the one that is measured, which would begin with the peak of this one.
_PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
"""


class Model(Protocol):
    """What learns one row at a time."""

    def learn_one(self, x: dict[Hashable, float], y: bool) -> object:
        """One round."""


def texts(data: Data, positive: float, *, zeros: bool) -> Iterator[tuple[str, str]]:
    """The label and the entries of every row."""
    X = data.X
    for t, y in enumerate(data.y.tolist()):
        part = slice(X.indptr[t], X.indptr[t + 1])
        row = dict(zip((X.indices[part] + 1).tolist(), X.data[part].tolist(), strict=True))
        columns = range(1, X.shape[1] + 1) if zeros else sorted(row)
        yield ("1" if y == positive else "-1"), " ".join(f"{j}:{row.get(j, 0.0):g}" for j in columns)


def written(folder: Path, name: str, data: Data, positive: float, *, zeros: bool = False) -> tuple[Path, Path]:
    """The stream in both formats."""
    svm, vw = folder / f"{name}.svm", folder / f"{name}.vw"
    with svm.open("w") as one, vw.open("w") as two:
        for label, text in texts(data, positive, zeros=zeros):
            one.write(f"{label} {text}\n")
            two.write(f"{label} | {text}\n")
    return svm, vw


def streams(folder: Path, data: Path) -> Iterator[tuple[str, Path, Path]]:
    """The name of each stream, our text and VW's."""
    yield "a9a", *written(folder, "a9a", svmlight(data / "libsvm" / "a9a.svm.gz"), 1.0)
    imdb = folder / "imdb.vw"
    imdb.write_bytes(gzip.decompress((data / "vw" / "imdb.vw.gz").read_bytes()))
    yield "imdb", imdb, imdb
    yield "200,000 × 47,000 × 68", *write_stream(folder, 200_000)
    cover = forest_cover(500_000)
    yield "covtype-like, zeros left out", *written(folder, "cover", cover, 2.0)
    yield "covtype-like, zeros written", *written(folder, "dense", cover, 2.0, zeros=True)


def peak(command: list[str]) -> float:
    """The most megabytes that a process takes."""
    return float(subprocess.run([*python(_PEAK), *command], check=True, capture_output=True, text=True).stdout)


def races(folder: Path, data: Path, rounds: int) -> Iterator[str]:
    """A row of the table for every stream."""
    learn = [str(Path(sys.executable).with_name("littlestone")), "learn"]
    wabbit = [sys.executable, "-m", "vowpalwabbit", "--quiet", "--loss_function", "logistic", "-d"]
    for title, ours, theirs in streams(folder, data):
        commands = {
            "pool": [*learn, str(ours)],
            "perceptron": [*learn, str(ours), "--rule", "perceptron"],
            "VW": [*wabbit, str(theirs)],
        }
        most = peak(commands["pool"])  # the run that compiles
        pool, rule, vw = (wall for wall, _, _ in best(commands, rounds).values())
        yield f"| {title} | {vw:.2f} | {pool:.2f} | **{vw / pool:.2f}** | {most:.0f} | {rule:.2f} | {vw / rule:.2f} |"


def seconds(make: Callable[[], Model], rows: list[tuple[dict[Hashable, float], bool]]) -> float:
    """Of a round of `learn_one`; the best of three."""
    clocks = []
    for _ in range(3):
        model = make()
        begin = time.perf_counter()
        for x, y in rows:
            model.learn_one(x, y)
        clocks.append((time.perf_counter() - begin) / len(rows))
    return min(clocks)


def one_by_one() -> str:
    """`learn_one` beside River."""
    source = np.random.default_rng(0)
    drawn = [
        (source.integers(0, 5000, 68).tolist(), source.random(68).tolist(), bool(source.random() < 0.5)) for _ in range(3000)
    ]
    rows: list[tuple[dict[Hashable, float], bool]] = [
        ({f"f{i}": v for i, v in zip(index, value, strict=True)}, y) for index, value, y in drawn
    ]
    ours = seconds(lambda: cast("Model", ls.Learner(ls.Pool())), rows)
    theirs = seconds(lambda: preprocessing.StandardScaler() | linear_model.LogisticRegression(), rows)
    return (
        f"`learn_one` on dicts of 68 features takes {1e6 * ours:.1f} µs, River's StandardScaler | LogisticRegression "
        f"{1e6 * theirs:.1f} µs: {theirs / ours:.1f} times as fast."
    )


def memory() -> str:
    """What a pool of a million features takes beyond one of a twentieth of them."""
    few, most = (peak(python(_MANY.format(calls=calls))) for calls in (1, 20))
    return (
        f"A million features, 50 in a row, each met once, take {most:.0f} MB at the most, a twentieth of them {few:.0f} MB: "
        f"{(most - few) * 2**20 / 950_000:.0f} bytes per feature."
    )


def main() -> None:
    """Measures, prints and writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    parts = [
        "| stream | VW, s | pool, s | times as fast | pool, MB | perceptron, s | times as fast |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    with tempfile.TemporaryDirectory() as name:
        os.environ["PYTHONPYCACHEPREFIX"] = str(Path(name) / "compiled")
        for row in races(Path(name), given.data, given.rounds):
            print(row, flush=True)
            parts.append(row)
    text = "\n".join([*parts, "", one_by_one(), memory()]) + "\n"
    print(text)
    if given.write is not None:
        written_into(given.write, MARKS, text)


if __name__ == "__main__":
    main()
