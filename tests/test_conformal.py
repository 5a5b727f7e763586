"""Intervals and sets with a promise: rounds by hand, the promise against every adversary, models of all kinds, bad input."""

from __future__ import annotations

import copy
import json
import math
import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from river import linear_model as river_models
from sklearn.linear_model import LinearRegression, LogisticRegression, SGDRegressor

import littlestone as ls
from littlestone.cli.main import main
from littlestone.conformal.scores import Scores
from littlestone.experts.state import ExpertState
from littlestone.report.conformal import conformal_section
from littlestone.theory.conformal import COVERAGE, CoverageEvidence, CoverageMoment
from littlestone.theory.guarantee import within
from shown import shows

NOISE = np.random.default_rng(0).normal(size=3000)
RULES = (
    ls.AdaptiveConformal(gamma=0.05),
    ls.AggregatedConformal(),
    ls.AggregatedConformal(gammas=[0.02, 0.3], experts=ls.BOA(), gamma=0.03),
)
every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{type(rule).__name__}-{rule.rate}")


def test_four_rounds_by_hand() -> None:
    """Half is wanted: the level of ⌈(1 − θ)(n + 1)⌉ smallest scores, and everything while there are too few."""
    band = ls.Conformal(coverage=0.5, rule=ls.AdaptiveConformal(gamma=0.2))
    first = band.learn_one(10.0, 13.0)  # no score: everything
    assert isinstance(first, ls.PredictionInterval)
    assert (first.low, first.high, first.level, first.everything) == (-math.inf, math.inf, 0.5, True)
    assert band.level == pytest.approx(0.6)  # 0.5 + 0.2 (0.5 - 0)
    second = band.learn_one(10.0, 14.0)  # ⌈0.4 · 2⌉ = 1: the radius is 3
    assert isinstance(second, ls.PredictionInterval)
    assert (second.low, second.high, 14.0 in second, 13.0 in second) == (7.0, 13.0, False, True)
    assert band.level == pytest.approx(0.5)
    third = band.learn_one(0.0, 4.0)  # ⌈0.5 · 3⌉ = 2: the larger of 3 and 4, and the end is inside
    assert isinstance(third, ls.PredictionInterval)
    assert (third.low, third.high, 4.0 in third) == (-4.0, 4.0, True)
    assert band.ledger == ls.ConformalLedger(rounds=3, misses=1, everything=1, nothing=0, sizes=6.0 + 8.0, lag=0)
    assert band.ledger.coverage == pytest.approx(2.0 / 3.0)
    assert band.ledger.mean_size == 7.0


def test_levels_at_the_ends_are_everything_and_nothing() -> None:
    band = ls.Conformal(coverage=0.9, rule=ls.AdaptiveConformal(gamma=2.0))
    band.learn_one(0.0, 1.0)
    assert band.level == pytest.approx(0.3)
    band.learn_one(0.0, 1.0)
    band.learn_one(0.0, 9.0)  # 0.5: the radius is 1; then 0.5 - 1.8
    assert band.level < 0.0
    assert band.learn_one(0.0, 1e300).everything
    for _ in range(40):
        band.learn_one(0.0, 0.0)
    empty = next(shown for shown in (band.learn_one(0.0, 0.0) for _ in range(40)) if shown.level >= 1.0)
    assert isinstance(empty, ls.PredictionInterval)
    assert empty.nothing
    assert math.isnan(empty.low)
    assert 0.0 not in empty
    assert band.ledger.nothing >= 1


def test_the_radius_is_the_conformal_quantile() -> None:
    generator = np.random.default_rng(3)
    for _ in range(200):
        count, level = int(generator.integers(0, 40)), float(generator.uniform(0.001, 0.999))
        values = generator.exponential(size=count).round(1)
        scores = Scores(None, values.tolist())
        rank = math.ceil((1.0 - level) * (count + 1))
        assert scores.radius(level) == (math.inf if rank > count else np.sort(values)[rank - 1])
        score = float(generator.exponential().__round__(1))
        reach = scores.reach(score)
        assert score <= scores.radius(reach - 1e-9)
        assert reach == 1.0 or score > scores.radius(reach + 1e-9)


def test_a_window_forgets_the_oldest() -> None:
    band = ls.Conformal(coverage=0.5, window=3)
    band.learn_many(np.zeros(6), np.array([50.0, 60.0, 70.0, 1.0, 2.0, 3.0]))
    assert band.snapshot().scores == (1.0, 2.0, 3.0)
    assert band.predict_one(0.0).size == 4.0


# The theorem


@shows("example", "aci.coverage")
@shows("holds", "aci.coverage")
def test_the_bound_by_hand() -> None:
    """The share of misses is α − (θ − α)/(γT): an identity, of which the bound is a consequence."""
    band = ls.Conformal(coverage=0.9, rule=ls.AdaptiveConformal(gamma=0.01))
    run = band.learn_many(np.zeros(3000), NOISE)
    assert run.ledger.misses / 3000 == pytest.approx(0.1 - (band.level - 0.1) / (0.01 * 3000), abs=1e-12)
    (certificate,) = band.certify()
    assert certificate.bound == pytest.approx((0.9 + 0.01) / (0.01 * 3000))
    assert certificate.holds
    assert ls.certify(band) == run.certify() == [certificate]


def spiteful(band: ls.Conformal, kind: str, generator: np.random.Generator) -> float:
    """An outcome for the forecast 0 that somebody chooses who knows the interval."""
    shown = band.predict_one(0.0)
    assert isinstance(shown, ls.PredictionInterval)
    if kind == "always out":
        return 0.0 if not math.isfinite(shown.high) else 2.0 * shown.high + 1.0
    if kind == "always in":
        return 0.0
    if kind == "growing":
        return 2.0 ** min(band.ledger.rounds, 900)
    return float(generator.standard_cauchy() ** 3)


@shows("never", "aci.coverage")
@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 10**6),
    st.integers(1, 80),
    st.floats(0.01, 0.99),
    st.floats(0.001, 3.0),
    st.sampled_from(["always out", "always in", "growing", "heavy"]),
    st.booleans(),
)
def test_the_promise_is_kept_whatever_happens(
    seed: int, rounds: int, coverage: float, gamma: float, kind: str, many: bool
) -> None:
    generator = np.random.default_rng(seed)
    rule = ls.AggregatedConformal(gammas=[0.01, 0.5], gamma=gamma) if many else ls.AdaptiveConformal(gamma=gamma)
    band = ls.Conformal(coverage=coverage, rule=rule, window=50)
    for _ in range(rounds):
        before = float(band.state.theta[0])
        shown = band.learn_one(0.0, y := spiteful(band, kind, generator))
        moment = CoverageMoment(
            alpha=band.alpha, rate=gamma, shown=before, before=before, after=float(band.state.theta[0]), missed=y not in shown
        )
        assert all(within(*lemma.sides(moment)) for lemma in COVERAGE.lemmas)
        assert -gamma - 1e-9 <= band.state.theta[0] <= 1.0 + gamma + 1e-9
    assert band.certify()[0].proved


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.integers(1, 150), st.integers(0, 30), st.floats(0.05, 0.95), st.floats(0.01, 2.0))
def test_the_promise_is_kept_when_outcomes_come_late_in_any_order(
    seed: int, rounds: int, patience: int, coverage: float, gamma: float
) -> None:
    """The adversary answers "out" and "in" in runs, late, so that the level goes on after it has left [0, 1]."""
    generator = np.random.default_rng(seed)
    band = ls.Conformal(coverage=coverage, rule=ls.AdaptiveConformal(gamma=gamma), window=20)
    waiting: list[object] = []
    for t in range(rounds):
        waiting.append(band.predict_one(0.0))
        if len(waiting) > patience or generator.random() < 0.1:
            for shown in [waiting.pop(int(generator.integers(len(waiting)))) for _ in range(len(waiting))]:
                assert isinstance(shown, ls.PredictionInterval)
                out = (t // 40) % 2 == 0 and math.isfinite(shown.high)
                band.learn_shown(0.0, 3.0 * shown.high + 1.0 if out else 0.0, shown)
                steps = gamma * (1 + band.ledger.lag)
                assert -steps - 1e-9 <= band.level <= 1.0 + steps + 1e-9
    if band.ledger.rounds:
        assert band.certify()[0].proved


def test_a_delay_costs_its_constant_and_the_constant_is_needed() -> None:
    """Twenty sets are shown at one level and all miss: the level goes down twenty steps at once."""
    band = ls.Conformal(coverage=0.9, rule=ls.AdaptiveConformal(gamma=1.0))
    band.learn_many(np.zeros(11), np.ones(11))
    while not 0.0 < band.level < 0.9:
        band.learn_one(0.0, 0.0)
    shown = [band.predict_one(0.0) for _ in range(20)]
    for one in shown:
        band.learn_shown(0.0, 9.0, one)
    assert band.ledger.lag == 19
    assert band.level < -10.0
    (certificate,) = band.certify()
    assert certificate.bound == pytest.approx((0.9 + 20.0) / band.ledger.rounds)
    assert certificate.proved


def test_a_desk_of_delayed_labels_tells_what_was_shown() -> None:
    band = ls.Conformal(coverage=0.5, rule=ls.AdaptiveConformal(gamma=0.1))
    desk = ls.Delayed(band)
    first = desk.predict("a", 10.0, time=1)
    desk.predict("b", 10.0, time=2)
    desk.label("b", 11.0, time=3)
    told = desk.label("a", 14.0, time=4)
    assert told.prediction is not None
    assert (told.prediction.prediction, told.prediction.loss) == (first, 0.0)  # it was everything when it was shown
    assert (band.ledger.rounds, band.ledger.lag, band.ledger.misses) == (2, 1, 0)


@shows("vacuous", "aci.coverage")
@shows("unproved", "aci.coverage")
@shows("violated", "aci.coverage")
def test_the_other_verdicts() -> None:
    band = ls.Conformal()
    assert band.certify()[0].verdict is ls.Verdict.UNPROVED  # nothing learned
    band.learn_many(np.zeros(20), np.ones(20))
    assert band.certify()[0].verdict is ls.Verdict.VACUOUS
    loose = ls.Conformal(rule=ls.AggregatedConformal(gamma=None))
    run = loose.learn_many(np.zeros(3000), NOISE)
    assert run.certify()[0].verdict is ls.Verdict.UNPROVED
    assert "the last step has one fixed rate ✗" in str(run.certify()[0])
    wrong = CoverageEvidence(alpha=0.1, rate=0.5, misses=500, rounds=1000, lag=0)
    assert COVERAGE.certify(wrong).verdict is ls.Verdict.VIOLATED
    assert COVERAGE.certify(replace(wrong, misses=101)).holds


def clipped(rule: ls.AdaptiveConformal, state: ExpertState, missed: bool) -> None:
    rule.advance(state, missed=missed, reach=0.5)
    state.theta[0] = min(max(state.theta[0], 0.0), 1.0)


def deaf(rule: ls.AdaptiveConformal, state: ExpertState, missed: bool) -> None:
    rule.advance(state, missed=missed and state.theta[0] < 0.0, reach=0.5)


def hasty(rule: ls.AdaptiveConformal, state: ExpertState, missed: bool) -> None:
    rule.advance(state, missed=missed, reach=0.5)
    rule.advance(state, missed=missed, reach=0.5)


@shows("mutant", "aci.coverage")
@pytest.mark.parametrize("mutant", [clipped, deaf, hasty])
def test_a_wrong_rule_is_caught_by_the_lemma(mutant: Callable[[ls.AdaptiveConformal, ExpertState, bool], None]) -> None:
    rule = ls.AdaptiveConformal(gamma=0.3)
    state, broken = rule.init(0.1), False
    for missed in [True, True, False, True] * 5:
        before = float(state.theta[0])
        mutant(rule, state, missed)
        moment = CoverageMoment(alpha=0.1, rate=0.3, shown=0.5, before=before, after=float(state.theta[0]), missed=missed)
        broken = broken or not all(within(*lemma.sides(moment)) for lemma in COVERAGE.lemmas)
    assert broken


def test_a_set_that_is_cut_off_at_the_ends_is_caught_by_the_lemma() -> None:
    """Everything that is not everything may miss at a level of 0."""
    at_zero = CoverageMoment(alpha=0.1, rate=0.1, shown=-0.01, before=0.0, after=-0.09, missed=True)
    at_one = CoverageMoment(alpha=0.1, rate=0.1, shown=1.01, before=1.01, after=1.02, missed=False)
    for moment in (at_zero, at_one):
        assert not within(*COVERAGE.lemmas[1].sides(moment))


# The aggregate


def test_the_aggregate_by_hand() -> None:
    """The final step at α shows the mean level; below it bends towards 0, above towards 1."""
    rule = ls.AggregatedConformal(gammas=[0.1, 0.2], gamma=0.05)
    state = rule.init(0.2)
    state.levels[:] = 0.1, 0.5
    state.theta[0] = 0.2
    assert rule.level(state) == pytest.approx(0.3)
    state.theta[0] = 0.1
    assert rule.level(state) == pytest.approx(0.15)
    state.theta[0] = 0.6
    assert rule.level(state) == pytest.approx(1.0 - 0.7 * 0.4 / 0.8)
    for theta in (-0.01, 0.0, 1.0, 1.3):
        state.theta[0] = theta
        assert rule.level(state) == theta
    state.theta[0] = 0.2
    rule.advance(state, missed=True, reach=0.3)  # the first would have held it, the second not
    np.testing.assert_allclose(state.levels, [0.1 + 0.1 * 0.2, 0.5 - 0.2 * 0.8])
    assert state.theta[0] == pytest.approx(0.2 - 0.05 * 0.8)
    mixing = rule.mixing(0.2)
    assert isinstance(mixing, ls.FixedShare)
    pinball = np.array([0.2 * 0.2, 0.8 * 0.2]) / 1.2
    weights = np.exp(-mixing.rate(2) * pinball)
    v = weights / weights.sum()
    share = mixing.share()
    np.testing.assert_allclose(state.shares, (1 - share) * v + share * (1 - v))


def test_the_aggregate_follows_a_change_that_a_slow_rate_does_not() -> None:
    """The scale jumps tenfold, over and over: the worst stretch of 200 rounds is better covered."""
    generator = np.random.default_rng(1)
    scale = np.where(np.arange(6000) // 500 % 2 == 0, 1.0, 10.0)
    y = generator.normal(size=6000) * scale
    rules: Sequence[ls.ConformalRule] = (ls.AdaptiveConformal(gamma=0.001), ls.AggregatedConformal())
    runs = [ls.Conformal(rule=rule).learn_many(np.zeros(6000), y) for rule in rules]
    slow, mixed = (np.convolve(run.missed, np.full(200, 1 / 200), "valid")[500:] for run in runs)
    assert np.max(np.abs(mixed - 0.1)) < np.max(np.abs(slow - 0.1))
    assert all(abs(run.ledger.coverage - 0.9) < 0.02 for run in runs)


# One row at a time and many, copies, files


@every_rule
def test_one_at_a_time_and_many_are_the_same(rule: ls.ConformalRule) -> None:
    one, many = ls.Conformal(rule=rule, window=100), ls.Conformal(rule=rule, window=100)
    forecasts = 0.3 * NOISE[:400]
    shown = [one.learn_one(value, y) for value, y in zip(forecasts.tolist(), NOISE[1:401].tolist(), strict=True)]
    runs = [many.learn_many(forecasts[:150], NOISE[1:151]), many.learn_many(forecasts[150:], NOISE[151:401])]
    assert one.ledger == many.ledger
    for name, array in one.state.arrays.items():
        np.testing.assert_array_equal(array, many.state.arrays[name])
    ends = [(s.low, s.high) for s in shown if isinstance(s, ls.PredictionInterval)]
    np.testing.assert_array_equal(np.array(ends).T, np.concatenate([np.stack([r.low, r.high]) for r in runs], axis=1))


@every_rule
@pytest.mark.parametrize("how", ["deepcopy", "pickle", "file"])
def test_a_copy_goes_on_with_the_same_bits(rule: ls.ConformalRule, how: str, tmp_path: Path) -> None:
    model = ls.Learner(ls.PassiveAggressiveRegression(epsilon=0.1))
    band = ls.Conformal(model, coverage=0.8, rule=rule, window=60)
    X = NOISE[:400].reshape(200, 2)
    band.learn_many(X[:100], X[:100].sum(axis=1))
    if how == "deepcopy":
        twin: ls.Conformal = copy.deepcopy(band)
    elif how == "pickle":
        twin = pickle.loads(pickle.dumps(band))
    else:
        band.save(tmp_path / "band.lst")
        twin = ls.load(tmp_path / "band.lst", kind=ls.Conformal)
    assert twin.ledger == band.ledger
    assert twin.model is not band.model
    runs = [each.learn_many(X[100:], X[100:].sum(axis=1) + 1.0) for each in (band, twin)]
    np.testing.assert_array_equal(runs[0].low, runs[1].low)
    assert band.rule == twin.rule


def test_a_file_of_another_kind_or_damaged_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "band.lst"
    ls.Conformal(ls.Mixture(ls.MLpol(), experts=2, loss="square")).save(path)
    loaded = ls.load(path, kind=ls.Conformal)
    assert isinstance(loaded.model, ls.Mixture)
    with pytest.raises(
        ls.InvalidData, match=r"holds a Conformal, not a Learner; load it by ls.load\(path, kind=ls.Conformal\)"
    ):
        ls.load(path)
    raw = path.read_bytes()
    path.write_bytes(raw[:-9] + bytes([raw[-9] ^ 1]) + raw[-8:])
    with pytest.raises(ls.InvalidData):
        ls.load(path, kind=ls.Conformal)
    with pytest.raises(ls.NotApplicable, match=r"the model is a LinearRegression; a file holds models of this library"):
        ls.Conformal(LinearRegression()).save(path)


# Forecasters of all kinds


def sample() -> tuple[np.ndarray[tuple[int, int], np.dtype[np.float64]], np.ndarray[tuple[int], np.dtype[np.float64]]]:
    X = np.random.default_rng(2).normal(size=(800, 3))
    return X, X @ [1.0, -2.0, 0.5] + np.random.default_rng(3).normal(size=800)


def test_a_learner_is_shown_what_it_would_have_said() -> None:
    X, y = sample()
    rule = ls.PassiveAggressiveRegression(epsilon=0.5, variant="PA-I", C=0.1)
    band, alone = ls.Conformal(ls.Learner(rule), coverage=0.8), ls.Learner(rule)
    run = band.learn_many(X, y)
    np.testing.assert_array_equal(run.values, alone.learn_many(X, y, keep=("score",))["score"])
    assert isinstance(band.model, ls.Learner)
    assert band.model.ledger == alone.ledger
    np.testing.assert_array_equal(run.missed, ~((run.low <= y) & (y <= run.high)))
    assert run.ledger.coverage == pytest.approx(0.8, abs=0.03)
    one = ls.Conformal(ls.Learner(rule), coverage=0.8)
    shown = [one.learn_one(x, target) for x, target in zip(X[:50], y[:50].tolist(), strict=True)]
    assert [s.low for s in shown if isinstance(s, ls.PredictionInterval)] == run.low[:50].tolist()


def test_a_mixture_a_river_model_estimators_and_a_function() -> None:
    X, y = sample()
    records = [dict(zip("abc", row, strict=True)) for row in X.tolist()]
    fitted, incremental = LinearRegression().fit(X[:100], y[:100]), SGDRegressor(random_state=0).fit(X[:20], y[:20])
    bands: list[tuple[ls.Conformal, object]] = [
        (ls.Conformal(ls.Mixture(ls.MLpol(), experts=3, loss="square"), coverage=0.8), X),
        (ls.Conformal(river_models.LinearRegression(), coverage=0.8), records),
        (ls.Conformal(fitted, coverage=0.8), X),
        (ls.Conformal(incremental, coverage=0.8), X),
        (ls.Conformal(lambda x: float(x[0]), coverage=0.8), X),
    ]
    for band, rows in bands:
        run = band.learn_many(rows, y)
        assert run.ledger.coverage == pytest.approx(0.8, abs=0.03)
        assert band.certify()[0].proved
    assert bands[2][0].ledger.mean_size < bands[4][0].ledger.mean_size  # a better forecast has narrower intervals


def test_sets_of_labels_of_the_pool_of_river_and_of_scikit_learn() -> None:
    X, y = sample()
    labels = np.array(["low", "mid", "high"])[np.digitize(y, [-1.0, 1.0])]
    records = [dict(zip("abc", row, strict=True)) for row in X.tolist()]
    fitted = LogisticRegression().fit(X[:100], labels[:100])
    river_model = river_models.SoftmaxRegression()
    for model, rows in ((ls.Learner(), X), (river_model, records), (fitted, X)):
        band: ls.Conformal = ls.Conformal(model, coverage=0.8)
        run = band.learn_many(rows, labels)
        assert run.ledger.coverage == pytest.approx(0.8, abs=0.04)
        assert run.sets is not None
        assert 1.0 <= run.ledger.mean_size < 2.5
        shown = band.predict_one(rows[0])
        assert isinstance(shown, ls.PredictionSet)
        assert sum(shown.chances.values()) == pytest.approx(1.0, abs=1e-6)


def test_a_label_that_was_never_met_is_in_everything_and_in_nothing_else() -> None:
    band = ls.Conformal(coverage=0.9)
    chances = {"a": 0.7, "b": 0.3}
    first = band.predict_one(chances)
    assert isinstance(first, ls.PredictionSet)
    assert "zebra" in first
    for _ in range(30):
        band.learn_one(chances, "a")
    shown = band.predict_one(chances)
    assert isinstance(shown, ls.PredictionSet)
    assert shown.labels == ("a",)
    assert "zebra" not in shown
    band.learn_one(chances, "zebra")
    assert band.ledger.misses == 1
    assert band.snapshot().scores[-1] == 1.0


# Reports


def test_the_report_shows_the_band_and_counts_what_is_infinite(tmp_path: Path) -> None:
    run = ls.Conformal(coverage=0.9).learn_many(np.zeros(200), NOISE[:200])
    section = conformal_section(run, title="band")
    assert [chart.name for chart in section.charts] == ["band", "misses"]
    band = section.charts[0].bands[0]
    assert np.isfinite(band.low).all()
    assert np.isfinite(band.high).all()
    assert band.high[0] == max(band.high)  # an infinite one is drawn over the whole height
    assert {fact.words: fact.value for fact in section.facts}["infinite"] == "9"
    assert len(section.charts[0].lines[2].x) == run.ledger.misses
    assert "aci.coverage" in ls.write_report(run, tmp_path / "band.html").read_text()
    run.plot(tmp_path / "band.png")
    assert (tmp_path / "band.png").read_bytes()[:4] == b"\x89PNG"
    sets = ls.Conformal().learn_many([{"a": 0.5, "b": 0.5}] * 40, np.array(["a"] * 40))
    assert [chart.name for chart in conformal_section(sets, title="sets").charts] == ["misses"]


# Bad input


def test_what_cannot_be_is_refused_in_a_sentence() -> None:
    for bad in (0.0, 1.0, 90, cast("float", "0.9"), math.nan):
        with pytest.raises(ls.InvalidParameter, match=r"coverage must be a number strictly between 0 and 1"):
            ls.Conformal(coverage=bad)
    with pytest.raises(ls.InvalidParameter, match=r"window must be a whole number, at least 1, or None"):
        ls.Conformal(window=0)
    with pytest.raises(ls.InvalidParameter, match=r"gamma must be a finite number above 0"):
        ls.AdaptiveConformal(gamma=0.0)
    with pytest.raises(ls.InvalidParameter, match=r"gammas must be a list of finite numbers above 0"):
        ls.AggregatedConformal(gammas=[0.1, -0.1])
    with pytest.raises(ls.NotApplicable, match=r"is a rule, not a model; give it by its name: ls.Conformal\(model, rule="):
        ls.Conformal(ls.AdaptiveConformal())
    with pytest.raises(ls.NotApplicable, match=r"the model is 3; expected a learner, a mixture"):
        ls.Conformal(3)
    with pytest.raises(ls.NotApplicable, match=r"a master votes and has no probabilities"):
        ls.Conformal(ls.Master([ls.Learner(ls.Perceptron())]))
    with pytest.raises(ls.InvalidParameter, match=r"rule must be a rule such as ls.AdaptiveConformal\(\), or None"):
        ls.Conformal(rule=cast("ls.ConformalRule", ls.BOA()))
    with pytest.raises(ls.InvalidData, match=r"the model refuses the row: .* is not fitted yet"):
        ls.Conformal(LinearRegression()).predict_one([1.0])
    with pytest.raises(ls.InvalidData, match=r"the model refuses the row: float division by zero"):
        ls.Conformal(lambda x: 1.0 / cast("float", x)).predict_one(0.0)
    with pytest.raises(ls.NotApplicable, match=r"Perceptron has no probabilities; sets of labels need"):
        ls.Conformal(ls.Learner(ls.Perceptron()))


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        (math.nan, 1.0, "the forecast is nan; expected a finite number"),
        ("1", 1.0, "the forecast is '1'; expected a finite number"),
        (None, 1.0, "the forecast is None; expected a finite number"),
        (1.0, math.inf, "the outcome is inf; expected a finite number"),
        (1.0, "b", "the outcome is 'b'; expected a finite number"),
        ({"a": 1.5}, "a", "the probability of 'a' is 1.5; expected a number between 0 and 1"),
        ({"a": 0.5}, None, "the outcome is None; expected a label"),
        ({"a": 0.5}, [1], r"the outcome is \[1\]; expected a label"),
    ],
)
def test_a_bad_round_changes_nothing(x: object, y: object, words: str) -> None:
    band = ls.Conformal()
    band.learn_many(np.zeros(20), NOISE[:20])
    before = band.snapshot()
    with pytest.raises(ls.InvalidData, match=words):
        band.learn_one(x, y)
    after = band.snapshot()
    assert (after.scores, after.ledger, after.state.theta[0]) == (before.scores, before.ledger, before.state.theta[0])


def test_bad_columns_change_nothing() -> None:
    band = ls.Conformal(ls.Learner(ls.PassiveAggressiveRegression()))
    X, y = sample()
    for rows, outcomes, words in (
        (X, y[:-1], "800|799"),
        (X, y[:, None], "the outcomes have shape"),
        (X, np.where(np.arange(800) == 7, np.nan, y), "outcome 7 is nan"),
    ):
        with pytest.raises(ls.LittlestoneError, match=words):
            band.learn_many(rows, outcomes)
    assert isinstance(band.model, ls.Learner)
    assert (band.ledger.rounds, band.model.ledger.rounds) == (0, 0)
    column = ls.Conformal()
    with pytest.raises(ls.InvalidData, match=r"forecast 1 is nan"):
        column.learn_many([0.0, math.nan], [1.0, 2.0])
    with pytest.raises(ls.InvalidData, match=r"the forecasts have shape \(1,\); expected one for each of 2 outcomes"):
        column.learn_many([0.0], [1.0, 2.0])
    with pytest.raises(ls.InvalidData, match=r"what was shown is 3; expected a set that this model has shown"):
        column.learn_shown(0.0, 1.0, 3)
    assert column.ledger.rounds == 0


def test_sets_have_no_ends() -> None:
    run = ls.Conformal().learn_many([{"a": 0.5, "b": 0.5}] * 4, np.array(["a"] * 4))
    with pytest.raises(ls.NotApplicable, match=r"outcomes are labels; their sets have no ends"):
        _ = run.low


# The command line


def test_the_command_line_shows_intervals(tmp_path: Path) -> None:
    X, y = sample()
    lines = ["a,b,c,price", *(",".join(f"{value:.6f}" for value in (*row, target)) for row, target in zip(X, y, strict=True))]
    table, model, bands = tmp_path / "p.csv", tmp_path / "m.lst", tmp_path / "b.tsv"
    table.write_text("\n".join(lines) + "\n")
    learn = ["learn", str(table), "--label", "price"]
    first = CliRunner().invoke(
        main, [*learn, "--interval", "0.8", "--model", str(model), "--predictions", str(bands), "--json"]
    )
    assert first.exit_code == 0, first.output
    summary = json.loads(first.stdout)["interval"]
    written = np.loadtxt(bands)
    shown = (written[:, 1] <= y.round(6)) & (y.round(6) <= written[:, 2])
    assert summary["coverage"] == pytest.approx(shown.mean())
    assert summary["certificates"][0]["id"] == "aci.coverage"
    assert summary["everything"] == np.isinf(written[:, 2]).sum()
    predicted = CliRunner().invoke(main, ["predict", str(model), str(table)])
    assert predicted.stdout.count("\n") == 800
    assert all(line.count("\t") == 2 for line in predicted.stdout.splitlines())
    again = CliRunner().invoke(main, [*learn, "--from", str(model), "--interval", "0.8", "--json"])
    assert json.loads(again.stdout)["interval"]["rounds"] == 1600
    for wrong, words in (
        (["--interval", "0.9", "--from", str(model)], "go on with --interval 0.8"),
        (["--from", str(model)], "go on with --interval 0.8"),
        (["--interval", "0.9", "--passes", "2"], "leave out --passes"),
        (["--interval", "1.5"], "coverage must be a number strictly between 0 and 1"),
    ):
        refused = CliRunner().invoke(main, [*learn, *wrong])
        assert refused.exit_code != 0
        assert words in refused.output


def test_the_command_line_shows_intervals_of_a_mixture(tmp_path: Path) -> None:
    X, y = sample()
    lines = ["x,y,truth", *(f"{a:.6f},{b:.6f},{target:.6f}" for (a, b, _), target in zip(X, y, strict=True))]
    (tmp_path / "e.csv").write_text("\n".join(lines) + "\n")
    args = ["experts", str(tmp_path / "e.csv"), "--truth", "truth", "--interval", "0.8"]
    shown = CliRunner().invoke(main, [*args, "--predictions", str(tmp_path / "p.tsv"), "--report", str(tmp_path / "r.html")])
    assert shown.exit_code == 0, shown.output
    assert "asked to hold 0.8: 800 sets" in shown.output
    assert np.loadtxt(tmp_path / "p.tsv").shape == (800, 3)
    assert "Intervals around the mixture" in (tmp_path / "r.html").read_text()
