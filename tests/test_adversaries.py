"""Adversaries: what they do, how close they come to the bounds, and the bad rules they expose."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adversaries import (
    ADVERSARIES,
    Adversary,
    AllButMin,
    AntiPrediction,
    Argmax,
    Coin,
    HalfMass,
    RoundRobin,
    play,
    rounds,
)
from littlestone.arrays import FloatArray
from littlestone.errors import InvalidParameter
from littlestone.theory.lower_bounds import coin_regret


@dataclass(frozen=True)
class Hedge:
    """Exponential weights in ten lines: what the adversaries are tried on."""

    eta: float

    def init(self, experts: int) -> FloatArray:
        return np.zeros(experts)

    def weights(self, state: FloatArray) -> FloatArray:
        weights: FloatArray = np.exp(-self.eta * (state - state.min()))
        weights /= weights.sum()
        return weights

    def update(self, state: FloatArray, losses: FloatArray) -> None:
        state += losses


@dataclass(frozen=True)
class FollowTheLeader:
    """A known-bad rule: all weight on the best expert so far."""

    def init(self, experts: int) -> FloatArray:
        return np.zeros(experts)

    def weights(self, state: FloatArray) -> FloatArray:
        weights = np.zeros(len(state))
        weights[int(np.argmin(state))] = 1.0
        return weights

    def update(self, state: FloatArray, losses: FloatArray) -> None:
        state += losses


def tuned(experts: int, horizon: int) -> Hedge:
    return Hedge(math.sqrt(8.0 * math.log(experts) / horizon))


def bound(experts: int, horizon: int) -> float:
    """mohri.8.6b."""
    return math.sqrt(horizon / 2.0 * math.log(experts))


distributions = st.lists(st.floats(0.01, 1.0), min_size=1, max_size=12).map(lambda raw: np.array(raw) / sum(raw))


@pytest.mark.parametrize("adversary", ADVERSARIES)
@given(weights=distributions, t=st.integers(0, 10**9))
def test_losses_are_0_or_1_and_depend_on_nothing_but_the_round_and_the_weights(
    adversary: Callable[[], Adversary], weights: FloatArray, t: int
) -> None:
    before = weights.copy()
    losses = adversary().losses(t, weights)
    assert losses.shape == weights.shape
    assert set(losses.tolist()) <= {0.0, 1.0}
    assert np.array_equal(losses, adversary().losses(t, weights))
    assert np.array_equal(weights, before)


@pytest.mark.parametrize(
    ("adversary", "weights", "losses"),
    [
        (AntiPrediction(), [0.4, 0.6], [0.0, 1.0]),
        (AntiPrediction(), [0.6, 0.4], [1.0, 0.0]),
        (AntiPrediction(), [0.1, 0.5, 0.2, 0.2], [0.0, 1.0, 0.0, 1.0]),
        (RoundRobin(), [0.5, 0.25, 0.25], [0.0, 1.0, 0.0]),
        (HalfMass(), [0.375, 0.3125, 0.1875, 0.125], [0.0, 1.0, 1.0, 0.0]),
        (HalfMass(), [0.7, 0.2, 0.1], [1.0, 0.0, 0.0]),
        (Argmax(), [0.2, 0.4, 0.4], [0.0, 1.0, 0.0]),
        (AllButMin(), [0.2, 0.2, 0.6], [0.0, 1.0, 1.0]),
    ],
)
def test_the_losses_of_round_4_by_hand(adversary: Adversary, weights: list[float], losses: list[float]) -> None:
    assert adversary.losses(4, np.array(weights)).tolist() == losses


@given(weights=distributions)
def test_half_mass_takes_at_least_half_and_less_than_half_and_one_expert(weights: FloatArray) -> None:
    taken = float(weights @ HalfMass().losses(0, weights))
    assert 0.5 - 1e-12 <= taken <= 0.5 + float(weights.max())


@pytest.mark.parametrize("adversary", ADVERSARIES)
@pytest.mark.parametrize(("experts", "horizon"), [(2, 50), (10, 200), (100, 300)])
def test_no_adversary_gets_exponential_weights_over_its_bound(
    adversary: Callable[[], Adversary], experts: int, horizon: int
) -> None:
    assert play(tuned(experts, horizon), adversary(), experts=experts, horizon=horizon).regret <= bound(experts, horizon)


def test_half_mass_comes_within_a_tenth_of_the_bound() -> None:
    game = play(tuned(1000, 300), HalfMass(), experts=1000, horizon=300)
    assert 0.94 <= game.regret / bound(1000, 300) <= 1.0


def test_round_robin_refutes_the_printed_bound_for_a_small_beta_and_not_the_exact_one() -> None:
    """mohri.8.4a and 8.4x at N = 200, beta = 0.05, 400 cycles: 1242.7 > 785.6 and < 1266.9."""
    experts, beta = 200, 0.05
    game = play(Hedge(math.log(1.0 / beta)), RoundRobin(), experts=experts, horizon=400 * experts)
    assert game.best == 400.0
    assert game.loss == pytest.approx(1242.7, abs=0.05)
    assert math.log(experts) / (1.0 - beta) + (2.0 - beta) * game.best == pytest.approx(785.6, abs=0.05)
    exact = (math.log(experts) + game.best * math.log(1.0 / beta)) / (1.0 - beta)
    assert exact == pytest.approx(1266.9, abs=0.05)
    assert game.loss <= exact


def test_anti_prediction_makes_a_vote_err_in_every_round() -> None:
    """mohri.det: T = 101 mistakes, the better expert at most 50, regret at least 51."""
    game = play(Hedge(math.log(2.0)), AntiPrediction(), experts=2, horizon=101)
    votes = game.weights[:, 1] >= 0.5
    assert np.array_equal(votes, game.losses[:, 1] == 1.0)
    assert game.best <= 50


def test_the_coin_is_fair_and_costs_everybody_the_same() -> None:
    """mohri.8.5: the mean regret over many coins is that of the formula, for a good rule and for a bad one."""
    horizon, games = 16, 600
    for player in (tuned(2, horizon), FollowTheLeader()):
        regrets = [play(player, Coin(seed=seed), experts=2, horizon=horizon).regret for seed in range(games)]
        error = float(np.std(regrets)) / math.sqrt(games)
        assert abs(float(np.mean(regrets)) - coin_regret(horizon)) <= 4.0 * error


def test_different_seeds_are_different_coins() -> None:
    weights = np.array([0.5, 0.5])
    tosses = [[Coin(seed=seed).losses(t, weights)[0] for t in range(64)] for seed in range(3)]
    assert tosses[0] != tosses[1] != tosses[2]
    assert all(16 <= sum(toss) <= 48 for toss in tosses)


@pytest.mark.parametrize("adversary", [AntiPrediction(), Argmax(), HalfMass()])
def test_follow_the_leader_is_caught(adversary: Adversary) -> None:
    """The mutant: without randomisation the regret is linear, far above the bound."""
    game = play(FollowTheLeader(), adversary, experts=2, horizon=200)
    assert game.regret >= 99.0 > 4.0 * bound(2, 200)


def test_incremental_steps_are_caught() -> None:
    """The mutant of erratum 3: weights multiplied by exp(-eta_t l) cannot recover from the first rounds."""

    @dataclass(frozen=True)
    class Incremental:
        def init(self, experts: int) -> FloatArray:
            return np.zeros(experts + 1)

        def weights(self, state: FloatArray) -> FloatArray:
            return Hedge(1.0).weights(state[:-1])

        def update(self, state: FloatArray, losses: FloatArray) -> None:
            state[-1] += 1.0
            state[:-1] += math.sqrt(8.0 * math.log(2.0) / state[-1]) * losses

    @dataclass(frozen=True)
    class Turn(Adversary):
        source = "the first expert is better at first and worse for ever after"

        def losses(self, t: int, weights: FloatArray) -> FloatArray:
            return np.array([0.0, 1.0] if t < 1000 else [1.0, 0.0])

    allowed = 1.5 * bound(2, 3000)
    assert play(Incremental(), Turn(), experts=2, horizon=3000).regret > 5.0 * allowed


def test_a_game_is_the_rounds_taken_together() -> None:
    game = play(Hedge(0.3), HalfMass(), experts=5, horizon=7)
    for t, (weights, losses) in zip(range(7), rounds(Hedge(0.3), HalfMass(), experts=5), strict=False):
        assert np.array_equal(weights, game.weights[t])
        assert np.array_equal(losses, game.losses[t])
    assert game.regret == game.loss - game.best


def test_bad_sizes_and_seeds_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="horizon is 0"):
        play(Hedge(1.0), Argmax(), experts=2, horizon=0)
    with pytest.raises(InvalidParameter, match="experts is 0"):
        play(Hedge(1.0), Argmax(), experts=0, horizon=2)
    with pytest.raises(InvalidParameter, match="Coin: seed is -1"):
        Coin(seed=-1)
