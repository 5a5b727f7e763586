"""The state of one versus the rest with a kernel: a support set per class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Self, final

import numpy as np
import numpy.typing as npt

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.errors import InvalidData, NotApplicable
from littlestone.kernels.support import Support
from littlestone.multiclass.class_states import ClassStates
from littlestone.schema import SCALAR, Array, Axis, Schema
from littlestone.state import State

_LENGTHS = "lengths"


@final
class SupportSets(ClassStates):
    """Support sets of their own, each with as many points as its class needs, and the one of no class before them.

    As arrays they stand one behind another, and `lengths` says how long each of them is: a row per set, a column per array.
    """

    __slots__ = ("_empty", "_sets")

    def __init__(self, empty: Support, sets: list[Support], met: FloatArray) -> None:
        super().__init__(1, {}, met=met)
        self._empty = empty
        self._sets = sets

    @staticmethod
    def of(empty: State) -> SupportSets:
        """The set of no class alone."""
        assert isinstance(empty, Support)
        return SupportSets(empty, [empty.copy()], np.zeros(1))

    @property
    def rows(self) -> int:
        """How many sets there are, used or not."""
        return len(self._sets)

    def row(self, k: int) -> Support:
        """One set, itself."""
        return self._sets[k]

    def of_class(self, k: int) -> Support:
        """The set of a class, itself."""
        return self._sets[self._spare + k]

    def of_rows(self, rows: Sequence[State], met: FloatArray) -> Self:
        """Sets in the place of these."""
        return type(self)(self._empty, [row for row in rows if isinstance(row, Support)], met)

    def expansions(self) -> list[_core.Expansion]:
        """What the core holds of them."""
        return [row.expansion for row in self._sets if isinstance(row.expansion, _core.Expansion)]

    @property
    def w(self) -> FloatArray:
        """There are no weights.

        Raises:
            NotApplicable: always.
        """
        raise NotApplicable("a kernel rule has no weights; the state has points and alpha of class k in of_class(k)")

    @property
    def arrays(self) -> Mapping[str, FloatArray]:
        """Everything that decides how the sets go on, the same array of all of them in one."""
        parts = [row.arrays for row in self._sets]
        of_all = {name: np.concatenate([part[name] for part in parts]) for name in self._empty.arrays}
        lengths = np.array([float(len(part[name])) for part in parts for name in of_all])
        return {**self._arrays, _LENGTHS: lengths, **of_all}

    @property
    def schema(self) -> Schema:
        """That of a set, and which lengths its arrays have."""
        return {**self._empty.schema, "met": SCALAR, _LENGTHS: Array(Axis.POINT)}

    def copies_cheaply(self, entries: int) -> bool:
        """As a set."""
        return self._empty.copies_cheaply(entries)

    def locked(self) -> Self:
        """Itself: what it shows is computed when it is asked for."""
        return self

    def copy(self) -> Self:
        """Sets of their own with the same points."""
        return self._holding([row.copy() for row in self._sets], self.met.copy())

    def restore(self, saved: State) -> None:
        """Puts back the points of a copy made earlier."""
        assert isinstance(saved, SupportSets)
        self.met[:] = saved.met
        for mine, theirs in zip(self._sets, saved._sets, strict=True):
            mine.restore(theirs)

    def take_back(self, saved: State) -> None:
        """Puts back the points of a copy that is of no more use then."""
        assert isinstance(saved, SupportSets)
        self.met[:] = saved.met
        for mine, theirs in zip(self._sets, saved._sets, strict=True):
            mine.take_back(theirs)

    def loses_no_half(self, *, alone: bool) -> bool:
        """One set may be a round ahead of another when there is no memory for a point."""
        return False

    def refilled(self, arrays: Mapping[str, npt.NDArray[np.generic]], width: int) -> Self:
        """As many sets as the arrays tell of, with what they had.

        Raises:
            InvalidData: if they are not the arrays of such sets.
        """
        if set(arrays) != set(self.arrays) or len(arrays["met"]) != 1:
            raise InvalidData(f"its state has the arrays {sorted(arrays)}, not {sorted(self.arrays)}")
        known = {name: np.asarray(array, dtype=np.float64) for name, array in arrays.items()}
        of_all = {name: known[name] for name in self._empty.arrays}
        sets = [self._fresh().refilled(part, width) for part in _divided(of_all, known[_LENGTHS])]
        return self._holding(sets, known["met"])

    def grown(self, fresh: State) -> Self:
        """These sets: new features need no room."""
        return self

    def cut(self, width: int) -> Self:
        """These sets."""
        return self

    def __repr__(self) -> str:
        return f"SupportSets({', '.join(str(len(self.of_class(k))) for k in range(self.count))} points)"

    def _with_rows(self, rows: int, met: FloatArray) -> Self:
        return self._holding(self._sets[:rows] + [self._fresh() for _ in range(self.rows, rows)], met)

    def _holding(self, sets: list[Support], met: FloatArray) -> Self:
        return type(self)(self._empty, sets, met)

    def _fresh(self) -> Support:
        return self._empty.copy()


def _divided(arrays: Mapping[str, FloatArray], lengths: FloatArray) -> Iterable[Mapping[str, FloatArray]]:
    """The arrays of each set, cut out of those of all.

    Raises:
        InvalidData: if the lengths are not those of the arrays.
    """
    whole = (lengths >= 0.0).all() and (lengths < 2.0**53).all() and (lengths == np.floor(lengths)).all()
    if not len(lengths) or len(lengths) % len(arrays) or not whole:
        raise InvalidData("the lengths of its support sets are not whole numbers, one per set and array")
    ends = np.cumsum(lengths.reshape(-1, len(arrays)), axis=0)
    if [len(array) for array in arrays.values()] != ends[-1].tolist():
        raise InvalidData("the lengths of its support sets do not add up to their arrays")
    begins = np.vstack([np.zeros(len(arrays)), ends[:-1]])
    for begin, end in zip(begins.astype(np.int64).tolist(), ends.astype(np.int64).tolist(), strict=True):
        yield {name: array[b:e] for (name, array), b, e in zip(arrays.items(), begin, end, strict=True)}
