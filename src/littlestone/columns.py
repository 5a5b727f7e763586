"""The columns of a run: one value a round of what `keep` names."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np

from littlestone import _core
from littlestone.errors import InvalidParameter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from littlestone.arrays import BoolArray, FloatArray

Columns: TypeAlias = "dict[str, FloatArray | BoolArray]"

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
    names = tuple(keep)
    for name in names:
        if name not in COLUMNS:
            raise InvalidParameter(f"keep names {name!r}; keep can name {', '.join(COLUMNS)}")
    return names


@final
class Kept:
    """Columns of so many rounds that a loop writes to; all their memory is taken before the first round."""

    def __init__(self, names: tuple[str, ...], count: int) -> None:
        self._numbers = {name: np.zeros(count) for name in names if name not in _FLAGS}
        self._flags = {name: np.zeros(count, dtype=bool) for name in names if name in _FLAGS}
        self._shown = np.zeros(count, dtype=np.int32) if "prediction" in names else None
        flags = {name: array.view(np.uint8) for name, array in self._flags.items()}
        self.core = _core.Columns(
            count,
            score=self._numbers.get("score"),
            loss=self._numbers.get("loss"),
            step=self._numbers.get("step"),
            mistake=flags.get("mistake"),
            update=flags.get("update"),
            shown=self._shown,
        )

    def columns(self) -> Columns:
        """The columns by their names."""
        if self._shown is not None:
            self._numbers["prediction"][:] = self._shown
        return {**self._numbers, **self._flags}
