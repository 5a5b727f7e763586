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

_REACH = 5.0  # so many spreads a row may pull
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


class ShareFlagging(Flagging, ABC):
    """A rule whose threshold tracks the share of rows that are to be flagged, and which knows the spread of every feature.

    Its state has the arrays w and variance, per feature, and the numbers rounds, threshold and largest.
    """

    flag: float
    eta: float

    @final
    def proofs(self) -> Proofs:
        """That the share is met."""
        from littlestone.theory.space_proofs import FLAGS

        return FLAGS

    @final
    def threshold(self, state: State) -> float:
        """As it has become."""
        return float(state.threshold[0])

    @final
    def follow(self, state: State, values: FloatArray, trial: _core.Trial) -> float:
        """Moves the threshold down the pinball loss, then centre and spreads towards the row; the share of the row in these."""
        state.largest[0] = max(float(state.largest[0]), trial.score + float(state.threshold[0]))
        state.threshold[0] += self.eta * ((1.0 if trial.score > 0.0 else 0.0) - self.flag)
        state.rounds[0] += 1.0
        share = 1.0 / float(state.rounds[0])
        apart, most = values - state.w, _REACH * np.sqrt(state.variance)
        if state.rounds[0] > 2.0:
            apart = np.where(state.variance > 0.0, np.clip(apart, -most, most), apart)
        state.w[:] += share * apart
        state.variance[:] += share * ((1.0 - share) * (apart * apart) - state.variance)
        return share


class Ball(Flagging, ABC):
    """A ball of radius ε whose centre moves. The score is the distance from the centre minus ε; a loss is a positive score."""

    epsilon: float

    @final
    def threshold(self, state: State) -> float:
        """ε."""
        return self.epsilon
