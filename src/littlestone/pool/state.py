"""What a pool has learned; the core holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, TypeAlias, final

from littlestone import _core
from littlestone.errors import InvalidData, NotApplicable
from littlestone.lazy import np
from littlestone.schema import Array, Axis, Schema
from littlestone.state import State

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.pool.guests import Guests

AnyPool: TypeAlias = _core.Pool | _core.TargetPool

_MET = Array(Axis.POINT)
_LATER = frozenset({"raw.filters", "bins.filters", "pairs.filters", "views.cuts"})
"""Arrays that are there once something was learned."""


@final
class PoolState(State):
    """Lines of features, filters, calibrations, stacks and masters; features and classes join on the way."""

    __slots__ = ("core", "guests")

    def __init__(self, core: AnyPool, guests: Guests | None = None) -> None:
        super().__init__()
        self.core = core
        self.guests = guests
        """Members of the user's own; files do not hold them."""

    @property
    def w(self) -> FloatArray:
        """There is no one vector of weights.

        Raises:
            NotApplicable: always.
        """
        raise NotApplicable("a pool has no one vector of weights; its state has those of every member, in arrays")

    @property
    def width(self) -> int:
        """The pool makes room for new features itself."""
        return 0

    def fits(self, width: int) -> bool:
        """Always."""
        return True

    def copies_cheaply(self, entries: int) -> bool:
        """Never: checking the rows costs less."""
        return False

    def mixed(self, others: Sequence[Self], shares: FloatArray) -> Self:
        """Never.

        Raises:
            NotApplicable: always.
        """
        raise NotApplicable(
            "pools cannot be mixed: their members' lines and accounts have no mean; learn the stream in one piece"
        )

    @property
    def met(self) -> FloatArray:
        """How many scores a row has, where there are classes."""
        return np.array([float(self.core.classes if isinstance(self.core, _core.Pool) else 1)])

    @property
    def arrays(self) -> Mapping[str, FloatArray]:
        """Everything that decides how the pool goes on."""
        return self.core.parts()

    def sound(self) -> bool:
        """Whether every number is finite."""
        return all(np.isfinite(array).all() for array in self.arrays.values())

    def evidence(self, width: int) -> FloatArray:
        """In how many rows each feature was met."""
        counts: FloatArray = np.zeros(width)
        met = self.core.counts()[:width]
        counts[: len(met)] = met
        return counts

    def keeping(self, places: npt.NDArray[np.int64]) -> Self:
        """A pool of its own that knows these features alone; calibrations, stacks and masters are as they were."""
        twin = self.copy()
        twin.core.keep(places)
        return twin

    def sleep_on_labels(self) -> None:
        """From now on labels come too late for whoever goes by the last ones."""
        if isinstance(self.core, _core.Pool):
            self.core.members = [*self.core.members[:-1], 0.0]

    def accounts(self) -> Mapping[str, list[float]]:
        """Weights and log losses of members and views, class by class, and of guests; of a pool for targets squared errors."""
        return self.core.accounts() | ({} if self.guests is None else self.guests.accounts())

    @property
    def schema(self) -> Schema:
        """What each array is: as long as what was met makes it."""
        return dict.fromkeys(self.arrays, _MET)

    def stacks(self) -> bool:
        """Never, and its arrays need not be made to say so."""
        return False

    def refilled(self, arrays: Mapping[str, npt.NDArray[np.generic]], width: int) -> Self:
        """This pool, empty so far, with what another one had.

        Raises:
            InvalidData: if the arrays are not those of such a pool.
        """
        if set(arrays) - set(self.arrays) - _LATER:
            raise InvalidData(f"its state has the arrays {sorted(arrays)}, not {sorted(self.arrays)}")
        self.core.refill({name: np.ascontiguousarray(array, dtype=np.float64) for name, array in arrays.items()})
        return self

    def __reduce__(self) -> tuple[Callable[..., PoolState], tuple[object, ...]]:
        """A pickle has the arrays of what the core holds."""
        core = self.core
        if isinstance(core, _core.Pool):
            options = core.narrow_views, core.members, core.threshold, core.largest_weight
            return _unpickled, (self.guests, *options, dict(self.arrays))
        return _targets_unpickled, (core.narrow_views, dict(self.arrays))

    def locked(self) -> Self:
        """Itself: what it shows is computed when it is asked for."""
        return self

    def copy(self) -> Self:
        """A pool of its own that knows the same."""
        return type(self)(self.core.copy(), self.guests and self.guests.copy())

    def restore(self, saved: State) -> None:
        """Back to a copy made earlier, which is given up by it: there may be no memory for another."""
        assert isinstance(saved, PoolState)
        mine, theirs = self.core, saved.core
        if isinstance(mine, _core.Pool) and isinstance(theirs, _core.Pool):
            mine.restore(theirs)
        if isinstance(mine, _core.TargetPool) and isinstance(theirs, _core.TargetPool):
            mine.restore(theirs)
        if self.guests is not None and saved.guests is not None:
            self.guests.restore(saved.guests)

    def grown(self, fresh: State) -> Self:
        """This pool: it makes room itself."""
        return self

    def cut(self, width: int) -> Self:
        """This pool."""
        return self

    def __repr__(self) -> str:
        return f"PoolState({', '.join(self.arrays)})"


def _unpickled(
    guests: Guests | None,
    narrow_views: bool,
    members: list[float],
    threshold: float,
    largest_weight: float,
    arrays: dict[str, FloatArray],
) -> PoolState:
    core = _core.Pool(narrow_views=narrow_views, members=members, threshold=threshold, largest_weight=largest_weight)
    return PoolState(core, guests).refilled(arrays, 0)


def _targets_unpickled(narrow_views: bool, arrays: dict[str, FloatArray]) -> PoolState:
    return PoolState(_core.TargetPool(narrow_views=narrow_views)).refilled(arrays, 0)
