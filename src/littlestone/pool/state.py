"""What a pool has learned; the core holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, TypeAlias, final

import numpy as np

from littlestone import _core
from littlestone.errors import InvalidData, NotApplicable
from littlestone.state import State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from littlestone.arrays import FloatArray

AnyPool: TypeAlias = _core.Pool | _core.TargetPool

_ANY_WIDTH = 2**40


@final
class PoolState(State):
    """Lines of features, filters, calibrations, stacks and masters; features and classes join on the way."""

    __slots__ = ("core",)

    def __init__(self, core: AnyPool) -> None:
        super().__init__()
        self.core = core

    @property
    def w(self) -> FloatArray:
        """There is no one vector of weights.

        Raises:
            NotApplicable: always.
        """
        raise NotApplicable("a pool has no one vector of weights; its state has those of every member, in arrays")

    @property
    def unscaled(self) -> FloatArray:
        """Zeros, for rows of any width: the pool makes room for new features itself."""
        return np.broadcast_to(np.zeros(1), (_ANY_WIDTH,))

    @property
    def arrays(self) -> Mapping[str, FloatArray]:
        """Everything that decides how the pool goes on."""
        return self.core.parts()

    @property
    def size(self) -> int:
        """Never copied to be put back: what is learned was checked before."""
        return _ANY_WIDTH

    def refilled(self, arrays: Mapping[str, FloatArray], width: int) -> Self:
        """This pool, empty so far, with what another one had.

        Raises:
            InvalidData: if the arrays are not those of such a pool.
        """
        if set(arrays) - set(self.arrays) - _WHERE_SEATED:
            raise InvalidData(f"its state has the arrays {sorted(arrays)}, not {sorted(self.arrays)}")
        self.core.refill(dict(arrays))
        return self

    def stacks(self) -> bool:
        """No: the arrays are as long as what was met makes them."""
        return False

    def in_core(self) -> bool:
        """Yes."""
        return True

    def copy(self) -> Self:
        """A pool of its own that knows the same."""
        return type(self)(self.core.copy())

    def restore(self, saved: State) -> None:
        """Back to a copy made earlier."""
        assert isinstance(saved, PoolState)
        mine, theirs = self.core, saved.core
        if isinstance(mine, _core.Pool) and isinstance(theirs, _core.Pool):
            mine.restore(theirs)
        if isinstance(mine, _core.TargetPool) and isinstance(theirs, _core.TargetPool):
            mine.restore(theirs)

    def grown(self, fresh: State) -> Self:
        """This pool: it makes room itself."""
        return self

    def cut(self, width: int) -> Self:
        """This pool."""
        return self

    def __repr__(self) -> str:
        return f"PoolState({', '.join(self.arrays)})"


_WHERE_SEATED = frozenset({"raw.filters", "bins.filters", "pairs.filters", "views.cuts"})
"""Arrays that are there once something was learned."""
