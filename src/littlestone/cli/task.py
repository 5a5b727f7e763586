"""Whether a file is learned for its labels or for its targets, where nobody said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, final

from littlestone.cli.text import say
from littlestone.errors import InvalidData

if TYPE_CHECKING:
    from littlestone.rule import LinearRule
    from littlestone.streams.rows import FileLabels

Task: TypeAlias = Literal["labels", "targets"]

MOST_LABELS = 20
"""More distinct whole numbers than this are taken for counts or measures, not for classes."""
_SOME = 100
"""Of fewer rows it is not known how often a label comes again."""


@final
class Decided:
    """The task that the first outcomes of a file speak for; what contradicts it later is refused."""

    def __init__(self, y: FileLabels | None, given: Task | None) -> None:
        self._given, self._rows = given is not None, 0 if y is None else len(y)
        self._met: set[float] = set()
        self.task: Task = given or ("labels" if self._look_like_labels(y) else "targets")
        numbers = f"{len(self._met)} whole numbers" if self.task == "labels" else "numbers"
        kind = "words" if y is not None and y.are_words else numbers
        self.reason = f"{self.task} are learned: {kind} in the first {self._rows:,} rows"
        if y is not None and y.are_words and not self._given:
            self._check_recur(len(set(y.array.tolist())))

    def _check_recur(self, words: int) -> None:
        """Refuses texts that were taken for labels: a class for each of them would learn for hours, and nothing."""
        if self._rows >= _SOME and 2 * words > self._rows:
            raise InvalidData(
                f"there are {words:,} different words among the labels of the first {self._rows:,} rows; name another column "
                "by --label, or say --task labels if they are classes"
            )

    def rule(self) -> LinearRule:
        """The pool for the task."""
        from littlestone.pool import Pool, PoolRegression

        return Pool() if self.task == "labels" else PoolRegression()

    def say(self) -> None:
        """What was decided, and how to decide otherwise."""
        other = "targets" if self.task == "labels" else "labels"
        if not self._given and self._rows:
            say(f"{self.reason}; --task {other} learns {other}, --rule another way", err=True, dim=True)

    def check(self, y: FileLabels) -> None:
        """Refuses outcomes that contradict what was decided.

        Raises:
            InvalidData: naming `--task`.
        """
        if self.task == "targets":
            if y.are_words:
                raise InvalidData("there are words among the targets; --task labels learns them as labels")
        elif not self._given and not self._look_like_labels(y):
            raise InvalidData(
                f"there are more than {MOST_LABELS} whole numbers, or others, among the labels; "
                "say --task labels, or --task targets"
            )

    def _look_like_labels(self, y: FileLabels | None) -> bool:
        """Words, truth values, or few whole numbers so far."""
        if y is None or y.are_words or y.are_truths:
            return True
        self._met.update(y.unlike(list(self._met), MOST_LABELS + 1 - len(self._met)))
        return len(self._met) <= MOST_LABELS and all(number.is_integer() for number in self._met)
