"""Demonstrations: every statement on instances of several sizes, with the numbers of the sources."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone import _core
from littlestone.theory.demonstrations import DEMONSTRATIONS, Demonstration
from littlestone.theory.instances import Relation, shattering_margin
from littlestone.theory.moments import moments
from shown import shows

SIZES = {
    "mohri.8.2": (1, 3, 7),
    "mohri.det": (1, 2, 101),
    "mohri.8.5": (1, 2, 3, 64),
    "mohri.ex8.4": (1, 2, 3, 5, 12),
    "mohri.8.9": (1, 2, 3),
    "mohri.8.10": (1, 2, 3),
    "mohri.ex8.1": (1, 2, 3, 4, 5, 6),
    "mohri.ex8.3": (1, 2, 64),
    "mohri.ex8.5": (2, 9),
    "mohri.8.23": (1, 50),
    "lecture.1vc": (1, 3, 6),
    "bylander.4": (1, 100),
    "bylander.10": (1, 100),
    "bylander.L1": (10, 200),
    "bylander.A1": (1, 500),
}


@shows("never", *DEMONSTRATIONS)
@pytest.mark.parametrize("name", DEMONSTRATIONS)
def test_every_statement_can_be_seen(name: str) -> None:
    shown = [line for size in (*SIZES[name], None) for line in DEMONSTRATIONS[name].show(size)]
    assert shown
    for line in shown:
        assert line.holds, str(line)


@pytest.mark.parametrize("name", DEMONSTRATIONS)
def test_every_object_is_complete(name: str) -> None:
    demonstration = DEMONSTRATIONS[name]
    assert demonstration.id == name
    assert demonstration.source
    assert demonstration.statement.endswith(".")
    assert demonstration.latex
    assert ls.theory.statements[name] is demonstration


def sides(name: str, size: int, line: int = 0) -> tuple[float, float]:
    shown = DEMONSTRATIONS[name].show(size)[line]
    return shown.left, shown.right


@shows("example", "mohri.ex8.1")
@shows("tight", "mohri.ex8.1")
def test_numbers_of_the_staircase() -> None:
    assert [sides("mohri.ex8.1", n)[0] for n in range(1, 8)] == [1, 5, 21, 85, 341, 1365, 5461]


@shows("example", "mohri.8.5")
@shows("tight", "mohri.8.5")
def test_numbers_of_the_coin() -> None:
    exact = {1: 0.5, 2: 0.5, 3: 0.75, 4: 0.75, 10: 1.23047, 100: 3.97946}
    bound = {1: 0.35355, 2: 0.5, 3: 0.61237, 4: 0.70711, 10: 1.11803, 100: 3.53553}
    for rounds, regret in exact.items():
        assert sides("mohri.8.5", rounds) == pytest.approx((bound[rounds], regret), abs=1e-5)
    left, right = sides("mohri.8.5", 2)
    assert left == pytest.approx(right)


@shows("tight", "mohri.det")
def test_numbers_of_anti_prediction() -> None:
    assert sides("mohri.det", 101) == (101, 101)
    assert sides("mohri.det", 101, 1) == (51, 51)


@shows("example", "mohri.8.9", "mohri.8.10")
def test_numbers_of_leave_one_out() -> None:
    expected = {1: (0.6667, 0.8333), 2: (0.4444, 0.7037), 3: (0.2963, 0.6019)}
    for size, numbers in expected.items():
        assert sides("mohri.8.9", size) == pytest.approx(numbers, abs=1e-4)
        assert sides("mohri.8.10", size) == pytest.approx(numbers, abs=1e-4)


@shows("example", "mohri.8.2")
@shows("tight", "mohri.8.2")
def test_numbers_of_the_chain() -> None:
    assert [sides("mohri.8.2", 7, line) for line in range(3)] == [(1, 3), (3, 3), (3, 3)]


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 10**6))
def test_no_set_of_unit_vectors_is_shattered_too_well(count: int, width: int, seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(count, width))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    assert count * shattering_margin(points) ** 2 <= 1 + 1e-9


def test_more_points_than_dimensions_are_not_shattered() -> None:
    assert shattering_margin(np.array([[1.0], [-1.0]])) == 0.0


def test_what_does_not_hold_is_shown_as_such() -> None:
    wrong, unequal = Relation("a ≤ b", 2.0, "≤", 1.0), Relation("a = b", 1.0, "=", 2.0)
    assert not wrong.holds
    assert not unequal.holds
    assert str(wrong) == "a ≤ b: 2 ≰ 1"
    assert str(unequal) == "a = b: 1 ≠ 2"
    assert not Relation("nan", math.nan, "≤", 1.0).holds


def test_the_catalogue_has_every_statement_once() -> None:
    names = list(ls.theory.statements)
    assert len(names) == len(set(names))
    assert list(ls.theory) == names
    assert set(ls.theory.guarantees) < set(names)
    assert {"mohri.8.14", "blum.5.12", "blum.5.13", "mohri.ex8.10", "mohri.det", "bylander.A1"} <= set(names)
    for other in ("blum.5.10", "lecture.1", "mohri.ex8.2"):
        assert ls.theory[other] is ls.theory["mohri.8.8"]
    assert not any(isinstance(statement, Demonstration) for statement in ls.theory.guarantees.values())


@shows("example", "mohri.ex8.3", "mohri.ex8.5", "mohri.8.23", "lecture.1vc")
@shows("tight", "mohri.ex8.3", "lecture.1vc")
def test_numbers_that_are_met() -> None:
    """Unit vectors: T updates, and T of them shattered with 1/δ² = T; the on-line SVM at rest; equal iterates."""
    assert sides("mohri.ex8.3", 12) == pytest.approx((12, 12))
    assert sides("lecture.1vc", 4) == pytest.approx((4, 4))
    assert sides("mohri.ex8.5", 3) == (1, 1)
    assert sides("mohri.8.23", 40) == (0, 0)


@shows("example", "bylander.4", "bylander.10", "bylander.L1", "bylander.A1")
def test_observations_by_hand() -> None:
    """One row each: a mistake at score 0 has a loss of 1 against [1, ∞), and of a half beyond a tolerance of ½.

    L1: at w = 0, x = 1, I = [1, ∞) and u = ¼ the losses are 1 and ¾: equal to u·x − 0. A1: w = (½, ½), x = (1, −1), η = 1:
    log cosh 1 = .433781 ≤ ½.
    """
    assert sides("bylander.4", 1) == (1, 1)
    assert sides("bylander.10", 1) == (0.5, 0.5)
    end = ls.Intervals([1.0], [math.inf]).outcomes
    first = next(moments(ls.Perceptron(), _core.dense_batch(np.ones((1, 1))), end, np.array([0.25])))
    assert (first.loss - first.u_loss, first.u_score - first.score) == (0.25, 0.25)
    row = _core.dense_batch(np.array([[1.0, -1.0]]))
    update = next(moments(ls.ExponentiatedUpdate(eta=1.0), row, _core.one_label(1), np.array([1.0, 0.0])))
    lemma = next(known for known in ls.theory.linear["bylander.3"].lemmas if known.words.startswith("log Σ"))
    assert lemma.sides(update) == pytest.approx((0.433781, 0.5), abs=1e-6)
