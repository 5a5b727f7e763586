"""The state of a multiclass rule with weights: the arrays of a binary state, a row per class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self, final

import numpy as np
import numpy.typing as npt

from littlestone.arrays import FloatArray
from littlestone.multiclass.class_states import ClassStates
from littlestone.state import State


@final
class Prototypes(ClassStates):
    """Rows of a state, one behind another in each array."""

    __slots__ = ("_rows", "_template")

    def __init__(self, template: State, rows: int, spare: int, **arrays: FloatArray) -> None:
        super().__init__(spare, {name: array.stacked(rows) for name, array in template.schema.items()}, **arrays)
        self._template = template
        self._rows = rows

    @staticmethod
    def of(template: State, *, classes: int = 0, spare: int = 0) -> Prototypes:
        """Fresh rows, each as the template is."""
        rows = max(classes + spare, 1)
        arrays = {name: _repeated(array, rows) for name, array in template.arrays.items()}
        return Prototypes(template, rows, spare, **arrays, met=np.array([float(classes)]))

    @property
    def rows(self) -> int:
        """How many rows there are, used or not."""
        return self._rows

    @property
    def w(self) -> FloatArray:
        """The weights that each class is scored with, a row per class."""
        return np.array([self.of_class(k).w for k in range(self.count)]).reshape(self.count, self.width)

    def row(self, k: int) -> State:
        """One row, over the same memory."""
        views = {}
        for name, array in self._template.arrays.items():
            views[name] = self._arrays[name][k * len(array) : (k + 1) * len(array)]
        return self._template.holding(views)

    def holding(self, arrays: Mapping[str, FloatArray]) -> Self:
        """A state of this shape over other arrays."""
        return type(self)(self._template, self._rows, self._spare, **arrays)

    def grown(self, fresh: State) -> Self:
        """Every row continued to the width of a fresh one."""
        assert isinstance(fresh, Prototypes)
        return self._stacked([self.row(k).grown(fresh._template) for k in range(self._rows)], fresh._template)

    def placing(self, other: State, place: npt.NDArray[np.int64] | None) -> Self:
        """Every row with the numbers of the other's."""
        assert isinstance(other, Prototypes)
        rows = [self.row(k).placing(other.row(k), place) for k in range(self._rows)]
        placed = self._stacked(rows, self._template)
        placed.met[:] = other.met
        return placed

    def cut(self, width: int) -> Self:
        """Every row without the room behind a width."""
        if self.width <= width:
            return self
        return self._stacked([self.row(k).cut(width) for k in range(self._rows)], self._template.cut(width))

    def of_rows(self, rows: Sequence[State], met: FloatArray) -> Self:
        """Rows in the place of these, one behind another."""
        made = self._stacked(rows, self._template)
        made.met[:] = met
        return made

    def _fresh(self) -> State:
        return self._template

    def _with_rows(self, rows: int, met: FloatArray) -> Self:
        longer = {"met": met}
        for name, array in self._template.arrays.items():
            kept = self._arrays[name][: rows * len(array)]
            longer[name] = np.concatenate([kept, _repeated(array, max(rows - self._rows, 0))])
        return type(self)(self._template, rows, self._spare, **longer)

    def _stacked(self, rows: Sequence[State], template: State) -> Self:
        arrays = {name: np.concatenate([row.arrays[name] for row in rows]) for name in template.arrays}
        return type(self)(template, self._rows, self._spare, **arrays, met=self.met.copy())


def _repeated(array: FloatArray, times: int) -> FloatArray:
    """The array so many times, one behind another."""
    return np.concatenate([array[:0], *[array] * times])
