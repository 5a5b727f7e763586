"""Comparators on a simplex: what the theorems on multiplicative rules measure them by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.linear import (
    ExponentiatedUpdate,
    RandomizedExponentiatedUpdate,
    SignedExponentiatedUpdate,
    SignedWinnow,
    Winnow,
)
from littlestone.log_weights import LogWeights, SignedLogWeights
from littlestone.theory.comparators import entropy_balance, entropy_projection, least_loss_on_simplex, max_margin_on_simplex
from littlestone.theory.comparators.program import HindsightComparator

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.rule import LinearRule
    from littlestone.theory.comparators import NearOptimum, Trials
    from littlestone.theory.comparators.path import Bound
    from littlestone.theory.evidence import LinearEvidence, LinearMoment

_ROUNDING = 1e-9
_NEWTON = 60
_WINNOWS = (Winnow, SignedWinnow)
_UPDATES = (ExponentiatedUpdate, SignedExponentiatedUpdate)
# A comparator this near to the best is not looked for elsewhere.
_ENOUGH = 0.02


def is_signed(rule: LinearRule) -> bool:
    """Whether the rule's weights may be negative: a simplex of every feature and its negative."""
    return isinstance(rule, SignedWinnow | SignedExponentiatedUpdate)


def budget(rule: LinearRule) -> float:
    """U: the sum of the weights."""
    U: object = getattr(rule, "U", 1.0)
    assert isinstance(U, float | int)
    return float(U)


def start_of(rule: LinearRule) -> FloatArray | None:
    """The start vector, where one was given."""
    start: object = getattr(rule, "start", None)
    return start if isinstance(start, np.ndarray) else None


def one_norm(u: FloatArray) -> float:
    """‖u‖₁."""
    return float(np.sum(np.abs(u)))


def step_size(rule: LinearRule) -> float:
    """η."""
    assert isinstance(rule, (*_WINNOWS, *_UPDATES, RandomizedExponentiatedUpdate))
    return rule.eta


def tie_share(rule: LinearRule) -> float:
    """What tie_tol adds to a score that counts as no better than an end, over U·X."""
    return rule.tie_tol if isinstance(rule, (*_WINNOWS, *_UPDATES)) else 0.0


def largest_entry(evidence: LinearEvidence) -> float:
    """X, or r: the largest |xᵢ|."""
    return evidence.ledger.largest_entry


def margin_of(evidence: LinearEvidence) -> float:
    """ρ: the smallest y(u·x)/‖u‖₁."""
    total = one_norm(evidence.against.u)
    return evidence.against.ledger.smallest_margin / total if total > 0.0 else 0.0


def fits(rule: LinearRule, u: FloatArray, *, scaled: bool) -> bool:
    """Whether u (after scaling its sum to U, where the theorem does not care) is one that the rule competes with."""
    total, U = one_norm(u), budget(rule)
    if total == 0.0 or (not is_signed(rule) and bool((u < 0.0).any())):
        return False
    return scaled or total <= U * (1.0 + _ROUNDING) if is_signed(rule) else scaled or abs(total - U) <= _ROUNDING * U


def competes(evidence: LinearEvidence, *, scaled: bool) -> bool:
    """Whether the comparator is one that the rule competes with: of its sign and sum, and of features that it knows."""
    assert evidence.state is not None
    u = evidence.against.u
    return fits(evidence.rule, u, scaled=scaled) and not u[len(evidence.state.theta) :].any()


def shares(rule: LinearRule, u: FloatArray, width: int, *, scaled: bool) -> FloatArray:
    """U as a distribution over the features; with their negatives, the one of least relative entropy to equal weights."""
    padded = np.zeros(max(width, len(u)))
    padded[: len(u)] = u / (one_norm(u) if scaled else budget(rule))
    padded = padded[:width] if not padded[width:].any() else padded  # a comparator may know features that it gives no weight
    if not is_signed(rule):
        return padded
    both = np.sqrt(padded**2 + 4.0 * _evened(padded) ** 2)
    return np.concatenate([both + padded, both - padded]) / (2.0 * float(np.sum(both)))


def _evened(v: FloatArray) -> float:
    """The κ with Σ√(v² + 4κ²) = 1: at the least entropy the two weights of every feature have the product κ².

    The sum is convex in κ and at least 1 at κ = 1/(2N), from where Newton's steps fall to the root.
    """
    kappa, least = 0.5 / max(1, len(v)), 1.0 - float(np.sum(np.abs(v)))
    for _ in range(_NEWTON if least > 0.0 else 0):
        both = np.sqrt(v * v + 4.0 * kappa * kappa)
        beyond = float(np.sum(both)) - 1.0
        if beyond <= 1e-15:
            return kappa
        kappa -= beyond / (4.0 * kappa * float(np.sum(1.0 / both)))
    return max(kappa, 0.0) if least > 0.0 else 0.0


def negative_entropy(p: FloatArray) -> float:
    """Σ p log p."""
    inside = p[p > 0.0]
    return float(np.sum(inside * np.log(inside)))


def log_size(evidence: LinearEvidence, *, by_width: bool = False) -> float:
    """Log N (log 2N with signs); with late features what they added to the logarithm of the sum, unless by width."""
    state = evidence.state
    assert isinstance(state, LogWeights | SignedLogWeights)
    size = float(np.log(max(len(state.theta), 1))) if by_width else float(state.log_size[0])
    return size + float(np.log(2.0)) if is_signed(evidence.rule) else size


def relative_entropy(evidence: LinearEvidence, *, scaled: bool, by_width: bool = False) -> float:
    """D(u‖w₁), both as distributions."""
    assert evidence.state is not None
    p = shares(evidence.rule, evidence.against.u, len(evidence.state.theta), scaled=scaled)
    start = start_of(evidence.rule)
    if start is None:
        return log_size(evidence, by_width=by_width) + negative_entropy(p)
    used = p > 0.0
    return float(np.sum(p[used] * np.log(p[used] * (budget(evidence.rule) / start[used]))))


def entropy_gain(moment: LinearMoment, *, scaled: bool) -> float:
    """D(u‖w) − D(u‖w′), from the log-weights: how much closer to u the round brought the weights."""
    assert moment.theta is not None
    assert moment.theta_next is not None
    p = shares(moment.rule, moment.u, len(moment.u), scaled=scaled)
    moved = np.zeros(len(moment.u))  # what does not take part yet has not moved
    moved[: len(moment.theta)] = moment.theta_next - moment.theta
    return float(p @ _every(moment.rule, moved)) - log_growth(moment)


def log_growth(moment: LinearMoment) -> float:
    """Log Σexp(θ′) − log Σexp(θ)."""
    assert moment.theta is not None
    assert moment.theta_next is not None
    return _log_sum(_every(moment.rule, moment.theta_next)) - _log_sum(_every(moment.rule, moment.theta))


def _every(rule: LinearRule, theta: FloatArray) -> FloatArray:
    return np.concatenate([theta, -theta]) if is_signed(rule) else theta


def _log_sum(theta: FloatArray) -> float:
    highest = float(np.max(theta))
    return highest + float(np.log(np.sum(np.exp(theta - highest))))


@final
@dataclass(frozen=True)
class LargestMargin(HindsightComparator):
    """The mixture of features (of features and their negatives, for a signed rule) of largest margin."""

    @property
    def words(self) -> str:
        """What is solved for."""
        return "the mixture of largest margin"

    def solve(self, trials: Trials, evidence: LinearEvidence, bound: Bound) -> NearOptimum:
        """See `max_margin_on_simplex`."""
        return max_margin_on_simplex(trials, signed=is_signed(evidence.rule))


@final
@dataclass(frozen=True)
class LeastLoss(HindsightComparator):
    """The weights of sum U that balance loss and relative entropy best: the bound itself, up to a factor."""

    price: Callable[[LinearEvidence], float]
    """What a unit of relative entropy costs, where a unit of loss costs 1."""

    @property
    def words(self) -> str:
        """What is solved for."""
        return "the mixture that balances entropy and loss best"

    def solve(self, trials: Trials, evidence: LinearEvidence, bound: Bound) -> NearOptimum:
        """See `entropy_balance`; where its dual is too stiff, the mixture of least loss may do better."""
        rule, signed = evidence.rule, is_signed(evidence.rule)
        start = start_of(rule)
        first = None if start is None else start / budget(rule)
        found = entropy_balance(trials, budget(rule), self.price(evidence), start=first, signed=signed)
        if found.gap <= _ENOUGH:
            return found
        return min(found, least_loss_on_simplex(trials, budget(rule), signed=signed), key=lambda one: bound(one.u))

    def key(self, evidence: LinearEvidence) -> object:
        """The same price."""
        return (type(self), self.price(evidence))


@final
@dataclass(frozen=True)
class NearestMixture(HindsightComparator):
    """The mixture without a loss that is nearest to the start in relative entropy."""

    @property
    def words(self) -> str:
        """What is solved for."""
        return "the nearest mixture without a loss"

    def solve(self, trials: Trials, evidence: LinearEvidence, bound: Bound) -> NearOptimum:
        """See `entropy_projection`."""
        return entropy_projection(trials, start_of(evidence.rule))
