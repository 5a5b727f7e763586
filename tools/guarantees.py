"""Writes docs/guarantees.md from the theorems themselves, each with a number worked out on a small run.

Usage: python tools/guarantees.py [--check]
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.streams.synthetic import linear_labels, linear_targets
from littlestone.theory import Certificate, Demonstration, Progressive, RiskGuarantee
from littlestone.theory.generalization import Compared

PAGE = Path(__file__).parent.parent / "docs" / "guarantees.md"
STREAMS = PAGE.parent / "streams.json"
HEAD = """# Guarantees

Every theorem that the library knows, written by `make tables` from the objects themselves: `ls.theory[id]` is one of them,
`ls.certify(run)` tries all that speak of a rule. The worked numbers are from small runs made by `tools/guarantees.py`, those
on risks for 500 mistakes in 10,000 rounds (regret 100, 10 experts, at most 600 mistakes, δ = 0.05); where a
statement is false or weaker as printed, the corrected form is used and [errata.md](errata.md) says why.

The last column is from nine real streams (a9a, w8a, mushrooms, svmguide3, splice, imdb, elec2, one made with drift, sms; each
gone over once, by `tools/streams.py`): where the guarantee *holds*, that is, says more than is known without learning, and
which part of its bound the run came to. Those on mistakes and losses are of the default learner, or of the Perceptron, PA-I
and PA-II beside the average of their own weights; a dash says that the theorem was not tried there.

"""


EVIDENCE = Progressive(
    rounds=10_000,
    loss=500.0,
    delta=0.05,
    convex=True,
    regret=100.0,
    experts=10,
    mistake_bound=600.0,
    epsilon=0.1,
    comparison=Compared(loss=300.0, norm=2.0, lengths_squared=4500.0),
    survived=900,
    signs=True,
    rival=2_000,
)
"""500 losses in 10,000 rounds; a regret of 100, or 10 experts; at most 600 mistakes; a u of norm 2 with a hinge loss of 300
beside updates whose ‖x‖² add up to 4500; a hypothesis that survived 900 rounds; the commonest label wrong 2,000 times."""


def linear_rules() -> Iterator[ls.LinearRule]:
    """A rule for every theorem about linear learners."""
    yield ls.Perceptron()
    yield ls.Perceptron(tolerance=0.5, eta=0.9)
    yield ls.RandomizedPerceptron(eta=0.9)
    yield ls.MarginPerceptron(rho=0.2)
    yield ls.PassiveAggressive()
    yield ls.PassiveAggressive(variant="relaxed", gamma=1.0)
    yield ls.PassiveAggressive(variant="PA-I", C=1.0)
    yield ls.OnlineSVM(C=50.0)
    yield ls.BatchPassiveAggressive(beta=0.5)


def simplex_rules() -> Iterator[ls.LinearRule]:
    """A rule for every theorem about multiplicative learners, on signs of which few features matter."""
    yield ls.Winnow(eta=0.2)
    yield ls.Winnow.lecture(margin=0.2, radius=1.0)
    yield ls.ExponentiatedUpdate(eta=0.02, U=5.0)
    yield ls.ExponentiatedUpdate(eta=0.2, U=5.0, tolerance=0.5)
    yield ls.RandomizedExponentiatedUpdate(eta=0.2, U=5.0)
    yield ls.MultiplicativePassiveAggressive(margin=0.2)


def expert_rules(rounds: int) -> Iterator[ls.ExpertRule]:
    """A rule for every theorem about expert advice."""
    yield ls.RandomizedWeightedMajority(horizon=rounds)
    yield ls.RandomizedWeightedMajority()
    yield ls.ExponentialWeights(horizon=rounds)
    yield ls.ExponentialWeights(schedule="doubling")
    yield ls.ExponentialWeights(schedule="anytime")
    yield ls.MultiplicativeWeights(horizon=rounds)
    yield ls.MultiplicativeWeights(horizon=rounds, alpha=1.0)
    yield ls.PolynomialWeights()
    yield ls.FixedShare(horizon=rounds, switches=2)
    yield ls.AdaHedge()
    yield ls.InternalRegret(horizon=rounds)
    yield ls.SwapRegret(horizon=rounds)
    yield ls.FollowThePerturbedLeader(horizon=rounds)
    yield ls.OnlineGradientDescent()
    yield ls.FollowTheRegularizedLeader()
    yield ls.ExponentiatedGradient()
    yield from (ls.MLpol(), ls.MLprod(), ls.BOA(), ls.MLewa())


def many_classes() -> list[Certificate]:
    """A rule for every theorem about many classes, on rows that prototypes tell apart."""
    source = np.random.default_rng(0)
    prototypes = np.eye(4)
    rows = source.normal(size=(8_000, 4))
    leads = np.sort(rows, axis=1)
    rows = rows[leads[:, -1] - leads[:, -2] > 0.5]
    classes = np.argmax(rows, axis=1)
    rules: tuple[ls.LinearRule, ...] = (
        ls.MulticlassPerceptron(),
        ls.MulticlassPassiveAggressive(),
        ls.MulticlassPassiveAggressive(variant="PA-II", C=1.0),
    )
    runs = [ls.run(rule, rows, classes, labels=(0, 1, 2, 3)) for rule in rules]
    found = [certificate for run in runs for certificate in run.certify(against=2.0 * prototypes)]
    against = np.array([np.eye(4)[k] - 0.3 for k in range(4)])
    for rule in (ls.Perceptron(), ls.PassiveAggressive(variant="PA-I", C=0.1)):
        found += ls.run(ls.OneVersusRest(rule=rule), rows, classes, labels=(0, 1, 2, 3)).certify(against=against)
    return found


def mixtures(X: FloatArray, y: npt.NDArray[np.int_], u: FloatArray, signs: FloatArray, target: FloatArray) -> list[Certificate]:
    """Theorems on learners that learned apart: four partitions, three epochs."""
    quarters = [(X[k::4], y[k::4]) for k in range(4)]
    chosen = np.sign(signs @ target).astype(int)
    apart = [
        (ls.epochs(quarters, ls.Perceptron(), epochs=3), u / 0.2),
        (ls.epochs(quarters, ls.PassiveAggressive(variant="PA-I", C=1.0), epochs=3), u / 0.2),
        (ls.epochs([(signs[k::4], chosen[k::4]) for k in range(4)], ls.Winnow(eta=0.2), epochs=3), target / 5.0),
    ]
    return [certificate for run, against in apart for certificate in run.certify(against=against)]


def paths() -> list[Certificate]:
    """A rule for every theorem about paths."""
    ways = ls.Network([(0, 1), (0, 2), (1, 3), (2, 3), (1, 2)], 0, 3)
    costs = np.random.default_rng(0).random((5_000, 5)) * [1.0, 0.5, 1.0, 0.5, 1.0]
    rules = (ls.PathWeights(horizon=5_000), ls.PerturbedPath(horizon=5_000))
    return [certificate for rule in rules for certificate in ls.ShortestPaths(ways, rule=rule).learn_many(costs).certify()]


def worked() -> dict[str, Certificate]:
    """The first certificate that holds for each id."""
    found: dict[str, Certificate] = {}

    def keep(certificates: list[Certificate]) -> None:
        for certificate in certificates:
            if certificate.id not in found or (certificate.holds and not found[certificate.id].holds):
                found[certificate.id] = certificate

    X, y, u = linear_labels(2_000, 10, margin=0.2)
    for rule in linear_rules():
        keep(ls.run(rule, X, y, passes=2).certify(against=u / 0.2))
    keep(many_classes())
    keep(ls.run(ls.Pool(), X, y).certify())
    rng = np.random.default_rng(0)
    signs = rng.choice([-1.0, 1.0], size=(4_000, 60))
    target = np.zeros(60)
    target[:5] = 1.0
    for rule in simplex_rules():
        keep(
            ls.run(rule, signs, np.sign(signs @ target)).certify(
                against=target / (5.0 if "U" not in rule.parameters() else 1.0)
            )
        )
    keep(mixtures(X, y, u, signs, target))
    rows, values, _ = linear_targets(500, 5, noise=0.0)
    keep(ls.run(ls.PassiveAggressiveRegression(epsilon=0.0), rows, values).certify(against="best"))
    losses = rng.random((2_000, 8))
    losses[:, 0] *= 0.5
    for expert_rule in expert_rules(len(losses)):
        keep(ls.hedge(expert_rule, losses).certify())
    votes = (rng.random((200, 8)) < 0.7).astype(float)
    votes[:, 0] = 1.0
    for voter in (ls.Halving(), ls.WeightedMajority(beta=0.5)):
        keep(ls.aggregate(voter, votes, np.ones(200), loss="zero_one").certify())
    forecasts = rng.uniform(0.2, 0.8, size=(300, 4))
    forecasts[:, 0] = 0.7
    load = 50.0 + 10.0 * np.sin(np.arange(300) / 10.0)
    keep(ls.aggregate(ls.RidgeWeights(), load[:, None] * [1.1, 1.2] + rng.normal(size=(300, 2)), load).certify())
    keep(ls.aggregate(ls.BayesMixture(), forecasts, (rng.random(300) < 0.7).astype(float), loss="log").certify())
    keep(ls.aggregate(ls.AggregatingAlgorithm(), forecasts, (rng.random(300) < 0.7).astype(float), loss="brier").certify())
    master = ls.Master([ls.Learner(ls.Perceptron()), ls.Learner(ls.PassiveAggressive())])
    master.learn_many(X, y)
    keep(master.certify())
    keep(list(ls.solve([[4.0, 1.0], [1.0, 2.0]], method="best-response", tol=0.05).certificates))
    chicken = np.array([[0.0, 7.0], [2.0, 6.0]])
    keep([ls.equilibria(chicken, chicken.T)[2].certificate])
    keep([ls.equilibrium(chicken, chicken.T, concept=concept).certificate for concept in ("ce", "cce")])
    keep([ls.solve_extensive(ls.kuhn_poker()).certificate])
    band = ls.Conformal(coverage=0.9)
    band.learn_many(np.zeros(20_000), rng.normal(size=20_000))
    keep(band.certify())
    keep(paths())
    cloud = 0.3 * rng.normal(size=(300, 4)).clip(-1, 1) + 2.0
    keep(ls.run(ls.AdaptiveUniclass(flag=0.05), rng.normal(size=(20_000, 4))).certify())
    keep(ls.run(ls.Uniclass(epsilon=0.65), cloud).certify(against=np.full(4, 2.0)))
    keep(ls.run(ls.BatchUniclass(epsilon=0.65, beta=0.01), cloud, passes=9).certify(against=np.full(4, 2.0)))
    shares = np.array([0.7, 0.1, 0.1, 0.1]) + 0.2 * rng.normal(size=(300, 4)).clip(-1, 1)
    keep(ls.run(ls.MultiplicativeUniclass(epsilon=0.45), shares).certify(against=[0.7, 0.1, 0.1, 0.1]))
    points = rng.normal(size=(400, 2))
    ring = np.where((points**2).sum(axis=1) > 1.4, 1, -1)
    projected = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.5), budget=30)
    keep(ls.run(projected, points, ring).certify(against=0.02 * ring))
    return found


def on_streams(key: str) -> str:
    """On which of the real streams a theorem holds, and the share of its bound that the runs came to."""
    results: dict[str, dict[str, list[str | float | None]]] = json.loads(STREAMS.read_text(encoding="utf-8"))
    tried = {name: said[key] for name, said in results.items() if key in said}
    if not tried:
        return "–"
    holding = {name: said for name, said in tried.items() if said[0] == "holds"}
    shown = [f"{name}{_share(measured, bound)}" for name, (_, measured, bound) in sorted(holding.items())]
    return f"{len(holding)} of {len(tried)}" + (f": {', '.join(shown)}" if shown else "")


def _share(measured: str | float | None, bound: str | float | None) -> str:
    if not isinstance(bound, float | int):
        return ""
    if not isinstance(measured, float | int):
        return f" ≤ {bound:.3g}"
    return f" {measured / bound:.2f}" if bound > 0 else ""


def line(key: str, certificates: dict[str, Certificate]) -> str:
    """The row of one theorem."""
    theorem = ls.theory[key]
    if isinstance(theorem, Demonstration):
        number = "; ".join(str(shown) for shown in theorem.show())
        kind = "demonstrated"
    elif isinstance(theorem, RiskGuarantee):
        certificate = theorem.certify(EVIDENCE)
        assert not math.isnan(certificate.bound), key
        number = f"{theorem.quantity} ≤ {certificate.bound:.4g} = {theorem.formula}"
        kind = "risk"
    else:
        kind = ", ".join(rule.__name__ for rule in theorem.rules) or "games"
        worked_out = certificates.get(key)
        number = (
            str(worked_out).split("\n")[0].split(": ", 1)[1]
            if worked_out is not None
            else f"{theorem.quantity} ≤ {theorem.formula}"
        )
    cells = (f"`{key}`", theorem.source, theorem.statement, kind, number, on_streams(key))
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def page() -> str:
    """The whole page."""
    certificates = worked()
    lines = ["| id | source | statement | about | worked number | real streams |", "| --- | --- | --- | --- | --- | --- |"]
    return HEAD + "\n".join(lines + [line(key, certificates) for key in ls.theory]) + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv[1:]:
        sys.exit(0 if PAGE.read_text(encoding="utf-8") == page() else 1)
    PAGE.write_text(page(), encoding="utf-8")
