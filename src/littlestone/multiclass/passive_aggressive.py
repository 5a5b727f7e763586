"""Multiclass Passive-Aggressive learning."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal, final

import numpy as np

from littlestone import _core
from littlestone.abilities import Abilities
from littlestone.domain import POSITIVE, choice, optional, parameter
from littlestone.errors import InvalidParameter
from littlestone.multiclass.class_states import ClassStates
from littlestone.multiclass.prototypes import Prototypes
from littlestone.multiclass.rule import MulticlassRule, rival
from littlestone.state import Weights

if TYPE_CHECKING:
    from littlestone.state import Average, State


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class MulticlassPassiveAggressive(MulticlassRule):
    """The smallest change of all weights that lets the true class lead its best rival by the margin.

    Update: with y the true class, r the best other one and the loss ℓ = [margin − (score_y − score_r)]₊,
    w_y ← w_y + τ·x and w_r ← w_r − τ·x. "PA": τ = ℓ/(2‖x‖²), after which y leads r by the margin.
    "PA-I": τ = min(C, ℓ/(2‖x‖²)). "PA-II": τ = ℓ/(2‖x‖² + 1/(2C)).
    Tie: of several best rivals the first; a loss of exactly 0 is passive. On two classes the weights of the second are, bit
    for bit, those of `ls.PassiveAggressive` with half the margin (and 2C for "PA-II"), and the first has their negatives.
    Weights: an importance weight multiplies C in its round; "PA" has none to multiply and takes no weights.
    Cost: O(classes · nonzeros) per round. An empty row with a loss is skipped and counted in `ledger.impossible`.

    A class that comes later joins with zero weights in the round in which it is first seen; what was shown in that round is
    one of the classes known before, and counts as a mistake.
    Guarantee: crammer.mpa ("PA"), crammer.mpa2 ("PA-II"), on the sum of squared losses.
    Source: Crammer et al. 2006, section 7, with the largest violation.

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.MulticlassPassiveAggressive(), [[3.0, 4.0]], ["b"], labels=("a", "b", "c"))
        >>> run.state.w @ [3.0, 4.0]              # the first rival, a, is led by 1
        array([-0.5,  0.5,  0. ])
    """

    source: ClassVar[str] = "Crammer et al. 2006, section 7"

    variant: Literal["PA", "PA-I", "PA-II"] = parameter(
        "PA", domain=choice("PA", "PA-I", "PA-II"), why="the projection has no parameter to tune"
    )
    C: float | None = parameter(None, domain=optional(POSITIVE), why="asked for by PA-I and PA-II: smaller is calmer")
    margin: float = parameter(1.0, domain=POSITIVE, why="any margin is the same up to scale")

    def __post_init__(self) -> None:
        """Checks that C is given where the variant has it, and nowhere else."""
        super().__post_init__()
        if (self.C is None) != (self.variant == "PA"):
            rule = "has no meaning" if self.variant == "PA" else "must be given"
            raise InvalidParameter(f'{type(self).__name__}: C is {self.C}; C {rule} for "{self.variant}"')

    @property
    def relaxation(self) -> float:
        """γ = 1/(2C) of PA-II; 0 for the others."""
        return 1.0 / (2.0 * self.C) if self.variant == "PA-II" and self.C is not None else 0.0

    @property
    def cap(self) -> float:
        """The largest step: C of PA-I."""
        return self.C if self.variant == "PA-I" and self.C is not None else math.inf

    def init(self, width: int) -> Prototypes:
        """No class yet; a class starts from zero."""
        return Prototypes.of(Weights(w=np.zeros(width)))

    def accepts(self) -> _core.Interval:
        """[margin, ∞]."""
        return _core.Interval(self.margin, math.inf)

    def ends(self) -> tuple[float, float]:
        """The margin."""
        return self.margin, 0.0

    @property
    def abilities(self) -> Abilities:
        """A weight multiplies C; the projection has none."""
        return replace(super().abilities, takes_weights=self.variant != "PA")

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """τ to the true class, and −τ to its best rival."""
        assert isinstance(state, Prototypes)
        if trial.distance == 0.0:
            return _core.Step.stay()
        if row.norm_squared == 0.0:
            return _core.Step.cannot()
        ideal = trial.distance / (2.0 * row.norm_squared + self.relaxation / trial.weight)
        tau = min(self.cap * trial.weight, ideal)
        if not math.isfinite(tau):
            return _core.Step.cannot()
        other = rival(self.scores(state, row), trial.truth)
        row.add_to(state.of_class(trial.truth).w, tau)
        row.add_to(state.of_class(other).w, -tau)
        return _core.Step.otherwise(tau)

    def compiled_loop(self, state: ClassStates, average: Average | None) -> _core.Loop:
        """The compiled loop of the variant."""
        w, met, room, sums = state.arrays["w"], state.met, state.rows, average and average.bound()
        margin, cap, gamma = self.margin, self.cap, self.relaxation
        if self.variant == "PA":
            return _core.multiclass_passive_aggressive(w=w, met=met, room=room, margin=margin, average=sums)
        if self.variant == "PA-I":
            return _core.multiclass_passive_aggressive_capped(w=w, met=met, room=room, margin=margin, C=cap, average=sums)
        return _core.multiclass_passive_aggressive_relaxed(w=w, met=met, room=room, margin=margin, gamma=gamma, average=sums)
