from collections.abc import Callable
from typing import TypeVar

_Method = TypeVar("_Method")
_Owner = TypeVar("_Owner")

def available_if(check: Callable[[_Owner], bool]) -> Callable[[_Method], _Method]: ...
