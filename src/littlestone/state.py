"""States: the named float64 arrays that a rule moves, and the running sum of the weights."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Self, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray


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

    def restore(self, saved: State) -> None:
        """Puts back the numbers of a copy made earlier."""
        for name, array in self._arrays.items():
            array[:] = saved.arrays[name]

    def grown(self, fresh: State) -> Self:
        """This state continued to the width (at least 2) of a fresh one, whose tail says how new features start."""
        old, new = len(self.unscaled), len(fresh.unscaled)
        longer = dict(self._arrays)
        for name, array in self._arrays.items():
            if len(fresh.arrays[name]) == new:
                longer[name] = np.concatenate([array, fresh.arrays[name][old:]])
        return type(self)(**longer)

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
