"""The totals of a run: declared once, kept exactly, and those of a whole where two stretches are put together."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone import _core


def totals(X: list[list[float]], y: list[float], weights: list[float]) -> _core.Totals:
    """Of fixed weights, which leave the same losses whatever came before."""
    learner = ls.Learner(ls.Fixed(weights=[1.0, -2.0], task="targets"))
    if X:
        learner.learn_many(np.array(X), y, np.array(weights))
    return learner._totals


LOOK_BACK = {"majority_errors", "last_label_errors", "mean_error", "last_value_error", "sequence", "pairs", "ordered"}
"""They go by the rounds before, and begin anew with every stretch."""

number = st.floats(-8.0, 8.0, allow_subnormal=False)
rounds = st.lists(st.tuples(number, number, number, st.floats(0.125, 4.0)), max_size=12)


@given(rounds, rounds)
def test_two_stretches_together_are_the_whole(first: list[tuple[float, ...]], second: list[tuple[float, ...]]) -> None:
    made = [totals([[*r[:2]] for r in part], [r[2] for r in part], [r[3] for r in part]) for part in (first, second)]
    both = first + second
    whole = totals([[*r[:2]] for r in both], [r[2] for r in both], [r[3] for r in both])
    made[0].merge(made[1])
    for name, fresh, _ in _core.Totals.declared():
        if name in LOOK_BACK:
            continue
        if isinstance(fresh, int) or name.startswith(("largest", "smallest")):
            assert getattr(made[0], name) == getattr(whole, name), name
        else:
            expected = pytest.approx(getattr(whole, name), rel=1e-14, abs=1e-13, nan_ok=True)
            assert getattr(made[0], name) == expected, name


def test_a_merged_sum_keeps_its_correction() -> None:
    """1e16 + 1 is 1e16 in a double; the correction has the 1, and merging does not lose it."""
    small, large = (_core.Totals.from_parts({"loss": part}) for part in ((1.0, 0.0), (1e16, 1.0)))
    large.merge(small)
    assert large.parts()["loss"] == (1e16, 2.0)


def test_a_total_that_was_not_stored_is_fresh() -> None:
    assert repr(_core.Totals.from_parts({"rounds": 3}).parts()) == repr(_core.Totals().parts() | {"rounds": 3})


def test_parts_bring_back_the_same_totals() -> None:
    known = totals([[0.1, 0.2], [3.0, 1.0]], [0.7, 0.1], [1.0, 2.0])
    assert repr(_core.Totals.from_parts(known.parts()).parts()) == repr(known.parts())  # nan is not equal to itself


def test_a_ledger_shows_what_the_core_declares() -> None:
    shown = {name: start for name, start, words in _core.Totals.declared() if words}
    fields = {field.name: field.default for field in dataclasses.fields(ls.Ledger)}
    assert shown.items() <= fields.items()


def test_ledgers_of_labels_and_of_targets_are_not_merged() -> None:
    X, targets = np.eye(3), [1.5, 2.5, 3.5]
    numbers = ls.run(ls.PassiveAggressiveRegression(), X, targets).ledger
    named = [ls.run(ls.Perceptron(), X, [1, 0, 1]).ledger, ls.run(ls.MulticlassPerceptron(), X, ["a", "b", "c"]).ledger]
    for ledger in named:
        with pytest.raises(ls.InvalidData, match="ledger 1 is of labels and ledger 0 of targets; merge each kind by itself"):
            ls.merge([numbers, ledger])
    assert ls.merge([numbers, numbers]).targets == 6


def test_one_of_something_is_not_several() -> None:
    learner = ls.Learner(ls.Perceptron(), labels=(-1, 1))
    learner.learn_many([[1.0]], [1])
    assert str(learner.ledger) == "1 round, 1 mistake (100.00%), 1 update, loss 0"
