"""Fixed Share that calibrates itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.experts.calibrated import RATES, REACH, Calibrated, exponentials, in_order
from littlestone.experts.state import ExpertState

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray

ALPHAS = (1e-4, 1e-3, 1e-2, 1e-1)
"""The shares to choose from: those of opera."""


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class CalibratedFixedShare(Calibrated):
    """Fixed Share at many rates and four shares at once, of which the one with the smallest loss so far is followed.

    Update: at every rate η and share α, r = own loss − losses, v ∝ w·exp(η·r), w ← α/N + (1−α)·v. The shares are 10⁻⁴,
    10⁻³, 10⁻² and 10⁻¹. The rates are η₀·2^k, |k| ≤ 64, with η₀ = 1/mean|r − (log N)/η₀| after the first round, taken
    four times from 1 on; those on a grid, η₀ alone at first, can be followed, and three more join at an end of the grid
    where the best rate lies there.
    Tie: the smallest of the best shares, then the smallest rate.
    Cost: O(516·N) per round. No parameters, no range, no horizon. With the gradient trick (the default) losses are
    the gradient at the prediction times the advice, at each rate at its own prediction.

    Guarantee: none: to follow the best so far has no bound of its own, and each of them has tracking.fixed_share only for a
    declared range.
    Source: Devaine, Gaillard, Goude and Stoltz 2013; FS of the R package opera without a rate and a share.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> run = ls.hedge(ls.CalibratedFixedShare(), np.array([[1.0, 0.0], [1.0, 0.0]]), keep=("weights",))
        >>> run.weights[1].round(4)            # η = 1/mean|±1/2 − log 2| and α = 10⁻⁴: nearly 1/(1 + e^1.4427)
        array([0.1912, 0.8088])
    """

    source: ClassVar[str] = "Devaine, Gaillard, Goude and Stoltz 2013; opera 1.2"

    @property
    def _shares(self) -> int:
        return len(ALPHAS)

    def init(self, experts: int) -> ExpertState:
        """Even shares at every rate; the share 10⁻² in the first round."""
        rules = len(ALPHAS) * RATES
        return ExpertState(
            shares=np.full(rules * experts, 1.0 / experts),
            losses=np.zeros(rules),
            grid=np.full(2, float(REACH)),
            best=np.full(1, float(2 * RATES + REACH)),
            start=np.zeros(1),
        )

    def compiled(self, state: ExpertState) -> _core.CompiledExperts:
        """The compiled form."""
        return _core.calibrated_fixed_share(
            shares=state.shares,
            losses=state.losses,
            grid=state.grid,
            best=state.best,
            start=state.start,
            alphas=list(ALPHAS),
        )

    def _table(self, state: ExpertState) -> FloatArray:
        return state.shares.reshape(len(ALPHAS), RATES, -1)

    def _mixed(self, rows: FloatArray, etas: FloatArray, awake: BoolArray) -> FloatArray:
        weights = np.where(awake, rows, 0.0)
        return weights / in_order(weights)[..., None]

    def _move(self, table: FloatArray, regrets: FloatArray, etas: FloatArray) -> None:
        alphas = np.array(ALPHAS)[:, None, None]
        table *= exponentials(etas * (regrets - np.max(regrets, axis=-1, keepdims=True)))
        table[:] = alphas / table.shape[-1] + (1.0 - alphas) * (table / in_order(table)[..., None])
