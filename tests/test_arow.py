"""AROW: two numbers per feature; the rounds worked out by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import littlestone as ls
from littlestone import _core


def test_by_hand() -> None:
    """The second round has ℓ = 1 + ½, v = 1/2 + 4/1 and the step 1.5/(4.5 + 1) = 3/11."""
    run = ls.run(ls.AROW(r=1.0), [[1.0, 0.0], [1.0, 2.0]], [+1, -1], keep=("score", "loss", "step"))
    assert run.columns["score"].tolist() == [0.0, 0.5]
    assert run.columns["loss"].tolist() == [1.0, 1.5]
    assert run.columns["step"].tolist() == pytest.approx([0.5, -3.0 / 11.0], rel=1e-15)
    assert run.state.w.tolist() == pytest.approx([0.5 - 3.0 / 22.0, -6.0 / 11.0], rel=1e-15)
    assert run.state.precision.tolist() == [3.0, 5.0]


def test_a_rare_feature_moves_further() -> None:
    rows = [{"often": 1.0}] * 20 + [{"often": 1.0, "rare": 1.0}]
    learner = ls.Learner(ls.AROW(), labels=(-1, 1))
    learner.learn_many(rows, [1] * 20 + [-1])
    before, state = 1.0 - 1.0 / 21.0, learner.state
    assert before > 0.9
    assert abs(learner.weights["rare"]) > 5.0 * abs(learner.weights["often"] - before)
    assert state.precision[1] == 2.0


def test_a_weight_divides_r() -> None:
    heavy = ls.run(ls.AROW(r=2.0), [[1.0, -3.0]], [1], weights=[4.0])
    assert heavy.state.w.tolist() == ls.run(ls.AROW(r=0.5), [[1.0, -3.0]], [1]).state.w.tolist()


def test_an_empty_row_cannot_be_helped() -> None:
    run = ls.run(ls.AROW(), [[0.0, 0.0]], [1])
    assert (run.ledger.impossible, run.ledger.updates, run.state.precision.tolist()) == (1, 0, [1.0, 1.0])


def test_both_arrays_go_to_a_file_and_into_classes(tmp_path: Path) -> None:
    source = np.random.default_rng(2)
    X, y = source.normal(size=(60, 5)), source.integers(0, 3, size=60)
    learner = ls.run(ls.OneVersusRest(rule=ls.AROW()), X[:40], y[:40]).learner
    learner.save(tmp_path / "m.lst")
    twin = ls.load(tmp_path / "m.lst")
    for each in (learner, twin):
        each.learn_many(X[40:], y[40:])
    assert all(twin.state.arrays[name].tobytes() == array.tobytes() for name, array in learner.state.arrays.items())
    assert learner.state.arrays["precision"].shape == learner.state.arrays["w"].shape


def test_the_core_checks_both_lengths() -> None:
    with pytest.raises(ls.InvalidData, match="AROW differ in length"):
        _core.arow(w=np.zeros(3), precision=np.ones(2), r=1.0)
