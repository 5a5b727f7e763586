"""Packages whose names load when they are asked for: a program that learns by one rule need not wait for twenty."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module


def lazily(package: str, homes: Mapping[str, str], *, rules: Iterable[str] = ()) -> Callable[[str], object]:
    """What a package has for its `__getattr__`.

    Args:
        package: its name.
        homes: the module of the package that each name lives in.
        rules: those of the names that make up the tuple `RULES`, in their order.
    """
    module = sys.modules[package]

    def load(name: str) -> object:
        if name == "RULES" and rules:
            return tuple(getattr(module, rule) for rule in rules)
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    def remember(name: str) -> object:
        value = load(name)
        setattr(module, name, value)
        return value

    return remember
