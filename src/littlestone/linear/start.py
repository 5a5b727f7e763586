"""The start vector that several rules take."""

from __future__ import annotations

from littlestone.arrays import FloatArray, VectorLike
from littlestone.errors import InvalidData
from littlestone.lazy import np


def start_weights(start: VectorLike | None, width: int) -> FloatArray:
    """A copy of the start vector; features beyond its end start at 0.

    Raises:
        InvalidData: if the rows are narrower than the start vector.
    """
    weights = np.zeros(width)
    if start is None:
        return weights
    if len(start) > width:
        raise InvalidData(f"the start vector has {len(start)} weights and the rows {width} features")
    weights[: len(start)] = start
    return weights
