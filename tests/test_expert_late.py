"""Outcomes that come late, and experts that come and go."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from expert_moments import expert_moments
from littlestone.arrays import FloatArray
from littlestone.experts.rule import ExpertRule
from littlestone.experts.state import ExpertState
from littlestone.theory.certificate import Verdict
from littlestone.theory.expert_delays import MOVES_SLOWLY
from littlestone.theory.guarantee import within
from shown import shows

SEEDS = st.integers(0, 2**32 - 1)
UNIT = ls.losses.Absolute(low=0.0, high=1.0)


def table(seed: int, rounds: int = 60, experts: int = 3) -> tuple[FloatArray, FloatArray]:
    random = np.random.default_rng(seed)
    return random.random((rounds, experts)), random.random(rounds)


# --- late outcomes


def test_a_forecast_is_made_of_what_was_known() -> None:
    """η = log 2, one round late: rounds 1 and 2 are spoken without an outcome, round 3 after the first: ½, ½, ⅔."""
    advice = np.array([[0.0, 1.0]] * 3)
    rule = ls.ExponentialWeights(eta=math.log(2.0))
    run = ls.aggregate(rule, advice, [1, 1, 0], loss=UNIT, delay=1, keep=("weights",))
    np.testing.assert_allclose(run.predictions, [1 / 2, 1 / 2, 2 / 3])
    np.testing.assert_allclose(run.weights, [[1 / 2, 1 / 2], [1 / 2, 1 / 2], [1 / 3, 2 / 3]])
    assert run.ledger.loss == pytest.approx(1 / 2 + 1 / 2 + 2 / 3)
    assert run.prompt is not None
    assert run.prompt.loss == pytest.approx(1 / 2 + 1 / 3 + 4 / 5)
    assert run.price == pytest.approx(5 / 3 - 49 / 30)
    assert "outcomes 1 rounds late" in str(run)


@pytest.mark.parametrize("rule", [ls.MLpol(), ls.AdaHedge(), ls.CalibratedFixedShare(), ls.ExponentialWeights()], ids=repr)
def test_late_is_to_ask_first_and_tell_later(rule: ExpertRule) -> None:
    advice, outcomes = table(1)
    advice[10:20, 1] = np.nan
    run = ls.aggregate(rule, advice, outcomes, loss="square", delay=7)
    mixture, said = ls.Mixture(rule, experts=3, loss="square"), []
    for t in range(60):
        if t > 7:
            mixture.learn_one(advice[t - 8], outcomes[t - 8])
        said.append(mixture.predict_one(advice[t]))
    np.testing.assert_array_equal(run.predictions, said)
    at_once = ls.aggregate(rule, advice, outcomes, loss="square")
    assert run.prompt is not None
    assert run.prompt.loss == at_once.ledger.loss
    for name, array in at_once.state.arrays.items():
        np.testing.assert_array_equal(run.state.arrays[name], array)
    np.testing.assert_allclose(run.ledger.losses, at_once.ledger.losses, rtol=1e-12)


def test_a_mixture_that_goes_on_keeps_its_books() -> None:
    advice, outcomes = table(2)
    mixture = ls.Mixture(ls.MLpol(), experts=3, loss="square")
    mixture.learn_many(advice[:20], outcomes[:20])
    run = mixture.learn_many(advice[20:], outcomes[20:], delay=3)
    assert run.ledger.rounds == mixture.ledger.rounds == 60
    assert mixture.ledger.loss == ls.aggregate(ls.MLpol(), advice, outcomes, loss="square").ledger.loss


@shows("example", "delay.exponential")
@shows("holds", "delay.exponential")
@shows("vacuous", "delay.exponential")
@shows("unproved", "delay.exponential")
def test_the_bound_of_a_delay_by_hand() -> None:
    """T = 1000, N = 2, η = ½, h = 2: 2 log 2 + 5·½·1000/8; the others assume what is not so."""
    advice = np.tile([0.0, 1.0], (1000, 1))
    run = ls.aggregate(ls.ExponentialWeights(eta=0.5), advice, np.zeros(1000), loss=UNIT, delay=2)
    first, *others = run.certify()
    assert (first.id, first.verdict) == ("delay.exponential", Verdict.HOLDS)
    assert first.bound == pytest.approx(2.0 * math.log(2.0) + 312.5)
    assert all(found.verdict is Verdict.UNPROVED for found in others)
    assert all("every outcome came before the next round ✗" in str(found) for found in others)
    far = ls.aggregate(ls.ExponentialWeights(eta=0.5), advice, np.zeros(1000), loss=UNIT, delay=8)
    assert far.certify()[0].verdict is Verdict.VACUOUS
    free = ls.aggregate(ls.ExponentialWeights(), advice, np.zeros(1000), loss=UNIT, delay=2)
    assert all(found.verdict is Verdict.UNPROVED for found in free.certify())
    prompt = ls.aggregate(ls.ExponentialWeights(eta=0.5), advice, np.zeros(1000), loss=UNIT)
    assert "delay.exponential" not in [found.id for found in prompt.certify()]


@shows("never", "delay.exponential")
@given(seed=SEEDS, delay=st.integers(1, 9), eta=st.sampled_from([0.1, 0.7, 3.0]))
def test_no_delay_breaks_its_bound(seed: int, delay: int, eta: float) -> None:
    """Outcomes that make whoever weighs most lose."""
    advice = np.round(table(seed)[0])
    rule = ls.ExponentialWeights(eta=eta)
    mixture, outcomes = ls.Mixture(rule, experts=3, loss=UNIT), np.zeros(60)
    for t in range(60):
        if t > delay:
            mixture.learn_one(advice[t - delay - 1], outcomes[t - delay - 1])
        outcomes[t] = float(mixture.predict_one(advice[t]) < 0.5)
    run = ls.aggregate(rule, advice, outcomes, loss=UNIT, delay=delay)
    assert run.certify()[0].verdict in (Verdict.HOLDS, Verdict.VACUOUS)
    for moment in expert_moments(rule, advice):
        assert within(*MOVES_SLOWLY.sides(moment))


@shows("violated", "delay.exponential")
@shows("mutant", "delay.exponential")
def test_who_jumps_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def leader(_rule: ExpertRule, state: ExpertState, _awake: object = None) -> FloatArray:
        """All weight on who lost most."""
        worst: FloatArray = np.eye(len(state.losses))[int(np.argmax(state.losses))]
        return worst

    rule, losses = ls.ExponentialWeights(eta=0.1), np.tile([0.0, 1.0], (1000, 1))
    monkeypatch.setattr(ls.ExponentialWeights, "weights", leader)
    monkeypatch.setattr(ls.ExponentialWeights, "compiled", lambda *_: None)
    run = ls.aggregate(rule, losses, np.zeros(1000), loss=UNIT, delay=1)
    assert run.certify()[0].verdict is Verdict.VIOLATED
    assert not all(within(*MOVES_SLOWLY.sides(moment)) for moment in expert_moments(rule, losses[:5]))


@pytest.mark.parametrize("delay", [-1, 1.5, True, "3"])
def test_a_delay_is_a_number_of_rounds(delay: int) -> None:
    with pytest.raises(ls.InvalidParameter, match="it must be a whole number of rounds, at least 0"):
        ls.aggregate(ls.MLpol(), *table(0), loss="square", delay=delay)


def test_a_late_run_that_is_refused_changes_nothing() -> None:
    advice, outcomes = table(3)
    mixture = ls.Mixture(ls.MLpol(), experts=3, loss="square")
    mixture.learn_many(advice[:5], outcomes[:5])
    outcomes[40] = np.inf
    with pytest.raises(ls.InvalidData, match="row 35: the outcome is inf"):
        mixture.learn_many(advice[5:], outcomes[5:], delay=2)
    assert mixture.ledger.rounds == 5
    with pytest.raises(ls.NotApplicable, match="cannot come late where losses are all there is"):
        ls.Mixture(ls.MLpol(), experts=3, loss=ls.losses.Given()).learn_many(advice, None, delay=2)


# --- experts that come and go

# Rules whose rates do not depend on how many experts there are: joining is to have slept, to the last bit.
SIZELESS = [ls.MLpol(), ls.BOA(), ls.PolynomialWeights(alpha=3.0), ls.ExponentialWeights(eta=0.5)]


@pytest.mark.parametrize("rule", SIZELESS, ids=repr)
@pytest.mark.parametrize("gradient", [False, True])
@given(seed=SEEDS, joins=st.integers(0, 60))
def test_who_joins_is_where_it_would_be_had_it_slept(rule: ExpertRule, gradient: bool, seed: int, joins: int) -> None:
    advice, outcomes = table(seed)
    advice[:joins, 2] = np.nan
    trick = gradient and rule.tracks
    whole = ls.aggregate(rule, advice, outcomes, loss="square", gradient=trick)
    mixture = ls.Mixture(rule, experts=["0", "1"], loss="square", gradient=trick)
    mixture.learn_many(advice[:joins, :2], outcomes[:joins])
    mixture.join("2")
    run = mixture.learn_many(advice[joins:], outcomes[joins:])
    np.testing.assert_allclose(run.predictions, np.asarray(whole.predictions)[joins:], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(run.ledger.regrets, whole.ledger.regrets, atol=1e-9)
    np.testing.assert_array_equal(run.ledger.asleep, whole.ledger.asleep)


@pytest.mark.parametrize("rule", [ls.AdaHedge(), ls.MLewa(), ls.ExponentialWeights()], ids=repr)
def test_who_joins_can_win(rule: ExpertRule) -> None:
    random = np.random.default_rng(4)
    outcomes = random.normal(size=400)
    advice = outcomes[:, None] + random.normal(size=(400, 3)) * [1.0, 1.0, 0.05]
    mixture = ls.Mixture(rule, experts=["a", "b"], loss="square")
    mixture.learn_many(advice[:200, :2], outcomes[:200])
    mixture.join("c")
    mixture.learn_many(advice[200:], outcomes[200:])
    assert max(mixture.weights, key=lambda name: mixture.weights[name]) == "c"
    assert mixture.ledger.asleep.tolist() == [0.0, 0.0, 200.0]


def test_a_mixture_with_a_newcomer_is_saved_and_copied(tmp_path: object) -> None:
    import copy
    from pathlib import Path

    assert isinstance(tmp_path, Path)
    mixture = ls.Mixture(experts=["a", "b"])
    advice, outcomes = table(5)
    mixture.learn_many(advice[:, :2], outcomes)
    mixture.save(tmp_path / "before.lst")
    mixture.join("c", "d")
    mixture.save(tmp_path / "after.lst")
    loaded = ls.load(tmp_path / "before.lst", kind=ls.Mixture)
    loaded.join("c", "d")
    row = {"a": 0.1, "c": 0.9, "d": 0.4}
    twins = [loaded, ls.load(tmp_path / "after.lst", kind=ls.Mixture), copy.deepcopy(mixture)]
    expected = mixture.learn_one(row, 0.3)
    for twin in twins:
        assert twin.experts == ("a", "b", "c", "d")
        assert twin.learn_one(row, 0.3) == expected
        assert twin.weights == mixture.weights


def test_frames_are_read_by_name_and_a_column_that_is_gone_sleeps() -> None:
    advice, outcomes = table(6)
    mixture, twin = (ls.Mixture(ls.MLpol(), experts=["a", "b", "c"], loss="square") for _ in range(2))
    frame = pd.DataFrame(advice[:, [2, 0]], columns=["c", "a"])
    run = mixture.learn_many(frame, outcomes)
    gone = advice.copy()
    gone[:, 1] = np.nan
    np.testing.assert_array_equal(run.predictions, twin.learn_many(gone, outcomes).predictions)
    regrets = run.regrets()
    assert isinstance(regrets, pd.DataFrame)
    assert list(regrets.columns) == ["a", "b", "c"]


def test_newcomers_that_cannot_join() -> None:
    mixture = ls.Mixture(ls.MLpol(), experts=["a", "b"], loss="square")
    mixture.learn_one([1.0, 2.0], 1.0)
    with pytest.raises(ls.InvalidParameter, match="names somebody twice"):
        mixture.join("c", "a")
    with pytest.raises(ls.InvalidData, match=r"there is no expert 'z'; there are a, b, and Mixture.join\('z'\) takes it in"):
        mixture.learn_one({"a": 1.0, "z": 2.0}, 1.0)
    with pytest.raises(ls.InvalidData, match=r"Mixture.join\('z'\)"):
        mixture.learn_many(pd.DataFrame({"a": [1.0], "z": [2.0]}), [1.0])
    assert (mixture.experts, mixture.ledger.rounds) == (("a", "b"), 1)
    for rule in (ls.FixedShare(eta=0.5, alpha=0.1), ls.CalibratedFixedShare(), ls.ExponentialWeights(schedule="doubling")):
        closed = ls.Mixture(rule, experts=["a", "b"], loss="square")
        with pytest.raises(ls.NotApplicable, match="cannot take in an expert"):
            closed.join("c")
        assert closed.experts == ("a", "b")
