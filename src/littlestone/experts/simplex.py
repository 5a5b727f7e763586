"""The nearest distribution."""

from __future__ import annotations

import numpy as np

from littlestone.arrays import FloatArray


def level(losses: FloatArray) -> float:
    """The mean, measured from the first: of losses that are all the same it is exactly they, and nothing is left above it."""
    return float(losses[0] + np.mean(losses - losses[0]))


def to_simplex(point: FloatArray) -> FloatArray:
    """The distribution nearest to a point: what is above a level, found by going down the sorted entries.

    Held, Wolfe and Crowder 1974.

    Example:
        >>> to_simplex(np.array([0.8, 0.6, -1.0]))
        array([0.6, 0.4, 0. ])
    """
    ordered = np.sort(point)[::-1]
    levels = (np.cumsum(ordered) - 1.0) / np.arange(1, len(point) + 1)
    above = int(np.argmin(ordered > levels)) or len(point)
    nearest: FloatArray = np.maximum(point - levels[above - 1], 0.0)
    return nearest
