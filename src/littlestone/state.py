"""States: the named arrays that a rule moves, and the running sum of the weights."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Self, final

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.errors import NotApplicable
from littlestone.lazy import np
from littlestone.schema import PER_FEATURE, SCALAR, Array, Arrays, Axis, Schema, mixed_array, weighted_sum

if TYPE_CHECKING:
    import numpy.typing as npt

# A copy of a state is cheap beside a batch that has so many entries for each of its numbers.
_ENTRIES_PER_NUMBER = 4


class State(Arrays, ABC):
    """Named arrays that a rule moves. `state.w` is the vector the score is taken with.

    A class declares the arrays that all its states have; a rule gives the declarations of arrays of its own first
    (`Weights({"squares": PER_FEATURE}, w=…, squares=…)`), and what nobody declared is a number of the rule.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def w(self) -> FloatArray:
        """The weights the score is taken with."""

    @property
    def unscaled(self) -> FloatArray:
        """The array that updates are added to: w itself, or w divided by a common scale."""
        return self.w

    @staticmethod
    def _undeclared(array: FloatArray) -> Array:
        """A number of the rule."""
        return SCALAR

    @property
    def rows(self) -> int:
        """How many states stand in its arrays, one behind another: of many classes there are several."""
        return 1

    def row(self, k: int) -> State:
        """One of them, over the same memory."""
        return self

    @property
    def in_use(self) -> range:
        """The rows that take part in a round."""
        return range(1)

    @property
    def spare(self) -> int:
        """How many rows in front are of no class."""
        return 0

    def by_class(self, numbers: FloatArray) -> FloatArray:
        """Numbers of all rows, one behind another, as `w` has them: of many classes a row per class that takes part."""
        return numbers

    @property
    def size(self) -> int:
        """How many numbers the state holds."""
        return sum(array.size for array in self.arrays.values())

    @property
    def width(self) -> int:
        """For how many features there is room."""
        return next(len(self._arrays[name]) for name, array in self._schema.items() if array.axis is Axis.FEATURE)

    def fits(self, width: int) -> bool:
        """Whether there is room for rows of a width."""
        return width <= self.width

    def bytes_at(self, width: int) -> int:
        """The room that its arrays would take for rows of a width."""
        return sum(array.bytes_at(width) for array in self.schema.values())

    def copies_cheaply(self, entries: int) -> bool:
        """Whether a copy is small beside so many entries of rows."""
        return entries >= _ENTRIES_PER_NUMBER * self.size

    def loses_no_half(self, *, alone: bool) -> bool:
        """Whether a round that finds no memory leaves nothing behind, alone or with a view or a calibration beside it."""
        return True

    def learns_in_place(self) -> bool:
        """Whether a round takes no memory at all: its numbers stand along the features, and all of them are there."""
        return self._along_features()

    def grown(self, fresh: State) -> Self:
        """This state continued to the width of a fresh one, whose tail says how new features start."""
        old = self.width
        longer = dict(self._arrays)
        for name, array in self._schema.items():
            if array.axis is Axis.PAIR:
                longer[name] = fresh.arrays[name].copy()
                longer[name][:old, :old] = self._arrays[name]
            if array.axis is not Axis.FEATURE:
                continue
            longer[name] = array.zeros(fresh.width)
            longer[name][:old] = self._arrays[name]
            longer[name][old:] = fresh.arrays[name][old:] if array.fill is None else array.fill
        return self.holding(longer)

    def placing(self, other: State, place: npt.NDArray[np.int64] | None) -> Self:
        """This state with the numbers of another, whose features are at these places; without places, at the front."""
        found = dict(other.arrays)
        at = np.arange(other.width) if place is None else place
        for name, array in self._schema.items():
            if array.axis in (Axis.FEATURE, Axis.PAIR):
                found[name] = self._arrays[name].copy()
                found[name][at if array.axis is Axis.FEATURE else np.ix_(at, at)] = other.arrays[name]
        return self.holding({name: found[name].copy() for name in self._arrays})

    def cut(self, width: int) -> Self:
        """The same arrays without the room behind a width."""
        if self.width <= width:
            return self
        kept = dict(self._arrays)
        for name, array in self._schema.items():
            if array.axis is Axis.FEATURE:
                kept[name] = kept[name][:width]
            if array.axis is Axis.PAIR:
                kept[name] = kept[name][:width, :width].copy()
        return self.holding(kept)

    def meet(self, row: _core.Row) -> bool:
        """Takes note of a row that is about to be learned, and says whether that moved the state; most note nothing."""
        return False

    def admits(self) -> bool:
        """Whether features known by name join one after another, as they are met, rather than all at the start."""
        return False

    def evidence(self, width: int) -> FloatArray:
        """Of so many features, how much is known of each: who knows least goes where there is a cap.

        Raises:
            NotApplicable: if the state forgets no feature.
        """
        raise NotApplicable(f"{type(self).__name__} keeps every feature that was met")

    def keeping(self, places: npt.NDArray[np.int64]) -> Self:
        """What there is of the features at these places, in this order, as a state of its own."""
        return self.holding(
            {
                name: self._arrays[name][places if array.axis is Axis.FEATURE else ...].copy()
                for name, array in self._schema.items()
            }
        )

    def parts_by_feature(self) -> bool:
        """Whether some features, with the numbers of the rule, are a state like it: nothing is kept for pairs or points."""
        return self._along_features()

    @final
    def _along_features(self) -> bool:
        return all(array.axis in (Axis.FEATURE, Axis.RULE) for array in self.schema.values())

    def stacks(self) -> bool:
        """Whether only the width decides how long its arrays are, so that those of several states can be one array."""
        return all(array.axis is not Axis.POINT for array in self.schema.values())


@final
class Weights(State):
    """A state whose array `w` is the weight vector."""

    __slots__ = ()

    DECLARED: ClassVar[Schema] = {"w": PER_FEATURE}

    @property
    def w(self) -> FloatArray:
        """The weights."""
        return self._arrays["w"]


@final
class ScaledWeights(State):
    """A state with weights `scale * v`, for rules that shrink every weight in every round."""

    __slots__ = ()

    DECLARED: ClassVar[Schema] = {"v": PER_FEATURE}

    # As in core/weights.h: folding early keeps the cancellation in the running sum small.
    FOLD_BELOW = 1e-6

    @property
    def w(self) -> FloatArray:
        """The weights scale * v."""
        return self._arrays["v"] * float(self._arrays["scale"][0])

    @property
    def unscaled(self) -> FloatArray:
        """The array v."""
        return self._arrays["v"]

    def mixed(self, others: Sequence[Self], shares: FloatArray) -> Self:
        """The mean of the weights; each state's scale goes into them first."""
        parts: list[State] = [self, *others]
        arrays = {"v": weighted_sum([part.w for part in parts], shares), "scale": np.ones(1)}
        rest = {name: array.mixing for name, array in self._schema.items() if name not in arrays}
        return self.holding({**arrays, **{name: mixed_array(name, mixing, parts, shares) for name, mixing in rest.items()}})

    def add(self, row: _core.Row, step: float) -> None:
        """Adds step * x to the weights."""
        row.add_to(self._arrays["v"], step / self._arrays["scale"][0])

    def shrink(self, factor: float) -> None:
        """Multiplies every weight by the factor."""
        scale = self._arrays["scale"]
        scale[0] *= factor
        if scale[0] < self.FOLD_BELOW:
            self._arrays["v"] *= scale[0]
            scale[0] = 1.0


@final
class Average(Arrays):
    """The sum of the weights used in each round: settled + mass * unscaled - drift, kept lazily, for each row of a state."""

    __slots__ = ()

    DECLARED: ClassVar[Schema] = {"drift": PER_FEATURE, "settled": PER_FEATURE, "mass": SCALAR}

    @staticmethod
    def _undeclared(array: FloatArray) -> Array:
        """There is no other array."""
        return SCALAR

    @staticmethod
    def of(width: int, rows: int = 1) -> Average:
        """No round yet."""
        sums = {"drift": np.zeros(rows * width), "settled": np.zeros(rows * width), "mass": np.zeros(rows)}
        return Average({"mass": SCALAR.stacked(rows)}, **sums)

    @property
    def rows(self) -> int:
        """How many sums there are, one behind another."""
        return len(self.mass)

    def row(self, k: int) -> Average:
        """One of them, over the same memory."""
        return Average(drift=self._by_row("drift")[k], settled=self._by_row("settled")[k], mass=self.mass[k : k + 1])

    def total(self, state: State) -> FloatArray:
        """w_1 + ... + w_T, of every row of the state, one behind another."""
        own = self.fitting(state)
        return np.concatenate([own.row(k)._total(state.row(k)) for k in range(state.rows)])

    def add(self, state: State, known: range) -> None:
        """Adds one round's weights outright, as the definition of a rule does; rows beyond those known began in this round.

        A class that begins takes a copy of the row of no class, where there is one, and of the sum of its weights.
        """
        for k in state.in_use[len(known) :] if state.spare else ():
            self.row(k).restore(self.row(0))
        for k in state.in_use:
            self.row(k).settled[:] += state.row(k).w

    def include(self, other: Average, state: State, place: npt.NDArray[np.int64] | None = None) -> None:
        """Adds the sum of other rounds, whose features are at these places; without places, at the front."""
        total = other.total(state).reshape(state.rows, -1)
        at = np.arange(total.shape[1]) if place is None else place
        self._by_row("settled")[: state.rows, at] += total

    def fitting(self, state: State) -> Average:
        """These sums with the rows and the width of a state; weights of what is new were 0 so far. Itself if it fits."""
        rows, width = state.rows, state.width
        if (self.rows, len(self.drift)) == (rows, rows * width):
            return self
        fit, known = Average.of(width, rows), min(rows, self.rows)
        for name in ("drift", "settled"):
            mine = self._by_row(name)[:known, :width]
            fit._by_row(name)[:known, : mine.shape[1]] = mine
        fit.mass[:known] = self.mass[:known]
        return fit

    def bound(self) -> _core.Average:
        """The arrays as the compiled loop takes them."""
        return _core.Average(self.drift, self.settled, self.mass)

    def _by_row(self, name: str) -> FloatArray:
        return self._arrays[name].reshape(self.rows, -1)

    def _total(self, state: State) -> FloatArray:
        return self.settled + float(self.mass[0]) * state.unscaled - self.drift
