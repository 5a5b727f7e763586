"""Adaptive regularization of weights."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, final

import numpy as np

from littlestone import _core
from littlestone.abilities import Abilities
from littlestone.domain import POSITIVE, choice, parameter
from littlestone.linear.square_root import ROOT, fresh_root, learn, look
from littlestone.rule import LinearRule
from littlestone.schema import Array, Axis, Schema
from littlestone.state import Weights

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State

_ARRAYS: Schema = {"precision": Array(Axis.FEATURE), "root": ROOT}


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class AROW(LinearRule):
    """Steps that shrink feature by feature: what was seen often moves little, what is rare moves far.

    Update: with the precisions A, from A = 1, the loss ℓ of the interval [1, ∞) or (−∞, −1] and v = Σ xᵢ²/Aᵢ, when ℓ > 0
    wᵢ ← wᵢ ± ℓ/(v + r)·xᵢ/Aᵢ and then Aᵢ ← Aᵢ + xᵢ²/r.
    Tie: a loss of exactly 0 is passive.
    Weights: an importance weight divides r in its round.
    Cost: O(nonzeros) per round, two numbers per feature. An empty row with a loss is skipped, counted in `ledger.impossible`.

    With covariance="full" the precisions are the matrix A ← A + xxᵀ/r, v = xᵀA⁻¹x and w ← w ± ℓ/(v + r)·A⁻¹x: O(features²) a
    round and a number per pair of features, 4096 features at most.
    Guarantee: arow for the full matrix; none for the diagonal form. An update is no multiple of its row, so that the voted
    predictors and their theorems do not speak of it.
    Source: Crammer, Kulesza and Dredze 2009, "Adaptive regularization of weight vectors".

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.AROW(r=1.0), [[1.0, 0.0], [1.0, 2.0]], [+1, -1])
        >>> run.state.w, run.state.precision       # ½; then ℓ = 1.5, v = ½ + 4, the step 3/11
        (array([ 0.36363636, -0.54545455]), array([3., 5.]))
    """

    source: ClassVar[str] = "Crammer, Kulesza and Dredze 2009"

    r: float = parameter(1.0, domain=POSITIVE, why="1 weighs a row as much as the start; larger is calmer")
    covariance: Literal["diagonal", "full"] = parameter(
        "diagonal", domain=choice("diagonal", "full"), why="two numbers per feature, however many there are"
    )

    @property
    def abilities(self) -> Abilities:
        """A weight divides r. There is no room to spare for pairs: it is the square of room for features."""
        return Abilities(takes_weights=True, takes_spare_room=self.covariance == "diagonal")

    def init(self, width: int) -> Weights:
        """Zero weights, all equally uncertain."""
        if self.covariance == "full":
            root = fresh_root(width, 1.0, 'AROW(covariance="full")', "AROW()")
            return Weights(_ARRAYS, w=np.zeros(width), root=root, log_det=np.zeros(1))
        return Weights(_ARRAYS, w=np.zeros(width), precision=np.ones(width))

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        """[1, ∞) or (−∞, −1]."""
        return _core.Interval.half_line(label, 1.0)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """ℓ/(v + r) towards the interval, each feature by its variance."""
        if trial.distance == 0.0:
            return _core.Step.stay()
        if self.covariance == "full":
            return self._full(state, row, trial)
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

    def _full(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        calm, seen = self.r / trial.weight, look(state.root, row)
        if seen.spread == 0.0 or not math.isfinite(seen.spread):
            return _core.Step.cannot()
        step = trial.side * (trial.distance / (seen.spread + calm))
        state.w[:] += step * seen.direction
        learn(state.root, seen, 1.0 / calm)
        state.log_det[0] += math.log1p(seen.spread / calm)
        return _core.Step.otherwise(step)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop of the form."""
        sums = average and average.bound()
        if self.covariance == "full":
            return _core.full_arow(w=state.w, root=state.root.reshape(-1), log_det=state.log_det, r=self.r, average=sums)
        return _core.arow(w=state.w, precision=state.precision, r=self.r, average=sums)
