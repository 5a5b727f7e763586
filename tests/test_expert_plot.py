"""`run.plot()`: what is drawn are the numbers of the run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.report.chart import COLOURS
from littlestone.report.expert_plot import run_charts


def table(rounds: int = 50, experts: int = 3) -> tuple[FloatArray, FloatArray]:
    random = np.random.default_rng(1)
    return random.random((rounds, experts)), random.random(rounds)


def test_three_pictures_in_a_file(tmp_path: Path) -> None:
    run = ls.aggregate(ls.MLpol(), *table(), experts=["a", "b", "$c_$"])
    figure = run.plot(tmp_path / "run.png")
    assert (tmp_path / "run.png").read_bytes().startswith(b"\x89PNG")
    assert [axes.get_title(loc="left").split(":")[0] for axes in figure.axes] == ["Weights", "Regret", "Cumulative loss"]
    legend = figure.axes[2].get_legend()
    assert legend is not None
    assert {text.get_text() for text in legend.get_texts()} == {"a", "b", "$c_$", "mixture"}
    run.plot(tmp_path / "run.svg")
    assert b"Cumulative loss" in (tmp_path / "run.svg").read_bytes()


def test_the_curves_are_those_of_the_run() -> None:
    advice, outcomes = table()
    advice[10:20, 1] = np.nan
    run = ls.aggregate(ls.BOA(), advice, outcomes, keep=("weights",))
    weights, regrets, losses = run_charts(run)
    for line in weights.stack:
        np.testing.assert_allclose(line.y, np.asarray(run.weights)[:, int(line.name)])
    for line in regrets.lines[:-1]:
        np.testing.assert_allclose(line.y, np.asarray(run.regrets())[:, int(line.name.removeprefix("to "))])
    assert float(regrets.lines[-1].y[-1]) == pytest.approx(run.regret)
    assert float(losses.lines[-1].y[-1]) == pytest.approx(run.ledger.loss)
    # Whoever slept is charged what the mixture lost meanwhile.
    theirs = {line.name: float(line.y[-1]) for line in losses.lines[:-1]}
    assert theirs["1"] == pytest.approx(float(run.ledger.losses[1] + run.ledger.asleep_loss[1]))
    again = run_charts(ls.aggregate(ls.BOA(), advice, outcomes))[0]
    for kept, repeated in zip(weights.stack, again.stack, strict=True):
        np.testing.assert_array_equal(kept.y, repeated.y)


def test_many_experts_share_a_grey_and_late_outcomes_are_drawn_as_spoken() -> None:
    run = ls.aggregate(None, *table(600, 12), delay=4)
    weights, regrets, _ = run_charts(run)
    assert len(weights.stack) == COLOURS + 1
    assert weights.stack[-1].name == "5 others"
    np.testing.assert_allclose(sum(line.y for line in weights.stack), 1.0)
    np.testing.assert_allclose(weights.stack[0].y[:4], 1 / 12)
    assert len(regrets.lines[0].x) <= 400


def test_linear_weights_are_lines_and_a_piece_of_a_stream_has_no_weights() -> None:
    advice, outcomes = table()
    linear = run_charts(ls.aggregate(ls.RidgeWeights(), advice, outcomes))[0]
    assert linear.stack == ()
    assert len(linear.lines) == 3
    mixture = ls.Mixture(ls.MLpol(), experts=3)
    mixture.learn_many(advice, outcomes)
    assert [chart.name for chart in run_charts(mixture.learn_many(advice, outcomes))] == ["regret", "losses"]
    with pytest.raises(ls.NotApplicable, match="has no rounds; there is nothing to draw"):
        ls.Mixture(ls.MLpol(), experts=3).learn_many(advice[:0], outcomes[:0]).plot()
