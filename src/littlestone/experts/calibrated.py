"""What the rules that calibrate themselves share: many rates and shares at once, of which the best so far is followed."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
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


class Calibrated(AdviceRule, ABC):
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
        """What every rule keeps: by share, rate and expert."""

    @abstractmethod
    def _mixed(self, rows: FloatArray, etas: FloatArray, awake: BoolArray) -> FloatArray:
        """The distributions of rules among those awake."""

    @abstractmethod
    def _move(self, table: FloatArray, regrets: FloatArray, etas: FloatArray) -> None:
        """Moves all rules by the regrets of a round."""

    @final
    def rates(self, state: ExpertState) -> FloatArray:
        """The rates that can be followed."""
        low, high = (int(end) for end in state.grid)
        return self._rates(state)[low : high + 1]

    @final
    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """Those of the rule that is followed."""
        share, rate = divmod(int(state.best[0]), RATES)
        row = self._table(state)[share, rate]
        everybody = np.ones(len(row), dtype=np.bool_)
        return self._mixed(row, self._rates(state)[rate : rate + 1], everybody if awake is None else awake)

    @final
    def learn(self, state: ExpertState, seen: AdviceRound) -> None:
        """Every rule meets the round and moves; then the best so far is chosen."""
        own, regrets = self._meet(state, seen)
        state.losses[:] += own.ravel()
        starts = self._begin(state, regrets[0, REACH]) if state.start[0] == 0.0 else []
        etas = np.tile(self._rates(state), (self._shares, 1))
        if starts:  # the first round of the first rate of the grid is learned with the rate as it then stood
            etas[:, REACH] = starts
        self._move(self._table(state), regrets, etas[:, :, None])
        self._choose(state)

    @staticmethod
    def _rates(state: ExpertState) -> FloatArray:
        return np.ldexp(float(state.start[0]), np.arange(-REACH, REACH + 1))

    def _meet(self, state: ExpertState, seen: AdviceRound) -> tuple[FloatArray, FloatArray]:
        """What every rule loses, and its regrets: 0 to whoever sleeps."""
        p = self._mixed(self._table(state), self._rates(state)[:, None], seen.awake)
        said = in_order(p * (seen.losses if seen.loss.labels else seen.advice))
        own = said if seen.loss.labels else seen.losses_of(said)
        if not seen.gradient:
            return own, np.where(seen.awake, own[:, :, None] - seen.losses, 0.0)
        slopes = seen.slopes_of(said)
        return own, np.where(seen.awake, (slopes * said)[:, :, None] - slopes[:, :, None] * seen.advice, 0.0)

    def _begin(self, state: ExpertState, regrets: FloatArray) -> list[float]:
        """The rate of the middle: one over the mean of |regret − (log N)/rate|, from 1 on, once for each share, as in opera."""
        experts, start, starts = len(regrets), 1.0, []
        for _ in range(self._shares):
            total = float(in_order(np.abs(regrets - math.log(experts) / start)))
            start = experts / total if total > 0.0 else start
            starts.append(start)
        state.start[0] = start
        return starts

    def _choose(self, state: ExpertState) -> None:
        low, high = (int(end) for end in state.grid)
        losses = state.losses.reshape(self._shares, RATES)[:, low : high + 1]
        share, rate = divmod(int(np.argmin(losses)), high - low + 1)
        state.best[0] = share * RATES + low + rate
        if low + rate == high:
            state.grid[1] = min(high + 3, RATES - 1)
        if rate == 0:
            state.grid[0] = max(low - 3, 0)


def in_order(values: FloatArray) -> FloatArray:
    """The sums over the experts from the first to the last, as the compiled loop adds: roundings decide between equals."""
    total: FloatArray = np.zeros(values.shape[:-1])
    for expert in range(values.shape[-1]):
        total = total + values[..., expert]
    return total


def exponentials(values: FloatArray) -> FloatArray:
    """The exponentials as the compiled loop takes them."""
    return np.array([_core.exp(value) for value in values.ravel().tolist()]).reshape(values.shape)
