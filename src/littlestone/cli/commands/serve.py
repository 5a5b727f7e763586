"""`littlestone serve`: what can be typed."""

from __future__ import annotations

import click

from littlestone.cli.completion import complete_files, complete_learners
from littlestone.cli.options import check_no_scale, rule_flags, scale_option
from littlestone.cli.serve import (
    Beginning,
    Ways,
    learner_to_begin_with,
    mixture_to_begin_with,
    pool_to_begin_with,
    serve_models,
    serve_options,
)


@click.command("serve")
@click.argument("model", required=False, shell_complete=complete_files)
@click.option("--data", required=True, metavar="DIR", help="Where journal and snapshots are; made if it is not there.")
@click.option("--model", "more", multiple=True, metavar="NAME=FILE", help="A model by a name; may be given several times.")
@click.option(
    "--rule",
    "rule_name",
    shell_complete=complete_learners,
    help="Without a file: the rule to begin with; without one, the pool, which needs no flag.",
)
@click.option("--task", type=click.Choice(["labels", "targets"]), help="What the pool learns; labels, if nothing is said.")
@rule_flags("learners", "experts")
@click.option(
    "--experts", metavar="NAMES", help="Without a file: a mixture of experts, 'a,b', judged by --loss or the square loss."
)
@click.option("--one-versus-rest", is_flag=True, help="A learner of the rule for each class, for more than two labels.")
@scale_option
@serve_options
def command(
    model: str | None,
    data: str,
    more: tuple[str, ...],
    rule_name: str | None,
    task: str | None,
    experts: str | None,
    one_versus_rest: bool,
    scale: str | None,
    ways: Ways,
    **given: str | None,
) -> None:
    """Serve a model that learns, over HTTP; nothing that was acknowledged is ever lost.

    Where DIR has the model already, it goes on from there, and the file is not read again. Without a word of what to begin
    with, it goes on with every model that DIR has.

    \b
    Examples:
      littlestone serve spam.lst --data served
      littlestone serve --data served --port 8080
      littlestone serve --data served --rule passive-aggressive --C 0.1 --scale standard
      littlestone serve --data served --experts gam,forest,ar --loss absolute --rule ml-pol
      littlestone serve --data served --model spam=spam.lst --model price=price.lst --token-file tokens --host 0.0.0.0
    """
    flags = (
        (["rule"] if rule_name else [])
        + (["scale"] if scale else [])
        + [name for name, text in given.items() if text is not None]
    )
    if flags and (model is not None or more):
        raise click.UsageError(f"the model of a file has its own rule and parameters; leave out --{flags[0].replace('_', '-')}")
    if task is not None and (rule_name is not None or experts is not None or model is not None):
        raise click.UsageError("--task is for the pool; leave it out, or the rest")
    if experts is not None:
        if scale is not None:
            raise click.UsageError("--scale is for rows of features, and experts are given as they are; leave it out")
        loss = given.pop("loss") or "square"  # the flag is that of a rule that has losses, too
        fresh = mixture_to_begin_with(experts.split(","), loss, rule_name or "ml-pol", given)
    elif rule_name is not None:
        fresh = learner_to_begin_with(rule_name, given, one_versus_rest=one_versus_rest, scale=scale)
    else:
        check_no_scale(scale)
        fresh = pool_to_begin_with(flags, task)
    asked = bool(flags or more) or any(given is not None for given in (model, rule_name, task, experts))
    serve_models(data, Beginning(model, more, fresh, asked), ways)
