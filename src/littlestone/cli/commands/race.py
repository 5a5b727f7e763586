"""`littlestone race`: what can be typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from littlestone.cli.completion import complete_files, complete_learners
from littlestone.cli.options import scale_option
from littlestone.cli.output import ReportOptions
from littlestone.cli.reading import FileOptions, chunk_for
from littlestone.cli.shared import reading_options, report_options

if TYPE_CHECKING:
    from littlestone.cli.task import Task

_GRID = "Values of a flag, such as C=0.01,0.1,1, for every rule that has it; can be given several times."


@click.command("race")
@click.argument("files", nargs=-1, required=True, shell_complete=complete_files)
@click.option(
    "--rules",
    metavar="NAMES",
    shell_complete=complete_learners,
    help="Which rules, with commas between; by default all that fit and need no flag.",
)
@click.option("--grid", metavar="FLAG=VALUES", multiple=True, help=_GRID)
@click.option("--task", type=click.Choice(["labels", "targets"]), help="What is learned; otherwise the file tells.")
@click.option("--model", metavar="FILE", shell_complete=complete_files, help="Write the winner to this file.")
@reading_options
@scale_option
@click.option("--certify", is_flag=True, help="Read the files again and say what can be proved of the winner.")
@report_options
@click.option("--json", "as_json", is_flag=True, help="Print the table as JSON.")
@click.option("--quiet", is_flag=True, help="Print nothing but what was asked for.")
def command(
    files: tuple[str, ...],
    rules: str | None,
    grid: tuple[str, ...],
    task: Task | None,
    model: str | None,
    reading: FileOptions,
    scale: str | None,
    certify: bool,
    wanted: ReportOptions,
    as_json: bool,
    quiet: bool,
) -> None:
    """Run many rules and parameters over files in one reading, each judged before it learns, and show who is best.

    Rules learn beside each other, one per core. A band holds for all of them at once, if the rows are i.i.d.

    \b
    Examples:
      littlestone race train.csv --label bought
      littlestone race train.svm --rules pa,arow,perceptron --grid C=0.01,0.1,1 --grid r=0.1,1,10 --model best.lst
      littlestone race prices.csv --label price --report race.html
    """
    from littlestone.cli.race import Race, RaceOutput, race_files

    if certify and "-" in files:
        raise click.UsageError("standard input can be read once; --certify needs files")
    readers = [reading.reader(file, chunk=chunk_for(file, curves=bool(wanted))) for file in files]
    again = certify or (bool(wanted) and "-" not in files)
    asked = RaceOutput(model, wanted, as_json, quiet, again)
    asked.check(readers)
    # Chunks for curves are small; the task goes by as many rows as without them.
    first = reading.reader(files[0]) if wanted and files[0] != "-" else readers[0]
    race_files(Race.of(first, readers, None if rules is None else rules.split(","), grid, task, scale), asked)
