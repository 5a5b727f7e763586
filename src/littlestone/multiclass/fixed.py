"""A multiclass comparator: prototypes that stay as they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, TypeAlias, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.domain import MATRIX, POSITIVE, parameter, required
from littlestone.multiclass.class_states import ClassStates
from littlestone.multiclass.prototypes import Prototypes
from littlestone.multiclass.rule import MulticlassRule
from littlestone.state import Weights

if TYPE_CHECKING:
    from littlestone.state import Average, State

MatrixLike: TypeAlias = "FloatArray | Sequence[Sequence[float]]"


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class MulticlassFixed(MulticlassRule):
    """Weights U that never change, a row per class, run in the same loop.

    Update: none. The loss is [margin − (score_y − best other score)]₊; `ledger.smallest_margin` is the margin by which U
    separates the stream.
    Tie: a score equal to that of the true class is a mistake.
    Cost: O(classes · nonzeros) per round.

    The rows go by the numbers of the classes, so give the learner its `labels` in their order.
    Guarantee: none of its own; it is what guarantees compare with.
    Source: the comparator of every regret bound.

    Example:
        >>> import littlestone as ls
        >>> U = ls.MulticlassFixed(weights=[[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
        >>> run = ls.run(U, [[2.0, 0.0], [0.0, 3.0]], ["a", "b"], labels=("a", "b", "c"))
        >>> run.ledger.smallest_margin, run.ledger.updates
        (2.0, 0)
    """

    source: ClassVar[str] = "the comparator of every regret bound"

    weights: MatrixLike = field(metadata=required(domain=MATRIX, why="the comparator itself"))
    margin: float = parameter(1.0, domain=POSITIVE, why="the hinge loss of the theorems")

    def init(self, width: int) -> Prototypes:
        """The weights; features beyond their end, and classes beyond them, weigh 0."""
        given = np.asarray(self.weights)
        state = Prototypes.of(Weights(w=np.zeros(max(width, given.shape[1]))), classes=len(given))
        for k, weights in enumerate(given):
            state.of_class(k).w[: len(weights)] = weights
        return state

    def classes(self) -> int:
        """A class per row."""
        return len(self.weights)

    def accepts(self) -> _core.Interval:
        """[margin, ∞]."""
        return _core.Interval(self.margin, math.inf)

    def ends(self) -> tuple[float, float]:
        """The margin."""
        return self.margin, 0.0

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """Nothing moves."""
        return _core.Step.stay()

    def compiled_loop(self, state: ClassStates, average: Average | None) -> _core.Loop:
        """The compiled loop."""
        w, met, sums = state.arrays["w"], state.met, average and average.bound()
        return _core.multiclass_fixed(w=w, met=met, room=state.rows, margin=self.margin, average=sums)
