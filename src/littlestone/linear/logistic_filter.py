"""Logistic regression by its extended Kalman filter, with the full covariance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.abilities import LABELS, Abilities
from littlestone.domain import POSITIVE, parameter
from littlestone.linear.square_root import ROOT, fresh_root, learn, look
from littlestone.rule import LinearRule
from littlestone.schema import Schema
from littlestone.state import Weights

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State

_ARRAYS: Schema = {"root": ROOT}
_LEAST_CURVATURE = 1e-4


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class LogisticFilter(LinearRule):
    """Logistic regression that knows how sure it is of every combination of weights.

    Update: with the covariance P, from I/a, v = xᵀPx and p = σ(w·x): h = max(p(1−p), 1e-4),
    w ← w + (1[y] − p)/(1 + hv)·Px and P ← P − Pxxᵀ P·h/(1 + hv): one step of Newton's method a row. The score is the log-odds
    w·x/√(1 + πv/8), moderated by how unsure the weights are.
    Tie: log-odds of 0 are a mistake; every round moves the state.
    Weights: an importance weight c counts as c rows.
    Cost: O(features²) per round and a number per pair of features; 4096 features at most.

    Guarantee: none.
    Source: Spiegelhalter and Lauritzen 1990; the moderated score: MacKay 1992.

    Example:
        >>> import littlestone as ls
        >>> learner = ls.Learner(ls.LogisticFilter(), labels=("no", "yes"))
        >>> _ = learner.learn_many([[1.0], [-1.0]] * 20, ["yes", "no"] * 20)
        >>> round(learner.probability_one([1.0])["yes"], 2)
        0.91
    """

    source: ClassVar[str] = "Spiegelhalter and Lauritzen 1990; MacKay 1992"
    abilities = Abilities(learns=LABELS, takes_weights=True, takes_spare_room=False, has_log_odds=True, averages=False)

    a: float = parameter(1.0, domain=POSITIVE, why="weights of about 1 are expected, in units of the log-odds")

    def init(self, width: int) -> Weights:
        """Zero weights, all of precision a."""
        root = fresh_root(width, self.a, "LogisticFilter", "AdaGrad()")
        return Weights(_ARRAYS, w=np.zeros(width), root=root)

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        """The right side of 0."""
        return _core.Interval.open_half_line(label)

    def score(self, state: State, row: _core.Row) -> float:
        """w·x/√(1 + πv/8)."""
        return row.dot(state.w) / math.sqrt(1.0 + math.pi / 8.0 * look(state.root, row).spread)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """A step of Newton's method."""
        z, seen = row.dot(state.w), look(state.root, row)
        p = 1.0 / (1.0 + (math.exp(-z) if z > -709.0 else math.inf))
        curvature = trial.weight * max(p * (1.0 - p), _LEAST_CURVATURE)
        step = trial.weight * ((1.0 if trial.label > 0 else 0.0) - p) / (1.0 + curvature * seen.spread)
        if not math.isfinite(step) or not math.isfinite(seen.spread):
            return _core.Step.cannot()
        state.w[:] += step * seen.direction
        learn(state.root, seen, curvature)
        return _core.Step.otherwise(step)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        return _core.logistic_filter(w=state.w, root=state.root.reshape(-1))
