"""`littlestone serve`: what can be typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from littlestone.cli.options import learner, made, rule_flags
from littlestone.cli.serve import Beginning, Ways, serve_models, serve_options

if TYPE_CHECKING:
    from littlestone.learner import Learner


@click.command("serve")
@click.argument("model", required=False)
@click.option("--data", required=True, metavar="DIR", help="Where journal and snapshots are; made if it is not there.")
@click.option("--model", "more", multiple=True, metavar="NAME=FILE", help="A model by a name; may be given several times.")
@click.option("--rule", "rule_name", default="perceptron", show_default=True, help="Without a file: the rule to begin with.")
@rule_flags("learners")
@click.option("--one-versus-rest", is_flag=True, help="A learner of the rule for each class, for more than two labels.")
@serve_options
def command(
    model: str | None,
    data: str,
    more: tuple[str, ...],
    rule_name: str,
    one_versus_rest: bool,
    ways: Ways,
    **given: str | None,
) -> None:
    """Serve a model that learns, over HTTP; nothing that was acknowledged is ever lost.

    Where DIR has the model already, it goes on from there, and the file is not read again.

    \b
    Examples:
      littlestone serve spam.lst --data served
      littlestone serve --data served --rule passive-aggressive --C 0.1 --port 8080
      littlestone serve --data served --model spam=spam.lst --model price=price.lst --token-file tokens --host 0.0.0.0
    """
    flags = [name for name, text in given.items() if text is not None]
    if click.get_current_context().get_parameter_source("rule_name") is not ParameterSource.DEFAULT:
        flags.insert(0, "rule")
    if flags and (model is not None or more):
        raise click.UsageError(f"the model of a file has its own rule and parameters; leave out --{flags[0].replace('_', '-')}")
    rule = made(learner(rule_name), given)

    def fresh() -> Learner:
        from littlestone.learner import Learner
        from littlestone.multiclass import OneVersusRest

        return Learner(OneVersusRest(rule=rule) if one_versus_rest else rule)

    serve_models(data, Beginning(model, more, fresh), ways)
