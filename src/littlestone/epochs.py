"""Iterative parameter mixing: partitions of a stream learned apart, from the same weights, and mixed after every epoch."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar, final

from littlestone._core import Totals
from littlestone.arguments import flag
from littlestone.columns import counted
from littlestone.display import Plotted
from littlestone.domain import several
from littlestone.errors import InvalidData, InvalidParameter
from littlestone.labels import Labels
from littlestone.learner import Learner
from littlestone.mixer import Beyond, Mixer, checked_shares
from littlestone.mixing import check_mixable, merge, reaches
from littlestone.partitions import pieces_of, place_of
from littlestone.progress import Patience
from littlestone.rule import checked
from littlestone.shards import InvalidPartition, Shard, judged_by, labels_in, learned_again, results_of
from littlestone.state import Average

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.labels import Label
    from littlestone.ledger import Ledger
    from littlestone.mixer import Shares
    from littlestone.partitions import Partition, Pieces
    from littlestone.rule import LinearRule
    from littlestone.shards import Work
    from littlestone.snapshots import Missing, Snapshot
    from littlestone.theory.certificate import Certificate
    from littlestone.workers import OrderedMap

Result = TypeVar("Result")


@final
@dataclass(frozen=True, eq=False)
class Epochs(Plotted):
    """What the epochs left behind."""

    learner: Learner
    """The mixed learner. Its ledger is that of all rounds of all partitions."""
    ledgers: tuple[tuple[Ledger, ...], ...]
    """Of every partition, epoch by epoch."""
    shares: tuple[FloatArray, ...]
    """What each partition's weights counted in the mixture, epoch by epoch."""
    partitions: tuple[Pieces, ...]
    reaches: tuple[float, ...] = ()
    """How many times as far as the mixture of each epoch the next one began; 1 after the last, and where none is stretched."""
    errors: tuple[float, ...] = ()
    """Of the mixture after each epoch, where it was measured: the rate of wrong labels, or the mean absolute error."""
    map: OrderedMap = map
    """Who did the work."""

    @property
    def rule(self) -> LinearRule:
        """The rule."""
        return self.learner.rule

    @property
    def progress(self) -> list[Ledger]:
        """The ledger of each epoch, all partitions together; only the first has met new rows."""
        return [merge(epoch) for epoch in self.ledgers]

    def risk_bound(self, delta: float = 0.05, *, iid: bool = True) -> Certificate:
        """How wrong the hypotheses of the first epoch are at most on rows to come (see `Ledger.risk_bound`).

        Each of them depends on earlier rows of its own partition only, so the mistakes of all partitions together are those
        of one sequence of rows, whoever learned them. Later epochs meet rows that were learned before and add nothing.

        Example:
            >>> import littlestone as ls
            >>> from littlestone.streams.synthetic import linear_labels
            >>> X, y, u = linear_labels(rows=4_000, features=5, margin=0.2)
            >>> run = ls.epochs([(X[k::4], y[k::4]) for k in range(4)], ls.Perceptron(), epochs=3)
            >>> run.risk_bound().verdict.value, run.learner.ledger.risk_bound().verdict.value
            ('holds', 'unproved')
        """
        return self.progress[0].risk_bound(delta, iid=iid)

    def certify(self, against: npt.ArrayLike) -> list[Certificate]:
        """What is proved of the mixture, beside fixed weights u that are run over the partitions once, by the same workers.

        Of a rule that was mixed with `unproved=True` every certificate says *unproved*.

        Args:
            against: the weights u, in the order of `learner.features`; of many classes a row each; of one class a centre.
        """
        from littlestone.theory.mixing import certify_epochs

        return certify_epochs(self, against)

    def work(self, function: Work[Result], learner: Learner) -> list[Result]:
        """What a function makes of a learner and each partition, by whoever did the epochs."""
        return list(results_of(self.map, function, learner, self.partitions, None))

    def __str__(self) -> str:
        lines = (f"epoch {number}: {ledger}" for number, ledger in enumerate(self.progress, start=1))
        return "\n".join([f"{counted(len(self.partitions), 'partition')} of {type(self.rule).__name__}", *lines])


def epochs(
    partitions: Iterable[Partition],
    rule: LinearRule,
    *,
    epochs: int = 1,
    map: OrderedMap = map,
    weights: Shares = "uniform",
    stretch: bool = True,
    label: str | None = None,
    labels: tuple[Label, ...] | None = None,
    missing: Missing = "error",
    average: bool = False,
    unproved: bool = False,
    test: Partition | None = None,
    progress: bool = False,
) -> Epochs:
    """Learns partitions apart and mixes the learners after every epoch (iterative parameter mixing).

    In each epoch every partition is learned from the same mixed learner, by whoever `map` gives the work to; the results are
    mixed in the order of the partitions, so the bits are the same however many workers there are. A worker opens its own
    partition, and the caller holds no row. Arrays are checked in the first epoch: let nobody change them before the last.

    Args:
        partitions: paths (any format of `ls.read`; a pattern or a directory is every file of it, in order), pairs (X, y),
            arrays (for rules of one class), frames and Arrow tables with a column of labels, or readers.
        rule: the rule.
        epochs: how many times every partition is learned.
        map: an ordered map: the built-in one, `ls.threads(4)`, `ls.processes(4)`, or that of Dask or of Spark.
        weights: the share of each partition: "uniform", "mistakes" (of the epoch), or a number each.
        stretch: begin an epoch beyond the mixture, as far as the rule's proof carries; False begins it there, as in the paper.
        label: the column of the label in files, frames and tables; None: one called label, target, class or y.
        labels: the labels, in order; None reads every partition once to find them, so that a label means the same to all.
        missing: "error" refuses missing values, "skip" leaves them out and counts them.
        average: keep the sum of the weights over all rounds.
        unproved: mix by a rule of whose mixture nothing is proved, instead of refusing.
        test: rows that the mixture is judged by after every epoch; `Epochs.errors` has its error.
        progress: show a bar in long epochs and a line after each: mistakes, and the error on `test` or on the partitions.

    Raises:
        InvalidPartition: naming the partition that cannot be read or learned; its `run` has the epochs before.
        NotApplicable: if learners of the rule cannot be mixed.

    Example:
        >>> import littlestone as ls
        >>> from littlestone.streams.synthetic import linear_labels
        >>> X, y, u = linear_labels(rows=400, features=5, margin=0.2)
        >>> run = ls.epochs([(X[k::4], y[k::4]) for k in range(4)], ls.Perceptron(), epochs=3)
        >>> [ledger.mistakes for ledger in run.progress][-1] <= run.progress[0].mistakes
        True
        >>> run.learner.ledger.rounds
        1200

    Source: McDonald, Hall and Mann 2010, figure 3.
    """
    parts, rule = _partitions(partitions, label, weights), _checked(rule, epochs, map, unproved=unproved)
    stretch, progress = flag("stretch", stretch), flag("progress", progress)
    known = _labels(parts, rule, map) if labels is None else labels
    judges = [pieces_of(test, label)] if test is not None else parts if progress else []
    run = Epochs(Learner(rule, labels=known, missing=missing, average=average), (), (), parts, map=map)
    return _learned(run, epochs, weights, judges, stretch=stretch and reaches(rule), progress=progress)


def _learned(run: Epochs, epochs: int, weights: Shares, judges: Sequence[Pieces], *, stretch: bool, progress: bool) -> Epochs:
    """So many epochs, judged and told of where that was asked for."""
    beyond = None
    for number in range(1, epochs + 1):
        with Patience(_shown(run, number, epochs), len(run.partitions)) as patience:
            run, beyond = _one_epoch(run, beyond, weights, patience, stretch=stretch)
        if judges:
            run = replace(run, errors=(*run.errors, mixed_error(run, judges)))
        if progress:
            print(_told(run, number, epochs), file=sys.stderr)
    return run


def _checked(rule: LinearRule, epochs: int, map: OrderedMap, *, unproved: bool) -> LinearRule:
    checked(rule)
    if not callable(map):
        raise InvalidParameter(f"map is {map!r}; expected a map, such as ls.threads(2)")
    if isinstance(epochs, bool) or not isinstance(epochs, int) or epochs < 1:
        raise InvalidParameter(f"epochs is {epochs!r}; epochs must be a whole number, at least 1")
    check_mixable(rule, unproved=flag("unproved", unproved))
    return rule


def _partitions(partitions: Iterable[Partition], label: str | None, weights: Shares) -> tuple[Pieces, ...]:
    if isinstance(partitions, str | os.PathLike):
        raise InvalidParameter(f"partitions is {str(partitions)!r}; expected several, or a list of one: [{str(partitions)!r}]")
    listed = several(partitions, "partitions", "several, such as a list of paths")
    if isinstance(partitions, tuple) and [getattr(part, "ndim", 0) for part in listed] == [2, 1]:
        raise InvalidParameter("partitions is a pair of rows and outcomes; expected several, or a list of one: [(X, y)]")
    parts = tuple(pieces_of(partition, label) for partition in listed)
    if not parts:
        raise InvalidParameter("partitions is empty; there must be at least one")
    checked_shares(weights, len(parts))
    return parts


def _one_epoch(
    run: Epochs, beyond: Beyond | None, weights: Shares, patience: Patience, *, stretch: bool
) -> tuple[Epochs, Beyond | None]:
    """An epoch more, begun beyond the mixture of the one before; and where the next one may begin."""
    begun = _begun(run.learner, beyond)
    mixer = Mixer(len(run.partitions), weights, word="partition", origin=begun if stretch else None)
    for done, learner in enumerate(results_of(run.map, learned_again, begun, run.partitions, run), start=1):
        mixer.add(learner)
        patience.done(done)
    mixture, ledgers, shares, further = mixer.done()
    before = run.reaches if beyond is None else (*run.reaches[:-1], beyond.reach)
    return (
        replace(
            run,
            learner=_continued(run.learner, mixture),
            ledgers=(*run.ledgers, ledgers),
            shares=(*run.shares, shares),
            reaches=(*before, 1.0),
        ),
        further,
    )


def _shown(run: Epochs, number: int, epochs: int) -> str:
    """What stands beside the bar of an epoch: how the one before did."""
    words = f"epoch {number} of {epochs}, {counted(len(run.partitions), 'partition')}"
    if run.ledgers and run.rule.abilities.named:
        words += f": {counted(sum(ledger.mistakes for ledger in run.ledgers[-1]), 'mistake')} before it"
    return words + (f", mixed error {run.errors[-1]:.4g}" if run.errors else "")


def _told(run: Epochs, number: int, epochs: int) -> str:
    """The line after an epoch."""
    words = f"epoch {number} of {epochs}, {counted(len(run.partitions), 'partition')}: {merge(run.ledgers[-1])}"
    return words + (f", mixed error {run.errors[-1]:.4g}" if run.errors else "")


def mixed_error(run: Epochs, judges: Sequence[Pieces]) -> float:
    """The rate of wrong labels of the mixture over these rows, or its mean absolute error; of one class, the rate outside."""
    others = [judged_by(Shard(run.learner, part)) for part in judges] if judges is not run.partitions else []
    found = others or run.work(judged_by, run.learner)
    rows = sum(judged.rows for judged in found)
    if others and not rows:
        raise InvalidData("test has no rows; expected at least one, or leave test out")
    return sum(judged.wrong for judged in found) / rows if rows else 0.0


def _begun(mixed: Learner, beyond: Beyond | None) -> Learner:
    """A learner that goes on from the mixed weights, or beyond them, with a ledger of its own."""
    snapshot = mixed.snapshot()
    fresh = snapshot.average and Average.of(0)
    state = snapshot.state if beyond is None else beyond.state
    return Learner.restored(replace(snapshot, state=state, totals=Totals().parts(), average=fresh), copy=False)


def _continued(before: Learner, new: Snapshot) -> Learner:
    """The mixture of an epoch with the ledgers and sums of the epochs before."""
    old = before.snapshot(copy=False)
    totals = Totals.from_parts(dict(old.totals))
    totals.merge(Totals.from_parts(dict(new.totals)))
    if old.average is not None and new.average is not None and old.state is not None:
        new.average.include(old.average, old.state)
    passes = old.passes + (1 if before.ledger.rounds else 0)
    return Learner.restored(replace(new, totals=totals.parts(), passes=passes), copy=False)


def _labels(parts: Sequence[Pieces], rule: LinearRule, map: OrderedMap) -> tuple[Label, ...] | None:
    """The labels of all partitions, in their order, as one learner of the whole stream would number them."""
    if not rule.abilities.named or rule.abilities.alone:
        return None
    met: dict[Label, None] = {}
    pair = Labels()
    for number, found in enumerate(results_of(map, labels_in, Learner(rule), parts, None)):
        met |= dict.fromkeys(found)
        if not rule.abilities.classes:
            pair = _placed(pair, found, number, parts[number])
    if rule.abilities.classes:
        return tuple(met)
    return None if None in pair.known() else pair.known()


def _placed(pair: Labels, found: Sequence[Label], number: int, part: Pieces) -> Labels:
    try:
        for label in found:
            pair = pair.placed(label)
    except InvalidData as error:
        words = str(error).removeprefix("row 0: ")
        raise InvalidPartition(f"partition {number}{place_of(part)}: {words}", number, None) from None
    return pair
