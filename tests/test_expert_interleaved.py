"""Outcomes that come late, by copies that take turns: the copies, the sum of their bounds, and what is refused."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.experts.rule import ExpertRule
from littlestone.theory.certificate import Verdict
from littlestone.theory.guarantee import within
from littlestone.theory.interleaved import INTERLEAVED, InterleavedEvidence, InterleavedMoment
from shown import shows

UNIT = ls.losses.Absolute(low=0.0, high=1.0)
RULES: tuple[ExpertRule, ...] = (ls.AdaHedge(), ls.MLpol(), ls.ExponentialWeights(eta=0.5), ls.BOA())


def regrets(run: ls.InterleavedRun) -> InterleavedMoment:
    return InterleavedMoment(np.array([copy.ledger.regrets for copy in run.copies]))


def table(seed: int, rounds: int = 50, experts: int = 3) -> tuple[FloatArray, FloatArray]:
    random = np.random.default_rng(seed)
    return random.random((rounds, experts)), random.random(rounds)


@pytest.mark.parametrize("rule", RULES, ids=repr)
@pytest.mark.parametrize("delay", [0, 1, 6, 80])
def test_nobody_speaks_from_an_outcome_that_is_not_there_yet(rule: ExpertRule, delay: int) -> None:
    """Round t is said by a mixture that has learned the rounds t − (h+1), t − 2(h+1), … and no others."""
    advice, outcomes = table(1)
    advice[5:15, 1] = np.nan
    run = ls.interleave(rule, advice, outcomes, delay=delay, loss="square")
    for t in (0, 1, 7, 8, 49):
        mixture = ls.Mixture(rule, experts=3, loss="square")
        for known in range(t % (delay + 1), t, delay + 1):
            mixture.learn_one(advice[known], outcomes[known])
        assert run.predictions[t] == mixture.predict_one(advice[t])
    np.testing.assert_allclose(run.losses, (run.predictions - outcomes) ** 2, rtol=1e-12)
    assert run.regret == pytest.approx(
        max(np.sum((run.losses - (advice[:, i] - outcomes) ** 2)[~np.isnan(advice[:, i])]) for i in range(3))
    )


@shows("example", "delay.interleaved")
@shows("holds", "delay.interleaved")
def test_the_bounds_of_the_copies_add_up() -> None:
    """T = 1000, N = 2, η = ½, h = 3: four copies of 250 rounds, 4(2 log 2 + ½·250/8)."""
    advice = np.tile([0.0, 1.0], (1000, 1))
    run = ls.interleave(ls.ExponentialWeights(eta=0.5), advice, np.zeros(1000), delay=3, loss=UNIT)
    (certificate,) = run.certify()
    assert (certificate.id, certificate.verdict) == ("delay.interleaved", Verdict.HOLDS)
    assert certificate.bound == pytest.approx(4.0 * (2.0 * math.log(2.0) + 15.625))
    assert certificate.measured == run.regret == pytest.approx(float(np.sum(run.losses)))
    late = ls.aggregate(ls.ExponentialWeights(eta=0.5), advice, np.zeros(1000), loss=UNIT, delay=3)
    assert certificate.bound < late.certify()[0].bound


@shows("vacuous", "delay.interleaved")
@shows("unproved", "delay.interleaved")
def test_what_the_copies_do_not_prove_is_not_proved() -> None:
    advice, outcomes = table(2, rounds=12)
    few = ls.interleave(ls.ExponentialWeights(eta=0.1), advice, outcomes, delay=3, loss=UNIT)
    assert few.certify()[0].verdict is Verdict.VACUOUS
    free = ls.interleave(ls.CalibratedFixedShare(), advice, outcomes, delay=3)
    assert free.certify()[0].verdict is Verdict.UNPROVED
    assert "a bound on the regret of every copy was proved ✗" in str(free.certify()[0])


@shows("never", "delay.interleaved")
@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), delay=st.integers(0, 9), rule=st.sampled_from(RULES), gradient=st.booleans())
def test_no_outcomes_break_it(seed: int, delay: int, rule: ExpertRule, gradient: bool) -> None:
    """Outcomes that make whoever weighs most lose."""
    advice = np.round(table(seed)[0])
    turns, outcomes = [ls.Mixture(rule, experts=3, loss=UNIT) for _ in range(delay + 1)], np.zeros(50)
    for t in range(50):
        mixture = turns[t % (delay + 1)]
        outcomes[t] = float(mixture.predict_one(advice[t]) < 0.5)
        mixture.learn_one(advice[t], outcomes[t])
    run = ls.interleave(rule, advice, outcomes, delay=delay, loss=UNIT, gradient=gradient)
    assert run.certify()[0].verdict is not Verdict.VIOLATED
    assert within(*INTERLEAVED.lemmas[0].sides(regrets(run)))


@shows("violated", "delay.interleaved")
@shows("mutant", "delay.interleaved")
def test_copies_that_are_left_out_are_missed() -> None:
    """Half of the bounds are less than the regret, and so are half of the copies' regrets."""
    advice = np.tile([0.0, 1.0], (400, 1))
    run = ls.interleave(ls.ExponentialWeights(eta=0.01), advice, np.zeros(400), delay=39, loss=UNIT)
    evidence = InterleavedEvidence.of(run)
    assert INTERLEAVED.certify(evidence).verdict is not Verdict.VIOLATED
    assert INTERLEAVED.certify(replace(evidence, bounds=evidence.bounds[:1])).verdict is Verdict.VIOLATED
    left, right = INTERLEAVED.lemmas[0].sides(regrets(run))
    assert within(left, right)
    assert not within(left, INTERLEAVED.lemmas[0].sides(InterleavedMoment(regrets(run).regrets[:20]))[1])


def test_it_shows_itself_and_knows_names() -> None:
    advice, outcomes = table(3)
    run = ls.interleave(None, pd.DataFrame(advice, columns=["gam", "ar", "gbm"]), outcomes, delay=4)
    assert run.experts == ("gam", "ar", "gbm")
    assert str(run).startswith("5 copies of AdaHedge(), outcomes 4 rounds late: 50 rounds, mean loss 0.")
    assert "5 copies of AdaHedge()" in run._repr_html_()
    assert run.mean_loss == pytest.approx(float(np.mean((run.predictions - outcomes) ** 2)))


def test_what_is_refused() -> None:
    advice, outcomes = table(4)
    with pytest.raises(ls.InvalidParameter, match="delay is -1; it must be a whole number of rounds, at least 0"):
        ls.interleave(None, advice, outcomes, delay=-1)
    with pytest.raises(ls.InvalidData, match=r"the outcomes have shape \(49,\); expected one for each of 50 rounds"):
        ls.interleave(None, advice, outcomes[1:], delay=2)
    with pytest.raises(ls.InvalidData, match=r"expected at least one round, by experts"):
        ls.interleave(None, advice[:0], outcomes[:0], delay=2)
    holed = np.where(np.arange(len(outcomes)) == 7, np.nan, outcomes)
    with pytest.raises(ls.InvalidData, match=r"^round 7: the outcome is nan; outcomes must be finite$"):
        ls.interleave(None, advice, holed, delay=2)


@pytest.mark.parametrize("experts", [True, "ab"])
def test_one_name_is_no_list_of_names(experts: str | bool) -> None:
    with pytest.raises(ls.InvalidParameter, match=r"expected their names in a list, or how many there are"):
        ls.Mixture(None, experts=experts)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (ls.MLpol, r"the rule is the class MLpol; make a rule of it: ls.MLpol\(\)"),
        ("mlpol", r"the rule is 'mlpol'; expected a rule for experts, such as ls.MLpol\(\), or None for AdaHedge"),
        (ls.Perceptron(), r"the rule is Perceptron\(.*\); expected a rule for experts"),
    ],
)
def test_what_is_no_rule_for_experts_is_refused(rule: ExpertRule, words: str) -> None:
    advice, outcomes = table(5)
    with pytest.raises(ls.InvalidParameter, match=words):
        ls.aggregate(rule, advice, outcomes)
    with pytest.raises(ls.InvalidParameter, match=words):
        ls.hedge(rule, advice)
    with pytest.raises(ls.InvalidParameter, match=words):
        ls.play(advice, rule, ls.RegretMatchingPlus(), 3)
