"""A stream without labels: a ball that follows it, and how well the distance to it ranks what is strange.

Usage: python examples/anomalies.py [mammography.csv.gz]        (six numbers and a label, '1' for an anomaly)

Without a file, a sensor's readings go round in a circle, and one in fifty is a fault. Labels are used only to judge: each
row is scored, then learned, so every score is one of a row that was new.
"""

from __future__ import annotations

import sys

import numpy as np

import littlestone as ls

if len(sys.argv) > 1:
    table = np.genfromtxt(sys.argv[1], delimiter=",", dtype=str)[np.random.default_rng(0).permutation(11183)]
    X, strange = table[:, :6].astype(np.float64), np.char.strip(table[:, 6], "'") == "1"
else:
    rng = np.random.default_rng(0)
    turn, strange = np.arange(3000) / 40, rng.random(3000) < 0.02
    X = np.column_stack([np.cos(turn), np.sin(turn), np.cos(2 * turn)]) + rng.normal(scale=0.1, size=(3000, 3))
    X[strange] += rng.normal(scale=1.5, size=(int(strange.sum()), 3))

RULES: dict[str, ls.LinearRule] = {
    "ball": ls.Uniclass(epsilon=1.0),
    "ball in the space of a Gaussian": ls.KernelUniclass(kernel=ls.kernels.Gaussian(gamma=0.1), epsilon=0.7, budget=200),
    "ball in the space of a Laplace kernel": ls.KernelUniclass(kernel=ls.kernels.Laplace(gamma=0.1), epsilon=0.7, budget=200),
}
print(f"{len(X):,} rows, {int(strange.sum())} anomalies; a score at random would have {strange.mean():.3f}")
for name, rule in RULES.items():
    run = ls.run(rule, X, keep=("score",))
    hits = strange[np.argsort(-run.columns["score"].astype(np.float64), kind="stable")]
    precision = np.mean((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits])
    print(f"average precision {precision:.3f}   {name}: {run.ledger.updates:,} updates, {run.state}")
