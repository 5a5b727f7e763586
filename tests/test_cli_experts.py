"""`littlestone experts` as it is typed: measures, quantiles, delays, files that go on, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import littlestone as ls
from test_cli import call, refused

ROWS = 80


@pytest.fixture
def forecasts(tmp_path: Path) -> Path:
    random = np.random.default_rng(1)
    y = 50.0 + 10.0 * np.sin(np.arange(ROWS) / 10.0)
    advice = y[:, None] + random.normal(size=(ROWS, 3)) * [1.0, 3.0, 2.0]
    path = tmp_path / "f.csv"
    np.savetxt(path, np.column_stack([y, advice]), delimiter=",", header="y,a,b,c", comments="", fmt="%.17g")
    return path


def read(path: Path) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.float64]], np.ndarray[tuple[int], np.dtype[np.float64]]]:
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    return table[:, 1:], table[:, 0]


def piece(path: Path, name: str, begin: int, end: int, header: str = "y,a,b,c") -> Path:
    lines = path.read_text().splitlines()[1:]
    target = path.with_name(name)
    target.write_text("\n".join([header, *lines[begin:end]]) + "\n")
    return target


def standing(stdout: str, name: str) -> dict[str, float]:
    return next(row for row in json.loads(stdout)["standings"] if row["name"] == name)


def test_without_a_rule_and_a_loss(forecasts: Path) -> None:
    result = call("experts", forecasts, "--truth", "y")
    assert result.exit_code == 0
    assert result.stdout.startswith("AdaHedge() on gradients, square loss: 80 rounds")
    for head in ("mean loss", "RMSE", "MAE", "MAPE", "regret", "next weight"):
        assert head in result.stdout.splitlines()[1]
    assert "second.adahedge" in result.stdout
    found = standing(call("experts", forecasts, "--truth", "y", "--json").stdout, "ada-hedge (mixture)")
    run = ls.aggregate(None, *read(forecasts))
    assert found["loss"] == pytest.approx(run.ledger.mean_loss)
    assert found["RMSE"] == pytest.approx(np.sqrt(run.ledger.mean_loss))


def test_a_quantile(forecasts: Path) -> None:
    found = json.loads(call("experts", forecasts, "--truth", "y", "--quantile", "0.9", "--rule", "boa", "--json").stdout)
    advice, outcomes = read(forecasts)
    run = ls.aggregate(ls.BOA(), advice, outcomes, loss=ls.losses.Pinball(quantile=0.9))
    assert found["loss"] == "pinball"
    assert found["mean loss"]["BOA"] == pytest.approx(run.ledger.mean_loss)
    assert set(found["standings"][0]) == {"name", "rounds", "loss", "below", "regret", "next weight"}


def test_a_delay(forecasts: Path) -> None:
    result = call("experts", forecasts, "--truth", "y", "--delay", "5")
    assert "the truth 5 rows late" in result.stdout
    assert "the delay cost" in result.stdout
    found = json.loads(call("experts", forecasts, "--truth", "y", "--delay", "5", "--json").stdout)
    assert found["mean loss"]["AdaHedge"] == pytest.approx(ls.aggregate(None, *read(forecasts), delay=5).ledger.mean_loss)


def test_copies_that_take_turns(forecasts: Path, tmp_path: Path) -> None:
    with forecasts.open("a") as file:
        file.write(",50,51,52\n,50,,\n")
    args = ("experts", forecasts, "--truth", "y", "--delay", "5", "--interleave", "--rule", "boa")
    result = call(*args, "--predictions", tmp_path / "p.txt")
    assert result.stdout.startswith(
        "6 copies of BOA() on gradients in turns, square loss, the truth 5 rows late: 80 rounds, 2 more to come"
    )
    assert "delay.interleaved: holds" in result.stdout
    found = json.loads(call(*args, "--json").stdout)
    table = np.genfromtxt(forecasts, delimiter=",", skip_header=1)
    run = ls.interleave(ls.BOA(), table[:ROWS, 1:], table[:ROWS, 0], delay=5, experts=["a", "b", "c"])
    assert found["mean loss"] == run.mean_loss
    assert (found["regret"], found["best"], found["copies"]) == (run.regret, run.best, 6)
    said = np.loadtxt(tmp_path / "p.txt")
    np.testing.assert_allclose(said[:ROWS], run.predictions, rtol=1e-8)
    np.testing.assert_allclose(said[ROWS:], run.predict_many(table[ROWS:, 1:]), rtol=1e-8)
    weights = list(run.mixtures[ROWS % 6].weights.values())
    assert said[ROWS] == pytest.approx(np.dot(weights, [50.0, 51.0, 52.0]))
    assert said[ROWS + 1] == 50.0


def test_a_mixture_goes_on_where_it_stopped(forecasts: Path, tmp_path: Path) -> None:
    model, whole = tmp_path / "m.lst", tmp_path / "w.txt"
    first, second = piece(forecasts, "1.csv", 0, 30), piece(forecasts, "2.csv", 30, ROWS)
    args = ("--truth", "y", "--rule", "ml-pol")
    call("experts", forecasts, *args, "--predictions", whole)
    assert call("experts", first, *args, "--model", model).exit_code == 0
    result = call("experts", second, "--truth", "y", "--from", model, "--model", model, "--predictions", tmp_path / "p.txt")
    assert result.exit_code == 0
    assert "over 80 rounds in all" in result.stdout
    assert (tmp_path / "p.txt").read_text().splitlines() == whole.read_text().splitlines()[30:]
    assert ls.load(model, kind=ls.Mixture).ledger.rounds == ROWS


def test_columns_join_and_go(forecasts: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.lst"
    call("experts", piece(forecasts, "1.csv", 0, 30), "--truth", "y", "--ignore", "c", "--model", model)
    result = call("experts", piece(forecasts, "2.csv", 30, ROWS), "--truth", "y", "--ignore", "a", "--from", model)
    assert result.exit_code == 0
    assert "joined: c" in result.stderr
    assert "asleep, for there is no such column: a" in result.stderr
    assert "rounds" in result.stdout.splitlines()[1]


def test_rows_at_the_end_are_predicted(forecasts: Path, tmp_path: Path) -> None:
    with forecasts.open("a") as file:
        file.write(",50,51,52\n,50,,\n")
    result = call("experts", forecasts, "--truth", "y", "--predictions", tmp_path / "p.txt")
    assert "80 rounds, 2 more to come" in result.stdout
    lines = (tmp_path / "p.txt").read_text().splitlines()
    assert len(lines) == 82
    call("experts", forecasts, "--truth", "y", "--interval", "0.8", "--predictions", tmp_path / "b.txt")
    value, low, high = map(float, (tmp_path / "b.txt").read_text().splitlines()[81].split("\t"))
    assert low < value == 50.0 < high
    assert 50.0 < float(lines[80]) < 52.0
    assert float(lines[81]) == 50.0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty; its first line must name the columns"),
        ("y,a\n", "has no row with a 'y'; there is nothing to learn from"),
        ("y\n1\n", "has no expert: no column is left beside 'y'"),
        ("y,a,a\n1,2,3\n", "has two columns 'a'"),
        ("y,a\n1,2\n,3\n2,3\n", "line 3: column 'y' is empty; only rows at the end may lack it"),
        ("y,a\n1,2\n1,\n", "line 3: no expert gives advice"),
        ("y,a\n1,inf\n", "line 2: column 'a' is 'inf'; expected a finite number, or nothing"),
        ("y,a\n1,monday\n", "column 'a' is 'monday'; expected a finite number, or nothing (--ignore leaves a column out)"),
        ("y,a\n1,2,3\n", "line 2: got 3 fields; expected 2"),
        ("z,a\n1,2\n", "has no column 'y'; its columns are z, a"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "bad.csv").write_text(text)
    assert words in refused("experts", tmp_path / "bad.csv", "--truth", "y", "--model", tmp_path / "m.lst")
    assert not (tmp_path / "m.lst").exists()


def test_flags_that_are_refused(forecasts: Path, tmp_path: Path) -> None:
    args = ("experts", forecasts, "--truth", "y")
    call(*args, "--model", tmp_path / "m.lst")
    assert "leave out --loss square" in refused(*args, "--quantile", "0.9", "--loss", "square", code=2)
    assert "0.0<x<1.0" in refused(*args, "--quantile", "1", code=2)
    assert "leave out --delay" in refused(*args, "--delay", "1", "--interval", "0.9", code=2)
    assert "say by how many rows: --delay 24" in refused(*args, "--interleave", code=2)
    turns = (*args, "--interleave", "--delay", "1")
    assert "2 mixtures, not one; leave out --model" in refused(*turns, "--model", tmp_path / "no.lst", code=2)
    assert "leave out --report" in refused(*turns, "--report", tmp_path / "no.html", code=2)
    assert "x>=0" in refused(*args, "--delay", "-1", code=2)
    assert "ada-hedge has no --eta" in refused(*args, "--eta", "0.5", code=2)
    assert "both the truth and ignored" in refused(*args, "--ignore", "y")
    assert "leave out --rule" in refused(*args, "--rule", "boa", "--from", tmp_path / "m.lst", code=2)
    assert "is not a model file" in refused(*args, "--from", forecasts)
    assert "which is read too" in refused(*args, "--model", forecasts)
    assert "cannot take in an expert" in _closed(forecasts, tmp_path)


def _closed(forecasts: Path, tmp_path: Path) -> str:
    model = tmp_path / "closed.lst"
    call("experts", forecasts, "--truth", "y", "--ignore", "c", "--rule", "calibrated-fixed-share", "--model", model)
    before = model.read_bytes()
    sentence: str = refused("experts", forecasts, "--truth", "y", "--from", model, "--model", model)
    assert model.read_bytes() == before
    return sentence
