"""Follow the Perturbed Leader."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.domain import SEED, parameter
from littlestone.experts.pace import ScheduledRule
from littlestone.experts.state import ExpertState, summed

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class FollowThePerturbedLeader(ScheduledRule):
    """Follows the expert with the smallest losses so far after noise, drawn anew in every round.

    Update: L ← L + losses; all weight on argmax(g − η·L), g a Gumbel draw for every expert and round, a function of the
    seed, the round and the expert alone. The chance of an expert is its weight under Exponential Weights with the same η,
    whose schedules it shares.
    Tie: none (the draws differ).
    Cost: O(N) per round, two log per expert.

    Guarantee: fpl.gumbel: mohri.8.6a and √(T log(1/δ)/2) more, with probability 1 − δ.
    Source: Hannan 1957; Kalai and Vempala 2005.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> rule = ls.FollowThePerturbedLeader(eta=100.0)                # hardly any noise
        >>> state = rule.init(2)
        >>> rule.update(state, np.array([1.0, 0.0]))
        >>> rule.weights(state)
        array([0., 1.])
    """

    source: ClassVar[str] = "Hannan 1957; Kalai and Vempala 2005"

    seed: int = parameter(0, domain=SEED, why="a fixed seed makes a run repeatable")

    def init(self, experts: int) -> ExpertState:
        """No losses so far."""
        return summed(losses=np.zeros(experts), rounds=np.zeros(1))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        """All on the perturbed leader."""
        experts, rounds = len(state.losses), int(state.rounds[0])
        noise = [-math.log(-math.log(_core.uniform(self.seed, rounds * experts + i))) for i in range(experts)]
        scores = np.array(noise) - self.rate(experts, rounds) * state.losses
        chosen = np.zeros(experts)
        chosen[int(np.argmax(scores if awake is None else np.where(awake, scores, -np.inf)))] = 1.0
        return chosen

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        pace = self.compiled_pace(len(state.losses))
        return _core.perturbed_leader(losses=state.losses, rounds=state.rounds, pace=pace, seed=self.seed)
