"""What is said of a run of `littlestone learn` when it is over, to people and to machines."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

from littlestone.cli.reading import as_flags
from littlestone.cli.text import say, say_proof
from littlestone.streams.formats import listed

if TYPE_CHECKING:
    from littlestone.cli.passes import Course
    from littlestone.learner import Learner
    from littlestone.ledger import Ledger
    from littlestone.streams.files import Reader
    from littlestone.theory import Certificate

_SHOWN = 3


def print_run(
    learner: Learner, readers: list[Reader], certificates: list[Certificate], course: Course, *, compared: bool
) -> None:
    """The course, what was left out on the way, and the proof."""
    _print_course(learner, course)
    for reader in readers:
        for bad in reader.bad_lines[:_SHOWN]:
            say(f"skipped: {bad}", err=True, colour="yellow")
    skipped = sum(reader.skipped for reader in readers)
    if skipped:
        say(f"{skipped:,} malformed {'line' if skipped == 1 else 'lines'} skipped", err=True, colour="yellow")
    if learner.ledger.missing:
        gone = "missing value was" if learner.ledger.missing == 1 else "missing values were"
        say(f"{learner.ledger.missing:,} {gone} left out; --missing error refuses them", err=True, colour="yellow")
    if learner.advice is not None:
        say(as_flags(learner.advice), err=True, colour="yellow")
    _print_dates(learner, readers)
    if certificates or compared:
        print_proof(certificates)
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


def print_proof(certificates: list[Certificate]) -> None:
    """The certificates that say most."""
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


def _measures(ledger: Ledger, *, alone: bool) -> dict[str, object]:
    """What a practitioner looks at first, beside those who learn nothing."""
    if alone:
        return {"outside": ledger.mistake_rate}
    if not ledger.targets:
        return {"error": ledger.error_rate, "baselines": ledger.baselines}
    explained = None if math.isnan(ledger.r_squared) else ledger.r_squared
    return {"mae": ledger.mae, "rmse": ledger.rmse, "r_squared": explained, "baselines": ledger.baselines}


def summary(learner: Learner, readers: list[Reader], certificates: list[Certificate], course: Course) -> dict[str, object]:
    """The run for machines."""
    return {
        "rule": learner.rule.name(),
        "ledger": learner.ledger.to_dict(),
        "measures": _measures(course.first or learner.ledger, alone=learner.rule.abilities.alone),
        "held_out": [{"rows": held.rows, "error": held.mean} for held in course.held],
        "passes": course.done,
        "seconds": course.seconds,
        "skipped": sum(reader.skipped for reader in readers),
        "certificates": [certificate.to_dict() for certificate in certificates],
    }
