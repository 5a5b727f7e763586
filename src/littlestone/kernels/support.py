"""The state of a kernel rule: its support set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, final

import numpy as np

from littlestone import _core
from littlestone.errors import InvalidData, NotApplicable
from littlestone.kernels.expansion import AnyExpansion, DefinedExpansion
from littlestone.kernels.functions import Kernel, Points
from littlestone.state import State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from littlestone.arrays import FloatArray

_ANY_WIDTH = 2**40
_SCALARS = ("scale", "norm_squared", "self_sum", "distortion", "rounds", "dropped", "oldest")


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
            return expansion.points()
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
        """Everything that decides how the set goes on: of a kernel in Python all but the points, which may be any objects."""
        return self.expansion.parts()

    def refilled(self, arrays: Mapping[str, FloatArray], width: int) -> Self:
        """This set, empty so far, with what another one had.

        Raises:
            InvalidData: if the arrays are not those of such a set.
        """
        expansion = self.expansion
        if isinstance(expansion, DefinedExpansion) or set(arrays) != set(self.arrays):
            raise InvalidData(f"its state has the arrays {sorted(arrays)}, not {sorted(self.arrays)}")
        if any(len(arrays[name]) != 1 for name in _SCALARS) or (arrays["index"] >= max(width, 1)).any():
            raise InvalidData("its support points do not fit its features")
        expansion.refill(
            start=arrays["start"],
            index=arrays["index"],
            value=arrays["value"],
            alpha=arrays["alpha"],
            drift=arrays["drift"],
            scale=float(arrays["scale"][0]),
            norm_squared=float(arrays["norm_squared"][0]),
            self_sum=float(arrays["self_sum"][0]),
            distortion=float(arrays["distortion"][0]),
            rounds=float(arrays["rounds"][0]),
            dropped=float(arrays["dropped"][0]),
            oldest=float(arrays["oldest"][0]),
        )
        return self

    def stacks(self) -> bool:
        """No: the arrays are as long as the points that were met make them."""
        return False

    def in_core(self) -> bool:
        """Whether the kernel is one that the core knows."""
        return isinstance(self.expansion, _core.Expansion)

    def meet(self, row: _core.Row) -> bool:
        """Counts the round; the points stay as they are."""
        self.expansion.begin_round()
        return False

    def mirrored(self) -> Self:
        """A set of its own with the scores of this one, their signs changed."""
        twin = self.copy()
        twin.expansion.mirror()
        return twin

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
