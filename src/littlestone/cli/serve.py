"""`littlestone serve`: what the flags ask for, and what is said while the server starts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, final

import click

from littlestone.cli.text import say
from littlestone.errors import NotApplicable

if TYPE_CHECKING:
    from littlestone.learner import Learner
    from littlestone.serve.models import Served
    from littlestone.serve.server import Restored, Settings

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


@final
class Ways(TypedDict):
    """How to serve, as the flags have it."""

    host: str
    port: int
    token_file: str | None
    tls_certificate: str | None
    tls_key: str | None
    access_log: str | None
    snapshot_seconds: float
    keep_journal: bool
    waiting: int
    waiting_seconds: float
    remembered: int
    remembered_seconds: float
    largest_body: int
    vocabulary: int


@final
@dataclass(frozen=True)
class Beginning:
    """What a server begins with where its folder has nothing yet."""

    model: str | None
    more: tuple[str, ...]
    fresh: Callable[[], Learner]

    def models(self) -> dict[str, Callable[[], Served]]:
        """By name, what makes each model.

        Raises:
            click.UsageError: if a name is given twice, or cannot be one.
        """
        files: dict[str, str | None] = {} if self.more and self.model is None else {"default": self.model}
        for given in self.more:
            name, equals, file = given.partition("=")
            if not equals or not file or _NAME.fullmatch(name) is None or name in files:
                raise click.UsageError(f"--model {given!r}: expected NAME=FILE, each name once, of letters, digits, _, . and -")
            files[name] = file
        return {name: partial(_made, file, self.fresh) for name, file in files.items()}


def _made(file: str | None, fresh: Callable[[], Learner]) -> Served:
    from littlestone.serve.folder import model_of
    from littlestone.serve.models import ServedLearner

    return ServedLearner(fresh()) if file is None else model_of(Path(file))


def serve_models(data: str, beginning: Beginning, ways: Ways) -> None:
    """Restores the models and serves them until the process is asked to end."""
    try:
        from littlestone.serve.server import restored, serve
    except ModuleNotFoundError as error:
        raise NotApplicable(f"{error.name} is not installed; a server needs it: pip install littlestone[serve]") from None
    settings = _settings(Path(data), beginning, ways)
    settings.check()
    models = restored(settings)
    for each in models:
        _say_restored(each)
    serve(settings, models, _say_started)


def _settings(data: Path, beginning: Beginning, ways: Ways) -> Settings:
    from littlestone.serve.entries import Limits
    from littlestone.serve.requests import Caps
    from littlestone.serve.server import Settings
    from littlestone.serve.tokens import Tokens

    return Settings(
        data=data,
        models=beginning.models(),
        host=ways["host"],
        port=ways["port"],
        tokens=Tokens.found(ways["token_file"]),
        caps=Caps(body=ways["largest_body"], vocabulary=ways["vocabulary"]),
        limits=Limits(ways["waiting"], ways["waiting_seconds"], ways["remembered"], ways["remembered_seconds"]),
        snapshot_seconds=ways["snapshot_seconds"],
        keep_journal=ways["keep_journal"],
        access_log=None if ways["access_log"] is None else Path(ways["access_log"]),
        certificate=ways["tls_certificate"],
        key=ways["tls_key"],
    )


def _say_restored(each: Restored) -> None:
    rounds, mistakes = each.host.live.counts()
    replayed = f", {each.records:,} records replayed in {each.seconds:.2f} s" if each.records else ""
    say(f"{each.name}: {each.host.live.rule}, {rounds:,} rounds, {mistakes:,} mistakes{replayed}", err=True)
    for sentence in each.passed_over:
        say(f"{each.name}: {sentence}", err=True, colour="yellow")


def _say_started(address: str) -> None:
    say(f"Serving on {address}")
