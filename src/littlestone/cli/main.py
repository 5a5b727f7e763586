"""The command `littlestone` and its subcommands."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal, final

import click
from click.core import ParameterSource

from littlestone import __version__
from littlestone.cli.early import CHUNK, taken_up
from littlestone.cli.imports import leave_cores_to_the_core, quick_imports
from littlestone.cli.options import chosen, learner, made, rule_flags
from littlestone.cli.output import Wanted, remember, report_options
from littlestone.errors import LittlestoneError

if TYPE_CHECKING:
    from littlestone.learner import Learner
    from littlestone.streams.files import FormatName, Reader

_FORMATS = click.Choice(["svmlight", "vw", "csv", "tsv", "jsonl", "arrow", "cache"])
_AGAINST = "What theorems compare with: the mean of the weights (of many classes the last ones), or the best, in memory."


@final
class _Group(click.Group):
    """Refusals of the library are one sentence and exit code 1; wrong usage is exit code 2."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keeps the command as it was typed, for reports."""
        remember(ctx, args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Runs the command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # whoever read our output has seen enough
            sys.stderr.close()
            sys.exit(0)
        except (LittlestoneError, OSError) as error:
            raise click.ClickException(_sentence(error)) from None
        except KeyboardInterrupt:
            click.echo("Interrupted.", err=True)
            sys.exit(130)


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="littlestone")
def main() -> None:
    """Online learning that shows its proof.

    \b
    Examples:
      littlestone demo
      littlestone learn train.svm --rule passive-aggressive --variant PA-I --C 0.1 --model spam.lst
      littlestone learn train.svm --report run.html
      littlestone predict spam.lst test.svm
      littlestone inspect spam.lst
      littlestone certify spam.lst train.svm --against best
      littlestone experts forecasts.csv --truth load --report run.html
      littlestone solve payoffs.csv --tol 1e-6
    """


@main.command()
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the data.")
@click.option("--report", metavar="FILE", default="littlestone-demo.html", show_default=True, help="Where the report goes.")
def demo(seed: int, report: str) -> None:
    """Three short stories on data made on the spot, each with its certificate, and one report.

    \b
    Example:
      littlestone demo --report demo.html
    """
    from littlestone.cli.demo import run_demo

    run_demo(seed, report)


@main.command()
@click.option("--markdown", is_flag=True, help="Print the table as Markdown.")
def rules(markdown: bool) -> None:
    """List the rules with their parameters and guarantees.

    \b
    Example:
      littlestone rules --markdown > rules.md
    """
    from littlestone.cli.rules import print_rules

    print_rules(markdown=markdown)


@main.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--rule", "rule_name", default="perceptron", show_default=True, help="Which rule; see `littlestone rules`.")
@rule_flags("learners")
@click.option("--one-versus-rest", is_flag=True, help="A learner of the rule for each class, for more than two labels.")
@click.option("--passes", type=click.IntRange(min=1), default=1, show_default=True, help="At most so many passes.")
@click.option("--model", help="Write the model to this file.")
@click.option("--from", "initial", help="Go on learning from this model file.")
@click.option("--predictions", help="Write the progressive predictions of the first pass to this file.")
@click.option("--format", "form", type=_FORMATS, help="The format; by default it goes by name and content.")
@click.option("--bits", type=click.IntRange(1, 30), help="Hash features to 2^BITS columns.")
@click.option("--label", help="The column or key of the label (CSV, JSON lines, Arrow).")
@click.option("--on-error", type=click.Choice(["raise", "skip"]), default="raise", show_default=True, help="Malformed lines.")
@click.option("--cache", is_flag=True, help="Keep a parsed copy beside each file, for the next pass or the next time.")
@click.option("--ignore-weights", is_flag=True, help="Let every row count as 1, whatever importance the files give it.")
@click.option("--certify", "compare", is_flag=True, help="Read the files again and say what can be proved.")
@click.option("--against", type=click.Choice(["average", "best"]), default="average", show_default=True, help=_AGAINST)
@click.option("--iid", is_flag=True, help="Declare the rows i.i.d. and bound the error on rows to come.")
@report_options
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.option("--quiet", is_flag=True, help="Print nothing but what was asked for.")
def learn(
    files: tuple[str, ...],
    rule_name: str,
    one_versus_rest: bool,
    passes: int,
    model: str | None,
    initial: str | None,
    predictions: str | None,
    form: FormatName | None,
    bits: int | None,
    label: str | None,
    on_error: str,
    cache: bool,
    ignore_weights: bool,
    compare: bool,
    against: str,
    iid: bool,
    report: str | None,
    figures: str | None,
    as_json: bool,
    quiet: bool,
    **given: str | None,
) -> None:
    """Learn files in order and print the progressive error while it runs.

    \b
    Examples:
      littlestone learn train.svm.gz --rule passive-aggressive --C 0.1 --model out.lst
      zcat log.vw.gz | littlestone learn - --format vw --bits 22 --rule perceptron
      littlestone learn prices.csv --label price --rule passive-aggressive-regression --epsilon 0.5
      littlestone learn rings.csv --rule kernel-perceptron --kernel gaussian:gamma=0.5 --budget 200
      littlestone learn log.jsonl --rule uniclass --epsilon 2 --predictions odd.tsv
      littlestone learn train.svm --rule perceptron --report run.html --figures figures

    --C without --variant asks for PA-I, --gamma for the relaxed form. A report implies --certify: files are read twice.
    """
    wanted = Wanted(report, figures)
    given_against = click.get_current_context().get_parameter_source("against") is not ParameterSource.DEFAULT
    compare = compare or given_against or (bool(wanted) and "-" not in files and initial is None)
    if "-" in files and (passes > 1 or compare):
        raise click.UsageError("standard input can be read once; --passes, --certify and --against need files")
    readers = [_reader(file, form, bits, label, on_error, cache=cache, chunk=_chunk(file, wanted)) for file in files]
    # Threads of the core read and parse while the interpreter is busy with imports.
    readers[0] = taken_up(readers[0])
    readers[0].begin()
    leave_cores_to_the_core()
    with quick_imports():
        from littlestone.cli.learn import Output
        from littlestone.cli.learn import learn as learn_files

    average = compare and against == "average"
    rest = one_versus_rest
    learner = _continued(initial, given) if initial is not None else _fresh(rule_name, given, average=average, rest=rest)
    output = Output(model, predictions, wanted, as_json, quiet)
    learn_files(
        learner,
        readers,
        passes=passes,
        against=against if compare else None,
        iid=iid,
        output=output,
        ignore_weights=ignore_weights,
    )


def _fresh(rule_name: str, given: dict[str, str | None], *, average: bool, rest: bool) -> Learner:
    from littlestone.learner import Learner

    rule = made(learner(rule_name), given)
    if not rest:
        return Learner(rule, average=average)
    from littlestone.multiclass import OneVersusRest

    return Learner(OneVersusRest(rule=rule), average=average)


def _continued(path: str, given: dict[str, str | None]) -> Learner:
    """The model of a file goes on as it was; its rule and parameters are its own."""
    from littlestone.store import load

    context = click.get_current_context()
    flags = [name for name, text in given.items() if text is not None]
    if context.get_parameter_source("rule_name") is not ParameterSource.DEFAULT:
        flags.insert(0, "rule")
    if flags:
        raise click.UsageError(f"the model of --from has its own rule and parameters; leave out --{flags[0].replace('_', '-')}")
    return load(path)


def _chunk(file: str, wanted: Wanted) -> int:
    """Bytes a chunk; for curves of short files there must be many chunks."""
    if not wanted or file == "-" or not Path(file).is_file():
        return CHUNK
    return max(256, min(CHUNK, Path(file).stat().st_size // 200))


def _reader(
    file: str,
    form: FormatName | None,
    bits: int | None,
    label: str | None,
    on_error: str,
    *,
    cache: bool = False,
    chunk: int = CHUNK,
) -> Reader:
    from littlestone.streams.files import read

    skips: Literal["skip", "raise"] = "skip" if on_error == "skip" else "raise"
    return read(file, format=form, chunk=chunk, bits=bits, label=label, on_error=skips, cache=cache)


@main.command()
@click.argument("model")
@click.argument("files", nargs=-1, required=True)
@click.option("--format", "form", type=_FORMATS, help="The format; by default it goes by name and content.")
@click.option("--bits", type=click.IntRange(1, 30), help="Hash features to 2^BITS columns, as when the model was learned.")
@click.option("--label", help="The column or key of the label, which is passed over.")
@click.option("--on-error", type=click.Choice(["raise", "skip"]), default="raise", show_default=True, help="Malformed lines.")
def predict(
    model: str, files: tuple[str, ...], form: FormatName | None, bits: int | None, label: str | None, on_error: str
) -> None:
    """Print a line a row: label and score, or the score where the model learned targets.

    \b
    Example:
      littlestone predict spam.lst new.svm > predictions.tsv
    """
    from littlestone.cli.learn import write_predictions
    from littlestone.store import load

    learner = load(model)
    for file in files:
        for X, _ in _reader(file, form, bits, label, on_error):
            write_predictions(sys.stdout, learner, X)


@main.command()
@click.argument("model")
@click.option("--top", type=click.IntRange(min=0), default=10, show_default=True, help="So many of the largest weights.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def inspect(model: str, top: int, as_json: bool) -> None:
    """Show what a model file holds: rule, parameters, ledger, largest weights, version, checksum.

    \b
    Examples:
      littlestone inspect spam.lst --top 20
      littlestone inspect spam.lst --json
    """
    from littlestone.cli.inspect import print_model

    print_model(model, top, as_json=as_json)


@main.command()
@click.argument("model")
@click.argument("files", nargs=-1)
@click.option("--against", help="best, average, or another model file; with files the default is best (many classes: average).")
@click.option("--iid", is_flag=True, help="Declare the rows i.i.d. and bound the error on rows to come.")
@click.option("--format", "form", type=_FORMATS, help="The format; by default it goes by name and content.")
@click.option("--bits", type=click.IntRange(1, 30), help="Hash features to 2^BITS columns, as when the model was learned.")
@click.option("--label", help="The column or key of the label (CSV, JSON lines, Arrow).")
@click.option("--on-error", type=click.Choice(["raise", "skip"]), default="raise", show_default=True, help="Malformed lines.")
@click.option("--all", "every", is_flag=True, help="Show the theorems too that stay unproved.")
@click.option("--json", "as_json", is_flag=True, help="Print the certificates as JSON.")
def certify(
    model: str,
    files: tuple[str, ...],
    against: str | None,
    iid: bool,
    form: FormatName | None,
    bits: int | None,
    label: str | None,
    on_error: str,
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
    readers = [_reader(file, form, bits, label, on_error) for file in files]
    sys.exit(certify_model(model, readers, against=against, iid=iid, every=every, as_json=as_json))


@main.command()
@click.argument("matrix")
@click.option("--tol", type=float, default=1e-4, show_default=True, help="The gap between what the players can be sure of.")
@click.option("--method", default="auto", show_default=True, help="auto, lp, or one of the methods of play.")
@click.option("--sense", type=click.Choice(["max", "min"]), default="max", show_default=True, help="What the row player wants.")
@click.option("--max-rounds", type=click.IntRange(min=1), default=1_000_000, show_default=True, help="Give up after so many.")
@click.option("--figure", help="Draw the bracket closing over time into this file.")
@report_options
@click.option("--json", "as_json", is_flag=True, help="Print the solution as JSON.")
def solve(
    matrix: str,
    tol: float,
    method: str,
    sense: str,
    max_rounds: int,
    figure: str | None,
    report: str | None,
    figures: str | None,
    as_json: bool,
) -> None:
    """Solve a zero-sum game: a CSV matrix of the row player's payoffs, or a Gambit .nfg file.

    The exit code is 1 when the tolerance was not reached.

    \b
    Examples:
      littlestone solve payoffs.csv --tol 1e-6
      littlestone solve game.nfg --method self-play --report game.html
    """
    from littlestone.cli.games import Search, solve_file

    search = Search(tol=tol, method=method, sense=sense, max_rounds=max_rounds)
    sys.exit(solve_file(matrix, search, figure=figure, wanted=Wanted(report, figures), as_json=as_json))


@main.command()
@click.argument("file")
@click.option("--truth", required=True, help="The column of what happened; every other column is an expert.")
@click.option("--loss", default="square", show_default=True, help="square, absolute, percentage, log, brier, zero-one.")
@click.option("--rule", "rule_name", default="ml-pol", show_default=True, help="Which rule; see `littlestone rules`.")
@rule_flags("experts")
@click.option("--ignore", multiple=True, help="A column to leave out; can be given several times.")
@click.option("--predictions", help="Write the predictions to this file.")
@report_options
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def experts(
    file: str,
    truth: str,
    loss: str,
    rule_name: str,
    ignore: tuple[str, ...],
    predictions: str | None,
    report: str | None,
    figures: str | None,
    as_json: bool,
    **given: str | None,
) -> None:
    """Combine the columns of a CSV file into one forecast, round by round.

    \b
    Examples:
      littlestone experts forecasts.csv --truth load --loss square --rule ml-pol
      littlestone experts forecasts.csv --truth load --ignore date --report run.html
    """
    from littlestone.cli.experts import combine_file
    from littlestone.experts import RULES

    rule = made(chosen(RULES, rule_name), given)
    combine_file(
        file,
        rule,
        truth=truth,
        loss=loss,
        ignore=ignore,
        predictions=predictions,
        wanted=Wanted(report, figures),
        as_json=as_json,
    )
