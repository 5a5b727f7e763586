"""The step sizes that theorems on Winnow recommend, from a margin and a radius."""

from __future__ import annotations

import math

from littlestone.domain import POSITIVE
from littlestone.errors import InvalidParameter

# A margin equal to the radius asks for an infinite step; from here on a longer one changes the bound by less than 1e-10.
_SHARPEST = 1.0 - 2.0**-40


def textbook_step(owner: str, margin: float, radius: float) -> float:
    """ρ/r² (Mohri et al., theorem 8.13)."""
    return _ratio(owner, margin, radius) / radius


def lecture_step(owner: str, margin: float, radius: float) -> float:
    """(1/r)·½log((1+δ)/(1−δ)) with δ = ρ/r (the lecture's theorem 2); δ = 1 is taken as 1 − 2⁻⁴⁰."""
    return math.atanh(min(_ratio(owner, margin, radius), _SHARPEST)) / radius


def _ratio(owner: str, margin: float, radius: float) -> float:
    """δ = ρ/r.

    Raises:
        InvalidParameter: if one is not positive, or the margin is larger than the radius, which no data allow.
    """
    for name, value in (("margin", margin), ("radius", radius)):
        if not POSITIVE.contains(value):
            raise InvalidParameter(f"{owner}: {name} is {value!r}; {name} must be {POSITIVE.words}")
    if margin > radius:
        raise InvalidParameter(f"{owner}: margin is {margin!r}; margin must be at most the radius, {radius!r}")
    return margin / radius
