"""The pool beside Vowpal Wabbit: progressive error, log loss, MAE and RMSE on real streams, one pass, no flags.

Usage: python bench/pool.py DATA [--write docs/benchmarks.md]

DATA is a folder with the public sets named below (svmlight, CSV and VW text, gzipped). Both sides read the same rows in one
order: numeric columns as they are, categories as name=value, zeros and blanks left out. VW runs in this process with its
defaults: `--loss_function logistic` and `hinge` for labels, squared for targets, `--oaa` with either loss for classes; bits are
enough for its features not to meet. Shuffled streams are permuted by NumPy's default_rng(seed). A prediction is made before
its row is learned.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

import littlestone as ls
from littlestone.arrays import FloatArray
from pool_sets import Data, messages, svmlight, table, vowpal, written_into

MARKS = ("<!-- pool: written by bench/pool.py -->\n", "<!-- end of pool -->")


class Example(Protocol):
    """A row of VW."""

    def get_simplelabel_prediction(self) -> float:
        """What was predicted."""

    def get_multiclass_prediction(self) -> int:
        """The class that was predicted."""


class Workspace(Protocol):
    """What is used of VW."""

    def parse(self, text: str) -> Example:
        """A row from its text."""

    def learn(self, example: Example) -> None:
        """Predicts and learns."""

    def finish_example(self, example: Example) -> None:
        """Gives a row back."""

    def finish(self) -> None:
        """Closes it."""


def examples(data: Data, outcomes: list[str]) -> Iterator[str]:
    """The rows in VW's text."""
    X = data.X
    for t, outcome in enumerate(outcomes):
        part = slice(X.indptr[t], X.indptr[t + 1])
        yield f"{outcome} | " + " ".join(f"{i}:{v!r}" for i, v in zip(X.indices[part], X.data[part].tolist(), strict=True))


def wabbit(flags: str, data: Data, outcomes: list[str]) -> FloatArray:
    """The progressive predictions of VW."""
    bits = max(18, math.ceil(math.log2(data.X.shape[1] + 1)) + 1)
    make: Callable[[str], Workspace] = import_module("vowpalwabbit").Workspace
    workspace = make(f"--quiet -b {bits} {flags}")
    shown = list[float]()
    for text in examples(data, outcomes):
        example = workspace.parse(text)
        workspace.learn(example)
        shown.append(float(example.get_simplelabel_prediction()) if "oaa" not in flags else example.get_multiclass_prediction())
        workspace.finish_example(example)
    workspace.finish()
    return np.array(shown, dtype=np.float64)


class Labelled(NamedTuple):
    """Errors and log loss, per row."""

    error: float
    log_loss: float


def of_pool(data: Data, positive: object) -> Labelled:
    """The pool, by the label that it shows."""
    ledger = ls.run(ls.Pool(), data.X, data.y == positive, labels=(False, True)).ledger
    return Labelled(ledger.error_rate, ledger.log_loss / ledger.rounds)


def of_wabbit(data: Data, positive: object) -> tuple[Labelled, float]:
    """Logistic, and the error of hinge."""
    y = data.y == positive
    outcomes = ["1" if label else "-1" for label in y.tolist()]
    raw = wabbit("--loss_function logistic", data, outcomes)
    hinge = wabbit("--loss_function hinge", data, outcomes)
    margin = np.where(y, raw, -raw)
    return Labelled(float(((raw > 0) != y).mean()), float(np.logaddexp(0.0, -margin).mean())), float(((hinge > 0) != y).mean())


def label_rows(folder: Path) -> Iterator[str]:
    """The table of two labels."""
    svm = {"a9a": "a9a", "w8a": "w8a.shuf", "mushrooms": "mushrooms", "splice": "splice", "svmguide3": "svmguide3.shuf"}
    sets: dict[str, tuple[Callable[[], Data], object]] = {
        name: (partial(svmlight, folder / "libsvm" / f"{file}.svm.gz"), None)
        for name, file in {**svm, "a1a": "a1a", "a1a.t": "a1a.t"}.items()
    }
    sets["imdb"] = (lambda: vowpal(folder / "vw" / "imdb.vw.gz"), None)
    sets["0001.dat"] = (lambda: vowpal(folder / "vw" / "0001.dat.gz"), None)
    sets["rcv1_small, 10 shuffles"] = (lambda: vowpal(folder / "vw" / "rcv1_small.dat.gz"), None)
    sets["elec2"] = (lambda: table(folder / "drift" / "elec2.csv.gz", "class"), "UP")
    sets["elec2, shuffled (seed 0)"] = (lambda: table(folder / "drift" / "elec2.csv.gz", "class").shuffled(0), "UP")
    sets["weather"] = (lambda: table(folder / "drift" / "weather_noaa.csv.gz", "target"), "1")
    sets["sms"] = (lambda: messages(folder / "text" / "sms_spam.tsv.gz"), "spam")
    for name, (make, positive) in sets.items():
        data = make()
        positive = data.y.max() if positive is None else positive
        orders = [data.shuffled(seed) for seed in range(10)] if "10 shuffles" in name else [data]
        ours = [of_pool(order, positive) for order in orders]
        theirs = [of_wabbit(order, positive) for order in orders]
        error, loss = np.mean([o.error for o in ours]), np.mean([o.log_loss for o in ours])
        logistic, log_loss = np.mean([t[0].error for t in theirs]), np.mean([t[0].log_loss for t in theirs])
        hinge = np.mean([t[1] for t in theirs])
        yield f"| {name} | {logistic:.4f} | {hinge:.4f} | **{error:.4f}** | {log_loss:.4f} | **{loss:.4f}** |"


def target_rows(folder: Path) -> Iterator[str]:
    """The table of targets."""
    columns = ["sex", "length", "diameter", "height", "whole", "shucked", "viscera", "shell", "rings"]
    sets: dict[str, Callable[[], Data]] = {
        "abalone": lambda: table(folder / "regression" / "abalone.csv.gz", "rings", columns),
        "concrete": lambda: svmlight(folder / "regression" / "concrete.svm.gz"),
        "kin8nm": lambda: svmlight(folder / "regression" / "kin8nm.svm.gz"),
        "power-plant": lambda: svmlight(folder / "regression" / "power-plant.svm.gz"),
        "trump_approval": lambda: table(folder / "regression" / "trump_approval.csv.gz", "five_thirty_eight"),
        "0002.dat": lambda: vowpal(folder / "vw" / "0002.dat.gz"),
    }
    for name, make in sets.items():
        data = make()
        y = data.y.astype(float)
        theirs = wabbit("", data, [repr(value) for value in y.tolist()]) - y
        ours = ls.run(ls.PoolRegression(), data.X, y, keep=("score",)).columns["score"] - y
        theirs_abs, ours_abs = np.abs(theirs).mean(), np.abs(ours).mean()
        theirs_root, ours_root = np.sqrt(np.square(theirs).mean()), np.sqrt(np.square(ours).mean())
        yield f"| {name} | {theirs_abs:.4g} | **{ours_abs:.4g}** | {theirs_root:.4g} | **{ours_root:.4g}** |"


def class_rows(folder: Path) -> Iterator[str]:
    """The table of many classes."""
    for name, file in (("segment", "segment"), ("letter", "letter.scale"), ("news20.t", "news20.t")):
        data = svmlight(folder / "libsvm" / f"{file}.svm.gz")
        labels, codes = np.unique(data.y, return_inverse=True)
        outcomes = [str(code + 1) for code in codes.tolist()]
        errors = {}
        for loss in ("logistic", "hinge"):
            shown = wabbit(f"--oaa {len(labels)} --loss_function {loss}", data, outcomes)
            errors[loss] = float((shown != codes + 1).mean())
        ledger = ls.run(ls.Pool(), data.X, data.y).ledger
        yield f"| {name} | {errors['logistic']:.4f} | {errors['hinge']:.4f} | **{ledger.error_rate:.4f}** |"


def section(folder: Path) -> str:
    """The three tables."""
    parts = [
        "| two labels | VW logistic, error | VW hinge | pool | VW logistic, log loss | pool |",
        "| --- | --- | --- | --- | --- | --- |",
        *label_rows(folder),
        "",
        "| targets | VW squared, MAE | pool | VW squared, RMSE | pool |",
        "| --- | --- | --- | --- | --- |",
        *target_rows(folder),
        "",
        "| many classes | VW --oaa logistic, error | --oaa hinge | pool |",
        "| --- | --- | --- | --- |",
        *class_rows(folder),
    ]
    return "\n".join(parts) + "\n"


def main() -> None:
    """Measures, prints and writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    text = section(given.data)
    print(text)
    if given.write is not None:
        written_into(given.write, MARKS, text)


if __name__ == "__main__":
    main()
