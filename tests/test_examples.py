"""The examples: six scripts, each short, each run as a user would."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from reading import data

EXAMPLES = Path(__file__).parents[1] / "examples"

# What a run must print: a sentence that is only there when the example has shown what it is about.
PRINTED = {
    "spam": "spam: ",
    "drift": "bylander.master: holds: ",
    "weather": "mixture off by ",
    "game": "mohri.8.16: holds: ",
    "anomalies": "average precision ",
    "commuter": "paths.weights: holds: ",
}


def shown(name: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    path = EXAMPLES / f"{name}.py"
    monkeypatch.setattr(sys, "argv", [str(path), *arguments])
    runpy.run_path(str(path), run_name="__main__")
    return capsys.readouterr().out


def test_there_are_six_and_they_are_short() -> None:
    assert sorted(path.stem for path in EXAMPLES.glob("*.py")) == sorted(PRINTED)
    for path in EXAMPLES.glob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 40, path.name


@pytest.mark.parametrize("name", PRINTED)
def test_examples_run(name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert PRINTED[name] in shown(name, [], monkeypatch, capsys)


def test_the_mixture_of_made_up_forecasts_beats_the_best(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Their errors are independent, so that a mean of several is better than each."""
    words = shown("weather", [], monkeypatch, capsys).split()
    mixture, best = float(words[words.index("°F,") - 1]), float(words[-1])
    assert mixture < best


def test_spam_is_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    made_up, text = shown("spam", [], monkeypatch, capsys).splitlines()[0], "rounds, "
    assert text in made_up
    assert float(made_up.split("(")[1].split("%")[0]) < 5.0  # of which 2 are wrong labels


def test_anomalies_in_mammograms(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    path = data("oneclass/mammography.csv.gz")
    lines = shown("anomalies", [str(path)], monkeypatch, capsys).splitlines()
    at_random, *precisions = (float(line.split()[-1 if k == 0 else 2]) for k, line in enumerate(lines))
    assert min(precisions) > 4 * at_random
