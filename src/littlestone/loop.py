"""The loop of the linear protocol, for rules without a kernel, and the shape that both kinds of loop have."""

from __future__ import annotations

import signal
import threading
from functools import partial
from typing import TYPE_CHECKING, Protocol, Self, final

from littlestone import _core

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
        columns: _core.Columns,
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
class PythonLoop:
    """Runs the definition of a rule as it is written."""

    def __init__(self, rule: LinearRule, state: State, average: Average | None) -> None:
        self._rule = rule
        self._state = state
        self._average = average
        self.torn = False

    def learn(
        self,
        batch: _core.Batch,
        outcomes: _core.Outcomes,
        totals: _core.Totals,
        columns: _core.Columns,
        begin: int,
        end: int,
    ) -> None:
        """Learns the rows from begin to end in order."""
        with Interrupts() as interrupts:
            for t in range(begin, end):
                trial, decision, step = self._round(batch[t], outcomes, t)
                totals.record(trial, decision, step)
                totals.witness(batch, outcomes, t, t + 1)
                columns.write(t, trial, decision, step)
                self.torn = False
                interrupts.let_through()

    def learn_row(self, batch: _core.Batch, outcomes: _core.Outcomes, totals: _core.Totals) -> tuple[float, int]:
        """Learns the only row of a batch; returns its score and the sign that was predicted."""
        with Interrupts():
            trial, decision, step = self._round(batch[0], outcomes, 0)
            totals.record(trial, decision, step)
            totals.witness(batch, outcomes, 0, 1)
            self.torn = False
        return trial.score, decision.sign

    def score(self, batch: _core.Batch, out: FloatArray) -> None:
        """Fills `out` with the scores of the rows."""
        for t in range(len(batch)):
            out[t] = self._score(batch[t])

    def score_row(self, batch: _core.Batch) -> tuple[float, int]:
        """Score and predicted sign of the only row of a batch."""
        score = self._score(batch[0])
        return score, self._rule.decide(self._state, score).sign

    def signs(self, scores: FloatArray, out: SignArray) -> None:
        """Fills `out` with what would be predicted for the scores, were they those of the next rounds."""
        for t, score in enumerate(scores):
            out[t] = self._rule.decide(self._state, float(score), t).sign

    def _score(self, row: _core.Row) -> float:
        score = self._rule.score(self._state, row)
        return self._rule.settle(self._state, row, score, _core.Interval.open_half_line(+1))

    def _round(self, row: _core.Row, outcomes: _core.Outcomes, t: int) -> tuple[_core.Trial, _core.Decision, _core.Step]:
        rule, state = self._rule, self._state
        self.torn = True
        state.meet(row)
        if self._average is not None:
            self._average.add(state.w)
        interval = outcomes.interval(t, partial(rule.accepts_label, state), partial(rule.accepts_target, state))
        score = rule.settle(state, row, rule.score(state, row), interval)
        trial = _core.Trial(
            score,
            interval,
            rule.widening(),
            rule.lengths(state, row),
            outcomes.label(t),
            weight=outcomes.weight(t),
            missing=row.missing,
        )
        decision = rule.decide(state, score)
        # A round of weight 0 is recorded and not learned from.
        return trial, decision, rule.update(state, row, trial) if trial.weight else _core.Step.stay()
