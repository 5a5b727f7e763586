"""The VC and Littlestone dimensions of small finite classes, and what Halving does on them, by exhaustive search.

A class is a 0/1 matrix, hypotheses by points. These numbers settle mohri.8.2 exactly:
VCdim(H) ≤ Ldim(H) = opt(H) ≤ M_Halving(H) ≤ log2|H|.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, final

import numpy as np
import numpy.typing as npt

from littlestone.domain import choice
from littlestone.errors import InvalidData, InvalidParameter

if TYPE_CHECKING:
    from collections.abc import Callable

    from littlestone.arrays import ByteArray

_PRUNE = choice("mistake", "always")


@final
@dataclass(frozen=True, slots=True)
class _Class:
    """Distinct hypotheses as bits: `ones[x]` marks those that say 1 at point x, `every` marks them all."""

    ones: tuple[int, ...]
    every: int

    def splits(self, active: int) -> list[tuple[int, int]]:
        """For every point on which the active hypotheses disagree, those that say 0 and those that say 1."""
        pairs = {(active & ~ones, active & ones) for ones in self.ones}
        return sorted(pair for pair in pairs if pair[0] and pair[1])


def vc_dimension(hypotheses: npt.ArrayLike) -> int:
    """The largest number of points that the class labels in all ways.

    Args:
        hypotheses: 0/1 labels, a hypothesis per row and a point per column; a row given twice is one hypothesis.

    Cost: O(points^d) sets for dimension d ≤ log2|H|; made for small classes.

    Raises:
        InvalidData: if the class is empty or an entry is neither 0 nor 1.

    Example:
        >>> vc_dimension(thresholds(7)), vc_dimension(cube(3))
        (1, 3)
    """
    return _vc(_read(hypotheses))


def littlestone_dimension(hypotheses: npt.ArrayLike) -> int:
    """The mistakes that the best deterministic learner cannot avoid: the depth of the deepest shattered tree.

    Ldim(V) = max over the points on which V disagrees of 1 + min(Ldim(V₀), Ldim(V₁)), and 0 for a single hypothesis.

    Args:
        hypotheses: 0/1 labels, a hypothesis per row and a point per column; a row given twice is one hypothesis.

    Cost: one evaluation for each version space that can come up, at worst 2^|H| of them; made for small classes.
    Source: Littlestone 1988; Mohri et al., theorem 8.2.

    Raises:
        InvalidData: if the class is empty or an entry is neither 0 nor 1.

    Example:
        >>> littlestone_dimension(thresholds(7)), littlestone_dimension(singletons(8))
        (3, 1)
    """
    return _littlestone(_read(hypotheses))


def halving_mistakes(hypotheses: npt.ArrayLike, *, prune: str = "mistake") -> int:
    """The most mistakes that Halving makes on a sequence some hypothesis labels correctly.

    Halving follows the majority of the hypotheses still active, and label 1 on a tie.

    Args:
        hypotheses: 0/1 labels, a hypothesis per row and a point per column; a row given twice is one hypothesis.
        prune: "mistake" drops the hypotheses that were wrong after a mistake (Mohri et al., figure 8.2); "always" drops
            them in every round (Blum). The default is the figure's.

    Cost: one evaluation for each active set that can come up, at worst 2^|H| of them; made for small classes.

    Raises:
        InvalidData: if the class is empty or an entry is neither 0 nor 1.
        InvalidParameter: if `prune` is something else.

    Example:
        >>> halving_mistakes(thresholds(7)), halving_mistakes(singletons(8), prune="always")
        (3, 1)
    """
    if not _PRUNE.contains(prune):
        raise InvalidParameter(f"halving_mistakes: prune is {prune!r}; prune must be {_PRUNE.words}")
    return _halving(_read(hypotheses), after_correct=prune == "always")


@final
@dataclass(frozen=True, kw_only=True)
class MistakeChain:
    """The five numbers of mohri.8.2 for one class; `halving` prunes on mistakes, `halving_always` in every round."""

    vc: int
    littlestone: int
    halving: int
    halving_always: int
    log2: float

    @property
    def holds(self) -> bool:
        """Whether VCdim ≤ Ldim ≤ M_Halving ≤ log2|H| in both modes of pruning."""
        worst = max(self.halving, self.halving_always)
        return self.vc <= self.littlestone <= min(self.halving, self.halving_always) and worst <= self.log2

    def __str__(self) -> str:
        return f"VCdim {self.vc} ≤ opt {self.littlestone} ≤ Halving {self.halving} ≤ log2|H| {self.log2:g}"


def mistake_chain(hypotheses: npt.ArrayLike) -> MistakeChain:
    """Computes every member of VCdim(H) ≤ opt(H) ≤ M_Halving(H) ≤ log2|H| by exhaustive search.

    Source: Mohri et al., theorem 8.2.

    Raises:
        InvalidData: if the class is empty or an entry is neither 0 nor 1.

    Example:
        >>> print(mistake_chain(singletons(8)))
        VCdim 1 ≤ opt 1 ≤ Halving 1 ≤ log2|H| 3
    """
    known = _read(hypotheses)
    return MistakeChain(
        vc=_vc(known),
        littlestone=_littlestone(known),
        halving=_halving(known, after_correct=False),
        halving_always=_halving(known, after_correct=True),
        log2=math.log2(known.every.bit_count()),
    )


def thresholds(points: int) -> ByteArray:
    """The n + 1 threshold functions on n ordered points: hypothesis k says 1 from point k on."""
    return np.greater_equal.outer(np.arange(points), np.arange(points + 1)).T.astype(np.uint8)


def singletons(points: int) -> ByteArray:
    """The n functions that say 1 at exactly one of n points."""
    return np.eye(points, dtype=np.uint8)


def cube(points: int) -> ByteArray:
    """All 2^n functions on n points."""
    return (np.arange(1 << points)[:, np.newaxis] >> np.arange(points) & 1).astype(np.uint8)


def _read(hypotheses: npt.ArrayLike) -> _Class:
    labels = np.asarray(hypotheses)
    if labels.ndim != 2 or len(labels) == 0:
        raise InvalidData(f"the class has shape {labels.shape}; expected hypotheses by points, at least one hypothesis")
    if not np.isin(labels, (0, 1)).all():
        row, point = (int(k) for k in np.argwhere(~np.isin(labels, (0, 1)))[0])
        raise InvalidData(f"hypothesis {row}, point {point}: the label is {labels[row, point]}; labels must be 0 or 1")
    distinct = sorted({tuple(bool(label) for label in row) for row in labels})
    ones = tuple(sum(row[x] << h for h, row in enumerate(distinct)) for x in range(labels.shape[1]))
    return _Class(ones, (1 << len(distinct)) - 1)


def _floor_log2(active: int) -> int:
    """⌊log2|V|⌋: no game on V lasts longer, so a search that has reached it can stop."""
    return active.bit_count().bit_length() - 1


def _vc(known: _Class) -> int:
    def deepest(cells: list[int], first: int) -> int:
        """How many points from `first` on can join those whose labellings cut the class into these cells."""
        best, most = 0, min(_floor_log2(cell) for cell in cells)
        for x in range(first, len(known.ones)):
            finer = [part for cell in cells for part in (cell & known.ones[x], cell & ~known.ones[x])]
            if best < most and all(finer):
                best = max(best, 1 + deepest(finer, x + 1))
        return best

    return deepest([known.every], 0)


def _littlestone(known: _Class) -> int:
    @cache
    def dimension(active: int) -> int:
        best, most = 0, _floor_log2(active)
        for zeros, ones in known.splits(active):
            if 1 + min(_floor_log2(zeros), _floor_log2(ones)) > best:
                best = max(best, 1 + min(dimension(zeros), dimension(ones)))
            if best == most:
                break
        return best

    return dimension(known.every)


def _halving(known: _Class, *, after_correct: bool) -> int:
    """The value of the game against Halving; a correct round matters only where it prunes as well."""

    @cache
    def most_mistakes(active: int) -> int:
        best, most = 0, _floor_log2(active)
        for zeros, ones in known.splits(active):
            followed, opposed = (ones, zeros) if ones.bit_count() >= zeros.bit_count() else (zeros, ones)
            best = max(best, _reach(opposed, 1, best, most_mistakes))
            if after_correct:
                best = max(best, _reach(followed, 0, best, most_mistakes))
            if best == most:
                break
        return best

    return most_mistakes(known.every)


def _reach(active: int, made: int, best: int, game: Callable[[int], int]) -> int:
    """The mistakes made and those still to come, looked for only where they could be more than the best so far."""
    return made + game(active) if made + _floor_log2(active) > best else 0
