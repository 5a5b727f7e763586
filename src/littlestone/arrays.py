"""Array types used throughout, and the one way arrays grow."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
ByteArray: TypeAlias = npt.NDArray[np.uint8]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
SignArray: TypeAlias = npt.NDArray[np.int8]
Weights: TypeAlias = "npt.NDArray[np.floating] | list[float] | tuple[float, ...]"


def frozen_vector(values: npt.ArrayLike) -> FloatArray:
    """A read-only copy, so that a rule that holds it stays a value."""
    vector = np.array(values, dtype=np.float64)
    vector.setflags(write=False)
    return vector


def extended(array: FloatArray, fresh: FloatArray) -> FloatArray:
    """The array at the length of `fresh`: continued by the tail of `fresh`, or cut off.

    It grows in place where its buffer has room and else into a buffer twice as long: a model meets new features one at
    a time, and doubling makes n of them cost O(n).
    """
    old, new = len(array), len(fresh)
    if new <= old:
        return array[:new] if new < old else array
    base = array.base
    if isinstance(base, np.ndarray) and base.ndim == 1 and len(base) >= new and base.dtype == np.float64:
        longer: FloatArray = base[:new]
    else:
        longer = np.empty(max(2 * old, new, 16))[:new]
        longer[:old] = array
    longer[old:] = fresh[old:]
    return longer
