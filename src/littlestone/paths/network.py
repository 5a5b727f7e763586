"""A directed acyclic graph between a source and a target, and what can be summed over all of its paths at once."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast, final

import numpy as np

from littlestone.columns import counted
from littlestone.errors import InvalidData, InvalidParameter

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray

Arc: TypeAlias = "tuple[Hashable, Hashable]"


class _Sparse(Protocol):
    def tocoo(self) -> _Coordinates: ...


class _Coordinates(Protocol):
    @property
    def row(self) -> npt.NDArray[np.integer]: ...
    @property
    def col(self) -> npt.NDArray[np.integer]: ...
    @property
    def shape(self) -> tuple[int, int]: ...


class _Graph(Protocol):
    @property
    def edges(self) -> Iterable[Arc]: ...
    def is_directed(self) -> bool: ...
    def is_multigraph(self) -> bool: ...


@final
class Network:
    """The arcs of a directed acyclic graph that lie on a path from a source to a target.

    Args:
        graph: a SciPy sparse matrix or array whose entry (i, j) is an arc from i to j, a directed graph of NetworkX, or the
            arcs themselves as pairs of nodes.
        source: the node where paths begin.
        target: the node where they end.

    Sums over paths go through the arcs once, those that leave a level of nodes together: O(arcs) each.

    Example:
        >>> network = Network([("home", "bridge"), ("home", "tunnel"), ("bridge", "work"), ("tunnel", "work")], "home", "work")
        >>> len(network), network.count, network.longest
        (4, 2, 2)
        >>> network.nodes_of(network.shortest(np.array([1.0, 2.0, 5.0, 2.0])))
        ('home', 'tunnel', 'work')

    Raises:
        InvalidData: if there is a cycle, no path, or an arc twice.
    """

    def __init__(self, graph: object, source: Hashable, target: Hashable) -> None:
        given = arcs_of(graph)
        if len(set(given)) < len(given):
            twice = next(arc for k, arc in enumerate(given) if arc in given[:k])
            raise InvalidData(f"the arc {twice[0]!r} to {twice[1]!r} is there twice; expected each arc once")
        useful = _between(given, source, target)
        levels = _levels(useful, target)
        # Arcs by the level of their tails, nearest to the target first; those of a node stand together.
        places = {arc: k for k, arc in enumerate(useful)}
        first = {tail: places[tail, head] for tail, head in reversed(useful)}
        ordered = sorted(useful, key=lambda arc: (levels[arc[0]], first[arc[0]], places[arc]))
        self.source, self.target = source, target
        self._all = given
        self._given = {arc: k for k, arc in enumerate(given)}
        self._ordered = ordered
        self._nodes = {node: k for k, node in enumerate(sorted(levels, key=lambda node: levels[node]))}
        self._tail = np.array([self._nodes[tail] for tail, _ in ordered], dtype=np.int64)
        self._head = np.array([self._nodes[head] for _, head in ordered], dtype=np.int64)
        self.places: npt.NDArray[np.int64] = np.array([self._given[arc] for arc in ordered], dtype=np.int64)
        """Where each arc that lies on a path stands among the arcs as they were given, as which costs are ordered."""
        depth = np.array([levels[tail] for tail, _ in ordered], dtype=np.int64)
        cuts = [*np.flatnonzero(np.diff(depth, prepend=-1)).tolist(), len(ordered)]
        self._stages = [_Stage(begin, end, self._tail[begin:end]) for begin, end in pairwise(cuts)]
        self.longest: int = levels[source]
        """The most arcs of a path."""

    def __repr__(self) -> str:
        return f"Network({counted(len(self), 'arc')} from {self.source!r} to {self.target!r})"

    def __len__(self) -> int:
        """How many arcs were given."""
        return len(self._all)

    @property
    def arcs(self) -> list[Arc]:
        """The arcs as they were given: costs are in their order."""
        return list(self._all)

    @property
    def used(self) -> int:
        """How many of them lie on a path."""
        return len(self._ordered)

    @cached_property
    def count(self) -> int:
        """How many paths there are, exactly."""
        ways = [0] * len(self._nodes)
        ways[self._nodes[self.target]] = 1
        for tail, head in zip(self._tail.tolist(), self._head.tolist(), strict=True):
            ways[tail] += ways[head]
        return ways[self._nodes[self.source]]

    @property
    def log_count(self) -> float:
        """The logarithm of their number."""
        return math.log(self.count)

    def pushed(self, log_weights: FloatArray) -> tuple[FloatArray, float]:
        """Weight pushing: the chance of each arc at its tail, and the logarithm of the sum of all paths' weights.

        The weight of a path is the product of those of its arcs (Takimoto and Warmuth 2003; Mohri 1998). A walk from the source
        that takes arcs by these chances draws a path with a chance that is proportional to its weight.
        """
        weights = log_weights[self.places]
        total = np.full(len(self._nodes), -np.inf)
        total[self._nodes[self.target]] = 0.0
        chances = np.zeros(len(weights))
        for stage in self._stages:
            beyond = weights[stage.arcs] + total[self._head[stage.arcs]]
            top = np.maximum.reduceat(beyond, stage.starts)
            powers = np.exp(beyond - np.repeat(top, stage.sizes))
            sums = np.add.reduceat(powers, stage.starts)
            total[stage.tails] = top + np.log(sums)
            chances[stage.arcs] = powers / np.repeat(sums, stage.sizes)
        return chances, float(total[self._nodes[self.source]])

    def flow(self, chances: FloatArray) -> FloatArray:
        """How often a walk by these chances takes each arc, in the order in which arcs were given."""
        at = np.zeros(len(self._nodes))
        at[self._nodes[self.source]] = 1.0
        taken = np.zeros(len(chances))
        for stage in reversed(self._stages):
            taken[stage.arcs] = at[self._tail[stage.arcs]] * chances[stage.arcs]
            at += np.bincount(self._head[stage.arcs], weights=taken[stage.arcs], minlength=len(at))
        return self._spread(taken)

    def drawn(self, chances: FloatArray, draws: FloatArray) -> FloatArray:
        """The path of one walk: 1 for its arcs and 0 for the others; a draw of [0, 1) for each of its steps."""
        leaving = self._leaving
        taken, node, step = np.zeros(len(chances)), self._nodes[self.source], 0
        while node in leaving:
            begin, end = leaving[node]
            sums = np.cumsum(chances[begin:end])
            arc = begin + min(int(np.searchsorted(sums, draws[step] * sums[-1], side="right")), end - begin - 1)
            taken[arc], node, step = 1.0, int(self._head[arc]), step + 1
        return self._spread(taken)

    def shortest(self, costs: FloatArray) -> FloatArray:
        """The cheapest path, 1 for its arcs and 0 for the others; of several the one whose arcs were given first."""
        return self._best(costs, 1.0)

    def dearest(self, costs: FloatArray) -> FloatArray:
        """The dearest path."""
        return self._best(costs, -1.0)

    def nodes_of(self, path: FloatArray) -> tuple[Hashable, ...]:
        """The nodes of a path in their order."""
        after = {tail: head for k, (tail, head) in enumerate(self._all) if path[k] > 0.0}
        nodes = [self.source]
        while nodes[-1] != self.target:
            nodes.append(after[nodes[-1]])
        return tuple(nodes)

    def costs(self, given: object) -> FloatArray:
        """The costs of all arcs as an array in their order.

        Args:
            given: a number for each arc in the order of `arcs`, or a mapping of arcs to costs, or a SciPy sparse matrix.

        Raises:
            InvalidData: if a cost is missing or not finite.
        """
        values = self._values(given)
        if values.shape != (len(self),):
            raise InvalidData(f"the costs have shape {values.shape}; expected one for each of {len(self)} arcs")
        bad = np.flatnonzero(~np.isfinite(values))
        if len(bad):
            tail, head = self._all[int(bad[0])]
            raise InvalidData(f"the cost of {tail!r} to {head!r} is {values[bad[0]]}; expected a finite number")
        return values

    def _values(self, given: object) -> FloatArray:
        if hasattr(given, "tocoo"):
            table = cast("_Sparse", given).tocoo()
            data = cast("npt.NDArray[np.float64]", getattr(table, "data", np.zeros(0)))
            given = dict(zip(zip(table.row.tolist(), table.col.tolist(), strict=True), data.tolist(), strict=True))
        if isinstance(given, Mapping):
            missing = [arc for arc in self._all if arc not in given]
            if missing:
                raise InvalidData(f"there is no cost of {missing[0][0]!r} to {missing[0][1]!r}; expected one for each arc")
            given = [given[arc] for arc in self._all]
        try:
            return np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            raise InvalidData("the costs are no numbers; expected one for each arc") from None

    @cached_property
    def _leaving(self) -> dict[int, tuple[int, int]]:
        """The stretch of arcs that leave each node."""
        return {
            int(tail): (stage.begin + int(start), stage.begin + int(start + size))
            for stage in self._stages
            for tail, start, size in zip(stage.tails, stage.starts, stage.sizes, strict=True)
        }

    def _best(self, costs: FloatArray, sign: float) -> FloatArray:
        signed = sign * costs[self.places]
        total = np.full(len(self._nodes), np.inf)
        total[self._nodes[self.target]] = 0.0
        for stage in self._stages:
            total[stage.tails] = np.minimum.reduceat(signed[stage.arcs] + total[self._head[stage.arcs]], stage.starts)
        taken, node = np.zeros(len(signed)), self._nodes[self.source]
        while node in self._leaving:
            begin, end = self._leaving[node]
            arc = begin + int(np.argmin(signed[begin:end] + total[self._head[begin:end]]))
            taken[arc], node = 1.0, int(self._head[arc])
        return self._spread(taken)

    def _spread(self, taken: FloatArray) -> FloatArray:
        """From the order of stages to that in which arcs were given."""
        spread = np.zeros(len(self))
        spread[self.places] = taken
        return spread


@final
class _Stage:
    """The arcs that leave the nodes of one level."""

    __slots__ = ("arcs", "begin", "sizes", "starts", "tails")

    def __init__(self, begin: int, end: int, tails: npt.NDArray[np.int64]) -> None:
        self.begin = int(begin)
        self.arcs = slice(int(begin), int(end))
        self.starts = np.flatnonzero(np.diff(tails, prepend=-1))
        self.tails = tails[self.starts]
        self.sizes = np.diff([*self.starts.tolist(), len(tails)])


def arcs_of(graph: object) -> list[Arc]:
    """The arcs of a graph.

    Raises:
        InvalidParameter: if it is none, or has no directions.
    """
    if hasattr(graph, "tocoo"):
        table = cast("_Sparse", graph).tocoo()
        if table.shape[0] != table.shape[1]:
            raise InvalidParameter(f"the matrix has shape {table.shape}; expected as many columns as rows, one for each node")
        return sorted(zip(table.row.tolist(), table.col.tolist(), strict=True))
    if hasattr(graph, "is_directed"):
        known = cast("_Graph", graph)
        if not known.is_directed() or known.is_multigraph():
            raise InvalidParameter("the graph has no directions, or an arc twice; expected a networkx.DiGraph")
        return [(tail, head) for tail, head in known.edges]
    try:
        return [(tail, head) for tail, head in cast("Iterable[Arc]", graph)]
    except (TypeError, ValueError):
        raise InvalidParameter(
            f"the graph is a {type(graph).__name__}; expected a sparse matrix, a directed graph of NetworkX, or pairs of nodes"
        ) from None


def _between(arcs: list[Arc], source: Hashable, target: Hashable) -> list[Arc]:
    """The arcs that can be reached from the source and lead to the target."""
    after, before = dict[Hashable, list[Hashable]](), dict[Hashable, list[Hashable]]()
    for tail, head in arcs:
        after.setdefault(tail, []).append(head)
        before.setdefault(head, []).append(tail)
    behind, ahead = _reached(source, after), _reached(target, before)
    useful = [(tail, head) for tail, head in arcs if tail in behind and head in ahead]
    if target not in behind or source == target:
        raise InvalidData(f"there is no path from {source!r} to {target!r}; expected at least one, with at least one arc")
    return useful


def _reached(start: Hashable, after: Mapping[Hashable, list[Hashable]]) -> set[Hashable]:
    reached, waiting = {start}, [start]
    while waiting:
        fresh = [node for node in after.get(waiting.pop(), ()) if node not in reached]
        reached.update(fresh)
        waiting.extend(fresh)
    return reached


def _levels(arcs: list[Arc], target: Hashable) -> dict[Hashable, int]:
    """The most arcs from each node to the target (Kahn 1962, from the end).

    Raises:
        InvalidData: if there is a cycle.
    """
    before, leaving = dict[Hashable, list[Hashable]](), dict[Hashable, int]()
    for tail, head in arcs:
        before.setdefault(head, []).append(tail)
        leaving[tail] = leaving.get(tail, 0) + 1
    levels, waiting = {target: 0}, [target] if target not in leaving else []
    while waiting:
        node = waiting.pop()
        for tail in before.get(node, ()):
            levels[tail] = max(levels.get(tail, 0), levels[node] + 1)
            leaving[tail] -= 1
            if leaving[tail] == 0:
                waiting.append(tail)
    if any(count > 0 for count in leaving.values()):
        stuck = next(node for node, count in leaving.items() if count > 0)
        raise InvalidData(f"there is a cycle among the paths, at or behind {stuck!r}; expected a graph without any")
    return levels
