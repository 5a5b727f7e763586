"""The expert rules beside a vectorised NumPy loop over rounds: best of several alternating rounds.

Usage: python bench/experts.py [repeats]
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

import littlestone as ls
from littlestone.arrays import FloatArray
from turns import fastest

if TYPE_CHECKING:
    from littlestone.experts.mixture import AdviceRow


def numpy_loop(advice: FloatArray, outcomes: FloatArray, eta: float) -> float:
    """Exponential Weights with square loss as one writes it: a few vector operations per round."""
    losses, total = np.zeros(advice.shape[1]), 0.0
    for x, y in zip(advice, outcomes, strict=True):
        weights = np.exp(-eta * (losses - losses.min()))
        weights /= weights.sum()
        prediction = weights @ x
        total += (prediction - y) ** 2
        losses += (x - y) ** 2
    return total


def aggregation(rounds: int, experts: int, repeats: int) -> None:
    """`ls.aggregate` on advice and outcomes, against the loop."""
    random = np.random.default_rng(0)
    advice, outcomes = random.random((rounds, experts)), random.random(rounds)
    loss, rule = ls.losses.Square(low=0.0, high=1.0), ls.ExponentialWeights(eta=0.1)
    ours, theirs = fastest(
        [lambda: ls.aggregate(rule, advice, outcomes, loss=loss), lambda: numpy_loop(advice, outcomes, 0.1)], repeats
    )
    mine, other = ls.aggregate(rule, advice, outcomes, loss=loss).ledger.loss, numpy_loop(advice, outcomes, 0.1)
    agree = abs(mine - other) <= 1e-9 * other
    print(
        f"aggregate {rounds:,} x {experts}: {ours:.4f} s, NumPy loop {theirs:.4f} s, ratio {theirs / ours:.1f}, agree {agree}"
    )


def hedging(experts: int, repeats: int) -> None:
    """`ls.hedge` on losses: nanoseconds per expert and round."""
    losses = np.random.default_rng(1).random((2_000, experts))
    rule = ls.ExponentialWeights()
    (seconds,) = fastest([lambda: ls.hedge(rule, losses)], 5 * repeats)
    print(f"hedge {len(losses):,} x {experts}: {seconds / losses.size * 1e9:.2f} ns an expert and round")


def single_rounds(experts: int, repeats: int) -> None:
    """`Mixture.learn_one`: microseconds per round."""
    row = np.random.default_rng(2).random(experts)
    kinds: dict[str, AdviceRow] = {"array": row, "list": row.tolist(), "dict": {str(i): float(x) for i, x in enumerate(row)}}
    for name, advice in kinds.items():
        mixture = ls.Mixture(ls.ExponentialWeights(), experts=experts, loss="square")

        def loop(mixture: ls.Mixture = mixture, advice: AdviceRow = advice) -> None:
            for _ in range(2_000):
                mixture.learn_one(advice, 0.5)

        (seconds,) = fastest([loop], 5 * repeats)
        print(f"learn_one with {experts} experts, {name}: {seconds / 2_000 * 1e6:.2f} µs")


if __name__ == "__main__":
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    aggregation(100_000, 50, times)
    hedging(1_000, times)
    single_rounds(10, times)
