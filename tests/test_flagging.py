"""One class without a radius to guess: the share flagged, the certificate, scaling, outliers, peers on real rows."""

from __future__ import annotations

import gzip
import os
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import littlestone as ls
from littlestone import _core
from littlestone.arrays import BoolArray, FloatArray
from littlestone.loop import PythonLoop
from littlestone.theory.audit import audit
from littlestone.theory.flagging import SHARE, FlagEvidence, FlagMoment
from littlestone.theory.guarantee import within
from littlestone.uniclass import ShareFlagging
from shown import shows

DATA = Path(os.environ.get("LITTLESTONE_DATA", Path(__file__).parents[2] / "shared" / "data")) / "oneclass"
FLAGGING: tuple[ShareFlagging, ...] = (ls.AdaptiveUniclass(flag=0.1), ls.AdaptiveKernelUniclass(flag=0.1, budget=7))
NORMAL = np.random.default_rng(0).normal(size=(6000, 4))


def area(scores: FloatArray, odd: BoolArray) -> float:
    """The chance that an odd row scores above another: the area under the curve, ties by halves."""
    order = np.argsort(np.argsort(scores, kind="stable"), kind="stable") + 1.0
    count = int(odd.sum())
    return float((order[odd].sum() - count * (count + 1) / 2.0) / (count * (len(odd) - count)))


def test_three_rounds_by_hand() -> None:
    """0, 2, then 4: mean 1 and variance 1 after two rows; 4 is three spreads away, but no z² counts above n = 2."""
    learner = ls.Learner(ls.AdaptiveUniclass(flag=0.5, eta=0.2))
    assert learner.learn_one([0.0]) == "inside"  # no spread, no distance, and 0 is not above 0
    assert learner.state.threshold[0] == pytest.approx(-0.1)
    assert learner.learn_one([2.0]) == "outside"  # spread 0 after one row: z² = 1
    assert (learner.state.w[0], learner.state.variance[0], learner.state.threshold[0]) == pytest.approx((1.0, 1.0, 0.0))
    assert learner.score_one([4.0]) == pytest.approx(np.sqrt(2.0))
    learner.learn_one([4.0])
    assert (learner.state.w[0], learner.state.variance[0]) == pytest.approx((2.0, 8.0 / 3.0))  # mean and variance of 0, 2, 4
    assert learner.state.largest[0] == pytest.approx(np.sqrt(2.0))


def test_without_outliers_it_is_the_mean_and_the_variance() -> None:
    X = np.random.default_rng(1).uniform(-1.0, 1.0, (500, 3)) * [1.0, 10.0, 0.1] + [0.0, 5.0, 100.0]
    state = ls.run(ls.AdaptiveUniclass(), X).state
    np.testing.assert_allclose(state.w, X.mean(axis=0), rtol=1e-9)
    np.testing.assert_allclose(state.variance, X.var(axis=0), rtol=1e-9)


def test_rounds_of_the_kernel_by_hand() -> None:
    """0, 2, then 4: the spread is 1 after two rows, 4 is 16 and 4 spreads² from them, of which n = 2 count: D = 1 for both."""
    learner = ls.Learner(ls.AdaptiveKernelUniclass(flag=0.5, eta=0.2, budget=2))
    assert learner.learn_one([0.0]) == "inside"  # nothing to be unlike
    assert learner.state.threshold[0] == pytest.approx(-0.1)
    assert learner.score_one([2.0]) == pytest.approx(1.0 - 2.0 / 3.0 + 0.1)  # spread 0 after one row: z² = 1, D = 1/2
    assert learner.learn_one([2.0]) == "outside"
    assert learner.state.threshold[0] == pytest.approx(0.0)
    assert learner.score_one([4.0]) == pytest.approx(1.0 - 0.5)
    assert learner.score_one([1.0]) == pytest.approx(1.0 - 2.0 / 3.0)  # one spread from either
    np.testing.assert_array_equal(learner.state.points, [[0.0, 2.0]])
    assert learner.state.largest[0] == pytest.approx(1.0 / 3.0)


def test_the_sample_is_a_fair_one() -> None:
    """Every row of 400 is in a sample of 20 with chance 1/20: over 300 seeds 15 times, give or take."""
    X = np.arange(400.0)[:, None]
    held = [ls.run(ls.AdaptiveKernelUniclass(budget=20, seed=seed), X).state.points.ravel() for seed in range(300)]
    counts = np.bincount(np.concatenate(held).astype(int), minlength=400)
    assert all(len(set(each)) == 20 for each in held)
    assert abs(float(np.mean(np.concatenate(held))) - 199.5) < 5.0  # five deviations of the mean
    assert counts.max() < 15 + 6 * np.sqrt(15)


def test_what_lies_between_two_clumps_is_unlike_both() -> None:
    """A ball around the centre would have the middle inside and the clumps at its rim."""
    X = np.random.default_rng(3).choice([-1.0, 1.0], size=(5000, 1)) * 10.0 + np.random.default_rng(4).normal(size=(5000, 2))
    kernel, ball = (ls.run(rule, X).learner for rule in (ls.AdaptiveKernelUniclass(), ls.AdaptiveUniclass()))
    middle, clump = [0.0, 0.0], [10.0, 10.0]
    assert kernel.score_one(middle) > kernel.score_one(clump)
    assert ball.score_one(middle) < ball.score_one(clump)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 60), st.integers(1, 6), st.booleans(), st.sampled_from(FLAGGING))
def test_the_compiled_loop_is_the_definition(
    seed: int, rows: int, features: int, sparse_form: bool, rule: ShareFlagging
) -> None:
    generator = np.random.default_rng(seed)
    X = np.where(generator.random((rows, features)) < 0.4, 0.0, generator.standard_t(2, (rows, features)))
    compiled = ls.run(rule, sparse.csr_array(X) if sparse_form else X)
    state, outcomes = rule.init(features), ls.Intervals.inside(rows).outcomes
    PythonLoop(rule, state, None).learn(_core.dense_batch(X), outcomes, _core.Totals(), _core.RoundColumns(rows), 0, rows)
    for name, array in state.arrays.items():
        np.testing.assert_array_equal(array, compiled.state.arrays[name], err_msg=name)


@pytest.mark.parametrize("rule", FLAGGING)
@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10**6), scale=st.sampled_from([2.0**-20, 0.5, 2.0**20]))
def test_units_do_not_matter(rule: ShareFlagging, seed: int, scale: float) -> None:
    X = np.random.default_rng(seed).normal(size=(300, 3))
    plain, scaled = (ls.run(rule, each, keep=("score",)) for each in (X, X * [scale, 1.0, 1.0 / scale]))
    np.testing.assert_array_equal(plain.columns["score"], scaled.columns["score"])


@pytest.mark.parametrize("far", [1e3, 1e9, 1e100])
def test_one_outlier_does_not_drag_the_centre(far: float) -> None:
    learner = ls.Learner(ls.AdaptiveUniclass())
    learner.learn_many(NORMAL[:2000])
    before, spread = learner.state.w.copy(), np.sqrt(learner.state.variance)
    assert learner.learn_one(np.full(4, far)) == "outside"
    assert np.max(np.abs(learner.state.w - before) / spread) <= 5.0 / 2001 * (1.0 + 1e-9)
    assert np.max(learner.state.variance / spread**2) <= 1.0 + 25.0 / 2001
    assert learner.predict_one(np.zeros(4)) == "inside"


def test_a_constant_feature_counts_when_it_moves() -> None:
    X = np.column_stack([NORMAL[:1000, 0], np.full(1000, 7.0)])
    learner = ls.Learner(ls.AdaptiveUniclass())
    learner.learn_many(X)
    assert learner.score_one([0.0, 7.0]) < 0.0
    assert learner.score_one([0.0, 7.0001]) > 10.0


@pytest.mark.parametrize("flag", [0.005, 0.01, 0.1, 0.5])
@pytest.mark.parametrize("rule", [ls.AdaptiveUniclass, ls.AdaptiveKernelUniclass])
def test_the_share_that_was_asked_for_is_flagged(
    rule: type[ls.AdaptiveUniclass | ls.AdaptiveKernelUniclass], flag: float
) -> None:
    X = np.random.default_rng(5).standard_t(3, size=(60_000, 3))
    run = ls.run(rule(flag=flag), X)
    assert run.ledger.mistakes / len(X) == pytest.approx(flag, abs=0.004)
    (certificate,) = run.certify()
    assert certificate.holds
    assert (certificate.id, run.learner.certify()[0].id) == ("flag.share", "flag.share")


# The theorem


@shows("example", "flag.share")
@shows("holds", "flag.share")
def test_the_bound_by_hand() -> None:
    """After T rounds the share is flag + θ/(ηT), to rounding: an identity, of which the bound is a consequence."""
    rule = ls.AdaptiveUniclass(flag=0.05, eta=0.1)
    run = ls.run(rule, NORMAL)
    threshold, largest = float(run.state.threshold[0]), float(run.state.largest[0])
    assert run.ledger.mistakes / 6000 - 0.05 == pytest.approx(threshold / (0.1 * 6000), abs=1e-12)
    (certificate,) = run.certify()
    assert certificate.bound == pytest.approx((largest + 0.1) / 600.0)
    assert certificate.holds


@shows("never", "flag.share")
@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 10**6),
    st.integers(1, 400),
    st.floats(0.001, 0.999),
    st.floats(0.001, 5.0),
    st.sampled_from(["normal", "heavy", "drift", "constant", "spiteful"]),
    st.sampled_from([ls.AdaptiveUniclass, ls.AdaptiveKernelUniclass]),
)
def test_the_share_is_within_the_bound_whatever_the_rows(
    seed: int, rows: int, flag: float, eta: float, kind: str, rule: type[ls.AdaptiveUniclass | ls.AdaptiveKernelUniclass]
) -> None:
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(rows, 2))
    if kind == "heavy":
        X = generator.standard_cauchy((rows, 2)) ** 3
    elif kind == "drift":
        X += np.arange(rows)[:, None] ** 2
    elif kind == "constant":
        X[:] = 3.0
    elif kind == "spiteful":
        X = np.array([[2.0**t, -(2.0**t)] for t in range(min(rows, 400))])
    run = ls.run(rule(flag=flag, eta=eta), X)
    (certificate,) = run.certify()
    assert certificate.verdict in (ls.Verdict.HOLDS, ls.Verdict.VACUOUS)
    assert audit(run) == len(X)


@shows("vacuous", "flag.share")
@shows("violated", "flag.share")
@shows("unproved", "flag.share")
def test_verdicts() -> None:
    fine = FlagEvidence(flag=0.1, eta=0.1, flagged=110, rounds=1000, learned=1000, largest=4.9)
    assert SHARE.certify(fine).bound == pytest.approx(0.05)
    assert SHARE.certify(fine).holds
    assert SHARE.certify(replace(fine, largest=90.0)).verdict is ls.Verdict.VACUOUS
    assert SHARE.certify(replace(fine, flagged=200)).verdict is ls.Verdict.VIOLATED
    assert SHARE.certify(replace(fine, learned=999)).verdict is ls.Verdict.UNPROVED
    assert SHARE.certify(replace(fine, rounds=0)).verdict is ls.Verdict.UNPROVED


@shows("mutant", "flag.share")
def test_the_lemma_catches_a_threshold_that_only_rises() -> None:
    (lemma,) = SHARE.lemmas
    assert within(*lemma.sides(FlagMoment(False, 0.1, 0.5, 2.0, 1.95)))
    assert within(*lemma.sides(FlagMoment(True, 0.1, 0.5, 2.0, 2.45)))
    assert not within(*lemma.sides(FlagMoment(False, 0.1, 0.5, 2.0, 2.0)))


# Ranking


@pytest.mark.skipif(not DATA.is_dir(), reason="the data sets are not there")
@pytest.mark.parametrize("rule", [ls.AdaptiveUniclass(), ls.AdaptiveKernelUniclass(), ls.AdaptiveKernelUniclass(seed=1)])
def test_mammography_is_ranked_as_well_as_by_the_peers(rule: ShareFlagging) -> None:
    """Isolation Forest ranks 0.86 of the pairs right and the one-class SVM 0.87, neither tuned."""
    with gzip.open(DATA / "mammography.csv.gz", "rt") as lines:
        table = [line.replace("'", "").split(",") for line in lines]
    values = np.array([[float(cell) for cell in row] for row in table if row[0].lstrip("-")[:1].isdigit()])
    X, odd = np.ascontiguousarray(values[:, :-1]), values[:, -1] > 0.0
    learner = ls.Learner(rule)
    learner.learn_many(X)
    assert area(learner.score_many(X), odd) >= 0.875


# Bad input


BAD = [("flag", 0.0), ("flag", 1.0), ("flag", np.nan), ("eta", 0.0), ("eta", -1.0), ("eta", np.inf)]


@pytest.mark.parametrize(("name", "value"), BAD)
def test_bad_parameters(name: str, value: float) -> None:
    with pytest.raises(ls.InvalidParameter, match=f"AdaptiveUniclass: {name} is"):
        ls.AdaptiveUniclass(**{name: value})


@pytest.mark.parametrize("budget", [0, 10_001, True])
def test_bad_samples(budget: int) -> None:
    with pytest.raises(ls.InvalidParameter, match=r"AdaptiveKernelUniclass: budget is .*; budget must be a whole"):
        ls.AdaptiveKernelUniclass(budget=budget)
    with pytest.raises(ls.InvalidParameter, match=r"AdaptiveKernelUniclass: seed is -1"):
        ls.AdaptiveKernelUniclass(seed=-1)
    with pytest.raises(ls.InvalidParameter, match=r"AdaptiveKernelUniclass: flag is 1\.0"):
        ls.AdaptiveKernelUniclass(flag=1.0)


@pytest.mark.parametrize("rule", FLAGGING)
def test_a_refused_row_changes_nothing(rule: ShareFlagging) -> None:
    learner = ls.Learner(rule)
    learner.learn_many(NORMAL[:50])
    before = {name: array.copy() for name, array in learner.state.arrays.items()}
    for bad in ([1.0, np.nan, 0.0, 0.0], [1.0, 0.0, 0.0, np.inf]):
        with pytest.raises(ls.InvalidData, match="value of feature"):
            learner.learn_one(bad)
    for name, array in before.items():
        np.testing.assert_array_equal(learner.state.arrays[name], array)
    assert learner.ledger.rounds == 50


@pytest.mark.parametrize("rule", FLAGGING)
def test_it_is_saved_and_goes_on(rule: ShareFlagging, tmp_path: Path) -> None:
    whole, part = ls.Learner(rule), ls.Learner(rule)
    whole.learn_many(NORMAL)
    part.learn_many(NORMAL[:3000])
    part.save(tmp_path / "m.lst")
    again = ls.load(tmp_path / "m.lst")
    assert isinstance(again, ls.Learner)
    again.learn_many(NORMAL[3000:])
    for name, array in whole.state.arrays.items():
        np.testing.assert_array_equal(again.state.arrays[name], array, err_msg=name)


# A radius that is learned, up to a bound


LOSS = 29**0.5 - 5.0


@pytest.mark.parametrize(("variant", "C", "move"), [("PA", None, LOSS), ("PA-I", 0.1, 0.1), ("PA-II", 0.5, LOSS / 2.0)])
def test_a_radius_by_hand(variant: Literal["PA", "PA-I", "PA-II"], C: float | None, move: float) -> None:
    """0, then 2, with B = 5: the first centre is (0; 5), d = √(2² + 5²), and the centre goes `move` of the way, over d."""
    rule = ls.RadiusUniclass(bound=5.0, variant=variant, C=C)
    learner = ls.Learner(rule)
    learner.learn_one([0.0])
    assert rule.radius(learner.state) == 0.0
    assert learner.score_one([2.0]) == pytest.approx(29**0.5 - 5.0)
    learner.learn_one([2.0])
    kept = 1.0 - move / 29**0.5
    assert learner.state.w[0] == pytest.approx(2.0 * (1.0 - kept))
    assert rule.radius(learner.state) == pytest.approx((25.0 - (5.0 * kept) ** 2) ** 0.5)
    if variant == "PA":
        assert learner.score_one([2.0]) == pytest.approx(0.0, abs=1e-12)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 40), st.sampled_from(["PA", "PA-I", "PA-II"]), st.booleans())
def test_the_compiled_ball_is_the_definition(
    seed: int, rows: int, variant: Literal["PA", "PA-I", "PA-II"], sparse_form: bool
) -> None:
    generator = np.random.default_rng(seed)
    X = np.where(generator.random((rows, 3)) < 0.4, 0.0, generator.normal(size=(rows, 3)))
    rule = ls.RadiusUniclass(bound=2.0, variant=variant)
    compiled = ls.run(rule, sparse.csr_array(X) if sparse_form else X)
    state, outcomes = rule.init(3), ls.Intervals.inside(rows).outcomes
    PythonLoop(rule, state, None).learn(_core.dense_batch(X), outcomes, _core.Totals(), _core.RoundColumns(rows), 0, rows)
    for name, array in state.arrays.items():
        np.testing.assert_array_equal(array, compiled.state.arrays[name], err_msg=name)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 60), st.floats(0.1, 1.0))
def test_the_losses_of_a_learned_radius_are_bounded(seed: int, rows: int, tightness: float) -> None:
    X = np.random.default_rng(seed).uniform(-1.0, 1.0, (rows, 3))
    away = float(np.linalg.norm(X, axis=1).max())
    rule = ls.RadiusUniclass(bound=away / tightness, variant="PA")
    run = ls.run(rule, X)
    (certificate,) = run.certify(against=np.zeros(3))
    assert certificate.holds
    assert certificate.measured == pytest.approx(run.ledger.loss_squared)
    lift = (rule.bound**2 - away**2) ** 0.5 if tightness < 1.0 else 0.0
    assert certificate.bound == pytest.approx(float(X[0] @ X[0]) + (rule.bound - lift) ** 2, abs=1e-6)
    assert audit(run, np.zeros(3)) == rows
    assert rule.radius(run.state) <= rule.bound


def test_nothing_is_proved_of_slack_and_one_row_moves_by_c() -> None:
    learner = ls.Learner(ls.RadiusUniclass(bound=20.0, C=0.05))
    learner.learn_many(NORMAL[:1000])
    before = learner.state.w.copy()
    learner.learn_one(np.full(4, 1e6))
    assert float(np.linalg.norm(learner.state.w - before)) <= 0.05
    (certificate,) = ls.run(ls.RadiusUniclass(bound=20.0), NORMAL[:100]).certify(against=np.zeros(4))
    assert certificate.verdict is ls.Verdict.UNPROVED


def test_a_learned_radius_in_bad_hands() -> None:
    with pytest.raises(ls.InvalidParameter, match='C has no meaning for "PA"'):
        ls.RadiusUniclass(bound=1.0, variant="PA", C=1.0)
    for bad in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(ls.InvalidParameter, match="RadiusUniclass: bound is"):
            ls.RadiusUniclass(bound=bad)
        with pytest.raises(ls.InvalidParameter, match="RadiusUniclass: C is"):
            ls.RadiusUniclass(bound=1.0, C=bad)
