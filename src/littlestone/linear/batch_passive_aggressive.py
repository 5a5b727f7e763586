"""Batch Passive-Aggressive learning."""

from __future__ import annotations

import math
from abc import ABC
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

from littlestone import _core
from littlestone.abilities import INTERVALS, TARGETS, Abilities
from littlestone.arrays import FloatArray
from littlestone.domain import NONNEGATIVE, POSITIVE, VECTOR, optional, parameter
from littlestone.linear.asked import AsksMargin, AsksNearness
from littlestone.linear.start import start_weights
from littlestone.rule import LinearRule
from littlestone.state import Weights

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State


class _BatchPassiveAggressive(LinearRule, ABC):
    """What the two tasks share: a projection where the squared loss is above β."""

    beta: float
    start: FloatArray | None

    @final
    def init(self, width: int) -> Weights:
        """The start vector."""
        return Weights(w=start_weights(self.start, width))

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """A projection where the squared loss is above β."""
        if trial.distance * trial.distance <= self.beta:
            return _core.Step.stay()
        if row.norm_squared == 0.0:
            return _core.Step.cannot()
        step = trial.side * trial.distance / row.norm_squared
        if not math.isfinite(step):
            return _core.Step.cannot()
        row.add_to(state.w, step)
        return _core.Step.by(step)

    @final
    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        margin, epsilon = self.ends()
        sums = average and average.bound()
        return _core.batch_passive_aggressive(w=state.w, margin=margin, epsilon=epsilon, beta=self.beta, average=sums)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class BatchPassiveAggressive(AsksMargin, _BatchPassiveAggressive):
    """Passive-Aggressive that lets small losses be, so that passes over a sample come to an end.

    Update: w ← w + (ℓ/‖x‖²)·y·x where the loss ℓ = [margin − y·score]₊ has ℓ² > β. Meant for several passes: when a pass
    makes no update, every loss is at most √β.
    Tie: ℓ² = β is small enough.
    Cost: O(nonzeros) per round. An empty row with such a loss is skipped and counted in `ledger.impossible`.

    Guarantee: pa.batch (fewer than B‖u − w₁‖²/β updates), pa.2 (‖w − w₁‖ ≤ 2‖u − w₁‖).
    Source: Crammer et al. 2003, section 4.

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.BatchPassiveAggressive(beta=0.01), [[1.0, 0.0], [1.0, 1.0]], [+1, -1], passes=100)
        >>> run.converged, run.ledger.updates     # B‖u − w₁‖²/β = 2·5/0.01 = 1,000
        (True, 10)
    """

    source: ClassVar[str] = "Crammer et al. 2003, section 4"

    beta: float = parameter(0.01, domain=POSITIVE, why="losses up to a tenth of the margin are let be")
    margin: float = parameter(1.0, domain=POSITIVE, why="any margin is the same up to scale")
    start: FloatArray | None = parameter(None, domain=optional(VECTOR), why="None is zero")


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class BatchPassiveAggressiveRegression(AsksNearness, _BatchPassiveAggressive):
    """Passive-Aggressive regression that lets small losses be, so that passes over a sample come to an end.

    Update: w ← w + (ℓ/‖x‖²)·sign(target − score)·x where the loss ℓ = [|target − score| − ε]₊ has ℓ² > β. Meant for several
    passes: when a pass makes no update, every loss is at most √β.
    Tie: ℓ² = β is small enough.
    Cost: O(nonzeros) per round. An empty row with such a loss is skipped and counted in `ledger.impossible`.

    Guarantee: pa.batch (fewer than B‖u − w₁‖²/β updates), pa.2 (‖w − w₁‖ ≤ 2‖u − w₁‖).
    Source: Crammer et al. 2003, section 4.

    Example:
        >>> import littlestone as ls
        >>> rule = ls.BatchPassiveAggressiveRegression(beta=0.01, epsilon=0.1)
        >>> run = ls.run(rule, [[1.0, 0.0], [1.0, 1.0]], [1.0, -1.0], passes=100)
        >>> run.converged, bool((abs(run.learner.score_many([[1.0, 0.0], [1.0, 1.0]]) - [1.0, -1.0]) <= 0.2).all())
        (True, True)
    """

    source: ClassVar[str] = "Crammer et al. 2003, section 4"
    abilities = Abilities(learns=TARGETS | INTERVALS)

    beta: float = parameter(0.01, domain=POSITIVE, why="losses up to a tenth of the unit are let be")
    epsilon: float = parameter(0.1, domain=NONNEGATIVE, why="a tenth of the unit; set it to the error you can accept")
    start: FloatArray | None = parameter(None, domain=optional(VECTOR), why="None is zero")
