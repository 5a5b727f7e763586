"""The state of an expert rule: named arrays, a number for each expert or for each pair, and numbers of the rule."""

from __future__ import annotations

from typing import final

from littlestone.arrays import FloatArray
from littlestone.schema import Array, Arrays


@final
class ExpertState(Arrays):
    """Named arrays. The experts are known from the beginning, so that an array stays as long as it is made."""

    __slots__ = ()

    @staticmethod
    def _undeclared(array: FloatArray) -> Array:
        """As many numbers as the rule gave it."""
        return Array(inner=array.size)
