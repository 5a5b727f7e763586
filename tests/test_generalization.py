"""Bounds on the risk: coverage by exact enumeration, by known risks, and the numbers of the sources."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.theory.generalization import ANYTIME, GUARANTEES
from littlestone.theory.risk import Compared, Progressive, anytime_bound, controlled_tests, deviation, penalty
from shown import shows

BY_ID = {guarantee.id: guarantee for guarantee in GUARANTEES}
DELTA = 0.2


@cache
def anytime(mistakes: int, rounds: int) -> float:
    return anytime_bound(mistakes, rounds, DELTA)


@cache
def at_one_time(mistakes: int, rounds: int) -> float:
    """The mutant: a bound for one moment, looked at in every one."""
    return mistakes / rounds + deviation(rounds, DELTA)


def ever_fails(bound: object, p: float, rounds: int) -> float:
    """The exact probability that the bound is below p at some time, mistakes being independent with probability p."""
    assert callable(bound)
    alive, failed = {0: 1.0}, 0.0
    for t in range(1, rounds + 1):
        after: dict[int, float] = {}
        for mistakes, weight in alive.items():
            for more, chance in ((1, p), (0, 1.0 - p)):
                after[mistakes + more] = after.get(mistakes + more, 0.0) + weight * chance
        failed += sum(weight for mistakes, weight in after.items() if bound(mistakes, t) < p)
        alive = {mistakes: weight for mistakes, weight in after.items() if bound(mistakes, t) >= p}
    return failed


@shows("never", "risk.anytime")
@pytest.mark.parametrize("p", [0.02, 0.1, 0.3, 0.5, 0.8, 0.97, 1.0])
def test_the_anytime_bound_rarely_ever_fails(p: float) -> None:
    assert ever_fails(anytime, p, 60) <= DELTA


@shows("mutant", "risk.anytime")
def test_a_bound_for_one_moment_fails_when_looked_at_in_every_one() -> None:
    assert ever_fails(at_one_time, 0.5, 120) > DELTA


@shows("never", "risk.anytime")
def test_no_adversary_makes_it_fail() -> None:
    """Hypotheses change, so p does: the worst adaptive choice of p, by dynamic programming over everything that counts."""
    choices = (0.05, 0.5, 0.95)
    last = 11

    @cache
    def worst(mistakes: int, used: tuple[int, int, int]) -> float:
        t = sum(used)
        if t and anytime(mistakes, t) < sum(n * p for n, p in zip(used, choices, strict=True)) / t:
            return 1.0
        if t == last:
            return 0.0
        futures = []
        for k, p in enumerate(choices):
            after = (used[0] + (k == 0), used[1] + (k == 1), used[2] + (k == 2))
            futures.append(p * worst(mistakes + 1, after) + (1.0 - p) * worst(mistakes, after))
        return max(futures)

    assert 0.0 < worst(0, (0, 0, 0)) <= DELTA


def test_losses_between_0_and_1_are_covered_too() -> None:
    """The exact probability of failure for losses 0, ½ and 1, which have more ways to be small."""
    chances = {0.0: 0.3, 0.5: 0.5, 1.0: 0.2}
    mean = sum(loss * chance for loss, chance in chances.items())
    alive, failed = {0.0: 1.0}, 0.0
    for t in range(1, 31):
        after: dict[float, float] = {}
        for total, weight in alive.items():
            for loss, chance in chances.items():
                after[total + loss] = after.get(total + loss, 0.0) + weight * chance
        failing = {total for total in after if anytime_bound(total, t, 0.5) < mean}
        failed += sum(after[total] for total in failing)
        alive = {total: weight for total, weight in after.items() if total not in failing}
    assert failed <= 0.5


@shows("tight", "risk.anytime")
def test_with_probability_one_it_is_close_to_the_law_of_small_numbers() -> None:
    assert anytime_bound(0, 1000, 0.05) <= 2.0 * math.log(20) / 1000
    assert anytime_bound(0, 1000, 0.05) >= math.log(20) / 1000


@given(st.integers(1, 10**6), st.floats(0, 1), st.sampled_from([1e-6, 0.01, 0.2]))
def test_the_bound_is_between_the_mean_and_one_and_moves_the_right_way(rounds: int, share: float, delta: float) -> None:
    mistakes = int(share * rounds)
    bound = anytime_bound(mistakes, rounds, delta)
    assert mistakes / rounds <= bound <= 1.0
    assert anytime_bound(mistakes, rounds, delta / 2) >= bound - 1e-11
    if mistakes < rounds:
        assert anytime_bound(mistakes + 1, rounds, delta) >= bound - 1e-11
    assert anytime_bound(3.0 * mistakes, rounds, delta, largest=3.0) == pytest.approx(3.0 * bound, rel=1e-9)


def test_the_bound_closes_in_on_the_mean() -> None:
    gaps = [anytime_bound(T // 10, T) - 0.1 for T in (100, 10**4, 10**6, 10**9)]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] < 1e-4


@shows("never", "mohri.8.14")
@pytest.mark.parametrize(("rounds", "p"), list(itertools.product((10, 100, 400), (0.05, 0.3, 0.5, 0.9))))
def test_the_sharper_constant_of_lemma_8_14_is_enough(rounds: int, p: float) -> None:
    for delta in (0.05, 0.2):
        failure = sum(
            math.comb(rounds, k) * p**k * (1 - p) ** (rounds - k)
            for k in range(rounds + 1)
            if k / rounds + deviation(rounds, delta) < p
        )
        assert failure <= 0.82 * delta


@shows("example", "mohri.8.14")
def test_numbers_of_lemma_8_14() -> None:
    assert deviation(100, 0.05) == pytest.approx(0.1224, abs=1e-4)
    assert 2 * deviation(100, 0.05) == pytest.approx(0.2448, abs=1e-4)
    certificate = BY_ID["mohri.8.14"].certify(Progressive(rounds=100, loss=10.0))
    assert certificate.bound == pytest.approx(0.1 + 0.12239, abs=1e-4)
    assert certificate.verdict is ls.Verdict.HOLDS


@shows("example", "mohri.8.15a", "mohri.8.15b", "mohri.8.15ewa")
def test_numbers_of_theorem_8_15() -> None:
    evidence = Progressive(rounds=100, loss=10.0, convex=True, regret=4.0, experts=10)
    assert BY_ID["mohri.8.15a"].certify(evidence).bound == pytest.approx(0.1 + 0.12239, abs=1e-4)
    # The printed deviation terms are .5432 together; each may be halved.
    assert BY_ID["mohri.8.15b"].certify(evidence).bound == pytest.approx(0.04 + 0.5432 / 2, abs=1e-4)
    assert BY_ID["mohri.8.15ewa"].certify(evidence).bound == pytest.approx(0.1073 + 0.5432 / 2, abs=1e-4)


@shows("never", "mohri.8.15a", "mohri.8.15b", "mohri.8.15ewa")
def test_the_average_of_exponential_weights_is_covered() -> None:
    """Three constant experts, absolute loss, outcomes 0 or 1 with probability .3: every risk is known exactly."""
    random, experts, chance, rounds, delta = np.random.default_rng(5), np.array([0.1, 0.5, 0.9]), 0.3, 100, 0.1

    def risk(prediction: float) -> float:
        return chance * (1.0 - prediction) + (1.0 - chance) * prediction

    best, eta = min(risk(float(e)) for e in experts), math.sqrt(8.0 * math.log(3) / rounds)
    fails = np.zeros(3)
    for _ in range(200):
        past, loss, shown = np.zeros(3), 0.0, list[float]()
        for outcome in (random.random(rounds) < chance).astype(np.float64):
            weights = np.exp(-eta * (past - past.min()))
            shown.append(float(weights @ experts / weights.sum()))
            loss += abs(outcome - shown[-1])
            past += np.abs(outcome - experts)
        evidence = Progressive(rounds=rounds, loss=loss, delta=delta, convex=True, regret=loss - past.min(), experts=3)
        average = risk(float(np.mean(shown)))
        sides = (average, average - best, average - best)
        bounds = (BY_ID[name].bound(evidence) for name in ("mohri.8.15a", "mohri.8.15b", "mohri.8.15ewa"))
        fails += [left > right for left, right in zip(sides, bounds, strict=True)]
    assert (fails <= 200 * delta).all()


def test_each_assumption_that_is_missing_is_named() -> None:
    certificate = BY_ID["mohri.8.15b"].certify(Progressive(rounds=100, loss=1.0))
    assert certificate.verdict is ls.Verdict.UNPROVED
    assert "the loss is convex ?" in str(certificate)
    assert "the regret is known ?" in str(certificate)
    assert math.isnan(certificate.bound)
    not_iid = BY_ID["mohri.8.14"].certify(Progressive(rounds=100, loss=1.0, iid=False))
    assert not_iid.verdict is ls.Verdict.UNPROVED
    assert "(declared) ✗" in str(not_iid)


@shows("example", "mohri.ex8.10")
def test_penalties_of_exercise_8_10() -> None:
    assert [penalty(tail, 3, 0.5) for tail in (3, 2, 1)] == pytest.approx([0.72779, 0.89135, 1.26057], abs=1e-5)
    tails = [(1, 1, 0), (0, 0), (0,)]
    estimates = [sum(tail) / len(tail) + penalty(len(tail), 3, 0.5) for tail in tails]
    assert estimates == pytest.approx([1.39445, 0.89135, 1.26057], abs=1e-5)
    assert int(np.argmin(estimates)) + 1 == 2


@pytest.mark.parametrize(("delta", "first"), [(0.05, 344), (0.01, 408)])
def test_exercise_8_10_says_nothing_before_long(delta: float, first: int) -> None:
    def printed(rounds: int) -> float:
        return 6 * math.sqrt(math.log(2 * (rounds + 1) / delta) / rounds)

    assert printed(first - 1) >= 1 > printed(first)
    sharper = BY_ID["mohri.ex8.10"].certify(Progressive(rounds=first, loss=0.0, delta=delta))
    assert sharper.verdict is ls.Verdict.HOLDS
    assert sharper.bound < printed(first)
    assert BY_ID["mohri.ex8.10"].certify(Progressive(rounds=50, loss=0.0, delta=delta)).verdict is ls.Verdict.VACUOUS


@shows("never", "mohri.ex8.10")
def test_the_choice_of_exercise_8_10_is_covered() -> None:
    random, rounds, delta = np.random.default_rng(0), 150, 0.1
    fails = 0
    for _ in range(60):
        risks = random.uniform(0.02, 0.9, size=rounds)
        losses = random.random((rounds, rounds)) < risks[:, np.newaxis]
        tails = [losses[i, i:].mean() + penalty(rounds - i, rounds, delta) for i in range(rounds)]
        evidence = Progressive(rounds=rounds, loss=float(np.diagonal(losses).sum()), delta=delta)
        fails += risks[int(np.argmin(tails))] > BY_ID["mohri.ex8.10"].bound(evidence)
    assert fails <= 60 * delta


@shows("example", "mohri.ex8.11b")
def test_exercise_8_11_b() -> None:
    evidence = Progressive(rounds=1000, comparison=Compared(loss=10.0, norm=2.0, lengths_squared=225.0))
    certificate = BY_ID["mohri.ex8.11b"].certify(evidence)
    assert certificate.bound == pytest.approx((10 + 2 * 3 * 5) / 1000 + 6 * math.sqrt(math.log(2002 / 0.05) / 1000))
    assert BY_ID["mohri.ex8.11b"].certify(Progressive(rounds=1000)).verdict is ls.Verdict.UNPROVED


@shows("example", "blum.5.12")
@pytest.mark.parametrize(("n", "rounds", "expected"), [(4, 8, 0.44994), (8, 32, 0.24652)])
def test_random_stopping_on_unit_vectors_by_hand(n: int, rounds: int, expected: float) -> None:
    # h_τ errs on the unit vectors that did not come before τ.
    exact = sum((1 - 1 / n) ** t for t in range(rounds)) / rounds
    certificate = BY_ID["blum.5.12"].certify(Progressive(rounds=rounds, mistake_bound=n))
    assert exact == pytest.approx(expected, abs=1e-5)
    assert certificate.bound == n / rounds
    assert exact <= certificate.bound
    assert "δ" not in str(certificate)


@shows("never", "blum.5.12")
def test_random_stopping_by_all_sequences() -> None:
    n, rounds = 3, 4
    errors = []
    for rows in itertools.product(range(n), repeat=rounds):
        learner = ls.Learner(ls.Perceptron(), labels=(-1, 1))
        for row in rows:
            errors.append(sum(learner.score_one(list(np.eye(n)[k])) <= 0 for k in range(n)) / n)
            learner.learn_one(list(np.eye(n)[row]), 1)
    assert np.mean(errors) == pytest.approx(n * (1 - (1 - 1 / n) ** rounds) / rounds)
    assert np.mean(errors) <= n / rounds


@shows("example", "blum.5.13")
@shows("never", "blum.5.13")
def test_controlled_testing() -> None:
    assert controlled_tests(4, 0.1, 0.1) == [45, 51, 56, 59, 62]
    evidence = Progressive(rounds=0, delta=0.1, mistake_bound=4, epsilon=0.1)
    certificate = BY_ID["blum.5.13"].certify(evidence)
    assert certificate.bound == pytest.approx(0.0395, abs=1e-4)
    # Every hypothesis too bad by a hair: the chance that any passes its test is what is bounded.
    passes = sum((1 - 0.1) ** rows for rows in controlled_tests(500, 0.1, 0.1))
    assert passes <= certificate.bound


def angle(w: FloatArray, u: FloatArray) -> float:
    """The true risk of sgn(w·x) for labels sgn(u·x) and normal rows; ½ at w = 0 would be a mistake for either label: 1."""
    length = float(np.linalg.norm(w) * np.linalg.norm(u))
    return math.acos(max(-1.0, min(1.0, float(w @ u) / length))) / math.pi if length > 0 else 1.0


def test_the_known_risk_of_a_perceptron_is_below_its_bounds_at_every_moment() -> None:
    fails = 0
    for seed in range(20):
        random = np.random.default_rng(seed)
        u = random.normal(size=(5,))
        learner, total, failed = ls.Learner(ls.Perceptron(), labels=(-1, 1)), 0.0, False
        for t in range(1, 101):
            x = random.normal(size=(5,))
            total += angle(learner.state.w, u) if t > 1 else 1.0
            learner.learn_one(x, 1 if x @ u > 0 else -1)
            failed |= learner.ledger.risk_bound(delta=0.1).bound < total / t
        fails += failed
    assert fails <= 2


@shows("example", "risk.anytime")
def test_what_a_ledger_says() -> None:
    run = ls.run(ls.Perceptron(), np.eye(4), [1, 1, 1, 1])
    certificate = run.ledger.risk_bound(delta=0.25)
    assert certificate.id == "risk.anytime"
    assert certificate.bound == anytime_bound(4, 4, 0.25) == 1.0
    assert certificate.verdict is ls.Verdict.VACUOUS
    assert "mean true risk (δ = 0.25) ≤ 1" in str(certificate)
    assert "the rows are i.i.d. (declared) ✓; the first hypothesis had not seen these rows ✓; each row was new" in str(
        certificate
    )
    assert run.ledger.risk_bound(iid=False).verdict is ls.Verdict.UNPROVED
    assert str(certificate).count("\n") == 1


def test_no_rounds_say_nothing() -> None:
    assert ls.Learner(ls.Perceptron()).ledger.risk_bound().verdict is ls.Verdict.UNPROVED
    assert anytime_bound(0, 0) == 1.0


@pytest.mark.parametrize("delta", [0.0, 1.0, -0.1, math.nan])
def test_delta_must_be_a_probability(delta: float) -> None:
    with pytest.raises(ls.InvalidParameter, match="delta must be a number strictly between 0 and 1"):
        ls.run(ls.Perceptron(), [[1.0]], [1]).ledger.risk_bound(delta=delta)


def test_losses_above_the_largest_are_refused() -> None:
    with pytest.raises(ls.InvalidParameter, match=r"10 rounds with losses up to 1\.0 cannot add up to 11"):
        anytime_bound(11, 10)


@settings(max_examples=30)
@given(st.sampled_from(GUARANTEES))
def test_every_object_is_complete(guarantee: object) -> None:
    for name in ("id", "source", "statement", "latex", "quantity", "formula"):
        assert getattr(guarantee, name)
    assert BY_ID["risk.anytime"] is ANYTIME


# --- passes


def test_rows_that_come_again_prove_nothing() -> None:
    """Learned by heart: no mistake in the later passes, and labels by a coin."""
    random = np.random.default_rng(3)
    X, y = np.eye(200), np.where(random.random(200) < 0.5, 1, -1)
    once, often = (ls.run(ls.Perceptron(), X, y, labels=(-1, 1), passes=passes) for passes in (1, 50))
    assert once.ledger.risk_bound().bound == 1.0
    assert (often.ledger.passes, often.passes) == (2, 2)
    found = often.ledger.risk_bound()
    assert found.verdict is ls.Verdict.UNPROVED
    assert "each row was new when it was learned: one pass ✗" in str(found)
    assert anytime_bound(often.ledger.mistakes, often.ledger.rounds) < 0.6, "which would be false: the risk is ½"
    assert often.learner.ledger.risk_bound().verdict is ls.Verdict.UNPROVED
    assert often.ledger.beats_majority().verdict is ls.Verdict.UNPROVED


def test_a_learner_is_told_of_passes(tmp_path: Path) -> None:
    learner = ls.Learner(ls.Perceptron(), labels=(-1, 1))
    for _ in range(3):
        learner.learn_many(np.eye(3), [1, 1, -1])
    assert learner.ledger.passes == 1, "for all it knows these were new rows"
    learner.next_pass()
    learner.learn_many(np.eye(3), [1, 1, -1])
    learner.save(tmp_path / "m.lst")
    for twin in (ls.load(tmp_path / "m.lst"), ls.Learner.restored(learner.snapshot())):
        assert twin.ledger == learner.ledger
        assert twin.ledger.passes == 2
        assert twin.ledger.risk_bound().verdict is ls.Verdict.UNPROVED
    assert learner.ledger.to_dict()["passes"] == 2


@shows("unproved", *BY_ID)
@pytest.mark.parametrize("name", BY_ID)
def test_unproved_after_a_second_pass_and_without_a_declaration(name: str) -> None:
    whole = Progressive(
        rounds=10_000,
        loss=50.0,
        convex=True,
        regret=10.0,
        experts=3,
        mistake_bound=60.0,
        epsilon=0.1,
        comparison=Compared(loss=3.0, norm=1.0, lengths_squared=50.0),
        survived=5000,
        signs=True,
        rival=5000,
    )
    assert BY_ID[name].certify(whole).holds
    declared = [replace(whole, iid=False)] if name != "paired.majority" else []  # which rows of any kind are enough for
    for part in (replace(whole, passes=2), *declared):
        found = BY_ID[name].certify(part)
        assert found.verdict is ls.Verdict.UNPROVED
        assert math.isnan(found.bound)
        failing = [check.words for check in found.assumptions if check.met is False]
        assert failing
        assert all(words.endswith("(declared)") or "one pass" in words for words in failing)


@shows("holds", *BY_ID)
@shows("vacuous", *(set(BY_ID) - {"blum.5.13"}))
@pytest.mark.parametrize("name", sorted(set(BY_ID) - {"blum.5.13"}))
def test_vacuous_after_a_few_rounds(name: str) -> None:
    """blum.5.13 bounds a probability by less than δ, so it is never vacuous."""
    few = Progressive(
        rounds=4,
        loss=4.0,
        convex=True,
        regret=4.0,
        experts=3,
        mistake_bound=4.0,
        epsilon=0.1,
        comparison=Compared(loss=3.0, norm=1.0, lengths_squared=4.0),
        survived=2,
        signs=True,
        rival=4,
    )
    assert BY_ID[name].certify(few).verdict is ls.Verdict.VACUOUS


# --- the survivor


def survivors(rounds: int, delta: float, price: Callable[[int], float]) -> float:
    """The worst adversary's chance that the k-th hypothesis gets n rows right with log(price(k)/δ)/n below its error rate.

    Whenever a hypothesis errs, the adversary gives the next one any error rate it likes: all histories, by dynamic programming.
    """
    rates = (0.15, 0.3, 0.6, 0.95)

    @cache
    def chance(left: int, right: int, rate: float, k: int) -> float:
        if right >= math.ceil(math.log(price(k) / delta) / rate + 1e-12):
            return 1.0
        if left == 0:
            return 0.0
        return (1.0 - rate) * chance(left - 1, right + 1, rate, k) + rate * fresh(left - 1, k + 1)

    @cache
    def fresh(left: int, k: int) -> float:
        return max(chance(left, 0, rate, k) for rate in rates)

    return fresh(rounds, 1)


@shows("never", "risk.survivor")
@pytest.mark.parametrize("delta", [0.05, 0.5])
def test_no_adversary_makes_the_survivor_fail(delta: float) -> None:
    assert 0.0 < survivors(60, delta, lambda k: k * (k + 1)) <= delta


@shows("mutant", "risk.survivor")
def test_without_the_union_bound_the_survivor_fails() -> None:
    """The mutant forgets that the hypothesis was chosen among many: log(1/δ)/n."""
    assert survivors(60, 0.5, lambda _: 1.0) > 0.5


@shows("example", "risk.survivor")
def test_the_survivor_counts_what_it_got_right() -> None:
    """δ = .1, the third hypothesis, four rows right in a row: log(3·4/.1)/4 = 1.1969; whoever stays and errs has fewer."""
    keep = ("step", "update")
    run = ls.run(ls.Perceptron(), np.eye(3)[[0, 1, 0, 1, 0, 1, 2, 2]], [1] * 8, labels=(-1, 1), keep=keep)
    found = ls.convert.longest_survivor(run, delta=0.1, iid=True)
    assert found.certificate.bound == pytest.approx(1.1969, abs=1e-4)
    assert ls.theory[found.certificate.id] is BY_ID["risk.survivor"]
    stubborn = ls.run(ls.Fixed(weights=np.array([1.0])), [[1.0]] * 400, [1] * 3 + [-1] * 397, keep=keep, labels=(-1, 1))
    assert ls.convert.longest_survivor(stubborn, iid=True).certificate.verdict is ls.Verdict.UNPROVED
    fresh = ls.convert.longest_survivor(stubborn, iid=True, unseen=True)
    assert fresh.certificate.bound == pytest.approx(math.log(2 / 0.05) / 3)
    wrong = ls.run(ls.Fixed(weights=np.array([-1.0])), [[1.0]] * 400, [1] * 400, keep=keep, labels=(-1, 1))
    assert ls.convert.longest_survivor(wrong, iid=True).certificate.verdict is ls.Verdict.UNPROVED
    tolerant = ls.run(ls.Perceptron(tolerance=9.0), [[1.0]] * 400, [-1] * 400, keep=keep, labels=(-1, 1))
    assert tolerant.ledger.updates == 0
    assert ls.convert.longest_survivor(tolerant, iid=True).certificate.verdict is ls.Verdict.UNPROVED


# --- the vote


@shows("never", "risk.vote")
@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=25))
def test_a_vote_loses_at_most_twice_what_the_voters_lose(rounds: list[tuple[int, bool]]) -> None:
    """On any stream, drawn or not: the exact error rates of the vote and of every hypothesis on a finite domain."""
    domain = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, -2.0]])
    signs = np.array([1, -1, 1, -1])
    X = domain[[row for row, _ in rounds]]
    y = [int(signs[row]) * (1 if honest else -1) for row, honest in rounds]
    run = ls.run(ls.Perceptron(), X, y, labels=(-1, 1), keep=("step", "update"))
    learner, losses = ls.Learner(ls.Perceptron(), labels=(-1, 1)), 0.0
    learner.learn_many(X[:0], y[:0])
    for x, label in zip(X, y, strict=True):
        losses += float(np.mean(signs * learner.score_many(domain) <= 0.0))
        learner.learn_one(x, label)
    vote = ls.convert.voted(run)
    assert float(np.mean(vote.predict_many(domain) != signs)) <= 2.0 * losses / len(rounds) + 1e-12


@shows("tight", "risk.vote")
@shows("mutant", "risk.vote")
def test_the_factor_of_the_vote_is_attained() -> None:
    """One row, label −1, from w₁ = ½: the first hypothesis is wrong, the second right, and the tie is lost: 1 = 2·½."""
    run = ls.run(ls.Perceptron(start=np.array([0.5])), [[1.0], [1.0]], [-1, -1], labels=(-1, 1), keep=("step", "update"))
    assert run.ledger.mistakes == 1
    assert ls.convert.voted(run).predict_many([[1.0]]).tolist() == [1]
    certificate = ls.convert.vote(run, iid=True, unseen=True).certificate
    assert certificate.bound >= 2.0 * 0.5
    # The mutant without the factor would bound an error rate of 1 by the mean error rate of the voters, which is ½.
    wrong = float(ls.convert.voted(run).predict_many([[1.0]])[0] != -1)
    assert run.ledger.mistakes / run.ledger.rounds < wrong <= 2.0 * run.ledger.mistakes / run.ledger.rounds


@shows("example", "risk.vote")
def test_the_vote_by_hand() -> None:
    """T = 200, 5 mistakes, δ = .05: 2(.025 + √(log 20/400)) = .2231."""
    run = ls.run(ls.Perceptron(), np.eye(5)[np.arange(200) % 5], [1] * 200, labels=(-1, 1), keep=("step", "update"))
    found = ls.convert.vote(run, iid=True).certificate
    assert found.bound == pytest.approx(0.2231, abs=1e-4)
    assert ls.theory[found.id] is BY_ID["risk.vote"]


def test_mistakes_of_a_draw_are_not_those_of_a_sign() -> None:
    """A score of −.1 errs in .6 of the draws, and its sign always."""
    rule = ls.RandomizedPerceptron(eta=0.1)
    run = ls.run(rule, np.eye(5)[np.arange(200) % 5], [1] * 200, labels=(-1, 1), keep=("step", "update"))
    assert BY_ID["risk.vote"].certify(Progressive(rounds=9, signs=False)).verdict is ls.Verdict.UNPROVED
    assert ls.convert.vote(run, iid=True).certificate.verdict is ls.Verdict.UNPROVED
    with pytest.raises(ls.NotApplicable, match="RandomizedPerceptron draws its labels"):
        ls.convert.penalized_risk(run, iid=True)


@shows("never", "mohri.ex8.11b")
def test_the_known_risk_of_the_choice_of_a_perceptron() -> None:
    """Rows e₁ to e₅ with equal chances: the risk of the choice is known, and 1ᵀ is a u without a loss of norm √5."""
    random, rounds, fails = np.random.default_rng(11), 3000, 0
    for _ in range(10):
        X = np.eye(5)[random.integers(0, 5, size=rounds)]
        run = ls.run(ls.Perceptron(), X, [1] * rounds, labels=(-1, 1), keep=("step", "update"))
        result = ls.convert.penalized_risk(run, iid=True, against=np.ones(5))
        found = next(c for c in result.certificates if c.id == "mohri.ex8.11b")
        assert found.bound == pytest.approx(5.0 / rounds + 6.0 * math.sqrt(math.log(2 * (rounds + 1) / 0.05) / rounds))
        fails += float(np.mean(result.score_many(np.eye(5)) <= 0.0)) > found.bound
    assert fails == 0
