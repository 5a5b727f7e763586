"""The calibration curve of the ledger, beside one counted by hand, and its figure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.report.reliability import reliability_charts
from littlestone.snapshots import Snapshot


def rows(count: int, seed: int = 0) -> tuple[FloatArray, npt.NDArray[np.int_]]:
    """Labels whose chances are known: a logistic function of the rows."""
    draws = np.random.default_rng(seed)
    X = draws.normal(size=(count, 5))
    return X, np.where(draws.random(count) < 1.0 / (1.0 + np.exp(-2.0 * X[:, 0] - X[:, 1])), 1, -1)


@pytest.mark.parametrize("rule", [ls.Pool(), ls.AdaGrad(), ls.NaiveBayes(), ls.LogisticFilter()])
def test_tenths_are_those_counted_by_hand(rule: ls.LinearRule) -> None:
    X, y = rows(600)
    run = ls.run(rule, np.abs(X) if isinstance(rule, ls.NaiveBayes) else X, y, keep=("score",))
    chance = 1.0 / (1.0 + np.exp(-np.asarray(run.columns["score"], dtype=np.float64)))
    place = np.minimum((10.0 * chance).astype(int), 9)
    told = run.ledger.tenths
    assert len(told) == 10
    for k, (forecasts, came, total) in enumerate(told):
        assert forecasts == np.count_nonzero(place == k)
        assert came == np.count_nonzero((place == k) & (y > 0))
        assert total == pytest.approx(chance[place == k].sum(), abs=1e-4)
    assert sum(forecasts for forecasts, _, _ in told) == run.ledger.forecasts == 600


def test_the_curve_has_the_means_of_the_tenths_that_were_told() -> None:
    ledger = replace(ls.Ledger(), tenths=((4, 1, 0.2), *[(0, 0, 0.0)] * 8, (2, 2, 1.9)))
    assert ledger.reliability == ((0.05, 0.25, 4), (0.95, 1.0, 2))


def test_a_pool_is_calibrated_where_chances_are_known() -> None:
    """Every tenth within four deviations of what was foretold, once the pool has met some rows."""
    X, y = rows(20_000)
    learner = ls.Learner(ls.Pool())
    learner.learn_many(X[:10_000], y[:10_000])
    before = learner.ledger.tenths
    learner.learn_many(X[10_000:], y[10_000:])
    for (n, c, s), (m, d, t) in zip(learner.ledger.tenths, before, strict=True):
        told, came, chance = n - m, c - d, s - t
        assert abs(came - chance) <= 4.0 * np.sqrt(told * 0.25) + 0.01 * told


def test_chunks_files_and_merged_ledgers_have_the_same(tmp_path: Path) -> None:
    X, y = rows(300)
    whole, parts = ls.Learner(ls.Pool()), ls.Learner(ls.Pool())
    whole.learn_many(X, y)
    for k in range(0, 300, 70):
        parts.learn_many(X[k : k + 70], y[k : k + 70])
    parts.save(tmp_path / "m.lst")
    assert ls.load(tmp_path / "m.lst").ledger.tenths == parts.ledger.tenths == whole.ledger.tenths
    plain = ls.run(ls.Perceptron(), X, y).ledger
    assert plain.tenths == plain.reliability == ()
    twice = ls.merge([whole.ledger, plain, whole.ledger]).tenths
    assert twice == tuple((2 * a, 2 * b, 2 * c) for a, b, c in whole.ledger.tenths)


@pytest.mark.parametrize("numbers", [(1.0,) * 39, (-1.0,) * 40, (float("nan"),) * 40])
def test_tenths_that_cannot_be_are_refused(numbers: tuple[float, ...]) -> None:
    known: Snapshot = ls.Learner(ls.Perceptron()).snapshot()
    with pytest.raises(ls.InvalidData):
        ls.Learner.restored(replace(known, totals={**known.totals, "tenths": numbers}))


def test_of_many_classes_there_is_no_curve() -> None:
    X, _ = rows(90)
    ledger = ls.run(ls.Pool(), X, np.arange(90) % 3).ledger
    assert sum(told for _, _, told in ledger.reliability) == 2  # before the third was met
    assert reliability_charts(ledger) == []


def test_the_figure_has_the_diagonal_and_a_band_within_0_and_1() -> None:
    X, y = rows(500)
    (chart,) = reliability_charts(ls.run(ls.Pool(), X, y).ledger)
    curve, diagonal = chart.lines
    assert np.array_equal(diagonal.x, diagonal.y)
    (band,) = chart.bands
    assert (band.low >= 0.0).all()
    assert (band.high <= 1.0).all()
    assert ((band.low <= curve.y + 1e-12) & (curve.y <= band.high + 1e-12)).all()
    assert reliability_charts(ls.run(ls.Perceptron(), X, y).ledger) == []
