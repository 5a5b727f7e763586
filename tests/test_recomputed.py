"""Every certificate computed again by other code; every bound on a risk against exact risks, looked at after every round.

`make truth` runs this with many more streams; a handful of them run with all other tests.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable

import numpy as np
import pytest

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.theory.generalization import GUARANTEES as RISKS
from littlestone.theory.risk import Progressive, RiskGuarantee, anytime_bound

Verdict = ls.Verdict
TIMES = 20 if os.environ.get("HYPOTHESIS_PROFILE") == "stress" else 1
Recomputed = Callable[[ls.LinearRule, FloatArray, FloatArray, FloatArray], dict[str, tuple[float, float]]]


def hinge(X: FloatArray, y: FloatArray, u: FloatArray, margin: float = 1.0) -> FloatArray:
    return np.maximum(0.0, margin - y * (X @ u))


def perceptron(_: ls.LinearRule, X: FloatArray, y: FloatArray, u: FloatArray) -> dict[str, tuple[float, float]]:
    """Both sides of the theorems on the Perceptron, from plain lines of NumPy."""
    w, moved = np.zeros(X.shape[1]), list[int]()
    for t in range(len(X)):
        if y[t] * (w @ X[t]) <= 0.0:
            w = w + y[t] * X[t]
            moved.append(t)
    M, norm = float(len(moved)), float(np.linalg.norm(u))
    r = max((float(np.linalg.norm(X[t])) for t in moved), default=0.0)
    losses = hinge(X, y, u)
    L, L2, a = float(losses.sum()), float(np.sum(losses**2)), r * norm
    margin = float((y * (X @ u)).min() / norm) if norm else 0.0
    both = {
        "mohri.8.11": (M, ((a + math.sqrt(a * a + 4.0 * L)) / 2.0) ** 2),
        "mohri.8.12": (M, (a + math.sqrt(L2)) ** 2),
        "blum.5.11": (M, a * a + 2.0 * L),
        "mohri.ex8.11": (M, L + norm * math.sqrt(sum(float(X[t] @ X[t]) for t in moved))),
    }
    if margin > 0.0:
        both |= {"mohri.8.8": (M, (r / margin) ** 2), "bylander.5": (M, math.floor((r / margin) ** 2 * (1.0 + 1e-12)))}
    return both


def passive_aggressive(rule: ls.LinearRule, X: FloatArray, y: FloatArray, u: FloatArray) -> dict[str, tuple[float, float]]:
    """The same of PA, PA-I and PA-II."""
    assert isinstance(rule, ls.PassiveAggressive)
    w, lost, mistakes, rows = np.zeros(X.shape[1]), list[float](), 0, list[int]()
    per_length = 0.0
    for t in range(len(X)):
        score = float(y[t] * (w @ X[t]))
        loss, length = max(0.0, 1.0 - score), float(X[t] @ X[t])
        mistakes += score <= 0.0
        lost.append(loss)
        if loss > 0.0:
            tau = loss / length
            tau = min(tau, float(rule.C or 0.0)) if rule.variant == "PA-I" else tau
            tau = loss / (length + 0.5 / float(rule.C or 1.0)) if rule.variant == "PA-II" else tau
            w = w + tau * y[t] * X[t]
            rows.append(t)
            per_length += tau * loss
    B = max((float(X[t] @ X[t]) for t in rows), default=0.0)
    losses, square = hinge(X, y, u), float(u @ u)
    L, L2, total = float(losses.sum()), float(np.sum(losses**2)), float(np.sum(np.square(lost)))
    margin = float((y * (X @ u)).min())
    if rule.variant == "PA-I":
        C = float(rule.C or 0.0)
        return {"pa.capped": (float(mistakes), max(B, 1.0 / C) * (square + 2.0 * C * L))}
    if rule.variant == "PA-II":
        gamma = 0.5 / float(rule.C or 1.0)
        bound = (gamma + B) * square + (1.0 + B / gamma) * L2
        return {"pa.3": (total, bound), "pa.3m": (float(mistakes), bound)}
    if margin <= 0.0:
        return {}
    stretched = square / margin**2
    return {
        "pa.1": (total, B * stretched),
        "pa.1r": (per_length, stretched),
        "pa.1m": (float(mistakes), B * stretched),
        "pa.1h": (float(np.sum(lost)), 2.0 * B * stretched),
        "pa.2": (float(np.linalg.norm(w)), 2.0 * math.sqrt(stretched)),
    }


def winnow(rule: ls.LinearRule, X: FloatArray, y: FloatArray, u: FloatArray) -> dict[str, tuple[float, float]]:
    """The same of Winnow."""
    assert isinstance(rule, ls.Winnow)
    theta, updates = np.zeros(X.shape[1]), 0
    for t in range(len(X)):
        w = np.exp(theta - theta.max())
        w /= w.sum()
        if y[t] * float(w @ X[t]) <= rule.tie_tol * float(np.abs(X[t]).max()):
            theta, updates = theta + rule.eta * y[t] * X[t], updates + 1
    r, p = float(np.abs(X).max()), np.abs(u) / np.abs(u).sum()
    rho = float((y * (X @ p)).min())
    progress = rule.eta * (rho - rule.tie_tol * r) - rule.eta**2 * r**2 / 2.0
    if rho <= 0.0 or progress <= 0.0:
        return {}
    entropy = math.log(len(p)) + float(np.sum(p[p > 0.0] * np.log(p[p > 0.0])))
    return {"mohri.8.13": (updates, math.log(len(p)) / progress), "mohri.8.13x": (updates, entropy / progress)}


CASES: list[tuple[ls.LinearRule, Recomputed]] = [
    (ls.Perceptron(), perceptron),
    (ls.PassiveAggressive(), passive_aggressive),
    (ls.PassiveAggressive(variant="PA-I", C=0.3), passive_aggressive),
    (ls.PassiveAggressive(variant="PA-II", C=0.3), passive_aggressive),
    (ls.Winnow(eta=0.1), winnow),
]


def stream(seed: int, *, clean: bool) -> tuple[FloatArray, FloatArray, FloatArray]:
    source = np.random.default_rng(seed)
    width = int(source.integers(2, 7))
    u = np.abs(source.normal(size=width)) + 0.1
    X = source.normal(size=(200, width)) * 10.0 ** source.integers(-2, 3)
    y = np.where(X @ u > 0.0, 1.0, -1.0)
    if clean:
        keep = np.abs(X @ u) > 0.2 * np.abs(X).max()
        return X[keep], y[keep], u
    return X, np.where(source.random(200) < 0.2, -y, y), u / float(np.abs(X).max())


@pytest.mark.parametrize(
    ("rule", "again"), CASES, ids=lambda it: getattr(it, "variant", getattr(it, "__name__", type(it).__name__))
)
@pytest.mark.parametrize("clean", [True, False])
def test_certificates_are_what_other_code_computes(rule: ls.LinearRule, again: Recomputed, clean: bool) -> None:
    compared = 0
    for seed in range(6 * TIMES):
        X, y, u = stream(seed, clean=clean)
        found = {one.id: one for one in ls.run(rule, X, y, labels=(-1.0, 1.0)).certify(against=u)}
        for name, (measured, bound) in again(rule, X, y, u).items():
            assert found[name].proved, name
            assert [found[name].measured, found[name].bound] == pytest.approx([measured, bound], rel=1e-9), name
            compared += 1
    assert compared or not clean  # noise leaves nothing for theorems on rows that somebody separates


@pytest.mark.parametrize("seed", range(4 * TIMES))
def test_expert_certificates_are_what_other_code_computes(seed: int) -> None:
    source = np.random.default_rng(seed)
    T, N = int(source.integers(5, 300)), int(source.integers(2, 9))
    losses = source.random((T, N))
    losses[:, 0] *= 0.3
    eta, total, own = math.sqrt(8.0 * math.log(N) / T), np.zeros(N), 0.0
    for row in losses:
        p = np.exp(-eta * (total - total.min()))
        own, total = own + float(p @ row) / float(p.sum()), total + row
    found = {one.id: one for one in ls.hedge(ls.ExponentialWeights(horizon=T), losses).certify()}["mohri.8.6b"]
    assert [found.measured, found.bound] == pytest.approx([own - total.min(), math.sqrt(T / 2.0 * math.log(N))])
    mean = float(np.mean(total) - total.min())
    assert found.verdict is (Verdict.VACUOUS if found.bound >= mean else Verdict.HOLDS)


# --- risks: a learner on eight points, whose exact risk is known in every round

POINTS = np.array([[x, 1.0, x * x] for x in np.linspace(-1.0, 1.0, 8)])
CHANCES = np.array([0.02, 0.1, 0.9, 0.3, 0.7, 0.95, 0.2, 0.85])
"""The chance of the label +1 at each point; all are drawn equally often."""


def risks_and_mistakes(seed: int, rounds: int) -> tuple[FloatArray, FloatArray]:
    """The true error rate of each hypothesis before its round, and whether it erred there."""
    source = np.random.default_rng(seed)
    w, risks, wrong = np.zeros(3), np.zeros(rounds), np.zeros(rounds)
    for t in range(rounds):
        scores = POINTS @ w
        risks[t] = float(np.mean(np.where(scores == 0.0, 1.0, np.where(scores > 0.0, 1.0 - CHANCES, CHANCES))))
        k = int(source.integers(8))
        y = 1.0 if source.random() < CHANCES[k] else -1.0
        if y * scores[k] <= 0.0:
            w, wrong[t] = w + y * POINTS[k], 1.0
    return risks, wrong


def most_failures(runs: int, delta: float) -> float:
    """What a share of δ may come to in so many runs, but for one time in a million."""
    return runs * delta + 5.0 * math.sqrt(runs * delta) + 1.0


def test_the_risk_is_covered_at_every_moment_at_once() -> None:
    runs, rounds, delta = 40 * TIMES, 300, 0.1
    failures = 0
    for seed in range(runs):
        risks, wrong = risks_and_mistakes(seed, rounds)
        means, sums = np.cumsum(risks) / np.arange(1, rounds + 1), np.cumsum(wrong)
        failures += any(anytime_bound(float(sums[t]), t + 1, delta) < means[t] for t in range(0, rounds, 3))
    assert failures <= most_failures(runs, delta)


FIXED = [risk for risk in RISKS if risk.id in ("mohri.8.14", "risk.vote", "mohri.ex8.10")]


@pytest.mark.parametrize("risk", FIXED, ids=lambda risk: risk.id)
def test_the_risk_at_a_moment_that_was_fixed_is_covered(risk: RiskGuarantee) -> None:
    runs, rounds, delta = 60 * TIMES, 200, 0.1
    failures = 0
    for seed in range(runs):
        risks, wrong = risks_and_mistakes(seed, rounds)
        evidence = Progressive(rounds=rounds, loss=float(wrong.sum()), delta=delta, signs=True)
        failures += risk.bound(evidence) < float(risks.mean())
    assert failures <= most_failures(runs, delta)


def test_a_pair_is_covered_at_every_moment_at_once() -> None:
    """The difference of two learners on the same rows, of which one begins elsewhere, against their exact risks."""
    runs, rounds, delta = 30 * TIMES, 240, 0.1
    failures = 0
    for seed in range(runs):
        (first, one), (second, two) = risks_and_mistakes(seed, rounds), risks_and_mistakes(seed + 10_000, rounds)
        pair, failed = ls.PairedComparison(delta=delta), False
        for t in range(rounds):
            pair.note(float(one[t]), float(two[t]))
            if t % 8 == 7:
                mean = float(np.mean(first[: t + 1] - second[: t + 1]))
                failed |= not pair.low <= mean <= pair.high
        failures += failed
    assert failures <= most_failures(runs, delta)


def test_a_bound_that_is_too_small_is_not_covered() -> None:
    """The simulation has teeth: half of the deviation fails far more often than δ."""
    delta, failures = 0.1, 0
    for seed in range(100):
        risks, wrong = risks_and_mistakes(seed, 200)
        failures += float(wrong.mean()) + 0.1 * math.sqrt(math.log(1.0 / delta) / 400.0) < float(risks.mean())
    assert failures > most_failures(100, delta)
