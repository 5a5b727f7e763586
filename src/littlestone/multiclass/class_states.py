"""What the states of multiclass rules share: the state of a binary rule once per class."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Self, final

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.lazy import np
from littlestone.schema import LARGEST, Schema
from littlestone.state import State


class ClassStates(State, ABC):
    """A binary state a class, called its row, and the array `met`: how many classes take part.

    Classes have the numbers in which they were first met. The first `spare` rows are no class: with one of them, a class
    that is met takes a copy of it; without, it starts as a fresh row. There may be room for classes to come.
    """

    __slots__ = ("_spare",)

    DECLARED: ClassVar[Schema] = {"met": LARGEST}

    def __init__(self, spare: int, declared: Schema, **arrays: FloatArray) -> None:
        super().__init__(declared, **arrays)
        self._spare = spare

    @property
    @abstractmethod
    def rows(self) -> int:
        """How many rows there are, used or not."""

    @abstractmethod
    def row(self, k: int) -> State:
        """One row, over the same memory."""

    @final
    def parts_by_feature(self) -> bool:
        """A feature has a place in each row: some features are no slice of the arrays."""
        return False

    @property
    @final
    def spare(self) -> int:
        """How many rows in front are of no class."""
        return self._spare

    @property
    @final
    def in_use(self) -> range:
        """The rows that are of no class, and those of the classes that take part."""
        return range(self._spare + self.count)

    @final
    def by_class(self, numbers: FloatArray) -> FloatArray:
        """Numbers of all rows, one behind another, as `w` has them: a row per class that takes part."""
        return numbers.reshape(self.rows, -1)[self._spare : self._spare + self.count]

    @abstractmethod
    def of_rows(self, rows: Sequence[State], met: FloatArray) -> Self:
        """Other rows in the place of these, as many, of which so many classes take part."""

    @abstractmethod
    def _fresh(self) -> State:
        """A row before the first round."""

    @abstractmethod
    def _with_rows(self, rows: int, met: FloatArray) -> Self:
        """The first of these rows, with fresh ones behind them where there are fewer."""

    @property
    @final
    def room(self) -> int:
        """How many classes there are rows for."""
        return self.rows - self._spare

    @property
    @final
    def count(self) -> int:
        """How many classes take part."""
        return int(self.met[0])

    @property
    @final
    def unscaled(self) -> FloatArray:
        """The array of the first row that updates are added to."""
        return self.row(0).unscaled

    @property
    @final
    def width(self) -> int:
        """That of a row."""
        return self._fresh().width

    @final
    def fits(self, width: int) -> bool:
        """Whether a row has room."""
        return self._fresh().fits(width)

    @final
    def admits(self) -> bool:
        """As a row."""
        return self._fresh().admits()

    def of_class(self, k: int) -> State:
        """The row of a class, over the same memory."""
        return self.row(self._spare + k)

    @final
    def with_classes(self, classes: int) -> Self:
        """The same classes with rows for so many, and no more."""
        rows = max(classes + self._spare, 1)
        return self if rows == self.rows else self._with_rows(rows, np.minimum(self.met, classes))

    @final
    def with_room(self, classes: int) -> Self:
        """This state, or, where it has no row for so many classes, one with room for twice as many."""
        if classes <= self.room:
            return self
        return self.with_classes(max(classes, 2 * self.room))

    @final
    def meet_class(self, number: int) -> int:
        """Gives a class its place, if it is new; returns how many took part before."""
        before = self.count
        for k in range(before, number + 1):
            self.of_class(k).restore(self.row(0) if self._spare else self._fresh())
        self.met[0] = max(before, number + 1)
        return before

    @final
    def meet(self, row: _core.Row) -> bool:
        """Lets every row that takes part take note of what is about to be learned."""
        moved = [self.row(k).meet(row) for k in self.in_use]
        return any(moved)
