"""What no learner can avoid: mohri.8.5, ex 8.4 and mohri.det."""

from __future__ import annotations

import itertools
import math
from functools import cache

import numpy as np
import pytest

from littlestone.arrays import FloatArray
from littlestone.errors import InvalidData, InvalidParameter
from littlestone.theory.lower_bounds import (
    coin_bound,
    coin_regret,
    deterministic_regret,
    minimax_regret,
    minimax_weights,
    oppose,
)
from shown import shows


@pytest.mark.parametrize(
    ("rounds", "exact", "bound"),
    [(1, 0.5, 0.35355), (2, 0.5, 0.5), (3, 0.75, 0.61237), (4, 0.75, 0.70711), (10, 1.23047, 1.11803), (100, 3.97946, 3.53553)],
)
def test_the_numbers_of_the_specification(rounds: int, exact: float, bound: float) -> None:
    assert coin_regret(rounds) == pytest.approx(exact, abs=5e-6)
    assert coin_bound(rounds) == pytest.approx(bound, abs=5e-6)


@pytest.mark.parametrize("rounds", range(11))
def test_the_formula_is_half_the_mean_distance_of_a_random_walk(rounds: int) -> None:
    walks = [abs(sum(signs)) for signs in itertools.product((-1, 1), repeat=rounds)]
    assert coin_regret(rounds) == sum(walks) / (2 * len(walks))


def test_the_bound_holds_and_is_attained_only_in_round_2() -> None:
    for rounds in range(1, 200):
        assert (coin_regret(rounds) == coin_bound(rounds)) == (rounds == 2)
        assert coin_regret(rounds) >= coin_bound(rounds)
    # As printed, sqrt(T)/8 is true and weaker by sqrt(8).
    assert coin_bound(64) == pytest.approx(math.sqrt(8.0) * math.sqrt(64) / 8.0)


def test_the_series_continues_the_exact_numbers() -> None:
    at = 20_000  # the last even number that is computed in whole numbers
    # E|S| obeys a(2m + 2) = a(2m)(2m + 1)/(2m) exactly.
    assert coin_regret(at + 2) == pytest.approx(coin_regret(at) * (at + 1) / at, rel=2e-15)
    assert coin_regret(at + 1) == pytest.approx(coin_regret(at + 2), rel=2e-15)
    assert coin_regret(10**8) == pytest.approx(math.sqrt(10**8 / (2.0 * math.pi)), rel=1e-8)


@cache
def game(rounds: int, first: int, second: int) -> float:
    """The minimax regret by another road: all four loss vectors, losses kept apart, the weight by ternary search."""
    if rounds == 0:
        return -float(min(first, second))
    after = {(a, b): game(rounds - 1, first + a, second + b) for a in (0, 1) for b in (0, 1)}

    def worst(p: float) -> float:
        return max(p * a + (1.0 - p) * b + value for (a, b), value in after.items())

    low, high = 0.0, 1.0
    for _ in range(60):
        third = (high - low) / 3.0
        low, high = (low, high - third) if worst(low + third) < worst(high - third) else (low + third, high)
    return worst((low + high) / 2.0)


@pytest.mark.parametrize("rounds", [1, 2, 3, 5, 8])
def test_the_minimax_regret_by_another_road(rounds: int) -> None:
    assert minimax_regret(rounds) == pytest.approx(game(rounds, 0, 0), abs=1e-9)


@shows("example", "mohri.ex8.4")
@shows("tight", "mohri.ex8.4")
@pytest.mark.parametrize("rounds", [0, 1, 2, 3, 5, 8, 12, 40])
def test_against_two_experts_nothing_is_worse_than_a_coin(rounds: int) -> None:
    assert minimax_regret(rounds) == coin_regret(rounds)


@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_the_minimax_weights_keep_the_promise_on_every_sequence(rounds: int) -> None:
    regrets = []
    for sequence in itertools.product(itertools.product((0, 1), repeat=2), repeat=rounds):
        loss, totals = 0.0, np.zeros(2)
        for t, losses in enumerate(sequence):
            loss += float(minimax_weights(rounds - t, int(totals[0] - totals[1])) @ losses)
            totals += losses
        regrets.append(loss - float(totals.min()))
    assert max(regrets) == pytest.approx(minimax_regret(rounds), abs=1e-12)


class Majority:
    """Weighted Majority with beta = 1/2 on a vote between 0 and 1: deterministic."""

    def __init__(self) -> None:
        self.mistakes = np.zeros(2)
        self.seen = 0

    def predict_one(self, advice: FloatArray, /) -> float:
        weights = 0.5 ** (self.mistakes - self.mistakes.min())
        return float(weights[advice == 1.0].sum() >= weights[advice == 0.0].sum())

    def learn_one(self, advice: FloatArray, outcome: float, /) -> None:
        self.mistakes += advice != outcome
        self.seen += 1


class Stubborn:
    """Says the same for ever."""

    def __init__(self, said: float) -> None:
        self.said = said

    def predict_one(self, advice: FloatArray, /) -> float:
        return self.said

    def learn_one(self, advice: FloatArray, outcome: float, /) -> None:
        pass


def test_a_deterministic_learner_errs_in_every_round() -> None:
    """mohri.det: Weighted Majority, T = 101: 101 mistakes, the better expert at most 50, regret at least 51."""
    learner = Majority()
    opposed = oppose(learner, 101)
    assert (opposed.mistakes, learner.seen) == (101, 101)
    assert min(opposed.experts) <= 50
    assert list(opposed.experts) == learner.mistakes.tolist()
    assert opposed.regret >= deterministic_regret(101) == 51


@pytest.mark.parametrize("said", [0.0, 1.0])
def test_the_stubborn_learner_is_one_of_its_experts_and_the_other_is_perfect(said: float) -> None:
    opposed = oppose(Stubborn(said), 10)
    assert opposed.experts == ((10, 0) if said == 0.0 else (0, 10))
    assert opposed.regret == 10


def test_a_learner_that_hedges_cannot_be_opposed() -> None:
    with pytest.raises(InvalidData, match=r"round 0: the learner said 0\.5"):
        oppose(Stubborn(0.5), 3)


def test_bad_numbers_of_rounds_are_refused() -> None:
    for function in (coin_regret, coin_bound, minimax_regret, deterministic_regret):
        with pytest.raises(InvalidParameter, match="the number of rounds is -1"):
            function(-1)
    with pytest.raises(InvalidParameter, match="rounds_left is 0"):
        minimax_weights(0, 0)
