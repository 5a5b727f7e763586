"""`littlestone inspect`: what can be typed."""

from __future__ import annotations

import click

from littlestone.cli.completion import complete_files


@click.command("inspect")
@click.argument("model", shell_complete=complete_files)
@click.option("--top", type=click.IntRange(min=0), default=10, show_default=True, help="So many of the largest weights.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def command(model: str, top: int, as_json: bool) -> None:
    """Show what a model file holds: rule, parameters, ledger, largest weights, version, checksum.

    \b
    Examples:
      littlestone inspect spam.lst --top 20
      littlestone inspect spam.lst --json
    """
    from littlestone.cli.inspect import print_model

    print_model(model, top, as_json=as_json)
