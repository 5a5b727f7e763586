"""The spaces in which the centres of balls move; every rule of one class says which is its own (`LinearRule.proofs`)."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone.errors import NotApplicable
from littlestone.kernels import KernelRule, Support
from littlestone.progress import Patience
from littlestone.theory.comparators import nearest_centre, relative_entropy
from littlestone.theory.spaces import dense_rows, feature_rows, vector_of
from littlestone.theory.uniclass import Around
from littlestone.uniclass import RadiusUniclass
from littlestone.uniclass.simplex_centre import SimplexCentre

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from littlestone import _core
    from littlestone.arrays import FloatArray
    from littlestone.rule import LinearRule
    from littlestone.state import State


class BallSpace(ABC):
    """Rows as vectors, where the centre is among them, and how far it is from another; here, as they are."""

    first_counts: ClassVar[bool] = False
    """Whether the first row is a round of the proof; not where it is the first centre."""

    def rows(self, rule: LinearRule, batch: _core.Batch) -> FloatArray:
        """A vector per row."""
        return dense_rows(batch)

    def first(self, rows: FloatArray) -> FloatArray:
        """The centre that a run begins with: the first row."""
        return rows[0] if len(rows) else np.zeros(rows.shape[1])

    def given(self, rows: FloatArray, against: npt.ArrayLike) -> FloatArray:
        """A centre as a caller says it."""
        return vector_of(against, rows.shape[1], "a centre, one number per feature")

    def nearest(self, rows: FloatArray, most: float, first: FloatArray) -> FloatArray:
        """Of the centres that are at most so far from every row, the nearest to the first."""
        return nearest_centre(rows, most, first).u

    def around(self, rows: FloatArray, u: FloatArray, most: float, passes: int) -> Around:
        """What a theorem is told of a centre."""
        first, radius = self.first(rows), _radius(rows, u)
        inside = _is_distribution(u)
        return Around(radius, self.between(first, u), inside, passes * _resting(rows - first, most, radius))

    def between(self, first: FloatArray, u: FloatArray) -> float:
        """How far u is from the first centre."""
        return self.distance(u, first)

    def proved(self, rows: FloatArray, u: FloatArray, most: float) -> tuple[FloatArray, FloatArray]:
        """Rows and centre as the proof has them."""
        return rows, u

    @abstractmethod
    def place(self, batch: _core.Batch, rows: FloatArray) -> Callable[[State], FloatArray]:
        """A function that says where the centre of a state is."""

    def distance(self, u: FloatArray, w: FloatArray) -> float:
        """How far u is from a place."""
        return float(np.sum((w - u) ** 2))

    def steps_are_whole(self, rule: LinearRule) -> bool:
        """Whether every step brings its row into the ball."""
        return True


@final
class Euclidean(BallSpace):
    """That of the rows."""

    def place(self, batch: _core.Batch, rows: FloatArray) -> Callable[[State], FloatArray]:
        """The centre as it is."""
        return lambda state: state.w.copy()


@final
class OfKernel(BallSpace):
    """That of a kernel, where a centre is a sum of rows, told by coefficients."""

    def rows(self, rule: LinearRule, batch: _core.Batch) -> FloatArray:
        """Vectors whose dot products are the kernel's."""
        assert isinstance(rule, KernelRule)
        return feature_rows(rule, batch)

    def given(self, rows: FloatArray, against: npt.ArrayLike) -> FloatArray:
        """Σ β_t φ(x_t)."""
        given: FloatArray = vector_of(against, len(rows), "coefficients, one per row") @ rows
        return given

    def place(self, batch: _core.Batch, rows: FloatArray) -> Callable[[State], FloatArray]:
        """The vector with the scores that the state gives the rows."""
        return place_in_kernel(batch, rows)


@final
class OfDistributions(BallSpace):
    """That of distributions over the features. A place is told by its logarithms, which no underflow reaches."""

    first_counts: ClassVar[bool] = True

    def first(self, rows: FloatArray) -> FloatArray:
        """An even share of each feature."""
        return np.full(rows.shape[1], 1.0 / max(1, rows.shape[1]))

    def nearest(self, rows: FloatArray, most: float, first: FloatArray) -> FloatArray:
        """By divergence."""
        return _nearest_distribution(rows, most, first)

    def between(self, first: FloatArray, u: FloatArray) -> float:
        """Σ u·log(u/w₁)."""
        return relative_entropy(u, first) if _is_distribution(u) else math.nan

    def proved(self, rows: FloatArray, u: FloatArray, most: float) -> tuple[FloatArray, FloatArray]:
        """As they are.

        Raises:
            NotApplicable: if the centre is no distribution.
        """
        if not _is_distribution(u):
            raise NotApplicable("against is not a distribution over the features; the theorem compares with one")
        return rows, u

    def place(self, batch: _core.Batch, rows: FloatArray) -> Callable[[State], FloatArray]:
        """The logarithms of the weights."""
        return _logarithms

    def distance(self, u: FloatArray, w: FloatArray) -> float:
        """Σ u·log(u/w)."""
        held = u > 0.0
        return float(np.sum(u[held] * (np.log(u[held]) - w[held])))


@final
class Lifted(BallSpace):
    """That of the rows and one dimension more, in which every ball of at most a radius has that radius."""

    def around(self, rows: FloatArray, u: FloatArray, most: float, passes: int) -> Around:
        """With the lift of the ball."""
        radius = _radius(rows, u)
        lift = _lift(most, radius)
        apart = self.between(self.first(rows), u) + (most - lift) ** 2
        return Around(math.hypot(radius, lift), apart, in_simplex=False)

    def proved(self, rows: FloatArray, u: FloatArray, most: float) -> tuple[FloatArray, FloatArray]:
        """Rows lie at the height 0, the centre at its lift."""
        return np.column_stack([rows, np.zeros(len(rows))]), np.append(u, _lift(most, _radius(rows, u)))

    def place(self, batch: _core.Batch, rows: FloatArray) -> Callable[[State], FloatArray]:
        """The centre and its lift."""
        return lambda state: np.append(state.w, state.lift)

    def steps_are_whole(self, rule: LinearRule) -> bool:
        """Not with slack."""
        assert isinstance(rule, RadiusUniclass)
        return rule.variant == "PA"


def place_in_kernel(batch: _core.Batch, rows: FloatArray) -> Callable[[State], FloatArray]:
    """Where a support set is among the vectors of `feature_rows`: at the vector with the same scores on the rows."""
    inverse = np.linalg.pinv(rows)

    def place(state: State) -> FloatArray:
        assert isinstance(state, Support)
        scores = np.zeros(len(batch))
        for t in range(len(batch)):
            state.expansion.look(batch, t)
            scores[t] = state.expansion.score()
        found: FloatArray = inverse @ scores
        return found

    return place


def _radius(rows: FloatArray, u: FloatArray) -> float:
    """How far the farthest row is."""
    return float(np.linalg.norm(rows - u, axis=1).max(initial=0.0))


def _lift(most: float, radius: float) -> float:
    """The lift of a ball of a radius; 0 where it is larger than the bound."""
    return math.sqrt(max(most**2 - radius**2, 0.0))


def _is_distribution(u: FloatArray) -> bool:
    return bool((u >= 0.0).all()) and abs(float(u.sum()) - 1.0) <= 1e-9


def _resting(apart: FloatArray, epsilon: float, radius: float) -> float:
    """Σℓ² + 2(ε − ε*)Σℓ of a centre that never moves from w₁."""
    losses = np.maximum(np.linalg.norm(apart, axis=1) - epsilon, 0.0)
    return float(np.sum(losses**2) + 2.0 * max(epsilon - radius, 0.0) * np.sum(losses))


def _logarithms(state: State) -> FloatArray:
    assert isinstance(state, SimplexCentre)
    logs: FloatArray = state.log_weights - float(state.shift[0]) - np.log(float(state.total[0]))
    return logs


def _nearest_distribution(rows: FloatArray, epsilon: float, first: FloatArray) -> FloatArray:
    """Minimises Σ u·log(u/w₁) with every row within ε of u, a distribution; any answer is a valid comparator."""
    from scipy.optimize import LinearConstraint, NonlinearConstraint, minimize

    def apart(u: FloatArray) -> FloatArray:
        slack: FloatArray = epsilon**2 * (1.0 - 1e-6) - np.sum((rows - u) ** 2, axis=1)
        return slack

    def divergence(u: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
        return relative_entropy(np.maximum(u, 0.0), first)

    within, whole = NonlinearConstraint(apart, 0.0, np.inf), LinearConstraint(np.ones((1, len(first))), 1.0, 1.0)
    with Patience(f"nearest mixture of {len(first):,} features"):
        found = minimize(
            divergence,
            first.tolist(),
            method="SLSQP",
            bounds=[(1e-12, 1.0)] * len(first),
            constraints=[within, whole],
            options={"maxiter": 500},
        )
    u = np.maximum(np.asarray(found.x, dtype=np.float64), 0.0)
    shares: FloatArray = u / u.sum()
    return shares
