"""Array types used throughout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from littlestone.lazy import np

if TYPE_CHECKING:
    import numpy.typing as npt

FloatArray: TypeAlias = "npt.NDArray[np.float64]"
ByteArray: TypeAlias = "npt.NDArray[np.uint8]"
BoolArray: TypeAlias = "npt.NDArray[np.bool_]"
SignArray: TypeAlias = "npt.NDArray[np.int8]"
ClassArray: TypeAlias = "npt.NDArray[np.int32]"
VectorLike: TypeAlias = "FloatArray | Sequence[float]"
"""A vector as a parameter is given; a rule keeps it as a read-only array."""


def frozen_vector(values: npt.ArrayLike) -> FloatArray:
    """A read-only copy, so that a rule that holds it stays a value."""
    vector = np.array(values, dtype=np.float64)
    vector.setflags(write=False)
    return vector
