"""`littlestone experts`: what can be typed."""

from __future__ import annotations

import click

from littlestone.cli.completion import complete_experts, complete_files
from littlestone.cli.options import chosen, made, rule_flags
from littlestone.cli.output import Wanted, report_options


@click.command("experts")
@click.argument("file", shell_complete=complete_files)
@click.option("--truth", required=True, help="The column of what happened; every other column is an expert.")
@click.option("--loss", default="square", show_default=True, help="square, absolute, percentage, log, brier, zero-one.")
@click.option(
    "--rule",
    "rule_name",
    shell_complete=complete_experts,
    default="ml-pol",
    show_default=True,
    help="Which rule; see `littlestone rules`.",
)
@rule_flags("experts")
@click.option("--ignore", multiple=True, help="A column to leave out; can be given several times.")
@click.option("--interval", type=float, metavar="SHARE", help="Show intervals that hold this share of the outcomes, as 0.9.")
@click.option("--predictions", help="Write the predictions to this file.")
@report_options
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def command(
    file: str,
    truth: str,
    loss: str,
    rule_name: str,
    ignore: tuple[str, ...],
    interval: float | None,
    predictions: str | None,
    wanted: Wanted,
    as_json: bool,
    **given: str | None,
) -> None:
    """Combine the columns of a CSV file into one forecast, round by round.

    \b
    Examples:
      littlestone experts forecasts.csv --truth load --loss square --rule ml-pol
      littlestone experts forecasts.csv --truth load --ignore date --report run.html
      littlestone experts forecasts.csv --truth load --interval 0.9 --predictions bands.tsv
    """
    from littlestone.cli.experts import combine_file
    from littlestone.experts import RULES

    rule = made(chosen(RULES, rule_name), given)
    combine_file(
        file,
        rule,
        truth=truth,
        loss=loss,
        ignore=ignore,
        interval=interval,
        predictions=predictions,
        wanted=wanted,
        as_json=as_json,
    )
