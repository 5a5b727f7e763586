"""Learners that learned apart, made one: what adds up is merged, what a theorem carries is mixed, the rest is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Never, TypeVar, cast, final, overload

import numpy as np

from littlestone import _core
from littlestone.domain import several
from littlestone.errors import InvalidData, InvalidParameter, NotApplicable
from littlestone.experts.state import ExpertState
from littlestone.learner import Learner
from littlestone.ledger import Ledger, Tenth
from littlestone.mixer import Mixer
from littlestone.multiclass.one_versus_rest import OneVersusRest

if TYPE_CHECKING:
    from littlestone.mixer import Shares
    from littlestone.rule import LinearRule, Rule

Part = TypeVar("Part")


@final
class Way(Enum):
    """What becomes of learners of a rule."""

    MERGE = "merge"
    """What they know adds up, as if one had learned it all."""
    MIX = "mix"
    REFUSE = "refuse"


@final
class MixingVerdict(NamedTuple):
    """What becomes of learners of a rule, and why."""

    way: Way
    words: str
    """The theorems that carry the mixture, or the reason why there is none."""
    never: bool = False
    """Whether there is nothing to be mixed, proved or not."""


_MERGED = (
    *("ExponentialWeights", "RandomizedWeightedMajority", "MultiplicativeWeights", "FollowThePerturbedLeader"),
    *("AggregatingAlgorithm", "BayesMixture", "PathWeights", "PerturbedPath"),
)
_REFUSED = {
    "its weights never move": ("Fixed", "MulticlassFixed", "KernelFixed"),
    "it divides by a norm that the mean does not have": ("MarginPerceptron",),
    "its step counts the rounds of one learner": ("OnlineSVM",),
    "its draws belong to one sequence of rounds": ("RandomizedPerceptron", "RandomizedExponentiatedUpdate"),
    "its support points would be those of all, and more in every epoch": (
        *("KernelPerceptron", "KernelPassiveAggressive", "KernelPassiveAggressiveRegression", "KernelUniclass"),
    ),
    "its spreads and its threshold belong to one sequence of rows": ("AdaptiveUniclass", "AdaptiveKernelUniclass"),
    "its radius belongs to one sequence of rows": ("RadiusUniclass",),
    "its steps go by what one sequence of rows has brought for each feature": (
        *("AROW", "AdaGrad", "AdaGradRegression", "LogisticFilter", "OnlineRidge"),
    ),
    "it counts, and the mean of counts is not what one learner would have counted": ("NaiveBayes", "Majority", "RunningMean"),
    "it goes by the rows that came last in one sequence": ("LastLabel", "LastValue", "Markov"),
    "its members are weighed by what they lost in one sequence of rows": ("Pool", "PoolRegression"),
    "its shares forget, and are no sum over the rounds": ("FixedShare",),
    "it begins with a ridge, which every part would count": ("RidgeWeights",),
    "what it adds up depends on its own predictions": (
        *("AdaHedge", "BOA", "Halving", "InternalRegret", "MLewa", "MLpol", "MLprod", "PolynomialWeights", "SwapRegret"),
        *("WeightedMajority", "CalibratedExponentialWeights", "CalibratedFixedShare", "OnlineGradientDescent"),
        *("FollowTheRegularizedLeader", "ExponentiatedGradient", "AdaptiveConformal", "AggregatedConformal"),
    ),
    "it plays one game, against those who play with it": (
        *("RegretMatchingPlus", "PredictiveRegretMatchingPlus", "OptimisticHedge", "BestResponse", "SwapRegretMatching"),
    ),
}
_NEVER = (
    *("AROW", "AdaGrad", "AdaGradRegression", "LogisticFilter", "OnlineRidge", "NaiveBayes", "Majority", "RunningMean"),
    *("LastLabel", "LastValue", "Markov", "Pool", "PoolRegression", "AdaptiveUniclass"),
)
"""Of these there is nothing to be mixed, proved or not."""
_UNKNOWN = "no theorem here speaks of its mixture"


def verdict(rule: type[Rule]) -> MixingVerdict:
    """What becomes of learners of a rule; the table of docs/scaling.md is made of these."""
    from littlestone.theory.mixing import GUARANTEES

    theorems = [guarantee.id for guarantee in GUARANTEES if issubclass(rule, guarantee.rules)]
    if theorems:
        return MixingVerdict(Way.MIX, ", ".join(theorems))
    if rule.__name__ in _MERGED:
        return MixingVerdict(Way.MERGE, "losses add up")
    reason = next((reason for reason, names in _REFUSED.items() if rule.__name__ in names), _UNKNOWN)
    return MixingVerdict(Way.REFUSE, reason, never=rule.__name__ in _NEVER)


def mix(learners: Iterable[Learner], *, weights: Shares = "uniform", unproved: bool = False) -> Learner:
    """One learner whose weights are the weighted mean of those of several that learned apart: iterative parameter mixing.

    Features known by name are those of all learners, in the order of the learners. Of log-weights the mean is taken of the
    logarithms. The ledgers are merged. The sums are made in the order of the learners, so the bits do not depend on
    who finished first.

    Args:
        learners: of one rule, with the same labels in the same order.
        weights: the share of each: "uniform", "mistakes" (in proportion to the mistakes it made; uniform where nobody made
            any), or numbers of which none is negative and whose sum is not 0.
        unproved: mix by a rule of whose mixture nothing is proved, instead of refusing.

    Raises:
        InvalidParameter: if there is no learner, or the shares are not as they must be.
        NotApplicable: if the rule's learners cannot be mixed, naming the reason.
        InvalidData: if the learners differ in rule, labels or the kind of their features.

    Example:
        >>> import littlestone as ls
        >>> parts = [ls.Learner(ls.Perceptron(), labels=(-1, 1)) for _ in range(2)]
        >>> parts[0].learn_one({"a": 1.0}, 1), parts[1].learn_one({"b": 2.0}, -1)
        (1, 1)
        >>> both = ls.mix(parts)
        >>> both.weights, both.ledger.rounds
        ({'a': 0.5, 'b': -1.0}, 2)

    Source: McDonald, Hall and Mann 2010.
    """
    parts = _listed(learners, "learners", Learner)
    check_mixable(parts[0].rule, unproved=unproved)
    if any(part.view is not None for part in parts):
        raise NotApplicable(
            "learners behind a view cannot be mixed: each has seen rows in scales of its own; scale them before"
        )
    if any(part.calibrates for part in parts):
        raise NotApplicable("learners that calibrate cannot be mixed: a slope is of one learner's scores; leave out calibrate")
    mixer = Mixer(len(parts), weights)
    for part in parts:
        mixer.add(part)
    return Learner.restored(mixer.done().snapshot, copy=False)


def check_mixable(rule: LinearRule, *, unproved: bool) -> None:
    """Raises NotApplicable where learners of a rule are not to be mixed."""
    found = verdict(type(rule))
    if isinstance(rule, OneVersusRest) and verdict(type(rule.rule)).never:
        found = verdict(type(rule.rule))
    if found.way is not Way.REFUSE or (unproved and not found.never):
        return
    name = type(rule).__name__
    if found.never:
        raise NotApplicable(
            f"{name} cannot be mixed: {found.words}; learn the stream in one piece, or partitions by a rule that is mixed, "
            "such as Perceptron or PassiveAggressive"
        )
    raise NotApplicable(f"{name} cannot be mixed: {found.words}; unproved=True (--unproved) mixes it all the same")


def reaches(rule: LinearRule) -> bool:
    """Whether the theorems on mixtures of a rule carry a start beyond the mean (see `Mixer`)."""
    from littlestone.theory.mixed_evidence import BEYOND
    from littlestone.theory.mixing import GUARANTEES

    speaking = [guarantee for guarantee in GUARANTEES if isinstance(rule, guarantee.rules)]
    return bool(speaking) and all(BEYOND in guarantee.lemmas for guarantee in speaking)


@overload
def merge(parts: Iterable[Ledger], /) -> Ledger: ...


@overload
def merge(parts: Iterable[ExpertState], /) -> ExpertState: ...


def merge(parts: Iterable[Ledger] | Iterable[ExpertState], /) -> Ledger | ExpertState:
    """What several stretches of a stream left behind, made one: exactly, total by total and array by array as declared.

    Args:
        parts: ledgers (sums, largest, smallest); or states of expert rules whose arrays are sums of losses, and which go on
            from the merged state as one that has seen all rounds would. The loss must have a declared range: where it is
            tracked, each part counts in a unit of its own, and the states are refused.

    Raises:
        InvalidParameter: if there is nothing to merge, or parts are of two kinds.
        InvalidData: if states are not those of one rule with as many experts; if there are ledgers of labels and of targets.
        NotApplicable: if an array is no sum over the rounds, naming it.

    Example:
        >>> import littlestone as ls
        >>> parts = [ls.run(ls.Perceptron(), [[1.0], [x]], [1, -1], labels=(-1, 1)).ledger for x in (2.0, 3.0)]
        >>> whole = ls.merge(parts)
        >>> whole.rounds, whole.largest_norm
        (4, 3.0)
        >>> rule, halves = ls.ExponentialWeights(eta=1.0), []
        >>> for losses in ([[1.0, 0.0]], [[0.0, 0.5], [0.0, 0.5]]):
        ...     mixture = ls.Mixture(rule, experts=2, loss=ls.losses.Absolute(low=0.0, high=1.0))
        ...     _ = mixture.learn_many(losses, [0.0] * len(losses))
        ...     halves.append(mixture.state)
        >>> ls.merge(halves).losses
        array([1., 1.])
    """
    found = _listed(parts, "parts", Ledger, ExpertState)
    ledgers = [part for part in found if isinstance(part, Ledger)]
    if ledgers:
        _check_one_kind(ledgers)
        kinds = _core.Totals.kinds()
        whole = {field.name: _together(field.name, kinds, ledgers) for field in fields(Ledger)}
        return replace(ledgers[0], **cast("dict[str, Never]", whole))  # each value is of the type of its field
    first, *others = cast("list[ExpertState]", found)
    for number, other in enumerate(others, start=1):
        mine, its = ({name: array.shape for name, array in state.arrays.items()} for state in (first, other))
        if mine != its:
            raise InvalidData(f"state {number} is {other}, state 0 is {first}; merge those of one rule with as many experts")
    return first.mixed(others, np.full(len(found), 1.0 / len(found)))


def _listed(parts: Iterable[Part], name: str, *kinds: type[Part]) -> list[Part]:
    """The parts, all of one kind, and at least one.

    Raises:
        InvalidParameter: for others.
    """
    words = " or ".join(kind.__name__ for kind in kinds)
    found = several(parts, name, f"several of {words}")
    if not found:
        raise InvalidParameter(f"{name} is empty; there must be at least one {words}")
    kind = next((kind for kind in kinds if isinstance(found[0], kind)), None)
    if kind is None:
        raise InvalidParameter(f"number 0 of {name} is a {type(found[0]).__name__}; expected a {words}")
    for number, part in enumerate(found):
        if not isinstance(part, kind):
            raise InvalidParameter(
                f"number {number} of {name} is a {type(part).__name__}; expected a {kind.__name__}, as all of them"
            )
    return found


def _check_one_kind(ledgers: Sequence[Ledger]) -> None:
    """Refuses labels beside targets: errors of the one and distances of the other are no one total."""

    def first(what: Callable[[Ledger], int]) -> int | None:
        return next((number for number, ledger in enumerate(ledgers) if what(ledger)), None)

    targets, labels = first(lambda of: of.targets), first(lambda of: of.positives or of.two_labels or of.shown_errors)
    if targets is not None and labels is not None:
        raise InvalidData(f"ledger {labels} is of labels and ledger {targets} of targets; merge each kind by itself")


def _together(name: str, kinds: dict[str, str], parts: Sequence[Ledger]) -> int | float | bool | tuple[Tenth, ...]:
    values = [getattr(part, name) for part in parts]
    kind = kinds.get(name, "")
    if kind == "Tenths":
        tables = [part.tenths for part in parts if part.tenths]
        columns = (zip(*rows, strict=True) for rows in zip(*tables, strict=True))
        return tuple((sum(told), sum(came), sum(chance)) for told, came, chance in columns)
    if name in ("own_rounds", "blank_start"):
        return all(values)
    if name == "passes" or kind == "Largest":
        largest: float = max(values)
        return largest
    if kind == "Smallest":
        smallest: float = min(values)
        return smallest
    total: float = sum(values)
    return total


def rules() -> list[type[Rule]]:
    """Every rule of the library, in the order of the tables."""
    from littlestone import conformal, experts, games, kernels, linear, multiclass, paths, pool, uniclass

    packages = (linear, multiclass, kernels, uniclass, pool, experts, paths, conformal, games)
    return [rule for package in packages for rule in package.RULES]


def as_markdown() -> str:
    """What becomes of learners of every rule, as a table."""
    lines = [(rule.__name__, verdict(rule)) for rule in rules()]
    head = "| rule | learners are | by, or because |\n| --- | --- | --- |\n"
    words = {Way.MERGE: "merged", Way.MIX: "mixed", Way.REFUSE: "refused"}
    return head + "\n".join(f"| `{name}` | {words[found.way]} | {found.words} |" for name, found in lines)
