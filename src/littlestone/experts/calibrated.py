"""What the rules that calibrate themselves share: many rates and shares at once, of which the best so far is followed."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.experts.reading import AdviceRound, AdviceRule
from littlestone.experts.state import ExpertState

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray

REACH = 64
"""The rates are start·2^k for |k| up to this: beyond, weights are even, or all on one expert, to the last digit."""
RATES = 2 * REACH + 1


class Calibrated(AdviceRule):
    """Follows the best of many rules that differ in their rate and share.

    All of them run from the first round on. Those whose rate is on a grid can be followed, the one with the smallest loss so
    far, the first of several; where its rate is at an end of the grid, three more join there. R's opera starts the rates
    that it adds from the first round anew, which comes to the same and has to keep all advice.
    """

    unit: ClassVar[bool] = False
    gradient: ClassVar[bool] = True

    @property
    @abstractmethod
    def _shares(self) -> int:
        """How many shares there are for each rate."""

    @abstractmethod
    def _table(self, state: ExpertState) -> FloatArray:
        """What every rule keeps: share, rate, expert."""

    @abstractmethod
    def _mixed(self, state: ExpertState, row: FloatArray, eta: float, awake: BoolArray) -> FloatArray:
        """The distribution of one of the rules among those awake."""

    @abstractmethod
    def _move(self, row: FloatArray, regrets: FloatArray, share: int, eta: float) -> None:
        """Moves one of the rules by the regrets of a round."""

    @final
    def rates(self, state: ExpertState) -> FloatArray:
        """The rates that can be followed."""
        low, high = (int(end) for end in state.grid)
        return np.array([self._rate(state, k) for k in range(low, high + 1)])

    @final
    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """Those of the rule that is followed."""
        share, rate = divmod(int(state.best[0]), RATES)
        row = self._table(state)[share, rate]
        return self._mixed(state, row, self._rate(state, rate), np.ones(len(row), dtype=np.bool_) if awake is None else awake)

    @final
    def learn(self, state: ExpertState, seen: AdviceRound) -> None:
        """Every rule meets the round and moves; then the best so far is chosen."""
        starts = self._begin(state, seen) if state.start[0] == 0.0 else []
        table, losses = self._table(state), state.losses.reshape(self._shares, RATES)
        for share in range(self._shares):
            for rate in range(RATES):
                eta = self._rate(state, rate)
                own, regrets = self._meet(state, table[share, rate], eta, seen)
                losses[share, rate] += own
                # The first round of the first rate of the grid is learned with the rate as it then stood.
                self._move(table[share, rate], regrets, share, starts[share] if starts and rate == REACH else eta)
        self._choose(state, losses)

    @staticmethod
    def _rate(state: ExpertState, rate: int) -> float:
        return math.ldexp(float(state.start[0]), rate - REACH)

    def _meet(self, state: ExpertState, row: FloatArray, eta: float, seen: AdviceRound) -> tuple[float, FloatArray]:
        p = self._mixed(state, row, eta, seen.awake)
        said = in_order(p * (seen.losses if seen.loss.labels else seen.advice))
        own = said if seen.loss.labels else seen.loss_of(said)
        if seen.gradient:
            slope = seen.slope_of(said)
            return own, np.where(seen.awake, slope * said - slope * seen.advice, 0.0)
        return own, np.where(seen.awake, own - seen.losses, 0.0)

    def _begin(self, state: ExpertState, seen: AdviceRound) -> list[float]:
        """The rate of the middle: one over the mean of |regret − (log N)/rate|, from 1 on, once for each share, as in opera."""
        _, regrets = self._meet(state, self._table(state)[0, REACH], 0.0, seen)
        experts, start, starts = len(regrets), 1.0, []
        for _ in range(self._shares):
            total = in_order(np.abs(regrets - math.log(experts) / start))
            start = experts / total if total > 0.0 else start
            starts.append(start)
        state.start[0] = start
        return starts

    def _choose(self, state: ExpertState, losses: FloatArray) -> None:
        low, high = (int(end) for end in state.grid)
        share, rate = divmod(int(np.argmin(losses[:, low : high + 1])), high - low + 1)
        state.best[0] = share * RATES + low + rate
        if low + rate == high:
            state.grid[1] = min(high + 3, RATES - 1)
        if rate == 0:
            state.grid[0] = max(low - 3, 0)


def in_order(values: FloatArray) -> float:
    """The sum from the first to the last, as the compiled loop adds: where two rules do equally well, roundings decide."""
    total = 0.0
    for value in values.tolist():
        total += value
    return total


def exponentials(values: FloatArray) -> FloatArray:
    """The exponentials as the compiled loop takes them."""
    return np.array([_core.exp(value) for value in values.tolist()])
