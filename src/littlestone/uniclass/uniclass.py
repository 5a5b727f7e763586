"""Passive-Aggressive uniclass learning."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

from littlestone.domain import NONNEGATIVE, required
from littlestone.uniclass.centre import CentredBall
from littlestone.uniclass.rule import WHY_EPSILON


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Uniclass(CentredBall):
    """The smallest move of a centre that brings the row within ε of it: one class, and what lies outside.

    Update: with the distance d = ‖x − w‖ and λ = 1 − ε/d, w ← (1 − λ)w + λx when d > ε. The first row is the first centre.
    Tie: a distance of exactly ε is passive.
    Cost: O(nonzeros) per round, whatever the width: w is kept as a scale times a vector, with its norm. Where the difference
    of squares loses its digits the distance is summed feature by feature.

    Guarantee: pa.1u (squared losses ≤ ‖u − w₁‖² if some ball of radius ε around u holds the stream).
    Source: Crammer et al. 2003, uniclass.

    Example:
        >>> import littlestone as ls
        >>> learner = ls.Learner(ls.Uniclass(epsilon=1.0))
        >>> learner.learn_one([0.0, 0.0]), learner.learn_one([3.0, 4.0])
        ('inside', 'outside')
        >>> learner.state.w, round(learner.score_one([3.0, 4.0]), 12)
        (array([2.4, 3.2]), 0.0)
    """

    source: ClassVar[str] = "Crammer et al. 2003, uniclass"

    epsilon: float = field(metadata=required(domain=NONNEGATIVE, why=WHY_EPSILON))

    def lets_be(self) -> float:
        """No loss is small enough."""
        return 0.0
