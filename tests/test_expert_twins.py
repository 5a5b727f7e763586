"""The compiled loop repeats the definitions, and every way through it gives the same bits."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from expert_laws import random_losses
from inventory import EXPERTS as RULES
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.experts.loop import PythonExpertLoop
from littlestone.experts.losses import Loss
from littlestone.experts.rule import ExpertRule

COMPILED = [rule for rule in RULES if rule.compiled(rule.init(2)) is not None]
ROUNDS = 50
SEEDS = st.integers(0, 2**32 - 1)


def advice_for(loss: Loss, seed: int, *, asleep: bool) -> tuple[FloatArray, FloatArray]:
    random = np.random.default_rng(seed)
    advice, outcomes = random.random((ROUNDS, 4)), random.random(ROUNDS) + 0.2
    if loss.labels or loss.probabilities:
        outcomes = np.round(random.random(ROUNDS))
    if loss.labels:
        advice = np.round(advice)
    if asleep:
        advice[random.random(advice.shape) < 0.3] = np.nan
        advice[np.isnan(advice).all(axis=1), 1] = 1.0 if loss.labels else 0.5
    return advice, outcomes


def losses_for(rule: ExpertRule) -> list[Loss]:
    if rule.losses:
        return [ls.losses.loss_of(name) for name in rule.losses]
    ranged: list[Loss] = [ls.losses.ZeroOne(), ls.losses.Square(low=0.0, high=2.0), ls.losses.Brier()]
    free: list[Loss] = [ls.losses.Absolute(), ls.losses.Percentage(), ls.losses.Pinball(quantile=0.2), ls.losses.Log()]
    return ranged + free if rule.tracks else ranged


@pytest.mark.parametrize("rule", COMPILED, ids=repr)
@given(seed=SEEDS, asleep=st.booleans(), trick=st.booleans())
def test_the_compiled_repeats_the_definition(rule: ExpertRule, seed: int, asleep: bool, trick: bool) -> None:
    compiled_repeats(rule, seed, asleep=asleep, trick=trick)


def compiled_repeats(rule: ExpertRule, seed: int, *, asleep: bool, trick: bool) -> None:
    for loss in losses_for(rule)[seed % 3 :: 3] or losses_for(rule):
        gradient = trick and loss.convex and rule.tracks and not rule.losses
        advice, outcomes = advice_for(loss, seed, asleep=asleep)
        run = ls.aggregate(rule, advice, outcomes, loss=loss, gradient=gradient, keep=("weights",))
        state, totals = rule.init(4), _core.ExpertTotals(4)
        said, own, weights = np.zeros(ROUNDS), np.zeros(ROUNDS), np.zeros((ROUNDS, 4))
        twin = PythonExpertLoop(rule, state, loss, 4, gradient=gradient)
        twin.learn(advice, outcomes, totals, prediction=said, loss=own, weights=weights)
        np.testing.assert_allclose(run.weights, weights, rtol=1e-12, atol=1e-12)
        # An exact tie of a vote may fall to either side by a rounding.
        clear = np.abs(np.sum(weights * np.nan_to_num(advice), axis=1) - 0.5) > 1e-9 if loss.labels else np.full(ROUNDS, True)
        np.testing.assert_allclose(np.asarray(run.predictions)[clear], said[clear], rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(run.losses, own, rtol=1e-11, atol=1e-12)
        np.testing.assert_allclose(run.ledger.regrets, (totals.loss - totals.asleep_loss) - totals.losses, atol=1e-10)
        assert abs(run.ledger.mistakes - totals.mistakes) <= int(np.sum(~clear))
        np.testing.assert_allclose(
            [run.ledger.variance, run.ledger.largest_range, run.ledger.scale, run.ledger.smallest_loss],
            [totals.variance, totals.largest_range, totals.scale, totals.smallest_loss],
            rtol=1e-10,
            atol=1e-12,
        )


@pytest.mark.parametrize("rule", RULES, ids=repr)
@given(seed=SEEDS, cut=st.integers(0, ROUNDS), asleep=st.booleans())
def test_whole_is_split_is_one_at_a_time(rule: ExpertRule, seed: int, cut: int, asleep: bool) -> None:
    whole_is_split(rule, seed, cut, asleep=asleep)


def whole_is_split(rule: ExpertRule, seed: int, cut: int, *, asleep: bool) -> None:
    loss = losses_for(rule)[0]
    advice, outcomes = advice_for(loss, seed, asleep=asleep)
    whole = ls.aggregate(rule, advice, outcomes, loss=loss)
    split, single = (ls.Mixture(rule, experts=4, loss=loss) for _ in range(2))
    parts = [split.learn_many(advice[rows], outcomes[rows]).predictions for rows in (slice(0, cut), slice(cut, ROUNDS))]
    np.testing.assert_array_equal(np.concatenate(parts), whole.predictions)
    for t in range(ROUNDS):
        row = advice[t] if t % 2 else [None if math.isnan(x) else float(x) for x in advice[t]]
        assert single.predict_one(row) == single.learn_one(row, float(outcomes[t])) == whole.predictions[t]
    for mixture in (split, single):
        for name, array in whole.state.arrays.items():
            np.testing.assert_array_equal(mixture.state.arrays[name], array)
        assert mixture.ledger.loss == whole.ledger.loss
        np.testing.assert_array_equal(mixture.ledger.losses, whole.ledger.losses)


def test_strides_and_float32_are_read_in_place() -> None:
    losses = random_losses(1, experts=6)
    rule = ls.ExponentialWeights(eta=0.5)
    expected = ls.hedge(rule, np.ascontiguousarray(losses[::2, ::2])).ledger.loss
    assert ls.hedge(rule, losses[::2, ::2]).ledger.loss == expected
    assert ls.hedge(rule, np.asfortranarray(losses)[::2, ::2]).ledger.loss == expected
    narrow = losses.astype(np.float32)
    assert ls.hedge(rule, narrow).ledger.loss == ls.hedge(rule, narrow.astype(np.float64)).ledger.loss


def test_exponential_is_within_a_unit_in_the_last_place() -> None:
    points: npt.NDArray[np.float64] = np.r_[np.linspace(-707.9, 1.0, 20001), -(10.0 ** np.arange(-300.0, 2.0)), 0.0]
    ours = np.array([_core.exp(float(x)) for x in points])
    assert float(np.max(np.abs(ours - np.exp(points)) / np.spacing(np.exp(points)))) <= 1.0
    assert _core.exp(0.0) == 1.0
    assert _core.exp(-math.inf) == _core.exp(-709.0) == 0.0


def test_totals_can_be_stored() -> None:
    mixture = ls.Mixture(ls.ExponentialWeights(), experts=3, loss="square")
    for t in range(10):
        mixture.learn_one([0.1 * t, None, 0.3], 0.7)
    twin = _core.ExpertTotals.from_parts(mixture._totals.parts())
    assert twin.parts() == mixture._totals.parts()
    assert (twin.loss, twin.rounds) == (mixture.ledger.loss, 10)
