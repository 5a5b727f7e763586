"""Bayesian mixtures, distributions, quantile grids and portfolios: numbers by hand, theorems, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from expert_moments import advised_moments, expert_moments
from littlestone.arrays import FloatArray
from littlestone.theory.certificate import Verdict
from littlestone.theory.expert_mixtures import EXPONENTIATED, POSTERIOR
from littlestone.theory.guarantee import within
from shown import shows
from test_expert_proofs import EASY, THREE, certificate, follows_the_worst, not_compiled, numbers
from test_expert_theory import opposing

SEEDS = st.integers(0, 2**32 - 1)


# --- theorems


@shows("example", "bayes.mixture", "gradient.exponentiated")
def test_by_hand() -> None:
    """0.6 and 0.75 of what happened, of experts that gave it 0.9: log(0.81/0.45) ≤ log 2. EG: log 2/½ + ½·3·1/8."""
    run = ls.aggregate(ls.BayesMixture(), np.array([[0.9, 0.3]] * 2), [1, 1], loss="log")
    assert numbers(run, "bayes.mixture") == pytest.approx([math.log(0.81 / 0.45), math.log(2.0)])
    gradient = ls.hedge(ls.ExponentiatedGradient(eta=0.5), THREE)
    first, second = 1.0 / (1.0 + math.exp(0.5)), 1.0 / (1.0 + math.exp(-1.0))
    np.testing.assert_allclose(gradient.losses, [0.5, first, second])
    assert numbers(gradient, "gradient.exponentiated") == pytest.approx(
        [0.5 + first + second - 1.0, 2.0 * math.log(2.0) + 3.0 / 16.0]
    )


@shows("never", "bayes.mixture")
@given(seed=SEEDS, asleep=st.booleans())
def test_bayes_never_loses_more_than_log_n(seed: int, asleep: bool) -> None:
    random = np.random.default_rng(seed)
    advice, outcomes = random.uniform(0.01, 0.99, (50, 4)), np.round(random.random(50))
    for moment in advised_moments(ls.BayesMixture(), advice, outcomes, ls.losses.Log()):
        assert within(*POSTERIOR.sides(moment))
    if asleep:
        advice[:, 1:][random.random((50, 3)) < 0.5] = np.nan
    run = ls.aggregate(ls.BayesMixture(), advice, outcomes, loss="log")
    assert run.regret <= math.log(4.0) + 1e-9
    assert certificate(run, "bayes.mixture").verdict in (Verdict.HOLDS, Verdict.VACUOUS)


@shows("never", "gradient.exponentiated")
@pytest.mark.parametrize("kind", ["half", "heaviest", "turn", "random"])
def test_no_adversary_breaks_exponentiated_gradients(kind: str) -> None:
    rule = ls.ExponentiatedGradient(eta=0.3)
    losses = opposing(rule, kind)
    assert certificate(ls.hedge(rule, losses), "gradient.exponentiated").verdict in (Verdict.HOLDS, Verdict.VACUOUS)
    for moment in expert_moments(rule, losses):
        assert within(*EXPONENTIATED.sides(moment))
    curved = ls.aggregate(rule, 3.0 * losses, np.resize([3.0, 0.0], len(losses)), loss="square")
    assert certificate(curved, "gradient.exponentiated").verdict in (Verdict.HOLDS, Verdict.VACUOUS)


@shows("holds", "bayes.mixture", "gradient.exponentiated")
@shows("vacuous", "bayes.mixture", "gradient.exponentiated")
@shows("unproved", "bayes.mixture", "gradient.exponentiated")
@shows("violated", "bayes.mixture", "gradient.exponentiated")
@shows("mutant", "bayes.mixture", "gradient.exponentiated")
def test_every_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    sure, ones = np.tile([0.9, 0.2, 0.1], (300, 1)), np.ones(300)
    bayes, gradient = ls.BayesMixture(), ls.ExponentiatedGradient(eta=0.3)
    assert certificate(ls.aggregate(bayes, sure, ones, loss="log"), "bayes.mixture").verdict is Verdict.HOLDS
    assert certificate(ls.aggregate(bayes, sure[:1], ones[:1], loss="log"), "bayes.mixture").verdict is Verdict.VACUOUS
    sloped = ls.aggregate(bayes, sure, ones, loss="log", gradient=True)
    assert certificate(sloped, "bayes.mixture").verdict is Verdict.UNPROVED
    assert certificate(ls.hedge(gradient, EASY), "gradient.exponentiated").verdict is Verdict.HOLDS
    assert certificate(ls.hedge(gradient, EASY[:1]), "gradient.exponentiated").verdict is Verdict.VACUOUS
    bent = ls.losses.Custom(function=lambda x, y: np.minimum(np.abs(x - y), 0.5), convex=False)
    assert (
        certificate(ls.aggregate(gradient, EASY[:9], np.zeros(9), loss=bent), "gradient.exponentiated").verdict
        is Verdict.UNPROVED
    )
    for rule in (ls.BayesMixture, ls.ExponentiatedGradient):
        monkeypatch.setattr(rule, "compiled", not_compiled)
        monkeypatch.setattr(rule, "weights", follows_the_worst)
    assert certificate(ls.aggregate(bayes, sure, ones, loss="log"), "bayes.mixture").verdict is Verdict.VIOLATED
    assert certificate(ls.hedge(gradient, EASY), "gradient.exponentiated").verdict is Verdict.VIOLATED
    rounds = advised_moments(bayes, sure[:20], ones[:20], ls.losses.Log())
    assert not all(within(*POSTERIOR.sides(moment)) for moment in rounds)
    assert not all(within(*EXPONENTIATED.sides(moment)) for moment in expert_moments(gradient, EASY[:20]))


def test_a_prior_pays_the_log_of_its_inverse() -> None:
    run = ls.aggregate(ls.BayesMixture(prior=np.array([0.01, 0.99])), np.tile([0.9, 0.1], (50, 1)), np.ones(50), loss="log")
    assert run.regret == pytest.approx(math.log(100.0), rel=1e-6)
    assert certificate(run, "bayes.mixture").holds


# --- distributions over many outcomes


@given(seed=SEEDS)
def test_many_outcomes_under_log_and_brier(seed: int) -> None:
    random = np.random.default_rng(seed)
    advice, y = random.dirichlet(np.ones(4), size=(40, 3)), random.integers(0, 4, 40)
    advice[5:9, 1] = np.nan
    log = ls.aggregate_distributions(ls.BayesMixture(), advice, y)
    np.testing.assert_allclose(log.distributions.sum(axis=1), 1.0)
    np.testing.assert_allclose(log.losses, -np.log(log.distributions[np.arange(40), y]))
    assert log.regret <= math.log(3.0) + 1e-9
    brier = ls.aggregate_distributions(ls.AdaHedge(), advice, y, loss="brier")
    np.testing.assert_allclose(brier.losses, np.sum((brier.distributions - np.eye(4)[y]) ** 2, axis=1))
    assert (brier.losses <= np.asarray(brier.run.losses) + 1e-12).all()
    assert brier.regret <= brier.run.regret + 1e-9


def test_two_outcomes_are_the_losses_of_probabilities() -> None:
    random = np.random.default_rng(3)
    p, y = random.uniform(0.1, 0.9, (30, 2)), random.integers(0, 2, 30)
    both = np.stack([1.0 - p, p], axis=2)
    run = ls.aggregate_distributions(ls.BayesMixture(), both, y)
    plain = ls.aggregate(ls.BayesMixture(), p, y, loss="log")
    np.testing.assert_allclose(run.distributions[:, 1], plain.predictions)
    assert run.loss == pytest.approx(plain.ledger.loss)


@pytest.mark.parametrize(
    ("advice", "y", "words"),
    [
        ([[[0.5, 0.6]]], [0], "row 0: the forecast of expert 0 is no distribution"),
        ([[[1.5, -0.5]]], [0], "is no distribution"),
        ([[[0.5, math.nan]]], [0], "is no distribution"),
        ([[[0.5, 0.5]]], [2], "row 0: the outcome is 2; it must be a whole number below 2"),
        ([[[0.5, 0.5]]], [0.5], "it must be a whole number below 2"),
        ([[[0.5, 0.5]]], [0, 1], "expected one for each of 1 rounds"),
        ([[0.5, 0.5]], [0], "expected rounds by experts by outcomes"),
    ],
)
def test_distributions_that_are_refused(advice: list[list[list[float]]], y: list[float], words: str) -> None:
    with pytest.raises(ls.InvalidData, match=words):
        ls.aggregate_distributions(ls.BayesMixture(), advice, y)


# --- quantile grids


def quantile_table(seed: int, rounds: int = 200) -> tuple[FloatArray, FloatArray, FloatArray]:
    from scipy.stats import norm

    random, levels = np.random.default_rng(seed), np.arange(0.1, 0.95, 0.1)
    centre = random.normal(size=rounds)
    outcomes = centre + random.normal(size=rounds)
    shapes = [(0.0, 1.0), (0.5, 1.0), (0.0, 3.0)]
    return np.stack([centre[:, None] + norm.ppf(levels, *shape) for shape in shapes], axis=1), outcomes, levels


def test_quantiles_stay_in_order_and_their_score_is_that_of_the_pinball_losses() -> None:
    advice, outcomes, levels = quantile_table(1)
    run = ls.aggregate_quantiles(ls.BOA(), advice, outcomes, levels=levels, experts=["right", "high", "wide"])
    assert (np.diff(run.quantiles, axis=1) >= 0.0).all()
    pinball = [np.mean(ls.losses.Pinball(quantile=q)(run.quantiles[:, k], outcomes)) for k, q in enumerate(levels)]
    assert run.crps == pytest.approx(2.0 * float(np.mean(pinball)))
    assert run.crps <= np.mean([2.0 * each.ledger.mean_loss for each in run.runs]) + 1e-12
    assert run.experts[int(np.argmin(run.expert_crps))] == "right"
    assert run.crps < 1.1 * float(np.min(run.expert_crps))
    assert np.max(np.abs(run.coverage - levels)) < 0.15
    assert "CRPS" in str(run)


@given(seed=SEEDS)
def test_sorting_never_raises_the_score(seed: int) -> None:
    from littlestone.experts.quantiles import crps

    random = np.random.default_rng(seed)
    said, outcomes, levels = random.normal(size=(20, 5)), random.normal(size=20), np.linspace(0.1, 0.9, 5)
    assert crps(np.sort(said, axis=1), outcomes, levels) <= crps(said, outcomes, levels) + 1e-12


def test_the_score_of_a_fine_grid_is_that_of_the_distribution() -> None:
    """The CRPS of a standard normal at 0 is 2φ(0) − 1/√π = (√2 − 1)/√π."""
    from scipy.stats import norm

    from littlestone.experts.quantiles import crps

    levels = (np.arange(4000) + 0.5) / 4000
    assert crps(norm.ppf(levels)[None, :], np.zeros(1), levels) == pytest.approx(
        (math.sqrt(2.0) - 1.0) / math.sqrt(math.pi), abs=1e-4
    )


def test_quantiles_that_are_refused() -> None:
    advice, outcomes, levels = quantile_table(2, 10)
    for wrong in ([0.5, 0.1], [0.0, 0.5], [], [0.1, 0.1]):
        with pytest.raises(ls.InvalidParameter, match="strictly between 0 and 1, in order"):
            ls.aggregate_quantiles(ls.BOA(), advice, outcomes, levels=wrong)
    with pytest.raises(ls.InvalidData, match=r"expected rounds by experts by 2 levels"):
        ls.aggregate_quantiles(ls.BOA(), advice, outcomes, levels=[0.1, 0.5])
    advice[3, 1, 2] = np.nan
    with pytest.raises(ls.InvalidData, match="row 3: expert 1 gives only some of its quantiles"):
        ls.aggregate_quantiles(ls.BOA(), advice, outcomes, levels=levels)


# --- portfolios

PUMP = np.array([[1.0, 2.0], [1.0, 0.5]] * 10)


def test_cash_and_a_stock_that_doubles_and_halves() -> None:
    """Neither earns anything; half and half earns 3/2·3/4 = 9/8 in two periods, and nothing constant earns more."""
    held = ls.portfolio(ls.UniversalPortfolio(), PUMP, assets=["cash", "stock"])
    weights, best = held.best_rebalanced
    np.testing.assert_allclose(weights, 0.5, atol=1e-6)
    assert best == pytest.approx((9 / 8) ** 10)
    assert held.best_asset[1] == pytest.approx(1.0)
    lattice = ls.UniversalPortfolio().portfolios(2)
    grown = np.exp(np.sum(np.log(PUMP @ lattice.T), axis=0))
    assert held.wealth[-1] == pytest.approx(float(np.mean(grown)))
    assert held.run.certify()[0].id == "bayes.mixture"
    assert held.run.certify()[0].verdict in (Verdict.HOLDS, Verdict.VACUOUS)
    assert "1 became" in str(held)


@given(seed=SEEDS, assets=st.integers(1, 3))
def test_universal_wealth_is_the_mean_of_all(seed: int, assets: int) -> None:
    relatives = np.exp(0.2 * np.random.default_rng(seed).normal(size=(30, assets)))
    universal = ls.UniversalPortfolio(steps=6)
    lattice = universal.portfolios(assets)
    np.testing.assert_allclose(lattice.sum(axis=1), 1.0)
    assert len({tuple(row) for row in lattice.tolist()}) == math.comb(6 + assets - 1, assets - 1)
    held = ls.portfolio(universal, relatives)
    np.testing.assert_allclose(held.weights.sum(axis=1), 1.0)
    assert held.wealth[-1] == pytest.approx(float(np.mean(np.exp(np.sum(np.log(relatives @ lattice.T), axis=0)))))


def test_exponentiated_gradients_as_its_authors_have_it() -> None:
    random = np.random.default_rng(1)
    relatives = np.exp(0.05 * random.normal(size=(100, 4)))
    held = ls.portfolio(ls.ExponentiatedGradient(eta=0.05), relatives)
    w = np.full(4, 0.25)
    for t, x in enumerate(relatives):
        np.testing.assert_allclose(held.weights[t], w, rtol=1e-9)
        w = w * np.exp(0.05 * x / (w @ x))
        w /= w.sum()
    found = certificate(held.run, "gradient.exponentiated")
    excess = math.log(held.best_rebalanced[1]) - math.log(float(held.wealth[-1]))
    assert excess <= found.bound


def test_costs_are_what_was_bought_and_sold() -> None:
    """Half and half of (1, 2): after the period ⅓ and ⅔; a of 1 is left with a + c·2·|a/2 − ⅓|… = 1 as ⅙ moves each way."""
    free, dear = (ls.portfolio(ls.ExponentiatedGradient(eta=1e-12), PUMP[:2], cost=cost) for cost in (0.0, 0.01))
    np.testing.assert_allclose(free.returns, [1.5, 0.75])
    left = dear.returns[1] / 0.75
    assert left + 0.01 * (abs(left / 2 - 1 / 3) + abs(left / 2 - 2 / 3)) == pytest.approx(1.0)
    assert dear.returns[0] == pytest.approx(1.5)
    assert dear.turnover == pytest.approx(abs(left / 2 - 1 / 3) + abs(left / 2 - 2 / 3))
    assert dear.wealth[-1] < free.wealth[-1]


def test_portfolios_that_are_refused() -> None:
    for wrong in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(ls.InvalidData, match=r"row 1: the price relative of asset 0 is .*; it must be finite and above 0"):
            ls.portfolio(ls.UniversalPortfolio(), np.array([[1.0, 1.0], [wrong, 1.0]]))
    for cost in (-0.1, 1.0, math.nan):
        with pytest.raises(ls.InvalidParameter, match="it must be a number at least 0 and below 1"):
            ls.portfolio(ls.UniversalPortfolio(), PUMP, cost=cost)
    with pytest.raises(ls.InvalidParameter, match="take fewer steps"):
        ls.portfolio(ls.UniversalPortfolio(), np.ones((2, 30)))
    with pytest.raises(ls.InvalidParameter, match="steps is 0"):
        ls.UniversalPortfolio(steps=0)
    with pytest.raises(ls.InvalidData, match="expected periods by assets"):
        ls.portfolio(ls.UniversalPortfolio(), np.ones(3))
    with pytest.raises(ls.InvalidData, match="row 0: the advice of expert 1 is 0; it must be above 0"):
        ls.aggregate(ls.ExponentiatedGradient(), [[1.0, 0.0]], [1.0], loss="returns")


def test_assets_that_all_gain_alike_are_no_bulge() -> None:
    """The loss −log(1.01) is negative: a tolerance in proportion to it must not go the other way."""
    held = ls.portfolio(ls.MLpol(), np.full((5, 2), 1.01))
    assert held.wealth[-1] == pytest.approx(1.01**5)


def test_frames_bring_the_names() -> None:
    held = ls.portfolio(ls.ExponentiatedGradient(), pd.DataFrame(PUMP, columns=["cash", "stock"]))
    assert held.assets == ("cash", "stock")
