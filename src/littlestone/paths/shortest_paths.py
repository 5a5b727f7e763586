"""A way through a graph whose costs change, chosen anew in every round."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.domain import names_among
from littlestone.errors import InvalidData, InvalidParameter
from littlestone.guarded import WholeRounds
from littlestone.loop import Interrupts
from littlestone.paths.ledger import PathLedger
from littlestone.paths.network import Network
from littlestone.paths.path_weights import PathWeights
from littlestone.paths.rule import PathRule, Scale
from littlestone.paths.run import PathRun

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.experts.state import ExpertState
    from littlestone.paths.rule import Journey
    from littlestone.theory.certificate import Certificate


@final
@dataclass(frozen=True)
class PathSnapshot:
    """Everything that is known: enough to go on as if nothing had happened."""

    network: Network
    rule: PathRule
    low: float
    high: float
    state: ExpertState
    loss: float
    taken_loss: float
    tabled: bool


@final
class ShortestPaths(WholeRounds):
    """Chooses a path in every round before the costs of the arcs are known, and does nearly as well as the best path.

    Args:
        network: a `ls.Network`: a directed acyclic graph with a source and a target.
        rule: `ls.PathWeights()`, the default, or `ls.PerturbedPath()`.
        low: the least that an arc can cost in a round.
        high: the most.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> arcs = [("home", "bridge"), ("home", "tunnel"), ("bridge", "work"), ("tunnel", "work")]
        >>> network = ls.Network(arcs, "home", "work")
        >>> way = ls.ShortestPaths(network, rule=ls.PathWeights(horizon=500))
        >>> costs = np.random.default_rng(0).random((500, 4)) * [1.0, 0.6, 1.0, 0.6]
        >>> print(way.learn_many(costs).certify()[0].relation)
        regret 13.4119 ≤ 26.3277 = log N/η + ηB²T/8
        >>> way.choose(), way.ledger.best
        (('home', 'tunnel', 'work'), ('home', 'tunnel', 'work'))
    """

    def __init__(self, network: Network, *, rule: PathRule | None = None, low: float = 0.0, high: float = 1.0) -> None:
        super().__init__()
        if not isinstance(network, Network):
            raise InvalidParameter(
                f"ShortestPaths: network is a {type(network).__name__}; give ls.Network(graph, source, target)"
            )
        if not (np.isfinite(low) and np.isfinite(high) and low <= high):
            raise InvalidParameter(
                f"ShortestPaths: low is {low!r} and high {high!r}; expected finite numbers, low at most high"
            )
        if rule is not None and not isinstance(rule, PathRule):
            raise InvalidParameter(f"ShortestPaths: rule is {rule!r}; expected ls.PathWeights(), ls.PerturbedPath(), or None")
        self.network = network
        self.rule: PathRule = PathWeights() if rule is None else rule
        self.low, self.high = float(low), float(high)
        self.scale = _scale(network, self.low, self.high)
        self._state = self.rule.init(network)
        self._loss = self._taken_loss = 0.0
        self._tabled = True

    @property
    def state(self) -> ExpertState:
        """The state of the rule."""
        return self._state

    @property
    def flow(self) -> FloatArray:
        """How likely each arc is to be taken in the next round, in the order of `network.arcs`."""
        with self._alone:
            return self._journey().flow

    @property
    def ledger(self) -> PathLedger:
        """The totals at this moment, beside the best path in hindsight."""
        with self._alone:
            best = self.network.shortest(self._state.costs)
            return PathLedger(
                rounds=int(self._state.rounds[0]),
                loss=self._loss,
                taken_loss=self._taken_loss,
                best_loss=float(best @ self._state.costs),
                best=self.network.nodes_of(best),
                tabled=self._tabled,
            )

    def choose(self) -> tuple[Hashable, ...]:
        """The nodes of the path for the next round. Nothing changes: asked again, it is the same."""
        with self._alone:
            return self.network.nodes_of(self._journey().path)

    def learn_one(self, costs: object) -> float:
        """One round: the path of `choose` is taken, and the costs of all arcs are learned. Returns what the path cost.

        Args:
            costs: a number for each arc in the order of `network.arcs`, a mapping of arcs to costs, or a sparse matrix.

        Raises:
            InvalidData: if a cost is missing or outside the declared range; nothing has changed then.
        """
        checked = self.network.costs(costs)
        self._check_range(checked)
        return self._whole(lambda: self._learn_one(checked))

    def learn_many(self, costs: object, *, keep: Iterable[str] = ()) -> PathRun:
        """Learns the rounds in order, with the same bits as a loop over `learn_one`.

        Args:
            costs: a round per row, an arc per column; or an iterable of what `learn_one` takes.
            keep: "flow" keeps how likely each arc was in every round.

        Raises:
            InvalidData: if a cost is missing or outside the declared range; nothing has changed then.
            KeyboardInterrupt: on Ctrl-C; the rounds before it are learned and recorded.
        """
        names = names_among(keep, ("flow",))
        matrix = isinstance(costs, memoryview) or hasattr(costs, "tocsr") or getattr(costs, "ndim", 2) == 0
        if isinstance(costs, Mapping) or not isinstance(costs, Iterable) or matrix:
            raise InvalidData(f"the costs are a {type(costs).__name__}; expected a round per row, an arc per column")
        table = np.array([self.network.costs(row) for row in costs]).reshape(-1, len(self.network))
        self._check_range(table)
        return self._whole(lambda: self._learn_many(table, keep_flow=bool(names)))

    def certify(self) -> list[Certificate]:
        """What is proved of the regret, and what was measured."""
        from littlestone.theory.paths import certify_paths

        return certify_paths(self)

    def snapshot(self) -> PathSnapshot:
        """A copy of everything that is known."""
        with self._alone:
            state = self._state.copy()
            return PathSnapshot(self.network, self.rule, self.low, self.high, state, self._loss, self._taken_loss, self._tabled)

    @staticmethod
    def restored(snapshot: PathSnapshot) -> ShortestPaths:
        """One that goes on where the snapshot was taken."""
        twin = ShortestPaths(snapshot.network, rule=snapshot.rule, low=snapshot.low, high=snapshot.high)
        twin._state.restore(snapshot.state)
        twin._loss, twin._taken_loss, twin._tabled = snapshot.loss, snapshot.taken_loss, snapshot.tabled
        return twin

    def __reduce__(self) -> tuple[Callable[[PathSnapshot], ShortestPaths], tuple[PathSnapshot]]:
        """Copies and pickles go by the snapshot."""
        return ShortestPaths.restored, (self.snapshot(),)

    def __repr__(self) -> str:
        return f"ShortestPaths({self.rule!r}: {self.ledger})"

    def _journey(self) -> Journey:
        return self.rule.journey(self._state, self.network, self.scale)

    def _learn_one(self, costs: FloatArray) -> float:
        self._tabled = False
        return self._round(costs)[1]

    def _round(self, costs: FloatArray) -> tuple[float, float, FloatArray]:
        path, flow = self._journey()
        expected, taken = float(flow @ costs), float(path @ costs)
        with Interrupts():
            self.rule.advance(self._state, costs)
            self._loss += expected
            self._taken_loss += taken
        return expected, taken, flow

    def _learn_many(self, table: FloatArray, *, keep_flow: bool) -> PathRun:
        losses, taken = np.zeros(len(table)), np.zeros(len(table))
        flows = np.zeros(table.shape) if keep_flow else None
        for t, costs in enumerate(table):
            losses[t], taken[t], flow = self._round(costs)
            if flows is not None:
                flows[t] = flow
        return PathRun(self.rule, self.network, self.scale, self.ledger, losses, taken, flows)

    def _check_range(self, costs: FloatArray) -> None:
        outside = costs[(costs < self.low) | (costs > self.high)]
        if outside.size:
            raise InvalidData(f"a cost is {outside[0]:g}; costs were declared to be from {self.low:g} to {self.high:g}")


def _scale(network: Network, low: float, high: float) -> Scale:
    dear, cheap = np.full(len(network), high), np.full(len(network), low)
    span = float(network.dearest(dear) @ dear - network.shortest(cheap) @ cheap)
    return Scale(span, network.used * max(abs(low), abs(high)))
