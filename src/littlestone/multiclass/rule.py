"""What multiclass rules share: a row of weights a class, and a round decided by the lead over the best rival."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone import _core
from littlestone.multiclass.class_states import ClassStates
from littlestone.rule import LinearRule

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.loop import Loop
    from littlestone.state import Average, State

NEW_CLASSES = "A class that comes later joins with zero weights in the round in which it is first seen"


class MulticlassRule(LinearRule):
    """A rule that scores every class and predicts the one with the largest score, the first of them where several are.

    A round's margin is the score of the true class minus that of the best other one. A margin that is not above 0 is a
    mistake, and so is a class that was not known when it came; the loss is how far the margin is below the one asked for.
    """

    @final
    def learns(self) -> frozenset[str]:
        """Classes."""
        return frozenset({"classes"})

    @abstractmethod
    def init(self, width: int) -> ClassStates:
        """No class yet."""

    @abstractmethod
    def accepts(self) -> _core.Interval:
        """The margins that are acceptable."""

    @abstractmethod
    def compiled_loop(self, state: ClassStates) -> _core.Loop | None:
        """The compiled loop; None where a part of the rule has none."""

    def scores(self, state: ClassStates, row: _core.Row) -> FloatArray:
        """The score of each class."""
        return np.array([row.dot(state.of_class(k).w) for k in range(state.count)])

    @final
    def score(self, state: State, row: _core.Row) -> float:
        """The largest score; 0 before there is a class."""
        assert isinstance(state, ClassStates)
        return float(np.max(self.scores(state, row), initial=-math.inf)) if state.count else 0.0

    @final
    def averages(self) -> bool:
        """No theorem of these rules speaks of the mean of the weights, so it is not kept."""
        return False

    @final
    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop, or the definition."""
        from littlestone.multiclass.loop import MulticlassLoop

        assert isinstance(state, ClassStates)
        return self.compiled_loop(state) or MulticlassLoop(self, state)


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
