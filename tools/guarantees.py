"""Writes docs/guarantees.md from the theorems themselves, each with a number worked out on a small run.

Usage: python tools/guarantees.py [--check]
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.streams.synthetic import linear_labels, linear_targets
from littlestone.theory import Certificate, Demonstration, Progressive, RiskGuarantee
from littlestone.theory.expert_evidence import ExpertEvidence
from littlestone.theory.experts import GUARANTEES
from littlestone.theory.risk import Compared

Number = TypeVar("Number", bound=np.generic)
Partitions: TypeAlias = "list[tuple[FloatArray, npt.NDArray[np.int_]]] | list[FloatArray]"
PAGE = Path(__file__).parent.parent / "docs" / "guarantees.md"
STREAMS = PAGE.parent / "streams.json"
HEAD = """# Guarantees

Every theorem that the library knows, written by `make tables` from the objects themselves: `ls.theory[id]` is one of them,
`ls.certify(run)` tries all that speak of a rule. The worked numbers are from small runs made by `tools/guarantees.py`, those
on risks for 500 mistakes in 10,000 rounds (regret 100, 10 experts, at most 600 mistakes, δ = 0.05); where a
statement is false or weaker as printed, the corrected form is used and [errata.md](errata.md) says why.

`make truth` computes every one of them again by code that shares nothing with the library (tests/again_*.py), holds every bound
on a risk to exact risks, looked at after every round, and shows [who sees a wrong rule](mutants.md); a theorem that nobody
computes again fails a test by its name. (Some ten minutes on two busy cores.)

The last column is from nine real streams (a9a, w8a, mushrooms, svmguide3, splice, imdb, elec2, one made with drift, sms; each
gone over once, by `tools/streams.py`): where the guarantee *holds*, that is, says more than is known without learning, and
which part of its bound the run came to. They are of the default learner; of Perceptron, PA-I, PA-II, on-line SVM, signed
Winnow and AdaGrad beside the average of their own weights; of AROW and ridge regression where the features are few; and of
masters over five learners. A dash says that the theorem was not tried there. On each of the nine the default run
ends with `pool.master` below the log loss of the best constant, and on eight with `paired.majority`: better than the commoner
label.

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


def many_classes(share: float) -> list[Certificate]:
    """A rule for every theorem about many classes, on rows that prototypes tell apart."""
    source = np.random.default_rng(0)
    prototypes = np.eye(4)
    rows = first(source.normal(size=(8_000, 4)), share)
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
    quarters, eighths = [(X[k::4], y[k::4]) for k in range(4)], [signs[k::4] for k in range(4)]
    chosen = [(part, np.sign(part @ target).astype(int)) for part in eighths]
    leads = np.sort(X[:, :3], axis=1)
    clear = X[leads[:, 2] - leads[:, 1] > 0.2]
    three = [(clear[k::4], np.argmax(clear[k::4, :3], axis=1)) for k in range(4)]
    prototypes = 5.0 * np.eye(3, X.shape[1])
    balls, mean = [part[:, :4] * 0.1 + 0.25 for part, _ in quarters], np.full(4, 0.25)
    apart: list[tuple[Partitions, ls.LinearRule, FloatArray]] = [
        (quarters, ls.Perceptron(), u / 0.2),
        (quarters, ls.PassiveAggressive(variant="PA-I", C=1.0), u / 0.2),
        (quarters, ls.PassiveAggressive(), u / 0.2),
        (quarters, ls.PassiveAggressive(variant="PA-II", C=1.0), u / 0.2),
        (three, ls.MulticlassPerceptron(), prototypes),
        (three, ls.MulticlassPassiveAggressive(), prototypes),
        (three, ls.MulticlassPassiveAggressive(variant="PA-II", C=1.0), prototypes),
        (chosen, ls.Winnow(eta=0.2), target / 5.0),
        (chosen, ls.ExponentiatedUpdate(eta=0.02, U=5.0), target),
        (chosen, ls.MultiplicativePassiveAggressive(margin=0.2), target / 5.0),
        (balls, ls.Uniclass(epsilon=0.4), mean),
        (balls, ls.MultiplicativeUniclass(epsilon=0.4), mean),
    ]
    runs = [
        (ls.epochs(parts, rule, epochs=3, labels=(0, 1, 2) if parts is three else None), against)
        for parts, rule, against in apart
    ]
    return [certificate for run, against in runs for certificate in run.certify(against=against)]


def paths(share: float) -> list[Certificate]:
    """A rule for every theorem about paths."""
    ways = ls.Network([(0, 1), (0, 2), (1, 3), (2, 3), (1, 2)], 0, 3)
    costs = first(np.random.default_rng(0).random((5_000, 5)), share) * [1.0, 0.5, 1.0, 0.5, 1.0]
    rules = (ls.PathWeights(horizon=len(costs)), ls.PerturbedPath(horizon=len(costs)))
    return [certificate for rule in rules for certificate in ls.ShortestPaths(ways, rule=rule).learn_many(costs).certify()]


def first(rows: npt.NDArray[Number], share: float) -> npt.NDArray[Number]:
    """The first rows of a run."""
    part: npt.NDArray[Number] = rows[: max(int(len(rows) * share), 4)]
    return part


def of_rows(X: FloatArray, y: npt.NDArray[np.int_], u: FloatArray) -> Iterator[list[Certificate]]:
    """Runs on rows that u separates."""
    for rule in linear_rules():
        yield ls.run(rule, X, y, passes=2).certify(against=u / 0.2)
    for newer in (ls.AROW(covariance="full"), ls.AdaGrad(), ls.AdaGrad(loss="hinge")):
        yield ls.run(newer, X, y).certify(against=u / 0.2)
    yield ls.run(ls.Pool(), X, y).certify()
    for vote in (None, ls.AdaHedge()):
        master = ls.Master([ls.Learner(ls.Perceptron()), ls.Learner(ls.PassiveAggressive())], vote=vote)
        master.learn_many(X, y)
        yield master.certify()


def of_signs(signs: FloatArray, target: FloatArray) -> Iterator[list[Certificate]]:
    """Runs on signs of which few matter."""
    for rule in simplex_rules():
        scaled = target / (5.0 if "U" not in rule.parameters() else 1.0)
        yield ls.run(rule, signs, np.sign(signs @ target)).certify(against=scaled)


def of_targets(share: float) -> Iterator[list[Certificate]]:
    """Runs on numbers."""
    rows, values, _ = linear_targets(500, 5, noise=0.0)
    exact = ls.PassiveAggressiveRegression(epsilon=0.0)
    yield ls.run(exact, first(rows, share), first(values, share)).certify(against="best")
    noisy, targets, w = linear_targets(2_000, 5, noise=0.1)
    for rule in (ls.AdaGradRegression(), ls.OnlineRidge(), ls.OnlineRidge(forecast="ridge")):
        yield ls.run(rule, first(noisy, share), first(targets, share)).certify(against=w)


def blindly(run: ls.ExpertRun) -> Certificate:
    """What is proved of a perturbed leader if no loss looked at a draw: no data show it, but these losses were there first."""
    (theorem,) = (guarantee for guarantee in GUARANTEES if guarantee.id == "fpl.gumbel")
    evidence = ExpertEvidence(run.rule, run.ledger, run.state, run.loss, run.gradient)
    return replace(theorem, assumptions=theorem.assumptions[:-1]).certify(evidence)


def of_experts(rng: np.random.Generator, share: float) -> Iterator[list[Certificate]]:
    """Runs on advice and losses."""
    losses = first(rng.random((2_000, 8)), share)
    losses[:, 0] *= 0.5
    for rule in expert_rules(len(losses)):
        yield ls.hedge(rule, losses).certify()
    yield [blindly(ls.hedge(ls.FollowThePerturbedLeader(horizon=len(losses)), losses))]
    votes = first((rng.random((200, 8)) < 0.7).astype(float), share)
    votes[:, 0] = 1.0
    for voter in (ls.Halving(), ls.WeightedMajority(beta=0.5)):
        yield ls.aggregate(voter, votes, np.ones(len(votes)), loss="zero_one").certify()
    forecasts = rng.uniform(0.2, 0.8, size=(300, 4))
    forecasts[:, 0] = 0.7
    load = 50.0 + 10.0 * np.sin(np.arange(300) / 10.0)
    loads = load[:, None] * [1.1, 1.2] + rng.normal(size=(300, 2))
    yield ls.aggregate(ls.RidgeWeights(), first(loads, share), first(load, share)).certify()
    said, rain = first(forecasts, share), [first((rng.random(300) < 0.7).astype(float), share) for _ in range(2)]
    yield ls.aggregate(ls.BayesMixture(), said, rain[0], loss="log").certify()
    yield ls.aggregate(ls.AggregatingAlgorithm(), said, rain[1], loss="brier").certify()
    slow = ls.ExponentialWeights(horizon=len(losses))
    yield ls.aggregate(
        slow, losses, np.zeros(len(losses)), loss=ls.losses.Absolute(low=0.0, high=1.0), gradient=False, delay=3
    ).certify()
    yield ls.interleave(
        ls.AdaHedge(), losses, np.zeros(len(losses)), delay=3, loss=ls.losses.Absolute(low=0.0, high=1.0)
    ).certify()


def of_games(share: float) -> Iterator[list[Certificate]]:
    """Games that are played for longer and longer."""
    yield list(ls.solve([[4.0, 1.0], [1.0, 2.0]], method="best-response", tol=0.05 / share**0.5).certificates)
    chicken = np.array([[0.0, 7.0], [2.0, 6.0]])
    yield [ls.equilibria(chicken, chicken.T)[2].certificate]
    yield [ls.equilibrium(chicken, chicken.T, concept=concept, tol=1e-3 / share).certificate for concept in ("ce", "cce")]
    yield [ls.solve_extensive(ls.kuhn_poker(), tol=1e-4 / share).certificate]


def of_one_class(rng: np.random.Generator, share: float) -> Iterator[list[Certificate]]:
    """Intervals, balls and kernels."""
    band = ls.Conformal(coverage=0.9)
    noise = first(rng.normal(size=20_000), share)
    band.learn_many(np.zeros(len(noise)), noise)
    yield band.certify()
    yield paths(share)
    cloud = first(0.3 * rng.normal(size=(300, 4)).clip(-1, 1) + 2.0, share)
    yield ls.run(ls.AdaptiveUniclass(flag=0.05), first(rng.normal(size=(20_000, 4)), share)).certify()
    yield ls.run(ls.Uniclass(epsilon=0.65), cloud).certify(against=np.full(4, 2.0))
    yield ls.run(ls.BatchUniclass(epsilon=0.65, beta=0.01), cloud, passes=9).certify(against=np.full(4, 2.0))
    shares = first(np.array([0.7, 0.1, 0.1, 0.1]) + 0.2 * rng.normal(size=(300, 4)).clip(-1, 1), share)
    yield ls.run(ls.MultiplicativeUniclass(epsilon=0.45), shares).certify(against=[0.7, 0.1, 0.1, 0.1])
    points = first(rng.normal(size=(400, 2)), share)
    ring = np.where((points**2).sum(axis=1) > 1.4, 1, -1)
    projected = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.5), budget=30)
    yield ls.run(projected, points, ring).certify(against=0.02 * ring)


def worked(share: float = 1.0) -> dict[str, Certificate]:
    """The first certificate that holds for each id, of runs on a share of their rows."""
    X, y, u = linear_labels(2_000, 10, margin=0.2)
    X, y = first(X, share), first(y, share)
    rng = np.random.default_rng(0)
    signs, target = first(rng.choice([-1.0, 1.0], size=(4_000, 60)), share), np.zeros(60)
    target[:5] = 1.0
    made = [
        *of_rows(X, y, u),
        many_classes(share),
        *of_signs(signs, target),
        mixtures(X, y, u, signs, target),
        *of_targets(share),
        *of_experts(rng, share),
        *of_games(share),
        *of_one_class(rng, share),
    ]
    found: dict[str, Certificate] = {}
    for certificate in (certificate for certificates in made for certificate in certificates):
        known = found.get(certificate.id)
        if known is None or (certificate.holds, certificate.proved) > (known.holds, known.proved):
            found[certificate.id] = certificate
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
