"""The abstract expert rule and its verbs."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone.errors import InvalidData, NotApplicable
from littlestone.rule import Rule, no_rule

if TYPE_CHECKING:
    from littlestone import _core
    from littlestone.arrays import BoolArray, FloatArray
    from littlestone.experts.state import ExpertState


class ExpertRule(Rule):
    """A rule that keeps a distribution over experts and learns from their losses.

    Three verbs define it: `init` makes a state, `weights` reads the distribution of this round from it, `advance` moves
    it. A rule that says no more runs everywhere in Python; a rule that the core knows overrides `compiled`.

    Sleeping experts: `weights` is a distribution over the experts that are awake. An expert that sleeps is charged the
    learner's own loss, as if it had repeated what the learner said: then every bound on the regret holds for each expert
    on the rounds in which it was awake (Freund, Schapire, Singer and Warmuth 1997).
    """

    unit: ClassVar[bool] = True
    """Whether the rule wants losses in [0, 1]; a rule without this is free of scale."""
    squares: ClassVar[bool] = False
    """Whether the rule squares what it is charged, or divides by it: then the largest range of the losses so far must have a
    square."""
    votes: ClassVar[bool] = False
    """Whether the rule decides by a vote, so that its loss on labels is 0 or 1; other rules are charged their chance."""
    tracks: ClassVar[bool] = True
    """Whether the rule can do without a declared range of the losses."""
    sleepers: ClassVar[bool] = True
    """Whether the rule can do without the advice of some."""
    losses: ClassVar[tuple[str, ...]] = ()
    """The only losses that the rule is made for, by name; empty where any will do."""
    gradient: ClassVar[bool] = False
    """Whether the rule learns from the gradient of a convex loss unless it is told otherwise."""

    @abstractmethod
    def init(self, experts: int) -> ExpertState:
        """A complete state for so many experts."""

    @abstractmethod
    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """The distribution of this round: at least 0, adds up to 1, and 0 for whoever sleeps (None: nobody does)."""

    @abstractmethod
    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Moves the state after a round with these losses of all experts and the learner's own loss."""

    def predict(self, state: ExpertState, weights: FloatArray, advice: FloatArray, *, labels: bool) -> float:
        """What is said: the weighted majority of labels 0 and 1, 1 on a tie, or the weighted mean of the advice."""
        return majority(weights, advice) if labels else float(weights @ advice)

    def rescale(self, state: ExpertState, factor: float) -> None:
        """Multiplies the losses seen so far by a factor: the range of the losses has turned out to be wider."""

    @final
    def update(self, state: ExpertState, losses: FloatArray, awake: BoolArray | None = None, own: float | None = None) -> None:
        """Moves the state after a round.

        Args:
            state: the state.
            losses: the loss of every expert; those of experts that sleep are not looked at.
            awake: who was awake; None says that everybody was.
            own: the learner's loss; None is the mean of the losses under the weights.

        Raises:
            InvalidData: if a loss is not finite or everybody sleeps; nothing has changed then.
        """
        filled = losses if awake is None else np.where(awake, losses, 0.0)
        if not np.isfinite(filled).all():
            raise InvalidData("a loss is not finite; losses must be finite numbers")
        if own is None:
            own = float(self.weights(state, awake) @ filled)
        self.advance(state, filled if awake is None else np.where(awake, filled, self.asleep(own)), own)

    def asleep(self, own: float) -> float:
        """What an expert that sleeps is charged: the learner's own loss."""
        return own

    def joined(self, state: ExpertState, charged: float) -> ExpertState:
        """The state with one expert more, which is where it would be had it slept from the beginning.

        Args:
            state: the state.
            charged: what the learner was charged so far, as `advance` was told: so was whoever slept.

        Raises:
            NotApplicable: if the rule cannot tell.
        """
        raise NotApplicable(f"{type(self).__name__} cannot take in an expert; begin with all of them, and nan for sleep")

    def compiled(self, state: ExpertState) -> _core.CompiledExperts | None:
        """The compiled form of the rule on a state; None where there is none."""
        return None


def softmax(scores: FloatArray, awake: BoolArray | None = None) -> FloatArray:
    """The distribution ∝ exp(score), taken relative to the largest score awake, so that it never underflows to 0/0."""
    if awake is not None:
        scores = np.where(awake, scores, -np.inf)
    weights = np.exp(scores - largest(scores))
    return normalised(weights)


def normalised(weights: FloatArray) -> FloatArray:
    """The weights over their sum."""
    return weights / float(np.sum(weights))


def proportional(weights: FloatArray, awake: BoolArray | None = None) -> FloatArray:
    """The distribution ∝ weights among those awake; uniform among them when all these weights are 0."""
    if awake is not None:
        weights = np.where(awake, weights, 0.0)
    top = float(np.max(weights))
    if top > 0.0:
        weights = weights / top
        return normalised(weights)
    return uniform(len(weights), awake)


def uniform(experts: int, awake: BoolArray | None = None) -> FloatArray:
    """The uniform distribution among those awake."""
    some = np.ones(experts) if awake is None else awake.astype(np.float64)
    largest(np.where(some > 0.0, 0.0, -np.inf))
    return normalised(some)


def majority(weights: FloatArray, advice: FloatArray) -> float:
    """1 where the experts that say 1 weigh at least as much as those that say 0."""
    ones = advice == 1.0  # the weights add up to 1, and a tie is one up to their roundings
    return 1.0 if float(np.sum(weights[ones])) >= float(np.sum(weights[~ones])) * (1.0 - 1e-12) else 0.0


def checked(rule: object) -> ExpertRule:
    """A rule of a mixture.

    Raises:
        InvalidParameter: for anything else.
    """
    if not isinstance(rule, ExpertRule):
        raise no_rule(rule, "a rule for experts, such as ls.MLpol(), or None for AdaHedge")
    return rule


def largest(scores: FloatArray) -> float:
    """The largest score.

    Raises:
        InvalidData: if nobody is awake.
    """
    top = float(np.max(scores))
    if top == -np.inf:
        raise InvalidData("every expert sleeps; a round needs at least one that is awake")
    return top
