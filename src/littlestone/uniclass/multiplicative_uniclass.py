"""Multiplicative uniclass learning."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.domain import NONNEGATIVE, required
from littlestone.uniclass.rule import WHY_EPSILON, Ball
from littlestone.uniclass.simplex_centre import SimplexCentre

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.loop import Loop
    from littlestone.state import Average, State
    from littlestone.theory.proofs import Proofs


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class MultiplicativeUniclass(Ball):
    """A ball whose centre stays a distribution over the features, for rows that are distributions themselves.

    Update: with the loss ℓ = [‖x − w‖ − ε]₊ and v = (x − w)/‖x − w‖, θ ← θ + 2ℓv, w = softmax(θ), from uniform weights.
    Not a projection: the loss on x after the update need not be 0.
    Tie: a distance of exactly ε is passive.
    Cost: O(nonzeros) per round without an update. An update costs O(features that updates have had so far), whatever the
    width: it moves every log-weight by an amount of its own, but those of all other features alike. The features must all
    be there in the first row.

    Guarantee: pa.4u (squared losses ≤ D(u‖w₁) if a ball of radius ε around the distribution u holds the stream). Errata:
    the printed step ℓ/(8‖v‖²) with the printed bound 8D is false; τ = 2ℓ has the bound D.
    Source: Crammer et al. 2003, section 6, with corrected constants.

    Example:
        >>> import littlestone as ls
        >>> learner = ls.Learner(ls.MultiplicativeUniclass(epsilon=0.5))
        >>> learner.learn_one([1.0, 0.0]), round(learner.score_one([1.0, 0.0]), 4)
        ('outside', 0.0057)
    """

    source: ClassVar[str] = "Crammer et al. 2003, section 6, corrected"
    abilities = replace(Ball.abilities, takes_spare_room=False)  # a feature that never occurs would have its share

    epsilon: float = field(metadata=required(domain=NONNEGATIVE, why=WHY_EPSILON))

    def init(self, width: int) -> SimplexCentre:
        """The uniform distribution."""
        return SimplexCentre.uniform(width)

    def proofs(self) -> Proofs:
        """Against a distribution."""
        from littlestone.theory.space_proofs import SIMPLEX_BALLS

        return SIMPLEX_BALLS

    def score(self, state: State, row: _core.Row) -> float:
        """The distance from the centre minus ε."""
        return float(np.linalg.norm(_apart(state, row))) - self.epsilon

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """θ ← θ + 2ℓv."""
        assert isinstance(state, SimplexCentre)
        if trial.distance == 0.0:
            return _core.Step.stay()
        state.move(row, 2.0 * trial.distance / (trial.score + self.epsilon))
        return _core.Step.otherwise(2.0 * trial.distance)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        return _core.multiplicative_uniclass(
            theta=state.theta,
            power=state.power,
            seen=state.seen,
            order=state.order,
            count=state.count,
            rest=state.rest,
            shift=state.shift,
            total=state.total,
            squares=state.squares,
            epsilon=self.epsilon,
        )


def _apart(state: State, row: _core.Row) -> FloatArray:
    """The way from the centre to the row."""
    apart: FloatArray = -state.w
    apart[row.indices] += row.values
    return apart
