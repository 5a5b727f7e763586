"""Adversaries: what makes the losses of a round, knowing the weights of the rule that is to suffer them.

Each is a small frozen value, a pure function of the round and the weights. They are test generators: a bound on the
regret must survive them all, and some of them come close to it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeVar, final

import numpy as np

from littlestone import domain
from littlestone.arrays import FloatArray
from littlestone.domain import SEED, parameter
from littlestone.errors import InvalidParameter

Memory = TypeVar("Memory")


class Player(Protocol[Memory]):
    """Whatever keeps a distribution over experts: every expert rule does."""

    def init(self, experts: int, /) -> Memory:
        """A state for so many experts."""
        ...

    def weights(self, state: Memory, /) -> FloatArray:
        """The distribution of this round."""
        ...

    def update(self, state: Memory, losses: FloatArray, /) -> object:
        """Moves the state after a round with these losses."""
        ...


class Adversary(ABC):
    """Makes the losses of each round, 0 or 1 for each expert, from the weights of that round."""

    source: ClassVar[str]
    """Where the adversary comes from."""

    @abstractmethod
    def losses(self, t: int, weights: FloatArray) -> FloatArray:
        """The losses of round t = 0, 1, … against these weights."""


@final
@dataclass(frozen=True, kw_only=True)
class AntiPrediction(Adversary):
    """The outcome is the label that the weighted vote does not say; expert i says i mod 2 in every round.

    A vote errs in every round, one of the two kinds of experts in at most half of them: regret at least ⌈T/2⌉ for every
    deterministic learner (mohri.det). Tie: a vote of one half is for 1, as in Weighted Majority.

    Example:
        >>> AntiPrediction().losses(0, np.array([0.5, 0.5]))         # a tie says 1, so the outcome is 0
        array([0., 1.])
    """

    source: ClassVar[str] = "Mohri et al., section 8.2.3"

    def losses(self, t: int, weights: FloatArray) -> FloatArray:
        """1 for the experts that say what the vote says."""
        odd = np.arange(len(weights)) % 2 == 1
        vote = float(np.sum(weights[odd])) >= float(np.sum(weights[~odd]))
        losses: FloatArray = (odd == vote).astype(np.float64)
        return losses


@final
@dataclass(frozen=True, kw_only=True)
class Coin(Adversary):
    """The outcome is a fair coin; expert i says i mod 2 in every round.

    With two experts the expected regret of every learner is exactly `coin_regret(T)`, at least √(T/8) (mohri.8.5). The
    coin of round t depends on the seed and t alone.

    Example:
        >>> Coin(seed=1).losses(5, np.array([0.9, 0.1])).sum()
        np.float64(1.0)
    """

    source: ClassVar[str] = "Mohri et al., theorem 8.5"

    seed: int = parameter(0, domain=SEED, why="any will do; the same seed is the same coin")

    def __post_init__(self) -> None:
        """Checks the seed."""
        domain.check(self)

    def losses(self, t: int, weights: FloatArray) -> FloatArray:
        """1 for the experts that say the other side of the coin."""
        side = np.random.Generator(np.random.Philox(key=self.seed, counter=t)).integers(2)
        losses: FloatArray = (np.arange(len(weights)) % 2 != side).astype(np.float64)
        return losses


@final
@dataclass(frozen=True, kw_only=True)
class RoundRobin(Adversary):
    """The experts lose in turn: expert t mod N in round t.

    The exact bound mohri.8.4x of Randomized Weighted Majority is asymptotically tight on it, and 8.4a false for β < 0.3162.
    """

    source: ClassVar[str] = "ours: the case in which mohri.8.4x is tight"

    def losses(self, t: int, weights: FloatArray) -> FloatArray:
        """1 for expert t mod N."""
        return _at(len(weights), t % len(weights))


@final
@dataclass(frozen=True, kw_only=True)
class HalfMass(Adversary):
    """Experts that hold about half of the weight lose, and never less than half.

    The heaviest experts that fit into half of the weight are spared, and all others lose: the variance of the losses under
    the weights, which the regret of Exponential Weights feeds on, is then near its largest, 1/4.
    """

    source: ClassVar[str] = "ours: the losses of largest variance under the weights"

    def losses(self, t: int, weights: FloatArray) -> FloatArray:
        """0 for the experts that fit into one half, heaviest first, and 1 for the others."""
        losses, spared = np.ones(len(weights)), 0.0
        half = float(np.sum(weights)) / 2.0
        for i in np.argsort(-weights, kind="stable"):
            if spared + weights[i] <= half:
                spared += float(weights[i])
                losses[i] = 0.0
        return losses


@final
@dataclass(frozen=True, kw_only=True)
class Argmax(Adversary):
    """The heaviest expert loses (the first of several)."""

    source: ClassVar[str] = "spec, stress log v1"

    def losses(self, t: int, weights: FloatArray) -> FloatArray:
        """1 for the heaviest expert."""
        return _at(len(weights), int(np.argmax(weights)))


@final
@dataclass(frozen=True, kw_only=True)
class AllButMin(Adversary):
    """Every expert loses but the lightest (the first of several)."""

    source: ClassVar[str] = "spec, stress log v1"

    def losses(self, t: int, weights: FloatArray) -> FloatArray:
        """0 for the lightest expert and 1 for the others."""
        return 1.0 - _at(len(weights), int(np.argmin(weights)))


ADVERSARIES: tuple[type[Adversary], ...] = (AntiPrediction, Coin, RoundRobin, HalfMass, Argmax, AllButMin)
"""Every adversary; each can be made without arguments."""


@final
@dataclass(frozen=True, eq=False)
class Play:
    """A game of a rule against an adversary: the weights and the losses, a round per row."""

    weights: FloatArray
    losses: FloatArray

    @property
    def loss(self) -> float:
        """The expected loss of the rule: the sum of p·l."""
        return float(np.sum(self.weights * self.losses))

    @property
    def best(self) -> float:
        """The loss of the best expert."""
        return float(np.min(np.sum(self.losses, axis=0)))

    @property
    def regret(self) -> float:
        """The expected loss beyond that of the best expert."""
        return self.loss - self.best


def rounds(player: Player[Memory], adversary: Adversary, *, experts: int) -> Iterator[tuple[FloatArray, FloatArray]]:
    """The rounds of an endless game, each as the weights of the rule and the losses that the adversary answers with."""
    _at_least_one("experts", experts)
    state, t = player.init(experts), 0
    while True:
        weights = player.weights(state).copy()
        losses = adversary.losses(t, weights)
        yield weights, losses
        player.update(state, losses)
        t += 1


def play(player: Player[Memory], adversary: Adversary, *, experts: int, horizon: int) -> Play:
    """A game of `horizon` rounds.

    Args:
        player: what keeps the weights; any expert rule.
        adversary: what makes the losses.
        experts: how many experts there are.
        horizon: how many rounds are played.

    Raises:
        InvalidParameter: if there is no expert or no round.

    Example:
        A rule that never moves loses one Nth of a round-robin, as every expert does:

        >>> class Uniform:
        ...     def init(self, experts): return np.full(experts, 1.0 / experts)
        ...     def weights(self, state): return state
        ...     def update(self, state, losses): pass
        >>> game = play(Uniform(), RoundRobin(), experts=4, horizon=8)
        >>> game.loss, game.best
        (2.0, 2.0)
    """
    _at_least_one("horizon", horizon)
    weights, losses = np.empty((horizon, experts)), np.empty((horizon, experts))
    for t, (held, suffered) in zip(range(horizon), rounds(player, adversary, experts=experts), strict=False):
        weights[t], losses[t] = held, suffered
    return Play(weights, losses)


def _at(experts: int, i: int) -> FloatArray:
    losses = np.zeros(experts)
    losses[i] = 1.0
    return losses


def _at_least_one(name: str, value: int) -> None:
    if value < 1:
        raise InvalidParameter(f"{name} is {value}; {name} must be at least 1")
