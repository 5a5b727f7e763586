"""The commonest of many labels, beside whom learners stand: its errors hang on counts per label, and a ledger has no room."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, final

from littlestone.lazy import np

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.ledger import Ledger
    from littlestone.outcomes import OutcomesLike

_MANY = 1 << 16
"""Labels that wait at most until they are counted."""


@final
class Tally:
    """How often whoever shows the label met most often would be wrong: of many classes the ledger does not count them.

    Of several labels met as often, the one that was so first is shown. Labels wait until somebody asks, or until they are many.
    """

    def __init__(self) -> None:
        self._counts: dict[object, int] = {}
        self._leader: object = None
        self._errors = self._waits = self.rounds = 0
        self._waiting: list[npt.NDArray[np.generic] | bytes] = []

    def note(self, labels: npt.NDArray[np.generic] | bytes) -> None:
        """Labels in their order; bytes are those of numbers in double precision, as `FileLabels.kept` gives them."""
        count = len(labels) // 8 if isinstance(labels, bytes) else len(labels)
        self._waiting.append(labels if isinstance(labels, bytes) else labels.copy())
        self._waits += count
        self.rounds += count
        if self._waits >= _MANY:
            self._count()

    @property
    def errors(self) -> int:
        """In the rounds so far."""
        self._count()
        return self._errors

    def beside(self, ledger: Ledger) -> Ledger:
        """The ledger with these errors, as one of many classes, where it is and has no other rounds."""
        many = ledger.two_labels < ledger.rounds == self.rounds
        return replace(ledger, majority_errors=self.errors, two_labels=0) if many else ledger

    def _count(self) -> None:
        waiting, self._waiting, self._waits = self._waiting, [], 0
        arrays = [np.frombuffer(labels) if isinstance(labels, bytes) else labels for labels in waiting]
        for _, alike in groupby(arrays, key=lambda labels: labels.dtype):
            labels = np.concatenate(list(alike))
            if not self._counted_at_once(labels):
                self._count_one_by_one(labels)

    def _counted_at_once(self, labels: npt.NDArray[np.generic]) -> bool:
        """Counts labels of which there were two at most so far, and these are no others; says whether that is so."""
        pair, rest = list(self._counts), labels
        for label in pair:
            rest = rest[rest != label]
        while len(rest) and len(pair) < 2:
            pair += rest[:1].tolist()
            rest = rest[rest != pair[-1]]
        if len(labels) == 0 or len(rest) or len(pair) > 2:
            return len(labels) == 0
        step = np.where(labels == pair[0], 1, -1)
        before = self._counts.get(pair[0], 0) - sum(self._counts.get(label, 0) for label in pair[1:])
        ahead = before + np.cumsum(step) - step  # the first of the pair, before each round
        # Where both were met as often, whoever was ahead last is shown.
        since = np.maximum.accumulate(np.where(ahead != 0, np.arange(1, len(ahead) + 1), 0))
        led = 0 if self._leader is None else 1 if self._leader == pair[0] else -1
        self._errors += int(np.count_nonzero(np.concatenate(([led], np.sign(ahead)))[since] != step))
        for label, sign in zip(pair, (1, -1), strict=False):
            self._counts[label] = self._counts.get(label, 0) + int(np.count_nonzero(step == sign))
        self._leader = pair[0] if (ahead[-1] + step[-1] or ahead[-1]) > 0 else pair[-1]
        return True

    def _count_one_by_one(self, labels: npt.NDArray[np.generic]) -> None:
        counts, leader = self._counts, self._leader
        for label in labels.tolist():
            self._errors += label != leader
            met = counts[label] = counts.get(label, 0) + 1
            if met > counts.get(leader, 0):
                leader = label
        self._leader = leader


def in_order(labels: OutcomesLike) -> npt.NDArray[np.generic]:
    """Labels as an array that holds each as it is, a number beside words too; none where outcomes are no labels."""
    if isinstance(labels, np.ndarray):
        return labels
    listed = list(labels) if isinstance(labels, Iterable) else []
    found = np.empty(len(listed), dtype=object)
    found[:] = listed
    return found
