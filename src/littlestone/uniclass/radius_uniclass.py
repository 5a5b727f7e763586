"""Uniclass learning of the radius, with slack."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, final

import numpy as np

from littlestone import _core
from littlestone.domain import POSITIVE, choice, optional, parameter, required
from littlestone.errors import InvalidParameter
from littlestone.schema import weighted_sum
from littlestone.state import Weights
from littlestone.uniclass.rule import Flagging, dense_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from littlestone.arrays import FloatArray
    from littlestone.loop import Loop
    from littlestone.state import Average, State
    from littlestone.theory.proofs import Proofs

_VARIANT = choice("PA", "PA-I", "PA-II")


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class RadiusUniclass(Flagging):
    """A ball that learns its radius, no larger than a bound, and may leave rows outside that would cost it too much.

    Update: the centre has one more coordinate than the rows, its lift h; d = √(‖x − w‖² + h²), the loss is ℓ = d − B where
    that is above 0, τ = ℓ ("PA"), min(C, ℓ) ("PA-I") or ℓ/(1 + 1/(2C)) ("PA-II"), λ = τ/d, w ← w + λ(x − w) and
    h ← (1 − λ)h. The radius is √(B² − h²). The first row is the first centre, with h = B: a ball of radius 0.
    Tie: a distance of exactly B is passive.
    Cost: O(features) per round, sparse rows too.

    Guarantee: pa.1u in the space with the lift, for "PA": Σℓ² ≤ ‖u − w₁‖² + (B − √(B² − ε²))² if a ball of radius ε ≤ B
    around u holds the stream. With "PA-I" one row moves the centre by C at most; nothing is proved of the losses.
    Source: Crammer et al. 2006, uniclass.

    Example:
        >>> import littlestone as ls
        >>> learner = ls.Learner(ls.RadiusUniclass(bound=5.0, variant="PA"))
        >>> learner.learn_one([0.0]), learner.learn_one([2.0]), learner.learn_one([1.0])
        ('inside', 'outside', 'inside')
        >>> learner.state.w.round(3), round(learner.rule.radius(learner.state), 3)
        (array([0.143]), 1.857)
    """

    source: ClassVar[str] = "Crammer et al. 2006, uniclass"

    bound: float = field(metadata=required(domain=POSITIVE, why="the radius is learned up to it: choose it large"))
    variant: Literal["PA", "PA-I", "PA-II"] = parameter("PA-I", domain=_VARIANT, why="one outlier must not drag the centre")
    C: float | None = parameter(None, domain=optional(POSITIVE), why="None is a hundredth of the bound")

    def __post_init__(self) -> None:
        """C has no meaning for "PA"."""
        super().__post_init__()
        if self.variant == "PA" and self.C is not None:
            raise InvalidParameter(f'RadiusUniclass: C is {self.C}; C has no meaning for "PA"')

    @property
    def slack(self) -> float:
        """C as it is used."""
        return self.bound / 100.0 if self.C is None else self.C

    @property
    def cap(self) -> float:
        """The longest move: C of PA-I."""
        return self.slack if self.variant == "PA-I" else math.inf

    @property
    def relaxation(self) -> float:
        """1/(2C) of PA-II."""
        return 1.0 / (2.0 * self.slack) if self.variant == "PA-II" else 0.0

    def threshold(self, state: State) -> float:
        """B, in the space with the lift."""
        return self.bound

    def radius(self, state: State) -> float:
        """√(B² − h²)."""
        return math.sqrt(max(self.bound**2 - float(state.lift[0]) ** 2, 0.0))

    def init(self, width: int) -> Weights:
        """No centre yet."""
        return Weights(w=np.zeros(width), lift=np.zeros(1), rounds=np.zeros(1))

    def proofs(self) -> Proofs:
        """Against a centre, in the space with the lift."""
        from littlestone.theory.space_proofs import LIFTED_BALLS

        return LIFTED_BALLS

    def score(self, state: State, row: _core.Row) -> float:
        """The distance in the space with the lift minus the bound; before there is a centre every row is inside."""
        if not state.rounds[0]:
            return -self.bound
        apart = dense_values(state, row) - state.w
        squared = float(np.cumsum(apart * apart)[-1]) if len(apart) else 0.0
        return math.sqrt(squared + float(state.lift[0]) * float(state.lift[0])) - self.bound

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """λ of the way to the row, the lift with it."""
        first, loss = not state.rounds[0], trial.distance
        state.rounds[0] += 1.0
        if not first and loss == 0.0:
            return _core.Step.stay()
        step = 1.0 if first else min(self.cap, loss / (1.0 + self.relaxation)) / (trial.score + self.bound)
        state.w[:] += step * (dense_values(state, row) - state.w)
        state.lift[0] = self.bound if first else state.lift[0] * (1.0 - step)
        return _core.Step.otherwise(step)

    def has_say(self, state: State) -> bool:
        """Once it has a centre."""
        return bool(state.rounds[0])

    def mixed(self, states: Sequence[State], shares: FloatArray) -> State:
        """The mean of the centres, the lift with it."""
        rounds = np.array([sum(float(state.rounds[0]) for state in states)])
        means = {name: weighted_sum([state.arrays[name] for state in states], shares) for name in ("w", "lift")}
        return Weights(**means, rounds=rounds)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        return _core.radius_uniclass(
            w=state.w, lift=state.lift, rounds=state.rounds, bound=self.bound, cap=self.cap, relaxation=self.relaxation
        )
