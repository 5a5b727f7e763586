"""Adaptive regularization of weights."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.domain import POSITIVE, parameter
from littlestone.rule import LinearRule
from littlestone.schema import Array, Axis, Schema
from littlestone.state import Weights

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State

_ARRAYS: Schema = {"precision": Array(Axis.FEATURE)}


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class AROW(LinearRule):
    """Steps that shrink feature by feature: what was seen often moves little, what is rare moves far.

    Update: with the precisions A, from A = 1, the loss ℓ of the interval [1, ∞) or (−∞, −1] and v = Σ xᵢ²/Aᵢ, when ℓ > 0
    wᵢ ← wᵢ ± ℓ/(v + r)·xᵢ/Aᵢ and then Aᵢ ← Aᵢ + xᵢ²/r.
    Tie: a loss of exactly 0 is passive.
    Weights: an importance weight divides r in its round.
    Cost: O(nonzeros) a round, two numbers a feature. An empty row with a loss is skipped and counted in `ledger.impossible`.

    Guarantee: none for the diagonal form; the one that is proved (theorem 1 of the paper) is of the full matrix. An update
    is no multiple of its row, so that the voted predictors and their theorems do not speak of it.
    Source: Crammer, Kulesza and Dredze 2009, "Adaptive regularization of weight vectors".

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.AROW(r=1.0), [[1.0, 0.0], [1.0, 2.0]], [+1, -1])
        >>> run.state.w, run.state.precision       # ½; then ℓ = 1.5, v = ½ + 4, the step 3/11
        (array([ 0.36363636, -0.54545455]), array([3., 5.]))
    """

    source: ClassVar[str] = "Crammer, Kulesza and Dredze 2009"

    r: float = parameter(1.0, domain=POSITIVE, why="1 weighs a row as much as the start; larger is calmer")

    def init(self, width: int) -> Weights:
        """Zero weights, all equally uncertain."""
        return Weights(_ARRAYS, w=np.zeros(width), precision=np.ones(width))

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        """[1, ∞) or (−∞, −1]."""
        return _core.Interval.half_line(label, 1.0)

    def takes_weights(self) -> bool:
        """A weight divides r."""
        return True

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """ℓ/(v + r) towards the interval, each feature by its variance."""
        if trial.distance == 0.0:
            return _core.Step.stay()
        calm, confidence = self.r / trial.weight, 0.0
        i, x, precision = row.indices, row.values, state.precision
        for share in (x * x / precision[i]).tolist():
            confidence += share
        if confidence == 0.0 or not math.isfinite(confidence):
            return _core.Step.cannot()
        step = trial.side * (trial.distance / (confidence + calm))
        state.w[i] += step * x / precision[i]
        precision[i] += x * x / calm
        return _core.Step.otherwise(step)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        return _core.arow(w=state.w, precision=state.precision, r=self.r, average=average and average.bound())
