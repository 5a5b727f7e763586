"""`littlestone journal`: verifies, prints and exports a journal, and asks what another rule would have made of it."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

from littlestone.cli.machine import print_json
from littlestone.cli.text import say, say_proof
from littlestone.columns import counted
from littlestone.errors import InvalidData, NotApplicable

if TYPE_CHECKING:
    from littlestone.outcomes import OutcomesLike
    from littlestone.rule import LinearRule
    from littlestone.run import Run
    from littlestone.serve.entries import Row
    from littlestone.serve.history import JournalHistory, Round
    from littlestone.streams.space import Table
    from littlestone.theory.certificate import Certificate

_SHOWN = 5


def history_of(data: str, model: str) -> JournalHistory:
    """The history of a model.

    Raises:
        NotApplicable: if there is none, or a package is missing.
    """
    try:
        from littlestone.serve.folder import models_in
        from littlestone.serve.history import JournalHistory
    except ModuleNotFoundError as error:
        raise NotApplicable(f"{error.name} is not installed; a journal needs it: pip install littlestone[serve]") from None
    known = models_in(Path(data))
    if known and model not in known:
        raise NotApplicable(f"{data} has no model {model!r}; it has {', '.join(known)}: choose one by --name")
    return JournalHistory.of(Path(data) / model)


def print_records(history: JournalHistory) -> None:
    """A line of JSON for each record."""
    import msgspec

    for sequence, time, _, entry in history.entries():
        told = {"sequence": sequence, "time": _moment(time), "entry": type(entry).__name__} | msgspec.structs.asdict(entry)
        sys.stdout.write(msgspec.json.encode(told).decode() + "\n")


def export_rounds(history: JournalHistory, path: str, label: str) -> None:
    """Writes the rounds as JSON lines that `littlestone learn` reads, in the order in which they were learned.

    Raises:
        InvalidData: if a feature has the name that the label is to have, or a weight is not 1.
    """
    from littlestone import outputs

    count = 0
    with outputs.replacing(path) as file:
        for each in history.rounds(history.host()):
            file.write(_line(each, label))
            count += 1
    say(f"{count:,} rounds in {path}; learn them with: littlestone learn {path} --label {label}", err=True)


def _line(each: Round, label: str) -> bytes:
    row = each.row if isinstance(each.row, dict) else {str(k): value for k, value in enumerate(each.row)}
    if label in row:
        raise InvalidData(f"record {each.sequence}: a feature is named {label!r}; choose another key by --label")
    if each.weight != 1.0:
        raise InvalidData(f"record {each.sequence} has the weight {each.weight:g}; JSON lines have no place for it")
    told = row if each.label is None else {**row, label: each.label}
    return json.dumps(told, ensure_ascii=False).encode() + b"\n"


def summarise(history: JournalHistory, *, as_json: bool) -> None:
    """Verifies every record and says what there is."""
    host = history.host()
    learned = sum(1 for _ in history.rounds(host))
    facts: dict[str, object] = {
        "folder": str(history.folder.path),
        "segments": history.segments,
        "snapshots": history.folder.snapshots(),
        "first record": history.start + 1,
        "last record": host.sequence,
        "began": None if history.first is None else _moment(history.first),
        "ended": None if history.first is None else _moment(host.time),
        "records": dict(history.kinds),
        "rounds": learned,
        "torn tail": history.cut,
        "rule": host.live.rule,
        "ledger": dict(host.live.ledger()),
        "waiting": host.book.waiting,
    }
    if as_json:
        print_json(facts)
        return
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in history.kinds.items())
    span = f"records {history.start + 1:,} to {host.sequence:,}, all sound: {kinds}"
    say(span if kinds else "no records since the oldest snapshot")
    say(f"{counted(history.segments, 'segment')}, snapshots after {', '.join(f'{n:,}' for n in history.folder.snapshots())}")
    if history.first is not None:
        say(f"from {_moment(history.first)} to {_moment(host.time)}")
    if history.cut is not None:
        say(f"{history.cut} ends in a torn record, of which nobody was told", colour="yellow")
    rounds, mistakes = host.live.counts()
    seen = f"{counted(rounds, 'round')}, {counted(mistakes, 'mistake')}"
    say(f"{host.live.rule}: {seen}; waiting for a label: {host.book.waiting:,}")


def what_if(history: JournalHistory, rule: LinearRule, *, as_json: bool) -> None:
    """Runs the stream by its own rule and by another, both from nothing, and says what can be proved of each."""
    from littlestone.serve.models import ServedLearner

    host = history.host()
    if not isinstance(host.live, ServedLearner):
        raise NotApplicable("the model is not a learner of one rule; there is nothing to put another rule in place of")
    own = host.live.learner.rule
    rounds = list(history.rounds(host))
    if not rounds:
        raise NotApplicable("the journal has no rounds since the oldest snapshot; serve with --keep-journal to keep them")
    runs = {"as it was": _run(own, rounds), "what if": _run(rule, rounds)}
    if as_json:
        print_json({name: _facts(run) for name, run in runs.items()})
        return
    if history.start:
        say(f"Records 1 to {history.start:,} are gone; both begin with record {history.start + 1:,} and nothing.", err=True)
    for name, run in runs.items():
        say(f"{name}: {run.rule!r}", bold=True)
        say(f"{run.ledger}")
        say_proof(_proof(run), most=_SHOWN, every=False, hint="they need more than a journal has")


def _run(rule: LinearRule, rounds: Sequence[Round]) -> Run:
    from littlestone.run import run
    from littlestone.streams.intervals import NO_OUTCOME

    rows: list[Row] = [each.row for each in rounds]
    labels = [each.label for each in rounds]
    outcomes = NO_OUTCOME if rule.abilities.alone else cast("OutcomesLike", labels)
    weights = [each.weight for each in rounds]
    given = None if all(weight == 1.0 for weight in weights) else weights
    return run(rule, cast("Table", rows), outcomes, weights=given)


def _proof(run: Run) -> list[Certificate]:
    """Against the best of its space, which is solved for with the rows in memory; of many classes there is no solver."""
    return run.certify(against="best" if run.rule.proofs().solves else None)


def _facts(run: Run) -> dict[str, object]:
    certificates = [certificate.to_dict() for certificate in _proof(run)]
    return {"rule": repr(run.rule), "ledger": run.ledger.to_dict(), "certificates": certificates}


def _moment(time: int) -> str:
    return datetime.fromtimestamp(time / 1e6, UTC).isoformat(timespec="milliseconds")
