"""Passive-Aggressive as a batch algorithm: labels, targets, one class."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, final

import numpy as np

from littlestone import _core
from littlestone.convert.converted import Converted
from littlestone.domain import choice
from littlestone.errors import InvalidParameter
from littlestone.learner import Learner
from littlestone.ledger import Ledger
from littlestone.linear import BatchPassiveAggressive, BatchPassiveAggressiveRegression
from littlestone.outcomes import with_outcomes
from littlestone.progress import slices
from littlestone.run import Run
from littlestone.streams.intervals import NO_OUTCOME
from littlestone.theory import certify
from littlestone.theory.catalogue import theory
from littlestone.theory.certificate import Certificate, Check, Verdict
from littlestone.theory.comparators import Trials
from littlestone.theory.evidence import LinearEvidence
from littlestone.theory.linear_proofs import Bench
from littlestone.uniclass import BatchUniclass

if TYPE_CHECKING:
    from littlestone.labels import Label
    from littlestone.outcomes import OutcomesLike
    from littlestone.state import State
    from littlestone.streams.space import Table

Order = Literal["cyclic", "max-loss"]
BatchRule: TypeAlias = "BatchPassiveAggressive | BatchPassiveAggressiveRegression | BatchUniclass"

_ORDER = choice("cyclic", "max-loss")
_BOUNDS = ("pa.batch", "pa.batchu")


def passive_aggressive_batch(
    X: Table,
    y: OutcomesLike,
    *,
    beta: float = 0.01,
    margin: float = 1.0,
    order: Order = "cyclic",
    labels: tuple[Label, Label] | None = None,
    passes: int = 1000,
    progress: bool = False,
) -> Converted:
    """Passes over the rows until every loss is at most √β, or `passes` are done.

    The certificates are pa.batch, which bounds the updates by B‖u − w₁‖²/β and holds where some u has no loss, and pa.2.

    Args:
        X: the rows.
        y: labels, one per row.
        beta: the squared loss that is small enough.
        margin: the margin asked of a label.
        order: "cyclic" takes the rows in turn; "max-loss" updates on the (first) row of largest loss each time, which costs
            a pass over the rows an update and mostly needs fewer updates.
        labels: the pair (negative, positive); None lets the first two distinct labels decide.
        passes: at most so many passes.
        progress: show a progress bar.

    Raises:
        InvalidParameter: if a parameter is outside its domain.
        InvalidData: if a row or an outcome is malformed.

    Example:
        >>> import littlestone as ls
        >>> rows, labels = [[1.0, 0.0], [1.0, 1.0]] * 50, [+1, -1] * 50
        >>> result = ls.convert.passive_aggressive_batch(rows, labels, beta=0.25)
        >>> print(str(result.certificate).splitlines()[0])      # B‖u − w₁‖²/β = 2·5/0.25
        pa.batch: holds: updates 4 ≤ 40 = ⌈B‖u − w₁‖²/β⌉ − 1
    """
    return _fitted(_Task(BatchPassiveAggressive(beta=beta, margin=margin), X, y, labels, passes, progress), order)


def passive_aggressive_batch_regression(
    X: Table,
    y: OutcomesLike,
    *,
    beta: float = 0.01,
    epsilon: float = 0.1,
    order: Order = "cyclic",
    passes: int = 1000,
    progress: bool = False,
) -> Converted:
    """Passes over the rows until every score is within ε + √β of its target, or `passes` are done.

    The certificates are those of `passive_aggressive_batch`.

    Args:
        X: the rows.
        y: targets, one per row.
        beta: the squared loss that is small enough.
        epsilon: the error that is no loss.
        order: "cyclic" or "max-loss".
        passes: at most so many passes.
        progress: show a progress bar.

    Raises:
        InvalidParameter: if a parameter is outside its domain.
        InvalidData: if a row or an outcome is malformed.

    Example:
        >>> import littlestone as ls
        >>> rows, targets = [[1.0, 0.0], [1.0, 1.0]], [1.0, -1.0]
        >>> result = ls.convert.passive_aggressive_batch_regression(rows * 50, targets * 50, beta=0.04, epsilon=0.5)
        >>> print(str(result.certificate).splitlines()[0])      # u = (0.5, −1): 2·1.25/0.04
        pa.batch: holds: updates 6 ≤ 62 = ⌈B‖u − w₁‖²/β⌉ − 1
    """
    rule = BatchPassiveAggressiveRegression(beta=beta, epsilon=epsilon)
    return _fitted(_Task(rule, X, y, None, passes, progress), order)


def uniclass_batch(
    X: Table,
    *,
    epsilon: float,
    beta: float = 0.01,
    order: Order = "cyclic",
    passes: int = 1000,
    progress: bool = False,
) -> Converted:
    """Passes over the rows until each is within ε + √β of the centre, or `passes` are done. The first row is the first centre.

    The certificate is pa.batchu, which bounds the moves by ‖u − w₁‖²/β and holds where a ball of radius ε holds the rows.

    Args:
        X: the rows.
        epsilon: the radius.
        beta: the squared loss that is small enough.
        order: "cyclic" or "max-loss".
        passes: at most so many passes.
        progress: show a progress bar.

    Raises:
        InvalidParameter: if a parameter is outside its domain.
        InvalidData: if a row is malformed.

    Example:
        >>> import littlestone as ls
        >>> result = ls.convert.uniclass_batch([[0.0], [2.0], [-0.5]], epsilon=1.5, beta=0.1)
        >>> print(str(result.certificate).splitlines()[0])      # u = 0.5: 0.25/0.1
        pa.batchu: holds: moves of the centre 1 ≤ 2 = ⌈‖u − w₁‖²/β⌉ − 1
    """
    rule = BatchUniclass(epsilon=epsilon, beta=beta)
    return _fitted(_Task(rule, X, NO_OUTCOME, None, passes, progress), order)


@final
@dataclass(frozen=True)
class _Task:
    """A batch rule, a sample, and how long to go on."""

    rule: BatchRule
    X: Table
    y: OutcomesLike
    labels: tuple[Label, Label] | None
    passes: int
    progress: bool


def _fitted(task: _Task, order: Order) -> Converted:
    if not _ORDER.contains(order):
        raise InvalidParameter(f"order is {order!r}; order must be {_ORDER.words}")
    if not isinstance(task.passes, int) or isinstance(task.passes, bool) or task.passes < 1:
        raise InvalidParameter(f"passes is {task.passes!r}; passes must be a whole number, at least 1")
    X, y = with_outcomes(task.X, task.y) if task.rule.abilities.alone else (task.X, task.y)
    rows: Table = X if hasattr(X, "shape") or not isinstance(X, Iterator) else list(X)
    known = replace(task, X=rows, y=y)
    return _in_turn(known) if order == "cyclic" else _largest_first(known)


def _in_turn(task: _Task) -> Converted:
    """One row after another, pass after pass, until a pass makes no update."""
    learner, done, rest = Learner(task.rule, labels=task.labels), 0, False
    for part in slices(task.passes, shown=task.progress, words=type(task.rule).__name__):
        for _ in range(part.start, part.stop):
            if done:
                learner.next_pass()
            before = learner.ledger.updates
            learner.learn_many(task.X, task.y)
            done, rest = done + 1, learner.ledger.updates == before
            if rest:
                break
        if rest:
            break
    run = Run(task.rule, learner.state, learner.ledger, {}, rest, done, learner, task.X, task.y)
    return _converted(learner, certify(run, against="best"), rest)


def _largest_first(task: _Task) -> Converted:
    """The row of largest loss, again and again; a pass over all rows at the end finds every loss small."""
    reader = Learner(task.rule, labels=task.labels)
    reader.learn_many(task.X, task.y)  # what it learns of features and labels is kept, its weights are not
    trials = _trials(reader, task)
    search = _PassSearch.begun(task.rule, trials)
    for part in slices(task.passes, shown=task.progress, words=type(task.rule).__name__):
        if not all(search.step() for _ in range(part.start, part.stop)):
            break
    rest = search.finish()
    # Rows come again, so no count of this ledger is one of trials on new rows.
    ledger = Ledger.of(search.totals, passes=2)
    known = replace(reader.snapshot(), state=search.state, totals=search.totals.parts(), passes=2)
    learner = Learner.restored(known)
    if task.rule.abilities.alone:
        run = Run(task.rule, learner.state, ledger, {}, rest, 1, learner, task.X, task.y)
        return _converted(learner, certify(run, against="best"), rest)
    evidence = LinearEvidence(task.rule, ledger, None, search.state.w, search.state)
    bench = Bench(evidence, search.seen(), {})
    return _converted(learner, [bench.certify(guarantee) for guarantee in theory.about(task.rule)], rest)


def _trials(reader: Learner, task: _Task) -> Trials:
    batch, outcomes = reader.encode(task.X, task.y)
    batch.check()
    margin, epsilon = task.rule.ends()
    return Trials(batch, outcomes, np.array(task.rule.init(batch.width).w), margin, epsilon, 1)


@final
class _PassSearch:
    """The state of a rule that is moved by the row of largest loss."""

    def __init__(self, rule: BatchRule, trials: Trials, state: State) -> None:
        self._rule, self._trials, self.state = rule, trials, state
        self._loop = rule.loop(state, None)
        self._low, self._high = trials.ends()
        self._scores = np.zeros(len(trials))
        self._hopeless = np.zeros(len(trials), dtype=bool)
        self._order: list[int] = []
        self.totals = _core.Totals()

    @staticmethod
    def begun(rule: BatchRule, trials: Trials) -> _PassSearch:
        """A search from a fresh state; the first row of a sample of one class is the first centre."""
        search = _PassSearch(rule, trials, rule.init(max(trials.width, len(trials.start))))
        if rule.abilities.alone and len(trials):
            search._learn(0)
        return search

    def step(self) -> bool:
        """Learns the row of largest loss; False if all are small enough."""
        worst = self._worst()
        if worst is None:
            return False
        before = self.totals.updates
        self._learn(worst)
        self._hopeless[worst] |= self.totals.updates == before  # an empty row cannot be helped
        return True

    def finish(self) -> bool:
        """Whether every loss is small enough; the loop then sees all rows once more."""
        if self._worst() is not None:
            return False
        before, count = self.totals.updates, len(self._trials)
        self._loop.learn(self._trials.batch, self._trials.outcomes, self.totals, _core.RoundColumns(count), 0, count)
        self._order += range(count)
        return self.totals.updates == before

    def seen(self) -> Trials:
        """The rows that were learned, in their order, as trials of their own."""
        trials, order = self._trials, np.array(self._order, dtype=np.int64)
        return replace(trials, batch=trials.batch.in_order(order), outcomes=trials.outcomes.in_order(order))

    def _worst(self) -> int | None:
        if not len(self._trials):
            return None
        self._loop.score(self._trials.batch, self._scores)
        losses = np.maximum(np.maximum(self._low - self._scores, self._scores - self._high), 0.0)
        losses[self._hopeless] = 0.0
        worst = int(losses.argmax())
        return worst if losses[worst] * losses[worst] > self._rule.beta else None

    def _learn(self, t: int) -> None:
        count = len(self._trials)
        self._loop.learn(self._trials.batch, self._trials.outcomes, self.totals, _core.RoundColumns(count), t, t + 1)
        self._order.append(t)


def _converted(learner: Learner, certificates: list[Certificate], rest: bool) -> Converted:
    """The bound on the updates first; a fit that did not come to rest is unproved."""
    check = Check("every squared loss came to be at most β", rest)
    finished = [_finished(c, check) if c.id in _BOUNDS else c for c in certificates]
    return Converted(learner, tuple(sorted(finished, key=lambda certificate: certificate.id not in _BOUNDS)))


def _finished(certificate: Certificate, check: Check) -> Certificate:
    checks = (*certificate.assumptions, check)
    if check.met:
        return replace(certificate, assumptions=checks)
    return replace(certificate, assumptions=checks, verdict=Verdict.UNPROVED, bound=math.nan)
