"""The state of an expert rule: named arrays, a number for each expert or for each pair, and numbers of the rule."""

from __future__ import annotations

from typing import Self, final

import numpy as np

from littlestone.arrays import FloatArray
from littlestone.schema import Array, Arrays, Axis, Mixing, Schema


def per_expert(*names: str) -> Schema:
    """Arrays with a number per expert."""
    return {name: Array(Axis.EXPERT) for name in names}


def summed(**arrays: FloatArray) -> ExpertState:
    """Sums over the rounds per expert and their number; those of several learners add up (`ls.merge`), but for the prior."""
    declared = {name: Array(Axis.EXPERT, mixing=Mixing.SUM) for name in arrays}
    declared["log_prior"] = Array(Axis.EXPERT)
    declared["rounds"] = Array(mixing=Mixing.SUM)
    return ExpertState(declared, **arrays)


def in_own_unit(state: ExpertState) -> ExpertState:
    """The same arrays, whose sums are in the range of losses that was met: those of several learners do not add up."""
    kinds = {
        name: array._replace(mixing=Mixing.OWN_UNIT) if array.mixing is Mixing.SUM else array
        for name, array in state.schema.items()
    }
    return ExpertState(kinds, **state.arrays)


@final
class ExpertState(Arrays):
    """Named arrays. What runs along the experts is declared (`per_expert`); any other array stays as long as it is made."""

    __slots__ = ()

    @staticmethod
    def _undeclared(array: FloatArray) -> Array:
        """As many numbers as the rule gave it."""
        return Array(inner=array.size)

    def joined(self, **latest: float) -> Self:
        """The state with one expert more, and its number in each array that runs along them: 0 where nothing is said."""
        along = [name for name, array in self.schema.items() if array.axis is Axis.EXPERT]
        return self.holding({**self.arrays, **{name: np.append(self.arrays[name], latest.get(name, 0.0)) for name in along}})
