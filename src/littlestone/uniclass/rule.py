"""What uniclass rules share: a radius, and names for inside and outside."""

from __future__ import annotations

from abc import ABC
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone import _core
from littlestone.abilities import INTERVALS, Abilities
from littlestone.rule import LinearRule

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.state import State
    from littlestone.theory.proofs import Proofs

WHY_EPSILON = "the radius is what you call near; no default fits every stream"


def decide_outside(score: float) -> _core.Decision:
    """Outside (+1) where the score is above 0; a row at the very distance ε is inside."""
    return _core.Decision(1 if score > 0.0 else -1, 1.0 if score > 0.0 else 0.0, False)


def dense_values(state: State, row: _core.Row) -> FloatArray:
    """The row with its zeros written out."""
    values = np.zeros(len(state.w))
    values[row.indices] = row.values
    return values


class Flagging(LinearRule, ABC):
    """A rule of one class: rows alone are learned, and a row whose score is above 0 is outside.

    There are no outcomes: `learn_one(x)` and `learn_many(X)` take rows alone, and `predict_one` answers "inside" or
    "outside". A feature that was never learned is a distance all the same, and no theorem speaks of the mean of the centres.
    """

    abilities = Abilities(learns=INTERVALS, signs=("inside", "outside"), averages=False, minds_unknown=True)

    def proofs(self) -> Proofs:
        """Against a centre."""
        from littlestone.theory.space_proofs import BALLS

        return BALLS

    @final
    def decide(self, state: State, score: float, ahead: int = 0) -> _core.Decision:
        """Outside where the score is above 0."""
        return decide_outside(score)


class Ball(Flagging, ABC):
    """A ball of radius ε whose centre moves. The score is the distance from the centre minus ε; a loss is a positive score."""

    epsilon: float

    @final
    def threshold(self, state: State) -> float:
        """ε."""
        return self.epsilon
