"""What a certificate is compared with: the best comparator of its own bound, what is known without learning, the same rows."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.streams.synthetic import linear_targets
from littlestone.theory.comparators import Trials, entropy_balance
from littlestone.theory.proofs import Against
from littlestone.theory.simplex import shares
from shown import shows

Verdict = ls.Verdict


def named(run: ls.Run, name: str, against: Against) -> ls.Certificate:
    return next(found for found in ls.certify(run, against=against) if found.id == name)


def noisy(seed: int, rows: int = 60, width: int = 6) -> tuple[FloatArray, FloatArray]:
    source = np.random.default_rng(seed)
    X = source.choice([-1.0, 1.0], size=(rows, width))
    return X, np.where(source.random(rows) < 0.1, -X[:, 0], X[:, 0])


# The best comparator is the one at which the bound is smallest.

ENTROPIC: list[tuple[str, ls.LinearRule]] = [
    ("bylander.3", ls.ExponentiatedUpdate(eta=0.1)),
    ("bylander.3", ls.SignedExponentiatedUpdate(eta=0.1)),
    ("bylander.7", ls.ExponentiatedUpdate(eta=0.2, U=2.0)),
    ("bylander.9", ls.ExponentiatedUpdate(eta=0.3, U=2.0, tolerance=0.5)),
    ("bylander.12", ls.RandomizedExponentiatedUpdate(eta=0.4)),
    ("bylander.master", ls.ExponentiatedUpdate(eta=0.5)),
]


@pytest.mark.parametrize(("name", "rule"), ENTROPIC, ids=str)
def test_no_mixture_has_a_smaller_entropy_bound_than_the_best(name: str, rule: ls.LinearRule) -> None:
    X, y = noisy(3)
    run, total, signed = ls.run(rule, X, y, labels=(-1, 1)), float(getattr(rule, "U", 1.0)), "Signed" in type(rule).__name__
    best = named(run, name, "best")
    assert best.proved
    source = np.random.default_rng(0)
    for sharpness in (0.2, 1.0, 3.0, 9.0):
        for _ in range(25):
            p = source.dirichlet(np.full(6, 1.0 / sharpness))
            u = p * (source.choice([-1.0, 1.0], size=6) * source.random() if signed else 1.0)
            other = named(run, name, total * u)
            assert not other.proved or best.bound <= other.bound * (1.0 + 5e-3)
    vertex = named(run, name, total * np.eye(6)[0])
    assert best.bound <= vertex.bound * (1.0 + 1e-6)


def test_a_short_stream_is_not_worth_a_far_comparator() -> None:
    """Eight rows of twenty features: with the mixture of least loss the bound is several times as large."""
    source = np.random.default_rng(3)
    X, y = source.normal(size=(8, 20)), np.where(source.random(8) < 0.5, 1, -1)
    best = named(ls.run(ls.SignedExponentiatedUpdate(eta=0.1), X, y, labels=(-1, 1)), "bylander.3", "best")
    assert best.bound < 9.3


@given(seed=st.integers(0, 1000), price=st.sampled_from([0.1, 1.0, 10.0]), signed=st.booleans())
def test_the_dual_knows_how_far_a_mixture_is_from_the_best(seed: int, price: float, signed: bool) -> None:
    X, y = noisy(seed, rows=12, width=4)
    found = entropy_balance(Trials.of_labels(X, y), 1.0, price, signed=signed)
    assert 0.0 <= found.gap < 0.05
    assert float(np.abs(found.u).sum()) <= 1.0 + 1e-12


@given(u=st.lists(st.floats(-1.0, 1.0), min_size=2, max_size=6), total=st.floats(0.05, 1.0))
def test_a_signed_comparator_is_spread_at_the_least_entropy(u: list[float], total: float) -> None:
    size = float(np.abs(u).sum())
    v = np.array(u) / size * total if size > 1e-3 else np.full(len(u), total / len(u))
    p = shares(ls.SignedExponentiatedUpdate(), v, len(v), scaled=False)
    halves = p.reshape(2, -1)
    assert float(p.sum()) == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(halves[0] - halves[1], v, atol=1e-9)
    even = np.concatenate([np.maximum(v, 0.0), np.maximum(-v, 0.0)]) + (1.0 - total) / (2 * len(v))

    def entropy(q: FloatArray) -> float:
        return float(np.sum(q[q > 0.0] * np.log(q[q > 0.0])))

    assert entropy(p) <= entropy(even) + 1e-9


def test_expected_mistakes_are_proved_for_a_smaller_sum_without_a_loss() -> None:
    """u = (2, 0) has y(u·x) = 2 ≥ 1 where U = 4: stretched to U it is the corner, and D = log 2."""
    X = np.array([[1.0, 0.0]] * 40 + [[-1.0, 0.0]] * 40)
    run = ls.run(ls.RandomizedExponentiatedUpdate(eta=0.25, U=4.0), X, np.sign(X[:, 0]), labels=(-1, 1))
    small, whole = named(run, "bylander.12", [2.0, 0.0]), named(run, "bylander.12", [4.0, 0.0])
    assert small.holds
    assert small.bound == whole.bound == pytest.approx(16.0 * math.log(2.0))
    assert named(run, "bylander.12", [0.5, 0.0]).verdict is Verdict.UNPROVED  # it has a loss
    assert named(run, "bylander.9", [2.0, 0.0]).verdict is Verdict.UNPROVED  # other intervals would not forgive the stretch


# What is known without learning.


def test_equal_weights_are_what_is_known_of_experts_without_learning() -> None:
    losses = np.random.default_rng(1).random((400, 6))
    alike = ls.hedge(ls.ExponentialWeights(horizon=400), losses).certify()
    assert {found.verdict for found in alike if found.proved} == {
        Verdict.VACUOUS
    }  # the mean of coin flips is as good as the best of them
    losses[:, 2] *= 0.2
    apart = ls.hedge(ls.ExponentialWeights(horizon=400), losses).certify()
    assert {found.verdict for found in apart if found.proved} == {Verdict.HOLDS}


def test_the_commonest_class_is_what_is_known_of_classes_without_learning() -> None:
    X, y = np.eye(3)[[0] * 96 + [1, 2]], ["a"] * 96 + ["b", "c"]
    rare = named(ls.run(ls.MulticlassPerceptron(), X, y), "crammer.mp", np.eye(3))
    assert rare.bound == pytest.approx(6.0)
    assert rare.verdict is Verdict.VACUOUS
    even = named(ls.run(ls.MulticlassPerceptron(), np.eye(3)[[0, 1, 2] * 32], ["a", "b", "c"] * 32), "crammer.mp", np.eye(3))
    assert even.bound == pytest.approx(6.0)
    assert even.holds


@shows("vacuous", "pa.2")
def test_few_steps_cannot_lead_far() -> None:
    """One projection ends at √½, the length of its step; 2‖u‖ = 2·√½ is more than it could have gone."""
    run = ls.run(ls.PassiveAggressive(), [[1.0, 1.0]], [1], labels=(-1, 1))
    found = named(run, "pa.2", [0.5, 0.5])
    assert found.measured == pytest.approx(math.sqrt(0.5))
    assert found.verdict is Verdict.VACUOUS


def test_the_shares_of_the_labels_are_what_is_known_of_a_pool_without_learning() -> None:
    source = np.random.default_rng(0)
    X, y = source.normal(size=(300, 3)), np.where(source.random(300) < 0.05, 1, 0)
    (master,) = (found for found in ls.run(ls.Pool(), X, y).certify() if found.id == "pool.master")
    assert master.bound < 300 * math.log(2.0)
    assert master.verdict is Verdict.VACUOUS


# Round by round.


@shows("example", "pa.1r")
def test_one_long_row_does_not_spoil_the_others() -> None:
    """x = 1, then 10: losses 1 and 0; with x = 10 first ℓ²/‖x‖² = 1/100, then .81: .82 ≤ 1, where pa.1 says 1.81 ≤ 100."""
    run = ls.run(ls.PassiveAggressive(), [[10.0], [1.0]], [1, 1], labels=(-1, 1))
    found, whole = named(run, "pa.1r", [1.0]), named(run, "pa.1", [1.0])
    assert [found.measured, found.bound] == pytest.approx([0.82, 1.0])
    assert [whole.measured, whole.bound] == pytest.approx([1.81, 100.0])


def test_a_ledger_without_steps_proves_nothing_of_them() -> None:
    run = ls.run(ls.PassiveAggressive(), [[10.0], [1.0]], [1, 1], labels=(-1, 1))
    older = replace(run, ledger=replace(run.ledger, step_loss=0.0))
    assert named(older, "pa.1r", [1.0]).verdict is Verdict.UNPROVED


def test_a_comparator_without_a_loss_but_for_rounding_has_none() -> None:
    X, y, u = linear_targets(300, 7, noise=0.0)
    run = ls.run(ls.PassiveAggressiveRegression(epsilon=0.0), X, y)
    assert ls.run(ls.Fixed(weights=u, task="targets"), X, y).ledger.loss > 0.0  # in the last digit
    assert named(run, "pa.1", u).proved
    assert named(run, "pa.1", u + 1e-6).verdict is Verdict.UNPROVED


# The same rows wherever two runs meet.


def test_a_choice_is_compared_over_the_rows_that_were_learned() -> None:
    source = np.random.default_rng(0)
    X = source.normal(size=(400, 3))
    y = np.where(X[:, 0] > 0.0, 1, -1)
    run = ls.run(ls.Perceptron(), X, y, labels=(-1, 1), keep=("step", "update"))
    told = ls.convert.penalized_risk(run, iid=True, against=[9.0, 0.0, 0.0]).certificates
    assert [found.proved for found in told] == [True, True]
    y[:] = -y
    changed = ls.convert.penalized_risk(run, iid=True, against=[-9.0, 0.0, 0.0]).certificates
    assert changed[1].verdict is Verdict.UNPROVED


def test_epochs_are_compared_over_their_own_partitions() -> None:
    source = np.random.default_rng(0)
    X = source.normal(size=(200, 3))
    X = X[np.abs(X[:, 0]) > 0.3]
    y = np.where(X[:, 0] > 0.0, 1, -1)
    parts = [(X[k::2], y[k::2].copy()) for k in range(2)]
    run = ls.epochs(parts, ls.Perceptron(), epochs=2)
    assert any(found.proved for found in run.certify(against=[4.0, 0.0, 0.0]))
    parts[1][1][:] *= -1
    assert not any(found.proved for found in run.certify(against=[4.0, 0.0, 0.0]))
