"""Descent, the regularized leader and ridge regression: the projection, worked numbers, and every verdict of their theorems."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

import littlestone as ls
from expert_moments import advised_moments
from littlestone.arrays import FloatArray
from littlestone.experts.rule import ExpertRule
from littlestone.experts.simplex import to_simplex
from littlestone.experts.state import ExpertState
from littlestone.theory.certificate import Verdict
from littlestone.theory.expert_audit import expert_finding
from littlestone.theory.expert_descent import FORECASTS_AHEAD
from littlestone.theory.guarantee import within
from shown import shows
from test_expert_proofs import EASY, THREE, certificate, follows_the_worst, not_compiled, numbers
from test_expert_theory import opposing

SEEDS = st.integers(0, 2**32 - 1)
MOVING: dict[str, ExpertRule] = {
    "descent.simplex": ls.OnlineGradientDescent(),
    "leader.regularized": ls.FollowTheRegularizedLeader(),
}


@given(seed=SEEDS, experts=st.integers(1, 6), size=st.sampled_from([0.1, 1.0, 100.0]))
def test_the_nearest_distribution_leaves_no_way_nearer(seed: int, experts: int, size: float) -> None:
    """w is nearest to x where (x − w)·(v − w) ≤ 0 for every distribution v, which is to say for every vertex."""
    x = size * np.random.default_rng(seed).normal(size=experts)
    w = to_simplex(x)
    assert (w >= 0.0).all()
    assert float(w.sum()) == pytest.approx(1.0, abs=1e-12 * max(size, 1.0))
    assert ((x - w) - float((x - w) @ w) <= 1e-9 * size).all()


@given(seed=SEEDS)
def test_the_leader_minimises_what_it_says(seed: int) -> None:
    rule, random = ls.FollowTheRegularizedLeader(), np.random.default_rng(seed)
    state = rule.init(4)
    for row in random.normal(size=(5, 4)):
        rule.update(state, row)
    strength = math.sqrt(float(state.squares[0]))

    def cost(w: FloatArray) -> float:
        return float(state.losses @ w) + 0.5 * strength * float(np.sum((w - 0.25) ** 2))

    ours = cost(rule.weights(state))
    for other in random.dirichlet(np.ones(4), size=50):
        assert ours <= cost(other) + 1e-9


@shows("example", "descent.simplex", "leader.regularized")
def test_two_experts_by_hand() -> None:
    """‖g‖² = ½ in all three rounds; the first step leads to (0, 1), where the weights stay: losses ½, 0, 1, regret ½."""
    run = ls.hedge(ls.OnlineGradientDescent(), THREE)
    np.testing.assert_allclose(run.losses, [0.5, 0.0, 1.0], atol=1e-12)
    paid = 0.5 * 0.5 * math.sqrt(2.0) * (1.0 + 1.0 / math.sqrt(2.0) + 1.0 / math.sqrt(3.0))
    assert numbers(run, "descent.simplex") == pytest.approx([0.5, math.sqrt(3.0) * math.sqrt(0.5) + paid])
    assert paid == pytest.approx(0.807678, abs=1e-6)
    leader = ls.hedge(ls.FollowTheRegularizedLeader(), THREE)
    np.testing.assert_allclose(leader.losses, [0.5, 0.0, 1.0], atol=1e-12)
    bound = 0.25 * math.sqrt(1.5) + 1.0 + 0.25 / math.sqrt(0.5) + 0.25
    assert numbers(leader, "leader.regularized") == pytest.approx([0.5, bound])


@shows("holds", *MOVING)
@shows("vacuous", *MOVING)
@shows("unproved", *MOVING)
@shows("violated", *MOVING)
@pytest.mark.parametrize("name", MOVING)
def test_every_verdict(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    rule = MOVING[name]
    assert certificate(ls.hedge(rule, EASY), name).holds
    assert certificate(ls.hedge(rule, 1.0 - np.eye(1, 16)), name).verdict is Verdict.VACUOUS
    bent = ls.losses.Custom(function=lambda x, y: np.minimum(np.abs(x - y), 0.5), convex=False)
    run = ls.aggregate(rule, EASY[:9], np.zeros(9), loss=bent)
    assert certificate(run, name).verdict is Verdict.UNPROVED
    monkeypatch.setattr(type(rule), "compiled", not_compiled)
    monkeypatch.setattr(type(rule), "weights", follows_the_worst)
    assert certificate(ls.hedge(rule, EASY), name).verdict is Verdict.VIOLATED


@shows("never", *MOVING)
@pytest.mark.parametrize("name", MOVING)
@pytest.mark.parametrize("kind", ["half", "heaviest", "turn", "random"])
def test_no_adversary_breaks_them(kind: str, name: str) -> None:
    rule = MOVING[name]
    losses = opposing(rule, kind)
    assert certificate(ls.hedge(rule, losses), name).verdict in (Verdict.HOLDS, Verdict.VACUOUS)
    asleep = np.where(np.random.default_rng(7).random(losses.shape) < 0.4, np.nan, losses)
    asleep[:, 0] = losses[:, 0]
    assert certificate(ls.hedge(rule, asleep), name).verdict in (Verdict.HOLDS, Verdict.VACUOUS)
    scaled = ls.aggregate(rule, 1e6 * asleep, np.resize([1e6, 0.0], len(losses)), loss="square")
    assert certificate(scaled, name).verdict in (Verdict.HOLDS, Verdict.VACUOUS)


def test_a_wrong_leader_is_seen_among_losses_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Losses less their mean may be 0 or a rounding of what they were, and are equal then; a billionth of them more is not."""
    rule, advice = ls.FollowTheRegularizedLeader(), 1e6 * np.array([[1.0, 1.0, 0.0, np.nan], [0.0, 0.5, np.nan, 1.0]])
    run = ls.aggregate(rule, advice, [1e6, 0.0], loss="square")
    assert expert_finding(run) is None
    right = ls.FollowTheRegularizedLeader.advance

    def wrong(self: ls.FollowTheRegularizedLeader, state: ExpertState, losses: FloatArray, own: float) -> None:
        right(self, state, losses + 4e-9 * losses * np.arange(len(losses)), own)

    monkeypatch.setattr(ls.FollowTheRegularizedLeader, "advance", wrong)
    again = ls.aggregate(rule, advice, [1e6, 0.0], loss="square")
    assert expert_finding(again) == "the weights after round 0 are those of the definition"


def test_the_power_one_half_pays_at_most_twice_the_root() -> None:
    rule = ls.OnlineGradientDescent()
    run = ls.hedge(rule, opposing(rule, "half"))
    assert certificate(run, "descent.simplex").bound <= 2.0 * float(run.state.largest[0]) * math.sqrt(run.ledger.rounds)


# --- ridge regression

X = np.array([[1.0, 3.0]] * 2)


@shows("example", "ridge.vaw")
def test_ridge_by_hand() -> None:
    """x = (1, 3), y = 4, twice: e = 2 and λ = 1, so xᵀA⁻¹x = 10/11 and 10/21; said are 2 and 2 + 20/21."""
    run = ls.aggregate(ls.RidgeWeights(), X, [4.0, 4.0], loss="square")
    np.testing.assert_allclose(run.predictions, [2.0, 2.0 + 20.0 / 21.0])
    assert numbers(run, "ridge.vaw") == pytest.approx(
        [4.0 + (22.0 / 21.0) ** 2, 8.0 - 160.0 / 21.0 + 4.0 * (10.0 / 11.0 + 10.0 / 21.0)]
    )


@shows("never", "ridge.vaw")
@given(seed=SEEDS, bias=st.sampled_from([0.0, 5.0]), against=st.booleans())
def test_ridge_keeps_its_bound(seed: int, bias: float, against: bool) -> None:
    random = np.random.default_rng(seed)
    mixture = ls.Mixture(ls.RidgeWeights(), experts=3, loss="square")
    advice, outcomes = random.normal(size=(40, 3)), random.normal(size=40) + bias
    for t in range(40):
        said = mixture.predict_one(advice[t])
        outcomes[t] = (-1.0 if said > 0.0 else 1.0) if against else outcomes[t]
        mixture.learn_one(advice[t], outcomes[t])
    (found,) = mixture.certify()
    assert found.verdict in (Verdict.HOLDS, Verdict.VACUOUS)
    for moment in advised_moments(mixture.rule, advice, outcomes, mixture.loss):
        assert within(*FORECASTS_AHEAD.sides(moment))


def test_the_comparator_of_ridge_is_the_best_there_is() -> None:
    random = np.random.default_rng(3)
    advice = random.normal(size=(50, 3))
    outcomes = advice @ np.array([1.0, -0.5, 2.0]) + 0.1 * random.normal(size=50)
    run = ls.aggregate(ls.RidgeWeights(), advice, outcomes, loss="square")
    strength = float(np.mean((advice[0] - advice[0].mean()) ** 2))

    def cost(u: FloatArray) -> float:
        return float(np.sum((advice @ u - outcomes) ** 2) + strength * np.sum((u - 1 / 3) ** 2))

    best = minimize(cost, np.full(3, 1 / 3), tol=1e-12)
    np.testing.assert_allclose(run.rule.weights(run.state), best.x, atol=1e-5)
    found = certificate(run, "ridge.vaw")
    e = float(run.state.largest[0]) ** 2 * float(run.state.paid[0])
    assert found.bound == pytest.approx(float(best.fun) + e, rel=1e-9)
    assert found.holds


@shows("holds", "ridge.vaw")
@shows("vacuous", "ridge.vaw")
@shows("unproved", "ridge.vaw")
@shows("violated", "ridge.vaw")
def test_every_verdict_of_ridge(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(5)
    outcomes = random.normal(size=200)
    advice = outcomes[:, None] + 3.0 + random.normal(size=(200, 2))
    assert certificate(ls.aggregate(ls.RidgeWeights(), advice, outcomes, loss="square"), "ridge.vaw").holds
    once = ls.aggregate(ls.RidgeWeights(), X[:1], [4.0], loss="square")
    assert certificate(once, "ridge.vaw").verdict is Verdict.VACUOUS
    none = ls.Mixture(ls.RidgeWeights(), experts=2, loss="square")
    assert none.certify()[0].verdict is Verdict.UNPROVED
    monkeypatch.setattr(ls.RidgeWeights, "compiled", not_compiled)
    monkeypatch.setattr(ls.RidgeWeights, "predict", lambda *_, **__: 1000.0)
    wrong = ls.aggregate(ls.RidgeWeights(), advice, outcomes, loss="square")
    assert certificate(wrong, "ridge.vaw").verdict is Verdict.VIOLATED


@given(seed=SEEDS)
def test_the_kernel_of_ridge_repeats_its_definition(seed: int) -> None:
    random = np.random.default_rng(seed)
    advice, outcomes = random.normal(size=(30, 4)) + 3.0, random.normal(size=30)
    run = ls.aggregate(ls.RidgeWeights(ridge=0.3), advice, outcomes, loss="square", keep=("weights",))
    with pytest.MonkeyPatch.context() as slow:
        slow.setattr(ls.RidgeWeights, "compiled", not_compiled)
        twin = ls.aggregate(ls.RidgeWeights(ridge=0.3), advice, outcomes, loss="square", keep=("weights",))
    np.testing.assert_allclose(run.predictions, twin.predictions, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(run.weights, twin.weights, rtol=1e-9, atol=1e-9)


def test_ridge_needs_everybody() -> None:
    mixture = ls.Mixture(ls.RidgeWeights(), experts=2, loss="square")
    mixture.learn_one([1.0, 3.0], 4.0)
    with pytest.raises(ls.InvalidData, match="row 0: expert 1 sleeps; the rule needs the advice of everybody in every round"):
        mixture.learn_one([1.0, None], 4.0)
    with pytest.raises(ls.InvalidData, match="row 0: expert 0 sleeps"):
        mixture.predict_one([None, 3.0])
    with pytest.raises(ls.InvalidData, match="row 1: expert 0 sleeps"):
        mixture.learn_many(np.array([[1.0, 3.0], [math.nan, 3.0]]), [1.0, 2.0])
    assert mixture.ledger.rounds == 1
    with pytest.raises(ls.NotApplicable, match="made for the loss square; got absolute"):
        ls.Mixture(ls.RidgeWeights(), experts=2, loss="absolute")


def test_ridge_makes_good_a_bias_that_no_mixture_can() -> None:
    random = np.random.default_rng(1)
    outcomes = 50.0 + 10.0 * np.sin(np.arange(300) / 10.0)
    advice = np.column_stack([outcomes * 1.1, outcomes * 1.2]) + random.normal(size=(300, 2))
    ridge = ls.aggregate(ls.RidgeWeights(), advice, outcomes, loss="square").ledger.mean_loss
    assert ridge < 0.5 * ls.oracles.best_convex(advice, outcomes, "square").mean
