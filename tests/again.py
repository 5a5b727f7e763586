"""Certificates and both sides of them by other code: plain lines of NumPy that share nothing with the library.

A generator makes runs from a seed and yields each certificate beside what it should say; it is registered under the ids that it
must meet. `test_recomputed` walks over all of them and over `ls.theory`, so that no id is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

import littlestone as ls

Sides: TypeAlias = "tuple[ls.Certificate, float, float]"
Both: TypeAlias = "dict[str, tuple[float, float]]"
Again: TypeAlias = "Callable[[int], Iterator[Sides]]"

REGISTERED: dict[Again, tuple[str, ...]] = {}


def again(*ids: str) -> Callable[[Again], Again]:
    """Registers a generator for the theorems that it computes again."""

    def register(made: Again) -> Again:
        REGISTERED[made] = ids
        return made

    return register


def beside(certificates: Iterable[ls.Certificate], sides: Mapping[str, tuple[float, float]]) -> Iterator[Sides]:
    """Those certificates of which both sides are known."""
    for one in certificates:
        if one.id in sides:
            yield one, *sides[one.id]
