"""Kernel expansions w = Σ α_p φ(x_p): what a kernel rule has for weights."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol, Self, TypeAlias, final

import numpy as np

from littlestone.errors import InvalidData
from littlestone.kernels.functions import Kernel, Points, self_value
from littlestone.kernels.point_set import PointSet

if TYPE_CHECKING:
    from littlestone import _core
    from littlestone.arrays import FloatArray

# As in core/kernels/expansion.h: a point nearer to the span of the others than this share of K(x, x) adds nothing new.
_DEPENDENT = 1e-10
# A squared length further below 0 than this share of the lengths it came from is no rounding.
_NEGATIVE = 1e-9


class Expansion(Protocol):
    """A set of points with coefficients. `_core.Expansion` is the compiled one."""

    def look(self, batch: _core.Batch, t: int) -> None:
        """Evaluates the kernel between a row and every point; what follows speaks of this row."""
        ...

    def score(self) -> float:
        """w·φ(x)."""
        ...

    def self(self) -> float:
        """K(x, x)."""
        ...

    def values(self) -> FloatArray:
        """K(x, x_p) for every point p."""
        ...

    def add(self, step: float) -> None:
        """W ← w + step·φ(x), or what the budget leaves of it."""
        ...

    def shrink(self, factor: float) -> None:
        """W ← factor·w."""
        ...

    def mirror(self) -> None:
        """W ← −w, in the average too."""
        ...

    def begin_round(self) -> None:
        """Counts a round."""
        ...

    def coefficients(self) -> FloatArray:
        """The coefficient of each point in w."""
        ...

    def averaged(self) -> FloatArray:
        """The coefficient of each point in the mean of the w used so far."""
        ...

    def set_coefficients(self, values: FloatArray) -> None:
        """Gives each point a coefficient."""
        ...

    def parts(self) -> dict[str, FloatArray]:
        """What decides how the expansion goes on, as arrays by name."""
        ...

    def __len__(self) -> int:
        """How many points there are."""
        ...

    @property
    def norm_squared(self) -> float:
        """‖w‖², kept incrementally."""
        ...

    @property
    def self_sum(self) -> float:
        """The sum of K(x, x) over the updates."""
        ...

    @property
    def distortion(self) -> float:
        """The sum over the updates of the length that projecting took away."""
        ...

    @property
    def rounds(self) -> float:
        """How many rounds there were."""
        ...

    @property
    def dropped(self) -> int:
        """How many points the budget dropped."""
        ...


@final
class DefinedExpansion:
    """The definition, for any kernel: `core/kernels/expansion.h` repeats it for the kernels it knows."""

    def __init__(self, kernel: Kernel, *, budget: int, project: bool) -> None:
        self._kernel = kernel
        self._budget = budget
        self._project = project
        self._points = PointSet(objects=kernel.reads_objects)
        self._alpha = np.zeros(0)
        self._drift = np.zeros(0)
        self._x: object = None
        self._values = np.zeros(0)
        self._self = 0.0
        self._oldest = 0
        self._longest = 0.0
        self.norm_squared = 0.0
        self.self_sum = 0.0
        self.distortion = 0.0
        self.rounds = 0.0
        self.dropped = 0

    def look(self, batch: _core.Batch, t: int) -> None:
        """Evaluates the kernel between a row and every point."""
        row = batch[t]
        if self._kernel.reads_objects:
            self._look(row.object)
            return
        x = np.zeros(batch.width)
        x[row.indices] = row.values
        self._look(x)

    def _look(self, x: object) -> None:
        self._x = self._points.fitted(x)
        self._self = self_value(self._kernel, self._x)
        self._values = self._evaluated(self._x)

    def _evaluated(self, x: object) -> FloatArray:
        return self._kernel.values(self._points.read(), x) if len(self) else np.zeros(0)

    def score(self) -> float:
        """w·φ(x)."""
        return float(self._alpha @ self._values)

    def self(self) -> float:
        """K(x, x)."""
        return self._self

    def values(self) -> FloatArray:
        """K(x, x_p) for every point p."""
        return self._values

    def add(self, step: float) -> None:
        """W ← w + step·φ(x), or what the budget leaves of it."""
        self.self_sum += self._self
        known = self._points.find(self._x)
        if known is not None:
            self._grow_norm(step, self._self)
            self._move(known, step)
        elif self._project and self._budget:
            self._add_projected(step)
        elif not self._budget or len(self) < self._budget:
            self._append(step)
        else:
            self._replace_oldest(step)

    def shrink(self, factor: float) -> None:
        """W ← factor·w."""
        self._alpha *= factor
        self.norm_squared *= factor * factor

    def mirror(self) -> None:
        """W ← −w, in the average too."""
        self._alpha, self._drift = 0.0 - self._alpha, 0.0 - self._drift  # a zero stays +0, as a run leaves it

    def begin_round(self) -> None:
        """Counts a round."""
        self.rounds += 1.0

    def coefficients(self) -> FloatArray:
        """The coefficient of each point in w."""
        return self._alpha.copy()

    def averaged(self) -> FloatArray:
        """The coefficient of each point in the mean of the w used so far (spec: the lazy form of B2)."""
        mean: FloatArray = (self.rounds * self._alpha - self._drift) / self.rounds
        return mean

    def set_coefficients(self, values: FloatArray) -> None:
        """Gives each point a coefficient."""
        self._alpha = values.copy()

    def parts(self) -> dict[str, FloatArray]:
        """What decides how the expansion goes on but for the points, as arrays by name."""
        scalars = (self.norm_squared, self.self_sum, self.distortion, self.rounds, float(self.dropped), float(self._oldest))
        names = ("norm_squared", "self_sum", "distortion", "rounds", "dropped", "oldest")
        named = {name: np.array([value]) for name, value in zip(names, scalars, strict=True)}
        return {"alpha": self._alpha.copy(), "drift": self._drift.copy(), **named}

    def points(self) -> Points:
        """A copy of the points: a matrix with a point per row, or a list of objects."""
        return self._points.read().copy()

    def __len__(self) -> int:
        return len(self._points)

    def copy(self) -> Self:
        """An expansion of its own with the same points."""
        twin = type(self)(self._kernel, budget=self._budget, project=self._project)
        twin.restore(self)
        return twin

    def restore(self, saved: Self) -> None:
        """Puts back what a copy made earlier holds."""
        self.__dict__.update(saved.__dict__)
        self._points = saved._points.copy()
        self._alpha, self._drift = saved._alpha.copy(), saved._drift.copy()

    def _grow_norm(self, step: float, length_squared: float) -> None:
        own = step * step * length_squared
        self.norm_squared += 2.0 * step * self.score() + own
        self._longest = max(self._longest, self.norm_squared, own)
        check_length(self.norm_squared, self._longest, "w")

    def _move(self, p: int, change: float) -> None:
        self._alpha[p] += change
        self._drift[p] += self.rounds * change

    def _append(self, step: float) -> None:
        self._grow_norm(step, self._self)
        self._points.append(self._x)
        self._alpha, self._drift = np.append(self._alpha, 0.0), np.append(self._drift, 0.0)
        self._values = np.append(self._values, self._self)
        self._move(len(self) - 1, step)

    def _replace_oldest(self, step: float) -> None:
        slot, fresh = self._oldest, self._x
        self._look(self._points[slot])
        self._grow_norm(-float(self._alpha[slot]), self._self)
        self._points.replace(slot, fresh)
        self._alpha[slot] = self._drift[slot] = 0.0
        self._look(fresh)
        self._grow_norm(step, self._self)
        self._move(slot, step)
        self._oldest = (slot + 1) % self._budget
        self.dropped += 1

    def _add_projected(self, step: float) -> None:
        beta = self._coordinates()
        inside = float(beta @ self._values)
        outside = max(self._self - inside, 0.0)
        if len(self) < self._budget and outside > _DEPENDENT * self._self:
            self._append(step)
            return
        self._grow_norm(step, inside)
        self.distortion += abs(step) * math.sqrt(outside)
        for p, coordinate in enumerate(beta):
            self._move(p, step * float(coordinate))

    def _coordinates(self) -> FloatArray:
        """Of the projection of φ(x) onto the span of the points."""
        if not len(self):
            return np.zeros(0)
        matrix = np.array([self._evaluated(self._points.fitted(self._points[p])) for p in range(len(self))])
        try:
            solved: FloatArray = np.linalg.solve(matrix, self._values)
        except np.linalg.LinAlgError:
            raise InvalidData("the kernel's values on the support points are singular; it must be positive definite") from None
        return solved


def check_length(squared: float, scale: float, what: str) -> None:
    """Refuses a squared length that only a function which is no kernel can give.

    Raises:
        InvalidData: if it is negative by more than a rounding of the lengths it came from.
    """
    if squared < -_NEGATIVE * scale:
        raise InvalidData(f"the squared length of {what} came out as {squared:.6g}; the kernel must be positive definite")


AnyExpansion: TypeAlias = "DefinedExpansion | _core.Expansion"
