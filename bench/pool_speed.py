"""The pool from text beside Vowpal Wabbit: whole processes, from their start to their end, taking turns.

Usage: python bench/pool_speed.py DATA [--rounds 5]

Streams: a9a; imdb; 200,000 rows of 68 among 47,000 features; and the covtype-like stream of pool_sets.py, 500,000 rows with 54
columns, zeros left out and written out. littlestone reads svmlight (of imdb VW's text), VW its own text, with
`--loss_function logistic`. Then `learn_one` on dicts of 68 features beside River's StandardScaler | LogisticRegression.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import tempfile
import time
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path
from typing import Protocol, cast

import numpy as np
from river import linear_model, preprocessing

import littlestone as ls
from pool_sets import Data, forest_cover, svmlight
from readers import best, write_stream


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


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    learn = [str(Path(sys.executable).with_name("littlestone")), "learn"]
    wabbit = [sys.executable, "-m", "vowpalwabbit", "--quiet", "--loss_function", "logistic", "-d"]
    with tempfile.TemporaryDirectory() as name:
        for title, ours, theirs in streams(Path(name), given.data):
            commands = {
                "pool": [*learn, str(ours)],
                "perceptron": [*learn, str(ours), "--rule", "perceptron"],
                "VW": [*wabbit, str(theirs)],
            }
            found = best(commands, given.rounds)
            (pool, _, peak), (rule, _, _), (vw, _, _) = found["pool"], found["perceptron"], found["VW"]
            print(
                f"{title}: pool {pool:.2f} s ({peak:.0f} MB), perceptron {rule:.2f} s, VW {vw:.2f} s: "
                f"{vw / pool:.2f} and {vw / rule:.2f} times as fast",
                flush=True,
            )
    source = np.random.default_rng(0)
    drawn = [
        (source.integers(0, 5000, 68).tolist(), source.random(68).tolist(), bool(source.random() < 0.5)) for _ in range(3000)
    ]
    rows: list[tuple[dict[Hashable, float], bool]] = [
        ({f"f{i}": v for i, v in zip(index, value, strict=True)}, y) for index, value, y in drawn
    ]
    ours_one = seconds(lambda: cast("Model", ls.Learner(ls.Pool())), rows)
    theirs_one = seconds(lambda: preprocessing.StandardScaler() | linear_model.LogisticRegression(), rows)
    print(f"learn_one: {1e6 * ours_one:.1f} µs, River {1e6 * theirs_one:.1f} µs: {theirs_one / ours_one:.1f} times as fast")


if __name__ == "__main__":
    main()
