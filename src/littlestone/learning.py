"""How rounds are learned: made ready, learned, looked at, and taken back where a call does not succeed."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from littlestone import _core
from littlestone.before import Before
from littlestone.body import Copied
from littlestone.columns import Glimpse, Kept, Learned
from littlestone.errors import InvalidData
from littlestone.labels import Label
from littlestone.lazy import np
from littlestone.predictor import Predictor
from littlestone.progress import slices
from littlestone.streams.intervals import Intervals
from littlestone.streams.rows import Rows
from littlestone.vocabulary import is_too_large, pieces, staying

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import BoolArray, FloatArray
    from littlestone.outcomes import OutcomesLike
    from littlestone.streams.space import Listed, Table, Vector


class Learning(Predictor, ABC):
    """A predictor that moves; `Learner` has the calls for it."""

    def _marked(self) -> Before:
        self._close_short_way()
        return self._noted()

    def _noted(self) -> Before:
        space, totals = self._space, self._totals
        return Before(space.mark(), space.table, self._outcomes.mark(), self._body.bound, totals, totals.rounds)

    def _keep_copies(self) -> None:
        assert self._before is not None
        copies = Copied.of(self._body.bound, self._totals)
        self._before = self._before._replace(copies=copies, totals=copies.totals)

    def _stands(self, before: Before, *, interrupted: bool) -> bool:
        loop = self._body.bound.loop
        if self._totals.rounds == before.rounds or loop is None or loop.torn:
            return False
        return before.copies is None or interrupted

    def _return_to(self, before: Before) -> None:
        """Forgets the features, labels and rounds of a call that was refused."""
        if before.copies is not None:
            before.copies.put_back()
        self._totals = before.totals
        self._space.retreat(before.space, before.table)
        self._outcomes.retreat(before.outcomes)
        self._body.bound = before.bound

    def _ready_for_one(self, x: Vector, y: Label | Intervals, weight: float) -> tuple[_core.Batch, _core.Outcomes]:
        outcome = self._outcomes.weighed_one(y, weight)
        batch = self._space.row(x, grow=True)
        batch.check()
        self.rule.inspect(batch)
        is_too_large(self._space, self.rule.vocabulary())
        return batch, outcome

    def _ready_for_many(self, X: Table, y: OutcomesLike, weights: npt.ArrayLike | None) -> tuple[_core.Batch, _core.Outcomes]:
        outcomes = self._outcomes.many(y)
        if weights is None and isinstance(X, Rows):
            weights = X.weights
        if weights is not None:
            outcomes = self._outcomes.weighed(outcomes, weights)
        batch = self._space.batch(X, grow=True)
        if len(batch) != len(outcomes):
            raise InvalidData(f"there are {len(batch)} rows and {len(outcomes)} outcomes")
        self.rule.inspect(batch)
        if len(batch):
            self._body.check_start()
        return batch, outcomes

    def _learn_one(self, x: Vector, y: Label | Intervals, weight: float) -> Label:
        batch, outcome = self._ready_for_one(x, y, weight)
        loop = self._body.widened()
        wild = _core.is_wild(batch, outcome, self._totals)
        if wild or not self._body.loses_no_half():
            self._keep_copies()
        score, sign = loop.learn_row(batch, outcome, self._totals)
        self._look_at(batch, outcome)
        self._forget()
        with suppress(MemoryError):  # the round is learned, and the next can go the long way
            self._quick = self._short_way()
        return self._outcomes.shown(sign) if self._outcomes.predicts_labels() else score

    def _look_at(self, batch: _core.Batch, outcomes: _core.Outcomes) -> None:
        """Refuses rounds that left what is no number, and holds some to the definition of the rule, every now and then."""
        if _core.is_wild(batch, outcomes, self._totals):
            self._body.check_sound()
        self._hold_to_definition(batch, outcomes)

    def _hold_to_definition(self, batch: _core.Batch, outcomes: _core.Outcomes) -> None:
        rounds, state = self._totals.rounds, self._body.bound.state
        if rounds >= self.watch.next and self._watched() and state is not None:
            self._close_short_way()  # which knows the next round to look at
            try:
                self.watch.look(self.rule, state, self._body.shown(batch), outcomes, rounds)
            except MemoryError:  # for two copies of the state; the rounds are learned, and later ones will do
                self.watch.next = 2 * rounds

    def _learn_many(
        self,
        X: Table,
        y: OutcomesLike,
        weights: npt.ArrayLike | None,
        keep: tuple[str, ...],
        progress: bool = False,
        revocable: bool = False,
    ) -> Learned:
        most = self.rule.vocabulary()
        X = X if most is None or not isinstance(X, Iterator) else list(X)
        batch, outcomes = self._ready_for_many(X, y, weights)
        count, begin = len(batch), Glimpse.of(self._totals)
        kept = Kept(keep, count)
        if count == 0:  # without a row there is nothing to make a state for: its width is not known yet
            return Learned(kept.columns(), begin, begin)
        before = self._totals.fingerprint
        if most is not None and is_too_large(self._space, most):
            batch.check()
            columns = self._learn_pieces(self._space.one_by_one(X), outcomes, keep, most, progress)
        else:
            self._learn_batch(batch, outcomes, kept, progress=progress, revocable=revocable)
            columns = kept.columns()
        self._look_at(batch, outcomes)
        with suppress(MemoryError):  # the rounds are learned; whether to warn of them is looked at again with the next
            if self._minds_units():
                self._norms.note(batch)
            if self._passes == 1:
                self._memory.note(batch, outcomes, self._totals.fingerprint - before)
        return Learned(columns, begin, Glimpse.of(self._totals))

    def _learn_batch(
        self, batch: _core.Batch, outcomes: _core.Outcomes, kept: Kept, *, progress: bool, revocable: bool
    ) -> None:
        loop = self._body.widened()
        # What is small beside the state is checked whole before it is learned; the rest on the way, which reads it once, and
        # a copy of the state, small beside it, is put back if a fault turns up.
        ahead = not self._body.copies_cheaply(batch.entries) and not progress and not revocable
        if ahead:
            batch.check()
        if not ahead or _core.is_wild(batch, outcomes, self._totals):
            self._keep_copies()
        for rows in slices(len(batch), shown=progress, words=type(self.rule).__name__):
            loop.learn(batch, outcomes, self._totals, kept.core, rows.start, rows.stop)

    def _learn_pieces(
        self,
        rows: Listed,
        outcomes: _core.Outcomes,
        keep: tuple[str, ...],
        most: int,
        progress: bool,
    ) -> dict[str, FloatArray | BoolArray]:
        """Learns rows of more names than are kept: names go where they would if the rows came one by one."""
        assert self._before is not None
        self._space.retreat(self._before.space, self._before.table)
        self._body.widened()
        self._keep_copies()
        parts = []
        for span in slices(len(outcomes), shown=progress, words=type(self.rule).__name__):
            for part, batch in pieces(self._space, rows, span, most):
                kept, rounds = Kept(keep, len(batch)), np.arange(part.start, part.start + len(batch))
                self._body.widened().learn(batch, outcomes.in_order(rounds), self._totals, kept.core, 0, len(part))
                self._forget()
                parts.append({name: column[: len(part)] for name, column in kept.columns().items()})
        return {name: np.concatenate([part[name] for part in parts]) for name in keep}

    def _forget(self) -> None:
        """Lets go of features, where more of them have names than the rule keeps; cut off, it is as if it had not begun."""
        most = self.rule.vocabulary()
        if most is None or not is_too_large(self._space, most):
            return
        places = staying(self._body.evidence(), most)
        table, bound, before = self._space.table_of(places), self._body.keeping(places), self._before
        self._before = self._marked()
        self._space.take(table)
        self._body.bound = bound
        self._before = before
