"""Uniclass learning in the space of a kernel."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, final

from littlestone import _core
from littlestone.domain import NONNEGATIVE, parameter, required
from littlestone.kernels.expansion import check_length
from littlestone.kernels.rule import BUDGET, WHEN_FULL, WHY_WHEN_FULL, BudgetedRule, WhenFull
from littlestone.kernels.support import Support
from littlestone.uniclass.rule import WHY_EPSILON, decide_outside
from littlestone.uniclass.uniclass import Uniclass

if TYPE_CHECKING:
    from littlestone.state import State
    from littlestone.theory.proofs import Proofs


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class KernelUniclass(BudgetedRule):
    """A ball in the space of a kernel: a region of any shape in the space of the rows.

    Update: with d = ‖φ(x) − w‖ and λ = 1 − ε/d, every coefficient is multiplied by 1 − λ and that of x grows by λ, when
    d > ε; d² = K(x, x) − 2w·φ(x) + ‖w‖², with ‖w‖² kept along. The first row is the first centre.
    Tie: a distance of exactly ε is passive.
    Cost: one kernel evaluation per support point and round, of which there are at most `budget`. With a Gaussian or Laplace
    kernel no distance exceeds √2.

    Guarantee: pa.1u in the space of the kernel, with budget=None, or as long as the support set is not full.
    Source: Crammer et al. 2003, uniclass.

    Example:
        >>> import littlestone as ls
        >>> rule = ls.KernelUniclass(kernel=ls.kernels.Gaussian(gamma=1.0), epsilon=1.0)
        >>> learner = ls.Learner(rule)
        >>> [learner.learn_one(x) for x in ([0.0], [3.0], [0.1], [9.0])]
        ['inside', 'outside', 'inside', 'outside']
    """

    source: ClassVar[str] = "Crammer et al. 2003, uniclass"

    epsilon: float = field(metadata=required(domain=NONNEGATIVE, why=WHY_EPSILON))
    budget: int | None = parameter(
        100, domain=BUDGET, why="half a million rows in seconds, not a minute; None keeps every point, as the theorem wants"
    )
    when_full: WhenFull = parameter("project", domain=WHEN_FULL, why=WHY_WHEN_FULL)

    def primal(self) -> Uniclass:
        """Uniclass."""
        return Uniclass(epsilon=self.epsilon)

    def proofs(self) -> Proofs:
        """Against a centre in the space of the kernel."""
        from littlestone.theory.space_proofs import KERNEL_BALLS

        return KERNEL_BALLS

    def threshold(self, state: State) -> float:
        """ε."""
        return self.epsilon

    def decide(self, state: State, score: float, ahead: int = 0) -> _core.Decision:
        """Outside where the score is above 0."""
        return decide_outside(score)

    def score(self, state: State, row: _core.Row) -> float:
        """The distance from the centre minus ε; before there is a centre every row is inside."""
        w = self.looked(state, row).expansion
        if not len(w):
            return -self.epsilon
        squared = w.self() - 2.0 * w.score() + w.norm_squared
        check_length(squared, w.self() + w.norm_squared, "φ(x) − w")
        return math.sqrt(max(squared, 0.0)) - self.epsilon

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """λ of the way to the row."""
        assert isinstance(state, Support)
        step = 1.0
        if len(state):
            if trial.distance == 0.0:
                return _core.Step.stay()
            step = trial.distance / (trial.score + self.epsilon)
            state.expansion.shrink(1.0 - step)
        state.expansion.add(step)
        return _core.Step.otherwise(step)

    def compiled_loop(self, w: _core.Expansion) -> _core.Loop:
        """The compiled loop."""
        return _core.kernel_uniclass(w, epsilon=self.epsilon)
