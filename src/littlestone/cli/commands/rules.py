"""`littlestone rules`: the table of rules."""

from __future__ import annotations

import click


@click.command("rules")
@click.option("--markdown", is_flag=True, help="Print the table as Markdown.")
@click.option("--json", "as_json", is_flag=True, help="Print the table as JSON.")
def command(markdown: bool, as_json: bool) -> None:
    """List the rules with their parameters and guarantees.

    \b
    Example:
      littlestone rules --markdown > rules.md
    """
    from littlestone.cli.rules import print_rules

    print_rules(markdown=markdown, as_json=as_json)
