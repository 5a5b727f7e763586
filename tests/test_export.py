"""A model that leaves the house scores as it did: by hand from JSON, and by another's runtime from ONNX."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.rule import LinearRule

ROWS = np.random.default_rng(0).normal(size=(200, 5))
SIGNS = np.where(ROWS @ [1.0, -2.0, 0.0, 0.5, 0.0] > 0, "up", "down")
CLASSES = np.array(["a", "b", "c"])[np.argmax(ROWS[:, :3], axis=1)]
TARGETS = ROWS @ [1.0, -2.0, 0.0, 0.5, 3.0]

CASES = [
    (ls.Perceptron(), SIGNS),
    (ls.PassiveAggressive(variant="PA-I", C=0.1), SIGNS),
    (ls.OnlineSVM(), SIGNS),
    (ls.AROW(), SIGNS),
    (ls.Winnow(), SIGNS),
    (ls.SignedExponentiatedUpdate(), SIGNS),
    (ls.PassiveAggressiveRegression(), TARGETS),
    (ls.MulticlassPerceptron(), CLASSES),
    (ls.OneVersusRest(rule=ls.Perceptron()), CLASSES),
]


def learned(rule: LinearRule, y: np.ndarray[tuple[int], np.dtype[np.generic]]) -> ls.Learner:
    learner = ls.Learner(rule)
    learner.learn_many([dict(zip("abcde", map(float, row), strict=True)) for row in ROWS], y.tolist())
    return learner


def named(row: FloatArray) -> dict[str, float]:
    return dict(zip("abcde", map(float, row), strict=True))


def score(weights: dict[str, float], row: dict[str, float]) -> float:
    return sum(weight * row.get(name, 0.0) for name, weight in weights.items())


@pytest.mark.parametrize(("rule", "y"), CASES, ids=lambda case: repr(case)[:40])
def test_json_is_scored_by_hand(tmp_path: Path, rule: LinearRule, y: np.ndarray[tuple[int], np.dtype[np.generic]]) -> None:
    learner = learned(rule, y)
    ls.export(learner, tmp_path / "m.json")
    model = json.loads((tmp_path / "m.json").read_text())
    for values in ROWS[:40]:
        row = named(values)
        if model["predicts"] == "class":
            scores = [score(model["weights"][label], row) for label in model["labels"]]
            assert model["labels"][int(np.argmax(scores))] == learner.predict_one(row)
            continue
        mine = score(model["weights"], row)
        assert mine == pytest.approx(learner.score_one(row), rel=1e-12, abs=1e-12)
        if model["predicts"] == "label":
            assert model["labels"][int(mine >= 0.0)] == learner.predict_one(row)


@pytest.mark.parametrize(("rule", "y"), CASES, ids=lambda case: repr(case)[:40])
def test_onnx_is_scored_by_its_runtime(
    tmp_path: Path, rule: LinearRule, y: np.ndarray[tuple[int], np.dtype[np.generic]]
) -> None:
    pytest.importorskip("onnx", reason="onnx is not installed: pip install onnx onnxruntime")
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install onnx onnxruntime")
    learner = learned(rule, y)
    ls.export(learner, tmp_path / "m.onnx")
    session = import_module("onnxruntime").InferenceSession(tmp_path / "m.onnx")
    known = session.get_modelmeta().custom_metadata_map
    features, labels = json.loads(known["features"]), json.loads(known["labels"])
    rows = np.array([[named(row)[name] for name in features] for row in ROWS[:40]])
    scores, *numbers = session.run(None, {"rows": rows})
    for t, values in enumerate(ROWS[:40]):
        if numbers:
            assert labels[numbers[0][t]] == learner.predict_one(named(values))
        if scores.shape[1] == 1:
            assert scores[t, 0] == pytest.approx(learner.score_one(named(values)), rel=1e-12, abs=1e-12)


def test_what_is_not_linear_is_refused(tmp_path: Path) -> None:
    learner = ls.Learner(ls.KernelPerceptron(kernel=ls.kernels.Gaussian()))
    with pytest.raises(ls.NotApplicable, match="the scores of KernelPerceptron are not sums of weights times values"):
        ls.export(learner, tmp_path / "m.json")
    with pytest.raises(ls.InvalidParameter, match=r"the path ends in \.txt; expected \.json or \.onnx"):
        ls.export(ls.Learner(ls.Perceptron()), tmp_path / "m.txt")
    assert not list(tmp_path.iterdir())


def test_the_command_line_exports_and_keeps_strangers(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from littlestone.cli.main import main

    learned(ls.Perceptron(), SIGNS).save(tmp_path / "m.lst")
    (tmp_path / "notes.json").write_text("{}")
    done = CliRunner().invoke(main, ["export", str(tmp_path / "m.lst"), str(tmp_path / "m.json")])
    assert done.exit_code == 0, done.output
    again = CliRunner().invoke(main, ["export", str(tmp_path / "m.lst"), str(tmp_path / "m.json")])
    assert again.exit_code == 0, again.output
    refused = CliRunner().invoke(main, ["export", str(tmp_path / "m.lst"), str(tmp_path / "notes.json")])
    assert refused.exit_code != 0
    assert (tmp_path / "notes.json").read_text() == "{}"
