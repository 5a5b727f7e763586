"""The randomised Perceptron."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.abilities import LABELS, Abilities
from littlestone.arrays import VectorLike
from littlestone.domain import RATE, SEED, VECTOR, optional, parameter
from littlestone.linear.asked import Drawing
from littlestone.linear.start import start_weights
from littlestone.schema import LARGEST
from littlestone.state import Weights

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class RandomizedPerceptron(Drawing):
    """Predicts +1 with probability score + ½ (clipped to [0, 1]) and learns as a Perceptron with tolerance ½.

    Update: with the interval [1, ∞) for +1 and (−∞, −1] for −1 widened by ½, w ← w + η·y·x whenever y·score < ½.
    The draw plays no part in it. Draw number t is a function of the seed and t alone, so every chunking of a stream
    gives the same labels, and `predict_one` shows the draw that `learn_one` will use.
    Tie: at |score| = ½ the prediction is certain and nothing moves.
    Weights: an importance weight multiplies the step of its round.
    Cost: O(nonzeros) per round. The expected number of mistakes is in the ledger, computed without sampling.

    Guarantee: bylander.11 (expected mistakes ≤ U²X²/2 with η = 1/X²), bylander.8.
    Source: Bylander 1998, section 6.

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.RandomizedPerceptron(), [[1.0], [1.0]], [+1, +1])
        >>> run.ledger.expected_mistakes          # a fair coin, then certainty
        0.5
    """

    source: ClassVar[str] = "Bylander 1998, section 6"
    abilities = Abilities(learns=LABELS, takes_weights=True)

    eta: float = parameter(1.0, domain=RATE, why="1/X² for rows of norm at most X = 1, as the theorem sets it")
    start: VectorLike | None = parameter(None, domain=optional(VECTOR), why="None is zero, which the theorem wants")
    seed: int = parameter(0, domain=SEED, why="a fixed seed makes a run repeatable")

    def init(self, width: int) -> Weights:
        """The start vector, and no draws so far."""
        return Weights({"draws": LARGEST}, w=start_weights(self.start, width), draws=np.zeros(1))

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """A step of η towards the widened interval, whatever was drawn."""
        state.draws[0] += 1.0
        if trial.side == 0:
            return _core.Step.stay()
        step = trial.side * self.eta * trial.weight
        row.add_to(state.w, step)
        return _core.Step.by(step)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        return _core.randomized_perceptron(
            w=state.w, draws=state.draws, eta=self.eta, seed=self.seed, average=average and average.bound()
        )
