"""States of rules whose weights are exponentials: their logarithms are kept, and the total beside them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Self, final

import numpy as np
import numpy.typing as npt

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.schema import LARGEST, PER_FEATURE, Array, Axis, Mixing, Schema, mixed_array, weighted_sum
from littlestone.state import State


class _LogWeights(State, ABC):
    """What the two states of log-weights share: the powers of theta at a shift, and their sum, kept in twice the precision.

    The truth is `theta`; `lean` (what a score is taken with) and `weigh` (what the normaliser sums) are read off it at a
    common shift, so a weight that has all but vanished can return. `slack` bounds the error of the sum: see
    core/log_weights.h. The first `members` features are in the sum; behind them may be room for features to come, which
    join with log-weight 0 in the round in which a row first names them, were it with a zero. `log_size` is log N, and
    takes its place in the theorems: it grows by the logarithm of what late features add to the sum, which is what they
    add to the proofs.
    """

    __slots__ = ()

    # A feature that comes later has no powers before it joins the sum.
    DECLARED: ClassVar[Schema] = {
        "theta": PER_FEATURE,
        "lean": Array(Axis.FEATURE, fill=0.0, mixing=Mixing.MEAN),
        "weigh": Array(Axis.FEATURE, fill=0.0, mixing=Mixing.MEAN),
        "largest_spread": LARGEST,
    }

    # As in core/log_weights.h.
    LONGEST_MOVE = 1e290
    FAINT = 1e-250

    @classmethod
    def uniform(cls, width: int, *, U: float = 1.0, **scalars: FloatArray) -> Self:
        """Equal log-weights of 0, with further scalars of the rule."""
        size = np.array([float(width)])
        normaliser = {"shift": np.zeros(1), "total": size, "correction": np.zeros(1), "slack": np.zeros(1)}
        own = {"anchor": size.copy(), "members": size.copy(), "log_size": np.log(np.maximum(size, 1.0)), "U": np.array([U])}
        return cls(theta=np.zeros(width), **cls._start(width), **normaliser, **own, **scalars)

    @classmethod
    def of(cls, theta: FloatArray, *, U: float = 1.0, **scalars: FloatArray) -> Self:
        """The state of these log-weights, with further scalars of the rule."""
        state = cls.uniform(len(theta), U=U, **scalars)
        state.theta[:] = theta
        state.refill()
        return state

    @staticmethod
    @abstractmethod
    def _start(width: int) -> dict[str, FloatArray]:
        """The powers of log-weights of 0 at shift 0."""

    @staticmethod
    @abstractmethod
    def _powers(theta: FloatArray, shift: float) -> tuple[FloatArray, FloatArray]:
        """What theta stands for at a shift: (lean, weigh)."""

    @staticmethod
    @abstractmethod
    def _heights(theta: FloatArray) -> FloatArray:
        """How large the powers of theta are, in logarithms."""

    @property
    def _weigh(self) -> FloatArray:
        return self._arrays["weigh"]

    @property
    @final
    def w(self) -> FloatArray:
        """The weights U * lean / sum(weigh), as an array of their own."""
        return float(self.U[0]) * (self.lean / (float(self.total[0]) or 1.0))

    @property
    @final
    def unscaled(self) -> FloatArray:
        """The array `lean`: the weights are a common factor times it."""
        return self._arrays["lean"]

    @final
    def refill(self) -> None:
        """Reads the powers and their sum off theta, at the shift that makes the largest 1."""
        members = int(self.members[0])
        theta = self.theta[:members]
        self.shift[0] = np.max(self._heights(theta)) if members else 0.0
        self.lean[:members], self._weigh[:members] = self._powers(theta, float(self.shift[0]))
        self.total[0] = self.anchor[0] = np.sum(self._weigh)
        self.correction[0] = 0.0
        self.slack[0] = 2.0**-48 * self.total[0]

    @final
    def keeping(self, places: npt.NDArray[np.int64]) -> Self:
        """A state of these features alone, whose weights have the same sum."""
        part = super().keeping(places)
        part.members[0] = np.count_nonzero(places < self.members[0])
        part.refill()
        return part

    @final
    def mixed(self, others: Sequence[Self], shares: FloatArray) -> Self:
        """The mean of the log-weights, in which the potential of the proofs is convex; powers and sum are read off it."""
        together = self.copy()
        together.theta[:] = weighted_sum([part.theta for part in (self, *others)], shares)
        together.members[0] = len(together.theta)
        together.log_size[0] = math.log(max(len(together.theta), 1))
        for name in together.schema.keys() & {"largest_spread"}:
            together.arrays[name][:] = mixed_array(name, together.schema[name].mixing, (self, *others), shares)
        together.refill()
        return together

    @final
    def score(self, row: _core.Row) -> float:
        """U * (lean . x) / sum(weigh); a row whose weights have all underflowed still has the right sign."""
        dot = row.dot(self.lean)
        return self._faint_score(row, dot) if abs(dot) < self.FAINT else self._normalised(dot)

    @final
    def move(self, row: _core.Row, step: float) -> bool:
        """Theta += step * x; False, and nothing moves, where the log-weights could overflow."""
        if not abs(step) * row.largest_entry <= self.LONGEST_MOVE:
            return False
        row.add_to(self.theta, step)
        self.refill()
        return True

    @final
    def settle(self, row: _core.Row, score: float, interval: _core.Interval, tie_tol: float) -> float:
        """The end of the interval that the score is next to, on the scale of tie_tol * sum |w_i x_i|; or the score."""
        if tie_tol == 0.0:
            return score
        slack = tie_tol * self._normalised(float(np.sum(np.abs(self.lean[row.indices] * row.values))))
        ends = (end for end in (interval.low, interval.high) if abs(score - end) <= slack)
        return next(ends, score)

    @final
    def bound(self) -> _core.LogWeights:
        """The arrays as the compiled loop takes them."""
        return _core.LogWeights(
            theta=self.theta,
            lean=self.lean,
            weigh=self._weigh,
            shift=self.shift,
            total=self.total,
            correction=self.correction,
            slack=self.slack,
            anchor=self.anchor,
            members=self.members,
            log_size=self.log_size,
            U=float(self.U[0]),
        )

    @final
    def admits(self) -> bool:
        """A feature joins the sum when it is first learned."""
        return True

    @final
    def meet(self, row: _core.Row) -> bool:
        """Takes the features up to the last one that the row names into the sum, and says whether there were new ones."""
        end, old = row.extent, int(self.members[0])
        if end <= old:
            return False
        before = math.log(self.total[0]) + self.shift[0] if old else 0.0
        self.members[0] = end
        self.refill()
        self.log_size[0] += math.log(self.total[0]) + self.shift[0] - before
        return True

    def _normalised(self, dot: float) -> float:
        return float(self.U[0] * (dot / self.total[0])) if dot else 0.0

    def _faint_score(self, row: _core.Row, dot: float) -> float:
        x = row.values
        theta, x = self.theta[row.indices[x != 0.0]], x[x != 0.0]
        near = self._heights(theta)
        if len(near) == 0 or np.max(near) - self.shift[0] > -500.0:
            return self._normalised(dot)
        highest = float(np.max(near))
        inner = float(np.dot(self._powers(theta, highest)[0], x))
        score = self._normalised(inner * math.exp(highest - self.shift[0]))
        return math.copysign(5e-324, inner) if score == 0.0 and inner != 0.0 else score


@final
class LogWeights(_LogWeights):
    """A state with weights U * exp(theta_i) / sum_j exp(theta_j): all positive, with sum U."""

    __slots__ = ()

    @staticmethod
    def _start(width: int) -> dict[str, FloatArray]:
        return {"lean": np.ones(width)}

    @staticmethod
    def _powers(theta: FloatArray, shift: float) -> tuple[FloatArray, FloatArray]:
        power = np.exp(theta - shift)
        return power, power

    @staticmethod
    def _heights(theta: FloatArray) -> FloatArray:
        return theta

    @property
    def _weigh(self) -> FloatArray:
        return self._arrays["lean"]


@final
class SignedLogWeights(_LogWeights):
    """A state with weights U * sinh(theta_i) / sum_j cosh(theta_j): of either sign, with absolute sum below U.

    It is the state of log-weights for every feature and its negative, with half as many numbers.
    """

    __slots__ = ()

    @staticmethod
    def _start(width: int) -> dict[str, FloatArray]:
        return {"lean": np.zeros(width), "weigh": np.ones(width)}

    @staticmethod
    def _powers(theta: FloatArray, shift: float) -> tuple[FloatArray, FloatArray]:
        size = np.abs(theta)
        inner = np.minimum(size, 20.0)  # beyond 20, sinh and cosh are the same number
        scale = np.exp(size - inner - shift)
        return np.copysign(np.sinh(inner) * scale, theta), np.cosh(inner) * scale

    @staticmethod
    def _heights(theta: FloatArray) -> FloatArray:
        return np.abs(theta)
