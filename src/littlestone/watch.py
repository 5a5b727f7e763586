"""A watch over a learner: now and then rows are learned twice, on copies, by the loop and by the definition of the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from littlestone import _core
from littlestone.lazy import np
from littlestone.recount import Recount, is_exact, remade, unlike

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.rule import LinearRule
    from littlestone.state import State

# So many rows of a batch are looked at together, at the first end of a call after so many rounds, and from then on whenever
# the rounds are so many times what they were; sooner where nothing that was looked at moved the state.
_TOGETHER, _FIRST, _FACTOR, _SOONER = 2, 64, 8, 16
# Of a state with more features than this, those of the rows are looked at.
_WIDE = 1 << 14


@final
class Watch:
    """Whether a compiled loop and its ledger do what the definition says, from where the learner is.

    The learner itself is not touched. What was found is there when it is asked for a certificate, and not part of a model file.
    Cost: two copies of the state, or of a wide one of the features at hand, and a few rounds in Python after 64 rounds, 512,
    4096, …: O(1) per round, and ever less.
    """

    __slots__ = ("finding", "looked", "next")

    def __init__(self, rounds: int = 0) -> None:
        self.next = rounds + _FIRST
        """The rounds after which to look again."""
        self.looked = 0
        """Rows that were learned twice."""
        self.finding: str | None = None
        """What differed first; None where nothing did."""

    def look(self, rule: LinearRule, state: State, batch: _core.Batch, outcomes: _core.Outcomes, rounds: int) -> None:
        """Looks at some rows of a batch that was learned; the state is where so many rounds have led."""
        chosen = sorted({k * (len(batch) - 1) // (_TOGETHER - 1) for k in range(_TOGETHER)})
        if state.width > _WIDE and state.parts_by_feature():
            state, batch, outcomes = _near(state, batch, outcomes, np.array(chosen))
            chosen = list(range(len(batch)))
        ours, theirs, totals, recount = state.copy(), state.copy(), _core.Totals(), Recount()
        loop, columns = rule.loop(theirs, None), _core.RoundColumns(len(batch))
        other = _turned(rule, outcomes, chosen, len(batch))
        for t, said in ((t, said) for t in chosen for said in (outcomes, other) if said is not None):
            loop.learn(batch, said, totals, columns, t, t + 1)
            remade(rule, ours, batch, said, range(t, t + 1), recount)
        self.looked += len(chosen)
        counted = recount.unlike(_core.Totals(), totals, exact=is_exact(state))
        differs = "the weights" if unlike(theirs, ours) else counted
        if differs is not None and self.finding is None:
            self.finding = f"{differs} after round {rounds} are those of the definition"
        self.next = _FACTOR * rounds if totals.updates else rounds + rounds // _SOONER


def _near(
    state: State, batch: _core.Batch, outcomes: _core.Outcomes, rows: npt.NDArray[np.int64]
) -> tuple[State, _core.Batch, _core.Outcomes]:
    """The same with some rows and their features alone: a wide state is copied in more time than its rounds take."""
    start, index, value = batch.csr(rows)
    features, places = np.unique(index, return_inverse=True)
    return state.keeping(features), _core.sparse_batch(start, places, value, len(features)), outcomes.in_order(rows)


def _turned(rule: LinearRule, outcomes: _core.Outcomes, rows: list[int], count: int) -> _core.Outcomes | None:
    """The other label for these rows, which the state has not just learned; None where outcomes are no labels."""
    signs = np.ones(count, dtype=np.int8)
    signs[rows] = [-outcomes.label(t) for t in rows]
    return _core.labels(signs) if not rule.abilities.classes and signs[rows].all() else None
