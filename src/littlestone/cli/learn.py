"""`littlestone learn`: files in, a model, predictions, certificates and a report out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, final

from littlestone import outputs
from littlestone.cli.ending import print_proof, print_run, summary
from littlestone.cli.imports import meanwhile
from littlestone.cli.output import LEARNER, PREDICTIONS, ReportOptions, Target
from littlestone.cli.passes import Course, PassPlan, Watcher, check_labelled, learn_passes
from littlestone.cli.progress import Progress
from littlestone.cli.reading import typed_files
from littlestone.cli.text import put
from littlestone.columns import counted
from littlestone.errors import InvalidData
from littlestone.streams.files import Portion, Reader

if TYPE_CHECKING:
    from littlestone.cli.task import Decided
    from littlestone.columns import KeptColumns
    from littlestone.learner import Learner
    from littlestone.ledger import Ledger
    from littlestone.report.confusion import Confusion
    from littlestone.report.curves import Recorder
    from littlestone.report.study import Study

_IN_THE_END = ("theory.pool", "theory.paired", "theory.generalization", "theory.plain", "report.study")
"""What the certificates of a pool are made of."""


@final
class Output(NamedTuple):
    """What a run leaves behind."""

    model: str | None
    predictions: str | None
    wanted: ReportOptions
    as_json: bool
    quiet: bool
    initial: str | None = None
    """The model that the run goes on from, which may be replaced by what comes of it."""
    certify: bool = False
    """Whether certificates were asked for, so that they are printed in any case."""

    def check(self, readers: list[Reader]) -> None:
        """Refuses now what would fail after the run."""
        files = typed_files(readers)
        model = Target("--model", self.model, LEARNER, instead_of=self.initial)
        predictions = Target("--predictions", None if self.predictions == "-" else self.predictions, PREDICTIONS)
        self.wanted.check([*files, *([] if self.initial is None else [self.initial])], model, predictions)


@final
class Curve:
    """The ledger at many moments, or at none where nobody wants to see them."""

    def __init__(self, learner: Learner, *, wanted: bool) -> None:
        self._learner = learner
        self._recorder: Recorder | None = None
        self._accounts: dict[int, Mapping[str, list[float]]] = {}
        self.confusion: Confusion | None = None
        """What was shown for what in the first pass."""
        if wanted:
            from littlestone.report.confusion import Confusion
            from littlestone.report.curves import Recorder

            self._recorder, self.confusion = Recorder(), Confusion()

    def note(self, ledger: Ledger) -> None:
        """The ledger at this moment."""
        if self._recorder is not None:
            from littlestone.report.pool import accounts_of

            self._recorder.note(ledger)
            self._accounts[ledger.rounds] = accounts_of(self._learner.state)

    @property
    def wanted(self) -> bool:
        """Whether anybody wants to see them."""
        return self._recorder is not None

    @property
    def ledgers(self) -> Sequence[Ledger]:
        """What was kept."""
        return [] if self._recorder is None else self._recorder.ledgers

    @property
    def accounts(self) -> Mapping[int, Mapping[str, list[float]]]:
        """What the experts of a pool had at those moments."""
        return {ledger.rounds: self._accounts[ledger.rounds] for ledger in self.ledgers if ledger.rounds in self._accounts}


@final
class Watchers(NamedTuple):
    """Those who want to know of every chunk."""

    progress: Progress
    curve: Curve

    def due(self, rounds: int) -> bool:
        """A chunk was learned; whether somebody wants to see the ledger."""
        return self.progress.due(rounds) or self.curve.wanted

    def after(self, ledger: Ledger) -> None:
        """Shows it."""
        self.progress.after(ledger)
        self.curve.note(ledger)


def _check_files(readers: list[Reader]) -> None:
    """Refuses a file that is not there before any other is learned."""
    for reader in readers:
        if reader.source.path is not None and not reader.source.path.exists():
            raise InvalidData(f"{reader.source.name} cannot be read: there is no such file")


def check_rows(learner: Learner, readers: list[Reader]) -> None:
    """Refuses files without a row before a model is written of nothing."""
    if learner.ledger.rounds == 0:
        names = ", ".join(reader.source.name for reader in readers)
        raise InvalidData(f"there is no row to learn from in {names}; expected one example per line")


def learn(
    learner: Learner,
    readers: list[Reader],
    *,
    plan: PassPlan,
    against: str | None,
    iid: bool,
    output: Output,
    decided: Decided | None = None,
    interval: float | None = None,
) -> None:
    """Learns the files in order, as many times as there are passes, and says what came of it."""
    _check(learner, readers, against, output)
    if decided is not None and not output.quiet:
        decided.say()
    if interval is not None:
        from littlestone.cli.intervals import learn_intervals

        learn_intervals(learner, interval, readers, output)
        return
    curve = Curve(learner, wanted=bool(output.wanted))
    course = _learn(learner, readers, plan, output, curve, decided)
    check_rows(learner, readers)
    if output.model is not None:
        learner.save(output.model)
    found = _compared(learner, readers, course.done, against=against, iid=iid, curve=curve)
    certificates = list(found.certificates)
    if output.as_json:
        from littlestone.cli.machine import print_json

        print_json(summary(learner, readers, certificates, course))
    elif not output.quiet:
        print_run(learner, readers, certificates, course, compared=against is not None)
    elif output.certify:
        print_proof(certificates)
    if output.wanted:
        from dataclasses import replace

        _write(replace(found, confusion=curve.confusion), readers, against, output.wanted)


def _check(learner: Learner, readers: list[Reader], against: str | None, output: Output) -> None:
    """Refuses what would fail after the work, or half-way."""
    output.check(readers)
    _check_files(readers)
    if against is not None and learner.rule.abilities.compares:
        from littlestone.theory.streaming import check_comparator

        check_comparator(learner, against)


def _learn(
    learner: Learner, readers: list[Reader], plan: PassPlan, output: Output, curve: Curve, decided: Decided | None
) -> Course:
    """The passes, with all who watch them."""
    labels, spoken = learner.rule.abilities.named, output.predictions == "-"
    if not learner.rule.abilities.compares:
        meanwhile(*(f"littlestone.{name}" for name in _IN_THE_END))
    with (
        Progress(readers, plan.passes, labels=labels, quiet=output.quiet) as progress,
        nullcontext() if output.predictions is None or spoken else outputs.replacing(output.predictions) as file,
    ):
        watched = Watchers(progress, curve)
        shown = ShownRows(learner, file, spoken, curve.confusion if labels else None)
        watcher = Watcher(
            partial(_check_piece, learner, decided),
            watched.due,
            watched.after,
            shown.note if shown else None,
            partial(_save, learner, output),
        )
        course = learn_passes(learner, readers, plan, watcher)
        progress.after(learner.ledger, last=True)
    return course


def _check_piece(learner: Learner, decided: Decided | None, reader: Reader, piece: Portion, number: int) -> None:
    """Refuses outcomes that are not there, or contradict what was decided; a rule of one class has none."""
    if not learner.rule.abilities.alone:
        check_labelled(reader, piece, number)
    if decided is not None:
        decided.check(piece.y)


@final
class ShownRows(NamedTuple):
    """Those who want to know what was predicted in the first pass: a file, standard output, a table of counts."""

    learner: Learner
    file: BinaryIO | None
    spoken: bool
    confusion: Confusion | None

    def __bool__(self) -> bool:
        return self.file is not None or self.spoken or self.confusion is not None

    def note(self, columns: KeptColumns, piece: Portion) -> None:
        """Rows were learned; whoever reads their predictions from standard output has them at once."""
        from littlestone.cli.lines import progressive_lines

        if self.file is not None:
            self.file.writelines(line.encode() for line in progressive_lines(self.learner, columns, piece.X))
        if self.spoken:
            put(progressive_lines(self.learner, columns, piece.X))
        if self.confusion is not None:
            self.confusion.note(self.learner.label_values(columns["prediction"]).tolist(), piece.y.array.tolist())


def _save(learner: Learner, output: Output) -> None:
    if output.model is not None:
        learner.save(output.model)


def _compared(learner: Learner, readers: list[Reader], passes: int, *, against: str | None, iid: bool, curve: Curve) -> Study:
    """The risk bound where the rows were declared i.i.d., and what can be proved against the comparator."""
    from littlestone.report.study import Study

    risk = [learner.ledger.risk_bound()] if iid and passes == 1 and learner.rule.abilities.named else []
    if not learner.rule.abilities.compares and learner.ledger.rounds > 0:
        from littlestone.theory.pool import pool_certificates

        return Study(learner, curve.ledgers, [*risk, *pool_certificates(learner)], {}, iid, accounts=curve.accounts)
    if against is None or learner.ledger.rounds == 0:
        return Study(learner, curve.ledgers, risk, {}, iid)
    from littlestone.theory.streaming import beyond_majority

    risk += beyond_majority(learner)
    found = _against_best(learner, readers) if against == "best" else _against_average(learner, readers, passes, curve)
    ledgers = found.curve or curve.ledgers
    # Files that changed between the readings would have other moments.
    rounds = [ledger.rounds for ledger in ledgers]
    sound = all([ledger.rounds for ledger in one.ledgers] == rounds for one in found.comparators.values())
    return Study(learner, ledgers, [*risk, *found.certificates], found.comparators if sound else {}, iid)


def _against_best(learner: Learner, readers: list[Reader]) -> Study:
    """With the rows in memory, the comparator that each theorem wants."""
    from littlestone.report.linear import study
    from littlestone.theory.streaming import as_run

    return study(as_run(learner, readers), "best")


def _against_average(learner: Learner, readers: list[Reader], passes: int, curve: Curve) -> Study:
    """The files are read again by weights of the run."""
    from littlestone.cli.comparing import compared
    from littlestone.report.study import Study
    from littlestone.theory.streaming import yardstick

    u = yardstick(learner)
    if u is None:
        return Study(learner, curve.ledgers, learner.certify())
    return compared(learner, u, readers, passes, curves=bool(curve.ledgers))


def _write(found: Study, readers: list[Reader], against: str | None, wanted: ReportOptions) -> None:
    from littlestone.report.linear import linear_section

    learner = found.learner
    names = [reader.source.name for reader in readers]
    seen = "" if learner.view is None else f" behind {learner.view!r}, which it and the theorems see rows through,"
    lead = f"{learner.rule!r}{seen} over {counted(learner.ledger.rounds, 'round')} from {', '.join(names)}."
    if against == "average" and found.comparators:
        which = "weights at the end of the run" if learner.rule.abilities.classes else "mean of the weights over the run"
        lead += f" The theorems that compare are given the {which}, each at the scale that suits it."
    section = linear_section(found, title=f"{learner.rule.name()} on {Path(names[0]).name}", lead=lead)
    wanted.write([section], typed_files(readers))
