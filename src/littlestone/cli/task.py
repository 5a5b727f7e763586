"""Whether a file is learned for its labels or for its targets, where nobody said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, final

import numpy as np

from littlestone.cli.text import say
from littlestone.errors import InvalidData

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.rule import LinearRule

Task: TypeAlias = Literal["labels", "targets"]

MOST_LABELS = 20
"""More distinct whole numbers than this are taken for counts or measures, not for classes."""


@final
class Decided:
    """The task that the first outcomes of a file speak for; what contradicts it later is refused."""

    def __init__(self, y: npt.NDArray[np.generic], given: Task | None) -> None:
        self._given, self._rows = given is not None, len(y)
        self._met: set[float] = set()
        self.task: Task = given or ("labels" if self._look_like_labels(y) else "targets")
        kind = "words" if _are_words(y) else f"{len(self._met)} whole numbers" if self.task == "labels" else "numbers"
        self.reason = f"{self.task} are learned: {kind} in the first {len(y):,} rows"

    def rule(self) -> LinearRule:
        """The pool for the task."""
        from littlestone.pool import Pool, PoolRegression

        return Pool() if self.task == "labels" else PoolRegression()

    def say(self) -> None:
        """What was decided, and how to decide otherwise."""
        other = "targets" if self.task == "labels" else "labels"
        if not self._given and self._rows:
            say(f"{self.reason}; --task {other} learns {other}, --rule another way", err=True, dim=True)

    def check(self, y: npt.NDArray[np.generic]) -> None:
        """Refuses outcomes that contradict what was decided.

        Raises:
            InvalidData: naming `--task`.
        """
        if self._given or self.task == "targets" or _are_words(y):
            if self.task == "targets" and _are_words(y):
                raise InvalidData("there are words among the targets; --task labels learns them as labels")
            return
        if not self._look_like_labels(y):
            raise InvalidData(
                f"there are more than {MOST_LABELS} whole numbers, or others, among the labels; "
                "say --task labels, or --task targets"
            )

    def _look_like_labels(self, y: npt.NDArray[np.generic]) -> bool:
        """Words, truth values, or few whole numbers so far."""
        if _are_words(y) or y.dtype.kind == "b":
            return True
        rest = y.astype(np.float64)
        rest = rest[~np.isnan(rest)]
        for number in self._met:
            rest = rest[rest != number]
        while len(rest) and len(self._met) <= MOST_LABELS:
            self._met.add(float(rest[0]))
            rest = rest[rest != rest[0]]
        return len(self._met) <= MOST_LABELS and all(number.is_integer() for number in self._met)


def _are_words(y: npt.NDArray[np.generic]) -> bool:
    return y.dtype.kind in "OUST"
