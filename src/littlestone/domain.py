"""Domains of parameters: a rule states them once, at its fields, and is checked when it is made."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeVar, final

from littlestone.arguments import is_one_of, short
from littlestone.errors import InvalidParameter
from littlestone.lazy import np, numpy_is_loaded

Default = TypeVar("Default")
Item = TypeVar("Item")


@final
class Domain(NamedTuple):
    """A set of values and the words for it, as they stand in an error message and in the documentation."""

    words: str
    contains: Callable[[object], bool]
    spelled: str = ""
    """What is written on the command line, where `words` do not say it."""
    read: Callable[[str], object] | None = None
    """How that is read, where it is neither a number nor the text itself; it may raise InvalidParameter."""
    tuples: bool = False
    """Whether its values are tuples, which are no vectors of weights."""


def _number(value: object) -> float:
    """The value as a float; nan (in no domain) when it is not a plain number."""
    if type(value) is float:  # what most parameters are, and are known to be without NumPy
        return value
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf


def interval(low: float, high: float, *, low_open: bool, high_open: bool, words: str) -> Domain:
    """The finite numbers of a real interval."""

    def contains(value: object) -> bool:
        number = _number(value)
        above = number > low if low_open else number >= low
        below = number < high if high_open else number <= high
        return math.isfinite(number) and above and below

    return Domain(words, contains)


def optional(domain: Domain) -> Domain:
    """The domain and None."""
    return Domain(f"{domain.words}, or None", lambda value: value is None or domain.contains(value))


def choice(*names: str) -> Domain:
    """One of a few names."""
    listed = ", ".join(f'"{name}"' for name in names)
    return Domain(f"one of {listed}", lambda value: is_one_of(value, names))


def several(values: Iterable[Item], what: str, words: str) -> list[Item]:
    """What an argument holds one after the other, as a list; a matrix, a number or nothing is refused.

    Raises:
        InvalidParameter: for it.
    """
    if not isinstance(values, Iterable) or getattr(values, "ndim", 1) != 1:
        raise InvalidParameter(f"{what} is a {type(values).__name__}; expected {words}")
    return list(values)


def names_among(keep: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    """The names of columns to keep.

    Raises:
        InvalidParameter: for a name of none.
    """
    names = tuple(several(keep, "keep", "names of columns"))
    for name in names:
        if not is_one_of(name, known):
            raise InvalidParameter(f"keep names {name!r}; keep can name {', '.join(known)}")
    return names


def _moderate(value: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> bool:
    """Whether the numbers can stand in a score: finite, and below the largest value of a row."""
    return bool((np.abs(value) <= 1e150).all())


def _is_vector(value: object) -> bool:
    return isinstance(value, np.ndarray) and value.ndim == 1 and _moderate(value)


def _is_matrix(value: object) -> bool:
    return isinstance(value, np.ndarray) and value.ndim == 2 and len(value) > 0 and _moderate(value)


def _is_whole(value: object) -> bool:
    if isinstance(value, int):
        return not isinstance(value, bool) and 0 <= value < 2**64
    return numpy_is_loaded() and isinstance(value, np.integer) and 0 <= int(value) < 2**64


POSITIVE = interval(0.0, math.inf, low_open=True, high_open=True, words="a finite number above 0")
RATE = interval(0.0, 1e50, low_open=True, high_open=False, words="a number above 0 and at most 1e50")
"""What multiplies a row: with values up to 1e150 and importance weights up to 1e50 no sum of steps overflows."""
NONNEGATIVE = interval(0.0, math.inf, low_open=False, high_open=True, words="a finite number, at least 0")
OPEN_UNIT = interval(0.0, 1.0, low_open=True, high_open=True, words="a number strictly between 0 and 1")
HALF_OPEN_UNIT = interval(0.0, 1.0, low_open=False, high_open=True, words="a number at least 0 and below 1")
CLOSED_UNIT = interval(0.0, 1.0, low_open=False, high_open=False, words="a number from 0 to 1")
VECTOR = Domain("a one-dimensional array of finite numbers, none beyond 1e150", _is_vector)
MATRIX = Domain("a two-dimensional array of finite numbers, none beyond 1e150, a row per class", _is_matrix)
POWER = interval(0.0, 20.0, low_open=False, high_open=False, words="a number from 0 to 20")
"""Of the number of a round, as a weight: whatever that number is, the sum of the weights is one."""
SEED = Domain("a whole number, at least 0 and below 2^64", _is_whole)
WHOLE = Domain("a whole number, at least 1", lambda value: _is_whole(value) and value != 0)


@final
class Parameter(NamedTuple):
    """What is known of a field: its domain, and why its default is what it is."""

    domain: Domain
    why: str


_KEY = "littlestone"


def parameter(default: Default, *, domain: Domain, why: str) -> Default:
    """A field of a rule with its domain and the reason for its default."""
    return dataclasses.field(default=default, metadata=required(domain=domain, why=why))


def required(*, domain: Domain, why: str) -> Mapping[str, Parameter]:
    """The metadata of a field without a default: `rho: float = field(metadata=required(...))`."""
    return MappingProxyType({_KEY: Parameter(domain, why)})


def parameters(rule: object) -> dict[str, Parameter]:
    """The parameters of a rule (or rule class) by name, in the order of its fields."""
    if not dataclasses.is_dataclass(rule):
        return {}
    return {f.name: f.metadata[_KEY] for f in dataclasses.fields(rule) if _KEY in f.metadata}


def check(rule: object) -> None:
    """Raises InvalidParameter for the first field outside its domain."""
    for name, known in parameters(rule).items():
        value: object = getattr(rule, name)
        if not known.domain.contains(value):
            owner = type(rule).__name__
            raise InvalidParameter(f"{owner}: {name} is {short(value)}; {name} must be {known.domain.words}")
