"""Theorems on rules of many classes: worked numbers, streams on which they never fail, mutants, and every verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone import _core
from littlestone.multiclass.rule import MulticlassRule
from littlestone.theory.evidence import Comparison, LinearEvidence
from littlestone.theory.guarantee import within
from littlestone.theory.multiclass import GUARANTEES, MulticlassMoment, moments
from shown import shows
from test_multiclass import MIXED, SEPARATED, BinaryStep, Honest, TakesTwice, U

ALL = ("crammer.mp", "crammer.mph", "crammer.mpa", "crammer.mpa2")
PERCEPTRON = ls.MulticlassPerceptron()
PA, PA2 = ls.MulticlassPassiveAggressive(), ls.MulticlassPassiveAggressive(variant="PA-II", C=1.0)
RULES: dict[str, MulticlassRule] = dict(zip(ALL, (PERCEPTRON, PERCEPTRON, PA, PA2), strict=True))
NAMES = ("a", "b", "c")


def certificate(name: str, run: ls.Run, against: np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None) -> ls.Certificate:
    return next(one for one in run.certify(against=against) if one.id == name)


def unit_rows(rule: MulticlassRule) -> ls.Run:
    """e_1, e_2, e_3 of the classes a, b, c, once."""
    return ls.run(rule, np.eye(3), NAMES, labels=NAMES)


@shows("example", *ALL)
@pytest.mark.parametrize(
    ("name", "scale", "measured", "bound"),
    [
        ("crammer.mp", 1.0, 3.0, 6.0),  # 2·1/(1/√3)²
        ("crammer.mph", 0.5, 3.0, ((1.5**0.5 + 7.5**0.5) / 2.0) ** 2),  # a² = 2·(3/4), L = 3·½
        ("crammer.mpa", 1.0, 3.0, 6.0),
        ("crammer.mpa2", 1.0, 3.0, 7.5),  # γ = ½: (2 + ½)·3
    ],
)
def test_unit_rows_by_hand(name: str, scale: float, measured: float, bound: float) -> None:
    found = certificate(name, unit_rows(RULES[name]), scale * np.eye(3))
    assert found.measured == pytest.approx(measured)
    assert found.bound == pytest.approx(bound)


@shows("holds", *ALL)
@pytest.mark.parametrize("name", ALL)
def test_on_a_longer_stream_it_says_something(name: str) -> None:
    run = ls.run(RULES[name], np.tile(np.eye(3), (5, 1)), NAMES * 5, labels=NAMES)
    assert certificate(name, run, np.eye(3)).verdict is ls.Verdict.HOLDS


@shows("never", *ALL)
@given(seed=st.integers(0, 2**32 - 1), classes=st.integers(2, 5), clean=st.booleans())
@pytest.mark.parametrize("name", ALL)
def test_no_stream_breaks_a_theorem(name: str, seed: int, classes: int, clean: bool) -> None:
    """Separable or not, with rows that repeat; the lemmas are checked at every round."""
    chance = np.random.default_rng(seed)
    prototypes = chance.normal(size=(classes, 4))
    X = chance.normal(size=(30, 4))[chance.integers(0, 30, size=60)]
    y = np.argmax(X @ prototypes.T, axis=1) if clean else chance.integers(0, classes, size=60)
    run = ls.run(RULES[name], X, y, labels=tuple(range(classes)), passes=2, audit=True, against=prototypes)
    assert certificate(name, run, prototypes).verdict is not ls.Verdict.VIOLATED


def rounds(rule: MulticlassRule, seen_as: MulticlassRule) -> Iterator[MulticlassMoment]:
    for stream in (MIXED, SEPARATED):
        batch, outcomes = _core.dense_batch(stream.X), _core.classes(stream.signs.astype(np.int32))
        for moment in moments(rule, batch, outcomes, U):
            yield replace(moment, rule=seen_as)


@shows("mutant", *ALL)
@pytest.mark.parametrize(
    ("name", "honest", "mutant"),
    [
        ("crammer.mp", Honest(), TakesTwice()),
        ("crammer.mph", Honest(), TakesTwice()),
        ("crammer.mpa", PA, BinaryStep()),
        ("crammer.mpa2", PA2, BinaryStep()),
    ],
)
def test_a_lemma_catches_a_wrong_rule(name: str, honest: MulticlassRule, mutant: MulticlassRule) -> None:
    lemmas = next(guarantee.lemmas for guarantee in GUARANTEES if guarantee.id == name)
    assert all(within(*lemma.sides(moment)) for moment in rounds(honest, RULES[name]) for lemma in lemmas)
    assert not all(within(*lemma.sides(moment)) for moment in rounds(mutant, RULES[name]) for lemma in lemmas)


@shows("violated", *ALL)
@pytest.mark.parametrize("name", ALL)
def test_what_a_rule_cannot_do_is_a_violation(name: str) -> None:
    """A ledger that no honest run can have: more updates, or more loss, than the bound."""
    run = unit_rows(RULES[name])
    fixed = ls.run(ls.MulticlassFixed(weights=np.eye(3), margin=RULES[name].ends()[0]), np.eye(3), NAMES, labels=NAMES)
    wrong = replace(run.ledger, updates=100, loss_squared=100.0)
    evidence = LinearEvidence(run.rule, wrong, Comparison(np.eye(3).ravel(), fixed.ledger), None, run.state)
    assert next(one for one in GUARANTEES if one.id == name).certify(evidence).verdict is ls.Verdict.VIOLATED


@shows("unproved", *ALL)
@pytest.mark.parametrize("name", ALL)
def test_without_prototypes_nothing_is_proved(name: str) -> None:
    assert certificate(name, unit_rows(RULES[name]), None).verdict is ls.Verdict.UNPROVED


@shows("unproved", "crammer.mp", "crammer.mpa")
@pytest.mark.parametrize("name", ["crammer.mp", "crammer.mpa"])
def test_prototypes_that_do_not_separate_prove_nothing(name: str) -> None:
    assert certificate(name, unit_rows(RULES[name]), -np.eye(3)).verdict is ls.Verdict.UNPROVED


@shows("vacuous", "crammer.mp", "crammer.mph")
@pytest.mark.parametrize("name", ["crammer.mp", "crammer.mph"])
def test_more_updates_than_rounds_are_no_news(name: str) -> None:
    assert certificate(name, unit_rows(RULES[name]), np.eye(3)).verdict is ls.Verdict.VACUOUS
