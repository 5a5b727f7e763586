"""AdaGrad and the full matrix of AROW: rounds by hand, their theorems, and what the lemmas catch."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.loop import Loop, PythonLoop
from littlestone.state import Average, State
from littlestone.theory.certificate import Verdict
from littlestone.theory.guarantee import within
from littlestone.theory.moments import moments
from shown import shows

RULES: dict[str, ls.LinearRule] = {
    "arow": ls.AROW(covariance="full"),
    "adagrad.log": ls.AdaGrad(),
    "adagrad.hinge": ls.AdaGrad(loss="hinge"),
    "adagrad.square": ls.AdaGradRegression(),
}
U = np.array([1.0, -1.0, 0.5, 0.0])


def outcomes_for(name: str, targets: FloatArray) -> FloatArray:
    return targets if name == "adagrad.square" else np.where(targets > 0.0, 1.0, -1.0)


def sample(name: str, seed: int = 0, count: int = 1000) -> tuple[FloatArray, FloatArray]:
    source = np.random.default_rng(seed)
    X = source.uniform(-1.0, 1.0, size=(count, 4))
    return X, outcomes_for(name, X @ U + 0.05 * source.normal(size=count))


def run(name: str, X: FloatArray, y: FloatArray, weights: FloatArray | None = None) -> ls.Run:
    labels = None if name == "adagrad.square" else (-1.0, 1.0)
    return ls.run(RULES[name], X, y, labels=labels, weights=weights)


def certificate(found: ls.Run, name: str, against: FloatArray | None) -> ls.Certificate:
    return next(one for one in found.certify(against) if one.id == name)


BEST = {"arow": 3.0 * U, "adagrad.log": 6.0 * U, "adagrad.hinge": 4.0 * U, "adagrad.square": U}
"""Comparators that do well on the sample."""


@shows("example", "arow")
def test_the_full_matrix_by_hand() -> None:
    """r = 1, x = (1, 0), y = 1: v = 1, the step ½; then x = (1, 2), y = −1: v = ½ + 4, ℓ = 3/2, the step 3/11."""
    found = ls.run(ls.AROW(covariance="full"), [[1.0, 0.0], [1.0, 2.0]], [1, -1], keep=("step",))
    assert found.columns["step"].tolist() == pytest.approx([0.5, -3.0 / 11.0])
    assert found.state.w.tolist() == pytest.approx([0.5 - 3.0 / 22.0, -6.0 / 11.0])
    assert found.state.log_det[0] == pytest.approx(math.log(2.0) + math.log(5.5))
    theorem = certificate(found, "arow", np.array([0.0, -1.0]))
    # X = [[2, 2], [2, 4]]: r‖u‖² + uᵀXu = 5; u loses 1 in the first round; both were mistakes.
    assert theorem.bound == pytest.approx(math.sqrt(5.0) * math.sqrt(math.log(11.0)) + 1.0)


@shows("example", "adagrad.log", "adagrad.hinge", "adagrad.square")
def test_adagrad_by_hand() -> None:
    """One row (1, 0) with G₀ = 1: "log" pulls by ½, so G = 5/4; "hinge" by 1, so G = 2, q = 1/√2, τ = min(½, √2)."""
    row, u = [[1.0, 0.0]], np.array([1.0, 0.0])
    log = ls.run(ls.AdaGrad(G0=1.0), row, [1], labels=(-1, 1))
    assert log.state.w[0] == pytest.approx(0.25 / math.sqrt(1.25))
    assert log.state.slack[0] == pytest.approx(0.25 * 0.25 / math.sqrt(1.25))
    bound = math.sqrt(1.25) + 0.0625 / math.sqrt(1.25)
    assert certificate(log, "adagrad.log", u).bound == pytest.approx(bound)
    assert certificate(log, "adagrad.log", u).measured == pytest.approx(math.log(2.0) - math.log1p(math.exp(-1.0)))
    hinge = ls.run(ls.AdaGrad(loss="hinge", G0=1.0), row, [1], labels=(-1, 1))
    assert hinge.state.w[0] == pytest.approx(0.5 / math.sqrt(2.0))
    assert hinge.state.slack[0] == pytest.approx((0.5 - 0.25) / math.sqrt(2.0))
    assert certificate(hinge, "adagrad.hinge", u).bound == pytest.approx(math.sqrt(2.0) + 0.25 / math.sqrt(2.0))
    square = ls.run(ls.AdaGradRegression(G0=1.0), row, [2.0])
    # e = 2, G = 5, q = 1/√5, τ = min(1, 2√5) = 1; slack 0/2 + 1/√5.
    assert square.state.w[0] == pytest.approx(1.0 / math.sqrt(5.0))
    assert certificate(square, "adagrad.square", u).bound == pytest.approx(math.sqrt(5.0) + 1.0 / math.sqrt(5.0))
    assert certificate(square, "adagrad.square", u).measured == pytest.approx(0.5 * (4.0 - 1.0))


@shows("never", *RULES)
@pytest.mark.parametrize("name", RULES)
@given(seed=st.integers(0, 2**32 - 1), scale=st.sampled_from([0.01, 1.0, 100.0]), noise=st.sampled_from([0.0, 3.0]))
def test_never_violated(name: str, seed: int, scale: float, noise: float) -> None:
    source = np.random.default_rng(seed)
    X = source.normal(size=(40, 3)) * [1.0, scale, 1.0]
    X[source.random(X.shape) < 0.3] = 0.0
    X[:, 0] += X[:, 0] == 0.0
    u = source.normal(size=3) * source.choice([0.0, 1.0, 5.0])
    y = outcomes_for(name, X @ u + noise * source.normal(size=40))
    assert certificate(run(name, X, y), name, u).verdict in (Verdict.HOLDS, Verdict.VACUOUS)


@shows("holds", *RULES)
@pytest.mark.parametrize("name", RULES)
def test_holds(name: str) -> None:
    found = certificate(run(name, *sample(name)), name, BEST[name])
    assert found.holds
    assert 0.0 < found.measured <= found.bound


@shows("vacuous", *RULES)
@pytest.mark.parametrize("name", RULES)
def test_vacuous_after_one_round(name: str) -> None:
    assert certificate(run(name, *sample(name, count=1)), name, BEST[name]).verdict is Verdict.VACUOUS


@shows("unproved", *RULES)
@pytest.mark.parametrize("name", RULES)
def test_unproved_against_nothing_and_with_weights(name: str) -> None:
    assert certificate(run(name, *sample(name)), name, None).verdict is Verdict.UNPROVED
    heavy = run(name, *sample(name), weights=np.full(1000, 2.0))
    assert certificate(heavy, name, BEST[name]).verdict is Verdict.UNPROVED


def test_each_theorem_is_of_its_own_kind() -> None:
    X, y = sample("arow", count=20)
    diagonal = ls.run(ls.AROW(), X, y, labels=(-1.0, 1.0))
    assert certificate(diagonal, "arow", U).verdict is Verdict.UNPROVED
    assert certificate(run("adagrad.log", X, y), "adagrad.hinge", U).verdict is Verdict.UNPROVED


Update = Callable[[ls.LinearRule, State, _core.Row, _core.Trial], _core.Step]


def backwards(honest: Update) -> Update:
    """Keeps its books as if it had moved as it should."""

    def update(rule: ls.LinearRule, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        before = state.w.copy()
        step = honest(rule, state, row, trial)
        state.w[:] = before - (state.w - before)
        return step

    return update


def broken(name: str) -> bool:
    X, y = sample(name, 1, 60)
    batch, outcomes = run(name, X[:1], y[:1]).learner.encode(X, y)
    for moment in moments(RULES[name], batch, outcomes, BEST[name], RULES[name].ends()[0]):
        if not all(within(*lemma.sides(moment), subtracted=1e3) for lemma in ls.theory.linear[name].lemmas):
            return True
    return False


@shows("mutant", *RULES)
@pytest.mark.parametrize("name", RULES)
def test_a_lemma_catches_who_goes_backwards(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    assert not broken(name)
    kind = type(RULES[name])
    monkeypatch.setattr(kind, "update", backwards(kind.update))
    assert broken(name)


@shows("violated", *RULES)
@pytest.mark.parametrize("name", RULES)
def test_violated_by_who_says_that_it_moved(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def as_defined(rule: ls.LinearRule, state: State, average: Average | None) -> Loop:
        return PythonLoop(rule, state, average)

    kind = type(RULES[name])
    monkeypatch.setattr(kind, "loop", as_defined)
    monkeypatch.setattr(kind, "update", lambda *_: _core.Step.otherwise(1.0))
    assert certificate(run(name, *sample(name, count=300)), name, BEST[name]).verdict is Verdict.VIOLATED


def test_the_full_matrix_knows_what_the_diagonal_cannot() -> None:
    """Two features that are nearly the same: their difference decides."""
    source = np.random.default_rng(5)
    common, apart = source.normal(size=(2, 2000))
    X = np.stack([common, common + 0.1 * apart], axis=1)
    y = np.where(apart > 0.0, 1, -1)
    full, diagonal = (ls.run(ls.AROW(covariance=form), X, y).ledger.mistakes for form in ("full", "diagonal"))
    assert full < 0.5 * diagonal
