"""Theorems on masters by AdaHedge: numbers by hand, every verdict, and wrong weights that the lemmas catch."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from expert_moments import expert_moments
from littlestone.arrays import FloatArray
from littlestone.ballots import HedgedSnapshot
from littlestone.experts.state import ExpertState
from littlestone.theory.guarantee import within
from littlestone.theory.masters import GUARANTEES, MasterEvidence, MasterMoment
from shown import shows

BY_ID = {guarantee.id: guarantee for guarantee in GUARANTEES}
IDS = tuple(BY_ID)
Verdict = ls.Verdict


def master(votes: FloatArray, signs: FloatArray, vote: ls.ExpertRule | None = None) -> ls.Master:
    """Learners that vote as a column says: each has its weight on a feature of its own."""
    crew = [ls.Learner(ls.Fixed(weights=row)) for row in np.eye(votes.shape[1])]
    made = ls.Master(crew, labels=(-1, 1), vote=ls.AdaHedge() if vote is None else vote)
    made.learn_many(votes, signs.astype(int))
    return made


def found(made: ls.Master) -> dict[str, ls.Certificate]:
    return {one.id: one for one in made.certify()}


def evidence(made: ls.Master) -> MasterEvidence:
    """As a master gives it to its theorems."""
    snapshot = made.snapshot().vote
    assert isinstance(snapshot, HedgedSnapshot)
    mixture = ls.Mixture.restored(snapshot.mixture)
    return MasterEvidence(mixture.rule, made.ledger, mixture.ledger, made.wrong_votes.astype(float))


def noisy(seed: int, rounds: int = 400, learners: int = 4) -> tuple[FloatArray, FloatArray]:
    """Learners that are wrong in shares from .2 on, more and more."""
    source = np.random.default_rng(seed)
    signs = np.where(source.random(rounds) < 0.5, 1.0, -1.0)
    wrong = source.random((rounds, learners)) < np.linspace(0.2, 0.5, learners)
    return np.where(wrong, -signs[:, None], signs[:, None]), signs


@shows("example", *IDS)
def test_two_rounds_by_hand() -> None:
    """Two learners, of which the first is right: ½, then a gap of ½ makes η = 2 log 2 and weights 4 : 1."""
    made = master(np.array([[1.0, -1.0], [1.0, -1.0]]), np.array([1.0, 1.0]))
    said = found(made)
    assert said["master.hedge"].measured == pytest.approx(0.5 + 0.2)
    assert said["master.hedge"].bound == pytest.approx(16.0 / 3.0 * math.log(2.0) + 2.0)
    assert (said["master.vote"].measured, made.wrong_votes.tolist()) == (1.0, [0, 2])  # the tie of the first round
    assert said["master.vote"].bound == pytest.approx(2.0 * said["master.hedge"].bound)
    assert made.predict_one([1.0, -1.0]) == 1


@shows("never", *IDS)
@given(seed=st.integers(0, 2**32 - 1), rounds=st.integers(1, 150), learners=st.integers(1, 6))
def test_no_votes_break_them(seed: int, rounds: int, learners: int) -> None:
    votes, signs = noisy(seed, rounds, learners)
    assert {one.verdict for one in master(votes, signs).certify()} <= {Verdict.HOLDS, Verdict.VACUOUS}


@shows("never", *IDS)
def test_no_adversary_breaks_them() -> None:
    """The label is whatever the weights are against."""
    source = np.random.default_rng(0)
    made = master(np.zeros((0, 5)), np.zeros(0))
    for _ in range(200):
        votes = source.choice([-1.0, 1.0], size=5)
        made.learn_one(votes, -1 if made.score_one(votes) >= 0.0 else 1)
    assert made.ledger.mistakes == 200
    assert {one.verdict for one in made.certify()} <= {Verdict.HOLDS, Verdict.VACUOUS}


@shows("holds", *IDS)
@shows("vacuous", *IDS)
def test_it_says_more_than_a_constant_label_does_once_it_has_seen_enough() -> None:
    votes, signs = noisy(0, rounds=4000)
    few, many = found(master(votes[:40], signs[:40])), found(master(votes, signs))
    assert few["master.hedge"].verdict is few["master.vote"].verdict is Verdict.VACUOUS
    assert many["master.hedge"].holds
    assert many["master.hedge"].tightness > 0.9
    assert many["master.vote"].holds  # 2(k + …) is below the half of the rounds that a constant label errs in
    assert found(master(votes, signs, ls.ExponentialWeights(horizon=4000)))["mohri.8.6b"].holds


@shows("unproved", *IDS)
@shows("violated", *IDS)
def test_wrong_books_prove_nothing_and_wrong_weights_are_seen() -> None:
    votes, signs = noisy(1)
    sound = evidence(master(votes, signs))
    for guarantee in GUARANTEES:
        assert guarantee.certify(sound).proved
        other = guarantee.certify(replace(sound, wrong=sound.wrong - 1.0))
        assert other.verdict is Verdict.UNPROVED
        assert "rounds and wrong votes are those that were weighed ✗" in str(other)
        slow = guarantee.certify(replace(sound, rule=ls.ExponentialWeights()))
        assert "the votes are weighed by AdaHedge ✗" in str(slow)
        lost = replace(sound, votes=replace(sound.votes, loss=390.0), ledger=replace(sound.ledger, mistakes=390))
        assert guarantee.certify(lost).verdict is Verdict.VIOLATED
    assert ls.Master([ls.Learner(ls.Perceptron())], vote=ls.AdaHedge()).certify()[-1].verdict is Verdict.UNPROVED


def twice_as_sure(_: ls.AdaHedge, state: ExpertState, _awake: object = None) -> FloatArray:
    """Weights that are no distribution."""
    return np.full(len(state.losses), 2.0 / len(state.losses))


def follows_the_last(_: ls.AdaHedge, state: ExpertState, _awake: object = None) -> FloatArray:
    """All weight on the last learner."""
    weights = np.zeros(len(state.losses))
    weights[-1] = 1.0
    return weights


def moments(votes: FloatArray, signs: FloatArray) -> list[MasterMoment]:
    """A label is wrong where the votes, each with its weight, are against it."""
    rounds = expert_moments(ls.AdaHedge(), (votes != signs[:, None]).astype(float))
    return [MasterMoment(one, float(one.p @ (1.0 - 2.0 * one.losses)) <= 0.0) for one in rounds]


@shows("mutant", *IDS)
def test_every_lemma_is_kept_and_broken_by_somebody(monkeypatch: pytest.MonkeyPatch) -> None:
    votes, signs = noisy(2, rounds=60)
    broken = set[str]()
    for guarantee in GUARANTEES:
        for lemma in guarantee.lemmas:
            assert all(within(*lemma.sides(one)) for one in moments(votes, signs)), lemma.words
    for mutant in (twice_as_sure, follows_the_last):
        with monkeypatch.context() as wrong:
            wrong.setattr(ls.AdaHedge, "weights", mutant)
            made = moments(votes, signs)
        mistaken = [replace(one, mistaken=True) for one in made]  # whoever shows the label with less weight behind it
        for lemma in GUARANTEES[1].lemmas:
            if not all(within(*lemma.sides(one)) for one in mistaken):
                broken.add(lemma.words)
    gaps = [replace(one, round=replace(one.round, after=widened(one.round.after))) for one in moments(votes, signs)]
    broken |= {lemma.words for lemma in GUARANTEES[1].lemmas if not all(within(*lemma.sides(one)) for one in gaps)}
    assert broken == {lemma.words for lemma in GUARANTEES[1].lemmas}


def widened(state: ExpertState) -> ExpertState:
    """A gap that grew by 2 more than it did."""
    other = state.copy()
    other.gap[0] += 2.0
    return other


# --- how it is used


def crew() -> ls.Master:
    rules = (ls.Perceptron(), ls.PassiveAggressive(), ls.SignedWinnow())
    inner = ls.Master([ls.Learner(ls.AROW()), ls.Learner(ls.OnlineSVM())], vote=ls.AdaHedge())
    return ls.Master([*(ls.Learner(rule) for rule in rules), inner], labels=("ham", "spam"), vote=ls.AdaHedge())


def stream(seed: int) -> tuple[FloatArray, list[str]]:
    source = np.random.default_rng(seed)
    X = source.normal(size=(120, 5))
    return X, ["spam" if spam else "ham" for spam in X[:, 0] + 0.7 * source.normal(size=120) > 0.0]


def test_many_equals_one_by_one_and_a_file_goes_on_with_the_same_bits(tmp_path: Path) -> None:
    X, y = stream(0)
    many, single = crew(), crew()
    many.learn_many(X, y)
    for x, label in zip(X, y, strict=True):
        shown = single.predict_one(x)
        assert single.learn_one(x, label) == shown
    many.save(tmp_path / "m.lst")
    for other in (single, ls.load(tmp_path / "m.lst", kind=ls.Master), ls.Master.restored(many.snapshot())):
        assert other.ledger == many.ledger
        assert other.weights.tobytes() == many.weights.tobytes()
        assert [one.bound for one in other.certify()] == [one.bound for one in many.certify()]
        assert other.predict_many(X) == many.predict_many(X)


def test_a_refused_call_changes_nothing() -> None:
    X, y = stream(1)
    made = crew()
    made.learn_many(X, y)
    before = (made.ledger, made.weights.tobytes(), made.wrong_votes.tolist())
    with pytest.raises(ls.InvalidData):
        made.learn_one([math.nan] * 5, "ham")
    with pytest.raises(ls.InvalidData):
        made.learn_many([[1.0] * 5, [math.nan] * 5], ["ham", "spam"])
    made.begin_many(X, y)
    made.take_back()
    assert (made.ledger, made.weights.tobytes(), made.wrong_votes.tolist()) == before


def test_what_cannot_weigh_votes_is_refused() -> None:
    with pytest.raises(ls.NotApplicable, match="vote is WeightedMajority, which takes a vote of its own"):
        ls.Master([ls.Learner(ls.Perceptron())], vote=ls.WeightedMajority())
    make: Callable[..., ls.Master] = ls.Master
    with pytest.raises(ls.InvalidParameter, match="vote is Perceptron"):
        make([ls.Learner(ls.Perceptron())], vote=ls.Perceptron())
