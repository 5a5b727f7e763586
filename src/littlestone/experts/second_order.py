"""What the rules with a rate for every expert share, after Gaillard, Stoltz and van Erven 2014."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar, final

import numpy as np

from littlestone.experts.rule import ExpertRule
from littlestone.experts.state import ExpertState, per_expert


class SecondOrder(ExpertRule, ABC):
    """A rule that needs no range and no horizon: its rates follow the squared regrets of the rounds, each expert's its own.

    Its theorem reads the rounds themselves.
    """

    unit: ClassVar[bool] = False
    squares: ClassVar[bool] = True
    gradient: ClassVar[bool] = True


class OfRegrets(SecondOrder, ABC):
    """One that keeps the sums of the regrets and of their squares."""

    @final
    def init(self, experts: int) -> ExpertState:
        """No regrets so far."""
        return ExpertState(per_expert("regrets", "squares"), regrets=np.zeros(experts), squares=np.zeros(experts))

    @final
    def joined(self, state: ExpertState, charged: float) -> ExpertState:
        """An expert that slept has no regrets."""
        return state.joined()
