"""The theorems on mixtures: a worked number, streams on which none fails, and a case for each verdict, of every one of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Never, cast

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.streams.synthetic import linear_labels
from littlestone.theory.mixed_evidence import BEYOND
from littlestone.theory.mixing import GUARANTEES, MixedEvidence, MixedMoment, evidence_of
from shown import shows

PARTS = 3
IDS = tuple(guarantee.id for guarantee in GUARANTEES)
BY_ID = {guarantee.id: guarantee for guarantee in GUARANTEES}


@dataclass(frozen=True)
class Stream:
    """Partitions, and weights that suit the theorem."""

    partitions: list[tuple[FloatArray, npt.NDArray[np.generic] | ls.Intervals]]
    u: FloatArray
    labels: tuple[object, ...] | None = None


def cut(X: FloatArray, y: object, u: FloatArray, labels: tuple[object, ...] | None = None) -> Stream:
    outcomes = np.asarray(y)
    return Stream([(X[k::PARTS], outcomes[k::PARTS]) for k in range(PARTS)], u, labels)


def separable(seed: int) -> Stream:
    X, y, u = linear_labels(rows=180, features=5, margin=0.15, seed=seed)
    return cut(X, y, u / 0.15, (-1, 1))


def numbers(seed: int, *, noise: float = 0.0) -> Stream:
    rng = np.random.default_rng(seed)
    X, u = rng.normal(size=(180, 4)), rng.normal(size=4)
    return cut(X, X @ u + noise * rng.normal(size=180), u)


def simplex_numbers(seed: int) -> Stream:
    rng = np.random.default_rng(seed)
    X, u = rng.normal(size=(180, 4)), rng.dirichlet(np.ones(4))
    return cut(X, X @ u, u)


def simplex_intervals(seed: int) -> Stream:
    found = simplex_numbers(seed)
    return replace(found, partitions=[(X, ls.Intervals(np.asarray(y), np.asarray(y))) for X, y in found.partitions])


def signs(seed: int) -> Stream:
    X = np.random.default_rng(seed).choice([-1.0, 1.0], size=(180, 6))
    return cut(X, np.where(X[:, 0] > 0, 1, -1), np.eye(6)[0], (-1, 1))


def classes(seed: int) -> Stream:
    """Three classes, each around an axis of its own; the prototypes lead by 1 at least."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=180)
    X = np.eye(3)[y] + rng.uniform(-0.2, 0.2, size=(180, 3))
    U = np.eye(3) / 0.5
    return cut(X, y, U, (0, 1, 2))


def ball(seed: int) -> Stream:
    rng = np.random.default_rng(seed)
    around, centre = rng.normal(size=(180, 3)), rng.normal(size=3)
    X = centre + 0.9 * around / np.maximum(np.linalg.norm(around, axis=1, keepdims=True), 1.0)
    return cut(X, np.zeros(180), centre)


def near_a_distribution(seed: int) -> Stream:
    rng = np.random.default_rng(seed)
    u = rng.dirichlet(np.full(5, 0.3))
    return cut(u + rng.uniform(-0.05, 0.05, size=(180, 5)), np.zeros(180), u)


CASES: dict[str, list[tuple[ls.LinearRule, Callable[[int], Stream]]]] = {
    "mcdonald.3": [(ls.Perceptron(), separable)],
    "mixing.perceptron": [(ls.Perceptron(), separable)],
    "mixing.pa": [(ls.PassiveAggressive(variant="PA-I", C=1.0), separable)],
    "mixing.pa.1": [(ls.PassiveAggressiveRegression(epsilon=0.01), numbers), (ls.PassiveAggressive(), separable)],
    "mixing.pa.3": [
        (ls.PassiveAggressiveRegression(variant="PA-II", C=1.0, epsilon=0.01), lambda seed: numbers(seed, noise=0.01)),
        (ls.PassiveAggressive(variant="PA-II", C=1.0), separable),
    ],
    "mixing.mp": [(ls.MulticlassPerceptron(), classes)],
    "mixing.mpa": [(ls.MulticlassPassiveAggressive(), classes)],
    "mixing.mpa2": [(ls.MulticlassPassiveAggressive(variant="PA-II", C=1.0), classes)],
    "mixing.pa.1u": [(ls.Uniclass(epsilon=1.0), ball)],
    "mixing.winnow": [(ls.Winnow(eta=0.5), signs)],
    "mixing.bylander.3": [
        (ls.ExponentiatedUpdate(eta=0.05), simplex_intervals),
        (ls.SignedExponentiatedUpdate(eta=0.05), simplex_intervals),
    ],
    "mixing.pa.4": [
        (ls.MultiplicativePassiveAggressiveRegression(epsilon=0.01), simplex_numbers),
        (ls.MultiplicativePassiveAggressive(margin=0.5), signs),
    ],
    "mixing.pa.4u": [(ls.MultiplicativeUniclass(epsilon=0.2), near_a_distribution)],
}
EVERY = [(name, rule, stream) for name, cases in CASES.items() for rule, stream in cases]


def evidence(rule: ls.LinearRule, stream: Stream, epochs: int = 3, weights: str = "uniform") -> MixedEvidence:
    run = ls.epochs(stream.partitions, rule, epochs=epochs, labels=stream.labels, weights=weights)
    return evidence_of(run, stream.u)


@shows("never", *IDS)
@pytest.mark.parametrize(("name", "rule", "stream"), EVERY, ids=[f"{name}-{type(rule).__name__}" for name, rule, _ in EVERY])
@given(seed=st.integers(0, 10_000), weights=st.sampled_from(["uniform", "mistakes"]), epochs=st.integers(1, 3))
def test_no_bound_is_exceeded(
    name: str, rule: ls.LinearRule, stream: Callable[[int], Stream], seed: int, weights: str, epochs: int
) -> None:
    certificate = BY_ID[name].certify(evidence(rule, stream(seed), epochs, weights))
    assert certificate.verdict in (ls.Verdict.HOLDS, ls.Verdict.VACUOUS), str(certificate)


@shows("holds", *IDS)
@shows("vacuous", *IDS)
@shows("unproved", *IDS)
@shows("violated", *IDS)
@pytest.mark.parametrize(("name", "rule", "stream"), EVERY, ids=[f"{name}-{type(rule).__name__}" for name, rule, _ in EVERY])
def test_each_verdict_occurs(name: str, rule: ls.LinearRule, stream: Callable[[int], Stream]) -> None:
    guarantee, sound = BY_ID[name], evidence(rule, stream(0))
    assert guarantee.certify(sound).verdict is ls.Verdict.HOLDS, str(guarantee.certify(sound))
    if name == "mixing.mp":
        assert guarantee.certify(replace(sound, u=1e4 * sound.u)).verdict is ls.Verdict.VACUOUS
    else:
        nothing = replace(sound, ledgers=changed(sound, positives=0, zero_loss=0.0, zero_loss_squared=0.0))
        if name in ("mixing.pa.1u", "mixing.pa.4u"):
            nothing = replace(sound, ledgers=changed(sound, rounds=0))
        assert guarantee.certify(nothing).verdict is ls.Verdict.VACUOUS  # whoever learns nothing would have been as good
    more = replace(sound, ledgers=changed(sound, mistakes=10**6, updates=10**6 if name == "mixing.mp" else None, loss=1e9))
    more = replace(more, ledgers=changed(more, loss_squared=1e12))
    assert guarantee.certify(more).verdict is ls.Verdict.VIOLATED
    halved = replace(sound, shares=tuple(0.5 * share for share in sound.shares))
    assert guarantee.certify(halved).verdict is ls.Verdict.UNPROVED


def changed(sound: MixedEvidence, **totals: float | None) -> tuple[tuple[ls.Ledger, ...], ...]:
    given = cast("dict[str, Never]", {name: value for name, value in totals.items() if value is not None})
    return tuple(tuple(replace(ledger, **given) for ledger in epoch) for epoch in sound.ledgers)


@shows("mutant", *IDS)
@given(st.integers(0, 10_000))
def test_lemmas_hold_and_shares_that_are_none_break_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts, u = tuple(rng.normal(size=(2, 4)) * 3), rng.normal(size=4)
    for guarantee in GUARANTEES:
        for lemma in guarantee.lemmas:
            left, right = lemma.sides(MixedMoment(parts, rng.dirichlet(np.ones(2)), u))
            assert left <= right + 1e-9
            if lemma is BEYOND:
                sound = MixedMoment(parts, rng.dirichlet(np.ones(2)), u, start=rng.normal(size=4))
                assert sound.farthest + 1e-12 >= 1.0
                left, right = lemma.sides(replace(sound, reach=rng.uniform(1.0, sound.farthest)))
                assert left <= right + 1e-9 * max(1.0, abs(right))
                left, right = lemma.sides(replace(sound, reach=1.01 * sound.farthest))  # farther than the proof carries
            else:
                left, right = lemma.sides(MixedMoment(parts, np.array([2.0, -1.0]), u))  # past one, away from the other
            assert left > right


def test_an_epoch_that_began_too_far_away_proves_nothing() -> None:
    sound = evidence(ls.Perceptron(), separable(0))
    assert len(sound.reaches) == 3
    assert sound.reaches[0] > 1.0
    assert sound.reaches[2] == 1.0
    for reach in (0.5, PARTS + 1.0):
        far = replace(sound, reaches=(reach, 1.0, 1.0))
        assert BY_ID["mcdonald.3"].certify(far).verdict is ls.Verdict.UNPROVED


@given(seed=st.integers(0, 10_000))
def test_what_is_stretched_begins_as_far_as_the_proof_carries(seed: int) -> None:
    """w₀ = 0 in the first epoch: λ = Σμ‖w‖² / ‖Σμw‖², and the second begins at λ times the mean."""
    stream = separable(seed)
    once, plain = (ls.epochs(stream.partitions, ls.Perceptron(), labels=(-1, 1), stretch=s) for s in (True, False))
    assert once.learner.state.w.tobytes() == plain.learner.state.w.tobytes()
    alone = [ls.run(ls.Perceptron(), X, y, labels=(-1, 1)).state.w for X, y in stream.partitions]
    reach = float(np.mean([w @ w for w in alone])) / float(once.learner.state.w @ once.learner.state.w)
    twice = ls.epochs(stream.partitions, ls.Perceptron(), labels=(-1, 1), epochs=2)
    assert list(twice.reaches) == pytest.approx([min(reach, PARTS), 1.0])
    start = ls.Perceptron(start=twice.reaches[0] * once.learner.state.w)
    ends = [ls.run(start, X, y, labels=(-1, 1)).state.w for X, y in stream.partitions]
    np.testing.assert_allclose(twice.learner.state.w, np.mean(ends, axis=0), rtol=1e-9, atol=1e-12)


def test_log_weights_and_centres_are_not_stretched() -> None:
    """No proof here carries a start beyond the mean of log-weights, nor of centres that begin with their first row."""
    for name in ("mixing.winnow", "mixing.pa.1u"):
        ((rule, stream),) = CASES[name]
        assert evidence(rule, stream(0)).reaches == (1.0, 1.0, 1.0)


def by_hand(
    rule: ls.LinearRule, X: object, y: object, u: object, labels: tuple[object, ...] | None = None
) -> dict[str, tuple[float, float]]:
    """Two partitions that are alike: measured and bound, by the id of the theorem."""
    part = (np.array(X, dtype=float), y if isinstance(y, ls.Intervals) else np.array(y))
    run = ls.epochs([part, part], rule, labels=labels)
    return {found.id: (found.measured, found.bound) for found in run.certify(against=np.array(u, dtype=float))}


@shows("example", "mixing.pa.1", "mixing.pa.3", "mixing.mp", "mixing.mpa", "mixing.mpa2", "mixing.pa.1u")
def test_worked_by_hand() -> None:
    """One row with loss 1, u without a loss: Σμℓ² = 1."""
    assert by_hand(ls.PassiveAggressive(), [[1.0, 0.0]], [1], [1.0, 0.0], (-1, 1))["mixing.pa.1"] == (1.0, 1.0)
    found = by_hand(ls.PassiveAggressiveRegression(variant="PA-II", C=0.5, epsilon=0.0), [[1.0]], [2.0], [2.0])
    assert found["mixing.pa.3"] == (4.0, 8.0)  # ℓ = 2; (γ + R²)‖u‖² with γ = 1
    leads = [[0.5, -0.5], [-0.5, 0.5]]  # ‖U‖² = 1, a lead of 1
    many = [[1.0, 0.0]], ["a"], leads, ("a", "b")
    assert by_hand(ls.MulticlassPerceptron(), *many)["mixing.mp"] == pytest.approx((1.0, math.sqrt(2.0)))
    assert by_hand(ls.MulticlassPassiveAggressive(), *many)["mixing.mpa"] == (1.0, 2.0)
    assert by_hand(ls.MulticlassPassiveAggressive(variant="PA-II", C=0.5), *many)["mixing.mpa2"] == (1.0, 3.0)
    assert by_hand(ls.Uniclass(epsilon=0.5), [[0.0], [1.0]], [0, 0], [0.5])["mixing.pa.1u"] == (0.25, 0.25)


@shows("example", "mixing.bylander.3", "mixing.pa.4", "mixing.pa.4u")
def test_worked_by_hand_with_log_weights() -> None:
    """x = (1, −1) with label +1: equal weights score 0, and u = e₁ scores 1."""
    row = [[1.0, -1.0]], [1], [1.0, 0.0], (-1, 1)
    found = by_hand(ls.ExponentiatedUpdate(eta=0.5), [[1.0, -1.0]], ls.Intervals([1.0], [1.0]), [1.0, 0.0])["mixing.bylander.3"]
    assert found == pytest.approx((1.0, math.log(2.0) / 0.5 + 0.25))
    aggressive = by_hand(ls.MultiplicativePassiveAggressive(margin=1.0), *row)["mixing.pa.4"]
    assert aggressive == pytest.approx((1.0, 2.0 * math.log(2.0)))
    found = by_hand(ls.MultiplicativeUniclass(epsilon=0.5), [[1.0, 0.0]], [0], [1.0, 0.0])["mixing.pa.4u"]
    loss = math.sqrt(0.5) - 0.5
    assert found == pytest.approx((loss**2 + 2 * 0.5 * loss, math.log(2.0)))


def test_features_that_come_late_leave_log_weights_unproved() -> None:
    parts = [([{"a": 1.0}, {"a": -1.0}], [1, -1]), ([{"b": 1.0}, {"a": -1.0}], [1, -1])]
    run = ls.epochs(parts, ls.Winnow(eta=0.5), labels=(-1, 1))
    (found,) = run.certify(against=[1.0, 0.0])
    assert found.verdict is ls.Verdict.UNPROVED


# --- the states that are mixed


def test_a_mixed_centre_has_its_own_norm() -> None:
    parts = [np.array([[1.0, 0.0]]), np.zeros((0, 2)), np.array([[0.0, 3.0]])]
    run = ls.epochs(parts, ls.Uniclass(epsilon=0.1))
    assert run.learner.state.w.tolist() == [0.5, 1.5]  # the empty partition has no centre, and no say
    assert run.learner.state.norm_squared[0] == 2.5
    assert run.learner.score_one([0.5, 1.5]) == pytest.approx(-0.1)


def test_a_mixed_distribution_is_the_mean_of_log_weights() -> None:
    parts = [np.array([[0.9, 0.1, 0.0]]), np.array([[0.0, 0.1, 0.9]])]
    run = ls.epochs(parts, ls.MultiplicativeUniclass(epsilon=0.1), epochs=2)
    alone = [ls.Learner(ls.MultiplicativeUniclass(epsilon=0.1)) for _ in parts]
    for learner, X in zip(alone, parts, strict=True):
        learner.learn_many(X)
    first = ls.epochs(parts, ls.MultiplicativeUniclass(epsilon=0.1))
    mean = np.exp(np.mean([np.log(learner.state.w) for learner in alone], axis=0))
    np.testing.assert_allclose(first.learner.state.w, mean / mean.sum(), rtol=1e-12)
    assert run.learner.state.w.sum() == pytest.approx(1.0)


def test_a_mixture_has_the_largest_spread_of_all() -> None:
    parts = [(np.array([[1.0, 0.0]]), [0.2]), (np.array([[3.0, -1.0]]), [0.2])]
    run = ls.epochs(parts, ls.MultiplicativePassiveAggressiveRegression(epsilon=0.01))
    assert run.learner.state.largest_spread[0] == 4.0


# --- what adds up


@pytest.mark.parametrize(
    "rule",
    [
        ls.ExponentialWeights(eta=0.5),
        ls.RandomizedWeightedMajority(beta=0.5),
        ls.MultiplicativeWeights(),
        ls.FollowThePerturbedLeader(eta=0.5, seed=1),
    ],
)
def test_losses_of_experts_add_up(rule: ls.ExpertRule) -> None:
    losses = np.random.default_rng(0).integers(2, size=(40, 3)).astype(float)
    states = []
    for rows in (losses, losses[:25], losses[25:]):
        state = rule.init(3)
        for row in rows:
            rule.update(state, row)
        states.append(state)
    whole, *halves = states
    together = ls.merge(halves)
    np.testing.assert_allclose(rule.weights(together), rule.weights(whole), rtol=1e-12)


@pytest.mark.parametrize("rule", [ls.AdaHedge(), ls.ExponentialWeights(schedule="doubling"), ls.MLpol()])
def test_what_does_not_add_up_is_refused_by_the_name_of_its_array(rule: ls.ExpertRule) -> None:
    states = []
    for loss in ([0.25, 0.75], [1.0, 0.0]):
        state = rule.init(2)
        rule.update(state, np.array(loss))
        for _ in range(2):
            rule.update(state, np.array([0.0, 0.5]))
        rule.update(state, np.array(loss))
        states.append(state)
    with pytest.raises(ls.NotApplicable, match=r"the array '\w+' of these states differs and cannot be mixed"):
        ls.merge(states)
