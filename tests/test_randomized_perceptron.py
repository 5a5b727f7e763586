"""The randomised Perceptron (Bylander 1998, section 6)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from laws import learned
from littlestone import _core
from strategies import Stream, streams, tame


@pytest.mark.parametrize(
    ("score", "chance"), [(-0.75, 0.0), (-0.5, 0.0), (-0.25, 0.25), (0.0, 0.5), (0.25, 0.75), (0.5, 1.0), (2.0, 1.0)]
)
def test_b11_probability_of_plus(score: float, chance: float) -> None:
    rule = ls.RandomizedPerceptron()
    assert rule.decide(rule.init(1), score).chance_positive == chance
    ledger = ls.run(ls.RandomizedPerceptron(start=np.array([score])), [[1.0]], [-1], labels=(-1, 1)).ledger
    assert ledger.expected_mistakes == chance


@pytest.mark.parametrize(
    ("score", "label", "moved"), [(0.25, 1, 1), (0.5, 1, 0), (-0.5, -1, 0), (-0.25, -1, -1), (0.5, -1, -1)]
)
def test_b11_updates_iff_the_margin_is_below_one_half(score: float, label: int, moved: int) -> None:
    run = ls.run(ls.RandomizedPerceptron(eta=0.5, start=np.array([score])), [[1.0]], [label], labels=(-1, 1), keep=("step",))
    assert run.columns["step"].tolist() == [0.5 * moved]


@given(stream=streams("labels", tame), seeds=st.lists(st.integers(0, 2**64 - 1), min_size=2, max_size=2))
def test_b11_the_draw_plays_no_part_in_the_update(stream: Stream, seeds: list[int]) -> None:
    one, other = (learned(ls.RandomizedPerceptron(seed=seed), stream) for seed in seeds)
    assert one.state.w.tobytes() == other.state.w.tobytes()
    assert one.ledger.expected_mistakes == other.ledger.expected_mistakes


@given(stream=streams("labels", tame))
def test_b11_is_the_perceptron_with_tolerance_one_half(stream: Stream) -> None:
    randomized = learned(ls.RandomizedPerceptron(eta=0.25), stream)
    tolerant = ls.run(ls.Perceptron(eta=0.25, tolerance=0.5), stream.X, ls.Intervals.of_labels(stream.signs))
    assert randomized.state.w.tobytes() == tolerant.state.w.tobytes()
    assert randomized.ledger.tolerated_loss == tolerant.ledger.tolerated_loss


@given(stream=streams("labels", tame))
def test_bylander_10_toleranced_loss_is_at_least_the_expected_mistakes(stream: Stream) -> None:
    ledger = learned(ls.RandomizedPerceptron(), stream).ledger
    assert ledger.expected_mistakes <= ledger.tolerated_loss * (1 + 1e-12)


def test_b11_by_hand() -> None:
    """A fair coin, then certainty."""
    run = ls.run(ls.RandomizedPerceptron(), np.ones((3, 1)), [1, 1, 1], keep=("score", "mistake"))
    assert run.columns["score"].tolist() == [0.0, 1.0, 1.0]
    assert run.ledger.expected_mistakes == 0.5
    assert run.ledger.mistakes == int(_core.uniform(0, 0) >= 0.5)


def test_b11_draws_follow_the_probability() -> None:
    """20,000 coins of 0.3: within four standard deviations; and the sum of them is not a constant of the code."""
    X = np.full((20_000, 1), 1.0)
    for seed in (1, 2):
        rule = ls.Learner(ls.RandomizedPerceptron(start=np.array([-0.2]), seed=seed), labels=(-1, 1))
        plus = np.count_nonzero(rule.predict_many(X) == 1)
        assert abs(plus - 6000) < 4 * np.sqrt(20_000 * 0.3 * 0.7)
    draws = [_core.uniform(7, k) for k in range(1000)]
    assert len(set(draws)) == 1000
    assert 0.0 <= min(draws) < 0.01
    assert 0.99 < max(draws) < 1.0


def test_b11_first_draws_of_splitmix() -> None:
    """SplitMix64 from seed 0 begins with 0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f."""
    words = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert [_core.uniform(0, k) for k in range(3)] == [(word >> 11) * 2.0**-53 for word in words]


def test_b11_predict_many_shows_the_draws_to_come() -> None:
    source = np.random.default_rng(3)
    X = source.normal(size=(50, 3)) / 10
    learner = ls.Learner(ls.RandomizedPerceptron(eta=1e-300), labels=(-1, 1))
    shown = learner.predict_many(X).tolist()
    assert shown == [learner.learn_one(x, 1) for x in X]
    assert set(shown) == {-1, 1}
