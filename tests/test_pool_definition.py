"""The compiled pool and its definition; and the lemma that its bound rests on."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.arrays import BoolArray, FloatArray
from littlestone.pool.definition import DefinedPool, advanced
from littlestone.streams.synthetic import linear_labels
from littlestone.theory.pool import MASTER, MISTAKES, PoolEvidence, PoolMoment, pool_evidence
from shown import shows

TOLERANCE = 2e-4
"""Of a probability: the core keeps the numbers of a feature in float32."""


def defined(X: FloatArray, y: npt.NDArray[np.int64]) -> FloatArray:
    pool = DefinedPool()
    return np.array([pool.learn(dict(enumerate(x.tolist())), bool(label > 0)) for x, label in zip(X, y, strict=True)])


def compiled(X: FloatArray, y: npt.NDArray[np.int64]) -> FloatArray:
    scores = ls.run(ls.Pool(views=("raw",)), X, y, labels=(-1, 1), keep=("score",)).columns["score"]
    return np.asarray(1.0 / (1.0 + np.exp(-scores.astype(np.float64))))


@pytest.mark.parametrize("kind", ["dense", "sparse", "scales", "drift", "wide"])
def test_the_core_repeats_the_definition(kind: str) -> None:
    source = np.random.default_rng(3)
    X = source.normal(size=(400, 150 if kind == "wide" else 6))
    if kind in ("sparse", "wide"):
        X *= source.random(X.shape) < 0.2
    if kind == "scales":
        X *= 10.0 ** source.uniform(-3, 3, size=6)
    y = np.where(X[:, 0] + 0.5 * source.normal(size=400) > 0, 1, -1)
    if kind == "drift":
        y[200:] = np.where(np.arange(200) % 3 == 0, 1, -1)
    assert np.abs(compiled(X, y) - defined(X, y)).max() < TOLERANCE


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_short_and_tame_streams_agree_to_rounding(seed: int) -> None:
    """Rows of few whole numbers, which recur: members step to a margin of exactly 1, and meet the same row again."""
    source = np.random.default_rng(seed)
    rows, width = int(source.integers(2, 40)), int(source.integers(1, 4))
    X = source.integers(-1, 3, size=(rows, width)).astype(np.float64)
    y = np.where(source.random(rows) < 0.5, 1, -1)
    assert np.abs(compiled(X, y) - defined(X, y)).max() < 1e-5


Advance = Callable[[FloatArray, FloatArray, int, FloatArray, BoolArray], FloatArray]


def least_gap(advance: Advance, seed: int) -> float:
    """By how much the lemma of pool.master is kept in the round in which it is closest."""
    source = np.random.default_rng(seed)
    prior = source.dirichlet(np.ones(9))
    weights, least = prior, np.inf
    for t in range(1, 60):
        of_truth, awake = source.uniform(1e-6, 1.0, size=9), source.random(9) < 0.8
        if not awake.any():
            continue
        after = advance(weights, prior, t, of_truth, awake)
        left, right = MASTER.lemmas[0].sides(PoolMoment(weights, after, of_truth, awake, t))
        least = min(least, right - left)
        assert after.sum() == pytest.approx(1.0)
        weights = after
    return least


@shows("never", "pool.master")
@given(seed=st.integers(0, 2**32 - 1))
def test_the_lemma_of_the_master(seed: int) -> None:
    assert least_gap(advanced, seed) > -1e-12


def too_keen(weights: FloatArray, prior: FloatArray, t: int, of_truth: FloatArray, awake: BoolArray) -> FloatArray:
    return advanced(weights, prior, t, of_truth**2, awake)


def forgetful(weights: FloatArray, prior: FloatArray, t: int, of_truth: FloatArray, awake: BoolArray) -> FloatArray:
    return 0.5 * advanced(weights, prior, t, of_truth, awake) + 0.5 * prior


@shows("mutant", "pool.master")
@pytest.mark.parametrize("mutant", [too_keen, forgetful], ids=["too keen", "forgetful"])
def test_the_lemma_has_teeth(mutant: Advance) -> None:
    assert least_gap(mutant, 0) < -1e-3


@shows("mutant", "pool.mistakes")
@given(st.floats(1e-9, 1.0))
def test_a_mistake_costs_ln_2_unless_the_other_label_is_shown(chance: float) -> None:
    one, awake = np.ones(1), np.array([True])
    lemma = MISTAKES.lemmas[0]
    left, right = lemma.sides(PoolMoment(one, one, np.array([chance]), awake, 1, mistaken=chance <= 0.5))
    assert left <= right + 1e-12
    left, right = lemma.sides(PoolMoment(one, one, np.array([chance]), awake, 1, mistaken=chance > 0.5))
    assert chance <= 0.5 or left > right


@shows("example", "pool.master", "pool.mistakes")
def test_worked_by_hand() -> None:
    """One round: everybody gives 1/2, so the pool loses ln 2 and is a mistake of at most one."""
    ledger = ls.Ledger(rounds=1, mistakes=1, loss=math.log(2.0), weight=1.0, weighted_loss=math.log(2.0))
    evidence = PoolEvidence(ledger, 1.0, [[math.log(2.0)] * 9], [[0.0] * 5], [math.log(2.0)], viewed=False)
    # π of a full member is 1/5.9, and that of the pool beside the frequency of the labels 15/16
    assert MASTER.certify(evidence).bound == pytest.approx(math.log(2.0) + math.log(5.9) + math.log(16.0 / 15.0))
    sure = evidence._replace(frequency=[0.0], ledger=replace(ledger, rounds=10**6))
    assert MASTER.certify(sure).bound == pytest.approx(math.log(16.0))
    assert MISTAKES.certify(evidence).bound == pytest.approx(1.0)


@shows("holds", "pool.master", "pool.mistakes")
@shows("vacuous", "pool.master", "pool.mistakes")
@shows("unproved", "pool.master", "pool.mistakes")
@shows("violated", "pool.master", "pool.mistakes")
@shows("never", "pool.mistakes")
def test_each_verdict_occurs() -> None:
    X, y, _ = linear_labels(600, 4, margin=0.2)
    sound = pool_evidence(ls.run(ls.Pool(), X, y))
    assert sound is not None
    ledger = sound.ledger
    few = replace(ledger, rounds=9, weight=9.0, positives=4)
    heavy = replace(ledger, largest_weight=9.0)
    worse = replace(ledger, weighted_loss=1e6, mistakes=10**6)
    for guarantee in (MASTER, MISTAKES):
        for found, verdict in ((ledger, "holds"), (few, "vacuous"), (heavy, "unproved"), (worse, "violated")):
            assert guarantee.certify(sound._replace(ledger=found)).verdict.value == verdict, guarantee.id
