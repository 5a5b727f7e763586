"""A truth that changes: three rules and a master over them, before and after the change.

Usage: python examples/drift.py
"""

from __future__ import annotations

import numpy as np

import littlestone as ls
from littlestone.streams.synthetic import linear_labels

ROWS, FEATURES = 8_000, 20
before, after = (linear_labels(rows=ROWS // 2, features=FEATURES, margin=0.05, seed=seed) for seed in (1, 2))
X, y = np.vstack([before.X, after.X]), np.concatenate([before.y, after.y])

RULES: dict[str, ls.LinearRule] = {
    "Perceptron": ls.Perceptron(),
    "Passive-Aggressive I": ls.PassiveAggressive(variant="PA-I", C=0.5),
    "online SVM": ls.OnlineSVM(C=100.0),
    "the first truth": ls.Fixed(weights=before.u),
}
members = [ls.Learner(rule) for rule in RULES.values()]
master = ls.Master([ls.Learner(rule) for rule in RULES.values()])
learners: dict[str, ls.Learner | ls.Master] = {**dict(zip(RULES, members, strict=True)), "a master over them": master}

print(f"{'mistakes of':22}{'1st quarter':>12}{'2nd':>8}{'3rd':>8}{'4th':>8}    (the truth changes after the 2nd)")
for name, learner in learners.items():
    counts = [0]
    for quarter in np.split(np.arange(ROWS), 4):
        learner.learn_many(X[quarter], y[quarter])
        counts.append(learner.ledger.mistakes)
    print(f"{name:22}{counts[1]:>12}" + "".join(f"{count:>8}" for count in np.diff(counts[1:])))
print(master.certify()[0])
