"""Help and completion: as wide as the terminal, and knowing files, rules, flags and values; JSON from every command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click import Context
from click.shell_completion import BashComplete
from click.testing import CliRunner

import littlestone as ls
from littlestone.cli.main import main


def offered(*args: str) -> list[str]:
    """What Tab offers behind the last word."""
    *words, incomplete = args
    return [
        item.value for item in BashComplete(main, {}, "littlestone", "_LITTLESTONE_COMPLETE").get_completions(words, incomplete)
    ]


def kinds(*args: str) -> set[str]:
    *words, incomplete = args
    return {
        item.type for item in BashComplete(main, {}, "littlestone", "_LITTLESTONE_COMPLETE").get_completions(words, incomplete)
    }


def test_rules_are_offered() -> None:
    assert offered("learn", "--rule", "perc") == ["perceptron"]
    assert {"passive-aggressive", "pool", "perceptron"} <= set(offered("learn", "--rule", "p"))
    assert "arow,winnow" in offered("race", "t.csv", "--rules", "arow,wi")
    assert "ml-pol" in offered("experts", "--rule", "ml")


def test_flags_and_their_values_are_offered() -> None:
    assert offered("learn", "--variant", "PA-") == ["PA-I", "PA-II"]
    assert "--epsilon" in offered("learn", "--eps")
    assert offered("learn", "--C", "") == []
    assert offered("learn", "--task", "") == ["labels", "targets"]
    assert "race" in offered("ra")


@pytest.mark.parametrize("command", [("learn",), ("race",), ("predict",), ("inspect",), ("certify",), ("experts",), ("solve",)])
def test_files_are_offered(command: tuple[str, ...]) -> None:
    assert kinds(*command, "x") == {"file"}


def test_the_shell_gets_its_script() -> None:
    script = Path(sys.executable).with_name("littlestone")
    if not script.exists():
        pytest.skip("the command is not installed as a script")
    asked = os.environ | {"_LITTLESTONE_COMPLETE": "zsh_source"}
    told = subprocess.run([str(script)], env=asked, capture_output=True, text=True, check=False).stdout
    assert "compdef" in told


@pytest.mark.parametrize("width", [60, 150])
def test_help_is_as_wide_as_the_terminal(width: int) -> None:
    line, terminal = [sys.executable, "-m", "littlestone", "learn", "--help"], os.environ | {"COLUMNS": str(width)}
    lines = subprocess.run(line, env=terminal, capture_output=True, text=True, check=True).stdout.splitlines()
    options = lines[lines.index("Options:") :]
    assert 0.8 * width < max(map(len, options)) <= width


def test_no_colour_is_honoured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,label\n1,x\n2,y\n")
    line = ["learn", str(tmp_path / "t.csv"), "--rule", "perceptron", "--certify"]
    assert "\x1b[" in CliRunner().invoke(main, line, color=True).output
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in CliRunner().invoke(main, line).output


def test_every_command_has_json() -> None:
    for name in main.list_commands(Context(main)):
        command = main.get_command(Context(main), name)
        assert command is not None
        assert any("--json" in parameter.opts for parameter in command.params), name


def test_json_of_predictions_and_rules(tmp_path: Path) -> None:
    learner = ls.Learner()
    learner.learn_many([{"a": 1.0}, {"b": 1.0}], ["x", "y"])
    learner.save(tmp_path / "m.lst")
    (tmp_path / "t.jsonl").write_text('{"a": 2}\n')
    call = ["predict", str(tmp_path / "m.lst"), str(tmp_path / "t.jsonl"), "--json"]
    assert json.loads(CliRunner().invoke(main, call).stdout)["label"] == "x"
    chances = json.loads(CliRunner().invoke(main, [*call, "--probabilities"]).stdout)["probabilities"]
    assert chances == pytest.approx(learner.probability_one({"a": 2.0}))
    rules = json.loads(CliRunner().invoke(main, ["rules", "--json"]).stdout)["rules"]
    assert {"perceptron", "pool"} <= {rule["rule"] for rule in rules}
