"""The columns of a run: one value per round of what `keep` names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, final

from littlestone import _core
from littlestone.domain import names_among
from littlestone.lazy import np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from littlestone.arrays import BoolArray, FloatArray

KeptColumns: TypeAlias = "Mapping[str, FloatArray | BoolArray]"

COLUMNS = ("score", "loss", "step", "mistake", "update", "prediction")
"""What `keep` can name: one value of each a round.

Of many classes the score is the margin over the best rival. A prediction is a number: a sign, or that of a class (−1 before
there was one); `Learner.label_values` has its label.
"""

_FLAGS = ("mistake", "update")


def named(keep: Iterable[str]) -> tuple[str, ...]:
    """The names of columns.

    Raises:
        InvalidParameter: for a name of none.
    """
    return names_among(keep, COLUMNS)


@final
class Kept:
    """Columns of so many rounds that a loop writes to; all their memory is taken before the first round."""

    def __init__(self, names: tuple[str, ...], count: int) -> None:
        self._numbers = {name: np.zeros(count) for name in names if name not in _FLAGS}
        self._flags = {name: np.zeros(count, dtype=bool) for name in names if name in _FLAGS}
        self._shown = np.zeros(count, dtype=np.int32) if "prediction" in names else None
        flags = {name: array.view(np.uint8) for name, array in self._flags.items()}
        self.core = _core.RoundColumns(
            count,
            score=self._numbers.get("score"),
            loss=self._numbers.get("loss"),
            step=self._numbers.get("step"),
            mistake=flags.get("mistake"),
            update=flags.get("update"),
            shown=self._shown,
        )

    def columns(self) -> dict[str, FloatArray | BoolArray]:
        """The columns by their names."""
        if self._shown is not None:
            self._numbers["prediction"][:] = self._shown
        return {**self._numbers, **self._flags}


@final
class Glimpse(NamedTuple):
    """A few totals of a learner at a moment."""

    rounds: int
    shown_errors: int
    updates: int
    targets: int
    absolute_error: float

    @staticmethod
    def of(totals: _core.Totals) -> Glimpse:
        """The totals now."""
        return Glimpse(totals.rounds, totals.shown_errors, totals.updates, totals.targets, totals.absolute_error)


@final
class Learned(Mapping[str, "FloatArray | BoolArray"]):
    """What became of the rows of one call: the columns that were kept, by name, and a few words of what happened.

    It is equal to the dict of its columns, and cannot be written to.

    Example:
        >>> import littlestone as ls
        >>> ls.Learner(ls.Perceptron()).learn_many([[1.0], [-1.0], [2.0]], [1, -1, 1], keep=("score",))
        3 rounds learned: 0 errors, 1 update; columns: score
    """

    __slots__ = ("_after", "_before", "_columns")

    def __init__(self, columns: dict[str, FloatArray | BoolArray], before: Glimpse, after: Glimpse) -> None:
        self._columns, self._before, self._after = columns, before, after

    def __getitem__(self, name: str) -> FloatArray | BoolArray:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        rounds, errors, updates, targets, distance = (b - a for a, b in zip(self._before, self._after, strict=True))
        judged = f"MAE {distance / targets:.6g}" if targets else counted(int(errors), "error")
        kept = f"; columns: {', '.join(self._columns)}" if self._columns else ""
        return f"{counted(int(rounds), 'round')} learned: {judged}, {counted(int(updates), 'update')}{kept}"


def counted(count: int, what: str) -> str:
    """So many of something, in words."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"
