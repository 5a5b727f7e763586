"""Colonel Blotto: ten soldiers on three fields against as many; who has more on a field takes it, who takes more wins.

Usage: python examples/game.py
"""

from __future__ import annotations

import numpy as np

import littlestone as ls

SOLDIERS = 10
plans = np.array([(a, b, SOLDIERS - a - b) for a in range(SOLDIERS + 1) for b in range(SOLDIERS + 1 - a)])
fields = np.sign(plans[:, None, :] - plans[None, :, :]).sum(axis=2)  # fields taken less fields lost, for any two plans
payoffs = np.sign(fields).astype(np.float64)  # +1 where the row player wins, -1 where it loses

solution = ls.solve(payoffs, tol=1e-4)
print(f"{len(plans)} plans; {solution.rounds:,} rounds; the value lies in [{solution.lower:.6f}, {solution.upper:.6f}]")
print(solution.certificate)
print("the plans most played:")
for k in np.argsort(-solution.row)[:6]:
    a, b, c = plans[k]
    print(f"  {a:2} {b:2} {c:2}   {solution.row[k]:.3f}")

# Two players who only learn, round by round, from what the plans would have earned them, get there as well.
play = ls.play(payoffs, ls.RegretMatchingPlus(), ls.RegretMatchingPlus(), rounds=500)
print(f"two learners after 500 rounds: gap {play.gap:.4f}")
