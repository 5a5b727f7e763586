"""How far apart the lengths of rows are: what makes a rule with one step size for all learn the largest column alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from littlestone.lazy import np

if TYPE_CHECKING:
    from littlestone import _core
    from littlestone.arrays import FloatArray

# So many rows are looked at; squared lengths that differ by so much, or are so large, are told of.
_ENOUGH, _APART, _LARGE, _SHORT = 1000, 1e6, 1e9, 0.1


@final
class ScaleWarning(UserWarning):
    """Rows whose columns are in very different units, in front of a rule that minds."""


@final
class Norms:
    """The squared lengths of the first rows that a learner was given, and whether it was told of them.

    Of a row that is short by chance nothing is said: the longest is compared with the length that nine rows in ten have. It
    is looked at once a call, while rows are few: nothing of it is part of what was learned.
    """

    __slots__ = ("_looked", "_seen", "_told")

    def __init__(self) -> None:
        self._seen: FloatArray | None = None
        self._looked, self._told = 0, False

    def note(self, batch: _core.Batch) -> None:
        """Takes note of rows that were learned."""
        if self._count < _ENOUGH:
            seen = np.zeros(0) if self._seen is None else self._seen
            self._seen = np.concatenate([seen, batch.norm_squared[:_ENOUGH]])[:_ENOUGH]

    @property
    def _count(self) -> int:
        return 0 if self._seen is None else len(self._seen)

    @property
    def advice(self) -> str | None:
        """What to say to whoever gives such rows; None where there is nothing to say, or not yet."""
        if self._seen is None or len(self._seen) < _ENOUGH:
            return None
        lengths = np.sort(self._seen)  # np.quantile would load the module of masked arrays, which takes longer than many a file
        usual, largest = float(lengths[int(_SHORT * _ENOUGH)]), float(lengths[-1])
        apart = largest >= _APART * usual > 0.0
        if not apart and largest < _LARGE:
            return None
        range_ = f"go from {usual:.2g} to {largest:.2g}" if apart else f"are up to {largest:.2g}"
        cure = 'view=ls.features.StandardScale() (scale="standard" of an estimator) puts all on one scale'
        return f"the squared lengths of rows {range_}: the largest columns decide; {cure}"

    def news(self) -> str | None:
        """The advice, once; where no row has come since, there is nothing new to say."""
        looked, self._looked = self._looked, self._count
        if self._told or looked == self._looked or self.advice is None:
            return None
        self._told = True
        return self.advice
