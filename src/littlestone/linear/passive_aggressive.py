"""Passive-Aggressive learning of labels and of targets."""

from __future__ import annotations

import math
from abc import ABC
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, final

from littlestone import _core
from littlestone.abilities import INTERVALS, TARGETS, Abilities
from littlestone.arrays import VectorLike
from littlestone.domain import NONNEGATIVE, POSITIVE, VECTOR, choice, optional, parameter
from littlestone.errors import InvalidParameter
from littlestone.linear.asked import AsksMargin, AsksNearness
from littlestone.linear.start import start_weights
from littlestone.rule import LinearRule
from littlestone.state import Weights

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State

Variant = Literal["PA", "PA-I", "PA-II", "relaxed"]

_VARIANT = choice("PA", "PA-I", "PA-II", "relaxed")


@dataclass(frozen=True, kw_only=True, eq=False)
class Variants(LinearRule, ABC):
    """The variants of a Passive-Aggressive step, and what each of them is given."""

    variant: Variant = parameter("PA", domain=_VARIANT, why="the projection has no parameter to tune")
    C: float | None = parameter(None, domain=optional(POSITIVE), why="asked for by PA-I and PA-II: smaller is calmer")
    gamma: float | None = parameter(None, domain=optional(POSITIVE), why="asked for by relaxed: larger is calmer")


class _PassiveAggressive(Variants, ABC):
    """What the two tasks share: the step sizes."""

    start: VectorLike | None

    @property
    def abilities(self) -> Abilities:
        """Labels and intervals; a weight multiplies C, or divides γ, and the projection has neither."""
        return Abilities(takes_weights=self.variant != "PA")

    def __post_init__(self) -> None:
        """Checks that C and gamma are given where the variant has them, and nowhere else."""
        super().__post_init__()
        for name, wanted in (("C", self.variant in ("PA-I", "PA-II")), ("gamma", self.variant == "relaxed")):
            given: object = getattr(self, name)
            if (given is not None) != wanted:
                rule = "must be given" if wanted else "has no meaning"
                raise InvalidParameter(f'{type(self).__name__}: {name} is {given}; {name} {rule} for "{self.variant}"')

    @property
    @final
    def relaxation(self) -> float:
        """γ of the relaxed step τ = ℓ/(‖x‖² + γ): PA-II is the relaxed rule with γ = 1/(2C), and PA has γ = 0."""
        if self.variant == "PA-II" and self.C is not None:
            return 1.0 / (2.0 * self.C)
        return self.gamma or 0.0

    @property
    @final
    def cap(self) -> float:
        """The largest step: C of PA-I."""
        return self.C if self.variant == "PA-I" and self.C is not None else math.inf

    def init(self, width: int) -> Weights:
        """The start vector."""
        return Weights(w=start_weights(self.start, width))

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """τ = min(C, ℓ/(‖x‖² + γ)) towards the interval; an empty row cannot be helped."""
        if trial.distance == 0.0:
            return _core.Step.stay()
        if row.norm_squared == 0.0:
            return _core.Step.cannot()
        tau = min(self.cap * trial.weight, trial.distance / (row.norm_squared + self.relaxation / trial.weight))
        if not math.isfinite(tau):
            return _core.Step.cannot()
        row.add_to(state.w, trial.side * tau)
        return _core.Step.by(trial.side * tau)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop of the variant."""
        margin, epsilon = self.ends()
        sums = average and average.bound()
        if self.variant == "PA":
            return _core.passive_aggressive(w=state.w, margin=margin, epsilon=epsilon, average=sums)
        if self.variant == "PA-I":
            return _core.passive_aggressive_capped(w=state.w, margin=margin, epsilon=epsilon, C=self.cap, average=sums)
        return _core.passive_aggressive_relaxed(w=state.w, margin=margin, epsilon=epsilon, gamma=self.relaxation, average=sums)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class PassiveAggressive(AsksMargin, _PassiveAggressive):
    """The smallest change of the weights that gives the label its margin.

    Update: with the loss ℓ = [margin − y·score]₊, w ← w + τ·y·x. "PA": τ = ℓ/‖x‖², a projection, after which the loss on
    x is 0. "PA-I": τ = min(C, ℓ/‖x‖²). "PA-II": τ = ℓ/(‖x‖² + 1/(2C)). "relaxed": τ = ℓ/(‖x‖² + γ).
    Tie: a loss of exactly 0 is passive.
    Weights: an importance weight multiplies C (divides γ) in its round; "PA" has none to multiply and takes no weights.
    Cost: O(nonzeros) per round. An empty row with a loss is skipped and counted in `ledger.impossible`.

    A bias is a constant feature, never a flag: outside the norm ‖x‖² the step would overshoot.
    Guarantee: pa.1, pa.1c, pa.1m, pa.1h, pa.2 ("PA"); pa.capped ("PA-I"); pa.3, pa.3m ("relaxed", "PA-II").
    Source: Crammer et al. 2003 ("PA", "relaxed"); Crammer et al. 2006 ("PA-I", "PA-II").

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.PassiveAggressive(variant="PA"), [[3.0, 4.0]], [+1])
        >>> run.state.w                           # score 25 · 0.04 = 1, the margin
        array([0.12, 0.16])
    """

    source: ClassVar[str] = "Crammer et al. 2003 and 2006"

    margin: float = parameter(1.0, domain=POSITIVE, why="any margin is the same up to scale")
    start: VectorLike | None = parameter(None, domain=optional(VECTOR), why="None is zero")


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class PassiveAggressiveRegression(AsksNearness, _PassiveAggressive):
    """The smallest change of the weights that brings the score within ε of the target.

    Update: with the loss ℓ = [|target − score| − ε]₊, w ← w + τ·sign(target − score)·x, τ as in PassiveAggressive.
    Tie: a loss of exactly 0 is passive.
    Weights: an importance weight multiplies C (divides γ) in its round; "PA" has none to multiply and takes no weights.
    Cost: O(nonzeros) per round. An empty row with a loss is skipped and counted in `ledger.impossible`.

    Guarantee: pa.1, pa.2 ("PA"), pa.3 ("relaxed", "PA-II").
    Source: Crammer et al. 2003 ("PA", "relaxed"); Crammer et al. 2006 ("PA-I", "PA-II").

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.PassiveAggressiveRegression(epsilon=0.1), [[3.0, 4.0]], [2.0])
        >>> run.state.w.round(12)                 # score 1.9 = 2 − 0.1
        array([0.228, 0.304])
    """

    source: ClassVar[str] = "Crammer et al. 2003 and 2006"

    epsilon: float = parameter(0.1, domain=NONNEGATIVE, why="a tenth of the unit; set it to the error you can accept")
    start: VectorLike | None = parameter(None, domain=optional(VECTOR), why="None is zero")

    @property
    def abilities(self) -> Abilities:
        """Targets and intervals; weights as for labels."""
        return Abilities(learns=TARGETS | INTERVALS, takes_weights=self.variant != "PA")
