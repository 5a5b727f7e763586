"""`littlestone compare`: two models on rows that are new to both."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, final

import click

from littlestone.cli.machine import print_json
from littlestone.cli.reading import chunk_for
from littlestone.cli.text import say
from littlestone.errors import InvalidData
from littlestone.report.paired import PairStanding, pair_section
from littlestone.store import load
from littlestone.theory.matches import Contender, check_new, judge
from littlestone.theory.paired import PairedComparison

if TYPE_CHECKING:
    from collections.abc import Sequence

    from littlestone.cli.output import ReportOptions
    from littlestone.cli.reading import FileOptions


@final
class ComparisonOptions(NamedTuple):
    """How two models are compared, and what is to be left behind."""

    learn: bool
    largest: float | None
    delta: float
    wanted: ReportOptions
    as_json: bool


def compare_models(first: str, second: str, files: Sequence[str], reading: FileOptions, asked: ComparisonOptions) -> None:
    """Judges both on every row, and says what that proves."""
    asked.wanted.check(files)
    contenders = Contender(load(first), learns=asked.learn), Contender(load(second), learns=asked.learn)
    if not contenders[0].labels and asked.largest is None:
        raise click.UsageError("the models learned targets; --largest says what no absolute error can exceed")
    pair = PairedComparison(largest=1.0 if contenders[0].labels else asked.largest or 1.0, delta=asked.delta)
    course = list[PairStanding]()
    for file in files:
        chunk = chunk_for(file, curves=bool(asked.wanted))
        readers = [reading.reader(file, chunk=chunk, learner=contender.learner) for contender in contenders]
        for one, other in zip(*readers, strict=True):
            judge(pair, contenders, one, other)
            course.append(PairStanding.of(pair))
    if not pair.rounds:
        raise InvalidData(f"there is no row in {', '.join(files)}; expected one example per line")
    check_new(contenders)
    rules = [repr(contender.learner.rule) for contender in contenders]
    _say(pair, (first, second), rules, asked)
    if asked.wanted:
        asked.wanted.write([pair_section(pair, (first, second), rules, course)], files)


def _say(pair: PairedComparison, names: tuple[str, str], rules: Sequence[str], asked: ComparisonOptions) -> None:
    sides = [{"file": name, "rule": rule, "mean_loss": mean} for name, rule, mean in zip(names, rules, pair.means, strict=True)]
    if asked.as_json:
        print_json({"first": sides[0], "second": sides[1], **pair.to_dict()})
        return
    measure = "wrong" if asked.largest is None else "mean absolute error"
    for side, words in zip(sides, ("first ", "second"), strict=True):
        mean = side["mean_loss"]
        assert isinstance(mean, float)
        say(f"{words} {f'{mean:.4%}' if asked.largest is None else f'{mean:.6g}'} {measure}: {side['file']}, {side['rule']}")
    say(str(pair), bold=True)
    learned = "learned them before they were judged" if asked.learn else "has learned these rows"
    say(f"  assuming that neither model {learned} (declared; that it was not these very rows was checked)", dim=True)
