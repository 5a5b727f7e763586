"""`littlestone compare`: what can be typed."""

from __future__ import annotations

import click

from littlestone.cli.completion import complete_files
from littlestone.cli.output import ReportOptions
from littlestone.cli.reading import FileOptions
from littlestone.cli.shared import reading_options, report_options

_LARGEST = "What no absolute error can exceed, for models of targets; labels are right or wrong."


@click.command("compare")
@click.argument("first", shell_complete=complete_files)
@click.argument("second", shell_complete=complete_files)
@click.argument("files", nargs=-1, required=True, shell_complete=complete_files)
@reading_options
@click.option("--learn", is_flag=True, help="Let both learn every row once it was judged; the model files stay as they are.")
@click.option("--largest", type=click.FloatRange(min=0.0, min_open=True), help=_LARGEST)
@click.option(
    "--delta", type=click.FloatRange(0.0, 1.0, min_open=True, max_open=True), default=0.05, show_default=True,
    help="The chance with which the statement may ever fail.",
)  # fmt: skip
@report_options
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
def command(
    first: str,
    second: str,
    files: tuple[str, ...],
    reading: FileOptions,
    learn: bool,
    largest: float | None,
    delta: float,
    wanted: ReportOptions,
    as_json: bool,
) -> None:
    """Say which of two models is better on rows that are new to both, and whether that is proved.

    The statement holds at every moment at once: look at it as often as you like, go on, or stop. Nothing is assumed of the
    rows but that neither model has learned them.

    \b
    Examples:
      littlestone compare today.lst lastweek.lst new.svm
      littlestone compare pool.lst arow.lst stream.csv --learn --report match.html
      littlestone compare a.lst b.lst prices.csv --largest 100
    """
    from littlestone.cli.compare import ComparisonOptions, compare_models

    if "-" in files:
        raise click.UsageError("standard input can be read once, and each model reads the rows in its own way; give files")
    compare_models(first, second, files, reading, ComparisonOptions(learn, largest, delta, wanted, as_json))
