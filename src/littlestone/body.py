"""What a learner moves: a state with its average and the loop on them, which grow with the features and the classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, final

import numpy as np

from littlestone import _core
from littlestone.errors import NotApplicable
from littlestone.multiclass.class_states import ClassStates
from littlestone.state import Average

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.loop import Loop
    from littlestone.outcomes import OutcomeSpace
    from littlestone.rule import LinearRule
    from littlestone.state import State
    from littlestone.streams.space import Space


@final
class Bound(NamedTuple):
    """A state, the sum of its weights, and the loop that runs on them.

    They fit one another, so they change together, in one assignment.
    """

    state: State | None
    average: Average | None
    loop: Loop | None

    @staticmethod
    def fresh(*, average: bool) -> Bound:
        """Before the first row, whose width is not known yet."""
        return Bound(None, Average.of(0) if average else None, None)


@final
class Copied(NamedTuple):
    """The numbers of a state, its average and the totals, as they were."""

    bound: Bound
    state: State
    average: Average | None
    totals: _core.Totals

    @staticmethod
    def of(bound: Bound, totals: _core.Totals) -> Copied:
        """A copy of them as they are."""
        assert bound.state is not None
        return Copied(bound, bound.state.copy(), bound.average and bound.average.copy(), copied(totals))

    def put_back(self) -> None:
        """Puts the numbers back where they were."""
        assert self.bound.state is not None
        self.bound.state.restore(self.state)
        if self.bound.average is not None and self.average is not None:
            self.bound.average.restore(self.average)


def copied(totals: _core.Totals) -> _core.Totals:
    """Totals of their own with the same numbers."""
    return _core.Totals.from_parts(totals.parts())


@final
class Body:
    """The state of a rule on a space of features and one of outcomes."""

    __slots__ = ("_outcomes", "_rule", "_space", "bound")

    def __init__(self, rule: LinearRule, space: Space, outcomes: OutcomeSpace, *, average: bool) -> None:
        self._rule, self._space, self._outcomes = rule, space, outcomes
        self.bound = Bound.fresh(average=average and rule.abilities.averages)

    @property
    def state(self) -> State:
        """The state without spare room; before the first row, one of no features."""
        if self.bound.state is None:
            return self.fresh(max(self._space.width, self._rule.least_width()))
        state = self.bound.state.cut(self._space.width)
        if self._outcomes.classes is None or not isinstance(state, ClassStates):
            return state
        return state.with_classes(max(len(self._outcomes.classes), state.count))

    @property
    def compiled(self) -> bool:
        """Whether the loop is one of the core, whose rounds nothing can cut in two."""
        return isinstance(self.bound.loop, _core.Loop)

    def bind(self, state: State) -> Loop:
        """Takes a state; everything is made before anything changes."""
        average = self.bound.average and self.bound.average.resized(state.width)
        loop = self._rule.loop(state, average)
        self.bound = Bound(state, average, loop)
        return loop

    def widened(self) -> Loop:
        """The loop on a state that has room for every feature known by now."""
        width, (state, _, loop) = self._space.width, self.bound
        if loop is not None and state is not None and state.fits(width) and self._has_room_for_classes():
            return loop
        if state is None:
            self.check_start()
            fresh = self.fresh(width)
            if not self._space.named or not fresh.admits():
                return self.bind(self._roomy(fresh))
            # Named features join a sum of weights one after another, however many rows were given at once.
            state = self.fresh(0)
        if state.fits(width):
            return self.bind(self._roomy(state))
        wider = 2 * width if self._rule.abilities.takes_spare_room else max(width, 2)
        return self.bind(self._roomy(state.grown(self._rule.init(wider))))

    def check_start(self, *, named: bool = False) -> None:
        """Refuses names for a rule whose start goes by columns."""
        if self.bound.state is None and (named or self._space.named) and getattr(self._rule, "start", None) is not None:
            raise NotApplicable("a start vector goes by columns; give rows without names")

    def fresh(self, width: int) -> State:
        """A state before the first round; of many classes those take part that were given."""
        state = self._rule.init(width)
        if self._outcomes.classes is None or not isinstance(state, ClassStates):
            return state
        roomy = state.with_classes(max(self._outcomes.classes.given, state.count))
        roomy.met[0] = max(self._outcomes.classes.given, state.count)
        return roomy

    def first(self, width: int) -> State:
        """A state before the first round with room for a width: features known by name take part once they are met."""
        fresh = self.fresh(width)
        return self.fresh(0).grown(fresh) if self._space.named and fresh.admits() else fresh

    def scorer(self, width: int) -> Loop:
        """The loop for scoring rows of this width; before anything was learned, one on a fresh state."""
        state, _, loop = self.bound
        if loop is not None and state is not None and state.fits(width):
            return loop
        if state is not None:
            # Columns that only these rows have weigh what a feature starts with.
            return self._rule.loop(state.grown(self._rule.init(max(width, 2))), None)
        return self._rule.loop(self.fresh(max(width, self._rule.least_width())), None)

    def scores(self, batch: _core.Batch) -> FloatArray:
        """The scores of the rows: a vector, or of many classes a row each."""
        loop = self.scorer(batch.width)
        if self._outcomes.classes is None:
            out = np.zeros(len(batch))
            loop.score(batch, out)
            return out
        state = self.bound.state if self.bound.state is not None else self.fresh(self._rule.least_width())
        count = int(state.met[0])
        many = np.zeros(len(batch) * count)
        loop.score(batch, many)
        return many.reshape(len(batch), count)

    def _roomy(self, state: State) -> State:
        """The state with a row for every class known by now."""
        if self._outcomes.classes is None or not isinstance(state, ClassStates):
            return state
        return state.with_room(len(self._outcomes.classes))

    def _has_room_for_classes(self) -> bool:
        state = self.bound.state
        return self._outcomes.classes is None or state is None or self._roomy(state) is state
