"""The command `littlestone` and its subcommands."""

from __future__ import annotations

import click

from littlestone import __version__


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="littlestone")
def main() -> None:
    """Online learning that shows its proof."""


@main.command()
@click.option("--rows", type=click.IntRange(min=1000), default=200_000, show_default=True, help="Length of the stream.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the stream.")
def demo(rows: int, seed: int) -> None:
    """Learn a sparse stream made on the spot and print its certificates."""
    from littlestone.cli.demo import run_demo

    run_demo(rows, seed)


@main.command()
@click.option("--markdown", is_flag=True, help="Print the table as Markdown.")
def rules(markdown: bool) -> None:
    """List the rules with their parameters and guarantees."""
    from littlestone.cli.rules import print_rules

    print_rules(markdown=markdown)
