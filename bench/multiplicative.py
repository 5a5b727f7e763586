"""How long a pass of the multiplicative rules takes beside the Perceptron's, and how it grows with the features.

    python bench/multiplicative.py [--rows 200000] [--repeats 3]

The stream is text-like: about 68 nonzeros a row, features drawn from a Zipf distribution, rows of unit length. The wide
stream has the same nonzeros, spread over 4,000,000 features. The labels are those of a noisy linear target.
"""

from __future__ import annotations

import argparse
import time
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

import littlestone as ls

Stream: TypeAlias = "tuple[csr_matrix[np.float64], npt.NDArray[np.int8]]"

NARROW, WIDE, NONZEROS = 47_000, 4_000_000, 68

RULES: tuple[ls.LinearRule, ...] = (
    ls.Perceptron(),
    ls.Winnow(eta=0.5),
    ls.SignedWinnow(eta=0.5),
    ls.ExponentiatedUpdate(eta=0.5, U=20.0),
    ls.SignedExponentiatedUpdate(eta=0.5, U=20.0),
)


def stream(rows: int, seed: int = 0) -> Stream:
    """Rows of unit length with Zipf features, and labels of a sparse target with noise."""
    rng = np.random.default_rng(seed)
    chance = 1.0 / np.arange(1, NARROW + 1)
    drawn = rng.choice(NARROW, size=(rows, NONZEROS + 20), p=chance / chance.sum())
    drawn.sort(axis=1)
    fresh = np.ones(drawn.shape, dtype=bool)
    fresh[:, 1:] = drawn[:, 1:] != drawn[:, :-1]
    start = np.concatenate(([0], np.cumsum(fresh.sum(axis=1))))
    value = rng.exponential(size=int(start[-1])) + 0.1
    norms = np.sqrt(np.add.reduceat(value**2, start[:-1]))
    value /= np.repeat(norms, np.diff(start))
    X = csr_matrix((value, drawn[fresh].astype(np.int32), start.astype(np.int32)), shape=(rows, NARROW))
    target = np.where(rng.random(NARROW) < 0.02, rng.normal(size=NARROW), 0.0)
    score = X @ target
    noise = 0.1 * np.std(score) * rng.normal(size=rows)
    return X, np.where(score + noise > np.median(score), 1, -1).astype(np.int8)


def spread(X: csr_matrix[np.float64]) -> csr_matrix[np.float64]:
    """The same rows with their features spread evenly over the wide space."""
    places = (np.arange(NARROW, dtype=np.int64) * (WIDE // NARROW)).astype(np.int32)
    return csr_matrix((X.data, places[X.indices], X.indptr), shape=(X.shape[0], WIDE))


def seconds(rule: ls.LinearRule, X: csr_matrix[np.float64], y: npt.NDArray[np.int8]) -> tuple[float, ls.Ledger]:
    """One pass, the setting-up of the state included."""
    learner = ls.Learner(rule, labels=(-1, 1))
    begun = time.perf_counter()
    learner.learn_many(X, y)
    return time.perf_counter() - begun, learner.ledger


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
    print(f"{X.shape[0]:,} rows, {X.nnz / X.shape[0]:.1f} nonzeros a row; {NARROW:,} and {WIDE:,} features")
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
