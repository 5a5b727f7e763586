"""The learner: a rule, its state, its ledger, and the names of features and labels."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, final

import numpy as np

from littlestone import _core
from littlestone.errors import InvalidData, InvalidParameter, NotApplicable
from littlestone.labels import Classes, Label, Labels
from littlestone.ledger import Ledger
from littlestone.linear.fixed import Fixed
from littlestone.multiclass.class_states import ClassStates
from littlestone.outcomes import OutcomeSpace, with_outcomes
from littlestone.progress import slices
from littlestone.state import Average, State
from littlestone.streams.intervals import NO_OUTCOME, Intervals
from littlestone.streams.rows import Rows
from littlestone.streams.space import Space

if TYPE_CHECKING:
    import os

    import numpy.typing as npt

    from littlestone.arrays import BoolArray, FloatArray
    from littlestone.loop import Loop
    from littlestone.outcomes import Known, Outcomes
    from littlestone.rule import LinearRule
    from littlestone.streams.batches import Feature
    from littlestone.streams.recipe import Recipe
    from littlestone.streams.space import Mark, Table, Vector
    from littlestone.theory.certificate import Certificate
    from littlestone.theory.certification import Against

Columns: TypeAlias = "dict[str, FloatArray | BoolArray]"
Missing: TypeAlias = Literal["error", "skip"]

COLUMNS = ("score", "loss", "step", "mistake", "update", "prediction")
"""What `keep` can name: one value of each a round.

Of many classes the score is the margin over the best rival. A prediction is a number: a sign, or that of a class (−1 before
there was one); `Learner.label_values` has its label.
"""

_FLAGS = ("mistake", "update")
_NUMBERS = ("score", "loss", "step")
_Before: TypeAlias = "tuple[Mark, Known, State | None]"


@final
@dataclass(frozen=True)
class Snapshot:
    """Everything a learner knows: enough to go on as if nothing had happened."""

    rule: LinearRule
    state: State | None
    average: Average | None
    totals: Mapping[str, float | tuple[float, float]]
    space: Mark
    names: list[Feature] | None
    labels: Labels
    kind: str | None
    passes: int = 1
    classes: Classes | None = None
    missing: Missing = "error"
    begun: LinearRule | None = None
    """The rule that learned every round, from its own start; None where a state was handed over."""


@final
class Learner:
    """Learns a stream, one round at a time or many, with the same bits either way.

    Args:
        rule: the rule, such as `ls.Perceptron()`.
        labels: the pair (negative, positive); None lets the first two distinct labels decide. For a rule of many classes:
            the classes known from the beginning; others join when they are first met.
        average: keep the sum of the weights over the rounds, for `averaged()`, at O(nonzeros) an update.
        missing: what nan and None among the values mean. "error": they are refused. "skip": the feature is not there in
            this round; `ledger.missing` counts how often. Files have no such values: an empty field is not there.

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

    def __init__(
        self,
        rule: LinearRule,
        *,
        labels: tuple[Label, ...] | None = None,
        average: bool = False,
        missing: Missing = "error",
    ) -> None:
        if missing not in ("error", "skip"):
            raise InvalidParameter(f'missing is {missing!r}; missing must be one of "error", "skip"')
        self.rule = rule
        self._begun: LinearRule | None = rule
        self._outcomes = OutcomeSpace(rule, labels)
        self._missing: Missing = missing
        self._space = Space(self._least_width(), objects=rule.takes_objects(), skips=missing == "skip")
        self._totals = _core.Totals()
        self._passes = 1
        self._average = Average.of(0) if average and rule.averages() else None
        self._state: State | None = None
        self._loop: Loop | None = None
        self._quick: _core.Records | None = None
        self._lock = threading.RLock()

    @property
    def state(self) -> State:
        """The state; before the first row, one of no features."""
        if self._state is None:
            return self._fresh(max(self._space.width, self._least_width()))
        state = self._state.cut(self._space.width)
        if self._outcomes.classes is None or not isinstance(state, ClassStates):
            return state
        return state.with_classes(max(len(self._outcomes.classes), state.count))

    @property
    def ledger(self) -> Ledger:
        """The ledger at this moment."""
        own = self._begun is self.rule or self._begun == self.rule
        return Ledger.of(self._totals, self._passes, own_rounds=own, blank_start=own and self.rule.least_width() == 0)

    @property
    def missing(self) -> Missing:
        """What nan and None among the values mean."""
        return self._missing

    @property
    def features(self) -> list[Feature]:
        """The features in the order of the weights: names, or columns."""
        return self._space.names

    @property
    def recipe(self) -> Recipe | None:
        """What the columns of the table hold that was learned, where it was one; `ls.read(..., recipe=)` reads others so."""
        return self._space.recipe

    @property
    def weights(self) -> dict[Feature, float]:
        """The weights that are not 0, by feature; of a rule of two labels."""
        w = self.state.w
        if self._outcomes.classes is not None:
            raise NotApplicable("there is a weight a feature and class; see weights_of(label)")
        return {name: float(value) for name, value in zip(self.features, w, strict=False) if value != 0.0}

    def weights_of(self, label: Label) -> dict[Feature, float]:
        """The weights that are not 0 in the score of a class, by feature.

        Raises:
            NotApplicable: if the rule does not learn classes, or has no weights, or the label was not met.
        """
        number = -1 if self._outcomes.classes is None else self._outcomes.classes.number(label)
        state = self.state
        if not isinstance(state, ClassStates) or not 0 <= number < state.count:
            raise NotApplicable(f"there is no class {label!r}; the labels are {self.labels!r}")
        w = state.of_class(number).w
        return {name: float(value) for name, value in zip(self.features, w, strict=False) if value != 0.0}

    @property
    def labels(self) -> tuple[Label, ...]:
        """The pair (negative, positive) as far as it is known; or the classes in the order of their numbers."""
        return self._outcomes.names

    def learn_one(self, x: Vector, y: Label | Intervals = NO_OUTCOME, weight: float = 1.0) -> Label:
        """One round: score, record, update. Returns the prediction made before the update.

        The outcome is left out for a rule that learns rows alone, such as `ls.Uniclass`. A round of weight 0 is recorded
        and not learned from; what other weights mean is the rule's to say.

        Raises:
            InvalidData: if row, outcome or weight is malformed; nothing has changed then.
            NotApplicable: if the rule gives no meaning to a weight other than 1.
        """
        if self._quick is not None and weight == 1.0:
            quick = self._quick.learn(x, y)
            if quick is not None:
                return quick
        with self._lock:
            self._close_short_way()
            before = self._mark()
            try:
                batch, outcome, loop = self._ready_for_one(x, y, weight)
                score, sign = self._learn_row(loop, batch, outcome)
            except Exception:
                self._retreat(before)
                raise
            self._quick = self._short_way()
        return self._outcomes.shown(sign) if self._outcomes.predicts_labels() else score

    def score_one(self, x: Vector) -> float:
        """The real-valued score of a row; of many classes the largest (see `scores_one`). Nothing changes."""
        with self._lock:
            batch = self._row_to_score(x)
            return self._scorer(batch.width).score_row(batch)[0]

    def scores_one(self, x: Vector) -> dict[Label, float]:
        """The score of every class that was met, by label. Nothing changes.

        Raises:
            NotApplicable: if the rule does not learn classes.
        """
        if self._outcomes.classes is None:
            raise NotApplicable(f"{self._outcomes.words}, not classes; see score_one")
        with self._lock:
            batch = self._row_to_score(x)
            scores = self._scores(batch)[0]
            return dict(zip(self.labels, scores.tolist(), strict=False))

    def predict_one(self, x: Vector) -> Label:
        """The label for a row, or the score where the learner learns targets or intervals. Nothing changes.

        Of many classes the one with the largest score; None before any was met.
        """
        if self._quick is not None:
            quick = self._quick.predict(x)
            if quick is not None:
                return quick
        with self._lock:
            batch = self._row_to_score(x)
            score, sign = self._scorer(batch.width).score_row(batch)
            if self._quick is None:
                self._quick = self._short_way()
            return self._outcomes.shown(sign) if self._outcomes.predicts_labels() else score

    def learn_many(
        self,
        X: Table,
        y: Outcomes = NO_OUTCOME,
        weights: npt.ArrayLike | None = None,
        *,
        keep: Iterable[str] = (),
        progress: bool = False,
    ) -> Columns:
        """Learns the rows in order, with the same bits as a loop over `learn_one`.

        Args:
            X: an array, a sparse matrix, a frame, rows of a file (`ls.read`), or an iterable of dicts.
            y: labels, targets or Intervals, one a row; left out for a rule that learns rows alone.
            weights: how much each round counts; None is 1, or what a file says of its rows. A round of weight 0 is recorded
                and not learned from; what other weights mean is the rule's to say.
            keep: columns to return, from "score", "loss", "step", "mistake", "update" and "prediction": one value a round.
            progress: show a progress bar.

        Raises:
            InvalidData: if a row, an outcome or a weight is malformed; nothing has changed then.
            NotApplicable: if the rule gives no meaning to weights other than 1.
            KeyboardInterrupt: on Ctrl-C; the rounds before it are learned and recorded.
        """
        columns = tuple(keep)
        for name in columns:
            if name not in COLUMNS:
                raise InvalidParameter(f"keep names {name!r}; keep can name {', '.join(COLUMNS)}")
        if self.rule.signs() is not None:
            X, y = with_outcomes(X, y)
        with self._lock:
            self._close_short_way()
            before = self._mark()
            try:
                batch, outcomes = self._ready_for_many(X, y, weights)
                # Without a row there is nothing to make a state for: its width is not known yet.
                return self._learn(self._widened(), batch, outcomes, columns, progress) if len(batch) else _nothing(columns)
            except Exception:
                self._retreat(before)
                raise

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
        with self._lock:
            self._passes += 1

    def check_one(self, x: Vector, y: Label | Intervals, weight: float = 1.0) -> None:
        """Raises what `learn_one` would raise. Nothing changes."""
        with self._unchanged():
            self._ready_for_one(x, y, weight)

    def check_many(self, X: Table, y: Outcomes, weights: npt.ArrayLike | None = None) -> None:
        """Raises what `learn_many` would raise. Nothing changes."""
        with self._unchanged():
            batch, _ = self._ready_for_many(X, y, weights)
            batch.check()
            if len(batch):
                self._widened()

    def score_many(self, X: Table) -> FloatArray:
        """The scores of the rows; of many classes a row of scores each, in the order of `labels`. Nothing changes."""
        with self._lock:
            return self._scores(self._rows_to_score(X))

    def predict_many(self, X: Table) -> npt.NDArray[np.generic]:
        """The labels of the rows, or their scores where the learner learns targets or intervals. Nothing changes."""
        with self._lock:
            scores = self.score_many(X)
            shown = self.labels_of(scores)
            return scores if shown is None else shown

    def labels_of(self, scores: FloatArray) -> npt.NDArray[np.generic] | None:
        """The labels that scores of `score_many` stand for; None where the learner learns targets or intervals."""
        with self._lock:
            if scores.ndim == 2:
                return self._outcomes.values(np.argmax(scores, axis=1) if scores.shape[1] else np.full(len(scores), -1))
            if not self._outcomes.predicts_labels():
                return None
            signs = np.zeros(len(scores), dtype=np.int8)
            self._scorer(self._space.width).signs(scores, signs)
            return self._outcomes.values(signs)

    def averaged(self) -> Learner:
        """A learner with the mean (w_1 + ... + w_T)/T of the weights used so far, fixed: the averaged predictor.

        Raises:
            NotApplicable: if the learner was made without average=True, or before the first round.
        """
        own = self.rule.averaged(self.state) if self._totals.rounds else None
        if own is not None:
            return self.with_state(*own)
        if not self.rule.averages():
            raise NotApplicable(f"{type(self.rule).__name__} keeps no average")
        if self._average is None or not self._totals.rounds:
            raise NotApplicable("there is no average; make the learner with average=True and let it learn first")
        return self.with_weights(self._average.total(self.state) / self._totals.rounds)

    def with_weights(self, weights: FloatArray) -> Learner:
        """A learner with these weights, fixed, and the features and labels of this one; of many classes a row each."""
        twin = Learner(comparator(self.rule, weights), labels=self.labels if self._outcomes.classes is not None else None)
        twin._space = self._space.copy()
        twin._outcomes.retreat(self._outcomes.mark())
        twin._widened()
        return twin

    def with_state(self, rule: LinearRule, state: State) -> Learner:
        """A learner of a rule that begins with this state, and knows the features and labels of this one."""
        twin = Learner(rule)
        twin._space = self._space.copy()
        twin._outcomes.labels, twin._outcomes.kind = self._outcomes.labels, self._outcomes.kind
        twin._bind(state)
        twin._begun = None
        return twin

    def batch(self, X: Table) -> _core.Batch:
        """The rows as this learner reads them, without learning them."""
        with self._lock:
            return self._rows_to_score(X)

    def label_values(self, predictions: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
        """The labels that signs, or the numbers of classes, stand for: those of the column "prediction"."""
        return self._outcomes.values(predictions)

    def certify(self, against: Against = None) -> list[Certificate]:
        """Every guarantee that speaks of the rule, best first, on what was learned so far (see `ls.certify`)."""
        from littlestone.theory import certify

        return certify(self, against=against)

    def encode(self, X: Table, y: Outcomes) -> tuple[_core.Batch, _core.Outcomes]:
        """Rows and outcomes as the loop would read them, for whoever studies a stream. Nothing changes."""
        with self._lock:
            before = self._mark()
            try:
                outcomes = self._outcomes.many(y)
                batch = self._space.batch(X, grow=True)
            finally:
                self._retreat(before)
        if len(batch) != len(outcomes):
            raise InvalidData(f"there are {len(batch)} rows and {len(outcomes)} outcomes")
        return batch, outcomes

    def snapshot(self) -> Snapshot:
        """A copy of everything the learner knows."""
        with self._lock:
            return Snapshot(
                rule=self.rule,
                state=self.state.copy() if self._state is not None else None,
                average=self._average and self._average.cut(self._space.width).copy(),
                totals=self._totals.parts(),
                space=self._space.mark(),
                names=self._space.names if self._space.named else None,
                labels=self._outcomes.labels,
                kind=self._outcomes.kind,
                passes=self._passes,
                classes=self._outcomes.classes,
                missing=self._missing,
                begun=self._begun,
            )

    @staticmethod
    def restored(snapshot: Snapshot, *, copy: bool = True) -> Learner:
        """A learner that goes on where the snapshot was taken; without a copy, it takes the snapshot's arrays for its own."""
        labels = None if snapshot.classes is None else snapshot.classes.known()[: snapshot.classes.given]
        twin = Learner(snapshot.rule, labels=labels, missing=snapshot.missing)
        twin._space = Space.restored(
            snapshot.space,
            snapshot.names,
            twin._least_width(),
            objects=snapshot.rule.takes_objects(),
            skips=snapshot.missing == "skip",
        )
        twin._outcomes.retreat((snapshot.labels, snapshot.classes, snapshot.kind))
        twin._totals = _core.Totals.from_parts(dict(snapshot.totals))
        twin._passes = snapshot.passes
        twin._begun = snapshot.begun
        twin._average = snapshot.average and (snapshot.average.copy() if copy else snapshot.average)
        if snapshot.state is not None:
            twin._bind(snapshot.state.copy() if copy else snapshot.state)
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

    def __repr__(self) -> str:
        return f"Learner({self.rule!r}: {self.ledger})"

    def _ready_for_one(self, x: Vector, y: Label | Intervals, weight: float) -> tuple[_core.Batch, _core.Outcomes, Loop]:
        outcome = self._outcomes.one(y)
        if weight != 1.0:
            outcome = self._outcomes.weighed(outcome, weight)
        batch = self._space.row(x, grow=True)
        batch.check()
        self.rule.inspect(batch)
        return batch, outcome, self._widened()

    def _ready_for_many(self, X: Table, y: Outcomes, weights: npt.ArrayLike | None) -> tuple[_core.Batch, _core.Outcomes]:
        outcomes = self._outcomes.many(y)
        if weights is None and isinstance(X, Rows):
            weights = X.weights
        if weights is not None:
            outcomes = self._outcomes.weighed(outcomes, weights)
        batch = self._space.batch(X, grow=True)
        if len(batch) != len(outcomes):
            raise InvalidData(f"there are {len(batch)} rows and {len(outcomes)} outcomes")
        self.rule.inspect(batch)
        return batch, outcomes

    @contextmanager
    def _unchanged(self) -> Iterator[None]:
        """Puts back the features, the labels and the state as they were."""
        with self._lock:
            self._close_short_way()
            before = self._mark()
            try:
                yield
            finally:
                self._retreat(before)

    def _learn(
        self, loop: Loop, batch: _core.Batch, outcomes: _core.Outcomes, keep: tuple[str, ...], progress: bool
    ) -> Columns:
        count = len(batch)
        numbers = {name: np.zeros(count) for name in keep if name in _NUMBERS}
        shown = np.zeros(count, dtype=np.int32) if "prediction" in keep else None
        flags = {name: np.zeros(count, dtype=np.uint8) for name in keep if name in _FLAGS}
        columns = _core.Columns(
            count,
            score=numbers.get("score"),
            loss=numbers.get("loss"),
            step=numbers.get("step"),
            mistake=flags.get("mistake"),
            update=flags.get("update"),
            shown=shown,
        )
        with self._reversible(batch):
            for rows in slices(count, shown=progress, words=type(self.rule).__name__):
                loop.learn(batch, outcomes, self._totals, columns, rows.start, rows.stop)
        if shown is not None:
            numbers["prediction"] = shown.astype(np.float64)
        return {**numbers, **{name: array.astype(bool) for name, array in flags.items()}}

    def _learn_row(self, loop: Loop, batch: _core.Batch, outcome: _core.Outcomes) -> tuple[float, int]:
        """One round; a rule in Python may fail half-way through it."""
        if isinstance(loop, _core.Loop):
            return loop.learn_row(batch, outcome, self._totals)
        with self._reversible(batch):
            return loop.learn_row(batch, outcome, self._totals)

    @contextmanager
    def _reversible(self, batch: _core.Batch) -> Iterator[None]:
        """Sees to it that a malformed row, or a rule in Python that fails, leaves state, average and ledger as they were.

        A batch that is small beside the state is checked whole before it is learned; a larger one is checked on the way,
        which reads it once, and a copy of the state, small beside it, is put back if a fault turns up.
        """
        state, average = self._state, self._average
        assert state is not None
        compiled = isinstance(self._loop, _core.Loop)
        if compiled and not state.copies_cheaply(batch.entries):
            batch.check()
            yield
            return
        saved, sums, totals = state.copy(), average and average.copy(), self._totals.parts()
        try:
            yield
        except Exception:
            state.restore(saved)
            if average is not None and sums is not None:
                average.restore(sums)
            self._totals = _core.Totals.from_parts(totals)
            raise

    def _widened(self) -> Loop:
        """The loop on a state that has room for every feature known by now."""
        width = self._space.width
        if self._loop is not None and self._fits(width) and self._has_room_for_classes():
            return self._loop
        if self._state is None:
            if self._space.named and getattr(self.rule, "start", None) is not None:
                raise NotApplicable("a start vector goes by columns; give rows without names")
            fresh = self._fresh(width)
            if not self._space.named or not fresh.admits():
                return self._bind(self._roomy(fresh))
            # Named features join a sum of weights one after another, however many rows were given at once.
            self._state = self._fresh(0)
        if self._state.fits(width):
            return self._bind(self._roomy(self._state))
        room = 2 * width if self.rule.takes_spare_room() else max(width, 2)
        return self._bind(self._roomy(self._state.grown(self.rule.init(room))))

    def _fits(self, width: int) -> bool:
        return self._state is not None and self._state.fits(width)

    def _fresh(self, width: int) -> State:
        """A state before the first round; of many classes those take part that were given."""
        state = self.rule.init(width)
        if self._outcomes.classes is None or not isinstance(state, ClassStates):
            return state
        roomy = state.with_classes(max(self._outcomes.classes.given, state.count))
        roomy.met[0] = max(self._outcomes.classes.given, state.count)
        return roomy

    def _roomy(self, state: State) -> State:
        """The state with a row for every class known by now."""
        if self._outcomes.classes is None or not isinstance(state, ClassStates):
            return state
        return state.with_room(len(self._outcomes.classes))

    def _has_room_for_classes(self) -> bool:
        return self._outcomes.classes is None or self._state is None or self._roomy(self._state) is self._state

    def _bind(self, state: State) -> Loop:
        if self._average is not None:
            self._average.resize(state.width)
        self._state = state
        self._loop = self.rule.loop(state, self._average)
        return self._loop

    def _close_short_way(self) -> None:
        """Sends every other thread the long way, where it waits for the lock."""
        if self._quick is not None:
            self._quick.close()
            self._quick = None

    def _short_way(self) -> _core.Records | None:
        """For dicts and known labels (none of them None, which the short way answers with) on a compiled loop."""
        names, loop = self._space.table, self._loop
        if names is None or not isinstance(loop, _core.Loop) or not self._outcomes.settled or self._space.spreads:
            return None
        if self.rule.inspects() or self.rule.minds_unknown():
            return None
        return _core.Records(loop, names, self._totals, self._outcomes.numbers, list(self.labels))

    def _row_to_score(self, x: Vector) -> _core.Batch:
        """One row, its unknown features with it if the rule minds them. Nothing is learned of them."""
        if not self.rule.minds_unknown():
            return self._space.row(x, grow=False)
        mark = self._space.mark()
        try:
            return self._space.row(x, grow=True)
        finally:
            self._space.retreat(mark)

    def _rows_to_score(self, X: Table) -> _core.Batch:
        if not self.rule.minds_unknown():
            return self._space.batch(X, grow=False)
        mark = self._space.mark()
        try:
            return self._space.batch(X, grow=True)
        finally:
            self._space.retreat(mark)

    def _scorer(self, width: int) -> Loop:
        """The loop for scoring rows of this width; before anything was learned, one on a fresh state."""
        if self._loop is not None and self._fits(width):
            return self._loop
        if self._state is not None:
            # Columns that only these rows have weigh what a feature starts with.
            return self.rule.loop(self._state.grown(self.rule.init(max(width, 2))), None)
        return self.rule.loop(self._fresh(max(width, self._least_width())), None)

    def _scores(self, batch: _core.Batch) -> FloatArray:
        """The scores of the rows: a vector, or of many classes a row each."""
        loop = self._scorer(batch.width)
        if self._outcomes.classes is None:
            out = np.zeros(len(batch))
            loop.score(batch, out)
            return out
        state = self._state if self._state is not None else self._fresh(self._least_width())
        count = int(state.met[0])
        many = np.zeros(len(batch) * count)
        loop.score(batch, many)
        return many.reshape(len(batch), count)

    def _least_width(self) -> int:
        """The length of the longest vector among the parameters: no state is narrower than its start."""
        return self.rule.least_width()

    def _mark(self) -> _Before:
        """How far the learner has come, to be able to go back."""
        return self._space.mark(), self._outcomes.mark(), self._state

    def _retreat(self, before: _Before) -> None:
        """Forgets the features and labels that a refused call brought."""
        features, outcomes, state = before
        self._space.retreat(features)
        self._outcomes.retreat(outcomes)
        if state is None:
            self._state = self._loop = None
            if self._average is not None:
                self._average.resize(0)
        elif state is not self._state:
            self._bind(state)


def _nothing(keep: tuple[str, ...]) -> Columns:
    return {name: np.zeros(0, dtype=bool if name in _FLAGS else np.float64) for name in keep}


def comparator(rule: LinearRule, weights: FloatArray) -> LinearRule:
    """Fixed weights, of many classes a row each, that are charged the loss that the rule is charged."""
    margin, epsilon = rule.ends()
    if "classes" in rule.learns():
        from littlestone.multiclass import MulticlassFixed

        return MulticlassFixed(weights=weights, margin=margin)
    if "labels" in rule.learns():
        return Fixed(weights=weights, margin=margin, epsilon=epsilon)
    return Fixed(weights=weights, task="targets", margin=margin, epsilon=epsilon)
