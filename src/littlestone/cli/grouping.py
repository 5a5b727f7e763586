"""Options that belong together and reach a command as one value."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import NamedTuple, TypeAlias

Command: TypeAlias = "Callable[..., None]"
Option: TypeAlias = "Callable[[Command], Command]"


def grouped(name: str, group: type[NamedTuple], *options: Option) -> Option:
    """Adds options to a command, which gets them as one value of this name: a tuple with a field for each of them."""

    def decorated(command: Command) -> Command:
        @wraps(command)
        def called(**given: object) -> None:
            said = [given.pop(field) for field in group._fields]
            command(**{name: group._make(said)}, **given)

        made: Command = called
        for option in reversed(options):
            made = option(made)
        return made

    return decorated
