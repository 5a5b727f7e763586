"""Views that make further features: columns cut into bins, and pairs of columns into cells."""

from __future__ import annotations

from abc import ABC
from bisect import bisect_right
from typing import TYPE_CHECKING, ClassVar, NamedTuple, final

from littlestone import _core
from littlestone.lazy import np
from littlestone.schema import Array, Axis, Schema
from littlestone.views.view import Statistics, View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from littlestone.streams.batches import Feature

GENERATIONS = ((48, (8,), 4), (400, (8, 32), 8), (4000, (16, 64), 16))
"""After which row columns are cut, into how many bins, and into how many of either column of a pair."""
PAIRED = 12
"""Columns of which pairs are made."""
_LAST = GENERATIONS[-1][0]


@final
class _Scale(NamedTuple):
    """One way to cut a column: where its cuts stand, and its places among those of the column."""

    generation: int
    bins: int
    cut: int
    place: int


def _scales() -> tuple[tuple[_Scale, ...], tuple[_Scale, ...]]:
    """The scales of bins, and those of cells, one per generation."""
    cut, place, cell = 0, 1, 0
    bins, cells = [], []
    for g, (_, several, _) in enumerate(GENERATIONS):
        for count in several:
            bins.append(_Scale(g, count, cut, place))
            cut, place = cut + count - 1, place + count
    for g, (_, _, count) in enumerate(GENERATIONS):
        cells.append(_Scale(g, count, cut, cell))
        cut, cell = cut + count - 1, cell + count * count
    return tuple(bins), tuple(cells)


_BINS, _CELLS = _scales()
_PLACES = _BINS[-1].place + _BINS[-1].bins
_WITH_ONE = _CELLS[-1].place + _CELLS[-1].bins ** 2
"""Cells with one other column."""


class _Cut(View, ABC):
    """Columns in generations of bins."""

    widest: ClassVar[int | None] = 1024
    wide: ClassVar[str] = "columns are cut of tables with at most 1,024 (pairs: 96); leave out the view, or learn by ls.Pool()"
    paired: ClassVar[bool]

    _ARRAYS: ClassVar[Schema] = {
        "samples": Array(Axis.FEATURE, inner=_LAST),
        "noted": Array(Axis.FEATURE),
        "cuts": Array(Axis.FEATURE, inner=_CELLS[-1].cut + _CELLS[-1].bins - 1),
        "bins": Array(Axis.FEATURE, inner=len(_BINS) + len(_CELLS)),
        "same": Array(Axis.FEATURE, inner=len(_BINS) + len(_CELLS)),
        "place": Array(Axis.FEATURE, inner=len(GENERATIONS)),
    }

    @final
    def init(self, width: int) -> Statistics:
        """No row yet."""
        return Statistics(
            self._ARRAYS, **{name: array.zeros(width) for name, array in self._ARRAYS.items()}, rounds=np.zeros(1)
        )

    @final
    def bound(self, statistics: Statistics) -> _core.View:
        """The compiled view."""
        known = {name: statistics.arrays[name].reshape(-1) for name in self._ARRAYS}
        return _core.cut_columns(
            samples=known["samples"],
            noted=known["noted"],
            cuts=known["cuts"],
            bins=known["bins"],
            same=known["same"],
            place=known["place"],
            rounds=statistics.rounds,
            paired=self.paired,
        )

    @final
    def shown(self, statistics: Statistics, row: Mapping[int, float], *, learns: bool) -> dict[int, float]:
        """Raw values, bins of the last two generations, cells of them; then the row is noted, and columns are cut when due."""
        done = sum(int(statistics.rounds[0]) >= at for at, _, _ in GENERATIONS)
        found = {}
        for i, x in row.items():
            at = i * self.spread
            found[at] = x
            for s, scale in enumerate(_BINS):
                if done - 2 <= scale.generation < done and statistics.bins[i, s]:
                    kept = _BINS[int(statistics.same[i, s]) - 1]
                    found[at + kept.place + _bin(statistics, i, s, scale, x)] = 1.0
            if self.paired:
                found |= self._cells(statistics, row, i, range(max(done - 2, 0), done))
        if learns and statistics.rounds[0] < _LAST:
            self._note(statistics, row)
        return found

    def _cells(self, statistics: Statistics, row: Mapping[int, float], i: int, generations: range) -> dict[int, float]:
        """One cell with each paired column before it, of each generation in use."""
        found = {}
        for g in generations:
            scale, s, own = _CELLS[g], len(_BINS) + g, int(statistics.place[i, g])
            for other, x in row.items():
                its = int(statistics.place[other, g])
                if 0 < its < own:
                    kept = _CELLS[_cells_of(statistics, i, other, g)]
                    cell = _bin(statistics, other, s, scale, x) * kept.bins + _bin(statistics, i, s, scale, row[i])
                    found[i * self.spread + _PLACES + (its - 1) * _WITH_ONE + kept.place + cell] = 1.0
        return found

    def _note(self, statistics: Statistics, row: Mapping[int, float]) -> None:
        statistics.rounds[0] += 1.0
        for i, x in row.items():
            statistics.samples[i, int(statistics.noted[i])] = x
            statistics.noted[i] += 1.0
        due = [g for g, (at, _, _) in enumerate(GENERATIONS) if at == statistics.rounds[0]]
        for g in due:
            self._cut(statistics, g)

    def _cut(self, statistics: Statistics, generation: int) -> None:
        """Quantiles of the values so far, or a bin for each value where they are few; the first columns are paired."""
        pairs = 0
        for i in range(statistics.width):
            values = statistics.samples[i, : int(statistics.noted[i])]
            values.sort()
            if len(np.unique(values)) < 2:
                continue
            for s, scale in enumerate((*_BINS, *_CELLS)):
                if scale.generation == generation:
                    cuts = _cuts(values.tolist(), scale.bins)
                    statistics.cuts[i, scale.cut : scale.cut + len(cuts)] = cuts
                    statistics.bins[i, s] = 1.0 + len(cuts)
                    statistics.same[i, s] = 1.0 + _first_alike(statistics, i, s)
            pairs += 1
            statistics.place[i, generation] = pairs if pairs <= PAIRED else 0
        if generation == len(GENERATIONS) - 1:
            statistics.samples[:] = 0.0

    @final
    def names(self, features: list[Feature]) -> list[Feature]:
        """What stands in every place."""
        words = [
            f" bin {b + 1}/{scale.bins} of row {GENERATIONS[scale.generation][0]}" for scale in _BINS for b in range(scale.bins)
        ]
        if self.paired:
            words += [
                f" × column {other + 1}, cell {cell + 1}/{scale.bins**2} of row {GENERATIONS[scale.generation][0]}"
                for other in range(PAIRED - 1)
                for scale in _CELLS
                for cell in range(scale.bins**2)
            ]
        return [f"{name}{word}" if word else name for name in features for word in ("", *words)]


def _cuts(ordered: list[float], bins: int) -> list[float]:
    values = sorted(set(ordered))
    if len(values) <= bins:
        return values[1:]
    quantiles = {ordered[i * len(ordered) // bins] for i in range(1, bins)}
    return sorted(quantiles - {ordered[0]})


def _first_alike(statistics: Statistics, i: int, s: int) -> int:
    """The first scale of the last two generations that has the cuts of this one, or had them before: itself, if none has."""
    scales = (*_BINS, *_CELLS)

    def cuts(of: int) -> list[float]:
        found: list[float] = statistics.cuts[i, scales[of].cut : scales[of].cut + int(statistics.bins[i, of]) - 1].tolist()
        return found

    for other in range(0 if s < len(_BINS) else len(_BINS), s):
        recent = scales[other].generation + 1 >= scales[s].generation
        if recent and statistics.bins[i, other] == statistics.bins[i, s] and cuts(other) == cuts(s):
            return int(statistics.same[i, other]) - 1
    return s


def _cells_of(statistics: Statistics, i: int, other: int, g: int) -> int:
    """The generation whose cells two columns have: an earlier one, where both are cut and placed as they were then."""
    then = int(statistics.same[i, len(_BINS) + g]) - 1 - len(_BINS)
    number = statistics.place[other, g]
    alike = int(statistics.same[other, len(_BINS) + g]) - 1 - len(_BINS) == then
    return then if alike and statistics.place[other, then] == number < statistics.place[i, then] else g


def _bin(statistics: Statistics, i: int, s: int, scale: _Scale, x: float) -> int:
    """How many of the cuts a value reaches."""
    cuts = statistics.cuts[i, scale.cut : scale.cut + int(statistics.bins[i, s]) - 1]
    return bisect_right(cuts.tolist(), x)


@final
class Bins(_Cut):
    """Every column as it is, and cut into bins: a linear rule that sees shapes.

    After rows 48, 400 and 4,000 all columns with two values or more are cut at the quantiles of what they had so far, into
    8, into 8 and 32, into 16 and 64 bins; a column of few values has a bin for each. Cuts never move and a bin of a generation
    is a feature of its own, so that a weight never changes its meaning; a column that would be cut as before keeps its bins and
    what was learned of them. The last two generations are in use. A zero has no bin, and a column that comes after row 4,000
    has none.

    Cost: 129 places and 33 kB per column, at most five nonzeros for one; at most 1,024 columns.

    Source: the pool (`ls.Pool`), whose second view it is.

    Example:
        >>> import littlestone as ls, numpy as np
        >>> x = np.random.default_rng(0).uniform(-1.0, 1.0, size=(2000, 1))
        >>> inside = np.abs(x[:, 0]) < 0.5          # no weight tells them apart
        >>> for view in (None, ls.views.Bins()):
        ...     ls.Learner(ls.PassiveAggressive(variant="PA-I", C=0.1), view=view).learn_many(x, inside)
        2,000 rounds learned: 996 errors, 1,989 updates
        2,000 rounds learned: 126 errors, 470 updates
    """

    name: ClassVar[str] = "bins"
    spread: ClassVar[int] = _PLACES
    paired: ClassVar[bool] = False


@final
class Pairs(_Cut):
    """Every column as it is, its bins, and every pair of the first twelve columns as a cell of their bins.

    As `Bins`, and at the same rows the first twelve columns with two values or more are cut anew into 4, 8 and 16 bins, and
    each pair of them has a feature for every pair of bins, 16, 64 and 256.

    Cost: 3,825 places and 33 kB per column, at most 22 more nonzeros for one; at most 96 columns.

    Source: the pool (`ls.Pool`), whose third view it is; there evidence chooses the columns.

    Example:
        >>> import littlestone as ls, numpy as np
        >>> x = np.random.default_rng(0).uniform(-1.0, 1.0, size=(2000, 2))
        >>> same = x[:, 0] * x[:, 1] > 0.0          # nor do bins, for each column by itself says nothing
        >>> for view in (ls.views.Bins(), ls.views.Pairs()):
        ...     ls.Learner(ls.PassiveAggressive(variant="PA-I", C=0.1), view=view).learn_many(x, same)
        2,000 rounds learned: 958 errors, 1,821 updates
        2,000 rounds learned: 336 errors, 1,049 updates
    """

    name: ClassVar[str] = "pairs"
    widest: ClassVar[int | None] = 96
    spread: ClassVar[int] = _PLACES + (PAIRED - 1) * _WITH_ONE
    paired: ClassVar[bool] = True
