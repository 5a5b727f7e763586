"""Balls: the smallest one around points, and the nearest centre of one of a given radius (MEB and BALL)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.errors import InvalidData
from littlestone.progress import Patience
from littlestone.theory.comparators.descent import NearOptimum
from littlestone.theory.comparators.smooth import ascend

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray

_MOST_STEPS = 100_000
_INNER = 1e-7


@final
@dataclass(frozen=True)
class EnclosingBall:
    """A centre, the radius that reaches every point from it, and a radius that no smaller ball can beat."""

    centre: FloatArray
    radius: float
    lower: float


def smallest_ball(X: npt.ArrayLike, *, tolerance: float = 1e-9) -> EnclosingBall:
    """The smallest ball around the rows, by Frank-Wolfe with away steps on its dual.

    Example:
        >>> from littlestone.theory.comparators import smallest_ball
        >>> ball = smallest_ball([[100.0, 1.0], [101.0, -1.0]])
        >>> ball.centre, round(ball.radius**2, 12)
        (array([100.5,   0. ]), 1.25)
    """
    points = _points(X)
    origin = points.mean(axis=0)
    moved = points - origin
    weights = np.zeros(len(points))
    weights[0] = 1.0
    lower = 0.0
    with Patience(f"smallest ball around {len(points):,} points"):
        for _ in range(_MOST_STEPS):
            centre = weights @ moved
            distances = np.sum((moved - centre) ** 2, axis=1)
            lower = max(lower, float(weights @ distances))
            if float(distances.max()) <= lower * (1.0 + tolerance):
                break
            _step(weights, moved, centre, distances)
    centre = weights @ moved
    radius = math.sqrt(float(np.sum((moved - centre) ** 2, axis=1).max()))
    return EnclosingBall(centre + origin, radius, math.sqrt(lower))


def _step(weights: FloatArray, points: FloatArray, centre: FloatArray, distances: FloatArray) -> None:
    """Towards the farthest point, or away from the nearest one that carries weight, whichever promises more."""
    mean = float(weights @ distances)
    far = int(distances.argmax())
    held = np.flatnonzero(weights > 0.0)
    near = int(held[distances[held].argmin()])
    if distances[far] - mean >= mean - distances[near]:
        length = float(np.sum((points[far] - centre) ** 2))
        step = min(1.0, (distances[far] - mean) / (2.0 * length))
        weights *= 1.0 - step
        weights[far] += step
        return
    length, most = float(np.sum((points[near] - centre) ** 2)), weights[near] / (1.0 - weights[near])
    step = most if length == 0.0 else min(most, (mean - distances[near]) / (2.0 * length))
    weights *= 1.0 + step
    weights[near] = 0.0 if step == most else weights[near] - step


def nearest_centre(X: npt.ArrayLike, radius: float, start: npt.ArrayLike) -> NearOptimum:
    """Minimises ‖w − w₁‖ with ‖x − w‖ ≤ radius for every row, by its dual w = (w₁ + Σ aₜxₜ)/(1 + Σ aₜ), aₜ ≥ 0.

    Example:
        >>> from littlestone.theory.comparators import nearest_centre
        >>> nearest_centre([[3.0, 4.0]], 1.0, [0.0, 0.0]).u.round(5)
        array([2.4, 3.2])
    """
    points, first = _points(X), np.asarray(start, dtype=np.float64)
    squared = (radius * (1.0 - _INNER)) ** 2

    def centre(a: FloatArray) -> FloatArray:
        pulled: FloatArray = (first + a @ points) / (1.0 + a.sum())
        return pulled

    def dual(a: FloatArray) -> tuple[float, FloatArray]:
        w = centre(a)
        excess = np.sum((points - w) ** 2, axis=1) - squared
        return -0.5 * float(np.sum((w - first) ** 2) + a @ excess), -0.5 * excess

    return NearOptimum(_drawn_in(points, centre(ascend(dual, len(points))), radius), math.nan)


def _drawn_in(points: FloatArray, u: FloatArray, radius: float) -> FloatArray:
    """A centre that missed a row by a little, as far towards that of the smallest ball as brings every row into its own."""

    def holds(w: FloatArray) -> bool:
        return float(np.sum((points - w) ** 2, axis=1).max()) <= radius**2

    if holds(u) or not holds(inmost := smallest_ball(points).centre):  # there is none
        return u
    outside, inside = 0.0, 1.0
    for _ in range(50):
        middle = 0.5 * (outside + inside)
        outside, inside = (outside, middle) if holds(u + middle * (inmost - u)) else (middle, inside)
    drawn: FloatArray = u + inside * (inmost - u)
    return drawn


def _points(X: npt.ArrayLike) -> FloatArray:
    points = np.asarray(X, dtype=np.float64)
    if points.ndim != 2 or len(points) == 0 or not np.isfinite(points).all():
        raise InvalidData("the points are not a matrix of finite numbers with a row at least")
    return points
