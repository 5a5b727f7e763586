"""A centre among the distributions over the features."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self, final

import numpy as np

from littlestone import _core
from littlestone.errors import InvalidData
from littlestone.schema import Array, Axis, Schema, weighted_sum
from littlestone.state import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from littlestone.arrays import FloatArray


@final
class SimplexCentre(State):
    """Log-weights: w = softmax(θ). Features that no update has had yet share one log-weight, `rest`.

    `theta` and `power` = exp(theta − shift) are of the features that were `seen`; `order` lists these in the order of their
    first update, and `count` says how many. `total` and `squares` are the sums of all powers and of their squares. As in
    core/rules/multiplicative_uniclass.h.
    """

    __slots__ = ()

    DECLARED: ClassVar[Schema] = {name: Array(Axis.FEATURE) for name in ("theta", "power", "seen", "order")}

    @classmethod
    def uniform(cls, width: int) -> Self:
        """The uniform distribution."""
        arrays = {name: np.zeros(width) for name in ("theta", "power", "seen", "order")}
        scalars = {name: np.zeros(1) for name in ("count", "rest", "shift")}
        # Without a feature there is no distribution; a total of 1 keeps the distance of an empty row at 0.
        return cls(**arrays, **scalars, total=np.array([max(float(width), 1.0)]), squares=np.array([float(width)]))

    @property
    def w(self) -> FloatArray:
        """The centre."""
        weights = np.exp(self.log_weights - float(self.shift[0]))
        shares: FloatArray = weights / float(self.total[0])
        return shares

    def parts_by_feature(self) -> bool:
        """Never: `order` and the sums are of all features that were seen."""
        return False

    @property
    def log_weights(self) -> FloatArray:
        """θ, of all features."""
        theta: FloatArray = np.where(self.seen != 0.0, self.theta, self.rest[0])
        return theta

    @property
    def unscaled(self) -> FloatArray:
        """The log-weights of the features that were seen."""
        return self._arrays["theta"]

    def move(self, row: _core.Row, step: float) -> None:
        """θ ← θ + step·(x − w)."""
        theta = self.log_weights - step * self.w
        theta[row.indices] += step * row.values
        for feature in row.indices[row.values != 0.0]:
            if not self.seen[feature]:
                self.order[int(self.count[0])] = feature
                self.count[0] += 1.0
            self.seen[feature] = 1.0
        unseen = self.seen == 0.0
        self.rest[0] = theta[unseen][0] if unseen.any() else self.rest[0]
        self.theta[:] = np.where(unseen, 0.0, theta)
        self._refill(theta)

    def _refill(self, theta: FloatArray) -> None:
        self.shift[0] = theta.max()
        power = np.exp(theta - self.shift[0])
        self.power[:] = np.where(self.seen != 0.0, power, 0.0)
        self.total[0], self.squares[0] = power.sum(), np.sum(power**2)

    def mixed(self, others: Sequence[Self], shares: FloatArray) -> Self:
        """The mean of the log-weights, in which D(u‖w) is convex; powers and sums are read off it."""
        parts: list[Self] = [self, *others]
        together = type(self).uniform(self.width)
        together.seen[:] = np.max([part.seen for part in parts], axis=0)
        members = np.flatnonzero(together.seen)
        together.order[: len(members)] = members
        together.count[0] = len(members)
        together.rest[:] = weighted_sum([part.rest for part in parts], shares)
        theta = weighted_sum([part.log_weights for part in parts], shares)
        together.theta[:] = np.where(together.seen != 0.0, theta, 0.0)
        together._refill(theta)
        return together

    def grown(self, fresh: State) -> Self:
        """Refused.

        Raises:
            InvalidData: always: the first centre was uniform over the features known then.
        """
        raise InvalidData("a row brings new features; MultiplicativeUniclass must know them all from the first row")
