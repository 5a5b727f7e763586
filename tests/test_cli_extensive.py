"""`littlestone solve` of games with turns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from littlestone.cli.main import main

PENNIES = """EFG 2 R "pennies" { "one" "two" }
p "" 1 1 "" { "heads" "tails" } 0
p "" 2 1 "" { "heads" "tails" } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { -1, 1 }
p "" 2 1 "" { "heads" "tails" } 0
t "" 2
t "" 1
"""


def test_a_file_of_gambit_is_solved(tmp_path: Path) -> None:
    path = tmp_path / "pennies.efg"
    path.write_text(PENNIES)
    shown = CliRunner().invoke(
        main, ["solve", str(path), "--report", str(tmp_path / "g.html"), "--figure", str(tmp_path / "b.png")]
    )
    assert shown.exit_code == 0, shown.output
    assert "heads 0.5" in shown.output
    assert "cfr.immediate: " in shown.output
    assert "exploitability" in (tmp_path / "g.html").read_text()
    assert (tmp_path / "b.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(("name", "value"), [("kuhn", -1.0 / 18.0), ("leduc", -0.0856)])
def test_poker_is_known_by_name(name: str, value: float) -> None:
    found = json.loads(CliRunner().invoke(main, ["solve", name, "--tol", "1e-4", "--json"]).stdout)
    assert found["value"] == pytest.approx(value, abs=2e-3)
    assert found["gap"] <= found["target"] == pytest.approx(1e-4 * found["range"])
    assert found["relative_gap"] == pytest.approx(found["gap"] / found["range"])
    assert found["exploitability"] == found["gap"] / 2.0
    assert sum(next(iter(found["row"].values())).values()) == pytest.approx(1.0)


def test_what_has_no_meaning_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pennies.efg"
    path.write_text(PENNIES.replace("{ 1, -1 }", "{ 1, 1 }"))
    for arguments, words in (
        ([str(path)], "zero-sum"),
        (["kuhn", "--method", "self-play"], "there is no method 'self-play'; there are cfr, cfr+, predictive-cfr+"),
        (["kuhn", "--sense", "min"], "--sense is for matrices"),
        (["kuhn", "--tol", "0"], "tol is 0.0"),
        (["chess"], "No such file"),
    ):
        refused = CliRunner().invoke(main, ["solve", *arguments])
        assert refused.exit_code == 1
        assert words in refused.output
    assert CliRunner().invoke(main, ["solve", "kuhn", "--tol", "1e-9", "--max-rounds", "5"]).exit_code == 1
