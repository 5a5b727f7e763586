"""`littlestone learn`: files in, a model, predictions, certificates and a report out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, final

import numpy as np

from littlestone.cli.machine import print_json
from littlestone.cli.output import Wanted, check_writable
from littlestone.cli.progress import Progress
from littlestone.cli.text import say, say_certificates
from littlestone.learner import Learner
from littlestone.streams.files import Reader

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.ledger import Ledger
    from littlestone.theory import Certificate

_SHOWN = 3


@final
@dataclass(frozen=True)
class Output:
    """What a run leaves behind."""

    model: str | None
    predictions: str | None
    wanted: Wanted
    as_json: bool
    quiet: bool

    def check(self) -> None:
        """Refuses now what would fail after the run."""
        self.wanted.check()
        check_writable(self.model)
        check_writable(self.predictions)


@final
class Curve:
    """The ledger at many moments, or at none where nobody wants to see them."""

    def __init__(self, *, wanted: bool) -> None:
        from littlestone.report.curves import Recorder

        self._recorder = Recorder() if wanted else None

    def note(self, ledger: Ledger) -> None:
        """The ledger at this moment."""
        if self._recorder is not None:
            self._recorder.note(ledger)

    @property
    def ledgers(self) -> Sequence[Ledger]:
        """What was kept."""
        return [] if self._recorder is None else self._recorder.ledgers


@final
@dataclass(frozen=True, eq=False)
class Compared:
    """Certificates, and the comparator they rest on with its ledger at the moments of the curve."""

    certificates: list[Certificate]
    u: FloatArray | None = None
    curve: Sequence[Ledger] = ()


def learn(learner: Learner, readers: list[Reader], *, passes: int, compare: bool, iid: bool, output: Output) -> None:
    """Learns the files in order, as many times as there are passes, and says what came of it."""
    output.check()
    curve = Curve(wanted=bool(output.wanted))
    with Progress(readers, passes, labels="labels" in learner.rule.learns(), quiet=output.quiet) as progress:
        begin = time.perf_counter()
        done = _learn_passes(learner, readers, passes, progress, curve, output.predictions)
        seconds = time.perf_counter() - begin
        progress.after(learner.ledger, last=True)
    if output.model is not None:
        learner.save(output.model)
    found = _compared(learner, readers, done, compare=compare, iid=iid, curve=curve)
    skipped = sum(reader.skipped for reader in readers)
    if output.as_json:
        print_json(_summary(learner, found.certificates, seconds, done, skipped))
    elif not output.quiet:
        _print(learner, readers, found.certificates, seconds, skipped)
    if output.wanted:
        _write(learner, readers, found, curve, output.wanted, iid=iid)


def _print(learner: Learner, readers: list[Reader], certificates: list[Certificate], seconds: float, skipped: int) -> None:
    say(f"{learner.ledger}, {seconds:.2f} s")
    for reader in readers:
        for bad in reader.bad_lines[:_SHOWN]:
            say(f"skipped: {bad}", err=True, colour="yellow")
    if skipped:
        say(f"{skipped:,} malformed lines skipped", err=True, colour="yellow")
    say_certificates(certificates[:_SHOWN])


def _learn_passes(
    learner: Learner, readers: list[Reader], passes: int, progress: Progress, curve: Curve, predictions: str | None
) -> int:
    """Learns until the passes are done or one makes no update; returns how many there were."""
    keep = () if predictions is None else ("score",)
    with _writing(predictions) as file:
        for done in range(1, passes + 1):
            before = learner.ledger.updates
            for reader in readers:
                for X, y in reader:
                    columns = learner.learn_many(X, y, keep=keep)
                    ledger = learner.ledger
                    progress.after(ledger)
                    curve.note(ledger)
                    if file is not None and done == 1:
                        write_predictions(file, learner, columns["score"].astype(np.float64))
            if learner.ledger.updates == before:
                return done
    return passes


def write_predictions(file: IO[str], learner: Learner, scores: FloatArray) -> None:
    """A line a row: the label and the score, or the score alone where the learner learns targets."""
    if "labels" not in learner.rule.learns():
        file.writelines(f"{score:.9g}\n" for score in scores)
        return
    labels = learner.label_values(np.where(scores < 0, -1, 1).astype(np.int8))
    shown = (f"{label:g}" if isinstance(label, float) else str(label) for label in labels.tolist())
    file.writelines(f"{label}\t{score:.9g}\n" for label, score in zip(shown, scores.tolist(), strict=True))


@contextmanager
def _writing(path: str | None) -> Iterator[IO[str] | None]:
    if path is None:
        yield None
        return
    with Path(path).open("w", encoding="utf-8") as file:
        yield file


def _compared(learner: Learner, readers: list[Reader], passes: int, *, compare: bool, iid: bool, curve: Curve) -> Compared:
    """The risk bound where the rows were declared i.i.d., and what can be proved against the averaged weights."""
    risk = [learner.ledger.risk_bound()] if iid and passes == 1 and "labels" in learner.rule.learns() else []
    if not compare or learner.ledger.rounds == 0:
        return Compared(risk)
    from littlestone.theory import Comparison, certify

    mean = learner.averaged().state.w
    fixed, its_curve = learner.with_weights(mean), Curve(wanted=bool(curve.ledgers))
    for _ in range(passes):
        for reader in readers:
            for X, y in reader:
                fixed.learn_many(X, y)
                its_curve.note(fixed.ledger)
    return Compared(risk + certify(learner, against=Comparison(mean, fixed.ledger)), mean, its_curve.ledgers)


def _write(learner: Learner, readers: list[Reader], found: Compared, curve: Curve, wanted: Wanted, *, iid: bool) -> None:
    from littlestone.report.linear import Comparator, Study, linear_section

    comparators = {}
    if found.u is not None and len(found.curve) == len(curve.ledgers):
        comparators = {certificate.id: Comparator(found.u, found.curve) for certificate in found.certificates}
    names = [reader.source.name for reader in readers]
    study = Study(learner, curve.ledgers, found.certificates, comparators, iid)
    lead = f"{learner.rule!r} over {learner.ledger.rounds:,} rounds from {', '.join(names)}."
    if found.u is not None:
        lead += " The theorems that compare are given the mean of the weights over the run."
    section = linear_section(study, title=f"{learner.rule.name()} on {Path(names[0]).name}", lead=lead)
    wanted.write([section], ["-" if reader.source.path is None else str(reader.source.path) for reader in readers])


def _summary(learner: Learner, certificates: list[Certificate], seconds: float, passes: int, skipped: int) -> dict[str, object]:
    return {
        "rule": learner.rule.name(),
        "ledger": learner.ledger.to_dict(),
        "passes": passes,
        "seconds": seconds,
        "skipped": skipped,
        "certificates": [certificate.to_dict() for certificate in certificates],
    }
