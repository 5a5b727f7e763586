"""Rules that calibrate themselves: the laws, the compiled loop, the grid, and what they are made of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from expert_laws import asleep_is_out, distribution, even_start, permutation, random_losses, shift
from inventory import MANIFOLD
from littlestone.arrays import FloatArray
from littlestone.experts.calibrated import RATES, REACH
from littlestone.experts.rule import ExpertRule
from test_expert_twins import compiled_repeats, whole_is_split

SEEDS = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize("rule", MANIFOLD, ids=repr)
@given(seed=SEEDS)
@settings(max_examples=3)
def test_laws(rule: ExpertRule, seed: int) -> None:
    losses = random_losses(seed)
    for law in (distribution, even_start, asleep_is_out):
        law(rule, losses)
    permutation(rule, losses[:8])
    shift(rule, losses[:8])


@pytest.mark.parametrize("rule", MANIFOLD, ids=repr)
def test_weights_survive_when_everybody_loses(rule: ExpertRule) -> None:
    losses = np.ones((300, 3))
    np.testing.assert_allclose(ls.hedge(rule, losses, keep=("weights",)).weights, 1 / 3)


@pytest.mark.parametrize("rule", MANIFOLD, ids=repr)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("asleep", [False, True])
def test_the_compiled_repeats_the_definition(rule: ExpertRule, seed: int, asleep: bool) -> None:
    compiled_repeats(rule, seed, asleep=asleep, trick=seed % 2 == 0)


@pytest.mark.parametrize("rule", MANIFOLD, ids=repr)
def test_whole_is_split_is_one_at_a_time(rule: ExpertRule) -> None:
    whole_is_split(rule, 4, 17, asleep=True)


def exponential_weights(eta: float, advice: FloatArray, outcomes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The predictions of Exponential Weights on gradients of the square loss at one rate, and the next weights."""
    regrets, said = np.zeros(advice.shape[1]), []
    for x, y in zip(advice, outcomes, strict=True):
        weights = np.exp(eta * regrets - np.max(eta * regrets))
        said.append(float(weights @ x / weights.sum()))
        regrets += 2.0 * (said[-1] - y) * (said[-1] - x)
    weights = np.exp(eta * regrets - np.max(eta * regrets))
    return np.array(said), weights / weights.sum()


def test_a_grid_that_grows_by_starting_anew_comes_to_the_same() -> None:
    """As opera does it: the rates that join are run over all the advice so far, which it keeps."""
    random = np.random.default_rng(11)
    advice, outcomes = random.normal(size=(40, 3)) + [0.0, 0.3, 2.0], random.normal(size=40)
    mean = advice[0].mean()
    first = 1.0 / np.mean(np.abs(2.0 * (mean - outcomes[0]) * (mean - advice[0]) - np.log(3.0)))
    grid, weights, said = [first], np.full(3, 1 / 3), []
    for t in range(40):
        said.append(float(weights @ advice[t]))
        runs = [exponential_weights(eta, advice[: t + 1], outcomes[: t + 1]) for eta in grid]
        best = int(np.argmin([np.sum((run[0] - outcomes[: t + 1]) ** 2) for run in runs]))
        eta, weights = grid[best], runs[best][1]
        if best == len(grid) - 1:
            grid += [eta * 2.0**k for k in (1, 2, 3)]
        if best == 0:
            grid = [eta / 2.0**k for k in (3, 2, 1)] + grid
    run = ls.aggregate(ls.CalibratedExponentialWeights(), advice, outcomes, loss="square")
    np.testing.assert_allclose(run.predictions, said, rtol=1e-12)
    np.testing.assert_allclose(ls.CalibratedExponentialWeights().rates(run.state), grid, rtol=1e-12)


@pytest.mark.parametrize("rule", MANIFOLD, ids=repr)
def test_the_grid_ends_where_the_table_does(rule: ExpertRule) -> None:
    """Two experts in turn: the smaller the rate the better, for ever."""
    run = ls.hedge(rule, np.array([[1.0, 0.0], [0.0, 1.0]] * 60))
    assert run.state.grid[0] == 0.0
    assert REACH <= run.state.grid[1] < RATES
    np.testing.assert_allclose(np.asarray(run.losses)[10:], 0.5, atol=1e-6)


def test_a_forged_state_is_refused() -> None:
    rule = ls.CalibratedExponentialWeights()
    for name, value in (("grid", RATES), ("grid", -1.0), ("best", RATES)):
        state = rule.init(2)
        state.arrays[name][:] = value
        with pytest.raises(ls.InvalidData, match="grid of the state is not within its table"):
            rule.compiled(state)
