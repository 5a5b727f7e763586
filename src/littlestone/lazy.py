"""Packages whose names load when they are asked for: a program that learns by one rule need not wait for twenty.

A package says once where each of its names lives; `make stubs` writes the same table for type checkers, as `__init__.pyi`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module


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
