"""`littlestone demo`: three short stories."""

from __future__ import annotations

import click

from littlestone.cli.output import Wanted


@click.command("demo")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the data.")
@click.option("--report", metavar="FILE", default="littlestone-demo.html", show_default=True, help="Where the report goes.")
@click.option("--force", is_flag=True, help="Replace a file of this name that is not a report.")
def command(seed: int, report: str, force: bool) -> None:
    """Three short stories on data made on the spot, each with its certificate, and one report.

    \b
    Example:
      littlestone demo --report demo.html
    """
    from littlestone.cli.demo import run_demo

    run_demo(seed, Wanted(report, None, force))
