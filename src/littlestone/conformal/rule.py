"""The abstract rule of levels and its verbs."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from littlestone.rule import Rule

if TYPE_CHECKING:
    from littlestone.experts.state import ExpertState


class ConformalRule(Rule):
    """A rule that says at which level the next set is cut, and learns from whether it missed.

    A set of level β leaves out what is farther from the forecast than all but a share β of the recent scores; at a level of
    0 or below it is everything, at 1 or above nothing. Levels are not clipped: that is what the promise rests on.

    Three verbs define it: `init` makes a state, `level` reads it, `advance` moves it.
    """

    @abstractmethod
    def init(self, alpha: float) -> ExpertState:
        """A complete state for a wanted share of misses."""

    @abstractmethod
    def level(self, state: ExpertState) -> float:
        """The level of the next set."""

    @abstractmethod
    def advance(self, state: ExpertState, *, missed: bool, reach: float) -> None:
        """Moves the state after an outcome.

        Args:
            state: the state.
            missed: whether the set that was shown left the outcome out.
            reach: the largest level below which a set holds it, above 0 and at most 1.
        """

    @property
    @abstractmethod
    def rate(self) -> float | None:
        """The fixed rate at which a miss moves the level; None where there is none, and then no promise."""
