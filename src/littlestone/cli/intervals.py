"""`--interval`: intervals, or sets of labels, around the predictions of a run."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from littlestone import outputs
from littlestone.cli.machine import finite, print_json
from littlestone.cli.text import field, put, say, say_proof
from littlestone.columns import counted
from littlestone.conformal.conformal import Conformal
from littlestone.conformal.run import ConformalRun
from littlestone.conformal.shown import PredictionInterval
from littlestone.errors import InvalidData
from littlestone.learner import Learner
from littlestone.store import kind_of, load

if TYPE_CHECKING:
    from littlestone.cli.learn import Output
    from littlestone.conformal.shown import Shown
    from littlestone.report import Section
    from littlestone.streams.files import Reader


def learner_of(path: str, coverage: float | None) -> Learner:
    """The learner of a model file, which may have intervals around it.

    Raises:
        InvalidData: if it has, and others, or none, were asked for.
    """
    if kind_of(path) != "conformal":
        return load(path)
    kept = load(path, kind=Conformal)
    if coverage != kept.coverage:
        raise InvalidData(f"{path} has intervals that hold {kept.coverage:g}; go on with --interval {kept.coverage:g}")
    if not isinstance(kept.model, Learner):
        raise InvalidData(f"{path} holds intervals around a {type(kept.model).__name__}; expected those of a learner")
    return kept.model


def learn_intervals(learner: Learner, coverage: float, readers: list[Reader], output: Output) -> None:
    """Learns the files once, each row with its interval, and says how many outcomes these held."""
    kept = output.initial is not None and kind_of(output.initial) == "conformal"
    conformal = load(output.initial or "", kind=Conformal) if kept else Conformal(learner, coverage=coverage)
    runs = _learned(conformal, readers, output)
    if output.model is not None:
        conformal.save(output.model)
    model = conformal.model
    assert isinstance(model, Learner)
    if output.as_json:
        rule, ledger = model.rule.name(), model.ledger.to_dict()
        print_json({"rule": rule, "ledger": ledger, "interval": interval_summary(conformal)})
    elif not output.quiet and output.predictions != "-":
        say(str(model.ledger))
        say_intervals(conformal)
    if output.wanted:
        names = [reader.source.name for reader in readers]
        lead = f"{model.rule!r} over {counted(model.ledger.rounds, 'round')} from {', '.join(names)}."
        section = interval_section(ConformalRun.joined(runs), title=f"Intervals of {Path(names[0]).name}", lead=lead)
        output.wanted.write([section], names)


def _learned(conformal: Conformal, readers: list[Reader], output: Output) -> list[ConformalRun]:
    """The runs of all chunks, where a report is wanted.

    Raises:
        InvalidData: if there is no row.
    """
    before, runs = conformal.ledger.rounds, list[ConformalRun]()
    spoken = output.predictions == "-"
    with nullcontext() if output.predictions is None or spoken else outputs.replacing(output.predictions) as file:
        for reader in readers:
            for X, y in reader:
                run = conformal.learn_many(X, y)
                if file is not None:
                    file.writelines(line.encode() for line in run_lines(run))
                elif spoken:
                    put(run_lines(run))
                runs += [run] if output.wanted else []
        if conformal.ledger.rounds == before:
            raise InvalidData("there is no row to learn from; expected one example per line")
    return runs


def say_intervals(of: Conformal | ConformalRun) -> None:
    """How many outcomes the sets held, and what was promised."""
    say(f"asked to hold {1.0 - of.alpha:g}: {of.ledger}")
    say_proof(of.certify(), most=1, every=False, hint="--json shows them")


def interval_summary(of: Conformal | ConformalRun) -> dict[str, object]:
    """The same for machines."""
    ledger = of.ledger
    return {
        "asked": 1.0 - of.alpha,
        "coverage": ledger.coverage,
        "rounds": ledger.rounds,
        "misses": ledger.misses,
        "everything": ledger.everything,
        "nothing": ledger.nothing,
        "mean size": None if math.isnan(ledger.mean_size) else ledger.mean_size,
        "certificates": [certificate.to_dict() for certificate in of.certify()],
    }


def interval_section(run: ConformalRun, *, title: str, lead: str) -> Section:
    """What a report says of the intervals."""
    from littlestone.report.conformal import conformal_section

    return conformal_section(run, title=title, lead=lead)


def run_lines(run: ConformalRun) -> Iterator[str]:
    """A line per row: forecast, lower end and upper end; or the labels of its set."""
    if run.values is None:
        return _set_lines(run.sets or ())
    columns = zip(run.values.tolist(), run.low.tolist(), run.high.tolist(), strict=True)
    return (f"{value:.9g}\t{low:.9g}\t{high:.9g}\n" for value, low, high in columns)


def shown_lines(shown: Iterable[Shown]) -> Iterator[str]:
    """The same of sets that were shown one by one."""
    for one in shown:
        if isinstance(one, PredictionInterval):
            yield f"{one.value:.9g}\t{one.low:.9g}\t{one.high:.9g}\n"
        else:
            yield from _set_lines([one.labels])


def json_shown_lines(shown: Iterable[Shown]) -> Iterator[str]:
    """An object for each row; null for an end that is not there."""
    for one in shown:
        if isinstance(one, PredictionInterval):
            yield json.dumps({"forecast": one.value, "low": finite(one.low), "high": finite(one.high)}) + "\n"
        else:
            yield json.dumps({"labels": one.labels, "everything": one.everything}) + "\n"


def _set_lines(sets: Iterable[tuple[object, ...]]) -> Iterator[str]:
    return ("\t".join(f"{label:g}" if isinstance(label, float) else field(str(label)) for label in one) + "\n" for one in sets)
