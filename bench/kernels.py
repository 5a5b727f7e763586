"""The kernel Perceptron against the least that a NumPy program could do: a matrix-vector product and exp a round.

The measure is the rate of kernel evaluations of one pass over 20,000 dense rows of 50 features with the Gaussian kernel.
The baseline gets the support set for nothing: in each round it multiplies the points known then with the row and takes exp.
"""

from __future__ import annotations

import time

import numpy as np

import littlestone as ls

ROWS, FEATURES, GAMMA = 20_000, 50, 0.01


def stream() -> tuple[np.ndarray[tuple[int, int], np.dtype[np.float64]], np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """Normal rows; the label is the sign of a quadratic form with a little noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((ROWS, FEATURES))
    score = np.sum(X[:, :25] ** 2, axis=1) - np.sum(X[:, 25:] ** 2, axis=1) + rng.standard_normal(ROWS)
    return X, np.where(score > 0, 1, -1)


def main() -> None:
    """Prints both rates and their ratio."""
    X, y = stream()
    rule = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=GAMMA))
    begin = time.perf_counter()
    run = ls.run(rule, X, y, keep=("update",))
    ours = time.perf_counter() - begin
    before = np.concatenate([[0], np.cumsum(run.columns["update"])[:-1]]).astype(int)
    points = np.ascontiguousarray(X[run.columns["update"].astype(bool)])
    begin = time.perf_counter()
    for t in range(ROWS):
        np.exp(points[: before[t]] @ X[t])
    theirs = time.perf_counter() - begin
    evaluations = float(before.sum())
    print(f"{len(points):,} support points, {evaluations:,.0f} kernel evaluations, {run.ledger.mistake_rate:.1%} mistakes")
    print(f"littlestone      {ours:6.2f} s   {evaluations / ours / 1e6:7.1f} million a second")
    print(f"BLAS and exp     {theirs:6.2f} s   {evaluations / theirs / 1e6:7.1f} million a second")
    print(f"ratio            {theirs / ours:6.2f}     (at least 0.5 is asked for)")


if __name__ == "__main__":
    main()
