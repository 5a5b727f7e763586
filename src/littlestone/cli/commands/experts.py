"""`littlestone experts`: what can be typed."""

from __future__ import annotations

import click

from littlestone.cli.completion import complete_experts, complete_files
from littlestone.cli.options import chosen, made, rule_flags
from littlestone.cli.output import ReportOptions
from littlestone.cli.shared import report_options


@click.command("experts")
@click.argument("file", shell_complete=complete_files)
@click.option("--truth", required=True, help="The column of what happened; every other column is an expert.")
@click.option("--loss", help="square (the default), absolute, percentage, pinball, log, brier, zero-one.")
@click.option(
    "--quantile", type=click.FloatRange(0.0, 1.0, min_open=True, max_open=True), help="Forecast this quantile: pinball loss."
)
@click.option(
    "--rule",
    "rule_name",
    shell_complete=complete_experts,
    help="Which rule; see `littlestone rules`. Without one, ada-hedge on gradients.",
)
@rule_flags("experts")
@click.option("--ignore", multiple=True, help="A column to leave out; can be given several times.")
@click.option("--delay", type=click.IntRange(min=0), default=0, help="By how many rows the truth comes late.")
@click.option("--interleave", is_flag=True, help="With --delay: copies of the rule take turns, and its theorems hold.")
@click.option("--model", help="Write the mixture to this file.")
@click.option("--from", "initial", help="Go on from this file: new columns join, and columns that are gone sleep.")
@click.option("--interval", type=float, metavar="SHARE", help="Show intervals that hold this share of the outcomes, as 0.9.")
@click.option("--predictions", help="Write the predictions to this file.")
@report_options
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def command(
    file: str,
    truth: str,
    loss: str | None,
    quantile: float | None,
    rule_name: str | None,
    ignore: tuple[str, ...],
    delay: int,
    interleave: bool,
    model: str | None,
    initial: str | None,
    interval: float | None,
    predictions: str | None,
    wanted: ReportOptions,
    as_json: bool,
    **given: str | None,
) -> None:
    """Combine the columns of a CSV file into one forecast, round by round.

    An empty cell is an expert that sleeps. Rows at the end whose truth is empty are predicted and not learned.

    \b
    Examples:
      littlestone experts forecasts.csv --truth load
      littlestone experts forecasts.csv --truth load --quantile 0.9 --delay 24 --predictions mixed.txt
      littlestone experts forecasts.csv --truth load --interval 0.9 --predictions bands.tsv --report run.html
      littlestone experts monday.csv --truth load --ignore date --model load.lst
      littlestone experts tuesday.csv --truth load --ignore date --from load.lst --model load.lst
    """
    from littlestone.cli.experts import Combining, combine_file
    from littlestone.experts import RULES

    if initial is not None:
        _check_of_file({**given, "rule": rule_name, "loss": loss, "quantile": quantile})
    if quantile is not None and loss not in (None, "pinball"):
        raise click.UsageError(f"--quantile is of the pinball loss; leave out --loss {loss}, or --quantile")
    if interval is not None and delay:
        raise click.UsageError("--interval needs the truth of a row before the next; leave out --delay, or --interval")
    rule = made(chosen(RULES, rule_name or "ada-hedge"), given)
    combining = Combining(rule=rule if rule_name else None, loss=loss, quantile=quantile, delay=delay, initial=initial)
    if interleave:
        from littlestone.cli.interleaving import combine_in_turns

        report = wanted.report or wanted.figures
        _check_turns(delay, {"--from": initial, "--model": model, "--interval": interval, "--report": report})
        combine_in_turns(
            file, combining, truth=truth, ignore=ignore, predictions=predictions, force=wanted.force, as_json=as_json
        )
        return
    combine_file(
        file,
        combining,
        truth=truth,
        ignore=ignore,
        interval=interval,
        model=model,
        predictions=predictions,
        wanted=wanted,
        as_json=as_json,
    )


def _check_of_file(said: dict[str, object]) -> None:
    """What a file that is gone on from has of its own."""
    named = [f"--{name.replace('_', '-')}" for name, value in said.items() if value is not None]
    if named:
        raise click.UsageError(f"--from goes on with the rule and the loss of the file; leave out {', '.join(named)}")


def _check_turns(delay: int, others: dict[str, object]) -> None:
    """What has no meaning for copies that take turns."""
    if delay == 0:
        raise click.UsageError("--interleave is for outcomes that come late; say by how many rows: --delay 24")
    given = [flag for flag, value in others.items() if value is not None]
    if given:
        raise click.UsageError(f"--interleave makes {delay + 1} mixtures, not one; leave out {', '.join(given)}")
