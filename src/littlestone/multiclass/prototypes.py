"""The state of a multiclass rule: the arrays of a binary state, a row a class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.state import State


@final
class Prototypes(State):
    """Rows of a state, one behind another in each array, and `met`: how many classes take part.

    Classes have the numbers in which they were first met. The first `spare` rows are no class: with one of them, a class
    that is met takes a copy of it; without, it starts as a fresh row. There may be room for classes to come.
    """

    __slots__ = ("_rows", "_spare", "_template")

    def __init__(self, template: State, rows: int, spare: int, **arrays: FloatArray) -> None:
        super().__init__(**arrays)
        self._template = template
        self._rows = rows
        self._spare = spare

    @staticmethod
    def of(template: State, *, classes: int = 0, spare: int = 0) -> Prototypes:
        """Fresh rows, each as the template is."""
        rows = max(classes + spare, 1)
        arrays = {name: np.tile(array, rows) for name, array in template.arrays.items()}
        return Prototypes(template, rows, spare, **arrays, met=np.array([float(classes)]))

    @property
    def rows(self) -> int:
        """How many rows there are, used or not."""
        return self._rows

    @property
    def room(self) -> int:
        """How many classes there are rows for."""
        return self._rows - self._spare

    @property
    def count(self) -> int:
        """How many classes take part."""
        return int(self.met[0])

    @property
    def w(self) -> FloatArray:
        """The weights that each class is scored with, a row a class."""
        width = len(self._template.unscaled)
        return np.array([self.row(self._spare + k).w for k in range(self.count)]).reshape(self.count, width)

    @property
    def unscaled(self) -> FloatArray:
        """The array of the first row that updates are added to."""
        return self.row(0).unscaled

    def row(self, k: int) -> State:
        """One row, over the same memory."""
        views = {}
        for name, array in self._template.arrays.items():
            views[name] = self._arrays[name][k * len(array) : (k + 1) * len(array)]
        return self._template.holding(views)

    def of_class(self, k: int) -> State:
        """The row of a class, over the same memory."""
        return self.row(self._spare + k)

    def holding(self, arrays: Mapping[str, FloatArray]) -> Self:
        """A state of this shape over other arrays."""
        return type(self)(self._template, self._rows, self._spare, **arrays)

    def copy(self) -> Self:
        """A state of its own with the same numbers."""
        return self.holding({name: array.copy() for name, array in self._arrays.items()})

    def with_classes(self, classes: int) -> Self:
        """The same classes with rows for so many, and no more."""
        rows = max(classes + self._spare, 1)
        if rows == self._rows:
            return self
        longer = {"met": np.minimum(self.met, classes)}
        for name, array in self._template.arrays.items():
            kept = self._arrays[name][: rows * len(array)]
            longer[name] = np.concatenate([kept, np.tile(array, max(rows - self._rows, 0))])
        return type(self)(self._template, rows, self._spare, **longer)

    def with_room(self, classes: int) -> Self:
        """This state, or, where it has no row for so many classes, one with room for twice as many."""
        if classes <= self.room:
            return self
        return self.with_classes(max(classes, 2 * self.room))

    def meet_class(self, number: int) -> int:
        """Gives a class its place, if it is new; returns how many took part before."""
        before = self.count
        for k in range(before, number + 1):
            for name, array in self.of_class(k).arrays.items():
                array[:] = self.row(0).arrays[name] if self._spare else self._template.arrays[name]
        self.met[0] = max(before, number + 1)
        return before

    def meet(self, row: _core.Row) -> bool:
        """Lets every row that takes part take note of what is about to be learned."""
        moved = [self.row(k).meet(row) for k in range(self._spare + self.count)]
        return any(moved)

    def grown(self, fresh: State) -> Self:
        """Every row continued to the width of a fresh one."""
        assert isinstance(fresh, Prototypes)
        return self._stacked([self.row(k).grown(fresh._template) for k in range(self._rows)], fresh._template)

    def cut(self, width: int) -> Self:
        """Every row without the room behind a width."""
        if width >= len(self._template.unscaled):
            return self
        return self._stacked([self.row(k).cut(width) for k in range(self._rows)], self._template.cut(width))

    def _stacked(self, rows: list[State], template: State) -> Self:
        arrays = {name: np.concatenate([row.arrays[name] for row in rows]) for name in template.arrays}
        return type(self)(template, self._rows, self._spare, **arrays, met=self.met.copy())
