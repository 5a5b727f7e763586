"""`littlestone race`: the numbers of each rule alone, in one reading, and the best of them kept."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import littlestone as ls
from littlestone.cli.main import main
from littlestone.report.curves import Recorder
from littlestone.report.race import Runner, race_section, ranked_runners
from littlestone.streams.synthetic import linear_labels
from littlestone.theory.risk import anytime_bound


def race(*args: object) -> Result:
    result = CliRunner().invoke(main, ["race", *map(str, args)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("race")
    rng = np.random.default_rng(5)
    X = rng.normal(size=(400, 4))
    y = np.where(X @ [1.0, -2.0, 0.5, 0.0] + rng.normal(scale=0.5, size=400) > 0, "yes", "no")
    lines = [",".join([*(f"{v:.4f}" for v in x), label]) for x, label in zip(X, y.tolist(), strict=True)]
    (folder / "two.csv").write_text("a,b,c,d,label\n" + "\n".join(lines) + "\n")
    many = [f"{x:.4f},{k % 3}\n" for k, x in enumerate(rng.normal(size=90))]
    (folder / "many.csv").write_text("a,label\n" + "".join(many))
    (folder / "targets.csv").write_text("a,y\n" + "".join(f"{x:.4f},{2 * x + 0.1:.4f}\n" for x in rng.normal(size=90)))
    return folder


def test_each_rule_has_the_numbers_that_it_has_alone(rows: Path) -> None:
    told = json.loads(race(rows / "two.csv", "--rules", "perceptron,pa,arow", "--grid", "C=0.1,1", "--json", "--quiet").stdout)
    assert sorted(one["name"] for one in told["rules"]) == [
        "arow",
        "passive-aggressive C=0.1",
        "passive-aggressive C=1",
        "perceptron",
    ]
    alone = ls.Learner(ls.PassiveAggressive(variant="PA-I", C=0.1), missing="skip")
    for X, y in ls.read(rows / "two.csv"):
        alone.learn_many(X, y)
    [same] = [one for one in told["rules"] if one["name"] == "passive-aggressive C=0.1"]
    assert same["ledger"] == json.loads(json.dumps(alone.ledger.to_dict()))
    assert same["error"] == alone.ledger.error_rate
    errors = [one["error"] for one in told["rules"]]
    assert errors == sorted(errors)
    assert told["rules"][0]["regret"] == 0
    assert told["baselines"] == alone.ledger.baselines


def test_the_bands_hold_for_all_rules_at_once(rows: Path) -> None:
    told = json.loads(race(rows / "two.csv", "--rules", "perceptron,arow", "--json", "--quiet").stdout)
    for one in told["rules"]:
        assert one["band"][1] == anytime_bound(one["ledger"]["shown_errors"], 400, 0.05 / 2 / 2)
        assert one["band"][0] < one["error"] < one["band"][1]


def test_the_winner_is_kept_and_goes_on(rows: Path, tmp_path: Path) -> None:
    result = race(rows / "two.csv", "--rules", "perceptron,arow", "--model", tmp_path / "w.lst")
    assert "the winner is arow" in result.stdout
    assert "(majority label)" in result.stdout
    assert ls.load(tmp_path / "w.lst").rule == ls.AROW()


def test_by_default_all_rules_run_that_fit(rows: Path) -> None:
    two, many, targets = (
        {one["name"] for one in json.loads(race(rows / f"{name}.csv", "--json", "--quiet").stdout)["rules"]}
        for name in ("two", "many", "targets")
    )
    assert {"pool", "perceptron", "arow", "winnow"} <= two
    assert {"pool", "perceptron", "multiclass-perceptron"} <= many
    assert {"pool-regression", "passive-aggressive-regression"} <= targets
    assert not targets & two


def test_a_rule_that_cannot_go_on_is_out_and_the_others_run(tmp_path: Path) -> None:
    (tmp_path / "w.vw").write_text("1 | a\n-1 2.0 | b\n1 | a b\n")
    result = race(tmp_path / "w.vw", "--rules", "winnow,perceptron")
    assert result.exit_code == 0 or "every rule is out" in result.stderr
    assert "gives weights no meaning" in result.stderr


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--rules", "percep"), "did you mean perceptron"),
        (("--grid", "C"), "--grid is 'C'; expected a flag and its values, such as C=0.01,0.1,1"),
        (("--rules", "perceptron", "--grid", "C=1"), "--grid names C, which no rule of this race has"),
        (("--rules", "pa", "--grid", "C=x"), "C is 'x'"),
        (("--rules", "uniclass",), "needs --epsilon"),
    ],
)  # fmt: skip
def test_mistakes_are_told(rows: Path, flags: tuple[str, ...], words: str) -> None:
    assert words in race(rows / "two.csv", *flags).stderr


def test_a_terminal_sees_the_table_live(rows: Path) -> None:
    main_end, other = pty.openpty()
    line = [sys.executable, "-m", "littlestone", "race", str(rows / "two.csv"), "--rules", "perceptron,arow"]
    done = subprocess.run(
        line, stdout=other, stderr=subprocess.DEVNULL, check=True, env=os.environ | {"COLUMNS": "100", "PYTHONUTF8": "1"}
    )
    os.close(other)
    shown = os.read(main_end, 1 << 16).decode("utf-8", "replace")
    assert done.returncode == 0
    assert "┃" in shown
    assert "arow" in shown


def test_the_report_has_bands_regrets_and_proof(rows: Path, tmp_path: Path) -> None:
    race(rows / "two.csv", "--rules", "perceptron,pa", "--report", tmp_path / "r.html", "--quiet")
    page = (tmp_path / "r.html").read_text("utf-8")
    for words in ("Who is best", "Regret to the best", "Where they ended", "majority label", "95 % for all rules at once"):
        assert words in page
    assert "<h4>" in page  # a certificate


def test_regrets_end_at_the_ledgers() -> None:
    X, y, _ = linear_labels(300, 5, margin=0.1, seed=1)
    runners = [Runner(name, ls.Learner(rule), Recorder()) for name, rule in (("p", ls.Perceptron()), ("a", ls.AROW()))]
    for runner in runners:
        for t in range(300):
            runner.learner.learn_one(X[t], y[t])
            runner.recorder.note(runner.learner.ledger)
    order = ranked_runners(runners)
    section = race_section(order, (), title="t", lead="l")
    [line] = section.charts[1].lines
    assert line.y[-1] == order[1].learner.ledger.shown_errors - order[0].learner.ledger.shown_errors
