"""The randomised Exponentiated Update."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.abilities import LABELS, Abilities
from littlestone.arrays import VectorLike
from littlestone.domain import POSITIVE, SEED, VECTOR, optional, parameter
from littlestone.linear.asked import Drawing
from littlestone.linear.multiplicative import BUDGET, MultiplicativeRule, check_start, start_log_weights
from littlestone.log_weights import LogWeights

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class RandomizedExponentiatedUpdate(Drawing, MultiplicativeRule):
    """Predicts +1 with probability score + ½ (clipped to [0, 1]) and learns as an Exponentiated Update with tolerance ½.

    Update: with the interval [1, ∞) for +1 and (−∞, −1] for −1 widened by ½, θ ← θ + η·y·x whenever y·score < ½, with
    weights U·softmax(θ). The draw plays no part in it. Draw number t is a function of the seed and t alone, so every
    chunking of a stream gives the same labels, and `predict_one` shows the draw that `learn_one` will use.
    Tie: at |score| = ½ the prediction is certain and nothing moves.
    Cost: O(nonzeros) per round. The expected number of mistakes is in the ledger, computed without sampling.

    Guarantee: bylander.12 (expected mistakes ≤ U²X²·log n with η = 1/(UX²)), bylander.9.
    Source: Bylander 1998, section 6.

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.RandomizedExponentiatedUpdate(), [[1.0, -1.0]] * 2, [+1, +1])
        >>> round(run.ledger.expected_mistakes, 12)   # a fair coin; then the score is tanh 1, and it is certain
        0.5
    """

    source: ClassVar[str] = "Bylander 1998, section 6"
    abilities = Abilities(learns=LABELS)

    eta: float = parameter(1.0, domain=POSITIVE, why="1/(UX²) for U = 1 and values of at most X = 1")
    U: float = parameter(1.0, domain=BUDGET, why="the theorem wants the sum of the weights of a target with margin 1")
    start: VectorLike | None = parameter(None, domain=optional(VECTOR), why="None is U/N each, which the theorem wants")
    seed: int = parameter(0, domain=SEED, why="a fixed seed makes a run repeatable")

    def __post_init__(self) -> None:
        """Checks that the start vector is positive with sum U."""
        super().__post_init__()
        check_start(self, self.start, self.U)

    def init(self, width: int) -> LogWeights:
        """The start vector, and no draws so far."""
        return start_log_weights(self.start, width, U=self.U, draws=np.zeros(1))

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """A step of η towards the widened interval, whatever was drawn."""
        state.draws[0] += 1.0
        return self.step(state, row, trial.side * self.eta)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        assert isinstance(state, LogWeights)
        return _core.randomized_exponentiated_update(
            weights=state.bound(), draws=state.draws, eta=self.eta, seed=self.seed, average=average and average.bound()
        )
