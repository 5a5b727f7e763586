"""The state of an expert rule: named float64 arrays, one number an expert or one in all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from littlestone.arrays import FloatArray


@final
class ExpertState:
    """Named arrays: as long as there are experts, or of length 1 for a number of the rule."""

    __slots__ = ("_arrays",)

    def __init__(self, **arrays: FloatArray) -> None:
        self._arrays = arrays

    def __getattr__(self, name: str) -> FloatArray:
        """An array by its name."""
        if name == "_arrays" or name not in self._arrays:
            raise AttributeError(f"this state has no array {name!r}")
        return self._arrays[name]

    @property
    def arrays(self) -> Mapping[str, FloatArray]:
        """Every array by its name."""
        return self._arrays

    def copy(self) -> ExpertState:
        """A state of its own with the same numbers."""
        return ExpertState(**{name: array.copy() for name, array in self._arrays.items()})

    def restore(self, saved: ExpertState) -> None:
        """Puts back the numbers of a copy made earlier."""
        for name, array in self._arrays.items():
            array[...] = saved.arrays[name]

    def __repr__(self) -> str:
        shapes = ", ".join(f"{name}[{len(array)}]" for name, array in self._arrays.items())
        return f"ExpertState({shapes})"
