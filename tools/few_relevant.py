"""Few relevant features among very many: Winnow beside the Perceptron.

    python tools/few_relevant.py [--rounds 5000] [--figure few_relevant.svg]

A row is N random signs, its label the majority of 5 of them; N grows from 100 to 100,000. The stream is made and learned a
block at a time, so that it never stands in memory whole. The figure needs matplotlib.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import final

import numpy as np
import numpy.typing as npt

import littlestone as ls
from littlestone.theory import Comparison, LinearEvidence

RELEVANT, BLOCK = 5, 250
WIDTHS = (100, 1_000, 10_000, 100_000)


@final
@dataclass(frozen=True)
class Line:
    """A line of the table: the mistakes of the rules, and the certificate of Winnow."""

    features: int
    winnow: int
    signed: int
    perceptron: int
    certificate: ls.Certificate


def blocks(features: int, rounds: int) -> Iterator[tuple[npt.NDArray[np.float32], npt.NDArray[np.int8]]]:
    """Rows of random signs and the majority of the first few of them; which ones makes no difference to the rules."""
    rng = np.random.default_rng(0)
    for begin in range(0, rounds, BLOCK):
        size = (min(BLOCK, rounds - begin), (features + 7) // 8)
        bits = np.unpackbits(rng.integers(0, 256, size=size, dtype=np.uint8), axis=1, count=features)
        X = 2.0 * bits.astype(np.float32) - 1.0
        yield X, np.sign(X[:, :RELEVANT].sum(axis=1)).astype(np.int8)


def compare(features: int, rounds: int) -> Line:
    """Runs the rules and the target itself over one stream."""
    target = np.repeat([1.0 / RELEVANT, 0.0], [RELEVANT, features - RELEVANT])
    rules = {
        "winnow": ls.Winnow.lecture(margin=1.0 / RELEVANT, radius=1.0),
        "signed": ls.SignedWinnow.lecture(margin=1.0 / RELEVANT, radius=1.0),
        "perceptron": ls.Perceptron(),
        "target": ls.Fixed(weights=target),
    }
    learners = {name: ls.Learner(rule, labels=(-1, 1)) for name, rule in rules.items()}
    for X, y in blocks(features, rounds):
        for learner in learners.values():
            learner.learn_many(X, y)
    made = {name: learner.ledger.mistakes for name, learner in learners.items()}
    best = Comparison(target, learners["target"].ledger)
    winnow = learners["winnow"]
    evidence = LinearEvidence(winnow.rule, winnow.ledger, best, state=winnow.state)
    certificate = ls.theory.linear["lecture.2"].certify(evidence)
    return Line(features, made["winnow"], made["signed"], made["perceptron"], certificate)


def table(lines: list[Line], rounds: int) -> str:
    """The lines as text."""
    head = f"{'features':>9}{'Winnow':>9}{'bound':>9}{'SignedWinnow':>14}{'Perceptron':>12}   mistakes in {rounds:,} rounds"
    return "\n".join([head, *(_text(line) for line in lines)])


def _text(line: Line) -> str:
    numbers = f"{line.features:>9,}{line.winnow:>9,}{line.certificate.bound:>9.1f}{line.signed:>14,}{line.perceptron:>12,}"
    return f"{numbers}   {line.certificate.id}: {line.certificate.verdict.value}"


def draw(lines: list[Line], path: Path) -> None:
    """Mistakes against the number of features."""
    figure = importlib.import_module("matplotlib.figure").Figure(figsize=(6.0, 3.6), layout="constrained")
    axes = figure.subplots()
    widths = [line.features for line in lines]
    axes.semilogx(widths, [line.perceptron for line in lines], "o-", label="Perceptron")
    axes.semilogx(widths, [line.winnow for line in lines], "s-", label="Winnow")
    axes.semilogx(widths, [line.certificate.bound for line in lines], "--", label="Winnow's bound")
    axes.set_xlabel(f"features, {RELEVANT} of them relevant")
    axes.set_ylabel("mistakes")
    axes.legend()
    figure.savefig(path)


def main() -> None:
    """Prints the table, and draws it on request."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5000)
    parser.add_argument("--figure", type=Path)
    options = parser.parse_args()
    lines = [compare(features, options.rounds) for features in WIDTHS]
    print(table(lines, options.rounds))
    if options.figure is not None:
        draw(lines, options.figure)


if __name__ == "__main__":
    main()
