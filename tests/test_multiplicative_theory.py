"""Theorems on the multiplicative rules: the numbers of their sources, their one-round lemmas, stress, and mutants."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, TypeAlias, final

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import hadamard

import littlestone as ls
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.linear.multiplicative import MultiplicativeRule
from littlestone.state import State
from littlestone.theory.guarantee import within
from littlestone.theory.moments import moments
from shown import shows

Signs: TypeAlias = "npt.NDArray[np.int64]"

seeds = st.integers(0, 2**32 - 1)
stressed = settings(max_examples=60, deadline=None)


def certificate(run: ls.Run, name: str, against: FloatArray | list[float]) -> ls.Certificate:
    return next(found for found in ls.certify(run, against=against) if found.id == name)


def mixture(source: np.random.Generator, width: int, *, signed: bool) -> FloatArray:
    """A point of the simplex with few features, or with signs."""
    u = source.dirichlet(np.full(width, 0.3))
    return u * source.choice([-1.0, 1.0], size=width) if signed else u


def separable(seed: int, *, signed: bool = False, width: int = 6) -> tuple[FloatArray, Signs, FloatArray, float]:
    """Rows with |xᵢ| ≤ 1 that a mixture u labels with margin at least ρ; the margin too."""
    source = np.random.default_rng(seed)
    u = mixture(source, width, signed=signed)
    X = source.uniform(-1.0, 1.0, size=(150, width))
    score = X @ u
    kept = np.abs(score) > 0.05
    X, score = X[kept], score[kept]
    return X, np.where(score > 0, 1, -1), u, float(np.abs(score).min())


# The numbers of the sources.


@shows("example", "lecture.2", "mohri.8.13")
def test_lecture_constants() -> None:
    """δ = ½, N = 16: C(δ) = .130812, bounds 21.20 and 22.18. One row with margin exactly ½ for u = e₁."""
    X = np.ones((1, 16))
    X[0, 0] = 0.5
    rule = ls.Winnow.lecture(margin=0.5, radius=1.0)
    lecture = certificate(ls.run(rule, X, [1], labels=(-1, 1)), "lecture.2", np.eye(16)[0])
    assert lecture.bound == pytest.approx(math.log(16) / 0.130812, rel=1e-5)
    assert lecture.bound == pytest.approx(21.20, abs=0.005)
    textbook = ls.run(ls.Winnow.textbook(margin=0.5, radius=1.0), X, [1], labels=(-1, 1))
    assert certificate(textbook, "mohri.8.13", np.eye(16)[0]).bound == pytest.approx(22.18, abs=0.005)


def test_hadamard_bound() -> None:
    H = hadamard(64).astype(np.float64)
    run = ls.run(ls.Winnow(eta=1.0, tie_tol=1e-12), H, np.where(H[:, 9] > 0, 1, -1))
    found = certificate(run, "mohri.8.13", np.eye(64)[9])
    assert (found.measured, found.verdict) == (6, ls.Verdict.HOLDS)
    assert found.bound == pytest.approx(8.32, abs=0.005)


def test_signed_winnow_has_log_2n() -> None:
    H = -hadamard(16).astype(np.float64)
    y = np.where(H[:, 5] > 0, -1, 1)
    run = ls.run(ls.SignedWinnow(eta=1.0, tie_tol=1e-12), H, y)
    found = certificate(run, "mohri.8.13", -np.eye(16)[5])
    assert found.holds
    assert found.bound == pytest.approx(2.0 * math.log(32))
    assert certificate(run, "mohri.8.13x", -np.eye(16)[5]).bound == pytest.approx(2.0 * math.log(32))


@shows("example", "mohri.8.13x")
def test_relative_entropy_of_k_equal_features() -> None:
    """D(u‖w₁) = log(N/k): 8.13x is sharper than 8.13 by log k."""
    source = np.random.default_rng(0)
    X = source.choice([-1.0, 1.0], size=(400, 30))
    u = np.repeat([1.0, 0.0], [3, 27])
    run = ls.run(ls.Winnow.textbook(margin=1.0 / 3.0, radius=1.0), X, np.where(X @ u > 0, 1, -1))
    assert certificate(run, "mohri.8.13", u).bound == pytest.approx(18.0 * math.log(30))
    sharper = certificate(run, "mohri.8.13x", u)
    assert sharper.bound == pytest.approx(18.0 * math.log(10))
    assert sharper.holds


@shows("example", "bylander.3")
def test_bylander_3_by_hand() -> None:
    y = ls.Intervals(np.full(3, 2.0), math.inf)
    run = ls.run(ls.ExponentiatedUpdate(eta=math.log(2.0), U=2.0), [[1.0, 0.0]] * 3, y)
    found = certificate(run, "bylander.3", [2.0, 0.0])
    assert found.measured == pytest.approx(2.0667, abs=5e-5)
    assert found.bound == pytest.approx(4.0794, abs=5e-5)


@shows("example", "bylander.6")
def test_bylander_6_at_its_step() -> None:
    """U = 2, X = 1, η = ½: 2U²X²·log n = 8 log 4 = 11.09 mistakes at most."""
    source = np.random.default_rng(4)
    X = source.choice([-1.0, 1.0], size=(200, 4))
    run = ls.run(ls.ExponentiatedUpdate(eta=0.5, U=2.0), X, X[:, 2].astype(int))
    found = certificate(run, "bylander.6", [0.0, 0.0, 2.0, 0.0])
    assert (found.bound, found.verdict) == (math.floor(8.0 * math.log(4.0)), ls.Verdict.HOLDS)


@shows("example", "pa.4")
def test_pa_4_by_hand() -> None:
    rule = ls.MultiplicativePassiveAggressiveRegression(epsilon=0.0)
    found = certificate(ls.run(rule, [[1.0, 0.0]] * 4, [1.0] * 4), "pa.4", [1.0, 0.0])
    assert found.measured == pytest.approx(0.273584, abs=5e-7)
    assert found.bound == pytest.approx(0.5 * math.log(2.0))


# Assumptions.


def test_what_is_not_proved_says_why() -> None:
    X, y, u, _ = separable(1)
    long = ls.run(ls.Winnow(eta=50.0), X, y)
    unmet = {check.words for check in certificate(long, "mohri.8.13", u).assumptions if not check.met}
    assert unmet == {"η < 2ρ/r²"}
    negative = certificate(ls.run(ls.Winnow(eta=0.1), X, y), "mohri.8.13", -u)
    assert negative.verdict is ls.Verdict.UNPROVED
    run = ls.run(ls.ExponentiatedUpdate(eta=0.1), X, y)
    for wrong in (2.0 * u, np.append([1.5, -0.5], np.zeros(4))):
        assert certificate(run, "bylander.3", wrong).verdict is ls.Verdict.UNPROVED
    assert certificate(run, "bylander.9", u).verdict is ls.Verdict.UNPROVED
    assert all(found.verdict is ls.Verdict.UNPROVED for found in ls.certify(run))


def test_best_comparators_are_found() -> None:
    X, y, _, _ = separable(2)
    winnow = ls.run(ls.Winnow.textbook(margin=0.06, radius=1.0), X, y)
    best = {found.id: found for found in ls.certify(winnow, against="best")}
    assert best["mohri.8.13"].verdict in (ls.Verdict.HOLDS, ls.Verdict.VACUOUS)
    update = ls.run(ls.ExponentiatedUpdate(eta=0.2), X, ls.Intervals.of_labels(y, margin=0.02))
    assert next(found for found in ls.certify(update, against="best") if found.id == "bylander.3").proved
    aggressive = ls.run(ls.MultiplicativePassiveAggressive(margin=0.03), X, y)
    assert next(found for found in ls.certify(aggressive, against="best") if found.id == "pa.4").proved


@stressed
@given(seed=seeds)
def test_late_features_cost_what_they_add(seed: int) -> None:
    """Features that come one by one: log_size stands for log n, and the theorem still holds."""
    source = np.random.default_rng(seed)
    rows = [{f"f{k}": float(source.choice([-1.0, 1.0])) for k in source.integers(0, 1 + t, size=2)} for t in range(40)]
    y = ls.Intervals(source.choice([0.2, 1.5], size=40), math.inf)
    learner = ls.Learner(ls.ExponentiatedUpdate(eta=0.7))
    for t, x in enumerate(rows):
        learner.learn_one(x, y[t : t + 1])
    u = mixture(source, len(learner.features), signed=False)
    found = next(one for one in ls.certify(learner, against=ls.run(ls.Fixed(weights=u), rows, y)) if one.id == "bylander.3")
    entropy = float(np.sum(u[u > 0] * np.log(u[u > 0])))
    regret = (float(learner.state.log_size[0]) + entropy) / 0.7 + 0.35 * learner.ledger.updates
    assert found.proved
    assert found.bound == pytest.approx(ls.run(ls.Fixed(weights=u), rows, y).ledger.loss + regret, rel=1e-9)


# One-round lemmas.


Case: TypeAlias = "tuple[ls.LinearRule, str, bool]"

LABEL_CASES: tuple[Case, ...] = (
    (ls.Winnow(eta=0.4), "mohri.8.13", False),
    (ls.Winnow(eta=2.0, tie_tol=1e-12), "lecture.2", False),
    (ls.SignedWinnow(eta=0.4), "mohri.8.13x", True),
    (ls.SignedWinnow(eta=1.3), "lecture.2", True),
    (ls.ExponentiatedUpdate(eta=0.3, U=4.0), "bylander.3", False),
    (ls.ExponentiatedUpdate(eta=0.3, U=4.0), "bylander.6", False),
    (ls.ExponentiatedUpdate(eta=0.5), "bylander.master", False),
    (ls.SignedExponentiatedUpdate(eta=0.3, U=4.0), "bylander.7", True),
    (ls.ExponentiatedUpdate(eta=0.1, U=4.0, tolerance=0.3), "bylander.9", False),
    (ls.SignedExponentiatedUpdate(eta=0.1, U=4.0, tolerance=0.3), "bylander.9", True),
    (ls.RandomizedExponentiatedUpdate(eta=0.25, U=4.0), "bylander.12", False),
    (ls.MultiplicativePassiveAggressive(margin=0.04), "pa.4", False),
)


def total(rule: ls.LinearRule) -> float:
    U = rule.parameters().get("U", 1.0)
    assert isinstance(U, float)
    return U


def sides(rule: ls.LinearRule, name: str, X: FloatArray, y: _core.Outcomes, u: FloatArray) -> Iterator[tuple[float, float]]:
    for moment in moments(rule, _core.dense_batch(X), y, u):
        for lemma in ls.theory.linear[name].lemmas:
            yield lemma.sides(moment)


@pytest.mark.parametrize(("rule", "name", "signed"), LABEL_CASES, ids=str)
@settings(max_examples=8, deadline=None)
@given(seed=seeds)
def test_lemmas_hold_in_every_round(rule: ls.LinearRule, name: str, signed: bool, seed: int) -> None:
    X, y, u, _ = separable(seed, signed=signed)
    # A tolerance makes a wide berth around 0, so the rules that have one are asked for a margin of 1.
    outcomes = ls.Intervals.of_labels(y).outcomes if name == "bylander.9" else _core.labels(y.astype(np.int8))
    pairs = list(sides(rule, name, X, outcomes, total(rule) * u))
    assert all(within(left, right) for left, right in pairs)
    assert any(right != 0.0 for _, right in pairs), "the lemma was never put to the test"


@settings(max_examples=15, deadline=None)
@given(seed=seeds)
def test_lemmas_hold_on_intervals_of_every_kind(seed: int) -> None:
    source = np.random.default_rng(seed)
    X = source.normal(size=(60, 4))
    low = source.normal(size=60)
    high = low + source.choice([0.0, 0.3, np.inf], size=60)
    y = ls.Intervals(low, high, lo_open=(high > low) & (source.random(60) < 0.5)).outcomes
    for rule, signed in ((ls.ExponentiatedUpdate(eta=0.4, U=2.0), False), (ls.SignedExponentiatedUpdate(eta=0.4, U=2.0), True)):
        u = 2.0 * mixture(source, 4, signed=signed)
        assert all(within(left, right) for left, right in sides(rule, "bylander.3", X, y, u))


@settings(max_examples=15, deadline=None)
@given(seed=seeds)
def test_the_lemma_of_multiplicative_regression(seed: int) -> None:
    source = np.random.default_rng(seed)
    X, u = source.normal(size=(60, 5)), mixture(source, 5, signed=False)
    y = X @ u + source.uniform(-0.1, 0.1, size=60)
    rule = ls.MultiplicativePassiveAggressiveRegression(epsilon=0.1)
    assert all(within(left, right) for left, right in sides(rule, "pa.4", X, _core.targets(y), u))
    found = certificate(ls.run(rule, X, y), "pa.4", u)
    assert found.verdict in (ls.Verdict.HOLDS, ls.Verdict.UNPROVED)


@shows("tight", "bylander.A1")
def test_bylander_a1_at_random() -> None:
    """log Σ(wᵢ/U)exp(ηxᵢ) ≤ η(w·x)/U + η²X²/2, near equality for two opposite features."""
    source, worst = np.random.default_rng(0), 0.0
    for _ in range(2000):
        width = int(source.integers(2, 6))
        w, x, eta = source.dirichlet(np.ones(width)), source.uniform(-1, 1, size=width), source.exponential()
        left, right = math.log(float(w @ np.exp(eta * x))), eta * float(w @ x) + eta**2 * float(abs(x).max()) ** 2 / 2.0
        assert left <= right + 1e-12
        worst = max(worst, left / right if right > 0 else 0.0)
    assert 0.9 < worst <= 1.0 + 1e-12


# Stress: no bound is ever violated.


def never_violated(run: ls.Run, u: FloatArray) -> int:
    found = ls.certify(run, against=u)
    assert all(one.verdict is not ls.Verdict.VIOLATED for one in found), [str(one) for one in found]
    return sum(one.verdict in (ls.Verdict.HOLDS, ls.Verdict.VACUOUS) for one in found)


@shows("never", "mohri.8.13", "mohri.8.13x", "lecture.2")
@stressed
@given(seed=seeds, share=st.floats(0.1, 1.9))
def test_winnow_bounds(seed: int, share: float) -> None:
    for signed in (False, True):
        X, y, u, margin = separable(seed, signed=signed)
        kind = ls.SignedWinnow if signed else ls.Winnow
        assert never_violated(ls.run(kind(eta=share * margin, tie_tol=1e-12), X, y), u) == 3
        assert never_violated(ls.run(kind.lecture(margin=margin, radius=1.0), X, y), u) >= 1


@shows("never", "bylander.3", "bylander.9")
@stressed
@given(seed=seeds, eta=st.floats(0.02, 1.5), U=st.sampled_from([0.5, 1.0, 20.0]))
def test_update_bounds_on_noise(seed: int, eta: float, U: float) -> None:
    source = np.random.default_rng(seed)
    X = source.uniform(-1.0, 1.0, size=(80, 5))
    y = ls.Intervals.of_targets(source.normal(size=80), epsilon=float(source.random()))
    for signed in (False, True):
        kind = ls.SignedExponentiatedUpdate if signed else ls.ExponentiatedUpdate
        for tolerance in (0.0, eta * U / 2.0 + 0.01):
            run = ls.run(kind(eta=eta, U=U, tolerance=tolerance), X, y)
            assert never_violated(run, U * mixture(source, 5, signed=signed)) == 1


@shows("never", "bylander.6", "bylander.7", "bylander.12")
@stressed
@given(seed=seeds)
def test_mistake_bounds_of_the_update(seed: int) -> None:
    X, y, u, margin = separable(seed)
    U = 1.0 / margin
    run = ls.run(ls.ExponentiatedUpdate(eta=1.0 / U, U=U), X, y)
    assert never_violated(run, U * u) >= 3
    expected = ls.run(ls.RandomizedExponentiatedUpdate(eta=1.0 / U, U=U, seed=seed), X, y)
    assert never_violated(expected, U * u) == 2


@stressed
@given(seed=seeds)
def test_update_bounds_from_a_start(seed: int) -> None:
    source = np.random.default_rng(seed)
    start = source.dirichlet(np.ones(5)) + 1e-6
    rule = ls.ExponentiatedUpdate(eta=0.3, U=float(np.sum(start)), start=start)
    X = source.uniform(-1.0, 1.0, size=(80, 5))
    y = ls.Intervals.of_targets(source.normal(size=80))
    assert never_violated(ls.run(rule, X, y), rule.U * mixture(source, 5, signed=False)) == 1


@shows("never", "pa.4")
@stressed
@given(seed=seeds, share=st.floats(0.1, 1.0))
def test_aggressive_bounds(seed: int, share: float) -> None:
    X, y, u, margin = separable(seed)
    scaled = X * np.random.default_rng(seed).exponential(size=6)
    least = float(np.min(y * (scaled @ u)))
    for rows, reached in ((X, margin), (scaled, least)):
        if reached > 0.0:
            run = ls.run(ls.MultiplicativePassiveAggressive(margin=share * reached), rows, y)
            assert never_violated(run, u) == 1


# Mutants.


class _Mutant(MultiplicativeRule):
    """The Exponentiated Update on labels with one thing wrong in its step."""

    def init(self, width: int) -> ls.LogWeights:
        return ls.LogWeights.uniform(width)

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        return _core.Interval.open_half_line(label)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class StepsTheWrongWayAboutNegatives(_Mutant):
    """Promotes on every mistake, as Littlestone's first rule without demotion."""

    source: ClassVar[str] = "mutant"

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        return self.step(state, row, 0.4 * abs(trial.side))


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class PrintedStepOnSignedRows(_Mutant):
    """Errata 26: τ = 4ℓ/‖x‖²_∞ although x has negative values."""

    source: ClassVar[str] = "mutant"

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        return _core.Interval.half_line(label, 0.04)

    def ends(self) -> tuple[float, float]:
        return 0.04, 0.0

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        return self.step(state, row, trial.side * 4.0 * trial.distance / row.largest_entry**2)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class ForgetsTheNormaliser(_Mutant):
    """Scores with exp(θ)/N for ever: the weights have no fixed sum."""

    source: ClassVar[str] = "mutant"

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        if trial.side == 0:
            return _core.Step.stay()
        row.add_to(state.theta, 0.4 * trial.side)
        state.lean[:] = np.exp(state.theta)
        return _core.Step.by(0.4 * trial.side)


def broken(rule: ls.LinearRule, name: str, seeds_tried: int = 20) -> bool:
    for seed in range(seeds_tried):
        X, y, u, _ = separable(seed)
        labels = _core.labels(y.astype(np.int8))
        pairs = sides(rule, name, X, ls.Intervals.of_labels(y, margin=5.0).outcomes if name == "bylander.3" else labels, u)
        if not all(within(left, right) for left, right in pairs):
            return True
    return False


@pytest.mark.parametrize(
    ("mutant", "name"),
    [
        (StepsTheWrongWayAboutNegatives(), "mohri.8.13"),
        (StepsTheWrongWayAboutNegatives(), "lecture.2"),
        (PrintedStepOnSignedRows(), "pa.4"),
        (ForgetsTheNormaliser(), "bylander.3"),
    ],
    ids=lambda it: type(it).__name__ if isinstance(it, ls.LinearRule) else str(it),
)
def test_lemma_catches_mutant(mutant: ls.LinearRule, name: str) -> None:
    assert broken(mutant, name)


def test_the_rules_themselves_break_no_lemma() -> None:
    assert not broken(ls.ExponentiatedUpdate(eta=0.4), "bylander.3")
    for rule, name, signed in LABEL_CASES:
        if not signed and total(rule) == 1.0:
            assert not broken(rule, name, 5)
