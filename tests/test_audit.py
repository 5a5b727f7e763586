"""Audit: honest rules pass every lemma at every round; a mutant is stopped at the round in which it first sins."""

from __future__ import annotations

import copy
from collections.abc import Callable

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import littlestone as ls
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.kernels import Support
from littlestone.report.curves import Rerun
from littlestone.state import State
from littlestone.theory.audit import audit
from littlestone.theory.moments import moments
from shown import shows

Update = Callable[[ls.LinearRule, State, _core.Row, _core.Trial], _core.Step]


def vector(*values: float) -> FloatArray:
    return np.array(values)


def stream(seed: int, rows: int = 40) -> tuple[FloatArray, FloatArray]:
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, 3)) * random.choice([1e-3, 1.0, 1e3])
    return X, np.where(X[:, 0] + 0.5 * np.abs(X).max() * random.normal(size=rows) > 0, 1.0, -1.0)


RULES = [
    ls.Perceptron(),
    ls.Perceptron(eta=0.3, start=vector(0.5, -1.0, 0.2)),
    ls.Perceptron(eta=1e-8, tolerance=0.5),
    ls.RandomizedPerceptron(eta=1e-8),
    ls.MarginPerceptron(rho=0.1),
    ls.PassiveAggressive(),
    ls.PassiveAggressive(margin=0.5, start=vector(1.0, 0.0, 0.0)),
    ls.PassiveAggressive(variant="PA-II", C=0.5),
    ls.PassiveAggressive(variant="relaxed", gamma=2.0),
    ls.BatchPassiveAggressive(beta=0.04),
]


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.sampled_from(RULES), st.integers(1, 3), st.booleans())
def test_honest_rules_pass(seed: int, rule: ls.LinearRule, passes: int, compared: bool) -> None:
    X, y = stream(seed)
    u = np.random.default_rng(seed).normal(size=3) if compared else None
    run = ls.run(rule, X, y, passes=passes, audit=True, against=u)
    assert audit(run, u) >= run.ledger.rounds


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["PA", "relaxed"]))
def test_honest_regression_passes(seed: int, variant: str) -> None:
    X, _ = stream(seed)
    y = X @ [1.0, -2.0, 0.5]
    rule = (
        ls.PassiveAggressiveRegression(epsilon=0.1)
        if variant == "PA"
        else ls.PassiveAggressiveRegression(variant="relaxed", gamma=0.5, epsilon=0.1)
    )
    run = ls.run(rule, X, y, audit=True, against=[1.0, -2.0, 0.5])
    assert audit(run, vector(1.0, -2.0, 0.5)) >= len(X)


def test_intervals_are_audited() -> None:
    X, y = stream(0)
    run = ls.run(ls.Perceptron(eta=0.1), X, ls.Intervals.of_labels(y), audit=True, against=[1.0, 0.0, 0.0])
    assert audit(run) == len(X)


def test_a_rule_without_lemmas_has_nothing_to_check() -> None:
    X, y = stream(0)
    assert audit(ls.run(ls.AROW(), X, y)) == len(X)  # no lemma; every round was made again by the definition


def longer_step(_: ls.LinearRule, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
    """A Perceptron that takes twice the step it says it takes."""
    if trial.side == 0:
        return _core.Step.stay()
    row.add_to(state.w, 2.0 * trial.side)
    return _core.Step.by(trial.side)


def backwards(_: ls.LinearRule, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
    """A Perceptron that moves away from the interval."""
    if trial.side == 0:
        return _core.Step.stay()
    row.add_to(state.w, -float(trial.side))
    return _core.Step.by(trial.side)


def always(_: ls.LinearRule, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
    """A Perceptron that learns from right answers as well."""
    row.add_to(state.w, float(trial.label))
    return _core.Step.by(trial.label)


def overshoot(_: ls.LinearRule, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
    """A PA whose step forgets a bias in the norm: half as long again as the projection."""
    if trial.distance == 0.0:
        return _core.Step.stay()
    step = 1.5 * trial.side * trial.distance / row.norm_squared
    row.add_to(state.w, step)
    return _core.Step.by(step)


def timid(_: ls.LinearRule, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
    """A relaxed PA that adds γ = 5 four times."""
    if trial.distance == 0.0:
        return _core.Step.stay()
    step = trial.side * trial.distance / (row.norm_squared + 4.0 * 5.0)
    row.add_to(state.w, step)
    return _core.Step.by(step)


def late(_: ls.LinearRule, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
    """A margin Perceptron that updates at any margin."""
    row.add_to(state.w, float(trial.label))
    return _core.Step.by(trial.label)


MUTANTS: list[tuple[ls.LinearRule, Update, str]] = [
    (ls.Perceptron(), longer_step, "mohri.8.8"),
    (ls.Perceptron(), backwards, "mohri.8.8"),
    (ls.Perceptron(), always, "mohri.8.8"),
    (ls.PassiveAggressive(), overshoot, "pa.1"),
    (ls.PassiveAggressive(variant="relaxed", gamma=5.0), timid, "pa.3"),
    (ls.MarginPerceptron(rho=0.01), late, "mohri.ex8.6"),
]


@pytest.mark.parametrize(("rule", "update", "guarantee"), MUTANTS, ids=[update.__name__ for _, update, _ in MUTANTS])
def test_mutants_are_stopped(monkeypatch: pytest.MonkeyPatch, rule: ls.LinearRule, update: Update, guarantee: str) -> None:
    random = np.random.default_rng(3)
    X = random.normal(size=(60, 3))
    u = vector(8.0, -4.0, 2.0)
    y = np.sign(X @ u)
    X *= (1.0 + 1e-9) / np.abs(X @ u)[:, np.newaxis]  # every row at margin 1 from u, where the lemmas are tight
    ls.run(rule, X, y, audit=True, against=u)
    monkeypatch.setattr(type(rule), "update", update)
    with pytest.raises(ls.LemmaViolated) as stopped:
        ls.run(rule, X, y, audit=True, against=u)
    assert stopped.value.guarantee == guarantee
    assert stopped.value.left > stopped.value.right
    assert str(stopped.value).startswith(f"round {stopped.value.round}: {guarantee}: the lemma ")


def test_it_stops_at_the_first_round_that_breaks_a_lemma(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = ls.Perceptron.update
    rounds = iter(range(100))

    def spoiled(rule: ls.Perceptron, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        return longer_step(rule, state, row, trial) if next(rounds) == 4 else honest(rule, state, row, trial)

    run = ls.run(ls.Perceptron(), np.eye(8), np.ones(8))
    monkeypatch.setattr(ls.Perceptron, "update", spoiled)
    with pytest.raises(ls.LemmaViolated) as stopped:
        audit(run)
    assert stopped.value.round == 4
    assert (stopped.value.left, stopped.value.right) == (4.0, 1.0)


def test_rounds_count_on_over_the_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = ls.MarginPerceptron.update
    rounds = iter(range(100))

    def spoiled(rule: ls.MarginPerceptron, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        return late(rule, state, row, trial) if next(rounds) == 3 else honest(rule, state, row, trial)

    run = ls.run(ls.MarginPerceptron(rho=0.1), np.eye(2), np.ones(2), passes=9)
    monkeypatch.setattr(ls.MarginPerceptron, "update", spoiled)
    with pytest.raises(ls.LemmaViolated) as stopped:
        audit(run)
    assert stopped.value.round == 3


def test_the_comparator_of_an_audit_may_be_a_run() -> None:
    X, y = stream(1)
    fixed = ls.run(ls.Fixed(weights=vector(1.0, 0.0, 0.0)), X, y)
    assert ls.run(ls.Perceptron(), X, y, audit=True, against=fixed).ledger.rounds == len(X)
    with pytest.raises(ls.NotApplicable, match="a run of Perceptron; expected a run of Fixed"):
        ls.run(ls.Perceptron(), X, y, audit=True, against=ls.run(ls.Perceptron(), X, y))


def test_an_audited_run_is_the_run() -> None:
    X, y = stream(2)
    plain, audited = ls.run(ls.Perceptron(), X, y, passes=2), ls.run(ls.Perceptron(), X, y, passes=2, audit=True)
    assert plain.ledger == audited.ledger
    np.testing.assert_array_equal(plain.state.w, audited.state.w)


def test_a_violation_can_be_copied() -> None:
    error = ls.LemmaViolated(7, "pa.1", "a ≤ b", 2.0, 1.0)
    twin = copy.deepcopy(error)
    assert str(twin) == str(error) == "round 7: pa.1: the lemma a ≤ b is broken: 2.0 is not at most 1.0"
    assert isinstance(twin, ls.LittlestoneError)


# --- kernel rules and balls


KERNEL_RULES: list[ls.LinearRule] = [
    ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.3)),
    ls.KernelPerceptron(kernel=ls.kernels.Polynomial(), eta=0.3),
    ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=1.0), budget=5),
    ls.KernelPassiveAggressive(kernel=ls.kernels.Laplace(gamma=0.5)),
    ls.KernelPassiveAggressive(kernel=ls.kernels.Gaussian(gamma=0.5), variant="relaxed", gamma=1.0),
]


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.sampled_from(KERNEL_RULES), st.integers(1, 2), st.booleans())
def test_honest_kernel_rules_pass(seed: int, rule: ls.LinearRule, passes: int, compared: bool) -> None:
    random = np.random.default_rng(seed)
    X = random.normal(size=(25, 2))
    y = np.where(np.sum(X**2, axis=1) + random.normal(size=25) > 2.0, 1, -1)
    run = ls.run(rule, X, y, passes=passes, labels=(-1, 1))
    assert audit(run, 0.3 * random.normal(size=25) if compared else None) >= run.ledger.rounds


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1), st.integers(1, 2))
def test_honest_balls_pass(seed: int, passes: int) -> None:
    random = np.random.default_rng(seed)
    X = random.normal(size=(25, 3))
    for epsilon in (0.5, 2.0):
        run = ls.run(ls.Uniclass(epsilon=epsilon), X, passes=passes)
        assert audit(run, X.mean(axis=0)) == audit(run) == run.ledger.rounds
        kernel = ls.run(ls.KernelUniclass(kernel=ls.kernels.Gaussian(gamma=0.2), epsilon=epsilon / 3.0), X, passes=passes)
        assert audit(kernel, np.full(25, 1.0 / 25.0)) == audit(kernel) == kernel.ledger.rounds
        simplex = ls.run(ls.MultiplicativeUniclass(epsilon=epsilon / 3.0), 0.2 + 0.1 * X, passes=passes)
        assert audit(simplex, [0.2, 0.3, 0.5]) == audit(simplex) == simplex.ledger.rounds


def test_a_budget_that_drops_has_no_theorem_to_check() -> None:
    X, y = stream(0)
    dropping = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=9.0), budget=2, when_full="drop-oldest")
    assert audit(ls.run(dropping, X, y)) == len(X)
    ball = ls.KernelUniclass(kernel=ls.kernels.Gaussian(gamma=9.0), epsilon=0.1, budget=2)
    assert audit(ls.run(ball, X)) == len(X)


def too_far(rule: ls.LinearRule, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
    """A ball that goes twice as far as it says."""
    assert isinstance(rule, ls.Uniclass)
    first = not state.rounds[0]
    state.rounds[0] += 1.0
    if not first and trial.distance == 0.0:
        return _core.Step.stay()
    step = 1.0 if first else 2.0 * trial.distance / (trial.score + rule.epsilon)
    w = state.w.copy()
    w *= 1.0 - step
    row.add_to(w, step)
    state.v[:], state.scale[0], state.norm_squared[0] = w, 1.0, float(w @ w)
    return _core.Step.by(step)


def printed_step(_: ls.LinearRule, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
    """Errata 25, turned the other way round: a step that is 16 times too long for the bound D."""
    if trial.distance == 0.0:
        return _core.Step.stay()
    apart = -state.w
    apart[row.indices] += row.values
    state.unscaled[:] += 32.0 * trial.distance * apart / np.linalg.norm(apart)
    return _core.Step.by(32.0 * trial.distance)


def doubled_kernel_step(_: ls.LinearRule, state: State, __: _core.Row, trial: _core.Trial) -> _core.Step:
    """A kernel Perceptron that adds twice what it says."""
    assert isinstance(state, Support)
    if trial.side == 0:
        return _core.Step.stay()
    state.expansion.add(2.0 * trial.side)
    return _core.Step.by(trial.side)


def lost_in_projection(_: ls.LinearRule, state: State, __: _core.Row, trial: _core.Trial) -> _core.Step:
    """A budget whose projection takes away half of w as well, and does not own up to it."""
    assert isinstance(state, Support)
    if trial.side == 0:
        return _core.Step.stay()
    state.expansion.add(float(trial.side))
    state.expansion.shrink(0.5)
    return _core.Step.by(trial.side)


LINE = np.array([[2.0], [0.0]] * 6)
CORNER = np.tile([0.8, 0.2], (12, 1))
SPREAD = np.random.default_rng(1).normal(size=(12, 2))
FULL = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=2.0), budget=2)

ODD: list[tuple[ls.LinearRule, Update, FloatArray, FloatArray, str]] = [
    (ls.Uniclass(epsilon=1.0), too_far, LINE, vector(1.0), "pa.1u"),
    (ls.MultiplicativeUniclass(epsilon=0.3), printed_step, CORNER, vector(0.8, 0.2), "pa.4u"),
    (ls.KernelPerceptron(kernel=ls.kernels.Linear()), doubled_kernel_step, SPREAD, np.ones(12), "mohri.8.8"),
    (FULL, doubled_kernel_step, SPREAD, np.ones(12), "kernel.projected"),
    (FULL, lost_in_projection, SPREAD, np.ones(12), "kernel.projected"),
]


@shows("mutant", "pa.1u", "pa.4u", "kernel.projected")
@pytest.mark.parametrize(("rule", "update", "X", "against", "guarantee"), ODD, ids=[update.__name__ for _, update, *_ in ODD])
def test_odd_mutants_are_stopped(
    monkeypatch: pytest.MonkeyPatch, rule: ls.LinearRule, update: Update, X: FloatArray, against: FloatArray, guarantee: str
) -> None:
    run = ls.run(rule, X) if rule.abilities.alone else ls.run(rule, X, [1, -1] * 6, labels=(-1, 1))
    assert audit(run, against) >= 12
    monkeypatch.setattr(type(rule), "update", update)
    with pytest.raises(ls.LemmaViolated) as stopped:
        audit(run, against)
    assert stopped.value.guarantee == guarantee


LOG_WEIGHTS: list[ls.LinearRule] = [
    ls.Winnow(),
    ls.SignedWinnow(eta=0.5),
    ls.ExponentiatedUpdate(eta=0.3),
    ls.SignedExponentiatedUpdate(eta=0.3, U=2.0),
    ls.MultiplicativePassiveAggressive(margin=0.1),
]


@pytest.mark.parametrize("rule", LOG_WEIGHTS, ids=repr)
def test_an_audit_of_dicts_sees_the_run_itself(rule: ls.LinearRule) -> None:
    """Features that are known by name join one after another: the audit begins where the learner began, with none."""
    rng = np.random.default_rng(3)
    rows = [{f"f{i}": float(rng.normal()) for i in rng.permutation(2 + t // 4)[:4]} for t in range(60)]
    y = [1 if sum(x.values()) > 0.0 else -1 for x in rows]
    run = ls.run(rule, rows, y, keep=("score", "step"), passes=2)
    batch, outcomes = run.learner.encode(run.X, run.y)
    start = run.learner.first_state(batch.width)
    watched = list(moments(rule, batch, outcomes, np.zeros(batch.width), passes=run.passes, start=start))
    np.testing.assert_allclose([moment.score for moment in watched], run.columns["score"], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(watched[-1].w_next, run.state.w, rtol=1e-9)
    u = np.full(batch.width, 1.0 / batch.width)
    assert audit(run, u) > 0


@pytest.mark.parametrize("rule", [*LOG_WEIGHTS, ls.Perceptron(), ls.OneVersusRest(rule=ls.Winnow())], ids=repr)
def test_a_report_replays_a_run_on_dicts(rule: ls.LinearRule) -> None:
    rng = np.random.default_rng(5)
    rows = [{f"f{i}": float(rng.normal()) for i in rng.permutation(2 + t // 4)[:4]} for t in range(40)]
    run = ls.run(rule, rows, [1 if sum(x.values()) > 0.0 else -1 for x in rows], labels=(-1, 1))
    ledgers = Rerun(run).rule()
    assert ledgers is not None
    assert ledgers[-1] == run.ledger
