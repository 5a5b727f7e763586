"""The demonstration: a sparse stream made on the spot, learned with progress, and what can be proved of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console

from littlestone.cli.text import print_certificate
from littlestone.learner import Learner
from littlestone.linear import Fixed, PassiveAggressive, Perceptron
from littlestone.run import run
from littlestone.streams.synthetic import zipf_rows
from littlestone.theory import certify

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from littlestone.arrays import FloatArray
    from littlestone.rule import LinearRule
    from littlestone.streams.synthetic import Signs

_FEATURES, _NONZEROS, _SHOWN = 2_000, 68, 4


def run_demo(rows: int, seed: int) -> None:
    """Three acts: a stream that a vector separates, the same with a few labels turned over, and with many."""
    console = Console()
    X, y, u = zipf_rows(rows, _FEATURES, _NONZEROS, seed=seed)
    # Rows closer to the boundary than 0.5 are left out, and u is stretched until every margin is 1.
    clear = np.flatnonzero(np.abs(np.asarray(X @ u)) >= 0.5)
    X, y, u = X[clear], y[clear], 2.0 * u
    console.print(f"A stream of {len(y):,} rows, {_NONZEROS} of {_FEATURES:,} features each, labelled by a hidden vector u.\n")
    _act(console, Perceptron(), X, y, u)
    _act(console, PassiveAggressive(variant="PA"), X, y, u)
    for share in (0.05, 0.3):
        turned = np.random.default_rng(seed).random(len(y)) < share
        console.print(f"[bold]The same stream with {share:.0%} of the labels turned over.[/]\n")
        _act(console, Perceptron(), X, np.where(turned, -y, y), u)


def _act(console: Console, rule: LinearRule, X: csr_array[np.float64], y: Signs, u: FloatArray) -> None:
    console.print(f"[bold]{type(rule).__name__}[/]")
    learner = Learner(rule)
    begin = time.perf_counter()
    _learn_with_progress(console, learner, X, y)
    console.print(f"{learner.ledger}, {time.perf_counter() - begin:.2f} s\n", highlight=False)
    comparator = run(Fixed(weights=u), X, y)
    for certificate in certify(learner, against=comparator)[:_SHOWN]:
        print_certificate(console, certificate)
    console.print()


def _learn_with_progress(console: Console, learner: Learner, X: csr_array[np.float64], y: Signs) -> None:
    """Learns the stream in pieces of doubling length, with a line after each: chunking changes nothing."""
    console.print(f"{'rounds':>10} {'mistakes':>10} {'so far':>8} {'since last':>11}", style="dim")
    done = mistakes = 0
    while done < len(y):
        end = min(max(2 * done, 1000), len(y))
        learner.learn_many(X[done:end], y[done:end])
        ledger = learner.ledger
        lately = (ledger.mistakes - mistakes) / (end - done)
        console.print(f"{end:>10,} {ledger.mistakes:>10,} {ledger.mistake_rate:>8.2%} {lately:>11.2%}", highlight=False)
        done, mistakes = end, ledger.mistakes
