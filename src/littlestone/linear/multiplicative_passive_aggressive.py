"""Multiplicative Passive-Aggressive learning of labels and of targets."""

from __future__ import annotations

import math
from abc import ABC
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, final

import numpy as np

from littlestone import _core
from littlestone.abilities import INTERVALS, TARGETS, Abilities
from littlestone.arrays import VectorLike
from littlestone.domain import NONNEGATIVE, POSITIVE, VECTOR, choice, optional, parameter, required
from littlestone.errors import InvalidData
from littlestone.linear.asked import AsksMargin, AsksNearness
from littlestone.linear.multiplicative import MultiplicativeRule, check_start, start_log_weights
from littlestone.log_weights import LogWeights

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State

Constants = Literal["corrected", "printed"]

_CONSTANTS = choice("corrected", "printed")
_WHY = "the printed ones are wrong for rows with negative values"


class _MultiplicativePassiveAggressive(MultiplicativeRule, ABC):
    """What the two tasks share: the step size, and the rows that the printed one is right for."""

    constants: Constants
    start: VectorLike | None

    @property
    def abilities(self) -> Abilities:
        """Labels and intervals; the printed constants are right for some rows alone."""
        return Abilities(inspects=self.constants == "printed")

    def __post_init__(self) -> None:
        """Checks that the start vector is positive with sum 1."""
        super().__post_init__()
        check_start(self, self.start, 1.0)

    def inspect(self, batch: _core.Batch) -> None:
        """Refuses negative values under the printed constants.

        Raises:
            InvalidData: naming the first such value.
        """
        found = _core.first_negative(batch) if self.abilities.inspects else None
        if found is not None:
            row, feature, value = found
            wanted = 'with constants="printed" values must be at least 0; "corrected" takes any'
            raise InvalidData(f"row {row}: value of feature {feature} is {value:g}; {wanted}")

    def init(self, width: int) -> LogWeights:
        """The start vector; equal weights without one."""
        return start_log_weights(self.start, width, largest_spread=np.zeros(1))

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """τ = 4ℓ/ρ² towards the interval, ρ = max(x, 0) − min(x, 0); an empty row cannot be helped."""
        if trial.distance == 0.0:
            return _core.Step.stay()
        spread = float(np.max(row.values, initial=0.0) - np.min(row.values, initial=0.0))
        tau = 4.0 * trial.distance / spread**2 if spread**2 > 0.0 else math.inf
        if not math.isfinite(tau):
            return _core.Step.cannot()
        step = self.step(state, row, trial.side * tau)
        if step.moved:
            state.largest_spread[0] = max(state.largest_spread[0], spread)
        return step

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        assert isinstance(state, LogWeights)
        margin, epsilon = self.ends()
        return _core.multiplicative_passive_aggressive(
            weights=state.bound(),
            largest_spread=state.largest_spread,
            margin=margin,
            epsilon=epsilon,
            average=average and average.bound(),
        )


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class MultiplicativePassiveAggressive(AsksMargin, _MultiplicativePassiveAggressive):
    """A multiplicative step towards the margin of a label, as long as the loss asks for, on the simplex.

    Update: with the loss ℓ = [margin − y·score]₊, θ ← θ + τ·y·x, τ = 4ℓ/ρ², where ρ = max(x, 0) − min(x, 0), and weights
    w = softmax(θ). For rows without negative values ρ = ‖x‖_∞ and τ is the printed one; for others the printed
    τ = 4ℓ/‖x‖²_∞ is too long by up to a factor of 4 and its theorem false, so constants="printed" refuses them.
    Not a projection: a loss may be left after the update.
    Tie: a loss of exactly 0 is passive.
    Cost: O(nonzeros) per round. An empty row with a loss is skipped and counted in `ledger.impossible`.

    Guarantee: pa.4 (squared loss ≤ ½ρ²·D(u‖w₁) for every u of the simplex with the margin).
    Source: Crammer et al. 2003, section 6; constants corrected.

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.MultiplicativePassiveAggressive(margin=0.5), [[1.0, -1.0]], [+1])
        >>> run.state.w.round(6)                  # ℓ = ½, ρ = 2, τ = ½: θ = (½, −½)
        array([0.731059, 0.268941])
    """

    source: ClassVar[str] = "Crammer et al. 2003, section 6"

    margin: float = field(metadata=required(domain=POSITIVE, why="the weights have sum 1, so the data set the scale"))
    constants: Constants = parameter("corrected", domain=_CONSTANTS, why=_WHY)
    start: VectorLike | None = parameter(None, domain=optional(VECTOR), why="None is 1/N each")


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class MultiplicativePassiveAggressiveRegression(AsksNearness, _MultiplicativePassiveAggressive):
    """A multiplicative step towards a target, as long as the loss asks for, on the simplex: a convex combination.

    Update: with the loss ℓ = [|target − score| − ε]₊, θ ← θ + τ·sign(target − score)·x, τ and the weights as in
    MultiplicativePassiveAggressive.
    Tie: a loss of exactly 0 is passive.
    Cost: O(nonzeros) per round. An empty row with a loss is skipped and counted in `ledger.impossible`.

    Guarantee: pa.4 (squared loss ≤ ½ρ²·D(u‖w₁) for every u of the simplex without loss).
    Source: Crammer et al. 2003, section 6; constants corrected.

    Example:
        >>> import littlestone as ls
        >>> rule = ls.MultiplicativePassiveAggressiveRegression(epsilon=0.0)
        >>> ls.run(rule, [[1.0, 0.0]] * 4, [1.0] * 4, keep=("loss",)).columns["loss"].round(6)
        array([0.5     , 0.119203, 0.0775  , 0.058041])
    """

    source: ClassVar[str] = "Crammer et al. 2003, section 6"

    epsilon: float = parameter(0.1, domain=NONNEGATIVE, why="a tenth of the unit; set it to the error you can accept")
    constants: Constants = parameter("corrected", domain=_CONSTANTS, why=_WHY)
    start: VectorLike | None = parameter(None, domain=optional(VECTOR), why="None is 1/N each")

    @property
    def abilities(self) -> Abilities:
        """Targets and intervals; the printed constants are right for some rows alone."""
        return Abilities(learns=TARGETS | INTERVALS, inspects=self.constants == "printed")
