"""What a shell offers when Tab is pressed: files, rules, the flags of rules, and the values that they take."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Completed: TypeAlias = "Callable[[click.Context, click.Parameter, str], list[CompletionItem]]"


def complete_files(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Whatever is in the folder, as the shell does it."""
    from click.shell_completion import CompletionItem  # loaded by Tab alone

    return [CompletionItem(incomplete, type="file")]


def complete_learners(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The rules that `learn` offers; behind a comma, one more of them."""
    from littlestone.cli.options import learner_names

    before, comma, last = incomplete.rpartition(",")
    return _items([before + comma + name for name in learner_names() if name.startswith(last)])


def complete_experts(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The rules of experts."""
    from littlestone.experts import RULES

    return _items([rule.name() for rule in RULES if rule.name().startswith(incomplete)])


def complete_values(words: str) -> Completed:
    """The values of a flag whose help lists them: one of "a", "b".

    Example:
        >>> command = click.Command("learn")
        >>> offered = complete_values('one of "PA", "PA-I"; of passive-aggressive')
        >>> [item.value for item in offered(click.Context(command), click.Option(["--variant"]), "PA-")]
        ['PA-I']
    """
    listed = re.match(r'one of ("[^;]*")', words)
    values = re.findall(r'"([^"]*)"', listed[1]) if listed else []
    return partial(_beginning, values)


def _beginning(values: list[str], _: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return _items([value for value in values if value.startswith(incomplete)])


def _items(values: list[str]) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(value) for value in values]
