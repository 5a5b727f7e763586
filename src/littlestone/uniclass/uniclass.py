"""Passive-Aggressive uniclass learning."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.domain import NONNEGATIVE, required
from littlestone.state import ScaledWeights
from littlestone.uniclass.rule import WHY_EPSILON, Ball

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State

_CANCELLED, _REFRESH_EVERY = 1e-6, 10_000


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Uniclass(Ball):
    """The smallest move of a centre that brings the row within ε of it: one class, and what lies outside.

    Update: with the distance d = ‖x − w‖ and λ = 1 − ε/d, w ← (1 − λ)w + λx when d > ε. The first row is the first centre.
    Tie: a distance of exactly ε is passive.
    Cost: O(nonzeros) a round, whatever the width: w is kept as a scale times a vector, with its norm. Where the difference
    of squares loses its digits the distance is summed feature by feature.

    Guarantee: pa.1u (squared losses ≤ ‖u − w₁‖² if some ball of radius ε around u holds the stream).
    Source: Crammer et al. 2003, uniclass.

    Example:
        >>> import littlestone as ls
        >>> learner = ls.Learner(ls.Uniclass(epsilon=1.0))
        >>> learner.learn_one([0.0, 0.0]), learner.learn_one([3.0, 4.0])
        ('inside', 'outside')
        >>> learner.state.w, round(learner.score_one([3.0, 4.0]), 12)
        (array([2.4, 3.2]), 0.0)
    """

    source: ClassVar[str] = "Crammer et al. 2003, uniclass"

    epsilon: float = field(metadata=required(domain=NONNEGATIVE, why=WHY_EPSILON))

    def init(self, width: int) -> ScaledWeights:
        """No centre yet."""
        return ScaledWeights(
            v=np.zeros(width),
            scale=np.ones(1),
            norm_squared=np.zeros(1),
            since_refresh=np.zeros(1),
            rounds=np.zeros(1),
        )

    def score(self, state: State, row: _core.Row) -> float:
        """The distance from the centre minus ε; before there is a centre every row is inside."""
        return _distance(state, row) - self.epsilon if state.rounds[0] else -self.epsilon

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """λ of the way to the row."""
        assert isinstance(state, ScaledWeights)
        first = not state.rounds[0]
        state.rounds[0] += 1.0
        if not first and trial.distance == 0.0:
            return _core.Step.stay()
        step = 1.0 if first else trial.distance / (trial.score + self.epsilon)
        _move(state, row, step)
        return _core.Step.by(step)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        return _core.uniclass(
            v=state.v,
            scale=state.scale,
            norm_squared=state.norm_squared,
            since_refresh=state.since_refresh,
            rounds=state.rounds,
            epsilon=self.epsilon,
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
    state.shrink(kept)
    state.add(row, step)
    norm_squared[0] = own + across
    state.since_refresh[0] += 1.0
    if state.since_refresh[0] >= _REFRESH_EVERY or not norm_squared[0] >= _CANCELLED * own:
        norm_squared[0] = state.scale[0] * state.scale[0] * _core.norm_squared(state.v)
        state.since_refresh[0] = 0.0
