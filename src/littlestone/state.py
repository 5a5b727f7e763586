"""States: the named float64 arrays that a rule moves, and the running sum of the weights."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Self, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.errors import InvalidData


class State(ABC):
    """Named arrays. `state.w` is the vector the score is taken with; arrays of length 1 are scalars of the rule."""

    __slots__ = ("_arrays",)

    def __init__(self, **arrays: FloatArray) -> None:
        self._arrays = arrays

    @property
    @abstractmethod
    def w(self) -> FloatArray:
        """The weights the score is taken with."""

    @property
    @abstractmethod
    def unscaled(self) -> FloatArray:
        """The array that updates are added to: w itself, or w divided by a common scale."""

    def __getattr__(self, name: str) -> FloatArray:
        """An array by its name."""
        if name == "_arrays" or name not in self._arrays:
            raise AttributeError(f"this state has no array {name!r}")
        return self._arrays[name]

    @property
    def arrays(self) -> Mapping[str, FloatArray]:
        """Every array by its name."""
        return self._arrays

    @property
    def size(self) -> int:
        """How many numbers the state holds."""
        return sum(len(array) for array in self._arrays.values())

    def copy(self) -> Self:
        """A state of its own with the same numbers."""
        return type(self)(**{name: array.copy() for name, array in self._arrays.items()})

    def holding(self, arrays: Mapping[str, FloatArray]) -> Self:
        """A state of this kind and shape over other arrays."""
        return type(self)(**arrays)

    def restore(self, saved: State) -> None:
        """Puts back the numbers of a copy made earlier."""
        for name, array in self._arrays.items():
            array[:] = saved.arrays[name]

    def refilled(self, arrays: Mapping[str, FloatArray], width: int) -> Self:
        """A state of this kind, fresh at a width, with the arrays that another one had.

        Raises:
            InvalidData: if they are not the arrays of such a state.
        """
        if set(arrays) != set(self._arrays):
            raise InvalidData(f"its state has the arrays {sorted(arrays)}, not {sorted(self._arrays)}")
        for name, array in self._arrays.items():
            if len(arrays[name]) != len(array):
                raise InvalidData(f"the array {name!r} has {len(arrays[name])} numbers, not {len(array)}")
        return self.holding(arrays)

    def grown(self, fresh: State) -> Self:
        """This state continued to the width of a fresh one, whose tail says how new features start."""
        old, new = len(self.unscaled), len(fresh.unscaled)
        longer = dict(self._arrays)
        for name, array in self._arrays.items():
            if len(array) == old and len(fresh.arrays[name]) == new:
                longer[name] = np.concatenate([array, fresh.arrays[name][old:]])
        return type(self)(**longer)

    def meet(self, row: _core.Row) -> bool:
        """Takes note of a row that is about to be learned, and says whether that moved the state; most note nothing."""
        return False

    def stacks(self) -> bool:
        """Whether only the width decides how long its arrays are, so that those of several states can be one array."""
        return True

    def in_core(self) -> bool:
        """Whether the core holds it, so that a pickle is made of its arrays."""
        return False

    def cut(self, width: int) -> Self:
        """The same arrays without the room behind a width."""
        old = len(self.unscaled)
        if width >= old:
            return self
        return type(self)(**{name: array[:width] if len(array) == old else array for name, array in self._arrays.items()})

    def __repr__(self) -> str:
        shapes = ", ".join(f"{name}[{len(array)}]" for name, array in self._arrays.items())
        return f"{type(self).__name__}({shapes})"


@final
class Weights(State):
    """A state whose array `w` is the weight vector."""

    __slots__ = ()

    @property
    def w(self) -> FloatArray:
        """The weights."""
        return self._arrays["w"]

    @property
    def unscaled(self) -> FloatArray:
        """The weights."""
        return self._arrays["w"]


@final
class ScaledWeights(State):
    """A state with weights `scale * v`, for rules that shrink every weight in every round."""

    __slots__ = ()

    # As in core/weights.h: folding early keeps the cancellation in the running sum small.
    FOLD_BELOW = 1e-6

    @property
    def w(self) -> FloatArray:
        """The weights scale * v."""
        return self._arrays["v"] * float(self._arrays["scale"][0])

    @property
    def unscaled(self) -> FloatArray:
        """The array v."""
        return self._arrays["v"]

    def add(self, row: _core.Row, step: float) -> None:
        """Adds step * x to the weights."""
        row.add_to(self._arrays["v"], step / self._arrays["scale"][0])

    def shrink(self, factor: float) -> None:
        """Multiplies every weight by the factor."""
        scale = self._arrays["scale"]
        scale[0] *= factor
        if scale[0] < self.FOLD_BELOW:
            self._arrays["v"] *= scale[0]
            scale[0] = 1.0


class _LogWeights(State, ABC):
    """What the two states of log-weights share: the powers of theta at a shift, and their sum, kept in twice the precision.

    The truth is `theta`; `lean` (what a score is taken with) and `weigh` (what the normaliser sums) are read off it at a
    common shift, so a weight that has all but vanished can return. `slack` bounds the error of the sum: see
    core/log_weights.h. The first `members` features are in the sum; behind them may be room for features to come, which
    join in the round in which they are first learned, with log-weight 0. `log_size` is log N, and takes its place in the
    theorems: it grows by the logarithm of what late features add to the sum, which is what they add to the proofs.
    """

    __slots__ = ()

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
    def grown(self, fresh: State) -> Self:
        """This state with room to the width of a fresh one; a new feature joins the sum when it is first learned."""
        old, longer = len(self.theta), super().grown(fresh)
        longer.lean[old:], longer._weigh[old:] = 0.0, 0.0
        return longer

    @final
    def meet(self, row: _core.Row) -> bool:
        """Takes the features up to the last one of the row into the sum, and says whether there were new ones."""
        end, old = int(np.max(row.indices, initial=-1)) + 1, int(self.members[0])
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


@final
class Average:
    """The sum of the weights used in each round: settled + mass * unscaled - drift (spec: the lazy form of B2)."""

    __slots__ = ("drift", "mass", "settled")

    def __init__(self, width: int) -> None:
        self.drift: FloatArray = np.zeros(width)
        self.settled: FloatArray = np.zeros(width)
        self.mass: FloatArray = np.zeros(1)

    def total(self, state: State) -> FloatArray:
        """w_1 + ... + w_T."""
        width = len(state.unscaled)
        return self.settled[:width] + float(self.mass[0]) * state.unscaled - self.drift[:width]

    def add(self, weights: FloatArray) -> None:
        """Adds one round's weights outright: what a rule without a kernel does."""
        self.settled += weights

    def resize(self, width: int) -> None:
        """Makes room for new features, whose weights were 0 so far, or takes it back."""
        for name in ("drift", "settled"):
            old: FloatArray = getattr(self, name)
            if len(old) == width:
                continue
            fresh = np.zeros(width)
            fresh[: len(old)] = old[:width]
            setattr(self, name, fresh)

    def copy(self, width: int | None = None) -> Average:
        """An average of its own with the same numbers, without the room behind a width."""
        twin = Average(0)
        twin.drift, twin.settled, twin.mass = self.drift[:width].copy(), self.settled[:width].copy(), self.mass.copy()
        return twin

    def restore(self, saved: Average) -> None:
        """Puts back the numbers of a copy made earlier."""
        self.drift[:], self.settled[:], self.mass[:] = saved.drift, saved.settled, saved.mass

    def bound(self) -> _core.Average:
        """The arrays as the compiled loop takes them."""
        return _core.Average(self.drift, self.settled, self.mass)
