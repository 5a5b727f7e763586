"""What rules ask of a score."""

from __future__ import annotations

from abc import ABC
from typing import TYPE_CHECKING, final

from littlestone import _core
from littlestone.rule import LinearRule

if TYPE_CHECKING:
    from littlestone.state import State


class AsksMargin(LinearRule, ABC):
    """A rule that asks a margin of a label."""

    margin: float

    @final
    def accepts_label(self, state: State, label: int) -> _core.Interval:
        """[margin, ∞) or (−∞, −margin]."""
        return _core.Interval.half_line(label, self.margin)

    @final
    def ends(self) -> tuple[float, float]:
        """The margin."""
        return self.margin, 0.0


class AsksNearness(LinearRule, ABC):
    """A rule that asks a score to be near its target."""

    epsilon: float

    @final
    def accepts_target(self, state: State, target: float) -> _core.Interval:
        """[target − ε, target + ε]."""
        return _core.Interval.around(target, self.epsilon)

    @final
    def ends(self) -> tuple[float, float]:
        """The epsilon."""
        return 1.0, self.epsilon


class Drawing(LinearRule, ABC):
    """A rule whose prediction is drawn: +1 with a probability that grows with the score (Bylander 1998, section 6)."""

    seed: int

    @final
    def accepts_label(self, state: State, label: int) -> _core.Interval:
        """[1, ∞) or (−∞, −1]."""
        return _core.Interval.half_line(label, 1.0)

    @final
    def widening(self) -> float:
        """One half."""
        return 0.5

    @final
    def decide(self, state: State, score: float, ahead: int = 0) -> _core.Decision:
        """+1 with probability score + ½."""
        chance = min(max(score + 0.5, 0.0), 1.0)
        drawn = _core.uniform(self.seed, int(state.draws[0]) + ahead)
        return _core.Decision(1 if drawn < chance else -1, chance, randomized=True)
