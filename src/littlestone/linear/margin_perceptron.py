"""The margin Perceptron."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.abilities import LABELS, Abilities
from littlestone.domain import POSITIVE, required
from littlestone.rule import LinearRule
from littlestone.schema import weighted_sum
from littlestone.state import Weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from littlestone.arrays import FloatArray
    from littlestone.loop import Loop
    from littlestone.state import Average, State

_REFRESH_EVERY = 10_000


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class MarginPerceptron(LinearRule):
    """A Perceptron that insists on half of a margin ρ.

    Update: w ← w + y·x when w = 0 or y·(w·x)/‖w‖ < ρ/2. Meant for several passes: when a pass makes no update, every
    margin is at least ρ/2. A ρ larger than the data allow may never come to rest, so give `passes` a limit.
    Tie: a margin of exactly ρ/2 is enough.
    Weights: an importance weight multiplies the step of its round.
    Cost: O(nonzeros) per round; ‖w‖² is kept incrementally and summed anew every 10,000 updates.

    Guarantee: mohri.ex8.6 (updates ≤ 16R²/ρ², and the sharper recursion).
    Source: Mohri et al., exercise 8.6 and figure 8.12.

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.MarginPerceptron(rho=0.7), [[1.0, 0.0], [0.0, 1.0]], [+1, +1], passes=10)
        >>> run.state.w, run.ledger.updates, run.converged
        (array([1., 1.]), 2, True)
    """

    source: ClassVar[str] = "Mohri et al. ex. 8.6, fig. 8.12"
    abilities = Abilities(learns=LABELS, takes_weights=True)

    rho: float = field(metadata=required(domain=POSITIVE, why="the margin is a property of the data: no default fits"))

    def init(self, width: int) -> Weights:
        """Zero weights and their norm."""
        return Weights(w=np.zeros(width), norm_squared=np.zeros(1), since_refresh=np.zeros(1))

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        """[ρ‖w‖/2, ∞) or its mirror; (0, ∞) while w = 0."""
        norm_squared = float(state.norm_squared[0])
        if norm_squared == 0.0:
            return _core.Interval.open_half_line(label)
        return _core.Interval.half_line(label, 0.5 * self.rho * math.sqrt(norm_squared))

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """A full step, and the norm with it."""
        if trial.side == 0:
            return _core.Step.stay()
        step = trial.side * trial.weight
        row.add_to(state.w, step)
        state.norm_squared[0] += 2.0 * step * trial.score + step * step * row.norm_squared
        state.since_refresh[0] += 1.0
        if state.since_refresh[0] >= _REFRESH_EVERY or state.norm_squared[0] <= 0.0:
            state.norm_squared[0] = _core.norm_squared(state.w)
            state.since_refresh[0] = 0.0
        return _core.Step.by(step)

    def mixed(self, states: Sequence[State], shares: FloatArray) -> State:
        """The mean of the weights, and its norm."""
        w = weighted_sum([state.w for state in states], shares)
        return Weights(w=w, norm_squared=np.array([_core.norm_squared(w)]), since_refresh=np.zeros(1))

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        return _core.margin_perceptron(
            w=state.w,
            norm_squared=state.norm_squared,
            since_refresh=state.since_refresh,
            rho=self.rho,
            average=average and average.bound(),
        )
