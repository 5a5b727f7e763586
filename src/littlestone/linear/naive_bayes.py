"""Naive Bayes, on-line."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.abilities import LABELS, Abilities
from littlestone.rule import LinearRule
from littlestone.schema import Array, Axis, Schema
from littlestone.state import Weights

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State

_ARRAYS: Schema = {"positive": Array(Axis.FEATURE), "negative": Array(Axis.FEATURE), "totals": Array(inner=5)}


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class NaiveBayes(LinearRule):
    """Counts how much of each feature came with either label, and adds up what that says.

    Update: p and n, the sums of |x| of a feature with either label, grow by those of the row; so do their totals P and N, and
    the rows n₊ and n₋ of either label. The score is the log-odds
    ln((n₊+½)/(n₋+½)) + Σ|x|(ln((p+½)/(n+½)) − ln((P+V/2)/(N+V/2))) over the features that were met, V of them.
    Tie: log-odds of 0 are a mistake; every round moves the state.
    Weights: an importance weight c counts as c rows.
    Cost: O(nonzeros) per round, three numbers per feature.

    The log-odds are far too sure where features depend on one another; calibrate them where the probabilities matter.
    Guarantee: none.
    Source: Maron 1961; the multinomial form: McCallum and Nigam 1998.

    Example:
        >>> import littlestone as ls
        >>> learner = ls.Learner(ls.NaiveBayes())
        >>> for message, label in [("win cash now", "spam"), ("see you now", "ham"), ("cash prize", "spam")]:
        ...     _ = learner.learn_one(dict.fromkeys(message.split(), 1), label)
        >>> learner.predict_one({"cash": 1}), learner.predict_one({"you": 1})
        ('spam', 'ham')
    """

    source: ClassVar[str] = "Maron 1961; McCallum and Nigam 1998"
    abilities = Abilities(learns=LABELS, takes_weights=True, has_weights=False, has_log_odds=True, averages=False)

    def init(self, width: int) -> Weights:
        """Nothing was met."""
        masses = {"positive": np.zeros(width), "negative": np.zeros(width)}
        return Weights(_ARRAYS, w=np.zeros(width), **masses, totals=np.zeros(5))

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        """The right side of 0."""
        return _core.Interval.open_half_line(label)

    def score(self, state: State, row: _core.Row) -> float:
        """The prior log-odds, and what every feature adds."""
        up, down, mass_up, mass_down, met = state.totals.tolist()
        half = 0.5 * max(met, 1.0)
        shift, total = math.log((mass_up + half) / (mass_down + half)), math.log((up + 0.5) / (down + 0.5))
        for i, x in zip(row.indices.tolist(), row.values.tolist(), strict=True):
            if state.positive[i] + state.negative[i] > 0.0:
                total += abs(x) * (float(state.w[i]) - shift)
        return total

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """The masses of the label grow."""
        mass, other = (state.positive, 0) if trial.label > 0 else (state.negative, 1)
        state.totals[other] += trial.weight
        for i, x in zip(row.indices.tolist(), row.values.tolist(), strict=True):
            state.totals[4] += float(state.positive[i] + state.negative[i] == 0.0)
            state.totals[2 + other] += trial.weight * abs(x)
            mass[i] += trial.weight * abs(x)
            state.w[i] = math.log((float(state.positive[i]) + 0.5) / (float(state.negative[i]) + 0.5))
        return _core.Step.otherwise(trial.weight)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        return _core.naive_bayes(w=state.w, positive=state.positive, negative=state.negative, totals=state.totals)
