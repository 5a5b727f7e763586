"""A commuter crosses a city of 8 by 8 blocks, 3,432 ways to work, while the traffic changes.

Usage: python examples/commuter.py [commuter.png]
"""

from __future__ import annotations

import sys

import numpy as np
from matplotlib.figure import Figure

import littlestone as ls

SIZE, DAYS = 8, 2000
streets = [((x, y), (x + 1, y)) for x in range(SIZE - 1) for y in range(SIZE)]
avenues = [((x, y), (x, y + 1)) for x in range(SIZE) for y in range(SIZE - 1)]
ends = np.array([*streets, *avenues])
city = ls.Network([*streets, *avenues], (0, 0), (SIZE - 1, SIZE - 1))

# Jams wander: every corner has its own season, and the centre is shut for the second half.
day, middle = np.arange(DAYS)[:, None], ends.mean(axis=1)
season = 0.3 + 0.2 * np.sin(day / 150.0 + middle.sum(axis=1) / 2.0)
shut = (np.abs(middle - (SIZE - 1) / 2.0).max(axis=1) < 2.0) & (day >= DAYS // 2)
minutes = np.clip(season + 0.4 * shut + 0.1 * np.random.default_rng(1).normal(size=season.shape), 0.0, 1.0)
figure = Figure(figsize=(11, 4.2), layout="constrained")
curve, *maps = figure.subplots(1, 3)
best = minutes @ city.shortest(minutes.sum(axis=0))
for rule in (ls.PerturbedPath(epsilon=0.02), ls.PathWeights(horizon=DAYS)):
    run = ls.ShortestPaths(city, rule=rule).learn_many(minutes, keep=("flow",))
    print(f"{type(rule).__name__} among {city.count:,} paths: {run.ledger.loss / DAYS:.3f} a day; {run.certify()[0]}")
    curve.plot(np.cumsum(run.losses - best), label=type(rule).__name__)
for axes, when in zip(maps, (DAYS // 2 - 1, DAYS - 1), strict=True):
    for pair, share in zip(ends, np.asarray(run.flows)[when], strict=True):
        axes.plot(*pair.T, color="tab:orange", linewidth=0.5 + 9.0 * share, solid_capstyle="round")
    axes.set(title=f"PathWeights on day {when + 1:,}", xticks=[], yticks=[], aspect="equal")
curve.set(title="regret to the best path of all days", xlabel="days", ylabel="minutes")
curve.legend(frameon=False)
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=110)
