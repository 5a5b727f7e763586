"""`littlestone learn`: files in, a model, predictions, certificates and a report out."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, final

from littlestone import outputs
from littlestone.cli.imports import meanwhile
from littlestone.cli.output import LEARNER, PREDICTIONS, ReportOptions, Target
from littlestone.cli.passes import Course, PassPlan, Watcher, check_labelled, learn_passes
from littlestone.cli.progress import Progress
from littlestone.cli.reading import as_flags
from littlestone.cli.text import put, say, say_proof
from littlestone.errors import InvalidData
from littlestone.streams.files import Portion, Reader
from littlestone.streams.formats import listed

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.cli.task import Decided
    from littlestone.columns import KeptColumns
    from littlestone.learner import Learner
    from littlestone.ledger import Ledger
    from littlestone.report.confusion import Confusion
    from littlestone.report.curves import Recorder
    from littlestone.report.study import Study
    from littlestone.state import State
    from littlestone.theory import Certificate

_SHOWN = 3
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
        files = ["-" if reader.source.path is None else str(reader.source.path) for reader in readers]
        model = Target("--model", self.model, LEARNER, instead_of=self.initial)
        predictions = Target("--predictions", None if self.predictions == "-" else self.predictions, PREDICTIONS)
        self.wanted.check([*files, *([] if self.initial is None else [self.initial])], model, predictions)


@final
class Curve:
    """The ledger at many moments, or at none where nobody wants to see them."""

    def __init__(self, learner: Learner, *, wanted: bool) -> None:
        self._learner, self._recorder = learner, _recorder() if wanted else None
        self._accounts: dict[int, Mapping[str, FloatArray]] = {}
        self.confusion = _confusion() if wanted else None
        """What was shown for what in the first pass."""

    def note(self, ledger: Ledger) -> None:
        """The ledger at this moment."""
        if self._recorder is not None:
            self._recorder.note(ledger)
            self._accounts[ledger.rounds] = _accounts_of(self._learner.state)

    @property
    def wanted(self) -> bool:
        """Whether anybody wants to see them."""
        return self._recorder is not None

    @property
    def ledgers(self) -> Sequence[Ledger]:
        """What was kept."""
        return [] if self._recorder is None else self._recorder.ledgers

    @property
    def accounts(self) -> Mapping[int, Mapping[str, FloatArray]]:
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


def _accounts_of(state: State) -> Mapping[str, FloatArray]:
    from littlestone.report.pool import accounts_of

    return accounts_of(state)


def _recorder() -> Recorder:
    from littlestone.report.curves import Recorder

    return Recorder()


def _confusion() -> Confusion:
    from littlestone.report.confusion import Confusion

    return Confusion()


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
    certificates, skipped = list(found.certificates), sum(reader.skipped for reader in readers)
    if output.as_json:
        from littlestone.cli.machine import print_json

        print_json(_summary(learner, certificates, course, skipped))
    elif not output.quiet:
        _print(learner, readers, certificates, course, skipped, compared=against is not None)
    elif output.certify:
        _print_proof(certificates)
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


def _print(
    learner: Learner,
    readers: list[Reader],
    certificates: list[Certificate],
    course: Course,
    skipped: int,
    *,
    compared: bool,
) -> None:
    _print_course(learner, course)
    for reader in readers:
        for bad in reader.bad_lines[:_SHOWN]:
            say(f"skipped: {bad}", err=True, colour="yellow")
    if skipped:
        say(f"{skipped:,} malformed {'line' if skipped == 1 else 'lines'} skipped", err=True, colour="yellow")
    if learner.ledger.missing:
        gone = "missing value was" if learner.ledger.missing == 1 else "missing values were"
        say(f"{learner.ledger.missing:,} {gone} left out; --missing error refuses them", err=True, colour="yellow")
    if learner.advice is not None:
        say(as_flags(learner.advice), err=True, colour="yellow")
    _print_dates(learner, readers)
    if certificates or compared:
        _print_proof(certificates)
    elif sys.stderr.isatty():
        say("--certify says what can be proved of this run.", err=True, dim=True)


def _print_dates(learner: Learner, readers: list[Reader]) -> None:
    """Which columns were taken for dates though nobody said so, neither now nor by the model that goes on."""
    held = {} if learner.recipe is None else learner.recipe.columns
    recipes = [reader.options.recipe.columns for reader in readers if reader.options.recipe is not None]
    said = frozenset[str]().union(*(reader.options.date for reader in readers), *recipes)
    dates = [name for name, kind in held.items() if kind == "date" and name not in said]
    if dates:
        say(f"{listed(dates)} taken as dates; --categorical or --ignore takes them otherwise", err=True, dim=True)


def _print_proof(certificates: list[Certificate]) -> None:
    say_proof(certificates, most=_SHOWN, every=False, hint="`littlestone certify --all` shows them")


def _print_course(learner: Learner, course: Course) -> None:
    """The progressive error is that of the first pass: later ones meet rows that were learned before."""
    first = course.first or learner.ledger
    say(f"{first}, {course.seconds:.2f} s" if course.done == 1 else f"first pass: {first}")
    if learner.rule.abilities.alone:
        say(f"{first.mistakes:,} of {first.rounds:,} rows were outside when they came ({first.mistake_rate:.2%})")
    _print_baselines(first)
    if course.done > 1:
        say(f"all {course.done} passes, the later ones over rows learned before: {learner.ledger}, {course.seconds:.2f} s")
    for number, held in enumerate(course.held, start=1):
        measure = f"MAE {held.mean:.6g}" if first.targets else f"error {held.mean:.2%}"
        say(f"held out in pass {number}: {held.rows:,} rows, {measure}")


def _print_baselines(ledger: Ledger) -> None:
    """What those would have had who learn nothing, beside the error of what was shown."""
    if not ledger.baselines:
        return
    if ledger.targets:
        own, beside = f"MAE {ledger.mae:.6g}", ", ".join(f"{name} {error:.6g}" for name, error in ledger.baselines.items())
    else:
        own = f"error {ledger.error_rate:.2%}"
        beside = ", ".join(f"{name} {rate:.2%}" for name, rate in ledger.baselines.items())
    ties = ledger.mistakes - ledger.shown_errors
    were = "mistake of the theory was a tie" if ties == 1 else "mistakes of the theory were ties"
    note = f" ({ties:,} {were}, shown right)" if ties > 0 and not ledger.targets else ""
    say(f"{own}{note}; {beside}")


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
    lead = f"{learner.rule!r}{seen} over {learner.ledger.rounds:,} rounds from {', '.join(names)}."
    if against == "average" and found.comparators:
        which = "weights at the end of the run" if learner.rule.abilities.classes else "mean of the weights over the run"
        lead += f" The theorems that compare are given the {which}, each at the scale that suits it."
    section = linear_section(found, title=f"{learner.rule.name()} on {Path(names[0]).name}", lead=lead)
    wanted.write([section], ["-" if reader.source.path is None else str(reader.source.path) for reader in readers])


def _measures(ledger: Ledger, *, alone: bool) -> dict[str, object]:
    """What a practitioner looks at first, beside those who learn nothing."""
    if alone:
        return {"outside": ledger.mistake_rate}
    if not ledger.targets:
        return {"error": ledger.error_rate, "baselines": ledger.baselines}
    explained = None if math.isnan(ledger.r_squared) else ledger.r_squared
    return {"mae": ledger.mae, "rmse": ledger.rmse, "r_squared": explained, "baselines": ledger.baselines}


def _summary(learner: Learner, certificates: list[Certificate], course: Course, skipped: int) -> dict[str, object]:
    return {
        "rule": learner.rule.name(),
        "ledger": learner.ledger.to_dict(),
        "measures": _measures(course.first or learner.ledger, alone=learner.rule.abilities.alone),
        "held_out": [{"rows": held.rows, "error": held.mean} for held in course.held],
        "passes": course.done,
        "seconds": course.seconds,
        "skipped": skipped,
        "certificates": [certificate.to_dict() for certificate in certificates],
    }
