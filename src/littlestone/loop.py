"""The loop of the linear protocol, for rules without a kernel, and the shape that both kinds of loop have."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol, final

from littlestone import _core

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray, SignArray
    from littlestone.rule import LinearRule
    from littlestone.state import Average, State


class Loop(Protocol):
    """Rows in order: score, interval, update, record. `_core.Loop` is the compiled one."""

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
        """Learns the only row of a batch; returns its score and the sign that was predicted."""
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
class PythonLoop:
    """Runs the definition of a rule as it is written."""

    def __init__(self, rule: LinearRule, state: State, average: Average | None) -> None:
        self._rule = rule
        self._state = state
        self._average = average

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
        for t in range(begin, end):
            trial, decision, step = self._round(batch[t], outcomes, t)
            totals.record(trial, decision, step)
            columns.write(t, trial, decision, step)

    def learn_row(self, batch: _core.Batch, outcomes: _core.Outcomes, totals: _core.Totals) -> tuple[float, int]:
        """Learns the only row of a batch; returns its score and the sign that was predicted."""
        trial, decision, step = self._round(batch[0], outcomes, 0)
        totals.record(trial, decision, step)
        return trial.score, decision.sign

    def score(self, batch: _core.Batch, out: FloatArray) -> None:
        """Fills `out` with the scores of the rows."""
        for t in range(len(batch)):
            out[t] = self._rule.score(self._state, batch[t])

    def score_row(self, batch: _core.Batch) -> tuple[float, int]:
        """Score and predicted sign of the only row of a batch."""
        score = self._rule.score(self._state, batch[0])
        return score, self._rule.decide(self._state, score).sign

    def signs(self, scores: FloatArray, out: SignArray) -> None:
        """Fills `out` with what would be predicted for the scores, were they those of the next rounds."""
        for t, score in enumerate(scores):
            out[t] = self._rule.decide(self._state, float(score), t).sign

    def _round(self, row: _core.Row, outcomes: _core.Outcomes, t: int) -> tuple[_core.Trial, _core.Decision, _core.Step]:
        rule, state = self._rule, self._state
        if self._average is not None:
            self._average.add(state.w)
        score = rule.score(state, row)
        interval = outcomes.interval(t, partial(rule.accepts_label, state), partial(rule.accepts_target, state))
        trial = _core.Trial(score, interval, rule.widening(), rule.lengths(state, row), outcomes.label(t))
        return trial, rule.decide(state, score), rule.update(state, row, trial)
