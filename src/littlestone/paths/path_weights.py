"""Exponential Weights over all paths of a graph, by weight pushing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone.domain import POSITIVE, SEED, WHOLE, optional, parameter
from littlestone.errors import InvalidParameter
from littlestone.experts.state import ExpertState, summed
from littlestone.paths.rule import Journey, PathRule

if TYPE_CHECKING:
    from littlestone.paths.network import Network
    from littlestone.paths.rule import Scale


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class PathWeights(PathRule):
    """Weighs a path by exp(−η·(its costs so far)), all of them at once.

    Update: L ← L + costs, a number for each arc. The weight of a path is the product of exp(−η·L) over its arcs; pushed towards
    the source, these are the chances with which a walk takes arcs, so that N paths cost no more than their arcs. η is fixed, or
    √(8 log N/T)/B for a horizon T, or the same with t in place of T in round t; B is how much two paths can differ in a round.
    Tie: none.
    Cost: O(arcs) per round, one exp and one log for each.

    Guarantee: paths.weights: the expected regret to the best path is at most log N/η + ηB²T/8, or with the rate of a horizon
    B√((T/2) log N).
    Source: Takimoto and Warmuth 2003; the weights are pushed as in Mohri 1998.

    Example:
        >>> import littlestone as ls
        >>> network = ls.Network([(0, 1), (0, 2), (1, 3), (2, 3)], 0, 3)
        >>> way = ls.ShortestPaths(network, rule=ls.PathWeights(eta=1.0))
        >>> loss = way.learn_one([1.0, 0.0, 1.0, 0.0])        # by 1: 2, by 2: 0
        >>> way.flow.round(4)                                 # 1 to e^2
        array([0.1192, 0.8808, 0.1192, 0.8808])
    """

    source: ClassVar[str] = "Takimoto and Warmuth 2003"

    eta: float | None = parameter(None, domain=optional(POSITIVE), why="None: the rate of the horizon, or of the round")
    horizon: int | None = parameter(None, domain=optional(WHOLE), why="None: the number of rounds is not known")
    seed: int = parameter(0, domain=SEED, why="a fixed seed makes a run repeatable")

    def __post_init__(self) -> None:
        """Checks that at most one of rate and horizon is given."""
        super().__post_init__()
        if self.eta is not None and self.horizon is not None:
            raise InvalidParameter("PathWeights takes one of eta and horizon, or neither")

    def init(self, network: Network) -> ExpertState:
        """No costs so far."""
        return summed(costs=np.zeros(len(network)), rounds=np.zeros(1))

    def rate(self, network: Network, scale: Scale, rounds: int) -> float:
        """η."""
        if self.eta is not None:
            return self.eta
        period = self.horizon if self.horizon is not None else rounds + 1
        # With one path, or costs that cannot differ, every rate does the same.
        return math.sqrt(8.0 * network.log_count / period) / scale.span if scale.span > 0.0 else 0.0

    def journey(self, state: ExpertState, network: Network, scale: Scale) -> Journey:
        """A walk by the pushed weights."""
        rounds = int(state.rounds[0])
        chances, _ = network.pushed(-self.rate(network, scale, rounds) * state.costs)
        draws = np.random.Generator(np.random.Philox(key=self.seed, counter=rounds)).random(network.longest)
        return Journey(network.drawn(chances, draws), network.flow(chances))
