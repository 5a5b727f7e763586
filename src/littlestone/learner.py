"""The learner: a rule, its state, its ledger, and the names of features and labels."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np

from littlestone import _core
from littlestone.errors import InvalidData, InvalidParameter, NotApplicable
from littlestone.labels import Label, Labels
from littlestone.ledger import Ledger
from littlestone.linear.fixed import Fixed
from littlestone.progress import slices
from littlestone.state import Average, State
from littlestone.streams.intervals import NO_OUTCOME, Intervals
from littlestone.streams.space import Space

if TYPE_CHECKING:
    import os

    import numpy.typing as npt

    from littlestone.arrays import BoolArray, FloatArray, SignArray
    from littlestone.loop import Loop
    from littlestone.rule import LinearRule
    from littlestone.streams.batches import Feature
    from littlestone.streams.space import Mark, Table, Vector
    from littlestone.theory.certificate import Certificate
    from littlestone.theory.certification import Against

Outcomes: TypeAlias = "Sequence[Label] | npt.NDArray[np.generic] | Intervals"
Columns: TypeAlias = "dict[str, FloatArray | BoolArray]"

COLUMNS = ("score", "loss", "step", "mistake", "update")
"""What `keep` can name: one value of each a round."""

_FLAGS = ("mistake", "update")
_ONE_LABEL = {-1: _core.one_label(-1), +1: _core.one_label(+1)}

# A batch with fewer entries than the state is checked whole before it is learned; a larger one is checked on the way,
# which reads it once, and a copy of the state, small beside it, is put back if a fault turns up.
_ENTRIES_PER_STATE = 4


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


@final
class Learner:
    """Learns a stream, one round at a time or many, with the same bits either way.

    Args:
        rule: the rule, such as `ls.Perceptron()`.
        labels: the pair (negative, positive); None lets the first two distinct labels decide.
        average: keep the sum of the weights over the rounds, for `averaged()`, at O(nonzeros) an update.

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

    def __init__(self, rule: LinearRule, *, labels: tuple[Label, Label] | None = None, average: bool = False) -> None:
        self.rule = rule
        self._learns = rule.learns()
        self._labels = Labels.given(labels if labels is not None else rule.signs())
        self._kind: str | None = None
        self._space = Space(self._least_width(), objects=rule.takes_objects())
        self._totals = _core.Totals()
        self._passes = 1
        self._average = Average(0) if average and rule.averages() else None
        self._state: State | None = None
        self._loop: Loop | None = None
        self._quick: _core.Records | None = None
        self._room = -1
        self._lock = threading.RLock()

    @property
    def state(self) -> State:
        """The state; before the first row, one of no features."""
        if self._state is None:
            return self.rule.init(max(self._space.width, self._least_width()))
        return self._state.cut(self._space.width)

    @property
    def ledger(self) -> Ledger:
        """The ledger at this moment."""
        return Ledger.of(self._totals, self._passes)

    @property
    def features(self) -> list[Feature]:
        """The features in the order of the weights: names, or columns."""
        return self._space.names

    @property
    def weights(self) -> dict[Feature, float]:
        """The weights that are not 0, by feature."""
        return {name: float(w) for name, w in zip(self.features, self.state.w, strict=False) if w != 0.0}

    @property
    def labels(self) -> tuple[Label, Label]:
        """The pair (negative, positive) as far as it is known."""
        return self._labels.value(-1), self._labels.value(+1)

    def learn_one(self, x: Vector, y: Label | Intervals = NO_OUTCOME) -> Label:
        """One round: score, record, update. Returns the prediction made before the update.

        The outcome is left out for a rule that learns rows alone, such as `ls.Uniclass`.

        Raises:
            InvalidData: if row or outcome is malformed; nothing has changed then.
        """
        if self._quick is not None:
            quick = self._quick.learn(x, y)
            if quick is not None:
                return quick
        with self._lock:
            self._close_short_way()
            before = (self._space.mark(), self._labels, self._kind, self._state)
            try:
                batch, outcome, loop = self._ready_for_one(x, y)
                score, sign = loop.learn_row(batch, outcome, self._totals)
            except Exception:
                self._retreat(*before)
                raise
            self._quick = self._short_way()
        return self._labels.value(sign) if self._predicts_labels() else score

    def score_one(self, x: Vector) -> float:
        """The real-valued score of a row. Nothing changes."""
        with self._lock:
            batch = self._row_to_score(x)
            return self._scorer(batch.width).score_row(batch)[0]

    def predict_one(self, x: Vector) -> Label:
        """The label for a row, or the score where the learner learns targets or intervals. Nothing changes."""
        if self._quick is not None:
            quick = self._quick.predict(x)
            if quick is not None:
                return quick
        with self._lock:
            batch = self._row_to_score(x)
            score, sign = self._scorer(batch.width).score_row(batch)
            if self._quick is None:
                self._quick = self._short_way()
            return self._labels.value(sign) if self._predicts_labels() else score

    def learn_many(self, X: Table, y: Outcomes = NO_OUTCOME, *, keep: Iterable[str] = (), progress: bool = False) -> Columns:
        """Learns the rows in order, with the same bits as a loop over `learn_one`.

        Args:
            X: an array, a sparse matrix, a frame, rows of a file (`ls.read`), or an iterable of dicts.
            y: labels, targets or Intervals, one a row; left out for a rule that learns rows alone.
            keep: columns to return, from "score", "loss", "step", "mistake" and "update": one value a round.
            progress: show a progress bar.

        Raises:
            InvalidData: if a row or an outcome is malformed; nothing has changed then.
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
            before = (self._space.mark(), self._labels, self._kind, self._state)
            try:
                batch, outcomes = self._ready_for_many(X, y)
                # Without a row there is nothing to make a state for: its width is not known yet.
                return self._learn(self._widened(), batch, outcomes, columns, progress) if len(batch) else _nothing(columns)
            except Exception:
                self._retreat(*before)
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

    def check_one(self, x: Vector, y: Label | Intervals) -> None:
        """Raises what `learn_one` would raise. Nothing changes."""
        with self._unchanged():
            self._ready_for_one(x, y)

    def check_many(self, X: Table, y: Outcomes) -> None:
        """Raises what `learn_many` would raise. Nothing changes."""
        with self._unchanged():
            batch, _ = self._ready_for_many(X, y)
            batch.check()
            if len(batch):
                self._widened()

    def score_many(self, X: Table) -> FloatArray:
        """The scores of the rows. Nothing changes."""
        with self._lock:
            batch = self._rows_to_score(X)
            out = np.zeros(len(batch))
            self._scorer(batch.width).score(batch, out)
            return out

    def predict_many(self, X: Table) -> npt.NDArray[np.generic]:
        """The labels of the rows, or their scores where the learner learns targets or intervals. Nothing changes."""
        with self._lock:
            scores = self.score_many(X)
            if not self._predicts_labels():
                return scores
            signs = np.zeros(len(scores), dtype=np.int8)
            self._scorer(self._space.width).signs(scores, signs)
            return self._labels.values(signs)

    def averaged(self) -> Learner:
        """A learner with the mean (w_1 + ... + w_T)/T of the weights used so far, fixed: the averaged predictor.

        Raises:
            NotApplicable: if the learner was made without average=True, or before the first round.
        """
        own = self.rule.averaged(self.state) if self._totals.rounds else None
        if own is not None:
            return self.with_state(*own)
        if self._average is None or not self._totals.rounds:
            raise NotApplicable("there is no average; make the learner with average=True and let it learn first")
        return self.with_weights(self._average.total(self.state) / self._totals.rounds)

    def with_weights(self, weights: FloatArray) -> Learner:
        """A learner with these weights, fixed, and the features and labels of this one."""
        twin = Learner(comparator(self.rule, weights))
        twin._space = self._space.copy()
        twin._labels, twin._kind = self._labels, self._kind
        twin._widened()
        return twin

    def with_state(self, rule: LinearRule, state: State) -> Learner:
        """A learner of a rule that begins with this state, and knows the features and labels of this one."""
        twin = Learner(rule)
        twin._space = self._space.copy()
        twin._labels, twin._kind = self._labels, self._kind
        twin._bind(state)
        return twin

    def batch(self, X: Table) -> _core.Batch:
        """The rows as this learner reads them, without learning them."""
        with self._lock:
            return self._space.batch(X, grow=False)

    def label_values(self, signs: SignArray) -> npt.NDArray[np.generic]:
        """The labels that signs stand for."""
        return self._labels.values(signs)

    def certify(self, against: Against = None) -> list[Certificate]:
        """Every guarantee that speaks of the rule, best first, on what was learned so far (see `ls.certify`)."""
        from littlestone.theory import certify

        return certify(self, against=against)

    def encode(self, X: Table, y: Outcomes) -> tuple[_core.Batch, _core.Outcomes]:
        """Rows and outcomes as the loop would read them, for whoever studies a stream. Nothing changes."""
        with self._lock:
            before = (self._space.mark(), self._labels, self._kind, self._state)
            try:
                outcomes = self._many_outcomes(y)
                batch = self._space.batch(X, grow=True)
            finally:
                self._retreat(*before)
        if len(batch) != len(outcomes):
            raise InvalidData(f"there are {len(batch)} rows and {len(outcomes)} outcomes")
        return batch, outcomes

    def snapshot(self) -> Snapshot:
        """A copy of everything the learner knows."""
        with self._lock:
            return Snapshot(
                rule=self.rule,
                state=self.state.copy() if self._state is not None else None,
                average=self._average and self._average.copy(self._space.width),
                totals=self._totals.parts(),
                space=self._space.mark(),
                names=self._space.names if self._space.named else None,
                labels=self._labels,
                kind=self._kind,
                passes=self._passes,
            )

    @staticmethod
    def restored(snapshot: Snapshot, *, copy: bool = True) -> Learner:
        """A learner that goes on where the snapshot was taken; without a copy, it takes the snapshot's arrays for its own."""
        twin = Learner(snapshot.rule)
        twin._space = Space.restored(snapshot.space, snapshot.names, twin._least_width(), objects=snapshot.rule.takes_objects())
        twin._labels, twin._kind = snapshot.labels, snapshot.kind
        twin._totals = _core.Totals.from_parts(dict(snapshot.totals))
        twin._passes = snapshot.passes
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

    def __repr__(self) -> str:
        return f"Learner({self.rule!r}: {self.ledger})"

    def _predicts_labels(self) -> bool:
        if self.rule.signs() is not None:
            return True
        return self._kind == "labels" or (self._kind is None and "labels" in self._learns)

    def _accept(self, kind: str) -> None:
        if kind not in self._learns:
            raise NotApplicable(f"the outcomes are {kind}; {type(self.rule).__name__} learns {_listed(self._learns)}")
        if self._kind not in (None, kind):
            raise NotApplicable(f"the outcomes are {kind}; this learner has learned {self._kind} so far")
        self._kind = kind

    def _one_outcome(self, y: Label | Intervals) -> _core.Outcomes:
        if y is NO_OUTCOME and self.rule.signs() is None:
            raise NotApplicable(f"there is no outcome; {type(self.rule).__name__} learns {_listed(self._learns)}")
        if isinstance(y, Intervals):
            if len(y) != 1:
                raise InvalidData(f"there are {len(y)} intervals for one row")
            self._accept("intervals")
            return y.outcomes
        if "labels" not in self._learns:
            self._accept("targets")
            return _core.one_target(_target(y))
        if self._kind != "labels":
            self._accept("labels")
        sign = self._labels.sign(y)
        if sign == 0:
            self._labels = self._labels.placed(y)
            sign = self._labels.sign(y)
        return _ONE_LABEL[sign]

    def _many_outcomes(self, y: Outcomes) -> _core.Outcomes:
        if y is NO_OUTCOME and self.rule.signs() is None:
            raise NotApplicable(f"there are no outcomes; {type(self.rule).__name__} learns {_listed(self._learns)}")
        if isinstance(y, Intervals):
            self._accept("intervals")
            return y.outcomes
        values = np.asarray(y) if hasattr(y, "to_numpy") else y
        if "labels" not in self._learns:
            self._accept("targets")
            return _core.targets(_targets(values))
        self._accept("labels")
        signs, self._labels = self._labels.signs(values)
        return _core.labels(signs)

    def _ready_for_one(self, x: Vector, y: Label | Intervals) -> tuple[_core.Batch, _core.Outcomes, Loop]:
        outcome = self._one_outcome(y)
        batch = self._space.row(x, grow=True)
        batch.check()
        self.rule.inspect(batch)
        return batch, outcome, self._widened()

    def _ready_for_many(self, X: Table, y: Outcomes) -> tuple[_core.Batch, _core.Outcomes]:
        outcomes = self._many_outcomes(y)
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
            before = (self._space.mark(), self._labels, self._kind, self._state)
            try:
                yield
            finally:
                self._retreat(*before)

    def _learn(
        self, loop: Loop, batch: _core.Batch, outcomes: _core.Outcomes, keep: tuple[str, ...], progress: bool
    ) -> Columns:
        count = len(batch)
        numbers = {name: np.zeros(count) for name in keep if name not in _FLAGS}
        flags = {name: np.zeros(count, dtype=np.uint8) for name in keep if name in _FLAGS}
        columns = _core.Columns(
            count,
            score=numbers.get("score"),
            loss=numbers.get("loss"),
            step=numbers.get("step"),
            mistake=flags.get("mistake"),
            update=flags.get("update"),
        )
        with self._reversible(batch):
            for rows in slices(count, shown=progress, words=type(self.rule).__name__):
                loop.learn(batch, outcomes, self._totals, columns, rows.start, rows.stop)
        return {**numbers, **{name: array.astype(bool) for name, array in flags.items()}}

    @contextmanager
    def _reversible(self, batch: _core.Batch) -> Iterator[None]:
        """Sees to it that a malformed row, or a rule in Python that fails, leaves state, average and ledger as they were."""
        state, average = self._state, self._average
        assert state is not None
        compiled = isinstance(self._loop, _core.Loop)
        if compiled and batch.entries < _ENTRIES_PER_STATE * state.size:
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
        if self._loop is not None and width <= self._room:
            return self._loop
        if self._state is None:
            if self._space.named and getattr(self.rule, "start", None) is not None:
                raise NotApplicable("a start vector goes by columns; give rows without names")
            fresh = self.rule.init(width)
            if not self._space.named or "members" not in fresh.arrays:
                return self._bind(fresh)
            # Named features join a sum of weights one after another, however many rows were given at once.
            self._state = self.rule.init(0)
        room = 2 * width if self.rule.takes_spare_room() else max(width, 2)
        return self._bind(self._state.grown(self.rule.init(room)))

    def _bind(self, state: State) -> Loop:
        if self._average is not None:
            self._average.resize(len(state.unscaled))
        self._state = state
        self._room = len(state.unscaled)
        self._loop = self.rule.loop(state, self._average)
        return self._loop

    def _close_short_way(self) -> None:
        """Sends every other thread the long way, where it waits for the lock."""
        if self._quick is not None:
            self._quick.close()
            self._quick = None

    def _short_way(self) -> _core.Records | None:
        """For dicts and two known labels (neither of them None, which the short way answers with) on a compiled loop."""
        names, loop = self._space.table, self._loop
        if self._kind != "labels" or names is None or not isinstance(loop, _core.Loop) or not self._labels.settled:
            return None
        if self.rule.inspects() or self.rule.minds_unknown():
            return None
        negative, positive = self.labels
        return None if negative is None or positive is None else _core.Records(loop, names, self._totals, negative, positive)

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
        if self._loop is not None and width <= self._room:
            return self._loop
        if self._state is not None:
            # Columns that only these rows have weigh what a feature starts with.
            return self.rule.loop(self._state.grown(self.rule.init(max(width, 2))), None)
        return self.rule.loop(self.rule.init(max(width, self._least_width())), None)

    def _least_width(self) -> int:
        """The length of the longest vector among the parameters: no state is narrower than its start."""
        return max((len(value) for value in self.rule.parameters().values() if isinstance(value, np.ndarray)), default=0)

    def _retreat(self, mark: Mark, labels: Labels, kind: str | None, state: State | None) -> None:
        """Forgets the features and labels that a refused call brought."""
        self._space.retreat(mark)
        self._labels, self._kind = labels, kind
        if state is None:
            self._state = self._loop = None
            self._room = -1
            if self._average is not None:
                self._average.resize(0)
        elif state is not self._state:
            self._bind(state)


def _nothing(keep: tuple[str, ...]) -> Columns:
    return {name: np.zeros(0, dtype=bool if name in _FLAGS else np.float64) for name in keep}


def comparator(rule: LinearRule, weights: FloatArray) -> Fixed:
    """Fixed weights that are charged the loss that the rule is charged."""
    margin, epsilon = rule.ends()
    if "labels" in rule.learns():
        return Fixed(weights=weights, margin=margin, epsilon=epsilon)
    return Fixed(weights=weights, task="targets", margin=margin, epsilon=epsilon)


def with_outcomes(X: Table, y: Outcomes) -> tuple[Table, Outcomes]:
    """The rows, and the outcomes for a rule that learns rows alone where none were given."""
    if y is not NO_OUTCOME:
        return X, y
    rows: Table = X if hasattr(X, "shape") or not isinstance(X, Iterable) else list(X)
    shape: object = getattr(rows, "shape", None)
    count = shape[0] if isinstance(shape, tuple) else len(rows) if isinstance(rows, list) else 0
    return rows, Intervals.inside(count)


def _listed(kinds: frozenset[str]) -> str:
    return " and ".join(sorted(kinds))


def _target(y: object) -> float:
    if isinstance(y, bool) or not isinstance(y, int | float | np.number):
        raise InvalidData(f"row 0: the target is {y!r}; targets must be numbers")
    return float(y)


def _targets(y: Sequence[Label] | npt.NDArray[np.generic]) -> FloatArray:
    try:
        values = np.asarray(y)
    except ValueError:
        raise InvalidData("targets are lists of different lengths; expected one number a row") from None
    if values.dtype.kind not in "iuf" or values.ndim != 1:
        raise InvalidData(f"targets have dtype {values.dtype} and {values.ndim} dimensions; expected one number a row")
    return np.ascontiguousarray(values, dtype=np.float64)
