"""Proofs about the rest: updates on a simplex by hand, games, kernels with a budget, balls."""

from __future__ import annotations

import math
from dataclasses import replace

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
from littlestone.theory.games import EXPONENTIAL_WEIGHTS, MINIMAX, WEAK_DUALITY, GameEvidence, GameMoment
from littlestone.theory.guarantee import within
from littlestone.theory.kernels import PROJECTED
from littlestone.theory.spaces import KernelBench
from shown import shows


def certificate(run: ls.Run, name: str, against: list[float] | FloatArray | str | None) -> ls.Certificate:
    return next(found for found in run.certify(against) if found.id == name)


# --- the Exponentiated Update


@shows("example", "bylander.7", "bylander.master")
def test_mistakes_of_the_update_by_hand() -> None:
    """x = (1, −1), y = +, +, −, η = ½: scores 0, tanh ½, tanh ½, so two mistakes; u = e₁ errs once: (2 + 2 log 2)/(3/4)."""
    rule = ls.ExponentiatedUpdate(eta=0.5)
    run = ls.run(rule, [[1.0, -1.0]] * 3, [1, 1, -1], keep=("score",))
    np.testing.assert_allclose(run.columns["score"], [0.0, math.tanh(0.5), math.tanh(0.5)])
    for name, bound in (("bylander.7", (2 + 2 * math.log(2)) / 0.75), ("bylander.master", 8 / 3 * (1 + math.log(2)))):
        found = certificate(run, name, [1.0, 0.0])
        assert [found.measured, found.bound] == pytest.approx([2, bound])
        assert bound == pytest.approx(4.5151, abs=1e-4)


@shows("example", "bylander.9")
def test_tolerated_loss_of_the_update_by_hand() -> None:
    """x = (1, 0), I = [1, ∞), τ = ¼, η = ½: scores 1/(1 + e^{−k/2}), short of ¾ by .25, .12754, .01894, 0; 2 log 2."""
    rule = ls.ExponentiatedUpdate(eta=0.5, tolerance=0.25)
    run = ls.run(rule, [[1.0, 0.0]] * 5, ls.Intervals(np.ones(5), math.inf))
    short = sum(max(0.75 - 1.0 / (1.0 + math.exp(-k / 2.0)), 0.0) for k in range(4))
    found = certificate(run, "bylander.9", [1.0, 0.0])
    assert [found.measured, found.bound] == pytest.approx([short, 2 * math.log(2)])
    assert short == pytest.approx(0.39648, abs=1e-5)


@shows("example", "bylander.12")
def test_expected_mistakes_of_the_update_by_hand() -> None:
    """x = (1, −1), η = 1: at score 0 a coin is tossed, at tanh 1 = .76 nothing is left to chance: ½ ≤ log 2."""
    run = ls.run(ls.RandomizedExponentiatedUpdate(eta=1.0), [[1.0, -1.0]] * 4, [1] * 4, labels=(-1, 1))
    found = certificate(run, "bylander.12", [1.0, 0.0])
    assert [found.measured, found.bound] == pytest.approx([0.5, math.log(2)])


@shows("never", "bylander.master")
@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.floats(0.0, 0.5))
def test_masters_keep_their_bound(seed: int, learners: int, noise: float) -> None:
    """Votes of ±1 that agree with the label more or less often, and a label that opposes the vote."""
    random = np.random.default_rng(seed)
    votes = random.choice([-1.0, 1.0], size=(80, learners))
    y = np.where(random.random(80) < noise, -votes[:, 0], votes[:, 0])
    rule = ls.ExponentiatedUpdate(eta=0.5)
    opposed, learner = np.zeros(80), ls.Learner(rule, labels=(-1.0, 1.0))
    for t, x in enumerate(votes):
        opposed[t] = -1.0 if learner.score_one(x) >= 0.0 else 1.0
        learner.learn_one(x, float(opposed[t]))
    for labels in (y, opposed):
        run = ls.run(rule, votes, labels, labels=(-1.0, 1.0))
        for i in (0, learners - 1):
            found = certificate(run, "bylander.master", np.eye(learners)[i])
            assert found.verdict in (Verdict.HOLDS, Verdict.VACUOUS)


@shows("tight", "bylander.3")
def test_the_update_is_near_its_bound_on_random_signs() -> None:
    """Spec: I = [50, ∞) and random signs of 4,096 features: 90 to 92 % of the bound with the tuned rate."""
    rounds, n = 400, 4096
    X = np.random.default_rng(0).choice([-1.0, 1.0], size=(rounds, n))
    eta = math.sqrt(2.0 * math.log(n) / rounds)
    run = ls.run(ls.ExponentiatedUpdate(eta=eta), X, ls.Intervals(np.full(rounds, 50.0), math.inf))
    best = certificate(run, "bylander.3", np.eye(n)[int(X.sum(axis=0).argmax())])
    regret, allowed = best.measured - best.bound, math.sqrt(2.0 * rounds * math.log(n))
    assert best.proved
    assert 0.85 <= 1.0 + regret / allowed <= 1.0


# --- games


def played(p: FloatArray, q: FloatArray, A: FloatArray, rounds: int, regrets: tuple[float, float]) -> GameEvidence:
    """Strategies for a game in which the row player wins A, and the bracket they prove."""
    return GameEvidence(
        p=p,
        q=q,
        range=float(A.max() - A.min()),
        rounds=rounds,
        lower=float((p @ A).min()),
        upper=float((A @ q).max()),
        row_regret=regrets[0],
        column_regret=regrets[1],
    )


PENNIES = np.array([[1.0, 0.0], [0.0, 1.0]])
EVEN, PURE = np.array([0.5, 0.5]), np.array([1.0, 0.0])


@shows("vacuous", "mohri.8.16", "mohri.8.16ewa")
@shows("unproved", "mohri.8.16ewa")
@shows("violated", "mohri.8.16", "mohri.8.16ewa")
def test_verdicts_of_games() -> None:
    pure = played(PURE, PURE, PENNIES, 1, (0.0, 1.0))
    assert pure.gap == 1.0
    assert MINIMAX.certify(pure).verdict is Verdict.VACUOUS
    assert EXPONENTIAL_WEIGHTS.certify(pure).verdict is Verdict.UNPROVED
    assert EXPONENTIAL_WEIGHTS.certify(replace(pure, etas=(0.5,))).verdict is Verdict.VACUOUS
    # A player that keeps no book of its regret, and one that says it learned for 400 rounds and never moved.
    assert MINIMAX.certify(replace(pure, column_regret=0.0)).verdict is Verdict.VIOLATED
    assert EXPONENTIAL_WEIGHTS.certify(replace(pure, rounds=400, etas=(0.1,))).verdict is Verdict.VIOLATED
    assert MINIMAX.certify(played(EVEN, EVEN, PENNIES, 1, (0.0, 0.0))).holds


@shows("mutant", "mohri.8.16", "mohri.8.16ewa")
@pytest.mark.parametrize(("p", "q"), [(2.0 * EVEN, EVEN), (EVEN, 0.5 * EVEN)])
def test_weak_duality_catches_weights_that_do_not_add_up(p: FloatArray, q: FloatArray) -> None:
    """A player whose weights add up to 2, or to a half, wins what nobody can win."""

    def broken(row: FloatArray, column: FloatArray) -> bool:
        moment = GameMoment(PENNIES @ column, row @ PENNIES, float(row @ PENNIES @ column))
        return not all(within(*lemma.sides(moment)) for lemma in WEAK_DUALITY)

    assert not broken(EVEN, EVEN)
    assert broken(p, q)


# --- a kernel Perceptron with a budget


@shows("example", "kernel.projected")
def test_the_projected_bound_by_hand() -> None:
    """One point in the budget, e₁; e₂ is projected to nothing, twice: M = 3, D = 2, and u = e₁ + e₂ has a = √2, L = 0."""
    rule = ls.KernelPerceptron(kernel=ls.kernels.Linear(), budget=1)
    run = ls.run(rule, [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]], [1, 1, 1], labels=(-1, 1))
    found = certificate(run, "kernel.projected", [1.0, 1.0, 0.0])
    bound = ((math.sqrt(2.0) + math.sqrt(2.0 + 8.0 * math.sqrt(2.0))) / 2.0) ** 2
    assert [found.measured, found.bound] == pytest.approx([3, bound])
    assert bound == pytest.approx(6.4085, abs=1e-4)


@shows("holds", "kernel.projected")
@shows("vacuous", "kernel.projected")
@shows("unproved", "kernel.projected")
@shows("violated", "kernel.projected")
def test_verdicts_of_the_projected_perceptron() -> None:
    random = np.random.default_rng(9)
    X = random.normal(size=(300, 2))
    y = np.where((X**2).sum(axis=1) > 1.4, 1, -1)
    kernel = ls.kernels.Gaussian(gamma=0.5)
    run = ls.run(ls.KernelPerceptron(kernel=kernel, budget=30), X, y)
    assert certificate(run, "kernel.projected", "best").holds
    assert certificate(run, "kernel.projected", 9.0 * y).verdict is Verdict.VACUOUS
    assert certificate(run, "kernel.projected", None).verdict is Verdict.UNPROVED
    dropped = ls.run(ls.KernelPerceptron(kernel=kernel, budget=10, when_full="drop-oldest"), X, y)
    assert certificate(dropped, "kernel.projected", 0.02 * y).verdict is Verdict.UNPROVED
    # A rule that does not own up to what it takes away: one point, and rows that it cannot tell apart, again and again.
    line, turns = np.linspace(0.0, 12.0, 60)[:, np.newaxis], np.where(np.arange(60) % 2, 1, -1)
    budget = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=30.0), budget=1)
    hidden = KernelBench.of(ls.run(budget, line, turns, labels=(-1, 1), passes=40), comparing=True)
    evidence = replace(hidden.evidence, comparison=hidden.against(turns.astype(float)))
    assert PROJECTED.certify(evidence).verdict is not Verdict.VIOLATED
    assert PROJECTED.certify(replace(evidence, distortion=0.0)).verdict is Verdict.VIOLATED


@shows("never", "kernel.projected")
@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 3, 8]))
def test_labels_that_oppose_a_budget_do_not_break_its_bound(seed: int, budget: int) -> None:
    random = np.random.default_rng(seed)
    X = random.normal(size=(40, 2)).round(1)
    rule = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=1.0), budget=budget, eta=0.7)
    learner, y = ls.Learner(rule, labels=(-1, 1)), list[int]()
    for x in X:
        y.append(-1 if learner.score_one(x) >= 0.0 else 1)
        learner.learn_one(x, y[-1])
    run = ls.run(rule, X, y, labels=(-1, 1))
    assert run.ledger.updates == 40
    for beta in (0.2 * np.array(y), random.normal(size=40), np.zeros(40)):
        assert certificate(run, "kernel.projected", beta).verdict in (Verdict.HOLDS, Verdict.VACUOUS)


# --- balls


def frozen(_: ls.LinearRule, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
    """A ball whose centre stays at the first row."""
    if "rounds" in state.arrays and not state.rounds[0]:
        state.rounds[0] = 1.0
        row.add_to(state.v, 1.0)
        state.norm_squared[0] = row.norm_squared
    return _core.Step.by(1.0) if trial.side else _core.Step.stay()


def as_defined(rule: ls.LinearRule, state: State, average: Average | None) -> Loop:
    return PythonLoop(rule, state, average)


@shows("example", "pa.1u")
@shows("holds", "pa.1u")
@shows("unproved", "pa.1u")
@shows("vacuous", "pa.1u")
@shows("violated", "pa.1u")
def test_verdicts_of_balls(monkeypatch: pytest.MonkeyPatch) -> None:
    """From 0, ε = 1, x = (1.2, 1.6) at distance 2: a loss of 1; u = (.6, .8) is 1 from both, so that 1 ≤ ‖u − w₁‖² = 1."""
    X = np.array([[0.0, 0.0], [1.2, 1.6]] * 4)
    run = ls.run(ls.Uniclass(epsilon=1.0), X)
    found = certificate(run, "pa.1u", [0.6, 0.8])
    assert [found.measured, found.bound] == pytest.approx([1.0, 1.0])
    assert found.holds
    once = certificate(ls.run(ls.Uniclass(epsilon=1.0), X[:2]), "pa.1u", [0.6, 0.8])
    assert (once.bound, once.verdict) == (1.0, Verdict.VACUOUS)  # a centre that stays has a loss of 1, too
    assert certificate(run, "pa.1u", None).verdict is Verdict.UNPROVED
    assert certificate(run, "pa.1u", [9.0, 9.0]).verdict is Verdict.UNPROVED
    monkeypatch.setattr(ls.Uniclass, "update", frozen)
    monkeypatch.setattr(ls.Uniclass, "loop", as_defined)
    assert certificate(ls.run(ls.Uniclass(epsilon=1.0), X), "pa.1u", [0.6, 0.8]).verdict is Verdict.VIOLATED


@shows("example", "pa.4u")
@shows("holds", "pa.4u")
@shows("unproved", "pa.4u")
@shows("vacuous", "pa.4u")
@shows("violated", "pa.4u")
def test_verdicts_of_balls_on_a_simplex(monkeypatch: pytest.MonkeyPatch) -> None:
    """x = u = (.8, .2) from (½, ½), ε = .3: ℓ = .3√2 − .3 = .124264, ℓ² + .6ℓ = .09 ≤ .8 log 1.6 + .2 log .4 = .192745."""
    rule = ls.MultiplicativeUniclass(epsilon=0.3)
    run = ls.run(rule, [[0.8, 0.2]])
    found = certificate(run, "pa.4u", [0.8, 0.2])
    assert [found.measured, found.bound] == pytest.approx([0.09, 0.192745], abs=1e-6)
    assert found.verdict is Verdict.VACUOUS  # even weights lose .09 a row
    assert certificate(ls.run(rule, [[0.8, 0.2]] * 3), "pa.4u", [0.8, 0.2]).holds
    assert certificate(run, "pa.4u", None).verdict is Verdict.UNPROVED
    assert certificate(run, "pa.4u", [0.8, 0.3]).verdict is Verdict.UNPROVED
    monkeypatch.setattr(ls.MultiplicativeUniclass, "update", frozen)
    monkeypatch.setattr(ls.MultiplicativeUniclass, "loop", as_defined)
    assert certificate(ls.run(rule, [[0.8, 0.2]] * 4), "pa.4u", [0.8, 0.2]).verdict is Verdict.VIOLATED


@shows("example", "pa.batchu")
@shows("holds", "pa.batchu")
@shows("vacuous", "pa.batchu")
@shows("unproved", "pa.batchu")
def test_verdicts_of_batch_balls() -> None:
    """Rows 0, 2, −½, ε = 1.25: one move, to 0.75, which is u: .5625/β is 2.25 for β = ¼, so at most 2 moves, and 56 for .01."""
    X = [[0.0], [2.0], [-0.5]]
    run = ls.run(ls.BatchUniclass(epsilon=1.25, beta=0.25), X, passes=9)
    found = certificate(run, "pa.batchu", [0.75])
    assert [found.measured, found.bound] == [1, 2]
    assert found.holds
    fine = certificate(ls.run(ls.BatchUniclass(epsilon=1.25, beta=0.01), X, passes=9), "pa.batchu", [0.75])
    assert (fine.bound, fine.verdict) == (56, Verdict.VACUOUS)
    assert certificate(run, "pa.batchu", None).verdict is Verdict.UNPROVED
    assert certificate(run, "pa.batchu", [9.0]).verdict is Verdict.UNPROVED


@shows("violated", "pa.batchu")
@shows("mutant", "pa.batchu")
def test_a_batch_ball_that_stays_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ls.BatchUniclass, "update", frozen)
    monkeypatch.setattr(ls.BatchUniclass, "loop", as_defined)
    rule, X = ls.BatchUniclass(epsilon=1.25, beta=0.25), [[0.0], [2.0], [-0.5]]
    assert certificate(ls.run(rule, X, passes=9), "pa.batchu", [0.75]).verdict is Verdict.VIOLATED
    with pytest.raises(ls.LemmaViolated, match=r"pa\.batchu"):
        ls.run(rule, X, passes=9, audit=True, against=[0.75])
