"""Online to batch: numbers of the specification, exact risks on finite domains, and what is refused."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
import pytest

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.convert.choices import penalized_estimates
from littlestone.convert.hypotheses import hypotheses
from littlestone.theory.risk import controlled_tests

KEEP = ("step", "update")


def domain(n: int) -> tuple[FloatArray, list[int]]:
    """The unit vectors, all positive: the Perceptron makes a mistake on each it has not seen."""
    return np.eye(n), [1] * n


def run_on(indices: list[int], n: int, rule: ls.LinearRule | None = None) -> ls.Run:
    return ls.run(rule or ls.Perceptron(), np.eye(n)[indices], [1] * len(indices), labels=(-1, 1), keep=KEEP, average=True)


def error(of: ls.convert.Converted, n: int) -> float:
    """The exact risk under the uniform distribution; a score of 0 is an error."""
    return float(np.mean(of.score_many(np.eye(n)) <= 0.0))


# --- D1: averaging


def test_average_is_the_mean_of_the_hypotheses_used() -> None:
    X, y = [[1, 0], [-3, 1], [0, 1], [1, 0], [0, 1]], [1, 1, -1, 1, -1]
    result = ls.convert.average(ls.run(ls.Perceptron(), X, y, average=True), iid=True)
    assert (5 * result.score_many(np.eye(2))).round(12).tolist() == [-4.0, 1.0]
    assert [c.id for c in result.certificates] == ["risk.average", "mohri.8.15a", "mohri.8.14"]
    assert result.certificate.verdict is ls.Verdict.UNPROVED, "the 0-1 loss is not convex"


def test_average_of_a_kernel_run_needs_no_flag() -> None:
    X, y = [[1.0, 0.0], [-3.0, 1.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]], [1, 1, -1, 1, -1]
    result = ls.convert.average(ls.run(ls.KernelPerceptron(kernel=ls.kernels.Linear()), X, y))
    assert (5 * result.score_many(np.eye(2))).round(12).tolist() == [-4.0, 1.0]


def test_bound_of_the_average_on_a_finite_domain() -> None:
    """100 samples, exact risks: the convex bound holds in each (δ = .05 would allow a few)."""
    rng, broken = np.random.default_rng(0), 0
    points = rng.normal(size=(8, 3)) / 2.0
    targets = points @ np.array([0.5, -0.2, 0.1]) + 0.1 * rng.normal(size=8)
    for _ in range(100):
        drawn = rng.integers(0, 8, size=60)
        rule = ls.PassiveAggressiveRegression(variant="PA-I", C=0.05, epsilon=0.0)
        result = ls.convert.average(ls.run(rule, points[drawn], targets[drawn], average=True), iid=True, largest=3.0)
        broken += float(np.mean(np.abs(result.score_many(points) - targets))) > result.certificate.bound
    assert broken <= 5


# --- D2: random stopping


@pytest.mark.parametrize(("n", "epsilon", "exact"), [(4, 0.5, 0.44994), (8, 0.25, 0.24652)])
def test_random_stopping_has_the_exact_risk_of_the_specification(n: int, epsilon: float, exact: float) -> None:
    """blum.5.12: n(1 − (1 − 1/n)^|S|)/|S| with |S| = ⌈n/ε⌉, by simulation within four standard errors, and ≤ M/|S|."""
    size = math.ceil(n / epsilon)
    assert n * (1.0 - (1.0 - 1.0 / n) ** size) / size == pytest.approx(exact, abs=5e-6)
    rng = np.random.default_rng(1)
    found = []
    for seed in range(800):
        run = run_on(rng.integers(0, n, size=size).tolist(), n)
        result = ls.convert.random_stopping(run, seed=seed, mistake_bound=n, iid=True)
        found.append(error(result, n))
        assert result.certificate.bound == n / size
    assert abs(np.mean(found) - exact) <= 4.0 * np.std(found) / math.sqrt(len(found))


def test_random_stopping_gives_the_hypothesis_before_its_round() -> None:
    run = run_on([0, 1, 2, 3], 4)
    for seed in range(30):
        result = ls.convert.random_stopping(run, seed=seed)
        assert result.round is not None
        assert (result.score_many(np.eye(4)) > 0).sum() == result.round - 1


# --- D3: controlled testing


def test_sizes_of_the_tests() -> None:
    assert controlled_tests(4, 0.1, 0.1) == [45, 51, 56, 59, 62]


def draws(n: int, seed: int) -> Iterator[tuple[FloatArray, int]]:
    rng = np.random.default_rng(seed)
    while True:
        yield np.eye(n)[int(rng.integers(0, n))], 1


def test_controlled_testing_reaches_its_error() -> None:
    """300 runs: at most .395δ may fail, every one within the cap of examples."""
    n, epsilon, delta = 6, 0.2, 0.2
    failures, cap = 0, sum(controlled_tests(n, epsilon, delta))
    for seed in range(300):
        result = ls.convert.controlled_testing(
            ls.Perceptron(), draws(n, seed), labels=(-1, 1), epsilon=epsilon, delta=delta, mistake_bound=n, iid=True
        )
        failures += error(result, n) > epsilon
        assert result.certificate.holds
        assert result.round is not None
        assert result.round <= cap
    assert failures <= 300 * 0.395 * delta + 4.0 * math.sqrt(300 * 0.395 * delta)


def test_controlled_testing_says_when_the_rows_ran_out() -> None:
    short = itertools.islice(draws(5, 0), 20)
    result = ls.convert.controlled_testing(ls.Perceptron(), short, labels=(-1, 1), mistake_bound=5, iid=True)
    assert result.certificate.verdict is ls.Verdict.UNPROVED


def test_controlled_testing_learns_only_mistakes() -> None:
    result = ls.convert.controlled_testing(ls.Perceptron(), draws(5, 3), labels=(-1, 1))
    learner = result.predictor
    assert isinstance(learner, ls.Learner)
    assert learner.ledger.rounds == learner.ledger.mistakes == learner.ledger.updates <= 5


# --- D4 and D5: penalised risk


def test_penalised_estimates_of_the_specification() -> None:
    """mohri.ex8.10: T = 3, δ = ½, tail losses (1,1,0), (0,0), (0): estimates 1.39445, .89135, 1.26057 ⇒ i* = 2."""
    X, y = [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], [1, 1, 1]
    rule = ls.Perceptron(eta=2.0, start=np.array([-1.0, 1.0]))
    run = ls.run(rule, X, y, labels=(-1, 1), keep=KEEP)
    assert penalized_estimates(run, hypotheses(run), delta=0.5).round(5).tolist() == [1.39445, 0.89135, 1.26057]
    result = ls.convert.penalized_risk(run, delta=0.5)
    assert result.round == 2
    assert result.score_many(np.eye(2)).tolist() == [1.0, 1.0]


def brute_estimates(rule: ls.LinearRule, X: FloatArray, y: list[int], delta: float) -> list[float]:
    """Every hypothesis on every later row, one by one."""
    learner, estimates, T = ls.Learner(rule, labels=(-1, 1)), [], len(X)
    for i in range(T):
        wrong = int(np.sum(np.array(y[i:]) * learner.score_many(X[i:]) <= 0.0))
        estimates.append(wrong / (T - i) + math.sqrt(math.log(T * (T + 1) / delta) / (2 * (T - i))))
        learner.learn_one(X[i], y[i])
    return estimates


@pytest.mark.parametrize(
    "rule",
    [
        ls.Perceptron(),
        ls.PassiveAggressive(variant="PA-I", C=0.3),
        ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.3)),
        ls.KernelPerceptron(
            kernel=ls.kernels.Custom(function=lambda points, x: (1.0 + np.asarray(points) @ np.asarray(x)) ** 2)
        ),
    ],
    ids=["Perceptron", "PA-I", "Gaussian", "custom"],
)
def test_suffix_sums_equal_brute_force(rule: ls.LinearRule) -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(60, 3))
    y = np.where(np.sum(X**2, axis=1) + rng.normal(size=60) > 2.5, 1, -1).tolist()
    run = ls.run(rule, X, y, labels=(-1, 1), keep=KEEP)
    found = penalized_estimates(run, hypotheses(run), delta=0.1)
    assert found == pytest.approx(brute_estimates(rule, X, y, 0.1), rel=1e-12)
    chosen = ls.convert.penalized_risk(run, delta=0.1)
    assert chosen.round == int(np.argmin(found)) + 1
    replay = ls.Learner(rule, labels=(-1, 1))
    for x, label in zip(X[: chosen.round - 1], y, strict=False):
        replay.learn_one(x, label)
    assert chosen.score_many(X) == pytest.approx(replay.score_many(X), rel=1e-9, abs=1e-12)


def test_risk_of_the_penalised_choice_on_a_finite_domain() -> None:
    """40 runs with exact risks and T = 600: no bound is broken, and it says something."""
    rng = np.random.default_rng(6)
    points = rng.normal(size=(30, 3))
    labels = np.where(points[:, 0] + 0.2 * points[:, 1] > 0, 1, -1)
    for _ in range(40):
        drawn = rng.integers(0, 30, size=600)
        run = ls.run(ls.Perceptron(), points[drawn], labels[drawn], labels=(-1, 1), keep=KEEP)
        result = ls.convert.penalized_risk(run, iid=True)
        risk = float(np.mean(labels * result.score_many(points) <= 0.0))
        assert risk <= result.certificate.bound < 1.0


def test_risk_of_the_kernel_perceptron_against_a_comparator() -> None:
    """D5, mohri.ex8.11 (b): exact risks on a finite domain, u a small multiple of Σ y·φ(x)."""
    rng = np.random.default_rng(10)
    points = rng.normal(size=(12, 2))
    labels = np.where(np.sum(points**2, axis=1) > 1.2, 1, -1)
    rule = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=2.0))
    for _ in range(2):
        drawn = rng.integers(0, 12, size=700)
        run = ls.run(rule, points[drawn], labels[drawn], labels=(-1, 1), keep=KEEP)
        result = ls.convert.penalized_risk(run, iid=True, against=0.02 * labels[drawn])
        second = result.certificates[1]
        assert (second.id, second.verdict) == ("mohri.ex8.11b", ls.Verdict.HOLDS)
        assert float(np.mean(labels * result.score_many(points) <= 0.0)) <= min(c.bound for c in result.certificates)
    other = ls.run(ls.PassiveAggressive(), points, labels, labels=(-1, 1), keep=KEEP)
    with pytest.raises(ls.NotApplicable, match="speaks of the Perceptron"):
        ls.convert.penalized_risk(other, against=[1.0, 0.0])


def test_penalised_risk_is_quick_on_many_rounds() -> None:
    """A few updates over 200,000 rounds: a table of all pairs would not fit anywhere."""
    X = np.ones((200_000, 1))
    run = ls.run(ls.Perceptron(), X, [1] * 200_000, labels=(-1, 1), keep=KEEP)
    assert ls.convert.penalized_risk(run, iid=True, progress=False).round == 2


# --- the others


def test_longest_survivor() -> None:
    run = run_on([0, 1, 0, 1, 0, 1, 2, 2], 3)
    result = ls.convert.longest_survivor(run, delta=0.1, iid=True)
    assert result.round == 3
    assert result.score_many(np.eye(3)).tolist() == [1.0, 1.0, 0.0]
    assert result.certificate.bound == pytest.approx(math.log(3 * 4 / 0.1) / 4)
    assert result.certificate.verdict is ls.Verdict.VACUOUS


def test_survivor_bound_on_a_finite_domain() -> None:
    rng = np.random.default_rng(7)
    broken = 0
    for _ in range(200):
        result = ls.convert.longest_survivor(run_on(rng.integers(0, 20, size=150).tolist(), 20), delta=0.2, iid=True)
        broken += error(result, 20) > result.certificate.bound
    assert broken <= 0.2 * 200


def test_vote_and_its_bound() -> None:
    rng = np.random.default_rng(8)
    for _ in range(50):
        result = ls.convert.vote(run_on(rng.integers(0, 5, size=200).tolist(), 5), delta=0.05, iid=True)
        assert error(result, 5) <= result.certificate.bound < 1.0


def test_leave_one_out_is_right_in_the_mean() -> None:
    """mohri.8.9: e₁, e₂, e₃ uniform: risk after m rows (⅔)^m ≤ mean estimate .8333, .7037, .6019 (m = 1, 2, 3)."""
    for m, risk, estimate in ((1, 2 / 3, 0.8333), (2, 4 / 9, 0.7037), (3, 8 / 27, 0.6019)):
        found = []
        for sample in itertools.product(range(3), repeat=m + 1):
            run = ls.run(ls.Perceptron(), np.eye(3)[list(sample)], [1] * (m + 1), labels=(-1, 1), passes=5)
            one = ls.convert.leave_one_out(run)
            found.append(one.perceptron)
            assert one.svm == pytest.approx(len(set(sample)) / (m + 1))
            assert one.perceptron <= one.margin * (1.0 + 1e-6)
        assert np.mean(found) == pytest.approx(estimate, abs=5e-5)
        assert risk <= np.mean(found)


def test_leave_one_out_refuses_a_run_that_did_not_come_to_rest() -> None:
    with pytest.raises(ls.NotApplicable, match="more passes"):
        ls.convert.leave_one_out(run_on([0, 1], 2))


def test_batch_passive_aggressive_ends_with_small_losses() -> None:
    rng = np.random.default_rng(9)
    X = rng.normal(size=(80, 4))
    X, score = X[np.abs(X[:, 0]) > 0.3], X[np.abs(X[:, 0]) > 0.3, 0]
    y = np.where(score > 0, 1, -1)
    result = ls.convert.passive_aggressive_batch(X, y, beta=0.04)
    assert np.maximum(1.0 - y * result.score_many(X), 0.0).max() <= 0.2
    assert result.certificate.id == "pa.batch"
    assert result.certificate.verdict in (ls.Verdict.HOLDS, ls.Verdict.VACUOUS)


def test_rows_that_are_not_declared_independent_prove_nothing() -> None:
    run = run_on([0, 1, 0, 1], 2)
    for result in (
        ls.convert.average(run, largest=2.0),
        ls.convert.random_stopping(run, mistake_bound=2),
        ls.convert.penalized_risk(run),
        ls.convert.longest_survivor(run),
        ls.convert.vote(run),
    ):
        assert result.certificate.verdict is ls.Verdict.UNPROVED


def test_what_is_refused() -> None:
    with pytest.raises(ls.NotApplicable, match="kept no updates"):
        ls.convert.random_stopping(ls.run(ls.Perceptron(), [[1.0]], [1], labels=(-1, 1)))
    with pytest.raises(ls.NotApplicable, match="one pass"):
        ls.convert.penalized_risk(ls.run(ls.Perceptron(), [[1.0]], [1], labels=(-1, 1), keep=KEEP, passes=2))
    with pytest.raises(ls.NotApplicable, match="moves a centre"):
        ls.convert.voted(ls.run(ls.Uniclass(epsilon=1.0), [[1.0], [5.0]], keep=KEEP))
    budget = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=9.0), budget=1, when_full="drop-oldest")
    with pytest.raises(ls.NotApplicable, match="does more than add"):  # and no update that would tell
        ls.convert.voted(ls.run(ls.Majority(), np.zeros((0, 2)), [], keep=("step", "update")))
    with pytest.raises(ls.NotApplicable, match="budget changed updates"):
        ls.convert.voted(ls.run(budget, [[1.0], [5.0], [1.0]], [1, -1, 1], keep=KEEP))
    with pytest.raises(ls.InvalidParameter, match="epsilon is 0"):
        ls.convert.controlled_testing(ls.Perceptron(), [], labels=(-1, 1), epsilon=0)
