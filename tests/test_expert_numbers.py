"""The numbers of the sources, worked by hand, and the instances that make bounds tight."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.experts.rule import ExpertRule
from littlestone.theory.certificate import Verdict
from shown import shows

CONSTANTS = np.array([[0.0, 1.0]] * 7)
UNIT = ls.losses.Absolute(low=0.0, high=1.0)


def certificate(run: ls.ExpertRun, name: str) -> ls.Certificate:
    return next(found for found in run.certify() if found.id == name)


@shows("example", "mohri.8.1")
@shows("tight", "mohri.8.1")
def test_halving_on_thresholds() -> None:
    classes = np.array([[float(x >= theta) for theta in range(4)] for x in (1, 2)])
    for prune in ("mistake", "always"):
        run = ls.aggregate(ls.Halving(prune=prune), classes, [0, 0], loss="zero_one")
        found = certificate(run, "mohri.8.1")
        assert (run.ledger.mistakes, found.bound, found.verdict) == (2, 2, Verdict.VACUOUS)
    longer = np.vstack([classes, classes, classes])
    found = certificate(ls.aggregate(ls.Halving(), longer, [0] * 6, loss="zero_one"), "mohri.8.1")
    assert (found.measured, found.bound, found.verdict) == (2, 2, Verdict.HOLDS)


def test_halving_without_a_consistent_expert_says_one() -> None:
    run = ls.aggregate(ls.Halving(prune="always"), np.zeros((3, 2)), [1, 1, 1], loss="zero_one")
    np.testing.assert_array_equal(run.predictions, [0.0, 1.0, 1.0])
    assert certificate(run, "mohri.8.1").verdict is Verdict.UNPROVED


MAJORITY = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1], [1, 0, 1], [0, 0, 1]])


@shows("example", "mohri.8.3")
@pytest.mark.parametrize(("update_on", "counts"), [("mistake", [2, 2, 2]), ("always", [3, 2, 3])])
def test_weighted_majority_of_three(update_on: str, counts: list[int]) -> None:
    rule = ls.WeightedMajority(beta=0.5, update_on=update_on)
    run = ls.aggregate(rule, MAJORITY, [1, 0, 1, 0, 0], loss="zero_one")
    np.testing.assert_array_equal(run.predictions, [0, 1, 1, 1, 0])
    np.testing.assert_array_equal(run.ledger.losses, [3, 2, 3])
    np.testing.assert_array_equal(run.state.mistakes, counts)
    assert run.ledger.mistakes == 3
    assert certificate(run, "mohri.8.3").bound == pytest.approx(8.6377, abs=1e-4)


def balanced(beta: float, experts: int, rounds: int) -> ls.Mixture:
    """Splits the weight as evenly as it can and always takes the side that is not predicted."""
    mixture = ls.Mixture(ls.WeightedMajority(beta=beta), experts=experts, loss="zero_one")
    for _ in range(rounds):
        weights = np.array(list(mixture.weights.values()))
        advice, side = np.zeros(experts), 0.0
        for i in np.argsort(-weights, kind="stable"):
            advice[i] = float(side <= 0.0)
            side += weights[i] if advice[i] else -weights[i]
        mixture.learn_one(advice, 1.0 - mixture.predict_one(advice))
    return mixture


@shows("tight", "mohri.8.3")
def test_weighted_majority_against_a_balanced_vote() -> None:
    mixture = balanced(0.5, 64, 200)
    found = next(c for c in mixture.certify() if c.id == "mohri.8.3")
    assert mixture.ledger.mistakes == 200
    assert found.verdict in (Verdict.HOLDS, Verdict.VACUOUS)
    assert 0.95 <= found.tightness <= 1.0


@shows("example", "mohri.det")
def test_deterministic_rules_lose_half() -> None:
    mixture = ls.Mixture(ls.WeightedMajority(), experts=2, loss="zero_one")
    for _ in range(101):
        mixture.learn_one([0.0, 1.0], 1.0 - mixture.predict_one([0.0, 1.0]))
    found = next(c for c in mixture.certify() if c.id == "mohri.det")
    assert (mixture.ledger.mistakes, found.measured, found.verdict) == (101, 51, Verdict.HOLDS)
    assert mixture.ledger.regret >= 51


THREE = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


@shows("example", "mohri.8.4a", "mohri.8.4x")
def test_randomized_weighted_majority_of_two() -> None:
    run = ls.hedge(ls.RandomizedWeightedMajority(beta=0.5), THREE)
    np.testing.assert_allclose(run.losses, [1 / 2, 1 / 3, 4 / 5])
    np.testing.assert_array_equal(run.state.losses, [2.0, 1.0])
    assert certificate(run, "mohri.8.4a").bound == pytest.approx(2.88629, abs=1e-5)
    assert certificate(run, "mohri.8.4x").bound == pytest.approx(2.77259, abs=1e-5)


@shows("tight", "mohri.8.4x")
def test_small_beta_breaks_the_printed_bound_and_not_the_exact_one() -> None:
    losses = np.tile(np.eye(200), (400, 1))
    run = ls.hedge(ls.RandomizedWeightedMajority(beta=0.05), losses)
    exact = certificate(run, "mohri.8.4x")
    assert run.ledger.loss == pytest.approx(1242.7, abs=0.1)
    assert exact.bound == pytest.approx(1266.9, abs=0.1)
    assert exact.verdict is Verdict.VACUOUS  # equal weights lose 400, as every expert does
    assert math.log(200) / 0.95 + 1.95 * 400 == pytest.approx(785.6, abs=0.1)
    assert certificate(run, "mohri.8.4a").verdict is Verdict.UNPROVED


@shows("example", "mohri.8.6a")
def test_exponential_weights_fixed() -> None:
    run = ls.aggregate(ls.ExponentialWeights(eta=math.log(2.0)), CONSTANTS[:3], [1, 1, 0], loss=UNIT)
    np.testing.assert_allclose(run.predictions, [1 / 2, 2 / 3, 4 / 5])
    found = certificate(run, "mohri.8.6a")
    assert [found.measured, found.bound] == [pytest.approx(0.63333, abs=1e-5), pytest.approx(1.25993, abs=1e-5)]


@shows("example", "mohri.8.7")
def test_exponential_weights_doubling() -> None:
    run = ls.aggregate(ls.ExponentialWeights(schedule="doubling"), CONSTANTS, [1, 1, 0, 1, 0, 0, 1], loss=UNIT)
    np.testing.assert_allclose(run.predictions, [0.5, 0.5, 0.840923, 0.5, 0.764482, 0.5, 0.235518], atol=1e-6)
    found = certificate(run, "mohri.8.7")
    assert [found.measured, found.bound] == [pytest.approx(1.36989, abs=1e-5), pytest.approx(5.90657, abs=1e-5)]


@shows("example", "mohri.8.7t")
def test_exponential_weights_anytime() -> None:
    run = ls.aggregate(ls.ExponentialWeights(), CONSTANTS, [1, 1, 0, 1, 0, 0, 1], loss=UNIT)
    expected = [0.5, 0.840923, 0.938145, 0.764482, 0.891506, 0.723392, 0.5]
    np.testing.assert_allclose(run.predictions, expected, atol=1e-6)
    found = certificate(run, "mohri.8.7t")
    assert [found.measured, found.bound] == [pytest.approx(0.94764, abs=1e-5), pytest.approx(2.04200, abs=1e-5)]


@shows("example", "mohri.ex8.7")
def test_multiplicative_weights_of_two() -> None:
    run = ls.hedge(ls.MultiplicativeWeights(beta=0.5), np.array([[0.5, 0.0], [1.0, 0.25], [0.0, 1.0]]))
    np.testing.assert_allclose(np.exp(run.state.log_weights), [0.375, 0.4375])
    found = certificate(run, "mohri.ex8.7")
    assert [found.measured, found.bound] == [pytest.approx(1.521429, abs=1e-6), pytest.approx(3.167544, abs=1e-6)]


def test_clipping_breaks_the_simple_form_for_large_alpha() -> None:
    losses = np.ones((690, 1000))
    losses[:, 0] = 0.0
    run = ls.hedge(ls.MultiplicativeWeights(horizon=690, alpha=1.9), losses)
    assert ls.MultiplicativeWeights(horizon=690, alpha=1.9).step(1000) == 0.95
    assert run.regret == pytest.approx(135.17, abs=0.01)
    assert 2.0 * math.sqrt(690 * math.log(1000) / 1.9) == pytest.approx(100.17, abs=0.01)
    assert certificate(run, "mohri.ex8.9t").verdict is Verdict.UNPROVED
    assert certificate(run, "mohri.ex8.9").holds


def test_the_best_alpha_for_a_horizon() -> None:
    rule = ls.MultiplicativeWeights(horizon=100)
    k = math.sqrt(math.log(8) / 100)
    assert rule.curvature(8) == pytest.approx((math.sqrt(k * k + 2) - k) ** 2)
    assert rule.step(8) == rule.curvature(8) / 2.0
    losses = np.random.default_rng(0).random((100, 8))
    losses[:, 0] = 0.0
    found = certificate(ls.hedge(rule, losses), "mohri.ex8.9x")
    assert found.bound == pytest.approx(math.sqrt(200 * math.log(8) + math.log(8) ** 2) + math.log(8))
    assert found.holds


@shows("example", "mohri.ex8.8")
def test_polynomial_weights_of_two() -> None:
    run = ls.aggregate(ls.PolynomialWeights(alpha=3.0), CONSTANTS[:3], [1, 1, 0], loss=UNIT, keep=("weights",))
    np.testing.assert_allclose(run.predictions, [0.5, 1.0, 1.0])
    np.testing.assert_allclose(run.regrets(), [[-0.5, 0.5], [-1.5, 0.5], [-0.5, 0.5]])
    found = certificate(run, "mohri.ex8.8")
    assert [found.measured, found.bound] == [0.5, pytest.approx(3.08616, abs=1e-5)]


def test_safety_2_everybody_loses_for_100_000_rounds() -> None:
    losses = np.ones((100_000, 4))
    rules: tuple[ExpertRule, ...] = (
        ls.RandomizedWeightedMajority(beta=0.5),
        ls.ExponentialWeights(eta=0.5),
        ls.ExponentialWeights(),
        ls.MultiplicativeWeights(beta=0.5),
    )
    for rule in rules:
        run = ls.hedge(rule, losses)
        np.testing.assert_allclose(rule.weights(run.state), 0.25, rtol=1e-9)
        assert run.ledger.loss == pytest.approx(100_000.0, rel=1e-12)


def test_safety_3_one_mistake_fewer_after_2000() -> None:
    mixture = ls.Mixture(ls.WeightedMajority(beta=0.5, update_on="always"), experts=2, loss="zero_one")
    mixture.learn_many(np.zeros((1999, 2)), np.ones(1999))
    mixture.learn_one([0.0, 1.0], 1.0)
    assert mixture.predict_one([1.0, 0.0]) == 0.0
    assert mixture.predict_one([0.0, 1.0]) == 1.0
    assert mixture.weights == pytest.approx({"0": 1 / 3, "1": 2 / 3})


def test_safety_5_large_regrets_do_not_overflow() -> None:
    rule = ls.PolynomialWeights(alpha=27.0)
    state = rule.init(3)
    state.regrets[:] = [1e7, 9e6, -1e7]
    ratio = 0.9**26
    np.testing.assert_allclose(rule.weights(state), [1 / (1 + ratio), ratio / (1 + ratio), 0.0], rtol=1e-12)
    kernel = rule.compiled(state)
    assert kernel is not None
    loop = ls._core.ExpertLoop(kernel, ls.losses.Given().spec(), unit=False, votes=False, squares=False, gradient=False)
    np.testing.assert_allclose(loop.weights_row([0.0, 0.0, 0.0]), rule.weights(state), rtol=1e-12)


SEEDS = st.integers(0, 2**32 - 1)


def weights_of(rule: ExpertRule, losses: FloatArray) -> FloatArray:
    return np.asarray(ls.hedge(rule, losses, keep=("weights",)).weights)


@given(seed=SEEDS)
def test_equivalences(seed: int) -> None:
    """EW with η = log(1/β) is RWM; on 0 and 1 MW is RWM; α = 1 is exercise 8.7; doubling is a restart."""
    random = np.random.default_rng(seed)
    losses = random.random((63, 3))
    marks = np.round(losses)
    randomized = ls.RandomizedWeightedMajority(beta=0.6)
    np.testing.assert_allclose(
        weights_of(ls.ExponentialWeights(eta=math.log(1 / 0.6)), losses), weights_of(randomized, losses), atol=1e-12
    )
    np.testing.assert_allclose(weights_of(ls.MultiplicativeWeights(beta=0.6), marks), weights_of(randomized, marks), atol=1e-12)
    tuned = ls.MultiplicativeWeights(horizon=63, alpha=1.0)
    assert tuned.step(3) == pytest.approx(max(0.5, 1 - math.sqrt(math.log(3) / 63)))
    whole = weights_of(ls.ExponentialWeights(schedule="doubling"), losses)
    for k in range(6):
        rows = slice(2**k - 1, 2 ** (k + 1) - 1)
        np.testing.assert_array_equal(whole[rows], weights_of(ls.ExponentialWeights(horizon=2**k), losses[rows]))


@given(seed=SEEDS)
def test_weighted_majority_with_beta_0_is_halving(seed: int) -> None:
    random = np.random.default_rng(seed)
    advice, outcomes = np.round(random.random((30, 8))), np.round(random.random(30))
    for prune in ("mistake", "always"):
        halving = ls.aggregate(ls.Halving(prune=prune), advice, outcomes, loss="zero_one")
        majority = ls.aggregate(ls.WeightedMajority(beta=0.0, update_on=prune), advice, outcomes, loss="zero_one")
        np.testing.assert_array_equal(halving.predictions, majority.predictions)


def test_perturbed_leader_is_exponential_weights_in_law() -> None:
    losses = np.array([[0.0, 1.0, 0.5], [0.0, 1.0, 0.0]])
    expected = weights_of(ls.ExponentialWeights(eta=0.8), np.vstack([losses, losses[:1]]))[-1]
    counts = np.zeros(3)
    for seed in range(4000):
        rule = ls.FollowThePerturbedLeader(eta=0.8, seed=seed)
        counts += weights_of(rule, np.vstack([losses, losses[:1]]))[-1]
    deviation = np.abs(counts / 4000 - expected) / np.sqrt(expected * (1 - expected) / 4000)
    assert float(deviation.max()) < 4.0


def test_labels_are_drawn_with_the_weights() -> None:
    rounds = 4000
    advice = np.tile([0.0, 1.0], (rounds, 1))
    outcomes = np.zeros(rounds)
    outcomes[::2] = 1.0
    run = ls.aggregate(ls.RandomizedWeightedMajority(beta=0.999), advice, outcomes, loss="zero_one")
    assert abs(run.ledger.mistakes - run.ledger.loss) < 4.0 * math.sqrt(rounds) / 2.0
    assert abs(float(np.mean(run.predictions)) - 0.5) < 0.1


def test_a_tie_is_a_tie_whatever_the_weights_add_up_to() -> None:
    """Three experts say 1 and three 0, with the same mistakes on either side: sums of weights over their total may differ."""
    for beta in (0.3, 0.5, 0.6, 0.9):
        for counts in ([0, 1, 2, 0, 1, 2], [3, 1, 4, 4, 3, 1], [7, 0, 2, 2, 7, 0], [1, 5, 6, 5, 6, 1]):
            rule = ls.WeightedMajority(beta=beta)
            said = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
            for order in (slice(None), slice(None, None, -1)):
                state = rule.init(6)
                state.mistakes[:] = counts
                advice = said[order]
                assert rule.predict(state, rule.weights(state), advice, labels=True) == 1.0
                mixture = ls.Mixture(rule, experts=6, loss="zero_one")
                for k, mistakes in enumerate(counts):
                    for _ in range(mistakes):
                        row = [math.nan] * 6
                        row[k] = 1.0
                        mixture.learn_one(row, 0.0)
                assert mixture.state.mistakes.tolist() == counts
                assert mixture.predict_one(advice) == 1.0
