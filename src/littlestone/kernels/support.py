"""The state of a kernel rule: its support set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, final

import numpy as np

from littlestone import _core
from littlestone.errors import InvalidData, NotApplicable
from littlestone.kernels.expansion import AnyExpansion, DefinedExpansion
from littlestone.kernels.functions import Kernel, Points
from littlestone.schema import SCALAR, Array, Axis, Schema
from littlestone.state import State

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy.typing as npt

    from littlestone.arrays import FloatArray

_POINT = Array(Axis.POINT)
_POINTS: Schema = {"start": _POINT, "index": _POINT, "value": _POINT, "alpha": _POINT, "drift": _POINT}


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
        """The support points: a matrix with a point per row, or the list of objects."""
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
    def width(self) -> int:
        """No feature has a place of its own."""
        return 0

    def fits(self, width: int) -> bool:
        """Always: a kernel needs no room for new features."""
        return True

    def stacks(self) -> bool:
        """No: its arrays, which are copies and not looked at here, are as long as there are points."""
        return False

    def copies_cheaply(self, entries: int) -> bool:
        """Never: checking the rows costs less."""
        return False

    @property
    def arrays(self) -> Mapping[str, FloatArray]:
        """Everything that decides how the set goes on: of a kernel in Python all but the points, which may be any objects."""
        return self.expansion.parts()

    @property
    def schema(self) -> Schema:
        """What each array is."""
        return {name: _POINTS.get(name, SCALAR) for name in self.arrays}

    def refilled(self, arrays: Mapping[str, npt.NDArray[np.generic]], width: int) -> Self:
        """This set, empty so far, with what another one had.

        Raises:
            InvalidData: if the arrays are not those of such a set.
        """
        expansion = self.expansion
        if isinstance(expansion, DefinedExpansion) or set(arrays) != set(self.arrays):
            raise InvalidData(f"its state has the arrays {sorted(arrays)}, not {sorted(self.arrays)}")
        known = {name: np.asarray(array, dtype=np.float64) for name, array in arrays.items()}
        alone = [name for name in known if name not in _POINTS]
        if any(len(known[name]) != 1 for name in alone) or (known["index"] >= max(width, 1)).any():
            raise InvalidData("its support points do not fit its features")
        expansion.refill(known)
        return self

    def __reduce__(self) -> tuple[Callable[..., Support], tuple[object, ...]]:
        """A pickle has the arrays of what the core holds."""
        expansion = self.expansion
        if isinstance(expansion, DefinedExpansion):
            return Support, (self.kernel, expansion)
        return _unpickled, (self.kernel, expansion.budget, expansion.project, dict(self.arrays))

    def meet(self, row: _core.Row) -> bool:
        """Counts the round; the points stay as they are."""
        self.expansion.begin_round()
        return False

    def sit_out(self, other: Support) -> None:
        """Counts the rounds of another set, in which this one has no points."""
        for _ in range(int(other.arrays["rounds"][0])):
            self.expansion.begin_round()

    def mirrored(self) -> Self:
        """A set of its own with the scores of this one, their signs changed."""
        twin = self.copy()
        twin.expansion.mirror()
        return twin

    def locked(self) -> Self:
        """Itself: what it shows is computed when it is asked for."""
        return self

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

    def take_back(self, saved: State) -> None:
        """Puts back the points of a copy that is of no more use then."""
        mine, theirs = self.expansion, saved.expansion if isinstance(saved, Support) else None
        if isinstance(mine, _core.Expansion) and isinstance(theirs, _core.Expansion):
            mine.take(theirs)
        else:
            self.restore(saved)

    def loses_no_half(self, *, alone: bool) -> bool:
        """A round takes memory for its point, and what stands beside the points may be a round ahead then."""
        return alone

    def grown(self, fresh: State) -> Self:
        """This set: new features need no room."""
        return self

    def cut(self, width: int) -> Self:
        """This set."""
        return self

    def __repr__(self) -> str:
        return f"Support({len(self)} points)"


def _unpickled(kernel: Kernel, budget: int, project: bool, arrays: dict[str, FloatArray]) -> Support:
    width = int(arrays["index"].max(initial=-1.0)) + 1
    return Support.empty(kernel, budget or None, project=project).refilled(arrays, width)
