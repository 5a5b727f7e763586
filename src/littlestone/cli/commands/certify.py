"""`littlestone certify`: what can be typed."""

from __future__ import annotations

import sys

import click

from littlestone.cli.completion import complete_files
from littlestone.cli.reading import FileOptions
from littlestone.cli.shared import reading_options


@click.command("certify")
@click.argument("model", shell_complete=complete_files)
@click.argument("files", nargs=-1, shell_complete=complete_files)
@click.option(
    "--against",
    help="best, average, or another model file; with files the default is best, or average where none is solved for.",
)
@click.option("--iid", is_flag=True, help="Declare the rows i.i.d. and bound the error on rows to come.")
@reading_options
@click.option("--all", "every", is_flag=True, help="Show the theorems too that stay unproved.")
@click.option("--json", "as_json", is_flag=True, help="Print the certificates as JSON.")
def command(
    model: str,
    files: tuple[str, ...],
    against: str | None,
    iid: bool,
    reading: FileOptions,
    every: bool,
    as_json: bool,
) -> None:
    """Print what can be proved of a model, alone or compared on the files it was learned from.

    "best" solves for the comparator that each theorem wants, with the rows in memory; "average" takes the mean of the
    weights over the run, where the model keeps it. The exit code is 1 when a certificate is violated.

    \b
    Examples:
      littlestone certify spam.lst
      littlestone certify spam.lst train.svm --against best
      littlestone certify spam.lst train.svm --against rival.lst --json
    """
    from littlestone.cli.certify import certify_model

    if against is not None and not files:
        raise click.UsageError("--against compares on rows; give the files the model was learned from")
    if "-" in files:
        raise click.UsageError("standard input can be read once; certify needs files")
    sys.exit(certify_model(model, files, reading, against=against, iid=iid, every=every, as_json=as_json))
