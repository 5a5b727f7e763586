"""Forecasts of several experts, mixed as opera's `mixture()` does: three models, oracles beside them, and a proof.

Usage: python examples/journeys/from_opera.py
"""

from __future__ import annotations

import numpy as np

import littlestone as ls

# A load with a daily swing; one expert is good on weekdays, one on weekends, one is always late, one is half asleep.
rng = np.random.default_rng(3)
hours = np.arange(24 * 7 * 8)
weekend = (hours // 24) % 7 >= 5
load = 50 + 10 * np.sin(2 * np.pi * hours / 24) - 8 * weekend + rng.normal(scale=1.0, size=len(hours))
advice = np.column_stack([
    load + rng.normal(scale=np.where(weekend, 6.0, 1.0)),
    load + rng.normal(scale=np.where(weekend, 1.0, 6.0)),
    np.concatenate([load[:24], load[:-24]]),
    np.where(hours % 2 == 0, load + rng.normal(scale=2.0, size=len(hours)), np.nan),  # nan: awake every other hour
])  # fmt: skip
names = ["weekdays", "weekends", "yesterday", "half asleep"]

# mixture(Y, experts, model = "MLpol", loss.type = "square", awake = ...)
for rule in (ls.MLpol(), ls.BOA(), ls.ExponentialWeights()):
    run = ls.aggregate(rule, advice, load, loss="square", experts=names)
    print(f"{type(rule).__name__}: mean loss {run.ledger.mean_loss:.3f}, regret to {run.ledger.best} {run.regret:.0f}")

awake = advice[:, :3]
print(f"oracle(convex): {ls.oracles.best_convex(awake, load, 'square').mean:.3f}")
print(f"uniform mean:   {ls.oracles.uniform(awake, load, 'square').mean:.3f}")
proof = ls.aggregate(ls.AdaHedge(), awake, load, loss="absolute").certify()[0]  # opera has no such thing
print(*str(proof).splitlines()[:1])
