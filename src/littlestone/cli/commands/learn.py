"""`littlestone learn`: what can be typed."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, final

import click
from click.core import ParameterSource

from littlestone.cli.beginning import Fresh, TypedRule, check_alone, continued, decided_by
from littlestone.cli.completion import complete_files, complete_learners
from littlestone.cli.early import begun
from littlestone.cli.grouping import grouped
from littlestone.cli.imports import quick_imports
from littlestone.cli.options import rule_flags, scale_option
from littlestone.cli.output import ReportOptions
from littlestone.cli.plain import raise_failure
from littlestone.cli.reading import FileOptions, chunk_for
from littlestone.cli.shared import reading_options, report_options

if TYPE_CHECKING:
    from littlestone.cli.learn import Output
    from littlestone.cli.task import Decided, Task
    from littlestone.learner import Learner
    from littlestone.snapshots import Missing
    from littlestone.streams.files import Reader

_WORKERS = "Learn the files in partitions, N at once, and mix the learners after every epoch."
_AGAINST = "What theorems compare with: the mean of the weights (of many classes the last ones), or the best, in memory."

_INTERVAL = "Show an interval around each prediction, or a set of labels, that holds this share of the outcomes: 0.9."
_IN_TURN = ("passes", "holdout", "checkpoint", "resume")
_NOT_TOGETHER = (*_IN_TURN, "initial", "predictions", "task", "cache", "interval", "scale", "calibrate")
_ALONE = (*_IN_TURN, "average", "ignore_weights", "compare", "against", "iid")


@final
class TeamOptions(NamedTuple):
    """Partitions that are learned at once; a command gets it as `team`."""

    workers: int | None
    epochs: int | None
    unproved: bool


@final
class Passing(NamedTuple):
    """How the rows are gone through; a command gets it as `passing`."""

    passes: int
    holdout: int | None
    checkpoint: int | None
    resume: bool
    ignore_weights: bool


@final
class Written(NamedTuple):
    """Where a learner comes from, what is written, and what is printed; a command gets it as `written`."""

    model: str | None
    initial: str | None
    predictions: str | None
    as_json: bool
    quiet: bool

    def check(self, *, goes_on: bool) -> None:
        """Raises a UsageError for what does not go together."""
        if self.predictions == "-" and self.as_json:
            raise click.UsageError("--predictions - and --json both print to standard output; give the predictions a file")
        if goes_on and self.model is None:
            raise click.UsageError("--checkpoint and --resume need --model, the file that is written and gone on from")


@final
class Proof(NamedTuple):
    """What is to be proved; a command gets it as `proof`."""

    compare: bool
    against: str
    iid: bool


_HOLDOUT = "Hold out every N-th row: predicted, never learned."
_CHECKPOINT = "Write the model every so many rows as it goes."
_EPOCHS = "With --workers: how often; mixed after each.  [default: 1]"
_UNPROVED = "With --workers: mix by a rule of whose mixture nothing is proved, too."
_PREDICTIONS = "Write the predictions of the first pass, each made before its row was learned; - prints them as rows come."
_team_options = grouped(
    "team",
    TeamOptions,
    click.option("--workers", type=click.IntRange(1, 1024), metavar="N", help=_WORKERS),
    click.option("--epochs", type=click.IntRange(min=1), metavar="E", help=_EPOCHS),
    click.option("--unproved", is_flag=True, help=_UNPROVED),
)
_passing_options = grouped(
    "passing",
    Passing,
    click.option("--passes", type=click.IntRange(min=1), default=1, show_default=True, help="At most so many passes."),
    click.option("--holdout", type=click.IntRange(min=2), metavar="N", help=_HOLDOUT),
    click.option("--checkpoint", type=click.IntRange(min=1), metavar="ROWS", help=_CHECKPOINT),
    click.option("--resume", is_flag=True, help="Go on from the last checkpoint in --model, if there is one: the same bits."),
    click.option("--ignore-weights", is_flag=True, help="Let every row count as 1, whatever importance the files give it."),
)
_written_options = grouped(
    "written",
    Written,
    click.option("--model", shell_complete=complete_files, help="Write the model to this file."),
    click.option("--from", "initial", shell_complete=complete_files, help="Go on learning from this model file."),
    click.option("--predictions", metavar="FILE", help=_PREDICTIONS),
    click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON."),
    click.option("--quiet", is_flag=True, help="Print nothing but what was asked for."),
)
_proof_options = grouped(
    "proof",
    Proof,
    click.option("--certify", "compare", is_flag=True, help="Read the files again and say what can be proved."),
    click.option("--against", type=click.Choice(["average", "best"]), default="average", show_default=True, help=_AGAINST),
    click.option("--iid", is_flag=True, help="Declare the rows i.i.d. and bound the error on rows to come."),
)


@click.command("learn")
@click.argument("files", nargs=-1, required=True, shell_complete=complete_files)
@click.option(
    "--rule",
    "rule_name",
    shell_complete=complete_learners,
    help="Which rule; see `littlestone rules`. Without one: the pool, which needs no flag.",
)
@click.option("--task", type=click.Choice(["labels", "targets"]), help="What the pool learns; otherwise the file tells.")
@rule_flags("learners")
@click.option("--one-versus-rest", is_flag=True, help="A learner of the rule for each class, for more than two labels.")
@_passing_options
@_team_options
@click.option("--average", is_flag=True, help="Keep the mean of the weights over the rounds, for predict --average.")
@click.option(
    "--calibrate", is_flag=True, help="Learn a slope that turns scores into probabilities, for predict --probabilities."
)
@reading_options
@click.option(
    "--missing",
    type=click.Choice(["skip", "error", "indicator"]),
    default="skip",
    show_default=True,
    help="Missing values: left out, refused, or left out with a feature that says so (age=?).",
)
@scale_option
@click.option("--cache", is_flag=True, help="Keep a parsed copy beside each file, for the next pass or the next time.")
@click.option("--interval", type=float, metavar="SHARE", help=_INTERVAL)
@_proof_options
@_written_options
@report_options
def command(
    files: tuple[str, ...],
    rule_name: str | None,
    task: Task | None,
    one_versus_rest: bool,
    passing: Passing,
    team: TeamOptions,
    average: bool,
    calibrate: bool,
    reading: FileOptions,
    missing: Missing,
    scale: str | None,
    cache: bool,
    interval: float | None,
    proof: Proof,
    written: Written,
    wanted: ReportOptions,
    **given: str | None,
) -> None:
    """Learn files in order and print the progressive error while it runs.

    \b
    Examples:
      littlestone learn train.csv --label bought
      littlestone learn train.svm.gz --rule passive-aggressive --C 0.1 --model out.lst
      zcat log.vw.gz | littlestone learn - --format vw --bits 22 --rule perceptron
      littlestone learn prices.csv --label price --rule passive-aggressive-regression --epsilon 0.5
      littlestone learn rings.csv --rule kernel-perceptron --kernel gaussian:gamma=0.5 --budget 200
      littlestone learn log.jsonl --rule uniclass --epsilon 2 --predictions odd.tsv
      littlestone learn train.svm --rule perceptron --report run.html --figures figures
      littlestone learn days/*.svm --rule perceptron --workers 8 --epochs 5 --model week.lst
      littlestone learn prices.csv --label price --interval 0.9 --predictions bands.tsv --report bands.html

    Without --rule the pool learns, for labels or targets as the file tells. --C without --variant asks for PA-I, --gamma for
    the relaxed form. A report implies --certify: files are read twice.
    """
    raise_failure()
    typed = TypedRule(rule_name, given, one_versus_rest)
    if _is_team(team):
        _learn_together(files, reading, typed, team, wanted)
        return
    _check_interval(interval)
    compare = _compares(proof, wanted, once="-" in files or written.initial is not None or interval is not None)
    if "-" in files and (passing.passes > 1 or compare):
        raise click.UsageError("standard input can be read once; --passes, --certify and --against need files")
    written.check(goes_on=passing.resume or passing.checkpoint is not None)
    if passing.resume and Path(written.model or "").exists():
        written = written._replace(initial=written.model)
    going_on = None if written.initial is None else continued(written.initial, given, resumed=passing.resume)
    how = partial(reading.reader, learner=going_on, cache=cache, indicator=missing == "indicator")
    readers = begun([how(file, chunk=chunk_for(file, curves=bool(wanted))) for file in files])
    output = _output(written, wanted, readers, asked=proof.compare)
    decided = None
    if going_on is None and rule_name is None:
        check_alone(typed, scale, calibrate=calibrate)
        # Chunks for curves are small; the task goes by as many rows as without them.
        decided = decided_by(reading.reader(files[0]) if wanted and files[0] != "-" else readers[0], task)
    fresh = Fresh(average, average or (compare and proof.against == "average"), missing, scale, calibrate)
    learner = fresh.learner(typed, decided, task) if going_on is None else going_on
    _learn(learner, readers, passing, proof._replace(compare=compare), output, decided, interval)


def _compares(proof: Proof, wanted: ReportOptions, *, once: bool) -> bool:
    """Whether files are read again for a comparator: where that was asked for, or for a report that can have one."""
    said = click.get_current_context().get_parameter_source("against") is not ParameterSource.DEFAULT
    return proof.compare or said or (bool(wanted) and not once)


def _output(written: Written, wanted: ReportOptions, readers: list[Reader], *, asked: bool) -> Output:
    """What is left behind, once it is known that it can be."""
    with quick_imports():
        from littlestone.cli.learn import Output

    model, initial, predictions, as_json, quiet = written
    output = Output(model, predictions, wanted, as_json, quiet or predictions == "-", initial, asked)
    output.check(readers)
    return output


def _learn(
    learner: Learner,
    readers: list[Reader],
    passing: Passing,
    proof: Proof,
    output: Output,
    decided: Decided | None,
    interval: float | None,
) -> None:
    from littlestone.cli.learn import learn
    from littlestone.cli.passes import PassPlan

    passes, holdout, checkpoint, resume, ignore_weights = passing
    learn(
        learner,
        readers,
        plan=PassPlan(passes, ignore_weights, holdout, checkpoint, resume=resume and output.initial is not None),
        against=proof.against if proof.compare else None,
        iid=proof.iid,
        output=output,
        decided=decided,
        interval=interval,
    )


def _is_team(team: TeamOptions) -> bool:
    """Whether partitions are to be learned at once."""
    if team.workers is None and (team.epochs is not None or team.unproved):
        raise click.UsageError("--epochs and --unproved are for --workers; --passes goes over files in one piece")
    return team.workers is not None


def _learn_together(
    files: tuple[str, ...], reading: FileOptions, given: TypedRule, team: TeamOptions, wanted: ReportOptions
) -> None:
    """Partitions at once; refuses what has no meaning for them."""
    context = click.get_current_context()
    for name in _NOT_TOGETHER:
        if context.get_parameter_source(name) not in (None, ParameterSource.DEFAULT):
            flag = {"initial": "from"}.get(name, name)
            raise click.UsageError(f"--{flag} is for one learner of all rows; leave it out, or --workers")
    if "-" in files:
        raise click.UsageError("standard input cannot be cut into partitions; --workers needs files")
    from littlestone.cli.epochs import EpochsOutput, Team, learn_in_epochs
    from littlestone.cli.learn import Output

    rule, said = given.rule(), context.params
    asked = EpochsOutput(said["missing"], said["average"], said["compare"] or bool(wanted), said["iid"])
    output = Output(said["model"], None, wanted, said["as_json"], said["quiet"], certify=said["compare"] or said["iid"])
    readers = [reading.reader(file, indicator=asked.missing == "indicator") for file in files]
    learn_in_epochs(rule, readers, Team(team.workers or 1, team.epochs or 1, team.unproved), asked, output)


def _check_interval(interval: float | None) -> None:
    """Refuses what has no meaning beside intervals, which are shown once for each row."""
    context = click.get_current_context()
    for name in _ALONE if interval is not None else ():
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            flag = {"compare": "certify"}.get(name, name).replace("_", "-")
            raise click.UsageError(f"--interval goes through the rows once and has a promise of its own; leave out --{flag}")
