"""A model that begins with nothing, by the name of its rule and its flags, as on the command line."""

from __future__ import annotations

from collections.abc import Mapping

import click

from littlestone.cli.options import learner, made
from littlestone.learner import Learner
from littlestone.multiclass import OneVersusRest
from littlestone.serve.errors import unfit
from littlestone.serve.models import Served, ServedLearner


def fresh_model(rule: str, parameters: Mapping[str, str | float | bool], *, one_versus_rest: bool = False) -> Served:
    """The model of a rule.

    Raises:
        RefusalError: if there is no such rule, or it refuses a parameter.
    """
    try:
        chosen = made(learner(rule), {name: str(value) for name, value in parameters.items()})
    except click.UsageError as error:
        raise unfit(error.format_message()) from None
    return ServedLearner(Learner(OneVersusRest(rule=chosen) if one_versus_rest else chosen))
