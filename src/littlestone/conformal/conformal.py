"""Intervals and sets around any forecaster, whose share of misses is known in advance."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast, final

import numpy as np

from littlestone.conformal.adaptive_conformal import AdaptiveConformal
from littlestone.conformal.forecasters import Forecaster, forecaster_of
from littlestone.conformal.ledger import ConformalLedger, ConformalTotals
from littlestone.conformal.rule import ConformalRule
from littlestone.conformal.run import ConformalRun
from littlestone.conformal.scores import Scores
from littlestone.conformal.shown import PredictionInterval, PredictionSet
from littlestone.domain import OPEN_UNIT, WHOLE, optional
from littlestone.errors import InvalidData, InvalidParameter
from littlestone.guarded import WholeRounds
from littlestone.loop import Interrupts
from littlestone.streams.batches import numbers

if TYPE_CHECKING:
    import os

    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.conformal.shown import Shown
    from littlestone.experts.state import ExpertState
    from littlestone.theory.certificate import Certificate


@final
@dataclass(frozen=True)
class ConformalSnapshot:
    """Everything that is known: enough to go on as if nothing had happened."""

    model: object
    coverage: float
    rule: ConformalRule
    window: int | None
    state: ExpertState
    scores: tuple[float, ...]
    ledger: ConformalLedger


@final
class Conformal(WholeRounds):
    """Puts intervals around the forecasts of any model, or sets of labels, that miss as seldom as was asked for.

    Args:
        model: a `ls.Learner`, a `ls.Mixture`, a model of River or scikit-learn, a function of the row; or nothing, where rows
            are forecasts themselves: numbers, or mappings of labels to probabilities.
        coverage: the share of outcomes that sets are to hold, 1 − α.
        rule: how the level of the next set is chosen; None is `ls.AdaptiveConformal()`.
        window: sets are cut by so many of the last scores; None takes all. A thousand know the level to a tenth of a percent
            and forget what the model was like before.

    The score of a number is its distance from the forecast, that of a label 1 minus its probability. A set holds what has no
    larger score than the ⌈(1 − level)(n + 1)⌉-th smallest of the last n; with fewer scores than that it is everything. The
    promise is on what was shown: `certify()` states it. Outcomes that come late are told by `learn_shown`, or by
    `ls.Delayed`, with the set that was shown; that changes a constant of the promise.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> noise = np.random.default_rng(0).normal(size=5000)
        >>> band = ls.Conformal(coverage=0.9)
        >>> run = band.learn_many(np.zeros(5000), noise)
        >>> round(run.ledger.coverage, 3), run.ledger.everything, run.ledger.nothing
        (0.9, 9, 0)
        >>> shown = band.predict_one(10.0)
        >>> round(shown.low, 2), round(shown.high, 2), 10.5 in shown
        (8.39, 11.61, True)
        >>> print(band.certify()[0])
        aci.coverage: holds: ...
    """

    def __init__(
        self, model: object = None, *, coverage: float = 0.9, rule: ConformalRule | None = None, window: int | None = 1000
    ) -> None:
        super().__init__()
        _check("coverage", coverage, OPEN_UNIT.words, OPEN_UNIT.contains(coverage))
        _check("window", window, f"{WHOLE.words}, or None", optional(WHOLE).contains(window))
        _check("rule", rule, "a rule such as ls.AdaptiveConformal(), or None", rule is None or isinstance(rule, ConformalRule))
        self.model = model
        self.coverage = float(coverage)
        self.rule: ConformalRule = AdaptiveConformal() if rule is None else rule
        self.window = window
        self._forecaster: Forecaster = forecaster_of(model)
        self._state = self.rule.init(self.alpha)
        self._scores = Scores(window)
        self._totals = ConformalTotals(ConformalLedger())

    @property
    def alpha(self) -> float:
        """The share of misses that is wanted, 1 − coverage, without the digits that the subtraction leaves behind."""
        return round(1.0 - self.coverage, 15)

    @property
    def state(self) -> ExpertState:
        """The state of the rule."""
        return self._state

    @property
    def level(self) -> float:
        """The level of the next set."""
        with self._alone:
            return self.rule.level(self._state)

    @property
    def ledger(self) -> ConformalLedger:
        """What was counted so far."""
        with self._alone:
            return self._totals.ledger

    def predict_one(self, x: object) -> PredictionInterval | PredictionSet:
        """The interval, or the set of labels, for a row. Nothing changes.

        Raises:
            InvalidData: if the forecast is neither a finite number nor probabilities.
        """
        with self._alone:
            return self._cut(self._forecaster.forecast(x))

    def predict_many(self, X: object) -> list[PredictionInterval | PredictionSet]:
        """The interval, or the set of labels, for each of many rows, all at the level of this moment. Nothing changes.

        Raises:
            InvalidData: if a forecast is neither a finite number nor probabilities.
        """
        with self._alone:
            return [self._cut(self._forecaster.forecast(x)) for x in self._forecaster.rows(X)]

    def learn_one(self, x: object, y: object) -> PredictionInterval | PredictionSet:
        """One round: show a set, record whether it missed, learn. Returns the set that was shown.

        Raises:
            InvalidData: if the outcome or the forecast is malformed; nothing has changed then.
        """
        return self._whole(lambda: self._round(x, y, self._cut(self._forecaster.forecast(x))))

    def learn_shown(self, x: object, y: object, shown: object) -> PredictionInterval | PredictionSet:
        """Learns an outcome that comes late: what counts is the set that was shown for its row.

        Raises:
            InvalidData: if the outcome is malformed, or the set is not of this model's past; nothing has changed then.
        """
        return self._whole(lambda: self._round(x, y, self._known(shown)))

    def learn_many(self, X: object, y: npt.ArrayLike) -> ConformalRun:
        """Learns the rows in order: the same as a loop over `learn_one`.

        Args:
            X: rows as the model takes them, or forecasts where there is none.
            y: the outcomes, one per row.

        Raises:
            InvalidData: if rows or outcomes are malformed; nothing has changed then, unless a model of another library
                refuses a row that it has not seen before: the rounds before it are learned and recorded.
        """
        return self._whole(lambda: self._learn_many(X, np.asarray(y)))

    def certify(self) -> list[Certificate]:
        """What is promised of the share of misses, and what was measured."""
        from littlestone.theory.conformal import certify_conformal

        return certify_conformal(self)

    def snapshot(self) -> ConformalSnapshot:
        """A copy of everything that is known, the model too."""
        with self._alone:
            return ConformalSnapshot(
                model=copy.deepcopy(self.model),
                coverage=self.coverage,
                rule=self.rule,
                window=self.window,
                state=self._state.copy(),
                scores=tuple(self._scores.recent),
                ledger=self._totals.ledger,
            )

    @staticmethod
    def restored(snapshot: ConformalSnapshot) -> Conformal:
        """One that goes on where the snapshot was taken."""
        model = copy.deepcopy(snapshot.model)
        twin = Conformal(model, coverage=snapshot.coverage, rule=snapshot.rule, window=snapshot.window)
        twin._state.restore(snapshot.state)
        twin._scores, twin._totals = Scores(snapshot.window, snapshot.scores), ConformalTotals(snapshot.ledger)
        return twin

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes everything to a file, for `ls.load(path, kind=ls.Conformal)`; a crash leaves the old or the new.

        Raises:
            NotApplicable: if the model is not of this library.
            OSError: if the file cannot be written; the old one is as it was.
        """
        from littlestone.store import save

        save(self, path)

    def __reduce__(self) -> tuple[Callable[[ConformalSnapshot], Conformal], tuple[ConformalSnapshot]]:
        """Copies and pickles go by the snapshot."""
        return Conformal.restored, (self.snapshot(),)

    def __repr__(self) -> str:
        return f"Conformal({self.model!r}, coverage={self.coverage:g}: {self.ledger})"

    def _cut(self, forecast: object) -> Shown:
        level = self.rule.level(self._state)
        if isinstance(forecast, Mapping):
            return PredictionSet.cut(_chances(forecast), self._scores, level, self._totals.rounds)
        return PredictionInterval.cut(_real(forecast, "the forecast"), self._scores, level, self._totals.rounds)

    def _known(self, shown: object) -> Shown:
        if not isinstance(shown, PredictionInterval | PredictionSet) or shown.after > self._totals.rounds:
            raise InvalidData(f"what was shown is {shown!r}; expected a set that this model has shown")
        return shown

    def _round(self, x: object, y: object, shown: Shown) -> Shown:
        missed, score = _judged(y, shown)
        with Interrupts():
            self._forecaster.learn(x, y)
            self._record(score, shown.size, shown.after, missed=missed)
        return shown

    def _record(self, score: float, size: float, after: int, *, missed: bool) -> None:
        """Cannot fail: the outcome was looked at before."""
        self.rule.advance(self._state, missed=missed, reach=self._scores.reach(score))
        self._scores.add(score)
        self._totals.add(size, after, missed=missed)

    def _learn_many(self, X: object, y: npt.NDArray[np.generic]) -> ConformalRun:
        if y.ndim != 1:
            raise InvalidData(f"the outcomes have shape {y.shape}; expected one for each row")
        targets = _targets(y) if y.dtype.kind in "fiub" else None
        self._forecaster.check(X, y)
        with Interrupts() as held:
            column = None if targets is None else self._forecaster.column(X, targets)
            if column is None or targets is None:
                return self._row_by_row(X, y, held)
            _check_column(column, len(targets))
            return self._along(column, targets)

    def _along(self, column: FloatArray, targets: FloatArray) -> ConformalRun:
        """The rounds of a column of forecasts, of which all is known to be sound."""
        ends, levels, missed = np.zeros((2, len(column))), np.zeros(len(column)), np.zeros(len(column), dtype=bool)
        for t, (value, y) in enumerate(zip(column.tolist(), targets.tolist(), strict=True)):
            levels[t] = level = self.rule.level(self._state)
            radius = self._scores.radius(level)
            low, high = value - radius, value + radius
            ends[0, t], ends[1, t], missed[t] = low, high, not low <= y <= high
            self._record(abs(y - value), high - low, self._totals.rounds, missed=not low <= y <= high)
        return ConformalRun(self.rule, self.alpha, self._totals.ledger, targets, missed, levels, column, ends, None)

    def _row_by_row(self, X: object, y: npt.NDArray[np.generic], held: Interrupts) -> ConformalRun:
        rows, outcomes = self._forecaster.rows(X), cast("list[Hashable]", y.tolist())
        if len(rows) != len(outcomes):
            raise InvalidData(f"there are {len(rows)} rows and {len(outcomes)} outcomes; expected one for each row")
        shown = list[PredictionInterval | PredictionSet]()
        for x, outcome in zip(rows, outcomes, strict=True):
            shown.append(self._round(x, outcome, self._cut(self._forecaster.forecast(x))))
            held.let_through()
        return ConformalRun.of_shown(self.rule, self.alpha, self._totals.ledger, y, shown)


def _check(name: str, value: object, words: str, sound: bool) -> None:
    if not sound:
        raise InvalidParameter(f"Conformal: {name} is {value!r}; {name} must be {words}")


def _real(value: object, what: str) -> float:
    """A finite number.

    Raises:
        InvalidData: for anything else.
    """
    plain = value.item() if isinstance(value, np.ndarray | np.generic) and value.size == 1 else value
    if not isinstance(plain, int | float) or not math.isfinite(plain):
        raise InvalidData(f"{what} is {value!r}; expected a finite number")
    return float(plain)


def _chances(forecast: Mapping[Hashable, object]) -> dict[Hashable, float]:
    """The probability of every label.

    Raises:
        InvalidData: if one is none.
    """
    chances = {label: _real(chance, f"the probability of {label!r}") for label, chance in forecast.items()}
    for label, chance in chances.items():
        if not -1e-9 <= chance <= 1.0 + 1e-9:
            raise InvalidData(f"the probability of {label!r} is {chance:g}; expected a number between 0 and 1")
    return chances


def _judged(y: object, shown: Shown) -> tuple[bool, float]:
    """Whether the set left the outcome out, and the score of the outcome.

    Raises:
        InvalidData: if it is an outcome of another kind.
    """
    if isinstance(shown, PredictionInterval):
        number = _real(y, "the outcome")
        return number not in shown, shown.score(number)
    if y is None or not isinstance(y, Hashable) or y != y:
        raise InvalidData(f"the outcome is {y!r}; expected a label")
    return y not in shown, shown.score(y)


def _targets(y: npt.NDArray[np.generic]) -> FloatArray:
    targets = np.asarray(numbers(y, "the outcomes"), dtype=np.float64)
    bad = np.flatnonzero(~np.isfinite(targets))
    if len(bad):
        raise InvalidData(f"outcome {bad[0]} is {targets[bad[0]]}; expected a finite number")
    return targets


def _check_column(column: FloatArray, count: int) -> None:
    if column.shape != (count,):
        raise InvalidData(f"the forecasts have shape {column.shape}; expected one for each of {count} outcomes")
    bad = np.flatnonzero(~np.isfinite(column))
    if len(bad):
        raise InvalidData(f"forecast {bad[0]} is {column[bad[0]]}; expected a finite number")
