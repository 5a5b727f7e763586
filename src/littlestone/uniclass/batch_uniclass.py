"""Batch Passive-Aggressive uniclass learning."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

from littlestone.domain import NONNEGATIVE, POSITIVE, parameter, required
from littlestone.uniclass.centre import CentredBall
from littlestone.uniclass.rule import WHY_EPSILON


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class BatchUniclass(CentredBall):
    """`ls.Uniclass` that lets small losses be, so that passes over a sample come to an end.

    Update: w ← (1 − λ)w + λx, λ = 1 − ε/‖x − w‖, where the loss ℓ = [‖x − w‖ − ε]₊ has ℓ² > β. The first row is the first
    centre. Meant for several passes: when a pass makes no update, every loss is at most √β.
    Tie: ℓ² = β is small enough.
    Cost: O(nonzeros) per round.

    Guarantee: pa.batchu (fewer than ‖u − w₁‖²/β moves if a ball of radius ε around u holds the sample).
    Source: Crammer et al. 2003, section 4, for uniclass.

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.BatchUniclass(epsilon=1.25, beta=0.01), [[0.0], [2.0], [-0.5]], passes=100)
        >>> run.converged, run.state.w            # from 0 to 0.75, then every row is within 1.25
        (True, array([0.75]))
    """

    source: ClassVar[str] = "Crammer et al. 2003, section 4"

    epsilon: float = field(metadata=required(domain=NONNEGATIVE, why=WHY_EPSILON))
    beta: float = parameter(0.01, domain=POSITIVE, why="losses up to a tenth of the unit are let be")

    def lets_be(self) -> float:
        """β."""
        return self.beta
