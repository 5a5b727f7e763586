"""Packages whose names load when they are asked for: a program that learns by one rule need not wait for twenty.

A package says once where each of its names lives; `make stubs` writes the same table for type checkers, as `__init__.pyi`.
`np` is NumPy for modules that a file may be learned with before anything of NumPy is needed, and so are `json` and `click`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, final

__all__ = ["click", "homes", "json", "lazily", "listed_by_pydoc", "np", "numpy_is_loaded"]


@final
class _Later(ModuleType):
    """A module that loads when it is first asked for something, and has all that the module has from then on."""

    def __getattr__(self, name: str) -> object:
        loaded = import_module(self.__name__)  # one thread loads it, the others wait
        self.__dict__.update(loaded.__dict__)
        object.__setattr__(self, "__class__", ModuleType)  # whatever is asked for next is found without this function
        return getattr(loaded, name)


if TYPE_CHECKING:
    import json

    import click
    import numpy as np
else:
    click, json, np = _Later("click"), _Later("json"), _Later("numpy")


def numpy_is_loaded() -> bool:
    """Whether there can be an array, or a number of NumPy's, at all; to ask does not load it."""
    return "numpy" in sys.modules


def homes(table: Mapping[str, str]) -> dict[str, str]:
    """The home of each name, from a table of the names at home in each module."""
    return {name: home for home, names in table.items() for name in names.split()}


def lazily(
    package: str, homes: Mapping[str, str], *, rooms: Mapping[str, str] | None = None, rules: Iterable[str] = ()
) -> Callable[[str], object]:
    """What a package has for its `__getattr__`.

    Args:
        package: its name.
        homes: the module of the package that each name lives in.
        rooms: names that are modules of the package themselves.
        rules: those of the names that make up the tuple `RULES`, in their order.
    """
    module, modules = sys.modules[package], rooms or {}

    def load(name: str) -> object:
        if name == "RULES" and rules:
            return tuple(getattr(module, rule) for rule in rules)
        if name in modules:
            return import_module(f"{package}.{modules[name]}")
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    def remember(name: str) -> object:
        value = load(name)
        setattr(module, name, value)
        return value

    return remember


def listed_by_pydoc() -> bool:
    """Whether it is `help` that lists the names of a package, through `inspect`, and not a person or a completer."""
    frame = sys._getframe()
    for _ in range(4):
        if frame.f_back is None:
            return False
        frame = frame.f_back
        if frame.f_globals.get("__name__") == "pydoc":
            return True
    return False
