"""The state of an expert rule: named arrays, a number for each expert or for each pair, and numbers of the rule."""

from __future__ import annotations

from dataclasses import replace
from typing import final

from littlestone.arrays import FloatArray
from littlestone.schema import Array, Arrays, Mixing


def summed(**arrays: FloatArray) -> ExpertState:
    """A state whose arrays, but for the prior, are sums over the rounds: those of several learners add up (`ls.merge`)."""
    kinds = {name: Mixing.NEVER if name == "log_prior" else Mixing.SUM for name in arrays}
    return ExpertState({name: Array(inner=array.size, mixing=kinds[name]) for name, array in arrays.items()}, **arrays)


def in_own_unit(state: ExpertState) -> ExpertState:
    """The same arrays, whose sums are in the range of losses that was met: those of several learners do not add up."""
    kinds = {
        name: replace(array, mixing=Mixing.OWN_UNIT) if array.mixing is Mixing.SUM else array
        for name, array in state.schema.items()
    }
    return ExpertState(kinds, **state.arrays)


@final
class ExpertState(Arrays):
    """Named arrays. The experts are known from the beginning, so that an array stays as long as it is made."""

    __slots__ = ()

    @staticmethod
    def _undeclared(array: FloatArray) -> Array:
        """As many numbers as the rule gave it."""
        return Array(inner=array.size)
