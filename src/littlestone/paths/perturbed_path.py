"""Follow the Perturbed Leader on paths: the cheapest path so far, after noise on every arc."""

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
    from littlestone.arrays import FloatArray
    from littlestone.paths.network import Network
    from littlestone.paths.rule import Scale


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class PerturbedPath(PathRule):
    """Takes the path that would have been cheapest so far if every arc had cost a random amount more.

    Update: L ← L + costs; the shortest path by L + u/ε, u uniform on [0, 1] for every arc and round, a function of seed and
    round alone. ε is fixed, or √(K/(2·B·A·T)) for a horizon T, or the same with t in place of T in round t: K is the number
    of arcs of the longest path, B how much two paths can differ in a round, A the absolute costs of all arcs together.
    Tie: of several cheapest paths the one whose arcs were given first.
    Cost: one shortest path a round, O(arcs).

    Guarantee: paths.perturbed: the regret to the best path is at most K/(2ε) + εBAT + B√(T log(1/δ)/2) with probability
    1 − δ: the noise of a path of K arcs has the mean K/(2ε), which is all that the published D/ε has to pay for.
    Source: Kalai and Vempala 2005, theorem 1.1 and section 2.1 (Hannan 1957).

    Example:
        >>> import littlestone as ls
        >>> network = ls.Network([(0, 1), (0, 2), (1, 3), (2, 3)], 0, 3)
        >>> way = ls.ShortestPaths(network, rule=ls.PerturbedPath(epsilon=100.0))       # hardly any noise
        >>> loss = way.learn_one([1.0, 0.0, 1.0, 0.0])
        >>> way.choose()
        (0, 2, 3)
    """

    source: ClassVar[str] = "Kalai and Vempala 2005; Hannan 1957"

    epsilon: float | None = parameter(None, domain=optional(POSITIVE), why="None: that of the horizon, or of the round")
    horizon: int | None = parameter(None, domain=optional(WHOLE), why="None: the number of rounds is not known")
    seed: int = parameter(0, domain=SEED, why="a fixed seed makes a run repeatable")

    def __post_init__(self) -> None:
        """Checks that at most one of ε and horizon is given."""
        super().__post_init__()
        if self.epsilon is not None and self.horizon is not None:
            raise InvalidParameter("PerturbedPath takes one of epsilon and horizon, or neither")

    def init(self, network: Network) -> ExpertState:
        """No costs so far."""
        return summed(costs=np.zeros(len(network)), rounds=np.zeros(1))

    def rate(self, network: Network, scale: Scale, rounds: int) -> float:
        """ε."""
        if self.epsilon is not None:
            return self.epsilon
        period = self.horizon if self.horizon is not None else rounds + 1
        worst = scale.span * scale.mass
        return math.sqrt(network.longest / (2.0 * worst * period)) if worst > 0.0 else 1.0

    def noise(self, network: Network, scale: Scale, rounds: int) -> FloatArray:
        """What every arc is charged more in the round after so many rounds."""
        draws = np.random.Generator(np.random.Philox(key=self.seed, counter=rounds)).random(len(network))
        return draws / self.rate(network, scale, rounds)

    def journey(self, state: ExpertState, network: Network, scale: Scale) -> Journey:
        """The perturbed leader."""
        path = network.shortest(state.costs + self.noise(network, scale, int(state.rounds[0])))
        return Journey(path, path)
