"""What a learner moves: a state with its average and the loop on them, which grow with the features and the classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, final

from littlestone import _core
from littlestone.calibration import Calibration
from littlestone.errors import InvalidData, InvalidParameter, NotApplicable
from littlestone.lazy import np, numpy_is_loaded
from littlestone.loop import behind, calibrated
from littlestone.multiclass.class_states import ClassStates
from littlestone.state import Average

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.loop import Loop
    from littlestone.outcomes import OutcomeSpace
    from littlestone.rule import LinearRule
    from littlestone.state import State
    from littlestone.streams.space import Space
    from littlestone.views import Statistics, View


@final
class Bound(NamedTuple):
    """A state, the sum of its weights, the loop that runs on them, the view in front and the calibration behind.

    They fit one another, so they change together, in one assignment.
    """

    state: State | None
    average: Average | None
    loop: Loop | None
    statistics: Statistics | None = None
    calibration: Calibration | None = None

    @staticmethod
    def fresh(*, average: bool, calibrate: bool) -> Bound:
        """Before the first row, whose width is not known yet."""
        slope = Calibration.fresh() if calibrate else None
        return Bound(None, Average.of(0) if average else None, None, calibration=slope)


@final
class Copied(NamedTuple):
    """The numbers of a state, its average, its view, its calibration and the totals, as they were."""

    bound: Bound
    state: State
    average: Average | None
    totals: _core.Totals
    statistics: Statistics | None
    calibration: Calibration | None

    @staticmethod
    def of(bound: Bound, totals: _core.Totals) -> Copied:
        """A copy of them as they are."""
        assert bound.state is not None
        average, statistics = bound.average and bound.average.copy(), bound.statistics and bound.statistics.copy()
        slope = bound.calibration and bound.calibration.copy()
        return Copied(bound, bound.state.copy(), average, totals.copy(), statistics, slope)

    def put_back(self) -> None:
        """Puts the numbers back where they were."""
        assert self.bound.state is not None
        self.bound.state.take_back(self.state)
        if self.bound.average is not None and self.average is not None:
            self.bound.average.restore(self.average)
        if self.bound.statistics is not None and self.statistics is not None:
            self.bound.statistics.restore(self.statistics)
        if self.bound.calibration is not None and self.calibration is not None:
            self.bound.calibration.restore(self.calibration)


@final
class Body:
    """The state of a rule on a space of features and one of outcomes."""

    __slots__ = ("_outcomes", "_rule", "_space", "_view", "bound")

    def __init__(
        self,
        rule: LinearRule,
        space: Space,
        outcomes: OutcomeSpace,
        *,
        average: bool,
        view: View | None = None,
        calibrate: bool = False,
    ) -> None:
        self._rule, self._space, self._outcomes, self._view = rule, space, outcomes, view
        self.bound = Bound.fresh(average=average and rule.abilities.averages, calibrate=calibrate)

    @property
    def state(self) -> State:
        """The state without spare room; before the first row, one of no features."""
        if self.bound.state is None:
            return self.fresh(max(self._shown_width(self._space.width), self._rule.least_width()))
        state = self.bound.state.cut(self._shown_width(self._space.width))
        if self._outcomes.classes is None or not isinstance(state, ClassStates):
            return state
        return state.with_classes(max(len(self._outcomes.classes), state.count))

    @property
    def compiled(self) -> bool:
        """Whether the loop is one of the core, whose rounds no interrupt can cut in two."""
        return isinstance(self.bound.loop, _core.Loop)

    def loses_no_half(self) -> bool:
        """Whether nothing can cut a round in two: no interrupt, and no lack of memory."""
        state, alone = self.bound.state, self.bound.statistics is None and self.bound.calibration is None
        return self.compiled and state is not None and state.loses_no_half(alone=alone)

    def meets_names(self) -> bool:
        """Whether a new name takes part from the round in which it is met, so that no score tells before what it says."""
        return self._space.named and self.bound.state is not None and self.bound.state.admits()

    def copies_cheaply(self, entries: int) -> bool:
        """Whether to copy what learning moves takes little beside rows of so many entries, or there is no other way back."""
        return not self.loses_no_half() or self.bound.state is None or self.bound.state.copies_cheaply(entries)

    def bind(self, state: State, statistics: Statistics | None = None) -> Loop:
        """Takes a state, and what the view knows where that is new; everything is made before anything changes."""
        average = self.bound.average and self.bound.average.fitting(state)
        known = self._viewed(statistics or self.bound.statistics, self._space.width)
        loop, slope = self._looking(known, self._rule.loop(state, average)), self.bound.calibration
        loop = loop if slope is None else calibrated(slope.bound(), loop)
        self.bound = Bound(state, average, loop, known, slope)
        return loop

    def evidence(self) -> FloatArray:
        """Of each feature, how much is known of it."""
        assert self.bound.state is not None
        return self.bound.state.evidence(self._space.width)

    def keeping(self, places: npt.NDArray[np.int64]) -> Bound:
        """What there is of the features at these places, which are all from then on. Nothing changes."""
        assert self.bound.state is not None
        state = self.bound.state.keeping(places)
        return self.bound._replace(state=state, loop=self._rule.loop(state, None))

    def widened(self) -> Loop:
        """The loop on a state that has room for every feature known by now."""
        columns, (state, _, loop, known, _) = self._space.width, self.bound
        width, roomy = self._shown_width(columns), known is None or known.width >= columns
        if loop is not None and state is not None and state.fits(width) and roomy and self._has_room_for_classes():
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

    def check_sound(self) -> None:
        """Refuses rounds that were learned and left what is no number: who calls has kept what to go back to.

        Raises:
            InvalidData: if a number of the state is none.
        """
        if self.bound.state is None or not self.bound.state.sound():
            raise InvalidData(
                "the rows or outcomes are so large that a sum of what is learned from them is beyond all numbers; scale them"
            )

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
        state, _, loop, statistics, _ = self.bound
        roomy = statistics is None or statistics.width >= width
        if loop is not None and state is not None and state.fits(self._shown_width(width)) and roomy:
            return loop
        known, width = self._viewed(statistics, width), self._shown_width(width)
        if state is not None:
            # Columns that only these rows have weigh what a feature starts with.
            wider = state if state.fits(width) else state.grown(self._rule.init(max(width, 2)))
            return self._looking(known, self._rule.loop(wider, None))
        return self._looking(known, self._rule.loop(self.fresh(max(width, self._rule.least_width())), None))

    def look_as(self, other: Body) -> None:
        """Takes over what another body's view knows, in a copy."""
        state, statistics = self.bound.state, other.bound.statistics
        if state is not None and statistics is not None:
            self.bind(state, statistics.copy())

    def chances(self, batch: _core.Batch) -> FloatArray:
        """The probabilities of the labels, a row each."""
        return self._outcomes.chances(self.scores(batch), self.bound.calibration)

    def shown(self, batch: _core.Batch) -> _core.Batch:
        """The rows as the rule would be shown them if each came next."""
        known = self._viewed(self.bound.statistics, batch.width)
        return batch if known is None or self._view is None else self._view.bound(known).show(batch, 0, len(batch))

    def shown_afresh(self, batch: _core.Batch, outcomes: _core.Outcomes) -> _core.Batch:
        """The rows as the rule was shown them if they were the first."""
        if self._view is None:
            return batch
        return self._view.bound(self._view.resized(None, batch.width)).learn(batch, outcomes, 0, len(batch))

    def _shown_width(self, width: int) -> int:
        """How many features the rule is shown of rows of a width.

        Raises:
            NotApplicable: if they are too many.
        """
        if self._view is None:
            return width
        self._view.check_width(width)
        return self._view.shown_width(width)

    def _viewed(self, statistics: Statistics | None, width: int) -> Statistics | None:
        """What the view knows, with room for rows of a width, and some to spare where more room is made."""
        if self._view is None:
            return None
        self._view.check_width(width)
        if statistics is not None and statistics.width >= width:
            return statistics
        return self._view.resized(statistics, width if statistics is None else 2 * width)

    def _looking(self, statistics: Statistics | None, loop: Loop) -> Loop:
        return loop if self._view is None or statistics is None else behind(self._view.bound(statistics), loop)

    def verdicts(self, batch: _core.Batch) -> npt.NDArray[np.int32]:
        """The sign of each row's score, 0 for 0; of many classes the number of the first with the largest."""
        loop, out = self.scorer(batch.width), np.zeros(len(batch), dtype=np.int32)
        if isinstance(loop, _core.Loop) and loop.scores:
            loop.judge(batch, out)
        else:
            scores = self.scores(batch)
            out[:] = np.sign(scores) if scores.ndim == 1 else np.argmax(scores, axis=1)
        return out

    def scores(self, batch: _core.Batch) -> FloatArray:
        """The scores of the rows: a vector, or of many classes a row each."""
        loop = self.scorer(batch.width)
        if self._outcomes.classes is None:
            out = np.empty(len(batch))
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


def checked_calibrate(calibrate: object, rule: LinearRule) -> bool:
    """Whether to calibrate the scores of a rule that learns labels.

    Raises:
        InvalidParameter: for a rule that has no labels, or calibrates by itself.
    """
    if not isinstance(calibrate, bool) and not (numpy_is_loaded() and isinstance(calibrate, np.bool_)):
        raise InvalidParameter(f"calibrate is {calibrate!r}; calibrate must be True or False")
    if calibrate and not rule.abilities.named:
        raise InvalidParameter(f"calibrate is for rules that learn labels, and {type(rule).__name__} does not; leave it out")
    if calibrate and not rule.abilities.takes_calibration:
        raise InvalidParameter(f"calibrate is True, and {type(rule).__name__} has calibrated probabilities; leave it out")
    return bool(calibrate)
