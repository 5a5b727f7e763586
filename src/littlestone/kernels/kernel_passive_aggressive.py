"""Passive-Aggressive learning in the space of a kernel."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

from littlestone import _core
from littlestone.domain import NONNEGATIVE, POSITIVE, parameter
from littlestone.kernels.rule import BUDGET, WHEN_FULL, WHY_BUDGET, WHY_WHEN_FULL, BudgetedRule, WhenFull
from littlestone.kernels.support import Support
from littlestone.linear import PassiveAggressive, PassiveAggressiveRegression
from littlestone.linear.passive_aggressive import Variants

if TYPE_CHECKING:
    from littlestone.state import State


class _KernelPassiveAggressive(Variants, BudgetedRule, ABC):
    """What the two tasks share: the step sizes."""

    def __post_init__(self) -> None:
        """Checks the parameters, those of the linear rule among them."""
        super().__post_init__()
        self.primal()

    @abstractmethod
    def primal(self) -> PassiveAggressive | PassiveAggressiveRegression:
        """The linear rule."""

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """τ = min(C, ℓ/(K(x,x) + γ)) towards the interval."""
        assert isinstance(state, Support)
        rule, length = self.primal(), state.expansion.self()
        if trial.distance == 0.0:
            return _core.Step.stay()
        if length == 0.0:
            return _core.Step.cannot()
        tau = min(rule.cap * trial.weight, trial.distance / (length + rule.relaxation / trial.weight))
        if not math.isfinite(tau):
            return _core.Step.cannot()
        state.expansion.add(trial.side * tau)
        return _core.Step.by(trial.side * tau)

    def compiled_loop(self, w: _core.Expansion) -> _core.Loop:
        """The compiled loop of the variant."""
        rule = self.primal()
        margin, epsilon = rule.ends()
        if rule.variant == "PA":
            return _core.kernel_passive_aggressive(w, margin=margin, epsilon=epsilon)
        if rule.variant == "PA-I":
            return _core.kernel_passive_aggressive_capped(w, margin=margin, epsilon=epsilon, C=rule.cap)
        return _core.kernel_passive_aggressive_relaxed(w, margin=margin, epsilon=epsilon, gamma=rule.relaxation)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class KernelPassiveAggressive(_KernelPassiveAggressive):
    """The smallest change in the space of a kernel that gives the label its margin.

    Update: with the loss ℓ = [margin − y·score]₊, α_x ← α_x + τ·y, τ as in `ls.PassiveAggressive` with K(x, x) for ‖x‖².
    Tie: a loss of exactly 0 is passive.
    Weights: as the linear rule takes them: a weight multiplies C, or divides γ.
    Cost: one kernel evaluation per support point and round; memory is the support set, a point per update.

    Guarantee: those of `ls.PassiveAggressive`, in the space of the kernel: pa.1, pa.1m, pa.1h ("PA"); pa.3 ("relaxed",
    "PA-II"). None is proved with a budget once it takes effect.
    Source: Crammer et al. 2003 and 2006. Budgets: Wang and Vucetic 2010.

    Example:
        >>> import littlestone as ls
        >>> rule = ls.KernelPassiveAggressive(kernel=ls.kernels.Gaussian(gamma=0.5))
        >>> run = ls.run(rule, [[0.0], [3.0]], [1, -1])
        >>> run.state.alpha.round(3), run.learner.score_many([[3.0]]).round(9)
        (array([ 1.   , -1.011]), array([-1.]))
    """

    source: ClassVar[str] = "Crammer et al. 2003 and 2006"

    margin: float = parameter(1.0, domain=POSITIVE, why="any margin is the same up to scale")
    budget: int | None = parameter(None, domain=BUDGET, why=WHY_BUDGET)
    when_full: WhenFull = parameter("project", domain=WHEN_FULL, why=WHY_WHEN_FULL)

    def primal(self) -> PassiveAggressive:
        """Passive-Aggressive for labels."""
        return PassiveAggressive(variant=self.variant, C=self.C, gamma=self.gamma, margin=self.margin)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class KernelPassiveAggressiveRegression(_KernelPassiveAggressive):
    """The smallest change in the space of a kernel that brings the score within ε of the target.

    Update: with the loss ℓ = [|target − score| − ε]₊, α_x ← α_x + τ·sign(target − score), τ as in
    `ls.PassiveAggressive` with K(x, x) for ‖x‖².
    Tie: a loss of exactly 0 is passive.
    Weights: as the linear rule takes them: a weight multiplies C, or divides γ.
    Cost: one kernel evaluation per support point and round; memory is the support set, a point per update.

    Guarantee: those of `ls.PassiveAggressiveRegression`, in the space of the kernel: pa.1 ("PA"), pa.3 ("relaxed",
    "PA-II"). None is proved with a budget once it takes effect.
    Source: Crammer et al. 2003 and 2006. Budgets: Wang and Vucetic 2010.

    Example:
        >>> import littlestone as ls
        >>> rule = ls.KernelPassiveAggressiveRegression(kernel=ls.kernels.Gaussian(), epsilon=0.1)
        >>> ls.run(rule, [[0.0]], [2.0]).state.alpha
        array([1.9])
    """

    source: ClassVar[str] = "Crammer et al. 2003 and 2006"

    epsilon: float = parameter(0.1, domain=NONNEGATIVE, why="a tenth of the unit; set it to the error you can accept")
    budget: int | None = parameter(None, domain=BUDGET, why=WHY_BUDGET)
    when_full: WhenFull = parameter("project", domain=WHEN_FULL, why=WHY_WHEN_FULL)

    def primal(self) -> PassiveAggressiveRegression:
        """Passive-Aggressive for targets."""
        return PassiveAggressiveRegression(variant=self.variant, C=self.C, gamma=self.gamma, epsilon=self.epsilon)
