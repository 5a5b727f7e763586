"""A centre that moves towards rows: what the additive uniclass rules share."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone import _core
from littlestone.schema import weighted_sum
from littlestone.state import ScaledWeights
from littlestone.uniclass.rule import Ball

if TYPE_CHECKING:
    from collections.abc import Sequence

    from littlestone.arrays import FloatArray
    from littlestone.loop import Loop
    from littlestone.state import Average, State

_CANCELLED, _REFRESH_EVERY = 1e-6, 10_000


class CentredBall(Ball, ABC):
    """A ball whose centre is a scale times a vector, with its norm, so that a round costs O(nonzeros)."""

    @abstractmethod
    def lets_be(self) -> float:
        """The squared loss that is small enough."""

    @final
    def init(self, width: int) -> ScaledWeights:
        """No centre yet."""
        return ScaledWeights(
            v=np.zeros(width),
            scale=np.ones(1),
            norm_squared=np.zeros(1),
            since_refresh=np.zeros(1),
            rounds=np.zeros(1),
        )

    @final
    def score(self, state: State, row: _core.Row) -> float:
        """The distance from the centre minus ε; before there is a centre every row is inside."""
        return _distance(state, row) - self.epsilon if state.rounds[0] else -self.epsilon

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """λ of the way to the row."""
        assert isinstance(state, ScaledWeights)
        first, loss, beta = not state.rounds[0], trial.distance, self.lets_be()
        state.rounds[0] += 1.0
        if not first and (loss == 0.0 or (beta > 0.0 and loss * loss <= beta)):
            return _core.Step.stay()
        step = 1.0 if first else loss / (trial.score + self.epsilon)
        _move(state, row, step)
        return _core.Step.otherwise(step)

    @final
    def has_say(self, state: State) -> bool:
        """Once it has a centre."""
        return bool(state.rounds[0])

    @final
    def mixed(self, states: Sequence[State], shares: FloatArray) -> State:
        """The mean of the centres, and its norm."""
        centre = weighted_sum([state.w for state in states], shares)
        norm, rounds = _core.norm_squared(centre), sum(float(state.rounds[0]) for state in states)
        scalars = {"norm_squared": np.array([norm]), "since_refresh": np.zeros(1), "rounds": np.array([rounds])}
        return ScaledWeights(v=centre, scale=np.ones(1), **scalars)

    @final
    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        return _core.uniclass(
            v=state.v,
            scale=state.scale,
            norm_squared=state.norm_squared,
            since_refresh=state.since_refresh,
            rounds=state.rounds,
            epsilon=self.epsilon,
            beta=self.lets_be(),
        )


def _distance(state: State, row: _core.Row) -> float:
    both = row.norm_squared + float(state.norm_squared[0])
    squared = both - 2.0 * (float(state.scale[0]) * row.dot(state.v))
    return math.sqrt(squared if squared >= _CANCELLED * both else _summed_distance_squared(state, row))


def _summed_distance_squared(state: State, row: _core.Row) -> float:
    apart = state.w.copy()
    apart[row.indices] -= row.values
    return float(np.cumsum(apart * apart)[-1]) if len(apart) else 0.0


def _move(state: ScaledWeights, row: _core.Row, step: float) -> None:
    """W ← (1 − λ)w + λx, and ‖w‖² with it: (1−λ)²‖w‖² + 2λ(1−λ)w·x + λ²‖x‖²."""
    norm_squared, kept = state.norm_squared, 1.0 - step
    across = 2.0 * step * kept * (float(state.scale[0]) * row.dot(state.v))
    own = kept * kept * float(norm_squared[0]) + step * step * row.norm_squared
    _shrink(state, kept)
    state.add(row, step)
    norm_squared[0] = own + across
    state.since_refresh[0] += 1.0
    if state.since_refresh[0] >= _REFRESH_EVERY or not norm_squared[0] >= _CANCELLED * own:
        norm_squared[0] = state.scale[0] * state.scale[0] * _core.norm_squared(state.v)
        state.since_refresh[0] = 0.0


def _shrink(state: ScaledWeights, factor: float) -> None:
    state.scale[0] *= factor
    if state.scale[0] < ScaledWeights.FOLD_BELOW:
        # Adding 0 leaves no −0, which a dense row would turn into 0 and a sparse one would not.
        state.v[:] = state.v * state.scale[0] + 0.0
        state.scale[0] = 1.0
