"""How far apart the lengths of rows are: what makes a rule with one step size for all learn the largest column alone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from littlestone import _core

# So many rows are looked at; squared lengths that differ by so much, or are so large, are told of.
_ENOUGH, _APART, _LARGE = 1000, 1e6, 1e9


@final
class ScaleWarning(UserWarning):
    """Rows whose columns are in very different units, in front of a rule that minds."""


@final
class Norms:
    """The squared lengths of the first rows that a learner was given, and whether it was told of them.

    It is looked at once a call, while rows are few: nothing of it is part of what was learned.
    """

    __slots__ = ("_largest", "_rows", "_smallest", "_told")

    def __init__(self) -> None:
        self._rows, self._smallest, self._largest, self._told = 0, math.inf, 0.0, False

    def note(self, batch: _core.Batch) -> None:
        """Takes note of rows that were learned."""
        if self._rows < _ENOUGH:
            norms = batch.norm_squared
            self._rows += len(norms)
            self._largest = max(self._largest, float(norms.max(initial=0.0)))
            self._smallest = min(self._smallest, float(norms[norms > 0.0].min(initial=math.inf)))

    @property
    def advice(self) -> str | None:
        """What to say to whoever gives such rows; None where there is nothing to say, or not yet."""
        uneven = self._largest >= _APART * self._smallest or self._largest >= _LARGE
        if self._rows < _ENOUGH or not uneven:
            return None
        range_ = f"the squared lengths of rows go from {self._smallest:.2g} to {self._largest:.2g}"
        return f"{range_}: the largest columns decide; view=ls.features.StandardScale() puts all on one scale"

    def news(self) -> str | None:
        """The advice, once."""
        if self._told or self.advice is None:
            return None
        self._told = True
        return self.advice
