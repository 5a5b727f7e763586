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


def test_classes_have_the_last_and_the_commonest_label_beside_them() -> None:
    """The commonest is none, a, a, a and then c: never right."""
    run = ls.run(ls.MulticlassPerceptron(), np.eye(3)[[0, 1, 2, 2, 1]], list("abcca"))
    assert run.ledger.last_label_errors == 4
    assert run.ledger.baselines == {"majority label": 1.0, "last label": 0.8}
    assert run.learner.ledger.baselines == {"last label": 0.8}


def test_the_command_line_shows_and_keeps_them(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("x,y\n1,2.1\n2,4\n3,6.2\n4,7.9\n5,10.1\n")
    command = ["learn", str(tmp_path / "r.csv"), "--rule", "passive-aggressive-regression"]
    shown = CliRunner().invoke(main, command).output
    assert "MAE 0.526667; running mean 3.2, last value 2.02" in shown
    assert "mistakes" not in shown
    kept = json.loads(CliRunner().invoke(main, [*command, "--json", "--quiet"]).output)["measures"]
    assert kept["mae"] == pytest.approx(0.5266666)
    assert set(kept["baselines"]) == {"running mean", "last value"}


# --- passes, rows held out, checkpoints


@pytest.fixture(name="stream")
def of_labels(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=300) > 0, 1, -1)
    lines = (f"{label} " + " ".join(f"{k + 1}:{v:.4f}" for k, v in enumerate(row)) for row, label in zip(X, y, strict=True))
    (tmp_path / "s.svm").write_text("\n".join(lines) + "\n")
    return tmp_path / "s.svm"


def learn(*words: object) -> str:
    result = CliRunner().invoke(main, ["learn", *(str(word) for word in words), "--rule", "perceptron"])
    assert result.exit_code == 0, result.output
    return result.output


def test_the_progressive_error_is_that_of_the_first_pass(stream: Path) -> None:
    once, often = learn(stream), learn(stream, "--passes", 4)
    error = next(line for line in once.splitlines() if line.startswith("error"))
    assert error in often
    assert "first pass: 300 rounds" in often
    assert "all 4 passes, the later ones over rows learned before: 1,200 rounds" in often


def test_rows_held_out_are_predicted_and_never_learned(stream: Path) -> None:
    shown = json.loads(learn(stream, "--holdout", 10, "--passes", 2, "--json", "--quiet"))
    assert shown["ledger"]["rounds"] == 2 * 270
    assert [held["rows"] for held in shown["held_out"]] == [30, 30]
    ((X, y),) = ls.read(stream)
    learner, wrong = ls.Learner(ls.Perceptron()), 0
    for t in range(300):
        if t % 10 == 9:
            wrong += learner.predict_one(X.row(t)) != y[t]
        else:
            learner.learn_one(X.row(t), y[t])
    assert shown["held_out"][0]["error"] == pytest.approx(wrong / 30)


@pytest.mark.parametrize("passes", [1, 3])
def test_a_run_that_was_cut_off_goes_on_with_the_same_bits(stream: Path, tmp_path: Path, passes: int) -> None:
    whole, part = tmp_path / "whole.lst", tmp_path / "part.lst"
    learn(stream, "--model", whole, "--passes", passes)
    cut = tmp_path / "cut.svm"
    cut.write_text("".join(stream.read_text().splitlines(keepends=True)[:170]))
    learn(cut, "--model", part, "--checkpoint", 50)  # the checkpoint that a crash would leave behind
    learn(stream, "--model", part, "--passes", passes, "--resume", "--checkpoint", 64)
    resumed, straight = ls.load(part), ls.load(whole)
    assert resumed.state.w.tobytes() == straight.state.w.tobytes()
    assert resumed.ledger == straight.ledger


def test_to_resume_there_must_be_as_many_rows(stream: Path, tmp_path: Path) -> None:
    learn(stream, "--model", tmp_path / "m.lst")
    stream.write_text("1 1:1\n")
    result = CliRunner().invoke(main, ["learn", str(stream), "--model", str(tmp_path / "m.lst"), "--resume"])
    assert "the model has learned 299 rows more than there are" in result.output
    assert result.exit_code == 1


def test_a_name_that_is_almost_right_is_understood(stream: Path) -> None:
    runner = CliRunner()
    for name in ("Perceptron", "PERCEPTRON", "pa", "passive_aggressive", "PassiveAggressive"):
        assert runner.invoke(main, ["learn", str(stream), "--rule", name]).exit_code == 0
    assert "did you mean perceptron" in runner.invoke(main, ["learn", str(stream), "--rule", "perzeptron"]).output


def test_what_was_asked_for_is_printed_quietly_and_without_colours(stream: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "holds" in learn(stream, "--certify", "--quiet") or "vacuous" in learn(stream, "--certify", "--quiet")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in CliRunner().invoke(main, ["learn", str(stream), "--certify"], color=True).output
