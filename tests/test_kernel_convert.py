"""Online to batch for kernel learners, over several passes, and over hundreds of thousands of rounds."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Iterator

import numpy as np
import pytest

import littlestone as ls
import pressed
from littlestone.arrays import FloatArray
from littlestone.convert.choices import penalized_estimates
from littlestone.convert.hypotheses import hypotheses
from littlestone.kernels import Kernel

KEEP = ("step", "update")
KERNELS: list[Kernel] = [
    ls.kernels.Gaussian(gamma=0.3),
    ls.kernels.Polynomial(degree=2),
    ls.kernels.Custom(function=lambda points, x: (1.0 + np.asarray(points) @ np.asarray(x)) ** 2),
]
every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: type(kernel).__name__)


def ring(rows: int, seed: int = 0) -> tuple[FloatArray, list[int]]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 2))
    return X, np.where(np.sum(X**2, axis=1) + 0.5 * rng.normal(size=rows) > 1.4, 1, -1).tolist()


def used(rule: ls.LinearRule, X: FloatArray, y: list[int], passes: int) -> list[FloatArray]:
    """The scores of all rows by the hypothesis of each round."""
    learner, found = ls.Learner(rule, labels=(-1, 1)), []
    for _ in range(passes):
        for x, label in zip(X, y, strict=True):
            found.append(learner.score_many(X))
            learner.learn_one(x, label)
    return found


@every_kernel
def test_averaged_and_voted_over_several_passes(kernel: Kernel) -> None:
    X, y = ring(30)
    for rule in (ls.KernelPerceptron(kernel=kernel), ls.KernelPassiveAggressive(kernel=kernel, variant="PA-I", C=0.2)):
        run = ls.run(rule, X, y, labels=(-1, 1), passes=3, keep=KEEP)
        assert run.passes == 3
        scores = used(rule, X, y, 3)
        mean, votes = np.mean(scores, axis=0), np.mean(np.sign(scores), axis=0)
        assert ls.convert.average(run).score_many(X) == pytest.approx(mean, rel=1e-9, abs=1e-10)
        assert ls.convert.averaged_survival(run).score_many(X) == pytest.approx(mean, rel=1e-9, abs=1e-10)
        assert ls.convert.voted(run).score_many(X) == pytest.approx(votes, abs=1e-12)
        distinct = [scores[0], *(scores[t + 1] for t in np.flatnonzero(run.columns["update"]) if t + 1 < len(scores))]
        if run.columns["update"][-1]:
            distinct.append(run.learner.score_many(X))
        assert ls.convert.averaged_uniform(run).score_many(X) == pytest.approx(np.mean(distinct, axis=0), rel=1e-9, abs=1e-10)


def test_several_passes_come_to_rest() -> None:
    X = np.random.default_rng(1).normal(size=(60, 2))
    y = np.where(np.sum(X**2, axis=1) > 1.4, 1, -1)
    run = ls.run(ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=2.0)), X, y, labels=(-1, 1), passes=500)
    assert run.converged
    assert (run.learner.predict_many(X) == y).all()


def test_a_vote_minds_features_that_were_never_learned() -> None:
    rule = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=1.0))
    run = ls.run(rule, [{"a": 0.0, "b": 3.0}, {"a": 1.0}], [1, -1], labels=(-1, 1), keep=KEEP)
    near, far = ls.convert.voted(run), {"a": 1.0, "new": 40.0}
    assert run.learner.score_one(far) == 0.0
    assert near.score_many([far, {"a": 1.0}]).tolist() == [0.0, 0.5]


# --- the theorems side by side


def test_leave_one_out_of_a_kernel_perceptron_and_of_its_machine() -> None:
    """XOR with the quadratic kernel (mohri.ex8.11): 4 updates, 4 support vectors, r²/ρ² = 4.5, of 4 rows."""
    X, y = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]], [1, -1, -1, 1]
    run = ls.run(ls.KernelPerceptron(kernel=ls.kernels.Polynomial(degree=2)), X, y, passes=9)
    one = ls.convert.leave_one_out(run)
    assert (one.perceptron, one.svm) == (1.0, 1.0)
    assert 4 * one.margin == pytest.approx(4.5, rel=1e-6)
    linear = ls.run(ls.Perceptron(), np.eye(3)[[0, 1, 0]], [1, 1, 1], labels=(-1, 1), passes=9)
    dual = ls.run(ls.KernelPerceptron(kernel=ls.kernels.Linear()), np.eye(3)[[0, 1, 0]], [1, 1, 1], labels=(-1, 1), passes=9)
    left, right = ls.convert.leave_one_out(linear), ls.convert.leave_one_out(dual)
    assert (left.perceptron, left.svm) == (right.perceptron, right.svm)
    assert right.margin == pytest.approx(left.margin, rel=1e-6)


def test_leave_one_out_of_a_kernel_is_right_in_the_mean() -> None:
    """mohri.8.9 and 8.10 by experiment: risks after m rows, exact on 6 points, against the estimates from m + 1 rows."""
    rng, kernel = np.random.default_rng(2), ls.kernels.Gaussian(gamma=1.0)
    points = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
    labels = np.array([1, 1, -1, -1, 1, 1])
    risks, online, machine = [], [], []
    for _ in range(120):
        drawn = rng.integers(0, 6, size=6)
        runs = [
            ls.run(ls.KernelPerceptron(kernel=kernel), points[rows], labels[rows], labels=(-1, 1), passes=200)
            for rows in (drawn[:5], drawn)
        ]
        risks.append(np.mean(labels * runs[0].learner.score_many(points) <= 0.0))
        estimate = ls.convert.leave_one_out(runs[1])
        online.append(estimate.perceptron)
        machine.append(estimate.svm)
    slack = 4.0 * float(np.std(np.array(risks) - online)) / math.sqrt(len(risks))
    assert np.mean(risks) <= np.mean(online) + slack
    assert 0.0 < np.mean(machine) <= 1.0


def test_controlled_testing_of_a_kernel_perceptron() -> None:
    """D3: 60 runs over 8 points that no line separates; at most .395δ may fail."""
    points, labels = np.arange(8.0)[:, np.newaxis], np.array([1, 1, -1, -1, 1, 1, -1, -1])

    def draws(seed: int) -> Iterator[tuple[FloatArray, int]]:
        rng = np.random.default_rng(seed)
        while True:
            t = int(rng.integers(0, 8))
            yield points[t], int(labels[t])

    rule, failures = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=2.0)), 0
    for seed in range(60):
        result = ls.convert.controlled_testing(
            rule, draws(seed), labels=(-1, 1), epsilon=0.15, delta=0.2, mistake_bound=60, iid=True
        )
        failures += float(np.mean(labels * result.score_many(points) <= 0.0)) > 0.15
        assert result.certificate.holds
    assert failures <= 60 * 0.395 * 0.2 + 4.0 * math.sqrt(60 * 0.395 * 0.2)


# --- hundreds of thousands of rounds


def test_conversions_of_300000_rounds_take_seconds_and_little_memory() -> None:
    """D2 to D4, survivor and vote: no hypothesis is copied, no table of all pairs is made."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300_000, 5))
    y = np.where(X @ [2.0, -1.0, 0.5, 0.0, 0.0] > 0, 1, -1)
    run = ls.run(ls.Perceptron(), X, y, labels=(-1, 1), keep=KEEP)
    assert run.ledger.updates > 300
    tracemalloc.start()
    chosen = ls.convert.penalized_risk(run, iid=True)
    stopped = ls.convert.random_stopping(run, mistake_bound=run.ledger.updates, iid=True)
    lasting = ls.convert.longest_survivor(run, iid=True)
    balance = ls.convert.vote(run, iid=True).score_many(X[:1000])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    tested = ls.convert.controlled_testing(ls.Perceptron(), zip(X, y.tolist(), strict=True), labels=(-1, 1), epsilon=0.01)
    assert peak < 100e6, "X alone has 12 MB, a column of the run 2.4"
    assert np.mean(y[-1000:] * chosen.score_many(X[-1000:]) <= 0.0) < 0.01
    assert lasting.certificate.bound < 0.05
    assert stopped.round is not None
    before = ls.run(ls.Perceptron(), X[: stopped.round - 1], y[: stopped.round - 1], labels=(-1, 1))
    np.testing.assert_allclose(stopped.score_many(X[:9]), before.learner.score_many(X[:9]), rtol=1e-9)
    assert np.mean(np.sign(balance) == y[:1000]) > 0.97
    assert np.mean(np.sign(tested.score_many(X[-1000:])) != y[-1000:]) < 0.05


def test_estimates_of_many_updates_equal_those_in_python() -> None:
    """The core's prefix sums against scores kept for all rows; ties and repeated rows among them."""
    rng = np.random.default_rng(4)
    X = rng.integers(-1, 2, size=(400, 3)).astype(float)
    y = rng.choice([-1, 1], size=400).tolist()
    run = ls.run(ls.KernelPerceptron(kernel=ls.kernels.Polynomial(degree=2)), X, y, labels=(-1, 1), keep=KEEP)
    own = ls.kernels.Custom(function=lambda points, x: (np.asarray(points) @ np.asarray(x) + 1.0) ** 2)
    same = ls.run(ls.KernelPerceptron(kernel=own), X, y, labels=(-1, 1), keep=KEEP)
    left, right = (penalized_estimates(one, hypotheses(one), delta=0.1) for one in (run, same))
    assert left.tolist() == right.tolist()


def test_ctrl_c_ends_a_long_estimate() -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(40_000, 20))
    y = rng.choice([-1, 1], size=40_000)
    run = ls.run(ls.Perceptron(), X, y, labels=(-1, 1), keep=KEEP)
    with pytest.raises(KeyboardInterrupt), pressed.ctrl_c(after=0.3):
        ls.convert.penalized_risk(run)


def test_progress_of_an_estimate_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    X, y = ring(50)
    run = ls.run(ls.KernelPerceptron(kernel=KERNELS[0]), X, y, labels=(-1, 1), keep=KEEP)
    shown = ls.convert.penalized_risk(run, progress=True)
    assert "penalised risk" in capsys.readouterr().out
    assert shown.round == ls.convert.penalized_risk(run).round


# --- refusals


def test_what_is_refused() -> None:
    targets = ls.run(ls.KernelPassiveAggressiveRegression(kernel=KERNELS[0]), [[1.0]], [2.0], keep=KEEP)
    with pytest.raises(ls.NotApplicable, match="the outcomes are not labels"):
        ls.convert.random_stopping(targets)
    with pytest.raises(ls.NotApplicable, match="the outcomes are not labels"):
        ls.convert.penalized_risk(targets)
    with pytest.raises(ls.NotApplicable, match="does not learn labels; controlled testing counts mistakes on labels"):
        ls.convert.controlled_testing(targets.rule, [], labels=(-1, 1))
    drawn = ls.run(ls.RandomizedPerceptron(), [[1.0]], [1], labels=(-1, 1), keep=KEEP)
    with pytest.raises(ls.NotApplicable, match="draws its labels"):
        ls.convert.random_stopping(drawn)
    none = ls.run(ls.Perceptron(), np.zeros((0, 2)), [], labels=(-1, 1), passes=2)
    with pytest.raises(ls.NotApplicable, match="no rows to leave out"):
        ls.convert.leave_one_out(none)
    rows = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-2.0, 1.0, 1.0]]
    short = ls.KernelPerceptron(kernel=ls.kernels.Linear(), budget=2)
    tight = ls.run(short, rows, [1, 1, 1], labels=(-1, 1), passes=50)
    assert tight.converged
    with pytest.raises(ls.NotApplicable, match="budget changed updates"):
        ls.convert.leave_one_out(tight)
    for delta in (0.0, 1.0, -1.0, math.nan):
        labelled = ls.run(ls.Perceptron(), [[1.0]], [1], labels=(-1, 1), keep=KEEP)
        with pytest.raises(ls.InvalidParameter, match="delta must be a number strictly between 0 and 1"):
            ls.convert.penalized_risk(labelled, delta=delta)
    for rule in (
        ls.Uniclass(epsilon=1.0),
        ls.MultiplicativeUniclass(epsilon=1.0),
        ls.KernelUniclass(kernel=KERNELS[0], epsilon=1.0),
    ):
        with pytest.raises(ls.NotApplicable, match="no rows to compare on"):
            ls.run(rule, np.zeros((0, 2))).certify("best")


def test_a_kernel_that_answers_words_is_told() -> None:
    learner = ls.Learner(ls.KernelPerceptron(kernel=ls.kernels.Custom(function=lambda points, x: "much")), labels=(-1, 1))
    with pytest.raises(ls.InvalidData, match="the kernel answered 'much'; expected 1 finite numbers"):
        learner.learn_one([1.0], 1)
    assert learner.ledger.rounds == 0
