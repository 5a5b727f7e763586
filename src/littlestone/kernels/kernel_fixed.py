"""A kernel expansion that never moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, final

import numpy as np

from littlestone import _core
from littlestone.domain import NONNEGATIVE, POSITIVE, choice, parameter
from littlestone.kernels.rule import KernelRule
from littlestone.linear import Fixed

if TYPE_CHECKING:
    from littlestone.rule import LinearRule
    from littlestone.state import State


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class KernelFixed(KernelRule):
    """A support set that never moves: what `averaged()` and the conversions of a kernel learner predict with.

    Update: none.
    Tie: a score of 0 is a mistake for either label.
    Cost: one kernel evaluation a support point and row.

    Guarantee: none of its own.
    Source: the comparator of every regret bound, in the space of a kernel.

    Example:
        >>> import littlestone as ls
        >>> rule = ls.KernelPerceptron(kernel=ls.kernels.Linear())
        >>> mean = ls.run(rule, [[1.0], [2.0]], [1, 1], labels=(-1, 1)).learner.averaged()
        >>> mean.rule, mean.score_one([1.0])
        (KernelFixed(kernel=Linear(), task='labels', margin=1.0, epsilon=0.0), 0.5)
    """

    source: ClassVar[str] = "the comparator of every regret bound"

    task: Literal["labels", "targets"] = parameter("labels", domain=choice("labels", "targets"), why="as most rules")
    margin: float = parameter(1.0, domain=POSITIVE, why="the margin of the hinge loss")
    epsilon: float = parameter(0.0, domain=NONNEGATIVE, why="no error is let be")

    def primal(self) -> LinearRule:
        """Fixed weights."""
        return Fixed(weights=np.zeros(0), task=self.task, margin=self.margin, epsilon=self.epsilon)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """Stays."""
        return _core.Step.stay()

    def compiled_loop(self, w: _core.Expansion) -> _core.Loop:
        """The compiled loop."""
        return _core.kernel_fixed(w, margin=self.margin, epsilon=self.epsilon)
