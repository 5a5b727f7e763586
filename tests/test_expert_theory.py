"""Theorems on expert rules: every lemma in every round, every bound against adversaries, every mutant violated."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from expert_laws import random_losses
from expert_moments import advised_moments, expert_moments
from littlestone.arrays import FloatArray
from littlestone.experts.rule import ExpertRule
from littlestone.theory.certificate import Verdict
from littlestone.theory.expert_certification import certify_experts
from littlestone.theory.expert_evidence import ExpertEvidence
from littlestone.theory.experts import GUARANTEES
from littlestone.theory.guarantee import within
from shown import shows

SEEDS = st.integers(0, 2**32 - 1)
ROUNDS = 120
RULES: tuple[ExpertRule, ...] = (
    ls.Halving(),
    ls.Halving(prune="always"),
    ls.WeightedMajority(),
    ls.WeightedMajority(beta=0.8, update_on="always"),
    ls.RandomizedWeightedMajority(),
    ls.RandomizedWeightedMajority(beta=0.3),
    ls.RandomizedWeightedMajority(horizon=ROUNDS),
    ls.ExponentialWeights(),
    ls.ExponentialWeights(eta=2.0),
    ls.ExponentialWeights(horizon=ROUNDS),
    ls.ExponentialWeights(schedule="doubling"),
    ls.MultiplicativeWeights(),
    ls.MultiplicativeWeights(horizon=ROUNDS),
    ls.MultiplicativeWeights(horizon=ROUNDS, alpha=0.5),
    ls.PolynomialWeights(),
    ls.PolynomialWeights(alpha=5.0),
    ls.FixedShare(eta=0.7, alpha=0.02),
    ls.FixedShare(horizon=ROUNDS, switches=2),
    ls.AdaHedge(),
    ls.InternalRegret(),
    ls.InternalRegret(horizon=ROUNDS),
    ls.InternalRegret(eta=0.3),
    ls.SwapRegret(horizon=ROUNDS),
    ls.FollowThePerturbedLeader(),
    ls.FollowThePerturbedLeader(horizon=ROUNDS),
    ls.FollowThePerturbedLeader(schedule="doubling"),
)


def opposing(rule: ExpertRule, kind: str, experts: int = 4) -> FloatArray:
    """Losses that look at the weights: on the heaviest half of the mass, on the heaviest expert, in turn, or at random."""
    state, random, rows = rule.init(experts), np.random.default_rng(3), []
    for t in range(ROUNDS):
        p = rule.weights(state)
        row = np.zeros(experts)
        if kind == "half":
            heaviest = np.argsort(-p, kind="stable")
            row[heaviest[: 1 + int(np.searchsorted(np.cumsum(p[heaviest]), 0.5))]] = 1.0
        elif kind == "heaviest":
            row[int(np.argmax(p))] = 1.0
        elif kind == "turn":
            row[t % experts] = 1.0
        else:
            row[:] = np.round(random.random(experts))
        rows.append(row)
        rule.update(state, row, None, float(p @ row >= 0.5) if rule.votes else None)
    return np.array(rows)


@pytest.mark.parametrize("rule", RULES, ids=repr)
@pytest.mark.parametrize("kind", ["half", "heaviest", "turn", "random"])
def test_bounds_hold_against_adversaries(rule: ExpertRule, kind: str) -> None:
    losses = opposing(rule, kind)
    run = ls.aggregate(rule, losses, np.zeros(ROUNDS), loss="zero_one") if rule.votes else ls.hedge(rule, losses)
    certificates = run.certify()
    assert certificates
    assert all(found.verdict is not Verdict.VIOLATED for found in certificates)
    if not isinstance(rule, ls.Halving | ls.FollowThePerturbedLeader):
        assert any(found.verdict in (Verdict.HOLDS, Verdict.VACUOUS) for found in certificates)


@pytest.mark.parametrize("rule", RULES, ids=repr)
@given(seed=SEEDS)
def test_lemmas_hold_in_every_round(rule: ExpertRule, seed: int) -> None:
    lemmas = [lemma for guarantee in GUARANTEES if guarantee.speaks_of(rule) for lemma in guarantee.lemmas]
    for moment in expert_moments(rule, random_losses(seed, labels=rule.votes)):
        for lemma in lemmas:
            left, right = lemma.sides(moment)
            assert within(left, right), lemma.words


def test_hoeffding_lemma_has_teeth() -> None:
    guarantee = next(g for g in GUARANTEES if g.id == "mohri.8.6a")
    moment = next(expert_moments(ls.ExponentialWeights(eta=0.5), np.array([[0.0, 1.0]])))
    left, right = guarantee.lemmas[0].sides(replace(moment, own=0.6))
    assert not within(left, right)


@given(seed=SEEDS)
def test_sleepers_are_compared_where_they_were_awake(seed: int) -> None:
    random = np.random.default_rng(seed)
    losses = np.round(random.random((80, 5)))
    losses[random.random(losses.shape) < 0.4] = np.nan
    losses[np.isnan(losses).all(axis=1), 0] = 1.0
    for rule in (ls.ExponentialWeights(), ls.ExponentialWeights(eta=1.0), ls.RandomizedWeightedMajority(beta=0.6)):
        run = ls.hedge(rule, losses)
        own = np.asarray(run.losses)
        awake = ~np.isnan(losses)
        direct = [float(np.sum((own - losses[:, i])[awake[:, i]])) for i in range(5)]
        np.testing.assert_allclose(run.ledger.regrets, direct, atol=1e-10)
        assert all(found.verdict in (Verdict.HOLDS, Verdict.VACUOUS, Verdict.UNPROVED) for found in run.certify())
        assert any(found.proved for found in run.certify())


@dataclass(frozen=True)
class Path:
    experts: tuple[str, ...]
    choices: npt.NDArray[np.int64]


def path(*choices: int, experts: int) -> Path:
    return Path(tuple(map(str, range(experts))), np.array(choices))


def test_fixed_share_tracks_and_exponential_weights_does_not() -> None:
    rounds, switches = 1000, 4
    losses = np.ones((rounds, 3))
    best = np.arange(rounds) * (switches + 1) // rounds % 3
    losses[np.arange(rounds), best] = 0.0
    run = ls.hedge(ls.FixedShare(horizon=rounds, switches=switches), losses)
    found = ls.certify(run, against=path(*best, experts=3))[0]
    assert (found.id, found.verdict) == ("tracking.fixed_share", Verdict.HOLDS)
    assert found.measured == run.ledger.loss
    static = ls.hedge(ls.ExponentialWeights(horizon=rounds), losses)
    assert static.ledger.loss > found.bound


def test_a_range_that_was_not_declared_is_said() -> None:
    advice, outcomes = np.array([[0.0, 1.0]] * 4), [1, 1, 0, 1]
    tracked = ls.aggregate(ls.ExponentialWeights(), advice, outcomes, loss="absolute")
    assert all(found.verdict is Verdict.UNPROVED for found in tracked.certify())
    wide = ls.aggregate(ls.ExponentialWeights(eta=0.5), 10 * advice, [10, 10, 0, 10], loss=ls.losses.Absolute(low=0, high=10))
    unit = ls.aggregate(ls.ExponentialWeights(eta=0.5), advice, outcomes, loss=ls.losses.Absolute(low=0, high=1))
    assert wide.certify()[0].bound == pytest.approx(10 * unit.certify()[0].bound)
    assert wide.regret == pytest.approx(10 * unit.regret)


def test_a_wrong_rule_is_caught_by_its_theorem() -> None:
    """Evidence of a run that lost more than the theorem allows is a violation, not a pass."""
    losses = np.zeros((400, 2))
    losses[:, 0] = 1.0
    run = ls.hedge(ls.ExponentialWeights(eta=1.0), losses)
    bad = replace(run.ledger, loss=run.ledger.loss + 100.0)
    evidence = ExpertEvidence(run.rule, bad, run.state, run.loss, run.gradient)
    verdicts = {g.id: g.certify(evidence).verdict for g in GUARANTEES if g.speaks_of(run.rule)}
    assert verdicts["mohri.8.6a"] is Verdict.VIOLATED


@shows("never", "fpl.gumbel")
@pytest.mark.parametrize("kind", ["turn", "random"])
def test_perturbed_leader_keeps_its_bound_against_blind_losses(kind: str) -> None:
    guarantee = next(g for g in GUARANTEES if g.id == "fpl.gumbel")
    for schedule in ("doubling", "anytime"):
        rule = ls.FollowThePerturbedLeader(schedule=schedule)
        run = ls.hedge(rule, opposing(rule, kind))
        evidence = ExpertEvidence(run.rule, run.ledger, run.state, run.loss, run.gradient)
        assert within(guarantee.measured(evidence), guarantee.bound(evidence))
        assert guarantee.certify(evidence).verdict is Verdict.UNPROVED


def test_prior_pays_log_of_its_inverse() -> None:
    prior = np.array([0.98, 0.01, 0.01])
    losses = np.ones((200, 3))
    losses[:, 1] = 0.0
    run = ls.hedge(ls.ExponentialWeights(eta=0.5, prior=prior), losses)
    found = next(c for c in run.certify() if c.id == "mohri.8.6a")
    assert found.verdict is Verdict.HOLDS
    assert found.measured == pytest.approx(run.regret - math.log(1 / (3 * 0.01)) / 0.5)


def test_second_order_bound_is_small_when_one_expert_is_best() -> None:
    losses = np.zeros((5000, 2))
    losses[:, 1] = 1.0
    run = ls.hedge(ls.AdaHedge(), losses)
    found = run.certify()[0]
    assert found.holds
    assert found.bound < 6.0 < math.sqrt(5000 / 2 * math.log(2))


@shows("never", "vovk.brier")
@given(seed=SEEDS)
def test_brier_mixture_never_loses_more_than_its_pseudo_prediction(seed: int) -> None:
    random = np.random.default_rng(seed)
    advice, outcomes = random.random((60, 5)), np.round(random.random(60))
    run = ls.aggregate(ls.AggregatingAlgorithm(), advice, outcomes, loss="brier")
    lemma = next(g for g in GUARANTEES if g.id == "vovk.brier").lemmas[0]
    rounds = list(advised_moments(run.rule, advice, outcomes, run.loss))
    np.testing.assert_allclose([moment.own for moment in rounds], run.losses, atol=1e-12)
    for moment in rounds:
        assert within(*lemma.sides(moment))
        assert not within(*lemma.sides(replace(moment, own=moment.own + 0.5)))
    assert run.certify()[0].proved
    assert run.regret <= math.log(5) / 2.0


def test_certify_is_one_verb() -> None:
    run = ls.hedge(ls.ExponentialWeights(eta=0.5), random_losses(1))
    assert [c.id for c in ls.certify(run)] == [c.id for c in certify_experts(run)]
    with pytest.raises(ls.NotApplicable):
        ls.certify(run, against=[1.0, 2.0])
    assert all(ls.theory.guarantees[guarantee.id] is guarantee for guarantee in GUARANTEES)
