"""`littlestone learn --workers`: the files in partitions, learned at once by threads and mixed after every epoch."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, final

from littlestone.cli.learn import check_rows
from littlestone.cli.machine import print_json
from littlestone.cli.text import say, say_proof
from littlestone.columns import counted
from littlestone.epochs import Epochs, epochs
from littlestone.workers import threads

if TYPE_CHECKING:
    from littlestone.cli.learn import Output
    from littlestone.rule import LinearRule
    from littlestone.snapshots import Missing
    from littlestone.streams.files import Reader
    from littlestone.theory import Certificate

_SHOWN = 3


@final
class Team(NamedTuple):
    """How many work at once, how often every row is learned, and whether what no theorem carries is mixed all the same."""

    workers: int
    epochs: int
    unproved: bool


@final
class EpochsOutput(NamedTuple):
    """What is to be done beside learning."""

    missing: Missing
    average: bool
    certify: bool
    iid: bool


def learn_in_epochs(rule: LinearRule, readers: list[Reader], team: Team, asked: EpochsOutput, output: Output) -> None:
    """Learns the files in as many partitions as there are workers, or files if there are more of them."""
    output.check(readers)
    begin = time.perf_counter()
    parts = _partitions(readers, team.workers)
    run = epochs(
        [part for _, part in parts],
        rule,
        epochs=team.epochs,
        map=threads(team.workers),
        missing=asked.missing,
        average=asked.average,
        unproved=team.unproved,
        progress=not output.quiet,
    )
    seconds = time.perf_counter() - begin
    check_rows(run.learner, readers)
    if output.model is not None:
        run.learner.save(output.model)
    certificates = _certificates(run, asked)
    if output.as_json:
        print_json(_summary(run, certificates, seconds))
    elif not output.quiet:
        first = run.progress[0]
        words = f"{counted(len(parts), 'partition')}, {counted(len(run.ledgers), 'epoch')}"
        say(f"{words}, {seconds:.2f} s; first epoch: {first}")
    if certificates and not output.as_json and (output.certify or not output.quiet):
        say_proof(certificates, most=_SHOWN, every=False, hint="--json has them all")
    if output.wanted:
        from littlestone.report.shards import shards_section

        names = [name for name, _ in parts]
        title = f"{rule.name()} on {Path(readers[0].source.name).name}"
        section = shards_section(run, names, title=title, certificates=certificates)
        output.wanted.write([section], [str(reader.source.path) for reader in readers])


def _partitions(readers: list[Reader], workers: int) -> list[tuple[str, Reader]]:
    """The files, each cut into pieces where there are fewer of them than workers."""
    each = -(-workers // len(readers))
    if each == 1:
        return [(Path(reader.source.name).name, reader) for reader in readers]
    return [
        (f"{Path(reader.source.name).name}, piece {k}", piece)
        for reader in readers
        for k, piece in enumerate(reader.pieces(each), start=1)
    ]


def _certificates(run: Epochs, asked: EpochsOutput) -> list[Certificate]:
    risk = [run.risk_bound()] if asked.iid and run.rule.abilities.named else []
    return [*risk, *(run.certify(run.learner.state.w) if asked.certify else [])]


def _summary(run: Epochs, certificates: list[Certificate], seconds: float) -> dict[str, object]:
    return {
        "rule": run.rule.name(),
        "partitions": len(run.partitions),
        "epochs": [ledger.to_dict() for ledger in run.progress],
        "shards": [[ledger.to_dict() for ledger in epoch] for epoch in run.ledgers],
        "mixed_errors": list(run.errors),
        "ledger": run.learner.ledger.to_dict(),
        "seconds": seconds,
        "certificates": [certificate.to_dict() for certificate in certificates],
    }
