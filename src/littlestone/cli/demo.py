"""The demonstration: three short stories, each with its certificate, and one report."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, final

import click
import numpy as np

from littlestone.cli.machine import print_json
from littlestone.cli.output import REPORT, ReportOptions, Target, check_targets
from littlestone.cli.stories import HAM, SPAM, blotto, messages, weather
from littlestone.cli.text import say, say_certificate, say_table
from littlestone.errors import NotApplicable
from littlestone.experts import AdaHedge
from littlestone.experts.aggregation import aggregate
from littlestone.games import solve
from littlestone.linear import Perceptron
from littlestone.report import Section, section
from littlestone.report.games import game_section
from littlestone.report.sections import number
from littlestone.report.weights import largest
from littlestone.run import run

if TYPE_CHECKING:
    from rich.text import Text

    from littlestone.theory import Certificate

_ROWS = 5
_REPORT = "littlestone-demo.html"


@final
@dataclass(frozen=True)
class Story:
    """A headline, what happened, a few numbers, and what is proved of it."""

    title: str
    lead: str
    head: tuple[str, str]
    rows: tuple[tuple[str, str], ...]
    certificate: Certificate
    section: Section


def run_demo(seed: int, wanted: ReportOptions, *, as_json: bool) -> None:
    """Tells the stories and writes the report, if it is wanted, or says what it needs."""
    check_targets([Target("--report", wanted.report, REPORT)], [], force=wanted.force)
    stories = list[Story]()
    for place, make in enumerate((_weather, _messages, _game), start=1):
        story = make(seed)
        stories.append(story)
        if not as_json:
            _tell(place, story)
    if as_json:
        print_json({"stories": [_facts(story) for story in stories]})
    wanted = wanted if wanted or as_json else _asked(wanted)
    if not wanted:
        return
    try:
        wanted.check([])
    except NotApplicable as missing:
        say(f"No report: {missing}.", err=True, colour="yellow")
        return
    wanted.write([story.section for story in stories], [], title="Three stories of online learning")


def _asked(wanted: ReportOptions) -> ReportOptions:
    """A report goes into the working directory only if whoever sits at the terminal says yes."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        say(f"No report was written; --report {_REPORT} writes one.", err=True, dim=True)
        return wanted
    there = " (it is there already, and is replaced)" if Path(_REPORT).exists() else ""
    return wanted._replace(report=_REPORT) if click.confirm(f"Write a report to {_REPORT}{there}?", default=False) else wanted


def _facts(story: Story) -> dict[str, object]:
    rows = [list(row) for row in story.rows]
    return {"title": story.title, "lead": story.lead, "rows": rows, "certificate": story.certificate.to_dict()}


def _weather(seed: int) -> Story:
    """Experts."""
    names, advice, highs = weather(seed)
    mixed = aggregate(AdaHedge(), advice, highs, loss="absolute", experts=names)
    ledger = mixed.ledger
    lead = (
        f"Five forecasters tell tomorrow's high for {ledger.rounds:,} days: one is good in winter, one in summer. AdaHedge "
        f"mixes them without knowing which, and is off by {ledger.mean_loss:.2f} °C a day."
    )
    means = {"mixture": ledger.mean_loss} | dict(zip(names, (ledger.losses / ledger.rounds).tolist(), strict=True))
    rows = tuple((name, f"{mean:.2f} °C") for name, mean in sorted(means.items(), key=lambda item: item[1])[:_ROWS])
    told = section(mixed, title="Experts forecast the weather", lead=lead)
    return Story(told.title, lead, ("mean error", ""), rows, told.certificates[0], told)


def _messages(seed: int) -> Story:
    """A sparse text stream."""
    rows, labels = messages(seed)
    learned = run(Perceptron(), rows, labels, labels=("ham", "spam"))
    names = [str(name) for name in learned.learner.features]
    u = np.array([float(name in SPAM) - float(name in HAM) for name in names])
    ledger, w = learned.ledger, learned.state.w
    lead = (
        f"{ledger.rounds:,} messages go by once, each judged before its label is told. The Perceptron finds out by itself "
        f"which of {len(names)} words matter: {ledger.mistakes} mistakes, {ledger.mistake_rate:.2%}."
    )
    told = section(learned, title="Spam in a stream of messages", lead=lead, against=u)
    top = tuple((names[k], f"{w[k]:+.0f}") for k in largest(w, _ROWS))
    return Story(told.title, lead, ("largest weights", ""), top, told.certificates[0], told)


def _game(_: int) -> Story:
    """A zero-sum game."""
    game = blotto()
    solution = solve(game.payoffs, tol=1e-3)
    lead = (
        f"Ten battalions attack twelve on three fields; both generals divide their armies in secret. Two learners play each "
        f"other {solution.rounds:,} times and close a bracket around the value: {number(solution.value)} ± "
        f"{solution.gap / 2.0:.4f} fields."
    )
    order = np.argsort(-solution.row, kind="stable")[:_ROWS].tolist()
    rows = tuple((game.attacks[k], f"{solution.row[k]:.1%}") for k in order)
    told = game_section(solution, title="Two generals", lead=lead, rows=game.attacks, columns=game.defences)
    return Story(told.title, lead, ("the attacker's favourites", ""), rows, solution.certificate, told)


def _tell(place: int, story: Story) -> None:
    if sys.stdout.isatty():
        _tell_terminal(place, story)
        return
    say(f"{place}. {story.title}")
    say(story.lead)
    say_table(story.head, story.rows)
    say_certificate(story.certificate)
    say()


def _tell_terminal(place: int, story: Story) -> None:
    from rich import box
    from rich.console import Console, Group
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    table = Table(*story.head, box=box.SIMPLE_HEAD, show_edge=False, header_style="dim")
    table.columns[1].justify = "right"
    for row in story.rows:
        table.add_row(*map(Text, row))
    body = Group(Text(story.lead), Text(), table, Text(), _proof(story.certificate))
    width = min(Console().width, 100)
    Console().print(Panel(body, title=f"[bold]{place}. {story.title}[/]", title_align="left", width=width, padding=(1, 2)))


def _proof(certificate: Certificate) -> Text:
    from rich.text import Text

    style = {"holds": "bold green", "vacuous": "bold yellow", "unproved": "bold cyan", "violated": "bold red"}
    verdict = certificate.verdict.value
    return Text.assemble((f"{verdict} ", style[verdict]), certificate.relation, "\n", (certificate.source, "dim"))
