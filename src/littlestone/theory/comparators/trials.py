"""The trials of a run as a comparator program reads them: checked rows, intervals, and the loss that is charged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone import _core
from littlestone.errors import NotApplicable
from littlestone.learner import Learner
from littlestone.ledger import Ledger
from littlestone.linear import Fixed, Perceptron

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from littlestone.arrays import FloatArray
    from littlestone.outcomes import OutcomesLike
    from littlestone.rule import LinearRule
    from littlestone.run import Run
    from littlestone.streams.space import Table


@final
@dataclass(frozen=True, eq=False)
class Trials:
    """Rows with intervals of acceptable scores, seen `passes` times.

    A label is [margin, ∞) or its mirror, a target [target − ε, target + ε]. What a solver returns is never trusted:
    `measure` runs it over the rows as `ls.Fixed` and every number of a certificate is read off that ledger.
    """

    batch: _core.Batch
    outcomes: _core.Outcomes
    start: FloatArray
    """w_1: where the rule began, at the width of the rows."""
    margin: float
    epsilon: float
    passes: int
    source: _core.Batch | None = None
    """The rows that were learned, where those of the trials are these in another space."""

    @staticmethod
    def of(rule: LinearRule, X: Table, y: OutcomesLike) -> Trials:
        """The trials of one pass of a rule over a stream."""
        return Trials._of(Learner(rule), X, y, 1)

    @staticmethod
    def of_labels(X: Table, y: OutcomesLike) -> Trials:
        """Labels with margin 1."""
        return Trials.of(Perceptron(), X, y)

    @staticmethod
    def of_run(run: Run) -> Trials:
        """The trials of a run, with the features and labels as it knew them."""
        return Trials._of(run.learner, run.X, run.y, run.passes)

    @staticmethod
    def _of(learner: Learner, X: Table, y: OutcomesLike, passes: int) -> Trials:
        if passes > 1 and learner.view is not None:
            raise NotApplicable(
                f"{learner.view!r} shows other rows in every pass; compare with fixed weights, or make one pass"
            )
        batch, outcomes = learner.encode(X, y)
        batch.check()
        margin, epsilon = learner.rule.ends()
        return Trials(batch, outcomes, start_of(learner.rule, batch.width), margin, epsilon, passes)

    def __len__(self) -> int:
        return len(self.batch)

    @property
    def width(self) -> int:
        """How many features the rows have."""
        return self.batch.width

    def measure(self, u: FloatArray) -> Ledger:
        """The ledger that fixed weights u leave on the trials.

        What depends on the rounds before begins afresh in every pass: the baselines (the majority label, the last label,
        the mean and the last target) and the pairs of the AUC. No bound reads them off a comparator.
        """
        totals = _core.Totals()
        loop = Fixed(weights=u, margin=self.margin, epsilon=self.epsilon).loop(
            Fixed(weights=u).init(max(self.width, len(u))), None
        )
        loop.learn(self.batch, self.outcomes, totals, _core.RoundColumns(len(self)), 0, len(self))
        if self.source is None:
            return Ledger.of(_repeated(totals, self.passes), blank_start=False)
        learned = _core.Totals()
        learned.witness(self.source, self.outcomes, 0, len(self))
        prints = {name: learned.parts()[name] for name in ("witnessed", "fingerprint", "sequence")}
        return Ledger.of(_repeated(_core.Totals.from_parts(totals.parts() | prints), self.passes), blank_start=False)

    def scores(self, u: FloatArray) -> FloatArray:
        """u·x of every row."""
        out = np.zeros(len(self))
        fixed = Fixed(weights=u)
        fixed.loop(fixed.init(max(self.width, len(u))), None).score(self.batch, out)
        return out

    def signs(self) -> FloatArray:
        """−1 or +1 per row.

        Raises:
            NotApplicable: if the outcomes are not labels.
        """
        signs = np.array([self.outcomes.label(t) for t in range(len(self))], dtype=np.float64)
        if not signs.all():
            raise NotApplicable("the outcomes are not labels; this comparator separates labels")
        return signs

    def ends(self) -> tuple[FloatArray, FloatArray]:
        """The lower and upper ends of the intervals."""

        def label(sign: int) -> _core.Interval:
            return _core.Interval.half_line(sign, self.margin)

        def target(value: float) -> _core.Interval:
            return _core.Interval.around(value, self.epsilon)

        intervals = [self.outcomes.interval(t, label, target) for t in range(len(self))]
        return np.array([i.low for i in intervals]), np.array([i.high for i in intervals])

    def inside(self, u: FloatArray) -> float | None:
        """How far u·x is inside its interval at least, below 0 where it is outside; None for labels: their margin tells."""
        if not len(self) or self.outcomes.label(0):
            return None
        (low, high), scores = self.ends(), self.scores(u)
        return float(np.minimum(scores - low, high - scores).min())

    def rows(self) -> csr_array[np.float64]:
        """The rows as a sparse matrix, for the solvers of SciPy."""
        from scipy.sparse import csr_array

        start, index, value = self.batch.csr(np.arange(len(self)))
        return csr_array((value, index, start), shape=(len(self), self.width))

    def dense(self) -> FloatArray:
        """The rows as a dense matrix, for the solvers of small programs."""
        matrix: FloatArray = self.rows().toarray()
        return matrix


def _repeated(once: _core.Totals, times: int) -> _core.Totals:
    """The totals of so many passes that leave the same, in as many steps as their number has digits."""
    whole, power = _core.Totals(), once
    while times:
        if times % 2:
            whole.merge(power)
        times //= 2
        twice = _core.Totals.from_parts(power.parts())
        twice.merge(power)
        power = twice
    return whole


def start_of(rule: LinearRule, width: int) -> FloatArray:
    """The weights that a rule begins with."""
    return np.array(rule.init(width).w, dtype=np.float64)
