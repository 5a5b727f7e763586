"""The on-line SVM (Mohri et al., exercise 8.5) and its lazy scale."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize

import littlestone as ls
from laws import learned
from littlestone.arrays import FloatArray
from strategies import Stream


def test_ex85_by_hand() -> None:
    """x = 1, y = 1, η = ½, C = 2: w = 0, then 1, where it stays because the margin is 1."""
    run = ls.run(ls.OnlineSVM(eta=0.5, C=2.0), np.ones((4, 1)), [1, 1, 1, 1], keep=("score", "update"))
    assert run.columns["score"].tolist() == [0.0, 1.0, 1.0, 1.0]
    assert run.columns["update"].tolist() == [True, False, False, False]


def test_ex85_a_true_subgradient_step_shrinks_at_the_kink() -> None:
    run = ls.run(ls.OnlineSVM(eta=0.5, C=2.0, kink="shrink"), np.ones((3, 1)), [1, 1, 1], keep=("score",))
    assert run.columns["score"].tolist() == [0.0, 1.0, 0.5]


def test_b5_the_three_cases() -> None:
    """Below margin 1 shrink and step, above shrink, at 1 stay; η = ½, C = 4."""
    run = ls.run(ls.OnlineSVM(eta=0.5, C=4.0), [[1.0], [1.0], [1.0], [-1.0]], [1, 1, 1, 1], keep=("score", "step"))
    assert run.columns["score"].tolist() == [0.0, 2.0, 1.0, -1.0]
    assert run.columns["step"].tolist() == [2.0, 0.0, 0.0, 2.0]
    assert run.state.w.tolist() == [0.5 - 2.0]


def test_b5_default_rates_are_one_over_t_plus_one() -> None:
    """½, ⅓, ¼: w = ½, then (⅔)½ + ⅓, then (¾)⅔ + ¼."""
    run = ls.run(ls.OnlineSVM(), np.ones((4, 1)), [1, 1, 1, 1], keep=("score",))
    np.testing.assert_allclose(run.columns["score"], [0.0, 1 / 2, 2 / 3, 3 / 4], rtol=1e-15)


def test_b5_a_round_at_the_kink_counts_for_the_rate() -> None:
    run = ls.run(ls.OnlineSVM(C=2.0), np.ones((2, 1)), [1, 1])
    assert run.state.rounds[0] == 2.0
    assert run.state.w.tolist() == [1.0]


def eager(stream: Stream, eta: float, C: float) -> FloatArray:
    """The rule without a scale: every weight shrinks in every round."""
    w = np.zeros(stream.width)
    for x, y in zip(stream.X, stream.signs.tolist(), strict=True):
        margin = y * float(w @ x)
        w *= 1.0 - eta
        if margin < 1.0:
            w += eta * C * y * x
    return w


def test_safety_4_a_long_run_is_what_it_would_be_without_the_scale() -> None:
    """η = .01, 200,000 rounds: the scale alone underflows at about 74,000."""
    source = np.random.default_rng(4)
    X = source.normal(size=(200_000, 4)) * (source.uniform(size=(200_000, 4)) < 0.4)
    stream = Stream(X, np.where(X @ [1.0, -1.0, 0.5, 0.0] + source.normal(size=len(X)) > 0, 1, -1))
    dense, sparse = learned(ls.OnlineSVM(eta=0.01), stream), ls.Learner(ls.OnlineSVM(eta=0.01), labels=(-1, 1), average=True)
    sparse.learn_many(sp.csr_matrix(X), stream.y)
    assert dense.state.w.tobytes() == sparse.state.w.tobytes()
    assert 1e-6 <= dense.state.scale[0] <= 1.0
    assert np.abs(dense.state.w - eager(stream, 0.01, 1.0)).max() <= 1e-9


def test_b5_average_survives_folding() -> None:
    source = np.random.default_rng(5)
    stream = Stream(source.normal(size=(3000, 3)), np.where(source.normal(size=3000) > 0, 1, -1))
    learner = ls.Learner(ls.OnlineSVM(eta=0.2, C=3.0), labels=(-1, 1), average=True)
    used, folds = np.zeros(3), 0
    learner.learn_many(stream.X[:0], stream.y[:0])
    for x, y in stream.rounds():
        used += learner.state.w
        before = float(learner.state.scale[0])
        learner.learn_one(x, y)
        folds += bool(learner.state.scale[0] > before)
    assert folds > 40
    np.testing.assert_allclose(learner.averaged().state.w, used / 3000, rtol=0, atol=1e-11)


@pytest.mark.parametrize("C", [1.0, 3.0])
def test_ex85_averages_approach_the_minimiser_of_the_mean_hinge(C: float) -> None:
    """C multiplies the hinge of one example: ½‖w‖² + (C/m)Σ, not ½‖w‖² + CΣ."""
    source = np.random.default_rng(6)
    X = source.normal(size=(40, 2))
    y = np.where(X @ [1.0, -2.0] + 0.5 * source.normal(size=40) > 0, 1, -1)

    def objective(w: FloatArray, factor: float) -> float:
        return float(0.5 * w @ w + factor * np.maximum(0.0, 1.0 - y * (X @ w)).sum())

    order = source.integers(0, 40, size=200_000)
    learner = ls.Learner(ls.OnlineSVM(C=C, kink="shrink"), labels=(-1, 1), average=True)
    learner.learn_many(X[order], y[order])
    averaged = learner.averaged().state.w
    mean = minimize(objective, np.zeros(2), args=(C / 40,), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12})
    total = minimize(objective, np.zeros(2), args=(C,), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12})
    assert np.abs(averaged - mean.x).max() < 0.02
    assert np.abs(averaged - total.x).max() > 0.2
