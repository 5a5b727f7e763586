"""Labels: any two values stand for -1 and +1, any number of values for classes."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, final

from littlestone.arrays import ClassArray, SignArray
from littlestone.errors import InvalidData, InvalidParameter
from littlestone.lazy import np

if TYPE_CHECKING:
    import numpy.typing as npt

Label: TypeAlias = Hashable
LabelArray: TypeAlias = "npt.NDArray[np.generic]"

_TARGETS = "if they are targets, learn by a rule of regression, such as ls.PoolRegression (--task targets)"
_CLASSES = "for more, learn by a rule of many classes, such as ls.Pool() or ls.OneVersusRest (--one-versus-rest)"


@final
@dataclass(frozen=True, slots=True)
class _Free:
    """A place that no label has taken yet; equal to nothing else."""

    sign: int


@final
class ThirdLabel(InvalidData):
    """A label beyond the two that a rule of two labels knows."""


@final
@dataclass(frozen=True, slots=True)
class Labels:
    """The pair of labels, given or fixed by the first two distinct values.

    -1, 0 and False are negative and 1 and True positive when they come first; any other value that comes first is
    negative. The second distinct value takes the other place. A third is an error.
    """

    negative: Label = _Free(-1)
    positive: Label = _Free(+1)

    @staticmethod
    def given(pair: tuple[Label, ...] | None) -> Labels:
        """The pair (negative, positive), or two free places.

        Raises:
            InvalidParameter: if it is not a pair of two distinct values.
        """
        if pair is None:
            return Labels()
        if not isinstance(pair, tuple) or len(pair) != 2 or pair[0] == pair[1]:
            raise InvalidParameter(f"labels is {pair!r}; labels must be a tuple (negative, positive) of two values")
        return Labels(_plain(pair[0], 0), _plain(pair[1], 0))

    @property
    def settled(self) -> bool:
        """Whether both places are taken."""
        return not isinstance(self.negative, _Free) and not isinstance(self.positive, _Free)

    @staticmethod
    def of_known(negative: Label | None, positive: Label | None) -> Labels:
        """A pair of which None is a place that is still free."""
        free = Labels()
        return Labels(free.negative if negative is None else negative, free.positive if positive is None else positive)

    def known(self) -> tuple[Label | None, Label | None]:
        """The pair, with None for a place that is still free."""
        return (
            None if isinstance(self.negative, _Free) else self.negative,
            None if isinstance(self.positive, _Free) else self.positive,
        )

    def sign(self, label: object) -> int:
        """-1 or +1, and 0 for a value that has no place."""
        try:
            return +1 if label == self.positive else -1 if label == self.negative else 0
        except (TypeError, ValueError):  # an array and a missing value are equal to nothing
            return 0

    def placed(self, label: object, row: int = 0) -> Labels:
        """The pair in which the label has its place.

        Raises:
            InvalidData: for a third value, naming its row.
        """
        if self.sign(label):
            return self
        value = _plain(label, row)
        if isinstance(self.negative, _Free) and (value != 1 or not isinstance(self.positive, _Free)):
            return Labels(value, self.positive)
        if isinstance(self.positive, _Free):
            return Labels(self.negative, value)
        known = f"this learner knows {self.negative!r} and {self.positive!r}"
        real = isinstance(value, float) and not value.is_integer()
        instead = _TARGETS if real else _CLASSES
        raise ThirdLabel(f"row {row}: the label {value!r} is a third one; {known}; {instead}")

    def signs(self, labels: Sequence[object] | LabelArray) -> tuple[SignArray, Labels]:
        """The signs of many labels in order, and the pair in which all of them have their place.

        Raises:
            InvalidData: for a third value, naming its row.
        """
        values = labels if isinstance(labels, np.ndarray) else _as_array(labels)
        if values.ndim != 1:
            raise InvalidData(f"labels have {values.ndim} dimensions; expected one label per row, as y.ravel() has them")
        pair, signs = self, np.zeros(len(values), dtype=np.int8)
        for sign, label in ((-1, pair.negative), (+1, pair.positive)):
            if not isinstance(label, _Free):
                signs += np.int8(sign) * _equal(values, label)  # three times as fast as to assign by a mask
        while not signs.all():
            row = int(np.argmin(signs != 0))
            pair = pair.placed(values[row], row)
            label = _plain(values[row], row)
            signs += np.int8(pair.sign(label)) * _equal(values, label)
            signs[row] = pair.sign(label)
        return signs, pair

    def value(self, sign: int) -> Label:
        """The label of a sign; before it is known, the other one, and before either is known, the sign itself."""
        here = self.positive if sign > 0 else self.negative
        if type(here) is not _Free:
            return here
        there = self.negative if sign > 0 else self.positive
        return sign if type(there) is _Free else there

    def values(self, signs: SignArray) -> LabelArray:
        """The labels of many signs."""
        return _as_array([self.value(-1), self.value(+1)])[(signs > 0).astype(np.intp)]


@final
@dataclass(frozen=True, slots=True)
class Classes:
    """A table of labels that grows: a label gets the next number when it is first met.

    The first `given` of them were known from the beginning; the others have the numbers in the order in which they came.
    """

    numbers: Mapping[Label, int] = field(default_factory=dict)
    given: int = 0
    _listed: tuple[Label, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Lists the labels once, for whoever asks for one after another."""
        object.__setattr__(self, "_listed", tuple(self.numbers))

    @staticmethod
    def of(labels: Iterable[Label] | None) -> Classes:
        """The labels known from the beginning.

        Raises:
            InvalidParameter: if one of them is there twice.
        """
        listed = [_plain(label, 0) for label in labels or ()]
        if len(set(listed)) < len(listed):
            raise InvalidParameter(f"labels is {tuple(listed)!r}; each label must be there once")
        return Classes({label: number for number, label in enumerate(listed)}, len(listed))

    @staticmethod
    def after(pair: Labels, labels: Sequence[object] | LabelArray) -> Classes:
        """The classes that a pair turns into when a third label comes: the pair first, each in its place."""
        _, met = Classes().codes(labels)
        for label in met.known():
            if not pair.settled:
                pair = pair.placed(label)
        return Classes({label: number for number, label in enumerate(pair.known())})

    def __len__(self) -> int:
        return len(self.numbers)

    def known(self) -> tuple[Label, ...]:
        """The labels in the order of their numbers."""
        return self._listed

    def number(self, label: object) -> int:
        """The number of a label, and -1 for one that was not met yet."""
        try:
            return self.numbers.get(label, -1)
        except TypeError:  # not hashable
            return -1

    def placed(self, label: object, row: int = 0) -> Classes:
        """The table with a place for the label.

        Raises:
            InvalidData: for a value that cannot be a label, naming its row.
        """
        if self.number(label) >= 0:
            return self
        return Classes({**self.numbers, _class(label, row): len(self)}, self.given)

    def codes(self, labels: Sequence[object] | LabelArray) -> tuple[ClassArray, Classes]:
        """The numbers of many labels in order, and the table with a place for all of them.

        Raises:
            InvalidData: for a value that cannot be a label, naming its row.
        """
        values = labels if isinstance(labels, np.ndarray) else _as_array(labels)
        if values.ndim != 1:
            raise InvalidData(f"labels have {values.ndim} dimensions; expected one label per row, as y.ravel() has them")
        if _whole(values):
            low, span = int(values.min()), int(values.max()) - int(values.min()) + 1
            if span <= max(1024, 4 * len(values)):
                return self._by_offset(values, (values.astype(np.int64) - low).astype(np.intp), span)
        return self._one_by_one(values)

    def _by_offset(self, values: LabelArray, offset: npt.NDArray[np.intp], span: int) -> tuple[ClassArray, Classes]:
        """Integers that lie close together go by a table of all between them."""
        first = np.full(span, len(values))
        first[offset[::-1]] = np.arange(len(values))[::-1]  # of several rows the first is written last
        table, numbers = self, np.zeros(span, dtype=np.int32)
        for row in np.sort(first[first < len(values)]):
            table = table.placed(values[row], int(row))
            numbers[offset[row]] = table.number(values[row])
        return numbers[offset], table

    def _one_by_one(self, values: LabelArray) -> tuple[ClassArray, Classes]:
        known, codes = dict(self.numbers), list[int]()
        # A time in nanoseconds is equal to no Python value, so it stays what it is.
        listed: Iterable[object] = values if values.dtype.kind in "mMO" else values.tolist()
        for row, label in enumerate(listed):
            try:
                number = known.get(label)
            except TypeError:  # not hashable
                number = None
            codes.append(known.setdefault(_class(label, row), len(known)) if number is None else number)
        return np.array(codes, dtype=np.int32), Classes(known, self.given)

    def value(self, number: int) -> Label:
        """The label of a number; None where there is none."""
        return self.known()[number] if 0 <= number < len(self) else None

    def values(self, numbers: ClassArray) -> LabelArray:
        """The labels of many numbers; None where there is none."""
        if (numbers < 0).any() or (numbers >= len(self)).any():
            shown = np.empty(len(numbers), dtype=object)
            for row, number in enumerate(numbers.tolist()):
                shown[row] = self.value(number)
            return shown
        return _as_array(self.known())[numbers]


def _whole(values: LabelArray) -> bool:
    """Whether these are whole numbers, and some; files have them as floats."""
    if values.dtype.kind == "f":
        return len(values) > 0 and bool((np.abs(values) < 2.0**53).all()) and bool((values == np.rint(values)).all())
    return values.dtype.kind in "biu" and len(values) > 0


def _plain(label: object, row: int) -> Label:
    """A NumPy scalar as the Python value it is equal to; a time in nanoseconds is equal to none."""
    if type(label) is float and label == label:  # what files have most often, and is known without NumPy
        return label
    if isinstance(label, np.generic) and not isinstance(label, np.datetime64 | np.timedelta64):
        label = label.item()
    if not isinstance(label, Hashable) or _missing(label):
        nan = isinstance(label, float) and label != label
        where = " (of a file, label= says where they are)" if nan else ""  # what has none there comes as nan
        raise InvalidData(f"row {row}: the label is {label!r}; labels must be numbers, strings or booleans{where}")
    return label


def _class(label: object, row: int) -> Label:
    """A label that nobody has announced: a fraction is no name of a class.

    Raises:
        InvalidData: for such a number, and for what is no label.
    """
    plain = _plain(label, row)
    if isinstance(plain, float) and math.isfinite(plain) and not plain.is_integer():
        what = f"row {row}: the label is {plain!r}, and classes are words or whole numbers"
        raise InvalidData(f"{what}; {_TARGETS}")
    return plain


def _missing(label: Label) -> bool:
    """None, nan, and what pandas has for it, which does not even compare with itself."""
    if getattr(label, "ndim", 0):  # a matrix is no label, and is not to be compared: it may be a broken one
        return False
    try:
        return label is None or bool(label != label)
    except TypeError:
        return True


def _equal(values: LabelArray, label: Label) -> npt.NDArray[np.bool_]:
    if values.dtype.kind == "V":
        raise InvalidData(f"the labels have dtype {values.dtype}; labels must be numbers, strings or booleans")
    if isinstance(label, tuple):  # NumPy would take it for an array
        return np.fromiter((value == label for value in values), dtype=bool, count=len(values))
    try:
        same = values == label
    except TypeError:  # a missing value among them
        return np.fromiter((not _missing(value) and value == label for value in values), dtype=bool, count=len(values))
    return same if isinstance(same, np.ndarray) else np.zeros(len(values), dtype=bool)


def _as_array(labels: Sequence[object]) -> LabelArray:
    """An array that keeps each label what it is: NumPy would turn a mix of numbers and strings into strings."""
    if not isinstance(labels, Iterable) or getattr(labels, "ndim", 1) != 1:
        raise InvalidData(f"the labels are {labels!r}; expected one label per row")
    listed = list(labels)
    kinds = {type(label) for label in listed}
    if len(kinds) <= 1 and kinds <= {bool, int, float, str, np.str_, np.float64, np.int64, np.bool_}:
        return np.asarray(listed)
    mixed = np.empty(len(listed), dtype=object)
    for row, label in enumerate(listed):
        mixed[row] = label
    return mixed
