"""Ridge regression on-line, and the forecaster of Vovk, Azoury and Warmuth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, final

import numpy as np

from littlestone import _core
from littlestone.abilities import TARGETS, Abilities
from littlestone.domain import POSITIVE, choice, parameter
from littlestone.linear.square_root import ROOT, fresh_root, learn, look
from littlestone.rule import LinearRule
from littlestone.schema import PER_FEATURE, Schema
from littlestone.state import Weights

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State

_ARRAYS: Schema = {"root": ROOT, "sums": PER_FEATURE}


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class OnlineRidge(LinearRule):
    """Least squares over all rows so far, exactly, with a bound on its square loss whatever the rows are.

    Update: with A = aI + Σxxᵀ and P = A⁻¹ the weights are w = PΣyx: e = y − w·x, v = xᵀPx, w ← w + e/(1+v)·Px and
    P ← P − Pxxᵀ P/(1+v). "vaw" predicts w·x/(1+v): it counts the row before its target is known. "ridge" predicts w·x.
    Tie: none; every round moves the state.
    Weights: an importance weight c counts as c rows.
    Cost: O(features²) per round and a number per pair of features; 4096 features at most.

    P is kept by a root R, P = RᵀR, so that rounding cannot make it negative; `state.residual` is Σe²/(1+v), and
    `state.log_det` is ln det(I + Σxxᵀ/a).
    Guarantee: vaw, ridge.
    Source: Vovk 2001; Azoury and Warmuth 2001; the equality for ridge: Zhdanov and Vovk 2009.

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.OnlineRidge(a=1.0), [[1.0], [1.0], [1.0]], [3.0, 3.0, 3.0], keep=("score",))
        >>> run.columns["score"], run.state.w             # 0, (3/2)/(1+1/2), 2/(1+1/3); 9/4
        (array([0. , 1. , 1.5]), array([2.25]))
    """

    source: ClassVar[str] = "Vovk 2001; Azoury and Warmuth 2001"
    abilities = Abilities(learns=TARGETS, takes_weights=True, takes_spare_room=False, averages=False)

    a: float = parameter(1.0, domain=POSITIVE, why="weights of about 1 cost as much as an error of 1")
    forecast: Literal["vaw", "ridge"] = parameter("vaw", domain=choice("vaw", "ridge"), why="its loss is bounded for all rows")

    def init(self, width: int) -> Weights:
        """Zero weights, all of precision a."""
        return Weights(
            _ARRAYS,
            w=np.zeros(width),
            root=fresh_root(width, self.a, "OnlineRidge", "AdaGradRegression"),
            sums=np.zeros(width),
            residual=np.zeros(1),
            log_det=np.zeros(1),
            largest_target=np.zeros(1),
        )

    def score(self, state: State, row: _core.Row) -> float:
        """w·x, divided by 1 + v where the row counts before its target is known."""
        ridge = row.dot(state.w)
        return ridge / (1.0 + look(state.root, row).spread) if self.forecast == "vaw" else ridge

    def accepts_target(self, state: State, target: float) -> _core.Interval:
        """The target itself."""
        return _core.Interval.around(target, 0.0)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """The weights of all rows so far, this one among them."""
        target, weight = trial.interval.low, trial.weight
        error, seen = target - row.dot(state.w), look(state.root, row)
        grown = 1.0 + weight * seen.spread
        step = weight * error / grown
        if not math.isfinite(grown) or not math.isfinite(step):
            return _core.Step.cannot()
        state.w[:] += step * seen.direction
        learn(state.root, seen, weight)
        row.add_to(state.sums, weight * target)
        state.residual[0] += step * error
        state.log_det[0] += math.log1p(weight * seen.spread)
        state.largest_target[0] = max(float(state.largest_target[0]), abs(target))
        return _core.Step.otherwise(step)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        return _core.online_ridge(
            w=state.w,
            root=state.root.reshape(-1),
            sums=state.sums,
            residual=state.residual,
            log_det=state.log_det,
            largest_target=state.largest_target,
            forward=self.forecast == "vaw",
        )
