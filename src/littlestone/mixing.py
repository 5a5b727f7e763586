"""Learners that learned apart, made one: what adds up is merged, what a theorem carries is mixed, the rest is refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from enum import Enum
from typing import TYPE_CHECKING, Literal, NamedTuple, Never, TypeAlias, TypeVar, cast, final, overload

import numpy as np

from littlestone import _core
from littlestone.domain import several
from littlestone.errors import InvalidData, InvalidParameter, NotApplicable
from littlestone.experts.state import ExpertState
from littlestone.learner import Learner
from littlestone.ledger import Ledger, Tenth
from littlestone.state import Average

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.rule import Rule
    from littlestone.snapshots import Snapshot
    from littlestone.state import State
    from littlestone.streams.batches import Feature
    from littlestone.streams.recipe import Recipe

Part = TypeVar("Part")
Shares: TypeAlias = 'Literal["uniform", "mistakes"] | npt.ArrayLike'


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
    "its spreads and its threshold belong to one sequence of rows": ("AdaptiveUniclass",),
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
_UNKNOWN = "no theorem here speaks of its mixture"


def verdict(rule: type[Rule]) -> MixingVerdict:
    """What becomes of learners of a rule; the table of docs/scaling.md is made of these."""
    from littlestone.theory.mixing import GUARANTEES

    theorems = [guarantee.id for guarantee in GUARANTEES if issubclass(rule, guarantee.rules)]
    if theorems:
        return MixingVerdict(Way.MIX, ", ".join(theorems))
    if rule.__name__ in _MERGED:
        return MixingVerdict(Way.MERGE, "losses add up")
    reasons = (reason for reason, names in _REFUSED.items() if rule.__name__ in names)
    return MixingVerdict(Way.REFUSE, next(reasons, _UNKNOWN))


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
    shares = shares_of(weights, [part.ledger for part in parts])
    return mixture_of([part.snapshot() for part in parts], shares, unproved=unproved)


def mixture_of(snapshots: Sequence[Snapshot], shares: FloatArray, *, unproved: bool, word: str = "learner") -> Learner:
    """The mixture of learners with these shares, with arrays of its own; a refusal names one by the word and its number."""
    rule = type(snapshots[0].rule)
    found = verdict(rule)
    if found.way is Way.REFUSE and not unproved:
        raise NotApplicable(f"{rule.__name__} cannot be mixed: {found.words}; unproved=True tries it all the same")
    if any(snapshot.view is not None for snapshot in snapshots):
        raise NotApplicable(
            "learners behind a view cannot be mixed: each has seen rows in scales of its own; scale them before"
        )
    for number, other in enumerate(snapshots[1:], start=1):
        _check_alike(snapshots, other, f"{word} {number}", f"{word} 0")
    return Learner.restored(_mixed(snapshots, shares, word), copy=False)


def shares_of(weights: Shares, ledgers: Sequence[Ledger]) -> FloatArray:
    """The share of each learner; their sum is 1.

    Raises:
        InvalidParameter: if they are not as they must be.
    """
    if isinstance(weights, str):
        if weights not in ("uniform", "mistakes"):
            raise InvalidParameter(f'weights is {weights!r}; it must be "uniform", "mistakes" or a number for each learner')
        counts = [float(ledger.mistakes) for ledger in ledgers] if weights == "mistakes" else []
        given = np.array(counts if sum(counts) > 0.0 else [1.0] * len(ledgers))
    else:
        try:
            given = np.array(weights, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            raise InvalidParameter(f"weights are {weights!r}; there must be a number for each learner") from None
    if given.shape != (len(ledgers),) or not np.isfinite(given).all() or (given < 0.0).any() or given.sum() <= 0.0:
        raise InvalidParameter(
            f"weights are {given.tolist()}; there must be one for each of {len(ledgers)} learners, none negative and not all 0"
        )
    return np.asarray(given / given.sum(), dtype=np.float64)


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
        InvalidData: if states are not those of one rule with as many experts.
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


def _check_alike(snapshots: Sequence[Snapshot], other: Snapshot, name: str, first_name: str) -> None:
    first = snapshots[0]
    begun = next((snapshot for snapshot in snapshots if snapshot.state is not None), first)
    if other.rule != first.rule:
        raise InvalidData(f"{name} learns by {other.rule!r}, {first_name} by {first.rule!r}; mix one rule")
    if not _agree(first, other):
        raise InvalidData(f"{name} and {first_name} differ in their labels; make all with the same labels=")
    ways = [(snapshot.names is None, snapshot.space.scheme) for snapshot in (begun, other)]
    if other.state is not None and ways[0] != ways[1]:
        raise InvalidData(f"{name} knows its features in another way than those before; give rows of one kind")
    mine, its = begun.space.width, other.space.width
    if None not in (mine, its) and begun.space.scheme is None and mine != its:
        raise InvalidData(f"{name} has rows of {its} features, those before have {mine}; give rows of one width")


def _agree(one: Snapshot, other: Snapshot) -> bool:
    """Whether a sign, or the number of a class, means the same to both."""
    if one.classes is not None:
        return other.classes is not None and one.classes.known() == other.classes.known()
    pairs = zip(one.labels.known(), other.labels.known(), strict=True)
    return all(mine is None or its is None or mine == its for mine, its in pairs)


def _mixed(snapshots: Sequence[Snapshot], shares: FloatArray, word: str) -> Snapshot:
    first = snapshots[0]
    names, places = _union(snapshots)
    width = len(names) if names is not None else max(snapshot.space.width or 0 for snapshot in snapshots)
    states = [_placed(snapshot, place, width) for snapshot, place in zip(snapshots, places, strict=True)]
    totals = _core.Totals.from_parts(dict(first.totals))
    for other in snapshots[1:]:
        totals.merge(_core.Totals.from_parts(dict(other.totals)))
    known = next((s.space for s in snapshots if s.state is not None), first.space)._replace(recipe=_recipe(snapshots, word))
    labels = next((s.labels for s in snapshots if None not in s.labels.known()), first.labels)
    return replace(
        first,
        state=first.rule.mixed(states, shares) if known.names is not None or known.width is not None else None,
        average=_averages(snapshots, places, width),
        totals=totals.parts(),
        space=known._replace(names=None if names is None else len(names), width=None if names is not None else width),
        names=names,
        labels=labels,
        kind=next((s.kind for s in snapshots if s.kind is not None), None),
        passes=max(snapshot.passes for snapshot in snapshots),
        begun=None,
    )


def _recipe(snapshots: Sequence[Snapshot], word: str) -> Recipe | None:
    """What the columns of all tables hold.

    Raises:
        InvalidData: if a column holds something else for another learner.
    """
    known: Recipe | None = None
    for number, snapshot in enumerate(snapshots):
        its = snapshot.space.recipe
        try:
            known = known if its is None else its if known is None else known.joined(its)
        except InvalidData as error:
            raise InvalidData(f"{word} {number}: {error}") from None
    return known


def _union(snapshots: Sequence[Snapshot]) -> tuple[list[Feature] | None, list[npt.NDArray[np.int64] | None]]:
    """The names of all learners in the order of the learners, and where each has its own."""
    if all(snapshot.names is None for snapshot in snapshots):
        return None, [None] * len(snapshots)
    numbers: dict[Feature, int] = {}
    for snapshot in snapshots:
        for name in snapshot.names or []:
            numbers.setdefault(name, len(numbers))
    return list(numbers), [np.array([numbers[name] for name in s.names or []], dtype=np.int64) for s in snapshots]


def _placed(snapshot: Snapshot, place: npt.NDArray[np.int64] | None, width: int) -> State:
    """The state of a learner over the features of all: those that it does not know are as in a fresh state."""
    state = snapshot.state
    if state is not None and place is None and state.width == width:
        return state
    if state is not None and not state.stacks():  # points, which have no room of their own for features
        if place is not None and (place != np.arange(len(place))).any():
            raise NotApplicable("the features of the support points have other numbers for another learner; give arrays")
        return state
    fresh = _fresh(snapshot, width)
    return fresh if state is None else fresh.placing(state, place)


def _fresh(snapshot: Snapshot, width: int) -> State:
    state: State = snapshot.rule.init(width)
    if snapshot.state is None or snapshot.classes is None:
        return state
    from littlestone.multiclass.class_states import ClassStates

    assert isinstance(state, ClassStates)
    return state.with_classes(len(snapshot.classes))


def _averages(snapshots: Sequence[Snapshot], places: Sequence[npt.NDArray[np.int64] | None], width: int) -> Average | None:
    """The sum of the weights over the rounds of all: it adds up."""
    if any(snapshot.average is None for snapshot in snapshots):
        return None
    whole = Average.of(width, max((s.state.rows for s in snapshots if s.state is not None), default=1))
    for snapshot, place in zip(snapshots, places, strict=True):
        if snapshot.average is not None and snapshot.state is not None:
            whole.include(snapshot.average, snapshot.state, place)
    return whole


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
