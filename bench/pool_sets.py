"""The streams of the pool's tables: public sets in a folder, and one that is made here.

Rows: svmlight as it is; CSV with numeric columns raw and categories as name=value, zeros and blanks left out; messages as
counts of lower-cased words. Shuffled streams are permuted by NumPy's default_rng(seed).
"""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp


class Data(NamedTuple):
    """Rows and their outcomes."""

    X: sp.csr_matrix[np.float64]
    y: npt.NDArray[np.generic]

    def shuffled(self, seed: int) -> Data:
        """The rows in another order."""
        order = np.random.default_rng(seed).permutation(len(self.y))
        return Data(self.X[order], self.y[order])

    def first(self, count: int) -> Data:
        """So many rows."""
        return Data(self.X[:count], self.y[:count])


Item = tuple[object, float]


def gathered(rows: Iterator[tuple[list[Item], object]]) -> Data:
    """Features numbered in the order in which they appear."""
    names: dict[object, int] = {}
    start, index, value, outcomes = [0], [], [], []
    for items, outcome in rows:
        for name, number in items:
            if number != 0.0:
                index.append(names.setdefault(name, len(names)))
                value.append(number)
        start.append(len(index))
        outcomes.append(outcome)
    return Data(sp.csr_matrix((value, index, start), shape=(len(outcomes), len(names))), np.array(outcomes))


def lines(path: Path) -> Iterator[str]:
    """The lines of a gzipped text."""
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
        yield from file


def svmlight(path: Path) -> Data:
    """Rows as they are."""

    def rows() -> Iterator[tuple[list[Item], object]]:
        for line in lines(path):
            label, *entries = line.split("#")[0].split()
            yield [(int(e.split(":")[0]), float(e.split(":")[1])) for e in entries], float(label)

    return gathered(rows())


def vowpal(path: Path) -> Data:
    """Tokens of a namespace are features; those that repeat add up."""

    def rows() -> Iterator[tuple[list[Item], object]]:
        for line in lines(path):
            head, *spaces = line.rstrip("\n").split("|")
            items: dict[object, float] = {}
            for space in spaces:
                name, *tokens = space.split(" ")
                for token in filter(None, tokens):
                    key, _, number = token.rpartition(":") if ":" in token else (token, "", "1")
                    items[name, key] = items.get((name, key), 0.0) + float(number)
            yield list(items.items()), float(head.split()[0])

    return gathered(rows())


def table(path: Path, target: str, names: list[str] | None = None) -> Data:
    """Numbers as they are, words as name=value."""

    def rows() -> Iterator[tuple[list[Item], object]]:
        reader = csv.reader(lines(path))
        header = names or next(reader)
        for row in reader:
            items: list[Item] = []
            for name, cell in zip(header, row, strict=True):
                if name == target:
                    outcome = cell
                elif cell:
                    try:
                        items.append((name, float(cell)))
                    except ValueError:
                        items.append((f"{name}={cell}", 1.0))
            yield items, outcome

    return gathered(rows())


def messages(path: Path) -> Data:
    """Counts of lower-cased words."""

    def rows() -> Iterator[tuple[list[Item], object]]:
        for line in lines(path):
            label, _, text = line.partition("\t")
            words = re.findall(r"\w+", text.lower())
            yield [(word, float(words.count(word))) for word in dict.fromkeys(words)], label

    return gathered(rows())


def forest_cover(rows: int, seed: int = 0) -> Data:
    """Like the forest covers of covtype: 10 numeric columns, 4 areas and 40 soils as indicators, two covers.

    The cover goes by a curve of the altitude, by slope and distance together, by the soil and by chance.
    """
    source = np.random.default_rng(seed)
    spread = np.array([280.0, 110.0, 7.5, 210.0, 58.0, 1560.0, 27.0, 20.0, 38.0, 1320.0])
    centre = np.array([2960.0, 155.0, 14.0, 270.0, 46.0, 2350.0, 212.0, 223.0, 142.0, 1980.0])
    unit = source.normal(size=(rows, 10))
    numbers = np.rint(centre + spread * unit)
    area, soil = source.choice(4, size=rows, p=[0.45, 0.05, 0.44, 0.06]), source.integers(0, 40, size=rows)
    lean = 2.0 * np.sin(1.5 * unit[:, 0]) + unit[:, 2] * unit[:, 5] + source.normal(size=40)[soil] + 0.5 * (area == 2)
    places = sp.csr_matrix((np.ones(2 * rows), np.column_stack((area, 4 + soil)).ravel(), np.arange(0, 2 * rows + 1, 2)))
    X = sp.hstack([sp.csr_matrix(numbers), places], format="csr")
    return Data(X, np.where(lean + source.normal(size=rows) > 0.25, 2.0, 1.0))


def tables(folder: Path) -> dict[str, Data]:
    """The streams that forests of trees are run on, with the label 1.0 as the positive one."""
    drift, libsvm = folder / "drift", folder / "libsvm"
    elec2 = signed(table(drift / "elec2.csv.gz", "class"), "UP")
    return {
        "elec2": elec2,
        "elec2, shuffled (seed 0)": elec2.shuffled(0),
        "weather": signed(table(drift / "weather_noaa.csv.gz", "target"), "1"),
        "splice": signed(svmlight(libsvm / "splice.svm.gz"), 1.0),
        "svmguide3": signed(svmlight(libsvm / "svmguide3.shuf.svm.gz"), 1.0),
        "covtype-like, 50,000 rows (seed 0)": signed(forest_cover(50_000), 2.0),
    }


def signed(data: Data, positive: object) -> Data:
    """The same with the labels 1.0 and 0.0."""
    return Data(data.X, (data.y == positive).astype(float))


def written_into(page: Path, marks: tuple[str, str], text: str) -> None:
    """Writes the text between its two marks on a page, in place of what stood there."""
    before, rest = page.read_text(encoding="utf-8").split(marks[0])
    page.write_text(before + marks[0] + text + marks[1] + rest.split(marks[1])[1], encoding="utf-8")
