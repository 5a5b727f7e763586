"""What multiclass rules share: a row of weights per class, and a round decided by the lead over the best rival."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone import _core
from littlestone.abilities import CLASSES, Abilities
from littlestone.loop import Faced, Loop, PythonLoop, check_scores
from littlestone.multiclass.class_states import ClassStates
from littlestone.rule import LinearRule

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.state import Average, State
    from littlestone.theory.proofs import Proofs


class MulticlassRule(LinearRule):
    """A rule that scores every class and predicts the one with the largest score, the first of them where several are.

    A round's margin is the score of the true class minus that of the best other one. A margin that is not above 0 is a
    mistake, and so is a class that was not known when it came; the loss is how far the margin is below the one asked for.
    """

    @property
    def abilities(self) -> Abilities:
        """Classes; a weight multiplies the step or the loss."""
        return Abilities(learns=CLASSES, takes_weights=True)

    @abstractmethod
    def init(self, width: int) -> ClassStates:
        """No class yet."""

    @abstractmethod
    def accepts(self) -> _core.Interval:
        """The margins that are acceptable."""

    @abstractmethod
    def compiled_loop(self, state: ClassStates, average: Average | None) -> _core.Loop | None:
        """The compiled loop; None where a part of the rule has none."""

    def scores(self, state: State, row: _core.Row) -> FloatArray:
        """The score of each class."""
        assert isinstance(state, ClassStates)
        return np.array([row.dot(state.of_class(k).w) for k in range(state.count)])

    @final
    def score(self, state: State, row: _core.Row) -> float:
        """The largest score; 0 before there is a class."""
        return self.verdict(state, self.scores(state, row))[0]

    @final
    def verdict(self, state: State, scores: FloatArray) -> tuple[float, int]:
        """The largest score, and whose it is."""
        return float(np.max(scores)) if len(scores) else 0.0, leader(scores)

    @final
    def face(self, state: State, row: _core.Row, outcomes: _core.Outcomes, t: int) -> Faced:
        """A round before its update: a class that is new joins, and the margin of the true one is what counts."""
        assert isinstance(state, ClassStates)
        truth = outcomes.number(t)
        before = state.meet_class(truth)
        state.meet(row)
        scores = self.scores(state, row)
        check_scores(t, scores)
        trial = _core.Trial(
            margin_of(scores, truth),
            self.accepts(),
            0.0,
            self.lengths(state, row),
            +1,
            weight=outcomes.weight(t),
            missing=row.missing,
            truth=truth,
        )
        return Faced(trial, _decision(trial.score, known=truth < before), leader(scores[:before]))

    def proofs(self) -> Proofs:
        """Against prototypes."""
        from littlestone.theory.class_proofs import PROTOTYPES

        return PROTOTYPES

    @final
    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop, or the definition."""
        assert isinstance(state, ClassStates)
        return self.compiled_loop(state, average) or PythonLoop(self, state, average)


def _decision(margin: float, *, known: bool) -> _core.Decision:
    """A class that was not known before the round could not be predicted, whatever its score."""
    if not known:
        return _core.Decision(-1, 0.0, True)
    return _core.Decision(1 if margin > 0.0 else -1, 1.0 if margin > 0.0 else 0.0, False)


def rival(scores: FloatArray, truth: int) -> int:
    """The best other class, the first of them where several are."""
    others = scores.copy()
    others[truth] = -math.inf
    return int(np.argmax(others)) if (others > -math.inf).any() else 1 - min(truth, 1)


def margin_of(scores: FloatArray, truth: int) -> float:
    """By how much the true class leads; infinite without a rival."""
    return math.inf if len(scores) < 2 else float(scores[truth] - scores[rival(scores, truth)])


def leader(scores: FloatArray) -> int:
    """The first class with the largest score; −1 where there is none."""
    return int(np.argmax(scores)) if len(scores) else -1
