"""AdaGrad: a step of its own for every weight."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, final

import numpy as np

from littlestone import _core
from littlestone.abilities import LABELS, TARGETS, Abilities
from littlestone.domain import POSITIVE, RATE, choice, parameter
from littlestone.rule import LinearRule
from littlestone.schema import Array, Axis, Schema
from littlestone.state import Weights

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State

_ARRAYS: Schema = {name: Array(Axis.FEATURE) for name in ("squares", "low", "high")}
_WHY_ETA = "weights are found within about 1 of where they start; larger is bolder"
_WHY_START = "the first step is finite, and the start soon forgotten"


class _AdaGrad(LinearRule):
    """What the two tasks share: steps, and what is kept for the theorems."""

    eta: float
    G0: float

    @final
    def init(self, width: int) -> Weights:
        """Zero weights, whose squares begin at G₀."""
        zeros = {"low": np.zeros(width), "high": np.zeros(width), "slack": np.zeros(1)}
        return Weights(_ARRAYS, w=np.zeros(width), squares=np.full(width, self.G0), **zeros)

    @final
    def gather(self, state: State, row: _core.Row, pull: float) -> float:
        """Adds the squares of pull·x; returns q = Σx²/√G."""
        i, x, q = row.indices, row.values, 0.0
        gradient = pull * x
        state.squares[i] += gradient * gradient
        for share in (x * x / np.sqrt(state.squares[i])).tolist():
            q += share
        return q

    @final
    def move(self, state: State, row: _core.Row, step: float) -> _core.Step:
        """Adds step·x/√G, and notes how far each weight has been."""
        i = row.indices
        state.w[i] += step * row.values / np.sqrt(state.squares[i])
        state.low[i] = np.minimum(state.low[i], state.w[i])
        state.high[i] = np.maximum(state.high[i], state.w[i])
        return _core.Step.otherwise(step)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class AdaGrad(_AdaGrad):
    """Gradient descent whose step for a feature shrinks with the gradients that the feature has had.

    Update: "log": c = y/(1 + exp(y·score)), G ← G + c²x², w ← w + ηc·x/√G; the score is the log-odds of the positive label.
    "hinge": with the loss ℓ = [1 − y·score]₊ > 0, G ← G + x², q = Σx²/√G, w ← w + y·min(η, ℓ/q)·x/√G: the step ends where
    the loss does.
    Tie: a score of 0 is a mistake; with "hinge" a loss of exactly 0 is passive.
    Weights: an importance weight multiplies the gradient.
    Cost: O(nonzeros) per round, four numbers per feature (two of them for the theorem). An empty row with a loss is skipped by
    "hinge" and counted in `ledger.impossible`.

    Guarantee: adagrad.log, adagrad.hinge.
    Source: Duchi, Hazan and Singer 2011; the step that stops: Kulis and Bartlett 2010.

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.AdaGrad(loss="hinge", G0=3.0), [[1.0, 0.0], [1.0, 2.0]], [+1, -1])
        >>> run.state.squares                      # 3 + 1, 3; then 4 + 1 and 3 + 4
        array([5., 7.])
    """

    source: ClassVar[str] = "Duchi, Hazan and Singer 2011"

    loss: Literal["log", "hinge"] = parameter("log", domain=choice("log", "hinge"), why="its scores are log-odds")
    eta: float = parameter(0.5, domain=RATE, why=_WHY_ETA)
    G0: float = parameter(1e-3, domain=POSITIVE, why=_WHY_START)

    @property
    def abilities(self) -> Abilities:
        """Labels; log-odds where the loss is the log loss."""
        return Abilities(learns=LABELS, takes_weights=True, has_log_odds=self.loss == "log")

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        """[1, ∞) or (−∞, −1] for the hinge loss."""
        return _core.Interval.open_half_line(label) if self.loss == "log" else _core.Interval.half_line(label, 1.0)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """Down the gradient, every weight by its own step."""
        return self._log(state, row, trial) if self.loss == "log" else self._hinge(state, row, trial)

    def _log(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        margin = trial.label * trial.score
        pull = trial.weight * trial.label / (1.0 + (math.exp(margin) if margin < 709.0 else math.inf))
        q = self.gather(state, row, pull)
        state.slack[0] += 0.5 * self.eta * pull * pull * q
        return self.move(state, row, self.eta * pull)

    def _hinge(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        if trial.distance == 0.0:
            return _core.Step.stay()
        q = self.gather(state, row, trial.weight)
        if q == 0.0 or not math.isfinite(q):
            return _core.Step.cannot()
        step = min(trial.weight * self.eta, trial.distance / q)
        state.slack[0] += step * q - step * step * q / (2.0 * self.eta)
        return self.move(state, row, trial.side * step)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop of the loss."""
        return _core.ada_grad(
            w=state.w,
            squares=state.squares,
            low=state.low,
            high=state.high,
            slack=state.slack,
            eta=self.eta,
            logistic=self.loss == "log",
            average=average and average.bound(),
        )


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class AdaGradRegression(_AdaGrad):
    """AdaGrad for the square loss, whose steps never go past the target.

    Update: e = target − score, G ← G + e²x², q = Σx²/√G, w ← w + sign(e)·min(η|e|, |e|/q)·x/√G.
    Tie: an error of exactly 0 is passive.
    Weights: an importance weight multiplies the gradient.
    Cost: O(nonzeros) per round, four numbers per feature (two of them for the theorem). An empty row with an error is skipped
    and counted in `ledger.impossible`.

    Guarantee: adagrad.square.
    Source: Duchi, Hazan and Singer 2011; the step that stops: Kulis and Bartlett 2010.

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.AdaGradRegression(eta=9.0), [[3.0, 4.0]], [2.0])
        >>> round(float(run.state.w @ [3.0, 4.0]), 12)                # as far as the target
        2.0
    """

    source: ClassVar[str] = "Duchi, Hazan and Singer 2011"
    abilities = Abilities(learns=TARGETS, takes_weights=True)

    eta: float = parameter(0.5, domain=RATE, why=_WHY_ETA)
    G0: float = parameter(1e-3, domain=POSITIVE, why=_WHY_START)

    def accepts_target(self, state: State, target: float) -> _core.Interval:
        """The target itself."""
        return _core.Interval.around(target, 0.0)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """Down the gradient, every weight by its own step."""
        error = trial.distance
        if error == 0.0:
            return _core.Step.stay()
        q = self.gather(state, row, trial.weight * error)
        if q == 0.0 or not math.isfinite(q):
            return _core.Step.cannot()
        step = min(trial.weight * self.eta * error, error / q)
        short_of = error - step / self.eta
        state.slack[0] += 0.5 * short_of * short_of + step * step * q / (2.0 * self.eta)
        return self.move(state, row, trial.side * step)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        return _core.square_ada_grad(
            w=state.w,
            squares=state.squares,
            low=state.low,
            high=state.high,
            slack=state.slack,
            eta=self.eta,
            average=average and average.bound(),
        )
