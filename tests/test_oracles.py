"""Oracles: their values are minima, their proofs are proofs, and R's opera agrees."""

from __future__ import annotations

import csv
import itertools
import math
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from littlestone.arrays import FloatArray
from littlestone.errors import InvalidData, InvalidParameter, NotApplicable
from littlestone.experts import hindsight, regions
from littlestone.experts.oracles import (
    Combination,
    ExpertSequence,
    best_convex,
    best_expert,
    best_linear,
    best_sequence,
    best_sequence_of_losses,
    uniform,
)

DATA = Path(os.environ.get("LITTLESTONE_DATA", Path(__file__).parents[2] / "shared" / "data"))
LOAD = DATA / "experts" / "electric_load"
needs_load = pytest.mark.skipif(not LOAD.exists(), reason="the electric_load data are not there")


@dataclass(frozen=True)
class Sloped:
    """A loss with its slope, as small as it can be."""

    value: Callable[[FloatArray, FloatArray], FloatArray]
    slope: Callable[[FloatArray, FloatArray], FloatArray]

    def __call__(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        return self.value(prediction, outcome)

    def gradient(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        return self.slope(prediction, outcome)


def pinball(q: float) -> Sloped:
    return Sloped(lambda p, y: np.where(p > y, (1.0 - q) * (p - y), q * (y - p)), lambda p, y: np.where(p > y, 1.0 - q, -q))


def zero_one(prediction: FloatArray, outcome: FloatArray) -> FloatArray:
    wrong: FloatArray = (prediction != outcome).astype(np.float64)
    return wrong


@dataclass(frozen=True)
class OfProbabilities:
    """A loss of probabilities, not defined elsewhere on the side where it matters."""

    probabilities: bool = True

    def __call__(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        return -np.log(np.where(outcome == 1.0, prediction, 1.0 - prediction))

    def gradient(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        return np.where(outcome == 1.0, -1.0, 1.0) / np.where(outcome == 1.0, prediction, 1.0 - prediction)

    @property
    def value(self) -> Callable[[FloatArray, FloatArray], FloatArray]:
        return self.__call__


SQUARE = Sloped(lambda p, y: (p - y) ** 2, lambda p, y: 2.0 * (p - y))
ABSOLUTE = Sloped(lambda p, y: np.abs(p - y), lambda p, y: np.sign(p - y))
PERCENTAGE = Sloped(lambda p, y: np.abs(p - y) / np.abs(y), lambda p, y: np.sign(p - y) / np.abs(y))
LOG = OfProbabilities()
HUBER = Sloped(
    lambda p, y: np.where(np.abs(p - y) < 0.2, (p - y) ** 2 / 2.0, 0.2 * (np.abs(p - y) - 0.1)),
    lambda p, y: np.clip(p - y, -0.2, 0.2),
)
LOSSES = {
    "square": SQUARE,
    "absolute": ABSOLUTE,
    "percentage": PERCENTAGE,
    "pinball0.1": pinball(0.1),
    "pinball0.5": pinball(0.5),
    "pinball0.9": pinball(0.9),
}
# Square serves as Brier where outcomes are 0 and 1; percentage needs outcomes other than 0.
ANYWHERE = {name: loss for name, loss in LOSSES.items() if name != "percentage"} | {"huber": HUBER}
ON_LABELS: dict[str, Sloped | OfProbabilities] = {**ANYWHERE, "log": LOG}


def forecasts(rounds: int, experts: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Probabilities of an outcome 0 or 1 that are better than nothing."""
    rng = np.random.default_rng(seed)
    outcomes = (rng.random(rounds) < 0.6).astype(np.float64)
    spread = 0.3 * rng.standard_normal((rounds, experts))
    return np.clip(0.5 + 0.3 * (outcomes[:, np.newaxis] - 0.5) + spread, 0.02, 0.98), outcomes


def points_of_simplex(experts: int, count: int, seed: int) -> FloatArray:
    points = np.random.default_rng(seed).dirichlet(np.full(experts, 0.5), size=count)
    return np.vstack([points, np.eye(experts)])


# The published numbers.


def electric_load() -> tuple[pd.DataFrame, FloatArray]:
    frame = pd.read_csv(LOAD / "experts.csv")
    return frame[["gam", "ar", "gbm"]], frame["y"].to_numpy(dtype=np.float64)


def opera(rule: str, loss: str) -> float:
    with (LOAD / "opera_results.csv").open() as file:
        return next(float(row["avg_loss"]) for row in csv.DictReader(file) if (row["rule"], row["loss"]) == (rule, loss))


@needs_load
@pytest.mark.parametrize(
    ("oracle", "mean"),
    [(best_expert, 2189796.1), (best_convex, 2080597.4), (best_linear, 1946998.9), (uniform, 2434129.3)],
)
def test_the_square_losses_that_the_issue_names(oracle: Callable[..., Combination], mean: float) -> None:
    advice, y = electric_load()
    assert oracle(advice, y, SQUARE).mean == pytest.approx(mean, rel=1e-6)


@needs_load
@pytest.mark.parametrize("loss", LOSSES)
def test_opera_agrees_where_it_is_exact_and_is_never_better(loss: str) -> None:
    advice, y = electric_load()
    assert best_expert(advice, y, LOSSES[loss]).mean == pytest.approx(opera("oracle_expert", loss), rel=1e-12)
    assert uniform(advice, y, LOSSES[loss]).mean == pytest.approx(opera("uniform", loss), rel=1e-12)
    for oracle, name in ((best_convex, "oracle_convex"), (best_linear, "oracle_linear")):
        ours = oracle(advice, y, LOSSES[loss])
        assert opera(name, loss) * (1.0 - 2e-5) <= ours.mean <= opera(name, loss) * (1.0 + 1e-12)
        assert 0.0 <= ours.gap <= 1e-10 * ours.mean


@needs_load
def test_the_weights_and_names_of_the_best_convex_combination() -> None:
    best = best_convex(*electric_load(), SQUARE)
    assert best.experts == ("gam", "ar", "gbm")
    assert best.weights == pytest.approx([0.71917, 0.200884, 0.0799462], rel=1e-5)
    assert str(best).startswith("best convex combination: mean loss 2080597.4 with 0.7192 gam + 0.2009 ar")


@needs_load
def test_the_best_sequence_on_real_data_goes_from_the_best_expert_to_the_best_of_every_round() -> None:
    advice, y = electric_load()
    best = best_sequence(advice, y, SQUARE, switches=len(y))
    each = (advice.to_numpy() - y[:, np.newaxis]) ** 2
    assert best.by_switches[0] == pytest.approx(best_expert(advice, y, SQUARE).mean, rel=1e-12)
    assert best.mean == pytest.approx(each.min(axis=1).mean(), rel=1e-12)
    assert (np.diff(best.by_switches) <= 1e-9 * best.by_switches[0]).all()


# Values by hand.


def test_the_best_expert_by_hand() -> None:
    best = best_expert([[0.0, 1.0]] * 3, [1, 1, 0], ABSOLUTE)
    assert (best.total, best.mean, best.gap) == (1.0, 1.0 / 3.0, 0.0)
    assert best.weights.tolist() == [0.0, 1.0]
    assert best.predictions.tolist() == [1.0, 1.0, 1.0]


def test_of_equal_experts_the_first() -> None:
    assert best_expert([[0.0, 1.0, 1.0]] * 2, [1, 0], ABSOLUTE).weights.tolist() == [1.0, 0.0, 0.0]


def test_the_best_convex_combination_of_constants_is_the_mean_the_median_or_the_quantile() -> None:
    constants, y = [[0.0, 10.0]] * 5, [1.0, 2.0, 3.0, 4.0, 9.0]
    assert best_convex(constants, y, SQUARE).predictions[0] == pytest.approx(3.8, rel=1e-12)
    assert best_convex(constants, y, ABSOLUTE).predictions[0] == pytest.approx(3.0, rel=1e-12)
    assert best_convex(constants, y, pinball(0.9)).predictions[0] == pytest.approx(9.0, rel=1e-12)
    assert best_convex(constants, y, pinball(0.1)).predictions[0] == pytest.approx(1.0, rel=1e-12)


def test_the_best_convex_combination_for_log_loss_by_hand() -> None:
    # p = (3w + 1)/5 runs from 0.2 to 0.8; 3 of 4 outcomes are 1, so the best p is 3/4, and the loss the entropy of 3/4.
    best = best_convex([[0.2, 0.8]] * 4, [1, 1, 0, 1], LOG)
    assert best.predictions[0] == pytest.approx(0.75, rel=1e-9)
    assert best.mean == pytest.approx(-0.75 * math.log(0.75) - 0.25 * math.log(0.25), rel=1e-12)


def test_a_perfect_combination_is_found() -> None:
    advice, _ = forecasts(40, 3, seed=5)
    truth = np.array([0.2, 0.3, 0.5])
    for loss in (SQUARE, ABSOLUTE, HUBER):
        best = best_convex(advice, advice @ truth, loss)
        assert best.weights == pytest.approx(truth, abs=1e-7)
        assert best.mean < 1e-10
        assert best.gap < 1e-10


def test_one_expert_alone() -> None:
    assert best_convex([[2.0], [4.0]], [1, 2], SQUARE).weights.tolist() == [1.0]
    assert best_linear([[2.0], [4.0]], [1, 2], SQUARE).weights == pytest.approx([0.5])


def test_identical_experts_share_in_any_way_but_the_loss_is_the_same() -> None:
    advice, y = forecasts(30, 2, seed=1)
    doubled = np.hstack([advice, advice[:, :1]])
    for loss in ANYWHERE.values():
        for oracle in (best_convex, best_linear):
            assert oracle(doubled, y, loss).mean == pytest.approx(oracle(advice, y, loss).mean, rel=1e-8)


# The proofs are proofs.


@pytest.mark.parametrize("name", ON_LABELS)
@given(seed=st.integers(0, 1000), rounds=st.integers(1, 40), experts=st.integers(1, 5))
def test_no_weights_beat_the_best_convex_ones_by_more_than_the_gap(name: str, seed: int, rounds: int, experts: int) -> None:
    advice, y = forecasts(rounds, experts, seed)
    loss = ON_LABELS[name]
    best = best_convex(advice, y, loss)
    assert best.weights.min() >= 0.0
    assert best.weights.sum() == pytest.approx(1.0, abs=1e-12)
    assert best.total == pytest.approx(float(np.sum(loss(advice @ best.weights, y))), rel=1e-12)
    assert 0.0 <= best.gap <= 1e-9 * (1.0 + best.mean)
    for other in points_of_simplex(experts, 30, seed):
        assert float(np.mean(loss(advice @ other, y))) >= best.mean - best.gap - 1e-12


@pytest.mark.parametrize("name", ANYWHERE)
@given(seed=st.integers(0, 1000), experts=st.integers(1, 4))
def test_no_weights_nearby_beat_the_best_linear_ones(name: str, seed: int, experts: int) -> None:
    advice, y = forecasts(30, experts, seed)
    loss = ANYWHERE[name]
    best = best_linear(advice, y, loss)
    assert 0.0 <= best.gap <= 1e-9 * (1.0 + best.mean)
    assert best.mean <= best_convex(advice, y, loss).mean + 1e-9
    rng = np.random.default_rng(seed)
    for size in (1e-4, 1e-2, 0.3):
        other = best.weights + size * rng.standard_normal(experts)
        assert float(np.mean(loss(advice @ other, y))) >= best.mean - best.gap - 1e-12


@pytest.mark.parametrize("name", ON_LABELS)
def test_a_solver_that_stops_early_admits_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mutant: a solver that returns where it started. Its gap must own up to all that is missing."""
    advice, y = forecasts(50, 4, seed=3)
    best = best_convex(advice, y, ON_LABELS[name]).mean
    monkeypatch.setattr(hindsight, "_NEWTON_STEPS", 0)
    monkeypatch.setattr(hindsight, "_CUTTING_ROUNDS", 0)
    lazy = best_convex(advice, y, ON_LABELS[name])
    assert lazy.mean > best + 1e-6
    assert lazy.gap >= lazy.mean - best


def test_a_solver_that_lies_changes_nothing_but_the_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mutant: a linear program that answers with nonsense. The value is that of the weights, and the gap is honest."""
    advice, y = forecasts(50, 3, seed=4)
    best = best_convex(advice, y, ABSOLUTE).mean

    def nonsense(*_: object) -> regions.Blend:
        return regions.Blend(np.ones(2 * len(y)), np.array([1.0, 0.0, 0.0]))

    monkeypatch.setattr(regions.Simplex, "mixture", nonsense)
    lied = best_convex(advice, y, ABSOLUTE)
    assert lied.total == float(np.sum(np.abs(advice @ lied.weights - y)))
    assert lied.gap >= lied.mean - best > 0.0


def test_the_best_linear_combination_solves_the_normal_equations() -> None:
    advice, y = forecasts(60, 4, seed=8)
    best = best_linear(advice, y, SQUARE)
    assert advice.T @ (advice @ best.weights - y) == pytest.approx(np.zeros(4), abs=1e-10)


def test_a_loss_without_a_slope_is_solved_to_some_digits_and_proves_nothing() -> None:
    advice, y = forecasts(40, 3, seed=2)
    for loss in ANYWHERE.values():
        for oracle in (best_convex, best_linear):
            blind = oracle(advice, y, loss.value)
            assert blind.mean == pytest.approx(oracle(advice, y, loss).mean, rel=1e-5)
            assert math.isnan(blind.gap)


def test_a_loss_that_refuses_its_gradient_is_one_without() -> None:
    def refused(_: FloatArray, __: FloatArray) -> FloatArray:
        raise NotApplicable("the loss has no derivative")

    advice, y = forecasts(20, 3, seed=2)
    best = best_convex(advice, y, Sloped(SQUARE.value, refused))
    assert best.mean == pytest.approx(best_convex(advice, y, SQUARE).mean, rel=1e-9)
    assert math.isnan(best.gap)


def test_permuting_the_experts_permutes_the_weights() -> None:
    advice, y = forecasts(50, 4, seed=7)
    order = [2, 0, 3, 1]
    for loss in ANYWHERE.values():
        for oracle in (best_expert, best_convex, best_linear):
            assert oracle(advice[:, order], y, loss).mean == pytest.approx(oracle(advice, y, loss).mean, rel=1e-9)
    for oracle in (best_expert, best_convex, best_linear):  # the square loss has one optimum, and it is sharp
        moved, still = oracle(advice[:, order], y, SQUARE), oracle(advice, y, SQUARE)
        assert moved.weights == pytest.approx(still.weights[order], abs=1e-9)


def test_a_loss_that_is_refused_outside_probabilities() -> None:
    def checked(prediction: FloatArray, outcome: FloatArray) -> FloatArray:
        if not ((prediction > 0.0) & (prediction < 1.0)).all():
            raise InvalidData("a prediction is not a probability")
        return LOG(prediction, outcome)

    advice, y = forecasts(60, 3, seed=6)
    strict = best_convex(advice, y, Sloped(checked, LOG.gradient))
    assert strict.mean == pytest.approx(best_convex(advice, y, LOG).mean, rel=1e-12)
    assert strict.gap <= 1e-10


def test_a_linear_combination_of_probabilities_must_be_one() -> None:
    # w/2 is the forecast in every round, and 3/4 of the outcomes are 1: w = 3/2.
    assert best_linear([[0.5]] * 4, [1, 1, 0, 1], LOG).weights == pytest.approx([1.5], rel=1e-9)
    with pytest.raises(NotApplicable, match=r"round \d+: the best linear combination predicts .*, which is no probability"):
        best_linear([[0.5], [0.9], [0.5]], [1, 1, 0], LOG)


def test_experts_that_were_certain_and_wrong_have_an_infinite_loss_but_their_mixture_has_not() -> None:
    best = best_convex([[0.0, 1.0], [0.0, 1.0]], [1, 0], LOG)
    assert best.weights == pytest.approx([0.5, 0.5])
    with pytest.raises(InvalidData, match="round 1: the mean of the experts has no finite loss"):
        best_convex([[0.0, 1.0], [0.0, 0.0]], [1, 1], LOG)


# Not convex, asleep, malformed.


def test_a_loss_that_is_not_convex_has_a_best_expert_and_a_best_sequence_but_no_best_combination() -> None:
    advice, y = [[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]], [0, 0, 1]
    assert best_expert(advice, y, zero_one).total == 1.0
    assert best_sequence(advice, y, zero_one, switches=1).total == 0.0
    for oracle in (best_convex, best_linear):
        with pytest.raises(NotApplicable, match="the loss is not convex"):
            oracle(advice, y, zero_one)


def test_a_loss_that_says_it_is_not_convex_is_believed() -> None:
    class Declared:
        convex = False

        def __call__(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
            return (prediction - outcome) ** 2

    with pytest.raises(NotApplicable, match="best_convex: the loss is not convex"):
        best_convex([[0.0, 1.0]], [0], Declared())


def test_while_an_expert_sleeps_the_mean_of_the_others_stands_for_it() -> None:
    advice = [[1.0, 3.0, math.nan], [1.0, 5.0, 2.0]]
    best = best_expert(advice, [2.0, 2.0], SQUARE)
    assert best.weights.tolist() == [0.0, 0.0, 1.0]
    assert best.predictions.tolist() == [2.0, 2.0]
    assert uniform(advice, [2.0, 2.0], SQUARE).predictions == pytest.approx([2.0, 8.0 / 3.0])


@pytest.mark.parametrize("loss", [SQUARE, ABSOLUTE, LOG], ids=["square", "absolute", "log"])
def test_with_sleepers_the_best_convex_combination_is_as_good_as_a_fine_grid(loss: Sloped | OfProbabilities) -> None:
    advice, y = forecasts(40, 3, seed=9)
    advice[np.random.default_rng(9).random(advice.shape) < 0.2] = np.nan
    advice[np.isnan(advice).all(axis=1)] = 0.5
    best = best_convex(advice, y, loss)
    assert math.isnan(best.gap)
    awake = ~np.isnan(advice)
    for a, b in itertools.product(np.linspace(0.01, 0.98, 40), repeat=2):
        if a + b < 1.0:
            weights = np.array([a, b, 1.0 - a - b])
            predictions = (np.nan_to_num(advice) @ weights) / (awake @ weights)
            assert float(np.mean(loss(predictions, y))) >= best.mean - 1e-6


def test_a_linear_combination_of_sleepers_is_refused() -> None:
    with pytest.raises(NotApplicable, match="round 1: expert ar sleeps"):
        best_linear([[1.0, 2.0], [1.0, math.nan]], [1, 2], SQUARE, experts=["gam", "ar"])


@pytest.mark.parametrize(
    ("advice", "outcomes", "sentence"),
    [
        ([[1.0, 2.0], [math.nan, math.nan]], [1, 2], "round 1: every expert sleeps"),
        ([[1.0, math.inf]], [1], "round 0: the advice of expert 1 is inf; advice must be finite, or nan"),
        ([[1.0], [2.0]], [1.0, math.nan], "round 1: the outcome is nan"),
        ([[1.0], [2.0]], [1.0], r"the outcomes have shape \(1,\); expected one for each of 2 rounds"),
        ([1.0, 2.0], [1.0, 2.0], r"the advice has shape \(2,\)"),
        (np.empty((0, 2)), [], r"the advice has shape \(0, 2\)"),
        ([["a"]], [1.0], "the advice have dtype"),
    ],
)
def test_malformed_advice_is_refused_in_one_sentence(advice: object, outcomes: list[float], sentence: str) -> None:
    for oracle in (best_expert, best_convex, best_linear, uniform):
        with pytest.raises(InvalidData, match=sentence):
            oracle(np.array(advice), outcomes, SQUARE)
    with pytest.raises(InvalidData, match=sentence):
        best_sequence(np.array(advice), outcomes, SQUARE, switches=1)


def test_names_come_from_the_frame_the_caller_or_the_position() -> None:
    columns = {"gam": [1.0, 2.0], "ar": [2.0, 1.0]}
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns)):
        assert best_expert(frame, [1, 2], SQUARE).experts == ("gam", "ar")
    assert best_expert([[1.0, 2.0]], [1], SQUARE).experts == ("0", "1")
    assert best_expert([[1.0, 2.0]], [1], SQUARE, experts=["a", "b"]).experts == ("a", "b")
    with pytest.raises(InvalidData, match="there are 1 names and 2 experts"):
        best_expert([[1.0, 2.0]], [1], SQUARE, experts=["a"])


def test_results_are_values() -> None:
    best = best_convex([[0.0, 1.0]], [0.5], SQUARE)
    with pytest.raises(ValueError, match="read-only"):
        best.weights[0] = 1.0


def test_the_callers_arrays_are_left_alone() -> None:
    advice, y = forecasts(10, 3, seed=0)
    advice[2, 1] = np.nan
    before = advice.copy()
    best_convex(advice, y, SQUARE)
    best_sequence(advice, y, SQUARE, switches=2)
    assert np.array_equal(advice, before, equal_nan=True)


# Sequences.


def every_sequence(losses: FloatArray, switches: int) -> float:
    rounds, experts = losses.shape
    allowed = (
        choice
        for choice in itertools.product(range(experts), repeat=rounds)
        if sum(a != b for a, b in itertools.pairwise(choice)) <= switches
    )
    return min(float(sum(losses[t, i] for t, i in enumerate(choice))) for choice in allowed)


@given(seed=st.integers(0, 10_000), rounds=st.integers(1, 6), experts=st.integers(1, 3), switches=st.integers(0, 7))
@settings(max_examples=60)
def test_the_best_sequence_is_the_best_of_all_sequences(seed: int, rounds: int, experts: int, switches: int) -> None:
    losses = np.random.default_rng(seed).integers(0, 5, size=(rounds, experts)).astype(np.float64)
    best = best_sequence_of_losses(losses, switches=switches)
    assert best.total == every_sequence(losses, switches)
    assert best.switches <= switches
    assert best.total == sum(losses[t, i] for t, i in enumerate(best.choices))
    assert [value * rounds for value in best.by_switches] == pytest.approx(
        [every_sequence(losses, k) for k in range(len(best.by_switches))]
    )


def test_segments_and_words_of_a_sequence() -> None:
    best = best_sequence([[0.0, 1.0]] * 5, [0, 0, 1, 1, 0], ABSOLUTE, switches=2, experts=["low", "high"])
    assert best.segments == [(0, 2, "low"), (2, 4, "high"), (4, 5, "low")]
    assert str(best) == "best sequence of experts: mean loss 0 with 2 switches"


def test_a_sequence_stays_where_switching_does_not_help() -> None:
    best = best_sequence([[0.0, 0.0]] * 4, [1, 1, 1, 1], ABSOLUTE, switches=3)
    assert (best.choices.tolist(), best.switches) == ([0, 0, 0, 0], 0)


def test_a_sequence_never_follows_a_sleeper() -> None:
    advice = [[0.0, 1.0], [math.nan, 1.0], [0.0, 1.0]]
    best = best_sequence(advice, [0, 0, 0], ABSOLUTE, switches=2)
    assert (best.choices.tolist(), best.total) == ([0, 1, 0], 1.0)
    assert best_sequence(advice, [0, 0, 0], ABSOLUTE, switches=0).choices.tolist() == [1, 1, 1]
    with pytest.raises(InvalidData, match="no sequence with at most 0 switches is awake throughout"):
        best_sequence([[0.0, math.nan], [math.nan, 1.0]], [0, 0], ABSOLUTE, switches=0)


def test_switches_below_0_and_losses_that_are_not_numbers_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="switches is -1"):
        best_sequence_of_losses([[0.0, 1.0]], switches=-1)
    with pytest.raises(InvalidData, match="round 0: the loss of expert 1 is nan"):
        best_sequence_of_losses([[0.0, math.nan]], switches=0)


def test_a_long_sequence_is_found_in_reasonable_time_and_space() -> None:
    losses = np.random.default_rng(0).random((5_000, 20))
    best: ExpertSequence = best_sequence_of_losses(losses, switches=30)
    assert best.switches == 30
    assert best.mean == pytest.approx(best.by_switches[-1], rel=1e-12)


def test_importing_the_oracles_does_not_import_scipy() -> None:
    code = "import sys, littlestone.experts.oracles; print(any(name.startswith('scipy') for name in sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"
