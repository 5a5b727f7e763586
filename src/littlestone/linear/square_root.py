"""A covariance over all pairs of features, kept by a square root, for rules that learn with the full matrix."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, final

import numpy as np

from littlestone.errors import NotApplicable
from littlestone.schema import Array, Axis

if TYPE_CHECKING:
    from littlestone import _core
    from littlestone.arrays import FloatArray

ROOT = Array(Axis.PAIR)
"""R with P = RᵀR."""

MOST = 4096
"""Features at most: their matrix takes 128 MB, and a round 34 million products."""


@final
class Look(NamedTuple):
    """What a covariance makes of a row: Rx, Px and xᵀPx."""

    image: FloatArray
    direction: FloatArray
    spread: float


def fresh_root(width: int, precision: float, rule: str, instead: str) -> FloatArray:
    """The root of I/precision.

    Raises:
        NotApplicable: if there are more features than a matrix is kept for.
    """
    if width > MOST:
        raise NotApplicable(
            f"{rule} keeps a number per pair of features and takes {MOST} features at most, got {width}; {instead} keeps one "
            "per feature"
        )
    root: FloatArray = np.eye(width) / math.sqrt(precision)
    return root


def look(root: FloatArray, row: _core.Row) -> Look:
    """Rx, Px and xᵀPx = ‖Rx‖²."""
    image, direction, spread = np.zeros(len(root)), np.zeros(len(root)), 0.0
    for j, value in zip(row.indices.tolist(), row.values.tolist(), strict=True):
        image += value * root[:, j]
    for square in (image * image).tolist():
        spread += square
    for i in np.flatnonzero(image).tolist():
        direction += image[i] * root[i]
    return Look(image, direction, spread)


def learn(root: FloatArray, seen: Look, precision: float) -> None:
    """P ← P − Pxxᵀ P/(1/precision + xᵀPx), as Potter does it on the root: R ← R − γ·Rx·(Px)ᵀ."""
    grown = 1.0 + precision * seen.spread
    gamma = precision / (grown + math.sqrt(grown))
    root -= np.outer(gamma * seen.image, seen.direction)
