"""`littlestone journal`: what can be typed."""

from __future__ import annotations

import click
from click.core import ParameterSource

from littlestone.cli.completion import complete_learners
from littlestone.cli.journal import export_rounds, history_of, print_records, summarise, what_if
from littlestone.cli.options import learner, made, rule_flags


@click.command("journal")
@click.argument("data", metavar="DIR")
@click.option("--name", default="default", show_default=True, help="Which of the models in DIR.")
@click.option("--print", "as_lines", is_flag=True, help="Print every record as a line of JSON.")
@click.option("--export", "file", metavar="FILE", help="Write the rounds as JSON lines, for `littlestone learn`.")
@click.option("--label", default="label", show_default=True, help="The key of the label in these lines.")
@click.option(
    "--rule", "rule_name", shell_complete=complete_learners, help="What if: run the stream by this rule too, and compare."
)
@rule_flags("learners")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def command(
    data: str,
    name: str,
    as_lines: bool,
    file: str | None,
    label: str,
    rule_name: str | None,
    as_json: bool,
    **given: str | None,
) -> None:
    """Verify the journal of a served model, print or export it, or ask what another rule would have made of it.

    The server may be running. It keeps the records since the last but one snapshot, or all with --keep-journal.

    \b
    Examples:
      littlestone journal served
      littlestone journal served --export rows.jsonl
      littlestone journal served --rule passive-aggressive --C 0.1
    """
    flags = [flag for flag, text in given.items() if text is not None]
    if flags and rule_name is None:
        raise click.UsageError(f"--{flags[0].replace('_', '-')} is of a rule; give --rule")
    source = click.get_current_context().get_parameter_source("label")
    if file is None and source is not ParameterSource.DEFAULT:
        raise click.UsageError("--label is of --export")
    history = history_of(data, name)
    if as_lines:
        print_records(history)
    elif file is not None:
        export_rounds(history, file, label)
    elif rule_name is not None:
        what_if(history, made(learner(rule_name), given), as_json=as_json)
    else:
        summarise(history, as_json=as_json)
