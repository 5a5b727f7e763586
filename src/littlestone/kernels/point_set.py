"""The support points of a kernel in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

import numpy as np

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.kernels.functions import Points


@final
class PointSet:
    """Points in their places: rows of one matrix with room for more, or a list of objects.

    Features that came later are 0 in earlier points.
    """

    def __init__(self, *, objects: bool) -> None:
        self._objects = objects
        self._list: list[object] = []
        self._table: FloatArray = np.zeros((0, 0))
        self._slots: dict[object, int] = {}

    def __len__(self) -> int:
        return len(self._list)

    def __getitem__(self, slot: int) -> object:
        return self._list[slot]

    def read(self) -> Points:
        """The points as the kernel reads them, not to be written to."""
        if self._objects:
            return self._list
        matrix = self._table[: len(self)]
        matrix.flags.writeable = False
        return matrix

    def fitted(self, x: object) -> object:
        """X at the width of the points, which are widened if x is wider."""
        if self._objects or not isinstance(x, np.ndarray):
            return x
        width = max(len(x), self._table.shape[1])
        self._resize(len(self._table), width)
        return np.concatenate([x, np.zeros(width - len(x))]) if len(x) < width else x

    def find(self, x: object) -> int | None:
        """The place of a point that is equal to x."""
        key = _key(x)
        if key is not None:
            return self._slots.get(key)
        return next((slot for slot, point in enumerate(self._list) if point is x or _equal(point, x)), None)

    def append(self, x: object) -> None:
        """A new place."""
        self._list.append(x)
        if not self._objects and len(self) > len(self._table):
            self._resize(max(16, 2 * len(self._table)), self._table.shape[1])
        self._fill(len(self) - 1, x)

    def replace(self, slot: int, x: object) -> None:
        """Another point in the place of one."""
        key = _key(self._list[slot])
        if key is not None:
            del self._slots[key]
        self._list[slot] = x
        self._fill(slot, x)

    def copy(self) -> PointSet:
        """A set of its own with the same points."""
        twin = PointSet(objects=self._objects)
        twin._list, twin._table, twin._slots = list(self._list), self._table.copy(), dict(self._slots)
        return twin

    def _fill(self, slot: int, x: object) -> None:
        if isinstance(x, np.ndarray) and not self._objects:
            self._table[slot] = 0.0
            self._table[slot, : len(x)] = x
        key = _key(x)
        if key is not None:
            self._slots[key] = slot

    def _resize(self, room: int, width: int) -> None:
        if (room, width) == self._table.shape:
            return
        table = np.zeros((room, width))
        table[: len(self._table), : self._table.shape[1]] = self._table
        self._table = table


def _key(x: object) -> object | None:
    """What equal points share, where it can be looked up; numbers of an array without the zeros at its end."""
    if isinstance(x, np.ndarray):
        return (np.trim_zeros(x, "b") + 0.0).tobytes()  # adding 0 makes −0 the 0 that it equals
    try:
        hash(x)
    except TypeError:
        return None
    return type(x), x


def _equal(a: object, b: object) -> bool:
    return type(a) is type(b) and bool(a == b)
