"""What is asked of arguments before anything is loaded that takes time: readers begin with it."""

from __future__ import annotations

from collections.abc import Iterable

from littlestone.errors import InvalidParameter
from littlestone.lazy import np, numpy_is_loaded


def is_one_of(value: object, names: Iterable[str]) -> bool:
    """Whether a value is one of these names; what is no text, an array say, is not compared with any."""
    return isinstance(value, str) and value in names


def flag(name: str, value: object) -> bool:
    """What an argument says that is True or False.

    Raises:
        InvalidParameter: if it is neither.
    """
    if not isinstance(value, bool) and not (numpy_is_loaded() and isinstance(value, np.bool_)):
        raise InvalidParameter(f"{name} is {short(value)}; {name} must be True or False")
    return bool(value)


def short(value: object) -> str:
    """A value as a sentence shows it."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."
