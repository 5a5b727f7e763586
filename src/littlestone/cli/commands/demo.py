"""`littlestone demo`: three short stories."""

from __future__ import annotations

import click


@click.command("demo")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the data.")
@click.option("--report", metavar="FILE", default="littlestone-demo.html", show_default=True, help="Where the report goes.")
def command(seed: int, report: str) -> None:
    """Three short stories on data made on the spot, each with its certificate, and one report.

    \b
    Example:
      littlestone demo --report demo.html
    """
    from littlestone.cli.demo import run_demo

    run_demo(seed, report)
