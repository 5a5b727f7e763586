"""What may come in, what is refused, and that a refusal changes nothing."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np
import pandas as pd
import polars as pl
import pytest

import littlestone as ls
import pressed
from expert_laws import random_losses
from inventory import EXPERTS as RULES
from littlestone.arrays import BoolArray, FloatArray
from littlestone.experts import ExpertState
from littlestone.experts.losses import Loss
from littlestone.experts.rule import ExpertRule, proportional

if TYPE_CHECKING:
    from littlestone.experts.mixture import AdviceRow

ADVICE = np.array([[1.0, 2.0, 4.0], [2.0, np.nan, 5.0], [3.0, 1.0, 2.0]])
OUTCOMES = np.array([1.0, 3.0, 2.0])
BOUNDED = ls.losses.Square(low=0.0, high=10.0)


def test_frames_in_frames_out() -> None:
    names = ["gam", "ar", "gbm"]
    plain = ls.aggregate(ls.MLpol(), ADVICE, OUTCOMES, loss="square", keep=("weights",), experts=names)
    pandas = pd.DataFrame(ADVICE, columns=names, index=pd.date_range("2024-01-01", periods=3))
    run = ls.aggregate(ls.MLpol(), pandas, pd.Series(OUTCOMES), loss="square", keep=("weights",))
    assert isinstance(run.weights, pd.DataFrame)
    assert isinstance(run.predictions, pd.Series)
    pd.testing.assert_frame_equal(run.weights, pd.DataFrame(np.asarray(plain.weights), columns=names, index=pandas.index))
    pd.testing.assert_index_equal(run.predictions.index, pandas.index)
    polars = pl.DataFrame(dict(zip(names, ADVICE.T, strict=True)))
    other = ls.aggregate(ls.MLpol(), polars, pl.Series(OUTCOMES), loss="square", keep=("weights",))
    assert isinstance(other.weights, pl.DataFrame)
    assert other.weights.columns == names
    np.testing.assert_array_equal(other.weights.to_numpy(), plain.weights)
    np.testing.assert_array_equal(np.asarray(other.regrets()), plain.regrets())
    assert run.ledger.experts == other.ledger.experts == plain.ledger.experts == tuple(names)


def test_regret_curves_end_in_the_ledger() -> None:
    run = ls.aggregate(ls.ExponentialWeights(), ADVICE, OUTCOMES, loss="square")
    np.testing.assert_allclose(np.asarray(run.regrets())[-1], run.ledger.regrets, atol=1e-12)
    assert run.regret == pytest.approx(float(np.max(run.ledger.regrets)))


def test_names_lists_and_arrays_say_the_same() -> None:
    mixtures = [ls.Mixture(ls.BOA(), experts=["a", "b", "c"], loss="square") for _ in range(4)]
    rows: tuple[Callable[[FloatArray], AdviceRow], ...] = (
        lambda row: row,
        lambda row: tuple(None if math.isnan(x) else x for x in row),
        lambda row: {name: x for name, x in zip("abc", row.tolist(), strict=True) if not math.isnan(x)},
        lambda row: row.astype(np.float32),
    )
    for mixture, shape in zip(mixtures, rows, strict=True):
        for row, y in zip(ADVICE, OUTCOMES, strict=True):
            mixture.learn_one(shape(row), float(y))
    assert len({mixture.ledger.loss for mixture in mixtures}) == 1
    assert mixtures[0].weights.keys() == {"a", "b", "c"}


@dataclass(frozen=True, kw_only=True, eq=False)
class FollowTheLeader(ExpertRule):
    """A rule of a user's, in Python alone."""

    source: ClassVar[str] = "folklore"

    def init(self, experts: int) -> ExpertState:
        return ExpertState(losses=np.zeros(experts))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        here = state.losses if awake is None else np.where(awake, state.losses, np.inf)
        return proportional((here == here.min()).astype(np.float64), awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        state.losses[:] += losses


def test_a_rule_in_python_alone_runs_everywhere() -> None:
    run = ls.aggregate(FollowTheLeader(), ADVICE, OUTCOMES, loss="square", keep=("weights",))
    np.testing.assert_allclose(run.weights, [[1 / 3, 1 / 3, 1 / 3], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    assert run.certify() == []


REFUSED: list[tuple[str | Loss, FloatArray, list[float], str]] = [
    (BOUNDED, np.array([[1.0, 9.0]]), [1.0], "row 0: the loss of expert 1 is 64; it must be in the declared range [0, 10]"),
    ("square", np.array([[1.0, np.inf]]), [1.0], "row 0: the advice of expert 1 is inf; it must be finite, or nan for sleep"),
    ("square", np.array([[1.0, 2.0]]), [math.nan], "row 0: the outcome is nan; it must be finite"),
    ("square", np.array([[np.nan, np.nan]]), [1.0], "row 0: every expert sleeps; a round needs at least one that is awake"),
    ("zero_one", np.array([[1.0, 0.5]]), [1.0], "row 0: the advice of expert 1 is 0.5; it must be 0 or 1"),
    ("zero_one", np.array([[1.0, 0.0]]), [2.0], "row 0: the outcome is 2; it must be 0 or 1"),
    ("brier", np.array([[1.0, 1.5]]), [1.0], "row 0: the advice of expert 1 is 1.5; it must be a probability"),
    ("log", np.array([[1.0, 0.0]]), [1.0], "row 0: the loss of expert 1 is inf; it must be finite"),
    ("percentage", np.array([[1.0, 0.0]]), [0.0], "row 0: the outcome is 0; it must be finite and not 0"),
]


@pytest.mark.parametrize("rule", [ls.ExponentialWeights(), FollowTheLeader()], ids=["compiled", "python"])
@pytest.mark.parametrize(("loss", "advice", "outcome", "words"), REFUSED)
def test_a_refused_round_changes_nothing(
    rule: ExpertRule, loss: str | Loss, advice: FloatArray, outcome: list[float], words: str
) -> None:
    mixture = ls.Mixture(rule, experts=2, loss=loss)
    good, target = np.array([[1.0, 1.0], [1.0, 1.0]]), np.array([1.0, 1.0])
    mixture.learn_many(good, target)
    before, ledger, arrays = mixture.weights, mixture.ledger, mixture.state.copy()
    with pytest.raises(ls.InvalidData) as one:
        mixture.learn_one(advice[0], outcome[0])
    with pytest.raises(ls.InvalidData) as many:
        mixture.learn_many(np.vstack([good, advice]), np.r_[target, outcome])
    assert str(one.value) == words
    assert str(many.value) == words.replace("row 0", "row 2")
    assert mixture.weights == before
    assert (mixture.ledger.loss, mixture.ledger.rounds) == (ledger.loss, ledger.rounds)
    for name, array in mixture.state.arrays.items():
        np.testing.assert_array_equal(array, arrays.arrays[name])


def test_a_refused_round_says_what_was_expected() -> None:
    mixture = ls.Mixture(ls.BOA(), experts=["a", "b"], loss="square")
    with pytest.raises(ls.InvalidData, match="there are 3 pieces of advice and 2 experts"):
        mixture.learn_one([1.0, 2.0, 3.0], 1.0)
    with pytest.raises(ls.InvalidData, match="there is no expert 'c'; there are a, b"):
        mixture.predict_one({"c": 1.0})
    with pytest.raises(ls.InvalidData, match="not a number"):
        mixture.predict_one(cast("list[float | None]", [1.0, "x"]))
    with pytest.raises(ls.InvalidData, match="there is no expert 'x'; there are a, b"):
        mixture.learn_many(pd.DataFrame({"x": [1.0], "y": [2.0]}), [1.0])
    with pytest.raises(ls.InvalidData, match="expected one for each of 3 rounds"):
        ls.aggregate(ls.BOA(), ADVICE, [1.0], loss="square")
    with pytest.raises(ls.InvalidData, match="the advice have dtype"):
        ls.aggregate(ls.BOA(), np.array([["a"]]), [1.0], loss="square")


@pytest.mark.parametrize(
    "make",
    [
        lambda: ls.ExponentialWeights(eta=0.0),
        lambda: ls.ExponentialWeights(eta=0.5, horizon=10),
        lambda: ls.ExponentialWeights(eta=0.5, schedule="anytime"),
        lambda: ls.ExponentialWeights(schedule="fixed"),
        lambda: ls.ExponentialWeights(horizon=0),
        lambda: ls.ExponentialWeights(prior=np.array([0.5, 0.6])),
        lambda: ls.RandomizedWeightedMajority(beta=1.0),
        lambda: ls.RandomizedWeightedMajority(beta=0.5, horizon=3),
        lambda: ls.WeightedMajority(beta=1.0),
        lambda: ls.WeightedMajority(update_on="never"),
        lambda: ls.MultiplicativeWeights(alpha=1.0),
        lambda: ls.MultiplicativeWeights(alpha=2.0, horizon=3),
        lambda: ls.MultiplicativeWeights(beta=0.5, horizon=3),
        lambda: ls.PolynomialWeights(alpha=1.9),
        lambda: ls.FixedShare(),
        lambda: ls.FixedShare(eta=0.5, horizon=5),
        lambda: ls.FixedShare(horizon=5, switches=4),
        lambda: ls.SwapRegret(),
        lambda: ls.AggregatingAlgorithm(eta=2.1),
        lambda: ls.losses.Pinball(quantile=1.0),
        lambda: ls.losses.Square(low=0.0),
        lambda: ls.losses.Square(low=1.0, high=1.0),
        lambda: ls.Mixture(ls.BOA(), experts=[], loss="square"),
        lambda: ls.Mixture(ls.BOA(), experts=["a", "a"], loss="square"),
        lambda: ls.aggregate(ls.BOA(), ADVICE, OUTCOMES, loss="square", keep=("gaps",)),
    ],
)
def test_parameters_outside_their_domain(make: Callable[[], object]) -> None:
    with pytest.raises(ls.InvalidParameter):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: ls.hedge(ls.WeightedMajority(), ADVICE),
        lambda: ls.aggregate(ls.Halving(), ADVICE, OUTCOMES, loss="square"),
        lambda: ls.aggregate(ls.AggregatingAlgorithm(), ADVICE, OUTCOMES, loss="square"),
        lambda: ls.aggregate(ls.MultiplicativeWeights(), ADVICE, OUTCOMES, loss="square"),
        lambda: ls.aggregate(ls.ExponentialWeights(), ADVICE, OUTCOMES, loss="zero_one", gradient=True),
        lambda: ls.aggregate(ls.BOA(), ADVICE, OUTCOMES, loss="square").weights,
    ],
)
def test_what_has_no_meaning(make: Callable[[], object]) -> None:
    with pytest.raises(ls.NotApplicable):
        make()


def test_an_unknown_loss_lists_the_known_ones() -> None:
    with pytest.raises(ls.UnknownName, match="there is no loss 'mse'; there are zero_one, absolute"):
        ls.aggregate(ls.BOA(), ADVICE, OUTCOMES, loss="mse")


def test_a_loss_of_ones_own() -> None:
    own = ls.losses.Custom(
        function=lambda x, y: (x - y) * (x - y), derivative=lambda x, y: 2.0 * (x - y), convex=True, low=0.0, high=20.0
    )
    for gradient in (False, True):
        named = ls.aggregate(ls.MLewa(), ADVICE, OUTCOMES, loss="square", gradient=gradient)
        mine = ls.aggregate(ls.MLewa(), ADVICE, OUTCOMES, loss=own, gradient=gradient)
        np.testing.assert_allclose(mine.predictions, named.predictions, rtol=1e-12)
    with pytest.raises(ls.InvalidData, match="declared range"):
        ls.aggregate(ls.MLewa(), 10 * ADVICE, OUTCOMES, loss=own)


@pytest.mark.parametrize("name", [name for name in ls.losses.LOSSES if name != "zero_one"])
def test_gradients_are_the_slopes_of_losses(name: str) -> None:
    loss, x = ls.losses.LOSSES[name](), np.array([0.2, 0.45, 0.8])
    for y in (1.0, 0.0) if loss.probabilities else (0.5, 1.5):
        outcome = np.full(3, y)
        slope = (loss(x + 1e-7, outcome) - loss(x - 1e-7, outcome)) / 2e-7
        np.testing.assert_allclose(loss.gradient(x, outcome), slope, rtol=1e-5)
        spec = loss.spec()
        np.testing.assert_allclose([spec.of(float(v), y) for v in x], loss(x, outcome), rtol=1e-15)
        np.testing.assert_allclose([spec.gradient(float(v), y) for v in x], loss.gradient(x, outcome), rtol=1e-15)


def test_a_tracked_range_is_free_of_scale() -> None:
    advice = random_losses(1)
    for rule in RULES:
        if rule.unit and rule.tracks and not rule.votes and not rule.losses:
            runs = [ls.aggregate(rule, s * advice, s * advice[:, 0], loss="absolute").predictions for s in (1.0, 1024.0)]
            np.testing.assert_allclose(np.asarray(runs[1]), 1024.0 * np.asarray(runs[0]), rtol=1e-9)


def test_the_first_prediction_is_the_mean_of_the_experts() -> None:
    for rule in RULES:
        if not rule.votes and not rule.losses and rule.tracks and not isinstance(rule, ls.FollowThePerturbedLeader):
            assert ls.Mixture(rule, experts=3, loss="square").predict_one([1.0, 2.0, 3.0]) == pytest.approx(2.0)


def test_ctrl_c_keeps_the_rounds_before_it() -> None:
    losses = np.random.default_rng(0).random((200_000, 50))
    mixture = ls.Mixture(ls.FollowThePerturbedLeader(), experts=50, loss=ls.losses.Given())
    with pytest.raises(KeyboardInterrupt), pressed.ctrl_c(after=0.2):
        _learn_for_long(mixture, losses)
    rounds = mixture.ledger.rounds
    assert 0 < rounds < 100 * len(losses)
    assert mixture.state.rounds[0] == rounds
    mixture.learn_many(losses[:3], None)
    assert mixture.ledger.rounds == rounds + 3


def _learn_for_long(mixture: ls.Mixture, losses: FloatArray) -> None:
    for _ in range(100):
        mixture.learn_many(losses, None)
