"""Learners that come one after another, made one as they come: one model is held, however many there are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, final

import numpy as np

from littlestone import _core
from littlestone.errors import InvalidData, InvalidParameter, NotApplicable
from littlestone.schema import Mixing
from littlestone.state import Average

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.learner import Learner
    from littlestone.ledger import Ledger
    from littlestone.snapshots import Snapshot
    from littlestone.state import State
    from littlestone.streams.batches import Feature

Word: TypeAlias = Literal["uniform", "mistakes"]
WORDS: tuple[Word, ...] = ("uniform", "mistakes")
Shares: TypeAlias = "Word | npt.ArrayLike"
Places: TypeAlias = "npt.NDArray[np.int64] | None"


def checked_shares(weights: Shares, count: int) -> Word | FloatArray:
    """What was said of the shares of so many learners; of numbers the largest is then 1.

    Raises:
        InvalidParameter: if they are not as they must be.
    """
    if isinstance(weights, str):
        for word in WORDS:
            if weights == word:
                return word
        raise InvalidParameter(f'weights is {weights!r}; it must be "uniform", "mistakes" or a number for each learner')
    try:
        given = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InvalidParameter(f"weights are {weights!r}; there must be a number for each learner") from None
    if given.shape != (count,) or not np.isfinite(given).all() or (given < 0.0).any() or not given.any():
        raise InvalidParameter(
            f"weights are {given.tolist()}; there must be one for each of {count} learners, none negative and not all 0"
        )
    return np.asarray(given / given.max(), dtype=np.float64)


@final
class Beyond(NamedTuple):
    """A state beyond the mean of several, seen from where all of them began, and how many times as far away it is."""

    state: State
    reach: float


@final
class MixedLearners(NamedTuple):
    """Several learners, made one."""

    snapshot: Snapshot
    """With arrays of its own."""
    ledgers: tuple[Ledger, ...]
    """Of each of them."""
    shares: FloatArray
    """Of each of them; their sum is 1."""
    beyond: Beyond | None = None
    """Where those who go on may begin; None where nobody asked, or no proof carries it."""


@final
class Mixer:
    """The weighted sum of learners, in the order in which they come, so that its bits depend on nothing else.

    Args:
        count: how many will come.
        weights: their shares, as in `ls.mix`.
        word: what one of them is called in a sentence.
        origin: who all of them began as, where it is asked how far those who go on may begin beyond the mean.
    """

    def __init__(self, count: int, weights: Shares, *, word: str = "learner", origin: Learner | None = None) -> None:
        self._given = checked_shares(weights, count)
        self._word = word
        self._origin = origin
        self._start: State | None = None if origin is None else origin.snapshot(copy=False).state
        self._spread = 0.0
        self._known: Snapshot | None = None
        self._begun = self._named = False
        self._numbers: dict[Feature, int] = {}
        self._totals = _core.Totals()
        self._ledgers: list[Ledger] = []
        self._shares: list[float] = []
        self._state: State | None = None
        self._mass = self._fresh_mass = 0.0
        self._average: Average | None = None
        self._averages = True

    def add(self, learner: Learner) -> None:
        """The next learner; what it knows is read, and nothing of it is kept."""
        snapshot, ledger = learner.snapshot(copy=False), learner.ledger
        place = self._join(snapshot)
        self._totals.merge(_core.Totals.from_parts(dict(snapshot.totals)))
        share, kept = self._share(ledger)
        if not kept:
            self._shares = [0.0] * len(self._shares)
            self._mass = self._fresh_mass = self._spread = 0.0
        self._ledgers.append(ledger)
        self._shares.append(share)
        if snapshot.state is None:
            self._fresh_mass += share
        elif snapshot.rule.has_say(snapshot.state):
            self._include(snapshot.state, place, share, kept=kept)
        self._include_average(snapshot, place)

    def done(self) -> MixedLearners:
        """The mixture."""
        known, names = self._seen, list(self._numbers)
        state = self._finished() if self._named or known.space.width is not None else None
        mixed = replace(
            known,
            state=state,
            average=self._average if self._averages else None,
            totals=self._totals.parts(),
            space=known.space._replace(names=len(names), width=None) if self._named else known.space,
            names=names if self._named else None,
            begun=None,
        )
        shares = np.array(self._shares) / sum(self._shares)
        beyond = None if self._origin is None or state is None or not self._mass else self._beyond(state)
        return MixedLearners(mixed, tuple(self._ledgers), shares, beyond)

    def _beyond(self, mean: State) -> Beyond:
        """With d = mean − w₀: w₀ + λd for the largest λ ≤ Σμ‖w − w₀‖² / ‖d‖², which at most adds up what all have moved.

        Then ‖w₀ + λd − u‖² − ‖w₀ − u‖² ≤ λΣμ(‖w − u‖² − ‖w₀ − u‖²): a proof that telescopes the squared distance goes through
        with every term counted λ times, where the mean (λ = 1) would have counted it once.
        """
        start = self._began()
        moved = distance_squared(mean, start)
        reach = self._spread / (self._mass + self._fresh_mass) / moved if moved > 0.0 else 1.0
        reach = min(max(reach, 1.0), float(len(self._shares)))
        return Beyond(self._seen.rule.mixed([start, mean], np.array([1.0 - reach, reach])), reach)

    def _began(self) -> State:
        """Where all of them began, over the features of all."""
        self._start = self._fresh() if self._start is None else self._placed(self._start)
        return self._start

    def _share(self, ledger: Ledger) -> tuple[float, bool]:
        """The share of the next one, and whether those before keep theirs: by mistakes, they do if one of them made any."""
        if isinstance(self._given, np.ndarray):
            return float(self._given[len(self._shares)]), True
        met = any(earlier.mistakes for earlier in self._ledgers)
        if self._given == "uniform" or not (met or ledger.mistakes):
            return 1.0, True
        return float(ledger.mistakes), met

    @property
    def _seen(self) -> Snapshot:
        """What is known of all of them, but for their arrays and names."""
        assert self._known is not None
        return self._known

    @property
    def _width(self) -> int:
        return len(self._numbers) if self._named else self._seen.space.width or 0

    def _join(self, snapshot: Snapshot) -> Places:
        """Takes note of what the next one knows, and says where its features are among those of all."""
        bare = replace(snapshot, state=None, average=None, names=None)
        name = f"{self._word} {len(self._shares)}"
        if self._known is not None:
            self._check_alike(snapshot, name)
            bare = _joined(self._known, bare, name, begun=self._begun or snapshot.state is None)
        self._known = bare
        self._begun = self._begun or snapshot.state is not None
        if snapshot.names is None and not self._named:
            return None
        self._named = True
        for feature in snapshot.names or []:
            self._numbers.setdefault(feature, len(self._numbers))
        return np.array([self._numbers[feature] for feature in snapshot.names or []], dtype=np.int64)

    def _check_alike(self, other: Snapshot, name: str) -> None:
        """Raises InvalidData where a learner cannot be one with those before."""
        known, first = self._seen, f"{self._word} 0"
        if other.rule != known.rule:
            raise InvalidData(f"{name} learns by {other.rule!r}, {first} by {known.rule!r}; mix one rule")
        if not _agree(known, other):
            raise InvalidData(f"{name} and {first} differ in their labels; make all with the same labels=")
        ways = (not self._named, known.space.scheme), (other.names is None, other.space.scheme)
        if self._begun and other.state is not None and ways[0] != ways[1]:
            raise InvalidData(f"{name} knows its features in another way than those before; give rows of one kind")
        mine, its = known.space.width, other.space.width
        if None not in (mine, its) and known.space.scheme is None and mine != its:
            raise InvalidData(f"{name} has rows of {its} features, those before have {mine}; give rows of one width")

    def _fresh(self) -> State:
        """A state over the features of all, before the first round."""
        known = self._seen
        state: State = known.rule.init(self._width)
        if known.classes is None or not self._begun:
            return state
        from littlestone.multiclass.class_states import ClassStates

        assert isinstance(state, ClassStates)
        return state.with_classes(len(known.classes))

    def _placed(self, state: State, place: Places = None, times: float = 1.0) -> State:
        """A state over the features of all: what it does not know of is as in a fresh one, so many times."""
        if not state.stacks():  # points, which have no room of their own for features
            if place is not None and (place != np.arange(len(place))).any():
                raise NotApplicable("the features of the support points have other numbers for another learner; give arrays")
            return state
        if place is None and state.width == self._width:
            return state
        fresh = self._fresh()
        return (fresh if times == 1.0 else self._seen.rule.mixed([fresh], np.array([times]))).placing(state, place)

    def _include(self, state: State, place: Places, share: float, *, kept: bool) -> None:
        mixed, placed = self._seen.rule.mixed, self._placed(state, place)
        if self._origin is not None:
            self._spread += share * distance_squared(placed, self._began())
        if self._state is None:
            self._state = mixed([placed], np.array([share]))
        else:
            self._state = mixed([self._sum(), placed], np.array([1.0 if kept else 0.0, share]))
        self._mass += share

    def _sum(self) -> State:
        """The weighted sum so far, over the features of all."""
        assert self._state is not None
        return self._placed(self._state, times=self._mass)

    def _finished(self) -> State:
        rule, fresh = self._seen.rule, self._fresh()
        if self._state is None:
            return fresh
        state, mass = self._sum(), self._mass
        if self._fresh_mass and rule.has_say(fresh):
            state, mass = rule.mixed([state, fresh], np.array([1.0, self._fresh_mass])), mass + self._fresh_mass
        return fresh if mass == 0.0 else rule.mixed([state], np.array([1.0 / mass]))

    def _include_average(self, snapshot: Snapshot, place: Places) -> None:
        """The sum of the weights over the rounds of all: it adds up."""
        self._averages = self._averages and snapshot.average is not None
        self._average = self._average or Average.of(0)
        if snapshot.average is None or snapshot.state is None:
            return
        self._average = self._average.fitting(self._placed(snapshot.state, place))
        self._average.include(snapshot.average, snapshot.state, place)


def _joined(known: Snapshot, other: Snapshot, name: str, *, begun: bool) -> Snapshot:
    """What is known of all; how features are known is read off the first who has met a row.

    Raises:
        InvalidData: if a column holds something else for another learner.
    """
    mine, its = known.space.recipe, other.space.recipe
    try:
        recipe = mine if its is None else its if mine is None else mine.joined(its)
    except InvalidData as error:
        raise InvalidData(f"{name}: {error}") from None
    widths = [width for width in (known.space.width, other.space.width) if width is not None]
    space = (known if begun else other).space
    return replace(
        known,
        space=space._replace(recipe=recipe, width=max(widths, default=None)),
        labels=other.labels if None in known.labels.known() and None not in other.labels.known() else known.labels,
        kind=other.kind if known.kind is None else known.kind,
        passes=max(known.passes, other.passes),
    )


def distance_squared(one: State, other: State) -> float:
    """‖w − w′‖² over the arrays that learners mix by their mean."""
    names = [name for name, array in one.schema.items() if array.mixing is Mixing.MEAN]
    return float(sum(_core.norm_squared((one.arrays[name] - other.arrays[name]).ravel()) for name in names))


def _agree(one: Snapshot, other: Snapshot) -> bool:
    """Whether a sign, or the number of a class, means the same to both."""
    if one.classes is not None:
        return other.classes is not None and one.classes.known() == other.classes.known()
    pairs = zip(one.labels.known(), other.labels.known(), strict=True)
    return all(mine is None or its is None or mine == its for mine, its in pairs)
