"""Games, paths and intervals once more, in plain NumPy."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import littlestone as ls
from again import Sides, again, beside
from littlestone.arrays import FloatArray


@again("mohri.8.16", "mohri.8.16ewa")
def zero_sum(seed: int) -> Iterator[Sides]:
    """Both regrets together are the gap of the averages, which is computed from the strategies."""
    A, T = np.random.default_rng(seed).normal(size=(4, 5)), 400
    wide, eta = float(np.ptp(A)), math.sqrt(8.0 * math.log(4) / T)
    L, p_mean, q_mean = np.zeros(4), np.zeros(4), np.zeros(5)
    for _ in range(T):
        p = np.exp(-eta * (L - L.min()))
        p = p / p.sum()
        j = int(np.argmin(p @ A))  # the column player gives the row player least
        p_mean, q_mean[j], L = p_mean + p / T, q_mean[j] + 1.0 / T, L + (A.max() - A[:, j]) / wide
    gap = (float((A @ q_mean).max()) - float((p_mean @ A).min())) / wide
    tol = math.sqrt(math.log(4) / (2.0 * T)) * (1.0 + 1e-12)  # for which the theorem asks for T rounds
    solution = ls.solve(A, method="best-response", tol=tol)
    if solution.method == "pure":  # which is looked for first; then nobody plays
        return
    assert solution.rounds == T
    sides = {"mohri.8.16": (gap, gap), "mohri.8.16ewa": (gap, math.log(4) / (eta * T) + eta / 8.0)}
    yield from beside(solution.certificates, sides)


@again("equilibrium.nash", "equilibrium.correlated", "equilibrium.coarse")
def equilibria(seed: int) -> Iterator[Sides]:
    source = np.random.default_rng(seed)
    A, B = source.normal(size=(3, 3)), source.normal(size=(3, 3))
    ranges = float(np.ptp(A)), float(np.ptp(B))
    for found in ls.equilibria(A, B):
        p, q = found.row, found.column
        gains = float((A @ q).max() - p @ A @ q) / ranges[0], float((p @ B).max() - p @ B @ q) / ranges[1]
        yield found.certificate, max(gains), found.certificate.bound
    for concept, name in (("ce", "equilibrium.correlated"), ("cce", "equilibrium.coarse")):
        made = ls.equilibrium(A, B, concept=concept, tol=1e-2)
        P = made.joint
        kept = np.array([[float(P[i] @ A[k]) for k in range(3)] for i in range(3)])  # action i answered by k
        also = np.array([[float(P[:, j] @ B[:, k]) for k in range(3)] for j in range(3)])
        best = [m.max(axis=1).sum() if concept == "ce" else m.sum(axis=0).max() for m in (kept, also)]
        gain = max((float(b) - float(np.trace(m))) / r for b, m, r in zip(best, (kept, also), ranges, strict=True))
        yield from beside([made.certificate], {name: (max(gain, 0.0), max(gain, 0.0))})


@dataclass
class Seat:
    """A player of counterfactual regret minimisation: regret matching at each of its decision points."""

    first: list[int]
    parent: list[int]

    def __post_init__(self) -> None:
        self.regrets, self.mean = np.zeros(self.first[-1]), np.zeros(self.first[-1])

    def local(self, k: int) -> FloatArray:
        """In proportion to the regrets above 0."""
        positive: FloatArray = np.maximum(self.regrets[self.first[k] : self.first[k + 1]], 0.0)
        return positive / positive.sum() if positive.any() else np.full(len(positive), 1.0 / len(positive))

    def reach(self) -> FloatArray:
        """The chance that the player lets each sequence happen."""
        chances = np.ones(self.first[-1])
        for k, before in enumerate(self.parent):
            chances[self.first[k] : self.first[k + 1]] = chances[before] * self.local(k)
        return chances

    def learn(self, gains: FloatArray) -> None:
        """Adds the counterfactual regrets, from the leaves up."""
        value, added = gains.copy(), np.zeros(len(gains))
        for k in reversed(range(len(self.parent))):
            at = slice(self.first[k], self.first[k + 1])
            earned = float(self.local(k) @ value[at])
            added[at] = value[at] - earned
            value[self.parent[k]] += earned
        self.regrets = self.regrets + added

    def best(self, gains: FloatArray) -> float:
        """What the best plan gains."""
        value = gains.copy()
        for k in reversed(range(len(self.parent))):
            value[self.parent[k]] += value[self.first[k] : self.first[k + 1]].max()
        return float(value[0])

    def immediate(self, rounds: int) -> float:
        """The mean regrets above 0, one of each point."""
        tops = (self.regrets[self.first[k] : self.first[k + 1]].max() for k in range(len(self.parent)))
        return sum(max(float(top), 0.0) for top in tops) / rounds


@again("cfr.immediate")
def poker(seed: int) -> Iterator[Sides]:
    game, rounds = ls.kuhn_poker(), 30 + 10 * seed
    A = game.payoffs.toarray()
    row, column = (Seat(plan.first.tolist(), plan.parent.tolist()) for plan in (game.row, game.column))
    for t in range(1, rounds + 1):
        p, q = row.reach(), column.reach()
        row.mean, column.mean = row.mean + (p - row.mean) / t, column.mean + (q - column.mean) / t
        row.learn(A @ q)
        column.learn(-(p @ A))
    gap = row.best(A @ column.mean) + column.best(-(row.mean @ A))
    wide = game.range
    solution = ls.solve_extensive(game, method="cfr", tol=1e-9, max_rounds=rounds)
    sides = {"cfr.immediate": (gap / wide, (row.immediate(rounds) + column.immediate(rounds)) / wide)}
    yield from beside([solution.certificate], sides)


ARCS = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4)]
WAYS = [[0, 3, 6], [0, 2, 4, 6], [0, 2, 5], [1, 4, 6], [1, 5]]
"""Every path from 0 to 4, by its arcs."""


@again("paths.weights", "paths.perturbed")
def paths(seed: int) -> Iterator[Sides]:
    T = 120
    costs = np.random.default_rng(seed).random((T, len(ARCS)))
    each = np.array([costs[:, way].sum(axis=1) for way in WAYS]).T
    network, eta, span = ls.Network(ARCS, 0, 4), 0.4, 4.0  # four arcs at 1, against two at 0
    L, own = np.zeros(len(WAYS)), 0.0
    for row in each:
        w = np.exp(-eta * (L - L.min()))
        own, L = own + float(w @ row) / float(w.sum()), L + row
    way = ls.ShortestPaths(network, rule=ls.PathWeights(eta=eta), low=0.0, high=1.0)
    sides = {"paths.weights": (own - float(L.min()), math.log(5) / eta + eta * span**2 * T / 8.0)}
    yield from beside(way.learn_many(costs).certify(), sides)
    rule, taken = ls.PerturbedPath(epsilon=0.3), 0.0
    single = ls.ShortestPaths(network, rule=rule, low=0.0, high=1.0)
    for row in costs:
        nodes = single.choose()
        arcs = [k for k, arc in enumerate(ARCS) if arc in zip(nodes, nodes[1:], strict=False)]
        taken += float(row[arcs].sum())
        single.learn_one(row)
    bound = 4.0 / 0.6 + 0.3 * span * 7.0 * T + span * math.sqrt(T * math.log(1e9) / 2.0)
    whole = ls.ShortestPaths(network, rule=rule, low=0.0, high=1.0)
    yield from beside(whole.learn_many(costs).certify(), {"paths.perturbed": (taken - float(L.min()), bound)})


@again("aci.coverage")
def intervals(seed: int) -> Iterator[Sides]:
    """From the intervals that were shown."""
    noise, gamma = np.random.default_rng(seed).normal(size=700), 0.03
    band = ls.Conformal(coverage=0.8, rule=ls.AdaptiveConformal(gamma=gamma))
    run = band.learn_many(np.zeros(700), noise)
    missed = int(np.sum((noise < run.low) | (noise > run.high)))
    sides = {"aci.coverage": (abs(missed / 700 - 0.2), (0.8 + gamma) / (gamma * 700))}
    yield from beside(band.certify(), sides)
