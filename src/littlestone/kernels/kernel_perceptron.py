"""The kernel Perceptron."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

from littlestone import _core
from littlestone.domain import RATE, parameter
from littlestone.kernels.rule import BUDGET, WHEN_FULL, WHY_BUDGET, WHY_WHEN_FULL, BudgetedRule, WhenFull
from littlestone.kernels.support import Support
from littlestone.linear import Perceptron

if TYPE_CHECKING:
    from littlestone.state import State


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class KernelPerceptron(BudgetedRule):
    """The Perceptron in the space of a kernel, by its dual: a coefficient for each row that was a mistake.

    Update: on a mistake α_x ← α_x + η·y; the score is Σ α_p K(x_p, x). With the linear kernel the updates are those of
    `ls.Perceptron`.
    Tie: a score of exactly 0 is a mistake for either label and updates.
    Weights: an importance weight multiplies the step of its round.
    Cost: one kernel evaluation per support point and round; memory is the support set.

    Guarantee: those of `ls.Perceptron`, in the space of the kernel: mohri.8.8 with K(x, x) for ‖x‖², mohri.8.11,
    mohri.ex8.11 and others. With a budget: kernel.projected ("project"); none is proved for "drop-oldest".
    Source: Aizerman et al. 1964; Mohri et al., figures 8.8 and 8.9. Budgets: Dekel et al. 2005 and Cavallanti et al. 2007
    drop points; Orabona et al. 2009 project.

    Example:
        >>> import littlestone as ls
        >>> xor = ls.KernelPerceptron(kernel=ls.kernels.Polynomial(degree=2))
        >>> run = ls.run(xor, [[1, 1], [1, -1], [-1, 1], [-1, -1]], [1, -1, -1, 1], passes=3)
        >>> run.state.alpha, run.converged
        (array([ 1., -1., -1.,  1.]), True)
    """

    source: ClassVar[str] = "Aizerman et al. 1964; Mohri et al. figs. 8.8 and 8.9"

    eta: float = parameter(1.0, domain=RATE, why="every step size makes the same mistakes on labels")
    budget: int | None = parameter(None, domain=BUDGET, why=WHY_BUDGET)
    when_full: WhenFull = parameter("project", domain=WHEN_FULL, why=WHY_WHEN_FULL)

    def primal(self) -> Perceptron:
        """The Perceptron."""
        return Perceptron(eta=self.eta)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """A step of η towards the interval."""
        assert isinstance(state, Support)
        if trial.side == 0:
            return _core.Step.stay()
        step = trial.side * self.eta * trial.weight
        state.expansion.add(step)
        return _core.Step.by(step)

    def compiled_loop(self, w: _core.Expansion) -> _core.Loop:
        """The compiled loop."""
        return _core.kernel_perceptron(w, eta=self.eta)
