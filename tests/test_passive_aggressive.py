"""Passive-Aggressive learning (Crammer et al. 2003, and PA-I and PA-II of 2006)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from laws import learned
from strategies import Stream, streams, tame


def test_c1_by_hand() -> None:
    """Crammer et al. 2003, theorem 1: x = (3, 4), y = +: w = (.12, .16)."""
    run = ls.run(ls.PassiveAggressive(), [[3.0, 4.0]], [1])
    assert run.state.w.tolist() == pytest.approx([0.12, 0.16], rel=1e-15)
    negative = ls.run(ls.PassiveAggressive(), [[3.0, 4.0]], [-1])
    assert negative.state.w.tolist() == pytest.approx([-0.12, -0.16], rel=1e-15)


def test_c1_regression_by_hand() -> None:
    """Crammer et al. 2003, theorem 1: x = (3, 4), y = 2, ε = .1: w = (.228, .304)."""
    run = ls.run(ls.PassiveAggressiveRegression(epsilon=0.1), [[3.0, 4.0]], [2.0])
    assert run.state.w.tolist() == pytest.approx([0.228, 0.304], rel=1e-15)
    above = ls.run(ls.PassiveAggressiveRegression(epsilon=0.1), [[3.0, 4.0]], [-2.0])
    assert above.state.w.tolist() == pytest.approx([-0.228, -0.304], rel=1e-15)


@pytest.mark.parametrize(
    ("rule", "tau"),
    [
        (ls.PassiveAggressive(), 1.0 / 25.0),
        (ls.PassiveAggressive(margin=2.0), 2.0 / 25.0),
        (ls.PassiveAggressive(variant="PA-I", C=0.01), 0.01),
        (ls.PassiveAggressive(variant="PA-I", C=1.0), 1.0 / 25.0),
        (ls.PassiveAggressive(variant="PA-II", C=0.1), 1.0 / (25.0 + 5.0)),
        (ls.PassiveAggressive(variant="relaxed", gamma=5.0), 1.0 / (25.0 + 5.0)),
        (ls.PassiveAggressive(start=np.array([0.1, 0.0])), 0.7 / 25.0),
    ],
    ids=repr,
)
def test_step_sizes_by_hand(rule: ls.PassiveAggressive, tau: float) -> None:
    run = ls.run(rule, [[3.0, 4.0]], [1], keep=("step",))
    assert run.columns["step"].tolist() == pytest.approx([tau], rel=1e-14)


def test_c2_by_hand() -> None:
    """Crammer et al. 2003, theorem 3: x = 1, y = +, −, γ = 1: losses 1, 1.5; w = ½, −¼."""
    run = ls.run(ls.PassiveAggressive(variant="relaxed", gamma=1.0), [[1.0], [1.0]], [1, -1], keep=("loss", "score"))
    assert run.columns["loss"].tolist() == [1.0, 1.5]
    assert run.columns["score"].tolist() == [0.0, 0.5]
    assert run.state.w.tolist() == [-0.25]
    assert run.ledger.loss_squared == 3.25


def test_a_loss_of_exactly_zero_is_passive() -> None:
    run = ls.run(ls.PassiveAggressive(start=np.array([1.0])), [[1.0]], [1])
    assert (run.ledger.updates, run.ledger.loss) == (0, 0.0)
    spans = ls.run(ls.PassiveAggressive(start=np.array([1.0])), [[1.0]], ls.Intervals(1.0, 2.0, lo_open=True))
    assert (spans.ledger.updates, spans.ledger.mistakes) == (0, 1)


def test_an_empty_row_with_a_loss_is_skipped_and_recorded() -> None:
    for rule in (ls.PassiveAggressive(), ls.PassiveAggressive(variant="PA-I", C=1.0)):
        run = ls.run(rule, [[0.0, 0.0], [1.0, 0.0]], [1, 1])
        assert (run.ledger.impossible, run.ledger.updates, run.state.w.tolist()) == (1, 1, [1.0, 0.0])
    fine = ls.run(ls.PassiveAggressiveRegression(epsilon=0.5), [[0.0]], [0.25])
    assert (fine.ledger.impossible, fine.ledger.mistakes) == (0, 0)


def test_a_row_next_to_nothing_cannot_make_weights_infinite() -> None:
    run = ls.run(ls.PassiveAggressive(), [[1e-160], [1e-200]], [1, 1])
    assert (run.ledger.impossible, run.state.w.tolist()) == (2, [0.0])


@given(stream=streams("labels", tame), margin=st.sampled_from([0.5, 1.0, 3.0]))
def test_c1_after_an_update_the_loss_is_zero(stream: Stream, margin: float) -> None:
    learner = ls.Learner(ls.PassiveAggressive(margin=margin), labels=(-1, 1))
    for x, y in zip(stream.X, stream.signs.tolist(), strict=True):
        before = learner.ledger
        learner.learn_one(x, y)
        if learner.ledger.updates > before.updates:
            assert y * learner.score_one(x) == pytest.approx(margin, rel=1e-9, abs=1e-9 * float(np.abs(x).max()))


@given(stream=streams("targets", tame), epsilon=st.sampled_from([0.0, 0.1, 1.0]))
def test_c1_regression_after_an_update_the_loss_is_zero(stream: Stream, epsilon: float) -> None:
    learner = ls.Learner(ls.PassiveAggressiveRegression(epsilon=epsilon))
    for x, y in stream.rounds():
        updates = learner.ledger.updates
        learner.learn_one(x, y)
        if learner.ledger.updates > updates and isinstance(y, float):
            assert abs(y - learner.score_one(x)) == pytest.approx(epsilon, abs=1e-9)


@given(stream=streams("labels", tame), C=st.sampled_from([0.125, 0.5, 2.0]))
def test_pa2_is_relaxed_with_gamma_one_over_2c(stream: Stream, C: float) -> None:
    second = learned(ls.PassiveAggressive(variant="PA-II", C=C), stream)
    relaxed = learned(ls.PassiveAggressive(variant="relaxed", gamma=1.0 / (2.0 * C)), stream)
    assert second.state.w.tobytes() == relaxed.state.w.tobytes()


@given(stream=streams("labels", tame))
def test_a_large_cap_and_a_small_gamma_are_pa(stream: Stream) -> None:
    plain = learned(ls.PassiveAggressive(), stream).state.w
    capped = learned(ls.PassiveAggressive(variant="PA-I", C=1e300), stream).state.w
    assert plain.tobytes() == capped.tobytes()
    relaxed = learned(ls.PassiveAggressive(variant="relaxed", gamma=1e-300), stream).state.w
    assert plain.tobytes() == relaxed.tobytes()  # a gamma that is lost beside the norm of every row but an empty one


@given(stream=streams("labels", tame), C=st.sampled_from([0.01, 0.1]))
def test_pa1_steps_never_exceed_c(stream: Stream, C: float) -> None:
    run = ls.run(ls.PassiveAggressive(variant="PA-I", C=C), stream.X, stream.y, labels=(-1, 1), keep=("step",))
    assert np.abs(run.columns["step"]).max() <= C


def test_pa2_lemma_is_asymptotically_tight() -> None:
    """Crammer et al. 2003, theorem 2: regression with ε = 0, y = 0, w_1 = (1, 0): ‖w_T − w_1‖ → 2‖w* − w_1‖, T = n."""
    for n, expected in ((10, 1.617), (100, 1.952), (1000, 1.9951)):
        angle = np.pi * np.arange(1, n) / n
        X = np.column_stack([-np.sin(angle), np.cos(angle)])
        run = ls.run(ls.PassiveAggressiveRegression(epsilon=0.0, start=np.array([1.0, 0.0])), X, np.zeros(n - 1))
        assert float(np.linalg.norm(run.state.w - [1.0, 0.0])) == pytest.approx(expected, abs=1e-3)


def test_a_bias_is_a_feature_in_the_norm() -> None:
    """With the bias outside the norm the margin would be 1.2 here."""
    run = ls.run(ls.PassiveAggressive(), [[2.0, 1.0, 1.0]], [1])
    assert float(run.state.w @ [2.0, 1.0, 1.0]) == pytest.approx(1.0, rel=1e-15)
