"""Which label was shown for which: a table of counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import final

from littlestone.report.sections import Matrix

_MOST = 12
"""So many labels have a row and a column of their own; the rarer ones share one."""
_OTHERS = "others"


@final
@dataclass
class Confusion:
    """Pairs of what was shown and what came, counted.

    Example:
        >>> counts = Confusion()
        >>> counts.note(["ham", "spam", "ham"], ["ham", "ham", "ham"])
        >>> counts.matrix().rows
        (('ham', (2, 1)), ('spam', (0, 0)))
    """

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def note(self, shown: Iterable[object], actual: Iterable[object]) -> None:
        """More rounds."""
        pairs = Counter(zip(shown, actual, strict=True))
        for (said, came), count in pairs.items():
            self.counts[_text(said), _text(came)] += count

    def matrix(self) -> Matrix:
        """A row for each label that came, a column for each that was shown; the most frequent labels, then the others."""
        seen = Counter[str]()
        for (shown, actual), count in self.counts.items():
            seen[actual] += count
            seen[shown] += 0
        common = sorted(name for name, _ in seen.most_common(_MOST if len(seen) <= _MOST else _MOST - 1))
        names = common if len(common) == len(seen) else [*common, _OTHERS]
        cells = Counter[tuple[str, str]]()
        for (shown, actual), count in self.counts.items():
            cells[_within(actual, common), _within(shown, common)] += count
        rows = tuple((actual, tuple(cells[actual, shown] for shown in names)) for actual in names)
        rare = f"; {len(seen) - len(common):,} rarer labels are counted as one" if len(common) < len(seen) else ""
        return Matrix(
            "Shown against actual", "actual ↓ shown →", tuple(names), rows, f"Rounds by the label shown before it came{rare}."
        )


def _within(name: str, common: list[str]) -> str:
    return name if name in common else _OTHERS


def _text(label: object) -> str:
    return f"{label:g}" if isinstance(label, float) else "none" if label is None else str(label)
