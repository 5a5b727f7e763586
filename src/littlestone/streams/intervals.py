"""Intervals of acceptable scores, a row each."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from littlestone import _core
from littlestone.arrays import BoolArray, FloatArray
from littlestone.errors import InvalidData
from littlestone.lazy import np

if TYPE_CHECKING:
    import numpy.typing as npt


@final
class Intervals:
    """Outcomes given as the scores that are acceptable; each end open or closed, infinite where there is none.

    Example:
        >>> import littlestone as ls
        >>> y = ls.Intervals([0.0, -float("inf")], [float("inf"), 3.0], lo_open=True)
        >>> len(y), y
        (2, Intervals((0, inf), (-inf, 3]))
    """

    __slots__ = ("hi", "hi_open", "lo", "lo_open", "outcomes")

    def __init__(
        self,
        lo: npt.ArrayLike,
        hi: npt.ArrayLike,
        *,
        lo_open: npt.ArrayLike = False,
        hi_open: npt.ArrayLike = False,
    ) -> None:
        try:
            low, high = np.broadcast_arrays(np.atleast_1d(lo), np.atleast_1d(hi))
            self.lo: FloatArray = np.array(low, dtype=np.float64)
            self.hi: FloatArray = np.array(high, dtype=np.float64)
            open_low = np.broadcast_to(np.asarray(lo_open, dtype=bool), self.lo.shape)
            open_high = np.broadcast_to(np.asarray(hi_open, dtype=bool), self.hi.shape)
        except (TypeError, ValueError, OverflowError):
            raise InvalidData("the ends of intervals are not lists of numbers of one length") from None
        if self.lo.ndim != 1:
            raise InvalidData(f"the ends of intervals have {self.lo.ndim} dimensions; expected one interval per row")
        # An infinite end is not a score, so it is open whatever was said.
        self.lo_open: BoolArray = open_low | np.isneginf(self.lo)
        self.hi_open: BoolArray = open_high | np.isposinf(self.hi)
        self.outcomes = _core.intervals(self.lo, self.hi, _bytes(self.lo_open), _bytes(self.hi_open))

    @staticmethod
    def of_labels(signs: npt.ArrayLike, *, margin: float = 1.0) -> Intervals:
        """[margin, ∞) for +1 and (−∞, −margin] for −1: the absolute-loss reading of labels."""
        positive = np.asarray(signs) > 0
        return Intervals(np.where(positive, margin, -np.inf), np.where(positive, np.inf, -margin))

    @staticmethod
    def of_targets(targets: npt.ArrayLike, *, epsilon: float = 0.0) -> Intervals:
        """[target − ε, target + ε]."""
        values = np.asarray(targets, dtype=np.float64)
        return Intervals(values - epsilon, values + epsilon)

    @staticmethod
    def inside(rows: int) -> Intervals:
        """(−∞, 0] for each row: what a rule that learns rows alone goes by."""
        return Intervals(np.full(rows, -np.inf), np.zeros(rows))

    def is_inside(self) -> bool:
        """Whether each of them is what `inside` gives."""
        return bool(np.isneginf(self.lo).all() and not self.hi.any() and not self.hi_open.any())

    @staticmethod
    def of_votes(signs: npt.ArrayLike) -> Intervals:
        """[½, 1] for +1 and [0, ½) for −1: a weighted vote of experts in [0, 1], where a tie predicts +1."""
        positive = np.asarray(signs) > 0
        return Intervals(np.where(positive, 0.5, 0.0), np.where(positive, 1.0, 0.5), hi_open=~positive)

    def __len__(self) -> int:
        return len(self.lo)

    def __getitem__(self, rows: slice) -> Intervals:
        return Intervals(self.lo[rows], self.hi[rows], lo_open=self.lo_open[rows], hi_open=self.hi_open[rows])

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{'(' if self.lo_open[t] else '['}{self.lo[t]:g}, {self.hi[t]:g}{')' if self.hi_open[t] else ']'}"
            for t in range(min(3, len(self)))
        )
        return f"Intervals({shown}{', ...' if len(self) > 3 else ''})"


def _bytes(flags: BoolArray) -> npt.NDArray[np.uint8]:
    return flags.astype(np.uint8)


@final
class NoOutcome:
    """The outcome that was not given: all there is for a rule that learns rows alone."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "no outcome"

    def __reduce__(self) -> str:
        return "NO_OUTCOME"  # there is one, in every process


NO_OUTCOME = NoOutcome()
