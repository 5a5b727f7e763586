"""The options that several commands have: how files are read, and where a report goes."""

from __future__ import annotations

from collections.abc import Sequence

import click

from littlestone.cli.grouping import grouped
from littlestone.cli.output import COMMAND, ReportOptions
from littlestone.cli.reading import FileOptions

_FORMATS = click.Choice(["svmlight", "vw", "csv", "tsv", "jsonl", "arrow", "cache"])
_MISSING = "What stands for a number that is not there, between commas, beside an empty field.  [default: NA,N/A,nan,...]"
_INTERACTIONS = (
    "Products of namespaces by their first letters, such as ab, or :: for all pairs (vw); can be given several times."
)
_READING = (
    click.option("--format", "form", type=_FORMATS, help="The format; by default it goes by name and content."),
    click.option("--bits", "--hash-bits", type=click.IntRange(1, 30), help="Hash features to 2^BITS columns."),
    click.option("--label", metavar="COLUMN", help="The column or key of the label; by default label, target, class or y."),
    click.option("--weight-column", metavar="COLUMN", help="The column or key of the importance of a row."),
    click.option("--ignore", metavar="COLUMN", multiple=True, help="A column to leave out; can be given several times."),
    click.option("--categorical", metavar="COLUMN", multiple=True, help="A column of categories, even if they are numbers."),
    click.option("--text", metavar="COLUMN", multiple=True, help="A column of texts: each word is a feature (CSV)."),
    click.option("--date", metavar="COLUMN", multiple=True, help="A column of dates: years, month, weekday and hour (CSV)."),
    click.option("--header/--no-header", default=None, help="Whether the first record names the columns (CSV)."),
    click.option("--separator", metavar="CHARACTER", help="What stands between fields: , ; | or tab (CSV)."),
    click.option("--constant", is_flag=True, help="Add a feature that is 1 in every row."),
    click.option("-q", "--interactions", metavar="LETTERS", multiple=True, help=_INTERACTIONS),
    click.option("--names", is_flag=True, help="Keep the names of hashed features in the model, for inspect and reports."),
    click.option("--missing-values", metavar="WORDS", help=_MISSING),
    click.option(
        "--on-error", type=click.Choice(["raise", "skip"]), default="raise", show_default=True, help="Malformed lines."
    ),
)

reading_options = grouped("reading", FileOptions, *_READING)
"""Adds the options, which reach the command as one value, `reading`."""

_FORCE = "Replace files that are in the way: one that is read as well, or that holds something else."
_REPORT = (
    click.option("--report", metavar="FILE", help="Write a report: one HTML file that opens offline."),
    click.option("--figures", metavar="DIR", help="Draw every figure into this directory, as PNG and SVG."),
    click.option("--force", is_flag=True, help=_FORCE),
)

report_options = grouped("wanted", ReportOptions, *_REPORT)
"""Adds --report, --figures and --force, which reach the command as one value, `wanted`."""


def remember(context: click.Context, args: Sequence[str]) -> None:
    """Keeps the command as it was typed, for a report to say how to get it again."""
    context.meta[COMMAND] = ["littlestone", *args]
