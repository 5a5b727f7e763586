"""Those that do not look at the row: what every learner should be better than."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.abilities import LABELS, TARGETS, Abilities
from littlestone.domain import Domain, interval, parameter
from littlestone.rule import LinearRule
from littlestone.schema import Array
from littlestone.state import Weights

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.loop import Loop
    from littlestone.state import Average, State

_ORDER = Domain("a whole number from 1 to 12", lambda value: isinstance(value, int) and 1 <= value <= 12)
_DECAY = interval(0.0, 1.0, low_open=True, high_open=False, words="a number above 0, at most 1")
_FLOOR = 0.02


class Baseline(LinearRule, ABC):
    """A rule that goes by the outcomes alone; `state.known` is what it remembers of them."""

    @abstractmethod
    def _fresh(self) -> FloatArray:
        """What it knows before the first outcome."""

    @final
    def init(self, width: int) -> Weights:
        """No outcome yet; the weights are 0 and stay so."""
        known = self._fresh()
        return Weights({"known": Array(inner=len(known))}, w=np.zeros(width), known=known)


class _OfLabels(Baseline, ABC):
    @final
    def accepts_label(self, state: State, label: int) -> _core.Interval:
        """The right side of 0."""
        return _core.Interval.open_half_line(label)


class _OfTargets(Baseline, ABC):
    abilities = Abilities(learns=TARGETS, takes_weights=True, has_weights=False, averages=False)

    @final
    def accepts_target(self, state: State, target: float) -> _core.Interval:
        """The target itself."""
        return _core.Interval.around(target, 0.0)

    @final
    def score(self, state: State, row: _core.Row) -> float:
        """What it remembers; 0 before the first target."""
        return float(state.known[0])


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Majority(_OfLabels):
    """Predicts the label that came most often so far.

    Update: the count of the label grows. The score is the log-odds ln((n₊+½)/(n₋+½)).
    Tie: equal counts are a mistake.
    Weights: an importance weight c counts as c rows.
    Cost: O(1) per round.

    Guarantee: none; it is what others are compared with.
    Source: the baseline of every table; the halves: Krichevsky and Trofimov 1981.

    Example:
        >>> import littlestone as ls
        >>> ls.run(ls.Majority(), [[0.0]] * 4, ["a", "b", "b", "b"]).ledger.shown_errors
        2
    """

    source: ClassVar[str] = "Krichevsky and Trofimov 1981"
    abilities = Abilities(learns=LABELS, takes_weights=True, has_weights=False, has_log_odds=True, averages=False)

    def _fresh(self) -> FloatArray:
        return np.zeros(2)

    def score(self, state: State, row: _core.Row) -> float:
        """ln((n₊+½)/(n₋+½))."""
        return math.log((float(state.known[1]) + 0.5) / (float(state.known[0]) + 0.5))

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """One more of the label."""
        state.known[int(trial.label > 0)] += trial.weight
        return _core.Step.otherwise(trial.weight)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        return _core.majority(w=state.w, known=state.known)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class LastLabel(_OfLabels):
    """Predicts the label of the round before: hard to beat where labels come in stretches.

    Update: the label is remembered; the score is −1 or +1.
    Tie: before the first label the score is 0, a mistake.
    Weights: a round of weight 0 is not remembered; other weights mean nothing.
    Cost: O(1) per round.

    Guarantee: none; it is what others are compared with.
    Source: the baseline of Bifet et al. 2013 for streams whose labels depend on one another.

    Example:
        >>> import littlestone as ls
        >>> ls.run(ls.LastLabel(), [[0.0]] * 4, ["a", "b", "b", "b"]).ledger.mistakes
        2
    """

    source: ClassVar[str] = "Bifet et al. 2013"
    abilities = Abilities(learns=LABELS, takes_weights=True, has_weights=False, averages=False)

    def _fresh(self) -> FloatArray:
        return np.zeros(1)

    def score(self, state: State, row: _core.Row) -> float:
        """The last label."""
        return float(state.known[0])

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """The label is remembered."""
        state.known[0] = trial.label
        return _core.Step.otherwise(1.0)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        return _core.last_label(w=state.w, known=state.known)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Markov(_OfLabels):
    """Predicts from the last few labels: how often either label followed them, lately.

    Update: after every history of `order` labels there are two counts, from ½; those of the history at hand fade by `decay`,
    to no less than 0.02, and that of the label grows by 1. The score is the logarithm of their ratio, the log-odds.
    Tie: equal counts are a mistake.
    Weights: an importance weight c counts as c rows.
    Cost: O(1) per round, two numbers per history.

    Guarantee: none; it needs labels in time, before the next row.
    Source: Markov 1913; fading counts as in context-tree weighting for sources that drift.

    Example:
        >>> import littlestone as ls
        >>> ls.run(ls.Markov(order=1), [[0.0]] * 40, ["a", "b"] * 20).ledger.mistakes
        3
    """

    source: ClassVar[str] = "Markov 1913"
    abilities = Abilities(learns=LABELS, takes_weights=True, has_weights=False, has_log_odds=True, averages=False)

    order: int = parameter(3, domain=_ORDER, why="eight histories are learned soon")
    decay: float = parameter(0.998, domain=_DECAY, why="half of a count is forgotten after 350 rounds with its history")

    def _fresh(self) -> FloatArray:
        return np.concatenate([[0.0], np.full(2 << self.order, 0.5)])

    def score(self, state: State, row: _core.Row) -> float:
        """The logarithm of the ratio of the counts after this history."""
        here = 1 + 2 * int(state.known[0])
        return math.log(float(state.known[here + 1]) / float(state.known[here]))

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """The counts fade, the label is counted, and the history goes on."""
        history, up = int(state.known[0]), int(trial.label > 0)
        here = state.known[1 + 2 * history : 3 + 2 * history]
        here[:] = np.maximum(self.decay * here, _FLOOR)
        here[up] += trial.weight
        state.known[0] = (2 * history + up) % (1 << self.order)
        return _core.Step.otherwise(trial.weight)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        return _core.markov(w=state.w, known=state.known, order=self.order, decay=self.decay)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class RunningMean(_OfTargets):
    """Predicts the mean of the targets so far.

    Update: mean ← mean + (target − mean)/n.
    Tie: none; every round moves the state.
    Weights: an importance weight c counts as c rows.
    Cost: O(1) per round.

    Guarantee: none; it is what others are compared with: R² is 0 for it, nearly.
    Source: the baseline of every table.

    Example:
        >>> import littlestone as ls
        >>> ls.run(ls.RunningMean(), [[0.0]] * 3, [1.0, 3.0, 5.0], keep=("score",)).columns["score"]
        array([0., 1., 2.])
    """

    source: ClassVar[str] = "the baseline of every table"

    def _fresh(self) -> FloatArray:
        return np.zeros(2)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """A step towards the target."""
        state.known[1] += trial.weight
        step = trial.weight / float(state.known[1]) * (trial.interval.low - float(state.known[0]))
        state.known[0] += step
        return _core.Step.otherwise(step)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        return _core.running_mean(w=state.w, known=state.known)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class LastValue(_OfTargets):
    """Predicts the target of the round before: the naive forecast of every time series.

    Update: the target is remembered.
    Tie: none; every round moves the state.
    Weights: a round of weight 0 is not remembered; other weights mean nothing.
    Cost: O(1) per round.

    Guarantee: none; it is what others are compared with.
    Source: the naive forecast, as in Hyndman and Koehler 2006.

    Example:
        >>> import littlestone as ls
        >>> ls.run(ls.LastValue(), [[0.0]] * 3, [1.0, 3.0, 5.0], keep=("score",)).columns["score"]
        array([0., 1., 3.])
    """

    source: ClassVar[str] = "Hyndman and Koehler 2006"

    def _fresh(self) -> FloatArray:
        return np.zeros(1)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """The target is remembered."""
        state.known[0] = trial.interval.low
        return _core.Step.otherwise(1.0)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        return _core.last_value(w=state.w, known=state.known)
