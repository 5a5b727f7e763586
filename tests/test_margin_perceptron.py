"""The margin Perceptron (Mohri et al., exercise 8.6)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import littlestone as ls
from littlestone.arrays import FloatArray
from strategies import Stream, separable


def test_b4_two_unit_vectors() -> None:
    """mohri.ex8.6: e_1, e_2 with ρ = 1/√2: w = (1, 1) after 2 updates, margins 1/√2."""
    run = ls.run(ls.MarginPerceptron(rho=1 / np.sqrt(2)), np.eye(2), [1, 1], passes=10)
    assert (run.state.w.tolist(), run.ledger.updates, run.converged) == ([1.0, 1.0], 2, True)
    assert run.state.norm_squared[0] == 2.0


@pytest.mark.parametrize(("rho", "updates"), [(1.0, 1), (1.0 + 1e-9, 2), (0.5, 1)])
def test_b4_a_margin_of_exactly_half_rho_is_enough(rho: float, updates: int) -> None:
    """After w = (2, 0) the row (½, 7) has normalised margin exactly ½."""
    run = ls.run(ls.MarginPerceptron(rho=rho), [[2.0, 0.0], [0.5, 7.0]], [1, 1])
    assert run.ledger.updates == updates


def test_b4_zero_weights_always_update() -> None:
    run = ls.run(ls.MarginPerceptron(rho=1e-9), [[0.0], [1.0], [1.0]], [1, -1, -1], labels=(-1, 1), keep=("update",))
    assert run.columns["update"].tolist() == [True, True, False]
    back = ls.run(ls.MarginPerceptron(rho=1.0), [[1.0], [1.0], [1.0]], [1, -1, -1], labels=(-1, 1), keep=("score",))
    assert back.columns["score"].tolist() == [0.0, 1.0, 0.0]


def margins(w: FloatArray, stream: Stream) -> FloatArray:
    return np.asarray(stream.signs * (stream.X @ w) / np.linalg.norm(w), dtype=np.float64)


@given(case=separable())
def test_b4_at_rest_every_margin_is_at_least_half_rho(case: tuple[Stream, FloatArray]) -> None:
    stream, u = case
    rho = float(margins(u, stream).min())
    run = ls.run(ls.MarginPerceptron(rho=rho), stream.X, stream.y, labels=(-1, 1), passes=100_000)
    assert run.converged
    assert margins(run.state.w, stream).min() >= rho / 2 * (1 - 1e-9)
    assert run.state.norm_squared[0] == pytest.approx(float(run.state.w @ run.state.w), rel=1e-9)


def test_b4_norm_stays_true_through_a_long_run() -> None:
    source = np.random.default_rng(9)
    X = source.normal(size=(30_000, 4))
    run = ls.run(ls.MarginPerceptron(rho=100.0), X, np.where(source.normal(size=len(X)) > 0, 1, -1))
    assert run.ledger.updates > 20_000
    assert run.state.since_refresh[0] == run.ledger.updates % 10_000
    assert run.state.norm_squared[0] == pytest.approx(float(run.state.w @ run.state.w), rel=1e-10)
