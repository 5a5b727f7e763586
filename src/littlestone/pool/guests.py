"""A pool with guests: the pool of the core and models of the user's own, each calibrated, in two stacks, under one master."""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING, NamedTuple, Self, final

import numpy as np

from littlestone import _core
from littlestone.loop import Faced, Rounds
from littlestone.pool.definition import Filter, MemberSlope, advanced, clip, sigma
from littlestone.pool.members import Guest, Row, guest_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from littlestone.arrays import FloatArray, SignArray

FADING = (1e-5, 1e-3)
_SURE = 15.0


@final
class Said(NamedTuple):
    """What everybody says of a row."""

    scores: list[float]
    """Of the guests."""
    inputs: FloatArray
    """Of the stacks: log-odds of the core's pool and of the guests, and the constant."""
    chances: FloatArray
    """Of the positive label: the core's pool, the guests, the stacks."""
    probability: float

    @property
    def log_odds(self) -> float:
        """Of what is shown."""
        return math.log(self.probability / (1.0 - self.probability))


@final
class Guests:
    """The guests of a pool, and what combines them with the pool of the core: that is one expert, every guest another.

    A guest's score is calibrated as a member's is; two stacks, which begin with the pool of the core alone, and Bayes' mixture
    with shares over pool, guests and stacks come after.
    """

    def __init__(self, models: Sequence[object]) -> None:
        self.guests: list[Guest] = [guest_of(model) for model in models]
        count = len(self.guests)
        self.calibrations = [MemberSlope(1.0, 0.1) for _ in self.guests]
        self.stacks = [Filter([1.0, *([0.0] * (count + 1))], 0.1, floor=1e-5) for _ in FADING]
        self.prior = np.full(count + 1 + len(FADING), 1.0 / (count + 1 + len(FADING)))
        self.weights, self.rounds = self.prior.copy(), 0
        self.losses = np.zeros(len(self.prior))
        """Log losses of the core's pool, of the guests and of the stacks."""

    def said(self, row: Row, log_odds: float) -> Said:
        """What all say, given what the pool of the core does."""
        scores = [score if math.isfinite(score) else 0.0 for score in (guest.score(row) for guest in self.guests)]
        own = [calibration.log_odds(score) for calibration, score in zip(self.calibrations, scores, strict=True)]
        inputs = np.array([clip(log_odds, _SURE), *own, 1.0])
        stacked = [clip(stack.logit(inputs)[1], _SURE) for stack in self.stacks]
        chances = np.array([sigma(clip(log_odds, 30.0)), *(sigma(z) for z in (*own, *stacked))])
        return Said(scores, inputs, chances, float(self.weights @ chances))

    def learn(self, row: Row, said: Said, sign: int, weight: float, power: float) -> None:
        """One round of guests, calibrations, stacks and master."""
        truth = float(sign > 0)
        of_truth = said.chances if sign > 0 else 1.0 - said.chances
        for guest in self.guests:
            guest.learn(row, sign, weight)
        self.losses = self.losses - weight * np.log(of_truth)
        self.rounds += 1
        awake = np.ones(len(of_truth), dtype=bool)
        self.weights = advanced(self.weights, self.prior, self.rounds, of_truth**power, awake)
        for stack, epsilon in zip(self.stacks, FADING, strict=True):
            stack.learn(said.inputs, truth, epsilon, weight)
        for calibration, score in zip(self.calibrations, said.scores, strict=True):
            calibration.learn(score, truth, weight)

    def accounts(self) -> dict[str, list[float]]:
        """Weights and log losses of the core's pool, of the guests and of the stacks."""
        return {"guest_weights": self.weights.tolist(), "guest_losses": self.losses.tolist()}

    def copy(self) -> Self:
        """Guests of their own that know the same."""
        return copy.deepcopy(self)

    def restore(self, saved: Guests) -> None:
        """Back to a copy made earlier, which is given up by it: there may be no memory for another."""
        self.__dict__.update(saved.__dict__)


@final
class GuestLoop(Rounds):
    """Rounds of a pool with guests, on two labels: the core learns a row, then the guests, then what combines them."""

    def __init__(self, core: _core.Pool, guests: Guests) -> None:
        super().__init__()
        self._core, self._inner, self._guests = core, core.loop(), guests
        self._score = np.zeros(1)

    def score(self, batch: _core.Batch, out: FloatArray) -> None:
        """Fills `out` with the log-odds of the rows."""
        self._inner.score(batch, out)
        for t in range(len(batch)):
            out[t] = self._guests.said(_entries(batch[t]), float(out[t])).log_odds

    def score_row(self, batch: _core.Batch) -> tuple[float, int]:
        """The log-odds of the only row of a batch and what is predicted for it."""
        found = np.zeros(1)
        self.score(batch, found)
        return float(found[0]), self._decided(float(found[0])).sign

    def signs(self, scores: FloatArray, out: SignArray) -> None:
        """Fills `out` with what is predicted for the scores."""
        for t, score in enumerate(scores):
            out[t] = self._decided(float(score)).sign

    def _decided(self, score: float) -> _core.Decision:
        return _core.Decision.by_sign(score - self._core.threshold)

    def _round(self, row: _core.Row, outcomes: _core.Outcomes, t: int) -> tuple[Faced, _core.Step]:
        entries, sign, weight = _entries(row), outcomes.label(t), outcomes.weight(t)
        said = self._guests.said(entries, self._learned(row, outcomes, t))
        chance = said.probability if sign > 0 else 1.0 - said.probability
        trial = _core.Trial.forecast(said.log_odds, row, sign, weight=weight, chance=chance)
        decision = self._decided(said.log_odds)
        if not weight:
            return Faced(trial, decision, decision.sign), _core.Step.stay()
        self._guests.learn(entries, said, sign, weight, min(weight / self._core.largest_weight, 1.0))
        return Faced(trial, decision, decision.sign), _core.Step.otherwise(1.0)

    def _learned(self, row: _core.Row, outcomes: _core.Outcomes, t: int) -> float:
        """The row learned by the pool of the core; returns the score that it had before."""
        if len(self._score) != len(row.batch):
            self._score = np.zeros(len(row.batch))
        kept = _core.RoundColumns(len(self._score), score=self._score)
        self._inner.learn(row.batch, outcomes, _core.Totals(), kept, t, t + 1)
        return float(self._score[t])


def _entries(row: _core.Row) -> Row:
    """The nonzeros by the number of their feature."""
    return {feature: value for feature, value in zip(row.indices.tolist(), row.values.tolist(), strict=True) if value != 0.0}
