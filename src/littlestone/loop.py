"""The round of a rule as it is defined, for rules without a compiled one and for whoever watches a run."""

from __future__ import annotations

import math
import signal
import threading
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self, final

from littlestone import _core
from littlestone.errors import InvalidData, NotApplicable
from littlestone.lazy import np

if TYPE_CHECKING:
    from types import FrameType

    from littlestone.arrays import FloatArray, SignArray
    from littlestone.rule import LinearRule
    from littlestone.state import Average, State


class Loop(Protocol):
    """Rows in order: score, interval, update, record. `_core.Loop` is the compiled one."""

    @property
    def torn(self) -> bool:
        """Whether the last round was begun and not ended."""
        ...

    def learn(
        self,
        batch: _core.Batch,
        outcomes: _core.Outcomes,
        totals: _core.Totals,
        columns: _core.RoundColumns,
        begin: int,
        end: int,
    ) -> None:
        """Learns the rows from begin to end in order."""
        ...

    def learn_row(self, batch: _core.Batch, outcomes: _core.Outcomes, totals: _core.Totals) -> tuple[float, int]:
        """Learns the only row of a batch; returns its score and what was predicted: a sign, or the number of a class."""
        ...

    def score(self, batch: _core.Batch, out: FloatArray) -> None:
        """Fills `out` with the scores of the rows."""
        ...

    def score_row(self, batch: _core.Batch) -> tuple[float, int]:
        """Score and predicted sign of the only row of a batch."""
        ...

    def signs(self, scores: FloatArray, out: SignArray) -> None:
        """Fills `out` with what would be predicted for the scores, were they those of the next rounds."""
        ...


def behind(view: _core.View, loop: Loop) -> Loop:
    """The loop, whose rule sees rows through the view.

    Raises:
        NotApplicable: for a loop that is made elsewhere.
    """
    if isinstance(loop, PythonLoop):
        return loop.behind(view)
    if not isinstance(loop, _core.Loop):
        raise NotApplicable(f"{type(loop).__name__} is a loop of its own, which takes no view; scale the rows before")
    return _core.behind(view, loop)


def calibrated(calibration: _core.Calibration, loop: Loop) -> Loop:
    """The loop, whose rounds have probabilities.

    Raises:
        NotApplicable: for a loop that is made elsewhere.
    """
    if isinstance(loop, PythonLoop):
        return loop.calibrated(calibration)
    if not isinstance(loop, _core.Loop):
        raise NotApplicable(f"{type(loop).__name__} is a loop of its own, whose scores are not calibrated; leave out calibrate")
    return _core.calibrated(calibration, loop)


@final
class Interrupts:
    """Holds Ctrl-C back until a round is whole, so that state and ledger tell of the same rounds."""

    def __enter__(self) -> Self:
        main = threading.current_thread() is threading.main_thread()
        self._handler = signal.getsignal(signal.SIGINT) if main else None
        self._caught: tuple[int, FrameType | None] | None = None
        if callable(self._handler):
            signal.signal(signal.SIGINT, self._catch)
        return self

    def __exit__(self, *_: object) -> None:
        if callable(self._handler):
            signal.signal(signal.SIGINT, self._handler)
        self.let_through()

    def let_through(self) -> None:
        """Between two rounds: a Ctrl-C that came meanwhile has its way."""
        caught, self._caught = self._caught, None
        if caught is not None and callable(self._handler):
            self._handler(*caught)

    def _catch(self, number: int, frame: FrameType | None) -> None:
        self._caught = number, frame


@final
class Faced(NamedTuple):
    """A round before its update: the trial, the decision, and what is shown: a sign, or the number of a class."""

    trial: _core.Trial
    decision: _core.Decision
    shown: int


def advance(rule: LinearRule, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
    """The second half of a round, after `rule.face`; one of weight 0 is recorded and not learned from.

    Whoever watches a run calls the two halves, and looks at the state between them: the loop below has no other round.
    """
    return rule.update(state, row, trial) if trial.weight else _core.Step.stay()


class Rounds(ABC):
    """Rows in order, each a round that Ctrl-C does not cut in two; what happens in a round is said by whoever has one."""

    def __init__(self, view: _core.View | None = None) -> None:
        self.torn = False
        self._view = view

    @final
    def _shown(self, batch: _core.Batch, outcomes: _core.Outcomes, t: int) -> _core.Row:
        """The row as the rule is shown it; a view takes it in."""
        return batch[t] if self._view is None else self._view.learn(batch, outcomes, t, t + 1)[0]

    @abstractmethod
    def _round(self, row: _core.Row, outcomes: _core.Outcomes, t: int) -> tuple[Faced, _core.Step]:
        """One round: what was faced, and what the update did."""

    @final
    def learn(
        self,
        batch: _core.Batch,
        outcomes: _core.Outcomes,
        totals: _core.Totals,
        columns: _core.RoundColumns,
        begin: int,
        end: int,
    ) -> None:
        """Learns the rows from begin to end in order."""
        with Interrupts() as interrupts:
            for t in range(begin, end):
                self.torn = True
                faced, step = self._round(self._shown(batch, outcomes, t), outcomes, t)
                totals.record(faced.trial, faced.decision, step)
                totals.witness(batch, outcomes, t, t + 1)
                columns.write(t, faced.trial, faced.decision, step, faced.shown)
                self.torn = False
                interrupts.let_through()

    @final
    def learn_row(self, batch: _core.Batch, outcomes: _core.Outcomes, totals: _core.Totals) -> tuple[float, int]:
        """Learns the only row of a batch; returns its score and what was predicted."""
        with Interrupts():
            self.torn = True
            faced, step = self._round(self._shown(batch, outcomes, 0), outcomes, 0)
            totals.record(faced.trial, faced.decision, step)
            totals.witness(batch, outcomes, 0, 1)
            self.torn = False
        return faced.trial.score, faced.shown


@final
class PythonLoop(Rounds):
    """Runs the definition of a rule as it is written."""

    def __init__(
        self,
        rule: LinearRule,
        state: State,
        average: Average | None,
        view: _core.View | None = None,
        calibration: _core.Calibration | None = None,
    ) -> None:
        super().__init__(view)
        self._rule = rule
        self._state = state
        self._average = average
        self._calibration = calibration

    def behind(self, view: _core.View) -> PythonLoop:
        """This loop, whose rule sees rows through the view."""
        return PythonLoop(self._rule, self._state, self._average, view, self._calibration)

    def calibrated(self, calibration: _core.Calibration) -> PythonLoop:
        """This loop, whose rounds have probabilities."""
        return PythonLoop(self._rule, self._state, self._average, self._view, calibration)

    def score(self, batch: _core.Batch, out: FloatArray) -> None:
        """Fills `out` with the scores of the rows: one each, or one per class."""
        if len(batch):
            out[:] = np.concatenate([self._scores(batch, t) for t in range(len(batch))])

    def score_row(self, batch: _core.Batch) -> tuple[float, int]:
        """The score of the only row of a batch and what is predicted for it."""
        return self._rule.verdict(self._state, self._scores(batch, 0))

    def signs(self, scores: FloatArray, out: SignArray) -> None:
        """Fills `out` with what would be predicted for the scores, were they those of the next rounds."""
        for t, score in enumerate(scores):
            out[t] = self._rule.decide(self._state, float(score), t).sign

    def _scores(self, batch: _core.Batch, t: int) -> FloatArray:
        row = batch[t] if self._view is None else self._view.show(batch, t, t + 1)[0]
        scores = self._rule.scores(self._state, row)
        check_scores(t, scores)
        return scores

    def _round(self, row: _core.Row, outcomes: _core.Outcomes, t: int) -> tuple[Faced, _core.Step]:
        known, before = self._state.in_use, self._classes()
        faced = self._rule.face(self._state, row, outcomes, t)
        if self._average is not None:
            self._average.add(self._state, known)
        if self._calibration is None:
            return faced, advance(self._rule, self._state, row, faced.trial)
        scores = np.array([faced.trial.score]) if before is None else self._rule.scores(self._state, row)
        told = faced._replace(trial=self._calibration.foretell(faced.trial, scores, before or 0))
        step = advance(self._rule, self._state, row, told.trial)
        self._calibration.learn(told.trial.weight)
        return told, step

    def _classes(self) -> int | None:
        """How many classes were met; None of a rule of two labels."""
        return int(self._state.met[0]) if self._rule.abilities.classes else None


def check_scores(t: int, scores: FloatArray) -> None:
    """Refuses a row with a score beyond all numbers, before anything of its round is learned."""
    for score in scores[~np.isfinite(scores)]:
        beyond = "nan" if math.isnan(score) else "infinite"
        reason = "the weights or the row are too large to be multiplied; scale the rows"
        raise InvalidData(f"row {t}: the score is {beyond}: {reason}")
