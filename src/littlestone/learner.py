"""The learner: a rule, its state, its ledger, and the names of features and labels."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, final

from littlestone import _core
from littlestone.before import Begun
from littlestone.columns import Learned, named
from littlestone.errors import NotApplicable
from littlestone.labels import Label
from littlestone.learning import Learning
from littlestone.ledger import BatchMemory, Ledger
from littlestone.norms import ScaleWarning
from littlestone.outcomes import with_outcomes
from littlestone.streams.intervals import NO_OUTCOME, Intervals
from littlestone.streams.space import Space
from littlestone.watch import Watch

if TYPE_CHECKING:
    import os

    import numpy.typing as npt

    from littlestone.arrays import BoolArray, FloatArray
    from littlestone.outcomes import OutcomesLike
    from littlestone.rule import LinearRule
    from littlestone.snapshots import Snapshot
    from littlestone.state import State
    from littlestone.streams.space import Table, Vector
    from littlestone.theory.certificate import Certificate
    from littlestone.theory.proofs import Against


@final
class Learner(Learning):
    """Learns a stream, one round at a time or many, with the same bits either way.

    Args:
        rule: the rule, such as `ls.Perceptron()`; without one, `ls.Pool()`, which leaves missing values out and expects
            labels: words, truth values or whole numbers.
        labels: the pair (negative, positive); None lets the first two distinct labels decide. For a rule of many classes:
            the classes known from the beginning; others join when they are first met.
        average: keep the sum of the weights over the rounds, of many classes each, for `averaged()`, at O(nonzeros) per update.
        missing: what nan and None among the values mean. "error": they are refused. "skip": the feature is not there in
            this round; `ledger.missing` counts how often. "indicator": so too, and there is a feature "age=?" that is 1,
            of dicts, frames and files alike (`ls.read(..., indicator=True)`).
        view: what the rule is shown of rows: `ls.features.StandardScale()` and other running scales, learned in the same pass
            and saved with the model. Weights, norms and theorems are then of the rows as they are shown.
        calibrate: learn on the way the slope that turns scores into probabilities (`littlestone/calibration.py`), for a rule
            whose scores are no log-odds, or are too sure: log loss, Brier score and reliability are then in the ledger. What is
            predicted and what is learned stay as they are, bit for bit.

    Example:
        >>> import littlestone as ls
        >>> learner = ls.Learner(ls.PassiveAggressive(variant="PA-I", C=0.1), labels=("ham", "spam"))
        >>> learner.learn_one({"offer": 1, "now": 1}, "spam")
        'spam'
        >>> learner.learn_one({"lunch": 1, "now": 1}, "ham")
        'spam'
        >>> learner.predict_one({"lunch": 1}), learner.ledger.rounds
        ('ham', 2)
    """

    def learn_one(self, x: Vector, y: Label | Intervals = NO_OUTCOME, weight: float = 1.0) -> Label:
        """One round: score, record, update. Returns the prediction made before the update.

        The outcome is left out for a rule that learns rows alone, such as `ls.Uniclass`. A round of weight 0 is recorded
        and not learned from; what other weights mean is the rule's to say.

        Raises:
            InvalidData: if row, outcome or weight is malformed; nothing has changed then.
            NotApplicable: if the rule gives no meaning to a weight other than 1.
        """
        quick = self._quick
        if quick is not None and weight == 1.0:
            said = quick.learn(x, y)
            if said is not None:
                return said
        return self._whole(lambda: self._learn_one(x, y, weight))

    def learn_many(
        self,
        X: Table,
        y: OutcomesLike = NO_OUTCOME,
        weights: npt.ArrayLike | None = None,
        *,
        keep: Iterable[str] = (),
        progress: bool = False,
    ) -> Learned:
        """Learns the rows in order, with the same bits as a loop over `learn_one`.

        Args:
            X: an array, a sparse matrix, a frame, rows of a file (`ls.read`), or an iterable of dicts.
            y: labels, targets or Intervals, one per row; left out for a rule that learns rows alone.
            weights: how much each round counts; None is 1, or what a file says of its rows. A round of weight 0 is recorded
                and not learned from; what other weights mean is the rule's to say.
            keep: columns to return, from "score", "loss", "step", "mistake", "update" and "prediction": one value per round.
            progress: show a progress bar.

        Arrays are read in place and without the interpreter's lock: another thread that changes them meanwhile changes
        what is learned. It cannot do more: what is used as an index is copied and bounded.

        Raises:
            InvalidData: if a row, an outcome or a weight is malformed; nothing has changed then.
            NotApplicable: if the rule gives no meaning to weights other than 1.
            KeyboardInterrupt: on Ctrl-C; the rounds before it are learned and recorded.
            MemoryError: nothing has changed then, or, of a pool or a kernel, which are too large to be copied beforehand, the
                rounds before the one without memory are learned and recorded.

        Returns:
            The columns by name, a mapping that cannot be written to, whose words say what happened.
        """
        columns = named(keep)
        if self.rule.abilities.alone:
            X, y = with_outcomes(X, y)
        learned = self._whole(lambda: self._learn_many(X, y, weights, columns, progress))
        if self._minds_units() and self._totals.updates and (news := self._norms.news()) is not None:
            warnings.warn(news, ScaleWarning, stacklevel=2)
        return learned

    def learn_again(self, X: _core.Batch, y: _core.Outcomes, passes: int, ends: Callable[[_core.Totals], bool]) -> int:
        """Learns rows that were learned before, those of so many passes, until `ends` says so; returns how many passes."""
        return self._whole(lambda: self._learn_again(X, y, passes, ends))

    def next_pass(self) -> None:
        """Says that the rows to come were learned before, so that the ledger does not take them for new ones.

        `ls.run` says so after each of its passes; whoever makes passes with a loop of their own says so here.

        Example:
            >>> import littlestone as ls
            >>> learner = ls.Learner(ls.Perceptron(), labels=(-1, 1))
            >>> _ = learner.learn_many([[1.0], [2.0]], [1, 1])
            >>> learner.next_pass()
            >>> learner.ledger.passes, learner.ledger.risk_bound().verdict.value
            (2, 'unproved')
        """
        with self._alone:
            self._passes += 1
            if self._body.bound.calibration is not None:
                self._body.bound.calibration.rest()

    def expect_late_labels(self) -> None:
        """Says that labels come after later rows were predicted: a member of a pool that goes by the last labels sleeps.

        `ls.Delayed` says so of its model.

        Example:
            >>> import littlestone as ls
            >>> learner = ls.Learner(labels=("ham", "spam"))
            >>> learner.expect_late_labels()
            >>> learner.explain_one({"offer": 1.0}).members["markov"]
            0.0
        """
        from littlestone.pool.state import PoolState

        with self._alone:
            self._heal()
            if isinstance(self._body.state, PoolState):
                self._body.widened()
                state = self._body.bound.state
                assert isinstance(state, PoolState)
                state.sleep_on_labels()

    def check_one(self, x: Vector, y: Label | Intervals, weight: float = 1.0) -> None:
        """Raises what `learn_one` would raise. Nothing changes."""
        quick = self._quick
        if quick is not None and weight == 1.0 and quick.fits(x, y):
            return
        if self.rule.abilities.inspects:
            self._tried(lambda: self._ready_for_one(x, y, weight))
            return
        with self._alone:
            self._heal()
            self._outcomes.copy().weighed_one(y, weight)
            self._space.row(x, grow=False).check()
            self._body.check_start(named=isinstance(x, Mapping))

    def check_many(self, X: Table, y: OutcomesLike, weights: npt.ArrayLike | None = None) -> None:
        """Raises what `learn_many` would raise. Nothing changes."""
        self._tried(lambda: self._ready_for_many(X, y, weights)[0].check())

    def averaged(self) -> Learner:
        """A learner with the mean (w_1 + ... + w_T)/T of the weights used so far, fixed: the averaged predictor.

        Raises:
            NotApplicable: if the learner was made without average=True, or before the first round.
        """
        own = self.rule.averaged(self.state) if self._totals.rounds else None
        if own is not None:
            return self.with_state(*own)
        if not self.rule.abilities.averages:
            raise NotApplicable(f"{type(self.rule).__name__} keeps no average")
        with self._alone:
            average = self._body.bound.average
            if average is None or not self._totals.rounds:
                raise NotApplicable("there is no average; make the learner with average=True and let it learn first")
            return self.with_weights(self.state.by_class(average.total(self.state)) / self._totals.rounds)

    def with_weights(self, weights: FloatArray, *, afresh: bool = False) -> Learner:
        """A learner with these weights, fixed, and the features and labels of this one; of many classes a row each.

        A view goes on from where it is, for whoever predicts; `afresh` it begins anew, for whoever goes over the rows again.
        """
        from littlestone.linear.fixed import comparator

        labels = self.labels if self._outcomes.classes is not None else None
        twin = Learner(comparator(self.rule, weights), labels=labels, missing=self._missing, view=self.view)
        twin._take(self._space.copy())
        if labels is None:
            twin._outcomes.retreat(self._outcomes.mark())
        twin._outcomes.kind = self._outcomes.kind
        twin._body.widened()
        if not afresh:
            twin._body.look_as(self._body)
        return twin

    def with_state(self, rule: LinearRule, state: State) -> Learner:
        """A learner of a rule that begins with this state, and knows the features and labels of this one."""
        twin = Learner(rule, missing=self._missing, view=self.view)
        twin._take(self._space.copy())
        twin._outcomes.retreat(self._outcomes.mark())
        twin._body.bind(state.copy())
        twin._body.look_as(self._body)
        twin._begun = None
        return twin

    def certify(self, against: Against = None) -> list[Certificate]:
        """Every guarantee that speaks of the rule, best first, on what was learned so far (see `ls.certify`)."""
        from littlestone.theory import certify

        return certify(self, against=against)

    def member_ledgers(self) -> dict[str, Ledger]:
        """Of a pool, what each of its members and stacks had by itself on the rows as they are, of two labels.

        So each can be certified: `risk_bound`, `beats_majority`. A member that sleeps makes the mistake of a tie, and is
        charged what the pool lost.

        Example:
            >>> import littlestone as ls
            >>> learner = ls.Learner(labels=("ham", "spam"))
            >>> for words, label in [("win cash now", "spam"), ("see you now", "ham"), ("cash prize", "spam")] * 30:
            ...     _ = learner.learn_one(dict.fromkeys(words.split(), 1), label)
            >>> alone = learner.member_ledgers()
            >>> alone["arow"].mistakes, alone["markov"].mistakes, round(alone["arow"].risk_bound().bound, 2)
            (2, 6, 0.12)

        Raises:
            NotApplicable: if the rule is no pool for labels, there are many classes, or rounds counted differently.
        """
        from littlestone.pool.ledgers import member_ledgers

        return member_ledgers(self.state, self.ledger)

    def snapshot(self, *, copy: bool = True) -> Snapshot:
        """A copy of everything the learner knows; `copy=False` is for whoever reads its arrays and then forgets the learner."""
        from littlestone.snapshots import Snapshot

        with self._alone:
            self._close_short_way()
            self._heal()
            learned, average, _, statistics, slope = self._body.bound
            state = None if learned is None else self._body.state
            sums = average if average is None or state is None else average.fitting(state)
            return Snapshot(
                rule=self.rule,
                state=state.copy() if copy and state is not None else state,
                average=sums.copy() if copy and sums is not None else sums,
                totals=self._totals.parts(),
                space=self._space.mark(),
                names=self._space.names if self._space.named else None,
                labels=self._outcomes.labels,
                kind=self._outcomes.kind,
                passes=self._passes,
                classes=self._outcomes.classes,
                missing=self._missing,
                begun=self._begun,
                batches=self._memory.batches,
                repeats=self._memory.repeats,
                view=self.view,
                statistics=statistics and statistics.resized(self._space.width).copy(),
                calibration=slope and slope.copy(),
            )

    @staticmethod
    def restored(snapshot: Snapshot, *, copy: bool = True) -> Learner:
        """A learner that goes on where the snapshot was taken; without a copy, it takes the snapshot's arrays for its own."""
        rule = snapshot.rule
        labels = (
            None
            if snapshot.classes is None or not snapshot.classes.given
            else snapshot.classes.known()[: snapshot.classes.given]
        )
        slope = snapshot.calibration
        twin = Learner(rule, labels=labels, missing=snapshot.missing, view=snapshot.view, calibrate=slope is not None)
        least, objects = twin._least_width(), rule.abilities.takes_objects
        known, missing, most = snapshot.space, snapshot.missing, rule.vocabulary()
        twin._take(Space.restored(known, snapshot.names, least, objects=objects, missing=missing, most=most))
        twin._outcomes.retreat((snapshot.labels, snapshot.classes, snapshot.kind))
        twin._totals = _core.Totals.from_parts(dict(snapshot.totals))
        twin._passes = snapshot.passes
        twin._begun = snapshot.begun
        twin._memory = BatchMemory(snapshot.batches, snapshot.repeats)
        twin.watch = Watch(twin._totals.rounds)
        average = snapshot.average and (snapshot.average.copy() if copy else snapshot.average)
        twin._body.bound = twin._body.bound._replace(average=average, calibration=slope and slope.copy())
        if snapshot.state is not None:
            statistics = snapshot.statistics and (snapshot.statistics.copy() if copy else snapshot.statistics)
            twin._body.bind(snapshot.state.copy() if copy else snapshot.state, statistics)
        return twin

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes everything the learner knows to one file, for `ls.load`; a crash leaves the old file or the new.

        Raises:
            NotApplicable: if a label or parameter is of a kind that a file cannot hold.
            OSError: if the file cannot be written; the old one is as it was.
        """
        from littlestone.store import save

        save(self, path)

    def __reduce__(self) -> tuple[Callable[[Snapshot], Learner], tuple[Snapshot]]:
        """Copies and pickles go by the snapshot and go on with the same bits; loops and locks stay behind."""
        return Learner.restored, (self.snapshot(),)

    def _learn_again(self, X: _core.Batch, y: _core.Outcomes, passes: int, ends: Callable[[_core.Totals], bool]) -> int:
        batch, outcomes = self._ready_for_many(X, y, None)
        loop, columns, rows = self._body.widened(), _core.RoundColumns(len(batch)), len(batch) // passes
        if self._body.copies_cheaply(batch.entries) or _core.is_wild(batch, outcomes, self._totals):
            self._keep_copies()
        try:
            if self._body.compiled:
                batch.begin_ahead()
            for done in range(1, passes + 1):
                self.next_pass()
                loop.learn(batch, outcomes, self._totals, columns, (done - 1) * rows, done * rows)
                if ends(self._totals):
                    break
        finally:
            batch.end_ahead()
        self._look_at(batch, outcomes)
        return done

    # Led by a master, who has all of its learners begin a round before the first of them ends it.

    def begin_one(self, x: Vector, y: Label) -> int:
        """Readies a round, and says which sign would be predicted; `end` learns it, `take_back` makes it undone."""
        with self._alone:
            self._refuse_within_another()
            self._settle()
            self._before = before = self._noted()
            batch, outcome = self._ready_for_one(x, y, 1.0)
            loop = self._body.widened()
            if self._body.bound is not before.bound or self._outcomes.mark() != before.outcomes:
                self._close_short_way()
            wild = _core.is_wild(batch, outcome, self._totals)
            if self._body.loses_no_half() and not wild and not self._body.meets_names():
                self._before = before._replace(begun=Begun(loop, batch, outcome))
                return loop.score_row(batch)[1]
            self._close_short_way()
            self._keep_copies()
            self._before = self._before._replace(begun=Begun(loop, batch, outcome))
            sign = loop.learn_row(batch, outcome, self._totals)[1]
            if wild:
                self._body.check_sound()
            return sign

    def begin_many(self, X: Table, y: OutcomesLike) -> FloatArray | BoolArray:
        """Learns rows so that it can be undone, and says which signs were predicted."""
        with self._alone:
            self._refuse_within_another()
            self._settle()
            self._before = self._marked()
            return self._learn_many(X, y, None, ("prediction",), revocable=True)["prediction"]

    def end(self) -> int | None:
        """Learns the round that was begun, if it was not yet; says which sign was predicted."""
        with self._alone:
            before, sign = self._before, None
            if before is not None and before.begun is not None:
                loop, batch, outcome = before.begun
                if self._totals.rounds == before.rounds:
                    sign = loop.learn_row(batch, outcome, self._totals)[1]
                self._hold_to_definition(batch, outcome)
            self._before = None
            self._forget()
            return sign

    def take_back(self) -> None:
        """Takes back what was begun."""
        with self._alone:
            self._settle()
