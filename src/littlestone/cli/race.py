"""`littlestone race`: many rules over a stream in one reading, beside each other."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, final

import click
import numpy as np

from littlestone.cli.machine import print_json
from littlestone.cli.options import flags, learner, learners, made, view_of
from littlestone.cli.output import LEARNER, ReportOptions, Target
from littlestone.cli.passes import check_labelled
from littlestone.cli.reading import typed_files
from littlestone.cli.task import Decided
from littlestone.cli.text import say, say_proof, say_table
from littlestone.errors import InvalidData, LittlestoneError
from littlestone.learner import Learner
from littlestone.report.curves import Recorder
from littlestone.report.race import Runner, race_section, ranked_runners
from littlestone.report.sections import number
from littlestone.streams.files import Portion

if TYPE_CHECKING:
    from rich.table import Table

    from littlestone.cli.task import Task
    from littlestone.rule import LinearRule
    from littlestone.streams.files import Reader
    from littlestone.theory import Certificate
    from littlestone.views import View

# Rules that draw their labels, want all rows at once, or keep rows: they run if they are named.
_NAMED_ONLY = ("randomized-", "batch-", "kernel-")
_REST = 0.2
"""Seconds between two pictures of the live table."""


@final
class RaceOutput(NamedTuple):
    """What a race is to leave behind."""

    model: str | None
    wanted: ReportOptions
    as_json: bool
    quiet: bool
    certify: bool

    def check(self, readers: Sequence[Reader]) -> None:
        """Refuses now what would fail after the race."""
        self.wanted.check(typed_files(readers), Target("--model", self.model, LEARNER))


@final
@dataclass
class Race:
    """The files, who runs, and what is learned from them."""

    readers: Sequence[Reader]
    runners: list[Runner]
    decided: Decided
    seconds: float = field(default=0.0, init=False)

    @staticmethod
    def of(
        first: Reader,
        readers: Sequence[Reader],
        names: Sequence[str] | None,
        grid: Sequence[str],
        task: Task | None,
        scale: str | None,
    ) -> Race:
        """The race that the flags ask for, once the first rows have told what is learned."""
        seen = first.peek()
        if seen is None:
            raise InvalidData(f"there is no row to learn from in {first.source.name}; expected one example per line")
        check_labelled(first, seen)
        decided = Decided(seen.y, task)
        many = decided.task == "labels" and len(np.unique(seen.y.array)) > 2
        rules = [learner(name.strip()) for name in names] if names is not None else _fitting(decided.task, many=many)
        made_rules = _on_grid(rules, dict(_values(text) for text in grid))
        return Race(readers, [_runner(name, rule, view_of(scale), many=many) for name, rule in made_rules], decided)

    def run(self) -> None:
        """Reads the files once; every rule learns every chunk, and one that cannot is out."""
        begin, row = time.perf_counter(), 0
        with ThreadPoolExecutor(min(len(self.runners), os.cpu_count() or 1)) as pool, _live(self) as show:
            for reader in self.readers:
                for piece in reader.portions():
                    check_labelled(reader, piece, row)
                    self.decided.check(piece.y)
                    list(pool.map(partial(_learn, piece=piece), [runner for runner in self.runners if runner.out is None]))
                    if all(runner.out is not None for runner in self.runners):
                        raise InvalidData(f"every rule is out of the race; {self.runners[0].name}: {self.runners[0].out}")
                    row += len(piece.X)
                    show()
        self.seconds = time.perf_counter() - begin

    @property
    def order(self) -> list[Runner]:
        """The best first, and behind them those who are out."""
        return ranked_runners(self.runners)


def race_files(race: Race, asked: RaceOutput) -> None:
    """Runs the race and says who won."""
    if not asked.quiet:
        race.decided.say()
    race.run()
    winner = race.order[0]
    if asked.model is not None:
        winner.learner.save(asked.model)
    certificates = _certified(winner, race.readers) if asked.certify else winner.learner.certify()
    if asked.as_json:
        print_json(_summary(race, certificates))
    elif not asked.quiet:
        _print(race)
        say_proof(certificates, most=3, every=False, hint="--certify compares the winner with weights of its own run")
    if asked.wanted:
        names = [reader.source.name for reader in race.readers]
        title = f"A race on {Path(names[0]).name}"
        lead = f"{len(race.runners)} rules over {winner.learner.ledger.rounds:,} rows from {', '.join(names)}, in one reading."
        asked.wanted.write([race_section(race.order, certificates, title=title, lead=lead)], typed_files(race.readers))


def _fitting(task: Task, *, many: bool) -> list[type[LinearRule]]:
    """The rules that learn the task and can be made without a flag."""
    return [rule for rule in learners() if not rule.name().startswith(_NAMED_ONLY) and _fits(rule, task, many=many)]


def _fits(rule: type[LinearRule], task: Task, *, many: bool) -> bool:
    try:
        can = made(rule, {}).abilities
    except click.UsageError:  # it needs a flag
        return False
    return task in can.learns or (many and can.classes)


def _values(text: str) -> tuple[str, list[str]]:
    name, sign, values = text.partition("=")
    if not sign or not name or not all(values.split(",")):
        raise click.UsageError(f"--grid is {text!r}; expected a flag and its values, such as C=0.01,0.1,1")
    return name.strip().removeprefix("--").replace("-", "_"), values.split(",")


def _on_grid(rules: Sequence[type[LinearRule]], grid: dict[str, list[str]]) -> list[tuple[str, LinearRule]]:
    """Every rule with every combination of the values of the flags that it has."""
    for flag in grid:
        if not any(flag in flags(rule) for rule in rules):
            raise click.UsageError(f"--grid names {flag}, which no rule of this race has")
    found = list[tuple[str, "LinearRule"]]()
    for rule in rules:
        mine = [flag for flag in grid if flag in flags(rule)]
        for values in product(*(grid[flag] for flag in mine)):
            given = dict[str, str | None](zip(mine, values, strict=True))
            found.append((" ".join([rule.name(), *(f"{flag}={value}" for flag, value in given.items())]), made(rule, given)))
    return found


def _runner(name: str, rule: LinearRule, view: View | None, *, many: bool) -> Runner:
    """A rule at the start; one that has scales of its own runs without others."""
    if many and not rule.abilities.classes:
        from littlestone.multiclass import OneVersusRest

        rule = OneVersusRest(rule=rule)
    able = rule.abilities
    learner = Learner(rule, missing="skip", average=able.averages and not able.classes, view=view if able.takes_view else None)
    return Runner(name, learner, Recorder())


def _learn(runner: Runner, piece: Portion) -> None:
    begin = time.perf_counter()
    try:
        runner.learner.learn_many(piece.X, piece.y)
    except LittlestoneError as refused:
        runner.out = str(refused)
        return
    runner.seconds += time.perf_counter() - begin
    runner.recorder.note(runner.learner.ledger)


def _certified(winner: Runner, readers: Sequence[Reader]) -> list[Certificate]:
    """The files are read again by weights of the winner's own run."""
    from littlestone.theory.streaming import Candidates, yardstick

    u = yardstick(winner.learner)
    if u is None:
        return winner.learner.certify()
    candidates = Candidates(winner.learner, u)
    for reader in readers:
        candidates.learn(reader)
    return candidates.certificates()


def _head(race: Race) -> tuple[str, ...]:
    return "rule", race.order[0].measure, "95 % band", "behind the best", "updates", "seconds"


def _rows(race: Race) -> list[tuple[str, ...]]:
    order = race.order
    best, several = order[0], sum(runner.out is None for runner in order)
    rows = list[tuple[str, ...]]()
    for runner in order:
        if runner.out is not None:
            rows.append((runner.name, "out", "", "", "", ""))
            continue
        low, high = runner.band(several)
        behind = runner.total - best.total
        rows.append((
            runner.name,
            runner.shown(runner.mean),
            f"{runner.shown(low)} to {runner.shown(high)}",
            f"{behind:,.0f}" if runner.labels else number(behind),
            f"{runner.learner.ledger.updates:,}",
            f"{runner.seconds:.2f}",
        ))  # fmt: skip
    baselines = best.learner.ledger.baselines.items()
    return rows + [(f"({name})", best.shown(value), "", "", "", "") for name, value in baselines]


def _print(race: Race) -> None:
    rounds = race.order[0].learner.ledger.rounds
    if not sys.stdout.isatty():
        say_table(_head(race), _rows(race))
    say(f"{rounds:,} rows, {len(race.runners)} rules, {race.seconds:.2f} s; the winner is {race.order[0].name}")
    for runner in race.runners:
        if runner.out is not None:
            say(f"{runner.name} is out: {runner.out}", err=True, colour="yellow")


def _summary(race: Race, certificates: Sequence[Certificate]) -> dict[str, object]:
    order = race.order
    best, several = order[0], sum(runner.out is None for runner in order)
    return {
        "winner": best.name,
        "measure": best.measure,
        "baselines": best.learner.ledger.baselines,
        "seconds": race.seconds,
        "rules": [runner.summary(best, several) for runner in order],
        "certificates": [certificate.to_dict() for certificate in certificates],
    }


@contextmanager
def _live(race: Race) -> Iterator[Callable[[], None]]:
    """The table on a terminal while the race runs; nothing anywhere else."""
    if not sys.stdout.isatty():
        yield lambda: None
        return
    from rich.live import Live

    last = 0.0

    def show() -> None:
        nonlocal last
        if time.monotonic() - last > _REST:
            live.update(_table(race), refresh=True)
            last = time.monotonic()

    with Live(auto_refresh=False) as live:
        yield show
        live.update(_table(race), refresh=True)


def _table(race: Race) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(*_head(race))
    for column in table.columns[1:]:
        column.justify = "right"
    for row in _rows(race):
        table.add_row(*map(Text, row), style="dim" if row[0].startswith("(") else None)
    return table
