"""Leduc poker beside OpenSpiel's C++ CFR+, to the same exploitability, in one run.

Usage: python bench/extensive.py [--write docs/benchmarks.md]

Both begin from nothing and stop at the first check at which their average strategy can be exploited for less than 1e-3
(ours is known in every round; OpenSpiel's is asked for every 10 iterations, and the time of asking does not count).
OpenSpiel's own best responses measure its answer, ours measure ours; on Kuhn poker a test holds them to each other.
"""

from __future__ import annotations

import argparse
import importlib
import time
from pathlib import Path

import littlestone as ls
from page import write

EXPLOITABILITY = 1e-3
EVERY = 10


def ours(method: str) -> tuple[float, int, float]:
    """Seconds, rounds and exploitability; the tree is part of it."""
    start = time.process_time()
    game = ls.leduc_poker()
    built = time.process_time() - start
    solution = ls.solve_extensive(game, tol=2.0 * EXPLOITABILITY / game.range, method=method)
    seconds = time.process_time() - start
    assert solution.exploitability <= EXPLOITABILITY
    print(f"  (the tree: {built:.3f} s)")
    return seconds, solution.rounds, solution.exploitability


def open_spiel() -> tuple[float, int, float]:
    """The same of OpenSpiel's CFRPlusSolver."""
    pyspiel = importlib.import_module("pyspiel")
    start = time.process_time()
    game = pyspiel.load_game("leduc_poker")
    solver = pyspiel.CFRPlusSolver(game)
    seconds, rounds, reached = time.process_time() - start, 0, 1.0
    while reached > EXPLOITABILITY:
        start = time.process_time()
        for _ in range(EVERY):
            solver.evaluate_and_update_policy()
        seconds, rounds = seconds + time.process_time() - start, rounds + EVERY
        reached = pyspiel.exploitability(game, solver.average_policy())
    return seconds, rounds, reached


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=Path, help="the page to write the table to")
    given = parser.parse_args()
    peer = None
    table = "| Leduc poker | s | rounds | exploitability | times as fast |\n| --- | ---: | ---: | ---: | ---: |\n"
    for name in ("cfr+", "predictive-cfr+"):
        results = [ours(name) for _ in range(3)]
        if peer is None:
            peer = open_spiel()
            table += f"| OpenSpiel, C++ CFR+ | {peer[0]:.3f} | {peer[1]:,} | {peer[2]:.1e} | 1 |\n"
            print(f"OpenSpiel CFR+: {peer[0]:.3f} s, {peer[1]} rounds, exploitability {peer[2]:.2e}")
        seconds, rounds, reached = min(results)
        print(f"littlestone {name}: {seconds:.3f} s, {rounds} rounds, exploitability {reached:.2e}; {peer[0] / seconds:.0f}x")
        table += f"| littlestone, {name} | {seconds:.3f} | {rounds:,} | {reached:.1e} | {peer[0] / seconds:.0f} |\n"
    if given.write is not None:
        write(given.write, "extensive", table)
