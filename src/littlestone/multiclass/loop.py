"""The loop of multiclass rules as they are defined, for rules without a kernel and for whoever checks the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

import numpy as np

from littlestone import _core
from littlestone.loop import Interrupts
from littlestone.multiclass.rule import MulticlassRule, leader, margin_of

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray, SignArray
    from littlestone.multiclass.class_states import ClassStates


@final
class MulticlassLoop:
    """Runs the definition of a multiclass rule as it is written."""

    def __init__(self, rule: MulticlassRule, state: ClassStates) -> None:
        self._rule = rule
        self._state = state
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
                trial, decision, step, shown = self._round(batch[t], outcomes, t)
                totals.record(trial, decision, step)
                totals.witness(batch, outcomes, t, t + 1)
                columns.write(t, trial, decision, step, shown)
                self.torn = False
                interrupts.let_through()

    def learn_row(self, batch: _core.Batch, outcomes: _core.Outcomes, totals: _core.Totals) -> tuple[float, int]:
        """Learns the only row of a batch; returns its margin and the class that was predicted."""
        with Interrupts():
            trial, decision, step, shown = self._round(batch[0], outcomes, 0)
            totals.record(trial, decision, step)
            totals.witness(batch, outcomes, 0, 1)
            self.torn = False
        return trial.score, shown

    def score(self, batch: _core.Batch, out: FloatArray) -> None:
        """Fills `out` with the scores of the rows, a class after another."""
        count = self._state.count
        for t in range(len(batch)):
            out[t * count : (t + 1) * count] = self._rule.scores(self._state, batch[t])

    def score_row(self, batch: _core.Batch) -> tuple[float, int]:
        """The largest score of the only row of a batch, and whose it is."""
        scores = self._rule.scores(self._state, batch[0])
        return float(np.max(scores)) if len(scores) else 0.0, leader(scores)

    def signs(self, scores: FloatArray, out: SignArray) -> None:
        """A class has no sign."""
        out[:] = 1

    def _round(self, row: _core.Row, outcomes: _core.Outcomes, t: int) -> tuple[_core.Trial, _core.Decision, _core.Step, int]:
        rule, state, truth = self._rule, self._state, outcomes.number(t)
        self.torn = True
        before = state.meet_class(truth)
        state.meet(row)
        scores = rule.scores(state, row)
        trial = _core.Trial(
            margin_of(scores, truth),
            rule.accepts(),
            0.0,
            rule.lengths(state, row),
            +1,
            weight=outcomes.weight(t),
            missing=row.missing,
            truth=truth,
        )
        step = rule.update(state, row, trial) if trial.weight else _core.Step.stay()
        return trial, _decision(trial.score, known=truth < before), step, leader(scores[:before])


def _decision(margin: float, *, known: bool) -> _core.Decision:
    """A class that was not known before the round could not be predicted, whatever its score."""
    if not known:
        return _core.Decision(-1, 0.0, True)
    return _core.Decision(1 if margin > 0.0 else -1, 1.0 if margin > 0.0 else 0.0, False)
