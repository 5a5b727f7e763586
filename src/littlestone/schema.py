"""What a state is made of: named arrays, each declared once by what it runs along, its type and how it grows and mixes.

Growing, cutting, copying, restoring, stacking for classes, saving, mixing and the checks of shapes all go by the declaration.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, Self, TypeAlias, final

from littlestone.arrays import FloatArray
from littlestone.errors import InvalidData, NotApplicable
from littlestone.lazy import np

if TYPE_CHECKING:
    import numpy.typing as npt

ALIGNMENT = 64
"""Of the places of an array in memory: a cache line."""


@final
class Axis(Enum):
    """What the places of an array stand for."""

    FEATURE = "feature"
    PAIR = "pair"
    """Of features: the array is a matrix with a row and a column per feature."""
    EXPERT = "expert"
    POINT = "point"
    """Of a support set: there are as many as the rounds made."""
    RULE = "rule"
    """Numbers of the rule itself, as many however wide the rows are; most often one."""


@final
class Mixing(Enum):
    """What the states of several learners make of an array, each learner with its share."""

    MEAN = "mean"
    SUM = "sum"
    OWN_UNIT = "own unit"
    """A sum in a unit that each learner has found for itself."""
    LARGEST = "largest"
    NEVER = "never"


@final
class Array(NamedTuple):
    """One array of a state.

    Args:
        axis: what its places stand for.
        inner: how many numbers there are at a place: 16 of float32 are a cache line. Of pairs, how many matrices there are.
        kind: their type.
        fill: what a place that comes later starts with; None is what it has in a fresh state.
        mixing: what several learners make of it.
    """

    axis: Axis = Axis.RULE
    inner: int = 1
    kind: type[np.float64 | np.float32 | np.int64 | np.uint8] | Literal["float64"] = "float64"
    fill: float | None = None
    mixing: Mixing = Mixing.NEVER

    def shape(self, places: int) -> tuple[int, ...]:
        """Of an array with so many places: numbers of the rule, and a number at each place, stand in a row."""
        if self.axis is Axis.RULE:
            return (self.inner,)
        if self.axis is Axis.PAIR:
            return places, places // self.inner
        return (places,) if self.inner == 1 else (places, self.inner)

    def bytes_at(self, width: int) -> int:
        """The room it takes for rows of a width."""
        places = {Axis.FEATURE: width, Axis.RULE: 1, Axis.PAIR: width * width}.get(self.axis, 0)
        return places * self.inner * np.dtype(self.kind).itemsize

    def stacked(self, rows: int) -> Array:
        """The same array of several states in one, row behind row."""
        return self._replace(inner=self.inner * rows) if self.axis in (Axis.RULE, Axis.PAIR) else self

    def zeros(self, places: int) -> FloatArray:
        """An array of so many places that begins at a cache line."""
        shape, item = self.shape(places), np.dtype(self.kind)
        size = int(np.prod(shape)) * item.itemsize
        raw = np.zeros(size + ALIGNMENT, dtype=np.uint8)
        begin = -raw.ctypes.data % ALIGNMENT
        made: FloatArray = raw[begin : begin + size].view(item).reshape(shape)
        return made


Schema: TypeAlias = Mapping[str, Array]

SCALAR = Array()
"""A number of the rule."""
LARGEST = Array(mixing=Mixing.LARGEST)
"""A number of the rule of which learners keep the largest."""
PER_FEATURE = Array(Axis.FEATURE, mixing=Mixing.MEAN)
"""A number per feature; learners mix by its mean."""

_NOTHING: Schema = {}


class Arrays(ABC):
    """Named arrays that know what they run along. `DECLARED` is what every value of the class has; others are given."""

    __slots__ = ("_arrays", "_schema")

    DECLARED: ClassVar[Schema] = _NOTHING

    def __init__(self, declared: Schema = _NOTHING, /, **arrays: FloatArray) -> None:
        known = {**self.DECLARED, **declared}
        self._schema: Schema = {name: known.get(name, self._undeclared(array)) for name, array in arrays.items()}
        self._arrays = arrays
        self._check()

    @staticmethod
    @abstractmethod
    def _undeclared(array: FloatArray) -> Array:
        """What an array is of which nothing was said."""

    def _check(self) -> None:
        """Raises InvalidData where an array is not as declared."""
        places: dict[Axis, int] = {}
        for name, array in self._arrays.items():
            declared = self._schema[name]
            if declared.axis is Axis.POINT:
                continue
            expected = declared.shape(places.setdefault(declared.axis, len(array)))
            if array.shape != expected or array.dtype != declared.kind:
                got = f"shape {array.shape} and type {array.dtype}"
                wanted = f"{expected} and {np.dtype(declared.kind)}; declare an array that is no number of the rule"
                raise InvalidData(f"the array {name!r} of {type(self).__name__} has {got}, not {wanted}")

    def __getattr__(self, name: str) -> FloatArray:
        """An array by its name."""
        if name == "_arrays" or name not in self._arrays:
            raise AttributeError(f"this state has no array {name!r}")
        return self._arrays[name]

    @property
    def arrays(self) -> Mapping[str, FloatArray]:
        """Every array by its name."""
        return self._arrays

    @property
    def schema(self) -> Schema:
        """What each array is, by its name."""
        return self._schema

    def holding(self, arrays: Mapping[str, FloatArray]) -> Self:
        """A value of this kind over other arrays."""
        return type(self)(self._schema, **arrays)

    def copy(self) -> Self:
        """A value of its own with the same numbers."""
        return self.holding({name: array.copy() for name, array in self.arrays.items()})

    def locked(self) -> Self:
        """The same arrays, for whoever reads them: they cannot be written to through this value."""
        views = {name: array.view() for name, array in self._arrays.items()}
        for view in views.values():
            view.flags.writeable = False
        return self.holding(views)

    def restore(self, saved: Self) -> None:
        """Puts back the numbers of a copy made earlier."""
        for name, array in self._arrays.items():
            array[...] = saved.arrays[name]

    def take_back(self, saved: Self) -> None:
        """Puts back the numbers of a copy that is of no more use then. It takes no memory, and twice is once."""
        self.restore(saved)

    def refilled(self, arrays: Mapping[str, npt.NDArray[np.generic]], width: int) -> Self:
        """A value of this kind, fresh at a width, with the arrays that another one had, each of them flat or in shape.

        Raises:
            InvalidData: if they are not the arrays of such a value.
        """
        if set(arrays) != set(self._arrays):
            raise InvalidData(f"its state has the arrays {sorted(arrays)}, not {sorted(self._arrays)}")
        found = {}
        for name, fresh in self._arrays.items():
            given = arrays[name]
            if given.size != fresh.size or given.dtype != fresh.dtype:
                words = f"{given.size} numbers of {given.dtype}, not {fresh.size} of {fresh.dtype}"
                raise InvalidData(f"the array {name!r} has {words}")
            found[name] = given.view(fresh.dtype).reshape(fresh.shape)
        return self.holding(found)

    def sound(self) -> bool:
        """Whether every number is one, and finite but for those of experts, whose logarithms may be of 0."""
        along = {name for name, array in self.schema.items() if array.axis is not Axis.EXPERT}
        floats = {name: array for name, array in self.arrays.items() if array.dtype.kind == "f"}
        return all(np.isfinite(array).all() if name in along else not np.isnan(array).any() for name, array in floats.items())

    def mixed(self, others: Sequence[Self], shares: FloatArray) -> Self:
        """What this value and others make together, array by array as declared; a mean is a sum, each part times its share.

        Raises:
            NotApplicable: if an array cannot be mixed and differs.
        """
        parts = [self, *others]
        return self.holding({name: mixed_array(name, self._schema[name].mixing, parts, shares) for name in self._arrays})

    def __repr__(self) -> str:
        shapes = ", ".join(f"{name}{list(array.shape)}" for name, array in self._arrays.items())
        return f"{type(self).__name__}({shapes})"


def weighted_sum(parts: Sequence[FloatArray] | FloatArray, shares: FloatArray) -> FloatArray:
    """The sum in the order of the parts, term by term, so that its bits depend on nothing else."""
    total: FloatArray = np.array(parts[0]) if shares[0] == 1.0 else shares[0] * parts[0]
    for share, part in zip(shares[1:], parts[1:], strict=True):
        total += part if share == 1.0 else share * part
    return total


def mixed_array(name: str, mixing: Mixing, parts: Sequence[Arrays], shares: FloatArray) -> FloatArray:
    """What several values make of one of their arrays.

    Raises:
        NotApplicable: if it cannot be mixed and differs.
    """
    if mixing is Mixing.OWN_UNIT:
        words = "counts in the widest range of losses that each part has met"
        raise NotApplicable(f"the array {name!r} of these states {words}; declare it, as in losses.Square(low=0.0, high=1.0)")
    if mixing is Mixing.MEAN:
        return weighted_sum([part.arrays[name] for part in parts], shares)
    stack = np.stack([part.arrays[name] for part in parts])
    if mixing is Mixing.SUM:
        total: FloatArray = stack.sum(axis=0)
        return total
    if mixing is Mixing.LARGEST:
        largest: FloatArray = stack.max(axis=0)
        return largest
    if (stack != stack[0]).any():
        raise NotApplicable(f"the array {name!r} of these states differs and cannot be mixed; learn the stream in one piece")
    return parts[0].arrays[name].copy()
