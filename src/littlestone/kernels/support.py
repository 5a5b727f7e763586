"""The state of a kernel rule: its support set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, final

import numpy as np

from littlestone import _core
from littlestone.errors import NotApplicable
from littlestone.kernels.expansion import AnyExpansion, DefinedExpansion
from littlestone.kernels.functions import Kernel, Points
from littlestone.state import State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from littlestone.arrays import FloatArray

_ANY_WIDTH = 2**40


@final
class Support(State):
    """Points and their coefficients; w = Σ α_p φ(x_p) is never formed."""

    __slots__ = ("expansion", "kernel")

    def __init__(self, kernel: Kernel, expansion: AnyExpansion) -> None:
        super().__init__()
        self.kernel = kernel
        self.expansion = expansion

    @staticmethod
    def empty(kernel: Kernel, budget: int | None, *, project: bool) -> Support:
        """No points yet."""
        compiled = kernel.compiled()
        if compiled is None:
            return Support(kernel, DefinedExpansion(kernel, budget=budget or 0, project=project))
        return Support(kernel, _core.Expansion(compiled, budget=budget or 0, project=project))

    @property
    def alpha(self) -> FloatArray:
        """The coefficient of each point, its label's sign included."""
        return self.expansion.coefficients()

    @property
    def points(self) -> Points:
        """The support points: a matrix with a point a row, or the list of objects."""
        expansion = self.expansion
        if isinstance(expansion, DefinedExpansion):
            return expansion.objects()
        start, index, value = expansion.points()
        matrix = np.zeros((len(expansion), int(index.max(initial=-1)) + 1))
        matrix[np.repeat(np.arange(len(expansion)), np.diff(start)), index] = value
        return matrix

    def __len__(self) -> int:
        return len(self.expansion)

    @property
    def w(self) -> FloatArray:
        """There are no weights.

        Raises:
            NotApplicable: always.
        """
        raise NotApplicable("a kernel rule has no weights; its state has points and alpha")

    @property
    def unscaled(self) -> FloatArray:
        """Zeros, for rows of any width: a kernel needs no room for new features."""
        return np.broadcast_to(np.zeros(1), (_ANY_WIDTH,))

    @property
    def arrays(self) -> Mapping[str, FloatArray]:
        """The coefficients."""
        return {"alpha": self.alpha}

    @property
    def size(self) -> int:
        """A compiled set is never copied, a defined one always: its kernel may fail on any row."""
        return 0 if isinstance(self.expansion, DefinedExpansion) else _ANY_WIDTH

    def copy(self) -> Self:
        """A support set of its own with the same points."""
        return type(self)(self.kernel, self.expansion.copy())

    def restore(self, saved: State) -> None:
        """Puts back the points of a copy made earlier."""
        mine, theirs = self.expansion, saved.expansion if isinstance(saved, Support) else None
        if isinstance(mine, DefinedExpansion) and isinstance(theirs, DefinedExpansion):
            mine.restore(theirs)
        if isinstance(mine, _core.Expansion) and isinstance(theirs, _core.Expansion):
            mine.restore(theirs)

    def grown(self, fresh: State) -> Self:
        """This set: new features need no room."""
        return self

    def cut(self, width: int) -> Self:
        """This set."""
        return self

    def __repr__(self) -> str:
        return f"Support({len(self)} points)"
