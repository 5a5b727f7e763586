"""`littlestone demo`: three short stories."""

from __future__ import annotations

import click

from littlestone.cli.output import ReportOptions


@click.command("demo")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the data.")
@click.option("--report", metavar="FILE", help="Where the report goes; without it, you are asked, or none is written.")
@click.option("--yes", is_flag=True, help="Write the report without asking, as littlestone-demo.html.")
@click.option("--json", "as_json", is_flag=True, help="Print the stories as JSON.")
@click.option("--force", is_flag=True, help="Replace a file of this name that is not a report.")
def command(seed: int, report: str | None, yes: bool, as_json: bool, force: bool) -> None:
    """Three short stories on data made on the spot, each with its certificate, and one report.

    \b
    Example:
      littlestone demo --report demo.html
    """
    from littlestone.cli.demo import run_demo

    run_demo(seed, ReportOptions("littlestone-demo.html" if yes and report is None else report, None, force), as_json=as_json)
