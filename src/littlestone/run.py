"""A run: a rule over a stream, and what it left behind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, final

from littlestone.arguments import flag
from littlestone.columns import named
from littlestone.display import Displayed
from littlestone.errors import InvalidParameter
from littlestone.lazy import np
from littlestone.learner import Learner
from littlestone.outcomes import with_outcomes
from littlestone.rule import checked
from littlestone.streams.intervals import NO_OUTCOME
from littlestone.tally import Tally, in_order

if TYPE_CHECKING:
    import os

    import numpy.typing as npt
    from matplotlib.figure import Figure

    from littlestone.columns import KeptColumns, Learned
    from littlestone.labels import Label
    from littlestone.ledger import Ledger
    from littlestone.outcomes import OutcomesLike
    from littlestone.rule import LinearRule
    from littlestone.snapshots import Missing
    from littlestone.state import State
    from littlestone.streams.space import Table
    from littlestone.theory.certificate import Certificate
    from littlestone.theory.proofs import Against
    from littlestone.views import View


@final
@dataclass(frozen=True, eq=False)
class Run(Displayed):
    """A rule, the state it ended in, its ledger and the columns that were kept.

    The rows and outcomes are held by reference, so that comparators and batch predictors can read them again.
    """

    rule: LinearRule
    state: State
    ledger: Ledger
    columns: KeptColumns
    converged: bool
    """Whether the last pass made no update."""
    passes: int
    learner: Learner = field(repr=False)
    X: Table = field(repr=False)
    y: OutcomesLike = field(repr=False)

    def plot(self, path: str | os.PathLike[str] | None = None, *, against: Against = None) -> Figure:
        """The learning curve, and what was counted under the bounds, in one figure of matplotlib (the extra `plot`).

        Args:
            path: where to write it too, as SVG where the name ends so and as PNG otherwise.
            against: what `certify` compares with.

        Raises:
            NotApplicable: if there are no rounds to draw, or matplotlib is not there.
        """
        from littlestone.report.plotting import plot

        return plot(self, path, against=against)

    def certify(self, against: Against = None) -> list[Certificate]:
        """Every guarantee that speaks of the rule, best first (see `ls.certify`)."""
        from littlestone.theory import certify

        return certify(self, against=against)


def run(
    rule: LinearRule,
    X: Table,
    y: OutcomesLike = NO_OUTCOME,
    *,
    labels: tuple[Label, ...] | None = None,
    weights: npt.ArrayLike | None = None,
    missing: Missing = "error",
    view: View | None = None,
    calibrate: bool = False,
    keep: Iterable[str] = (),
    passes: int = 1,
    average: bool = False,
    progress: bool = False,
    audit: bool = False,
    against: Run | npt.ArrayLike | None = None,
) -> Run:
    """Runs a rule over a stream: `Learner.learn_many`, once or until it comes to rest.

    Args:
        rule: the rule.
        X: an array, a sparse matrix, a frame, or an iterable of dicts.
        y: labels, targets or Intervals, one per row; left out for a rule that learns rows alone.
        labels: the pair (negative, positive), or of many classes those known from the beginning; None goes by the rows.
        weights: how much each row counts; None is 1 (see `Learner.learn_many`).
        missing: "error" refuses nan and None among the values, "skip" takes the feature for absent in that round.
        view: what the rule is shown of rows, such as `ls.features.StandardScale()`; it goes on learning, so there is one pass.
        calibrate: turn scores into probabilities on the way, for log loss and reliability (see `ls.Learner`).
        keep: columns to keep, from "score", "loss", "step", "mistake", "update" and "prediction": one value per round.
        passes: at most so many passes over the rows; a pass without an update is the last.
        average: keep the sum of the weights over the rounds.
        progress: show a progress bar.
        audit: repeat the run by the definition of the rule, slowly, and check every lemma that speaks of it at each round.
        against: the comparator of the audit: a vector, a run of `ls.Fixed`, a centre, coefficients; None is the first weights.

    Raises:
        LemmaViolated: from an audit, naming the first round that breaks a lemma.

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.Perceptron(), [[1.0, 0.0], [0.0, 1.0]], [True, False], passes=5, keep=("score",))
        >>> run.ledger.mistakes, run.passes, run.columns["score"]
        (2, 2, array([ 0.,  0.,  1., -1.]))
    """
    progress, audit = flag("progress", progress), flag("audit", audit)
    _check(passes, view, compares=against is not None, audit=audit)
    rows: Table = X if hasattr(X, "shape") or not isinstance(X, Iterator) else list(X)
    rows, y = with_outcomes(rows, y) if checked(rule).abilities.alone else (rows, y)
    columns = named(keep)
    learner = Learner(rule, labels=labels, average=average, missing=missing, view=view, calibrate=calibrate)
    kept, converged = _passed(learner, partial(learner.learn_many, rows, y, weights, keep=columns, progress=progress), passes)
    whole: KeptColumns = {name: np.concatenate([part[name] for part in kept]) for name in columns}
    ledger = _beside_commonest(learner, y, len(kept))
    finished = Run(rule, learner.state, ledger, whole, converged, len(kept), learner, rows, y)
    if audit:
        from littlestone.theory.audit import audit as check_lemmas

        check_lemmas(finished, against)
    return finished


def _passed(learner: Learner, learn: Callable[[], Learned], passes: int) -> tuple[list[Learned], bool]:
    """At most so many passes, and whether the last one moved nothing."""
    kept: list[Learned] = []
    converged = False
    while len(kept) < passes and not converged:
        if kept:
            learner.next_pass()
        before = learner.ledger.updates
        kept.append(learn())
        converged = learner.ledger.updates == before
    return kept, converged


def _beside_commonest(learner: Learner, y: OutcomesLike, passes: int) -> Ledger:
    """The ledger, of many classes with the errors of whoever shows the commonest so far."""
    if len(learner.labels) <= 2:
        return learner.ledger
    tally = Tally()
    for _ in range(passes):
        tally.note(in_order(y))
    return tally.beside(learner.ledger)


def _check(passes: int, view: View | None, *, compares: bool, audit: bool) -> None:
    if compares and not audit:
        raise InvalidParameter("against is the comparator of an audit; give audit=True, or give it to certify")
    if not isinstance(passes, int) or isinstance(passes, bool) or passes < 1:
        raise InvalidParameter(f"passes is {passes!r}; passes must be a whole number, at least 1")
    if view is not None and passes > 1:
        why = f"{view!r} goes on learning, and shows other rows in every pass"
        raise InvalidParameter(f"passes is {passes}; {why}; make passes with Learner.learn_many and next_pass")
