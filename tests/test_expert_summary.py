"""What a run says of itself: the rule and loss that were taken, everybody's measures, and who slept."""

from __future__ import annotations

import math

import numpy as np
import pytest

import littlestone as ls
from littlestone.experts.summary import SLEEPERS

Y = np.array([10.0, 20.0, 10.0, 40.0])
ADVICE = np.array([[11.0, 8.0], [18.0, 20.0], [10.0, 13.0], [40.0, 36.0]])


def test_no_rule_is_adahedge_on_gradients_and_no_loss_is_the_square_loss() -> None:
    run = ls.aggregate(None, ADVICE, Y)
    same = ls.aggregate(ls.AdaHedge(), ADVICE, Y, loss="square", gradient=True)
    np.testing.assert_array_equal(run.predictions, same.predictions)
    assert "square loss (none was given), learned from gradients" in str(run)
    assert "none was given" not in str(same)
    mixture = ls.Mixture(experts=2)
    assert (type(mixture.rule), mixture.loss.name, mixture.gradient) == (ls.AdaHedge, "square", True)
    assert "square loss" in repr(mixture)
    assert not ls.Mixture(experts=2, loss="zero_one").gradient
    assert ls.hedge(ls.AdaHedge(), ADVICE / 40.0).gradient is False
    assert run.certify()[0].id == "second.adahedge"


def test_measures_by_hand() -> None:
    """Errors 1, −2, 0, 0: mean square 5/4, mean 3/4, and relative 1/10 and 1/10 over four."""
    first = next(row for row in ls.aggregate(ls.MLpol(), ADVICE, Y, experts=["a", "b"]).standings() if row.name == "a")
    assert first.measures == pytest.approx({"loss": 1.25, "RMSE": math.sqrt(1.25), "MAE": 0.75, "MAPE": 0.05})
    assert first.rounds == 4
    quantile = ls.aggregate(ls.MLpol(), ADVICE, Y, loss=ls.losses.Pinball(quantile=0.9), experts=["a", "b"])
    low = next(row for row in quantile.standings() if row.name == "a")
    assert low.measures == pytest.approx({"loss": (0.1 + 1.8) / 4.0, "below": 0.75})


def test_the_mean_of_the_advice_and_the_mixture_stand_beside_the_experts() -> None:
    rows = ls.aggregate(ls.MLpol(), ADVICE, Y, experts=["a", "b"]).standings()
    assert {row.name for row in rows} == {"a", "b", "mean of the advice", "ml-pol (mixture)"}
    assert [row.measures["loss"] for row in rows] == sorted(row.measures["loss"] for row in rows)
    mean = next(row for row in rows if row.name == "mean of the advice")
    assert mean.measures["loss"] == pytest.approx(np.mean((ADVICE.mean(axis=1) - Y) ** 2))
    assert sum(row.weight for row in rows if row.weight is not None) == pytest.approx(1.0)


def test_no_relative_error_where_an_outcome_is_0() -> None:
    (row, *_) = ls.aggregate(ls.MLpol(), ADVICE, [0.0, 1.0, 2.0, 3.0]).standings()
    assert set(row.measures) == {"loss", "RMSE", "MAE"}


def test_labels_and_losses_have_their_loss_alone() -> None:
    labels = ls.aggregate(ls.AdaHedge(), np.round(ADVICE / 40.0), [0, 1, 0, 1], loss="zero_one")
    losses = ls.hedge(ls.AdaHedge(), ADVICE / 40.0)
    for run in (labels, losses):
        assert all(set(row.measures) == {"loss"} for row in run.standings())
    assert "given losses" in str(losses)


def test_who_slept_on_hard_days_ranks_above_and_it_is_said_why() -> None:
    """The second expert is awake on two easy days: its mean is the smallest, and the regret to it is still below 0."""
    advice = np.array([[10.0, np.nan], [30.0, np.nan], [10.0, 11.0], [41.0, 42.0]])
    run = ls.aggregate(ls.AdaHedge(), advice, Y, experts=["always", "easy"])
    first = run.standings()[0]
    assert (first.name, first.rounds) == ("easy", 2)
    assert first.regret is not None
    assert first.regret < 0.0
    assert str(run).endswith(SLEEPERS)
    assert "rounds" in str(run).splitlines()[1]
    assert SLEEPERS not in str(ls.aggregate(ls.AdaHedge(), ADVICE, Y))


def test_nobody_heard_of_an_expert_that_never_woke() -> None:
    advice = np.column_stack([ADVICE[:, 0], np.full(4, np.nan)])
    rows = ls.aggregate(ls.AdaHedge(), advice, Y, experts=["a", "silent"]).standings()
    silent = next(row for row in rows if row.name == "silent")
    assert (silent.rounds, silent.regret) == (0, 0.0)
    assert math.isnan(silent.measures["loss"])
