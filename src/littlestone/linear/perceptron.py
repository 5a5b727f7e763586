"""The Perceptron."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

from littlestone import _core
from littlestone.abilities import Abilities
from littlestone.arrays import VectorLike
from littlestone.domain import NONNEGATIVE, RATE, VECTOR, optional, parameter
from littlestone.linear.start import start_weights
from littlestone.rule import LinearRule
from littlestone.state import Weights

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Perceptron(LinearRule):
    """Adds a row to the weights when its score was too low, subtracts it when it was too high.

    Update: w ← w + η·x when the score is below the interval, w ← w − η·x when it is above. A label is the interval
    (0, ∞) or (−∞, 0), so a correct sign leaves the weights alone.
    Tie: a score of exactly 0 is a mistake for either label and updates; an open end of an interval is outside it.
    Cost: O(nonzeros) per round.
    Weights: an importance weight multiplies the step of its round.

    Guarantee: mohri.8.8 (mistakes ≤ r²/ρ² from a zero start), mohri.8.8w0, mohri.8.11, mohri.8.12, blum.5.11,
    mohri.ex8.11, bylander.2, bylander.5, and bylander.8 with a tolerance.
    Source: Rosenblatt 1958; Mohri et al., figure 8.6; Bylander 1998, figure 1 (intervals) and section 5 (tolerance).

    Example:
        >>> import numpy as np, littlestone as ls
        >>> X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0]])
        >>> run = ls.run(ls.Perceptron(), X, [+1, -1, +1, +1], passes=10)
        >>> run.state.w, run.ledger.updates
        (array([ 2., -1.]), 4)
    """

    source: ClassVar[str] = "Rosenblatt 1958; Mohri et al. fig. 8.6; Bylander 1998 fig. 1"
    abilities = Abilities(takes_weights=True)

    eta: float = parameter(1.0, domain=RATE, why="from a zero start every step size makes the same mistakes")
    start: VectorLike | None = parameter(None, domain=optional(VECTOR), why="None is zero, which the theorem wants")
    tolerance: float = parameter(0.0, domain=NONNEGATIVE, why="0 is the rule as printed")

    def init(self, width: int) -> Weights:
        """The start vector."""
        return Weights(w=start_weights(self.start, width))

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        """(0, ∞) or (−∞, 0)."""
        return _core.Interval.open_half_line(label)

    def widening(self) -> float:
        """The tolerance."""
        return self.tolerance

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """A step of η towards the interval."""
        if trial.side == 0:
            return _core.Step.stay()
        step = trial.side * self.eta * trial.weight
        row.add_to(state.w, step)
        return _core.Step.by(step)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        return _core.perceptron(w=state.w, eta=self.eta, tolerance=self.tolerance, average=average and average.bound())
