"""The abstract rule of paths and its verbs."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, NamedTuple, final

from littlestone.rule import Rule

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.experts.state import ExpertState
    from littlestone.paths.network import Network


@final
class Journey(NamedTuple):
    """What a rule does in a round: a path, and how likely it was to take each arc; both in the order of the arcs."""

    path: FloatArray
    flow: FloatArray


@final
class Scale(NamedTuple):
    """How large costs can be: of a path in a round the difference between two, and of all arcs together."""

    span: float
    """The dearest path at the highest costs minus the cheapest at the lowest."""
    mass: float
    """The largest sum of the absolute costs of all arcs that lie on a path."""


class PathRule(Rule):
    """A rule that chooses a path in every round and learns the costs of all arcs after it.

    Three verbs define it: `init` makes a state, `journey` reads it, `advance` moves it.
    """

    @abstractmethod
    def init(self, network: Network) -> ExpertState:
        """A complete state."""

    @abstractmethod
    def journey(self, state: ExpertState, network: Network, scale: Scale) -> Journey:
        """What is done in this round."""

    @final
    def advance(self, state: ExpertState, costs: FloatArray) -> None:
        """Adds the costs of a round."""
        state.costs[:] += costs
        state.rounds[0] += 1.0

    @abstractmethod
    def rate(self, network: Network, scale: Scale, rounds: int) -> float:
        """The learning rate in the round after so many rounds."""
