"""The compiled pool and its definition; and the lemma that its bound rests on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.arrays import BoolArray, FloatArray
from littlestone.pool.definition import DefinedPool, advanced

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


Advance = Callable[[FloatArray, FloatArray, int, FloatArray, BoolArray], FloatArray]


def least_gap(advance: Advance, seed: int) -> float:
    """−ln p ≤ −ln p_k + ln(w′_k / (w_k(1 − 1/(t+1)))) for everybody awake: right side minus left, at the least."""
    source = np.random.default_rng(seed)
    prior = source.dirichlet(np.ones(9))
    weights, least = prior, np.inf
    for t in range(1, 60):
        of_truth, awake = source.uniform(1e-6, 1.0, size=9), source.random(9) < 0.8
        if not awake.any():
            continue
        lost = -np.log(weights[awake] @ of_truth[awake] / weights[awake].sum())
        after = advance(weights, prior, t, of_truth, awake)
        right = -np.log(of_truth[awake]) + np.log(after[awake] / (weights[awake] * (1.0 - 1.0 / (t + 1))))
        # Whoever sleeps is charged what the pool lost, and keeps what it had.
        slept = np.log(after[~awake] / (weights[~awake] * (1.0 - 1.0 / (t + 1))))
        least = min(least, float(right.min() - lost), float(slept.min(initial=np.inf)))
        assert after.sum() == pytest.approx(1.0)
        weights = after
    return least


@given(seed=st.integers(0, 2**32 - 1))
def test_the_lemma_of_the_master(seed: int) -> None:
    assert least_gap(advanced, seed) > -1e-12


def too_keen(weights: FloatArray, prior: FloatArray, t: int, of_truth: FloatArray, awake: BoolArray) -> FloatArray:
    return advanced(weights, prior, t, of_truth**2, awake)


def forgetful(weights: FloatArray, prior: FloatArray, t: int, of_truth: FloatArray, awake: BoolArray) -> FloatArray:
    return 0.5 * advanced(weights, prior, t, of_truth, awake) + 0.5 * prior


@pytest.mark.parametrize("mutant", [too_keen, forgetful], ids=["too keen", "forgetful"])
def test_the_lemma_has_teeth(mutant: Advance) -> None:
    assert least_gap(mutant, 0) < -1e-3
