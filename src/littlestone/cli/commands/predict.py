"""`littlestone predict`: what can be typed."""

from __future__ import annotations

import sys

import click

from littlestone.cli.reading import Reading, reading_options


@click.command("predict")
@click.argument("model")
@click.argument("files", nargs=-1, required=True)
@reading_options
def command(model: str, files: tuple[str, ...], reading: Reading) -> None:
    """Print a line a row: label and score, or the score where the model learned targets.

    \b
    Example:
      littlestone predict spam.lst new.svm > predictions.tsv
    """
    from littlestone.cli.learn import write_predictions
    from littlestone.store import load

    learner = load(model)
    for file in files:
        for X, _ in reading.reader(file):
            write_predictions(sys.stdout, learner, X)
