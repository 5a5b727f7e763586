"""Laws that every expert rule obeys, each a function that fails on a rule that does not."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

import littlestone as ls
from inventory import EXPERTS as RULES
from littlestone.arrays import BoolArray, FloatArray
from littlestone.experts.rule import ExpertRule

Law = Callable[[ExpertRule, FloatArray], None]

MIXING: tuple[ExpertRule, ...] = tuple(rule for rule in RULES if not rule.votes)
UNBIASED: tuple[ExpertRule, ...] = tuple(r for r in RULES if not isinstance(r, ls.FollowThePerturbedLeader))
SHIFTABLE: tuple[ExpertRule, ...] = tuple(
    r
    for r in UNBIASED
    if not r.votes
    and not isinstance(r, ls.MultiplicativeWeights | ls.SwapRegret)
    and r.parameters().get("gradients") != "plain"
)
# Rules whose rate does not depend on how many experts there are.
SIZELESS: tuple[ExpertRule, ...] = (
    ls.Halving(),
    ls.WeightedMajority(),
    ls.ExponentialWeights(eta=0.5),
    ls.RandomizedWeightedMajority(beta=0.7),
    ls.MultiplicativeWeights(beta=0.7),
    ls.PolynomialWeights(alpha=3.0),
    ls.MLpol(),
    ls.AggregatingAlgorithm(),
)
WITH_PRIOR: tuple[ExpertRule, ...] = (
    ls.ExponentialWeights(eta=0.5),
    ls.RandomizedWeightedMajority(beta=0.7),
    ls.AggregatingAlgorithm(),
)


def weights_of(rule: ExpertRule, losses: FloatArray, awake: BoolArray | None = None) -> FloatArray:
    """The weights of every round, and those after the last."""
    state = rule.init(losses.shape[1])
    kept = []
    for t, row in enumerate(losses):
        mask = None if awake is None else awake[t]
        p = rule.weights(state, mask)
        kept.append(p)
        own = float(p @ row >= 0.5) if rule.votes else None
        rule.update(state, row, mask, own)
    return np.array([*kept, rule.weights(state)])


def distribution(rule: ExpertRule, losses: FloatArray) -> None:
    """Weights are a distribution from the first round."""
    weights = weights_of(rule, losses)
    assert (weights >= 0.0).all()
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, rtol=0, atol=1e-12)


def even_start(rule: ExpertRule, losses: FloatArray) -> None:
    """Before anything is known nobody is preferred."""
    np.testing.assert_allclose(rule.weights(rule.init(losses.shape[1])), 1.0 / losses.shape[1], rtol=1e-12)


def asleep_is_out(rule: ExpertRule, losses: FloatArray) -> None:
    """The weights of those awake are a distribution, and whoever sleeps has none."""
    awake = losses < np.median(losses)
    awake[:, 0] |= ~awake.any(axis=1)
    weights = weights_of(rule, losses, awake)[:-1]
    assert (weights[~awake] == 0.0).all()
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, rtol=0, atol=1e-12)


def permutation(rule: ExpertRule, losses: FloatArray) -> None:
    """The names of the experts play no part."""
    order = np.arange(losses.shape[1])[::-1]
    np.testing.assert_allclose(weights_of(rule, losses[:, order]), weights_of(rule, losses)[:, order], atol=1e-9)


def shift(rule: ExpertRule, losses: FloatArray) -> None:
    """A constant on all losses of a round changes nothing."""
    constants = np.random.default_rng(8).normal(size=(len(losses), 1))
    np.testing.assert_allclose(weights_of(rule, losses + constants), weights_of(rule, losses), atol=1e-7)


def duplication(rule: ExpertRule, losses: FloatArray) -> None:
    """An expert that is there twice with half the prior has the same weight in all."""
    experts = losses.shape[1]
    prior = np.full(experts + 1, 1.0 / experts)
    prior[[0, -1]] /= 2.0
    twice = type(rule)(**{**_fields(rule), "prior": prior})
    weights = weights_of(twice, np.column_stack([losses, losses[:, 0]]))
    together = weights[:, :-1].copy()
    together[:, 0] += weights[:, -1]
    np.testing.assert_allclose(together, weights_of(rule, losses), atol=1e-10)


def never_there(rule: ExpertRule, losses: FloatArray) -> None:
    """An expert that always sleeps might as well not exist."""
    more = np.column_stack([losses, np.zeros(len(losses))])
    awake = np.ones(more.shape, dtype=bool)
    awake[:, -1] = False
    np.testing.assert_allclose(weights_of(rule, more, awake)[:-1, :-1], weights_of(rule, losses)[:-1], atol=1e-10)


def regret_is_sublinear(rule: ExpertRule, losses: FloatArray) -> None:
    """Against a best expert that changes once the regret stays below the doubling bound, the weakest of the three."""
    del losses
    rounds = 4000
    switching = np.zeros((rounds, 2))
    switching[:1000, 1] = 1.0
    switching[1000:, 0] = 1.0
    weights = weights_of(rule, switching)[:-1]
    regret = float(np.sum(weights * switching)) - 1000.0
    root = math.sqrt(rounds / 2.0 * math.log(2.0))
    assert regret <= math.sqrt(2.0) / (math.sqrt(2.0) - 1.0) * root + math.sqrt(math.log(2.0) / 2.0)


def all_lose_for_long(rule: ExpertRule, losses: FloatArray) -> None:
    """Safety test 2: when everybody always loses, the weights stay what they were."""
    experts = losses.shape[1]
    state = rule.init(experts)
    for _ in range(3000):
        rule.update(state, np.ones(experts), None, 1.0)
    np.testing.assert_allclose(rule.weights(state), 1.0 / experts, rtol=1e-9)


def _fields(rule: ExpertRule) -> dict[str, object]:
    return {name: value for name, value in rule.parameters().items() if name != "prior"}


def random_losses(seed: int, rounds: int = 40, experts: int = 4, *, labels: bool = False) -> FloatArray:
    """Losses in [0, 1], or 0 and 1, with one expert that is better."""
    random = np.random.default_rng(seed)
    losses = random.random((rounds, experts))
    losses[:, 1] *= 0.6
    return (losses > 0.5).astype(np.float64) if labels else losses
