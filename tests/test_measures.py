"""What practitioners look at: errors of what was shown, MAE, RMSE, R², each beside those who learn nothing."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.cli.main import main


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=1, max_size=12))
def test_regression_is_measured_as_numpy_does(rounds: list[tuple[float, float]]) -> None:
    X, y = np.array([[x] for x, _ in rounds]), np.array([target for _, target in rounds])
    run = ls.run(ls.PassiveAggressiveRegression(epsilon=0.25), X, y, keep=("score",))
    ledger, error = run.ledger, run.columns["score"] - y
    assert ledger.targets == len(y)
    assert ledger.mae == pytest.approx(np.mean(np.abs(error)))
    assert ledger.rmse == pytest.approx(np.sqrt(np.mean(error**2)))
    if np.var(y) > 1e-6:
        assert ledger.r_squared == pytest.approx(1.0 - np.sum(error**2) / np.sum((y - y.mean()) ** 2))
    means = [np.mean(y[:t]) if t else 0.0 for t in range(len(y))]
    assert ledger.baselines["running mean"] == pytest.approx(np.mean(np.abs(means - y)))
    assert ledger.baselines["last value"] == pytest.approx(np.mean(np.abs(np.r_[0.0, y[:-1]] - y)))


@given(st.lists(st.tuples(st.sampled_from([-1.0, 0.0, 1.0]), st.sampled_from([-1, 1])), min_size=1, max_size=12))
def test_labels_are_measured_by_what_was_shown(rounds: list[tuple[float, int]]) -> None:
    X, y = np.array([[x] for x, _ in rounds]), np.array([label for _, label in rounds])
    run = ls.run(ls.Perceptron(), X, y, labels=(-1, 1), keep=("prediction",))
    assert run.ledger.shown_errors == np.sum(run.columns["prediction"] != y) <= run.ledger.mistakes
    majority = [1 if 2 * np.sum(y[:t] == 1) >= t else -1 for t in range(len(y))]
    assert run.ledger.majority_errors == np.sum(majority != y)
    assert run.ledger.last_label_errors == 1 + np.sum(y[1:] != y[:-1])


def test_classes_have_the_last_label_beside_them() -> None:
    run = ls.run(ls.MulticlassPerceptron(), np.eye(3)[[0, 1, 2, 2, 1]], list("abcca"))
    assert run.ledger.last_label_errors == 4
    assert run.ledger.baselines == {"last label": 0.8}


def test_the_command_line_shows_and_keeps_them(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("x,y\n1,2.1\n2,4\n3,6.2\n4,7.9\n5,10.1\n")
    command = ["learn", str(tmp_path / "r.csv"), "--rule", "passive-aggressive-regression"]
    shown = CliRunner().invoke(main, command).output
    assert "MAE 0.526667; running mean 3.2, last value 2.02" in shown
    assert "mistakes" not in shown
    kept = json.loads(CliRunner().invoke(main, [*command, "--json", "--quiet"]).output)["measures"]
    assert kept["mae"] == pytest.approx(0.5266666)
    assert set(kept["baselines"]) == {"running mean", "last value"}
