"""How long a pass of the multiplicative rules takes beside the Perceptron's, and how it grows with the features.

    python bench/multiplicative.py [--rows 200000] [--repeats 3]

The stream is text-like: 68 nonzeros per row, features drawn from a Zipf distribution, rows of unit length. The wide stream
has the same nonzeros, spread over 4,000,000 features.
"""

from __future__ import annotations

import argparse
import time
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

import littlestone as ls
from littlestone.streams.synthetic import zipf_rows

Stream: TypeAlias = "tuple[csr_matrix[np.float64], npt.NDArray[np.int8]]"

NARROW, WIDE, NONZEROS = 47_000, 4_000_000, 68

RULES: tuple[ls.LinearRule, ...] = (
    ls.Perceptron(),
    ls.Winnow(eta=0.5),
    ls.SignedWinnow(eta=0.5),
    ls.ExponentiatedUpdate(eta=0.5, U=20.0),
    ls.SignedExponentiatedUpdate(eta=0.5, U=20.0),
)


def stream(rows: int) -> Stream:
    """The benchmark's rows, one label in twenty turned over."""
    X, y, _ = zipf_rows(rows, NARROW, NONZEROS, exponent=1.1, noise=0.05)
    return csr_matrix(X), y.astype(np.int8)


def spread(X: csr_matrix[np.float64]) -> csr_matrix[np.float64]:
    """The same rows with their features spread evenly over the wide space."""
    places = (np.arange(NARROW, dtype=np.int64) * (WIDE // NARROW)).astype(np.int32)
    return csr_matrix((X.data, places[X.indices], X.indptr), shape=(X.shape[0], WIDE))


def seconds(rule: ls.LinearRule, X: csr_matrix[np.float64], y: npt.NDArray[np.int8]) -> tuple[float, ls.Ledger]:
    """CPU seconds of one pass (one thread), the setting-up of the state included."""
    learner = ls.Learner(rule, labels=(-1, 1))
    begun = time.process_time()
    learner.learn_many(X, y)
    return time.process_time() - begun, learner.ledger


def best(rule: ls.LinearRule, X: csr_matrix[np.float64], y: npt.NDArray[np.int8], repeats: int) -> tuple[float, ls.Ledger]:
    """The fastest of some passes."""
    return min((seconds(rule, X, y) for _ in range(repeats)), key=lambda timed: timed[0])


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    X, y = stream(options.rows)
    wide = spread(X)
    print(f"{X.shape[0]:,} rows, {X.nnz / X.shape[0]:.1f} nonzeros per row; {NARROW:,} and {WIDE:,} features")
    print(f"{'rule':28}{'mistakes':>10}{'seconds':>10}{'/Perceptron':>13}{'wide':>10}{'wide/narrow':>13}")
    unit = best(RULES[0], X, y, options.repeats)[0]
    for rule in RULES:
        narrow_time, ledger = best(rule, X, y, options.repeats)
        wide_time, _ = best(rule, wide, y, options.repeats)
        name = type(rule).__name__
        print(
            f"{name:28}{ledger.mistakes:>10,}{narrow_time:>10.3f}{narrow_time / unit:>13.2f}"
            f"{wide_time:>10.3f}{wide_time / narrow_time:>13.2f}"
        )


if __name__ == "__main__":
    main()
