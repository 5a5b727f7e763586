"""A kernel expansion that never moves."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, final

import numpy as np

from littlestone import _core
from littlestone.domain import NONNEGATIVE, POSITIVE, choice, parameter, required
from littlestone.kernels.functions import Kernel
from littlestone.kernels.rule import KERNEL, WHY_KERNEL, KernelRule
from littlestone.linear import Fixed

if TYPE_CHECKING:
    from littlestone.rule import LinearRule
    from littlestone.state import State


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class KernelFixed(KernelRule):
    """Never updates: what `averaged()` and the conversions of a kernel learner predict with.

    Update: none.
    Tie: none. Cost: one kernel evaluation a support point and row.
    Guarantee: none of its own.
    Source: none; a comparator in the sense of the theorems.
    """

    source: ClassVar[str] = "a predictor, not a rule of a paper"

    kernel: Kernel = field(metadata=required(domain=KERNEL, why=WHY_KERNEL))
    task: Literal["labels", "targets"] = parameter("labels", domain=choice("labels", "targets"), why="as most rules")
    margin: float = parameter(1.0, domain=POSITIVE, why="the margin of the hinge loss")
    epsilon: float = parameter(0.0, domain=NONNEGATIVE, why="no error is let be")
    budget: None = None
    when_full: Literal["project"] = "project"

    def primal(self) -> LinearRule:
        """Fixed weights."""
        return Fixed(weights=np.zeros(0), task=self.task, margin=self.margin, epsilon=self.epsilon)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """Stays."""
        return _core.Step.stay()

    def compiled_loop(self, w: _core.Expansion) -> _core.Loop:
        """The compiled loop."""
        return _core.kernel_fixed(w, margin=self.margin, epsilon=self.epsilon)
