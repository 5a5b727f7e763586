"""Audits of kernel rules and balls: honest rules pass at every round, spoiled ones are stopped at the first bad one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.kernels import Kernel, Support
from littlestone.state import State
from littlestone.theory.audit import audit

KERNELS: list[Kernel] = [
    ls.kernels.Linear(),
    ls.kernels.Polynomial(degree=3, gamma=0.5),
    ls.kernels.Gaussian(gamma=0.5),
    ls.kernels.Laplace(gamma=0.7),
    ls.kernels.Custom(function=lambda points, x: (np.asarray(points) @ np.asarray(x) + 1.0) ** 2),
]


def rules(kernel: Kernel) -> list[ls.LinearRule]:
    return [
        ls.KernelPerceptron(kernel=kernel),
        ls.KernelPerceptron(kernel=kernel, eta=0.3, budget=3),
        ls.KernelPerceptron(kernel=kernel, eta=0.3, budget=3, when_full="drop-oldest"),
        ls.KernelPassiveAggressive(kernel=kernel),
        ls.KernelPassiveAggressive(kernel=kernel, variant="PA-II", C=0.5, margin=0.5),
        ls.KernelPassiveAggressive(kernel=kernel, variant="relaxed", gamma=2.0),
        ls.KernelUniclass(kernel=kernel, epsilon=0.5),
        ls.KernelUniclass(kernel=kernel, epsilon=0.5, budget=3),
    ]


def stream(seed: int, rows: int = 25) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3)).round(1)
    X[-5:] = X[:5]
    return X, np.where(np.sum(X**2, axis=1) + rng.normal(size=rows) > 2.5, 1.0, -1.0)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: type(kernel).__name__)
@settings(max_examples=5)
@given(seed=st.integers(0, 2**32 - 1), compared=st.booleans(), passes=st.integers(1, 2))
def test_honest_rules_pass(kernel: Kernel, seed: int, compared: bool, passes: int) -> None:
    X, y = stream(seed)
    u = np.random.default_rng(seed).normal(size=len(X)) if compared else None
    for rule in rules(kernel):
        if rule.abilities.alone:
            ls.run(rule, X, passes=passes, audit=True, against=u)
        else:
            ls.run(rule, X, y, passes=passes, audit=True, against=u)
    target = ls.KernelPassiveAggressiveRegression(kernel=kernel, epsilon=0.1)
    assert audit(ls.run(target, X, X[:, 0] ** 2, audit=True, against=u)) >= len(X)


def test_every_round_is_checked() -> None:
    X, y = stream(1)
    kernel = ls.kernels.Gaussian()
    assert audit(ls.run(ls.KernelPerceptron(kernel=kernel), X, y)) >= 3 * len(X)
    assert audit(ls.run(ls.KernelPassiveAggressive(kernel=kernel), X, y)) == 3 * len(X)
    projected = ls.run(ls.KernelPerceptron(kernel=kernel, budget=2), X, y)
    assert audit(projected) == 2 * len(X)
    assert audit(ls.run(ls.KernelUniclass(kernel=kernel, epsilon=0.3), X, passes=2)) == 2 * len(X)
    assert audit(ls.run(ls.Uniclass(epsilon=0.3), X)) == len(X)
    assert audit(ls.run(ls.BatchUniclass(epsilon=0.3), X)) == len(X)
    assert audit(ls.run(ls.MultiplicativeUniclass(epsilon=0.3), X)) == len(X)


def test_a_budget_without_a_theorem_has_nothing_to_check() -> None:
    X, y = stream(2)
    rule = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(), budget=2, when_full="drop-oldest")
    assert audit(ls.run(rule, X, y)) == len(X)
    ball = ls.KernelUniclass(kernel=ls.kernels.Gaussian(), epsilon=0.1, budget=2)
    assert audit(ls.run(ball, X)) == len(X)


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1), epsilon=st.sampled_from([0.0, 0.2, 1.0]))
def test_honest_balls_pass_with_any_centre(seed: int, epsilon: float) -> None:
    rng = np.random.default_rng(seed)
    X, _ = stream(seed)
    u = rng.normal(size=3)
    ls.run(ls.Uniclass(epsilon=epsilon), X, passes=2, audit=True, against=u)
    ls.run(ls.BatchUniclass(epsilon=epsilon, beta=0.1), X, passes=3, audit=True, against=u)
    ls.run(ls.MultiplicativeUniclass(epsilon=epsilon), rng.dirichlet(np.ones(4), size=30), audit=True)
    shares = rng.dirichlet(np.ones(3))
    ls.run(ls.MultiplicativeUniclass(epsilon=epsilon), X, passes=2, audit=True, against=shares)


def test_strings_are_audited() -> None:
    rule = ls.KernelPerceptron(
        kernel=ls.kernels.Custom(function=lambda points, x: [len(set(str(p)) & set(str(x))) for p in points], of="objects")
    )
    run = ls.run(rule, ["ab", "xy", "abc", "xz"], ["l", "t", "l", "t"], audit=True)
    assert audit(run) >= 4


def test_it_stops_at_the_first_round_that_breaks_a_lemma(monkeypatch: pytest.MonkeyPatch) -> None:
    """Far rows, so every round is an update; the one that takes twice its step adds 4 to ‖w‖² instead of 1."""
    honest, rounds = ls.KernelPerceptron.update, iter(range(100))

    def spoiled(rule: ls.KernelPerceptron, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        if next(rounds) != 4:
            return honest(rule, state, row, trial)
        assert isinstance(state, Support)
        state.expansion.add(2.0 * trial.side)
        return _core.Step.by(trial.side)

    monkeypatch.setattr(ls.KernelPerceptron, "update", spoiled)
    rule = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=99.0))
    with pytest.raises(ls.LemmaViolated) as stopped:
        ls.run(rule, np.arange(8.0)[:, np.newaxis], [1, -1] * 4, audit=True)
    assert stopped.value.round == 4
    assert stopped.value.guarantee == "mohri.8.8"
    assert [stopped.value.left, stopped.value.right] == pytest.approx([4.0, 1.0])


def test_an_audited_run_is_the_run() -> None:
    X, y = stream(3)
    rule = ls.KernelPassiveAggressive(kernel=ls.kernels.Laplace())
    plain, audited = ls.run(rule, X, y, passes=2), ls.run(rule, X, y, passes=2, audit=True)
    assert plain.ledger == audited.ledger
    assert plain.state.arrays["alpha"].tobytes() == audited.state.arrays["alpha"].tobytes()


def test_what_is_refused() -> None:
    X, y = stream(4)
    rule = ls.KernelPerceptron(kernel=ls.kernels.Gaussian())
    with pytest.raises(ls.InvalidData, match=r"against has shape \(3,\); expected coefficients, one per row: 25 numbers"):
        ls.run(rule, X, y, audit=True, against=[1.0, 2.0, 3.0])
    with pytest.raises(ls.NotApplicable, match="not a distribution"):
        ls.run(ls.MultiplicativeUniclass(epsilon=0.1), X, audit=True, against=[1.0, 2.0, 3.0])
