"""`littlestone predict`: what can be typed."""

from __future__ import annotations

import click

from littlestone.cli.completion import complete_files
from littlestone.cli.reading import FileOptions
from littlestone.cli.shared import reading_options


@click.command("predict")
@click.argument("model", shell_complete=complete_files)
@click.argument("files", nargs=-1, required=True, shell_complete=complete_files)
@reading_options
@click.option("--strict", is_flag=True, help="Refuse files that lack a column of the model or have a new one.")
@click.option("--probabilities", is_flag=True, help="Print the label and the probability of every label instead of a score.")
@click.option("--average", is_flag=True, help="Predict with the mean of the weights, which `learn --average` keeps.")
@click.option("--json", "as_json", is_flag=True, help="Print an object of JSON for each row.")
def command(
    model: str, files: tuple[str, ...], reading: FileOptions, strict: bool, probabilities: bool, average: bool, as_json: bool
) -> None:
    """Print a line for each row: label and score, or the score where the model learned targets.

    A model that was learned with --interval prints the forecast and both ends, or the labels of its set.

    Rows need no labels; the tag of a row comes back behind its prediction. A model that was learned from a table knows its
    columns: flags need not be repeated.

    \b
    Example:
      littlestone predict spam.lst new.svm > predictions.tsv
    """
    from littlestone.cli.predict import PredictionOptions, predict_files

    predict_files(model, files, reading, PredictionOptions(strict, probabilities, average, as_json))
