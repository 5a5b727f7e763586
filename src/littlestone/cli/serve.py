"""`littlestone serve`: what the flags ask for, and what is said while the server starts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, final

import click

from littlestone.cli.machine import print_json
from littlestone.cli.options import chosen, learner, made, view_for
from littlestone.cli.text import say
from littlestone.columns import counted
from littlestone.errors import NotApplicable

if TYPE_CHECKING:
    from littlestone.serve.models import Served
    from littlestone.serve.server import Restored, Settings

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


@final
class Ways(NamedTuple):
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
    iid: bool
    as_json: bool


_COUNT, _SECONDS = click.IntRange(min=1), click.FloatRange(min=0.0, min_open=True)
_OPTIONS = (
    click.option("--host", default="127.0.0.1", show_default=True, help="The address; others than this machine need a token."),
    click.option(
        "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port; 0 takes a free one."
    ),
    click.option("--token-file", metavar="FILE", help="Who may do what: a line NAME:read:SECRET or NAME:learn:SECRET each."),
    click.option("--tls-certificate", metavar="FILE", help="Serve https with this certificate."),
    click.option("--tls-key", metavar="FILE", help="Its key."),
    click.option("--access-log", metavar="FILE", help="Note time, path, status and token of every request here; no rows."),
    click.option("--snapshot-seconds", type=_SECONDS, default=300.0, show_default=True, help="Seconds between two snapshots."),
    click.option(
        "--keep-journal", is_flag=True, help="Keep every record, for `littlestone journal`; else snapshots replace them."
    ),
    click.option("--waiting", type=_COUNT, default=100_000, show_default=True, help="Rows that may wait for their label."),
    click.option("--waiting-seconds", type=_SECONDS, default=604_800.0, show_default=True, help="How long they may wait."),
    click.option("--remembered", type=_COUNT, default=100_000, show_default=True, help="Answers remembered for retries."),
    click.option("--remembered-seconds", type=_SECONDS, default=86_400.0, show_default=True, help="How long."),
    click.option(
        "--largest-body", type=click.IntRange(1024, 1 << 22), default=1 << 20, show_default=True, help="Bytes a request."
    ),
    click.option("--vocabulary", type=_COUNT, default=1_000_000, show_default=True, help="Feature names a model may know."),
    click.option("--iid", is_flag=True, help="Declare the rows i.i.d. and bound the error on rows to come."),
    click.option("--json", "as_json", is_flag=True, help="Say where it is served as JSON."),
)


def serve_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options, which reach the command as one value."""

    @wraps(command)
    def served_so(**given: object) -> None:
        command(ways=Ways._make([given.pop(name) for name in Ways._fields]), **given)

    for option in reversed(_OPTIONS):
        served_so = option(served_so)
    return served_so


@final
@dataclass(frozen=True)
class Beginning:
    """What a server begins with where its folder has nothing yet."""

    model: str | None
    more: tuple[str, ...]
    fresh: Callable[[], Served]
    asked: bool
    """Whether it was said what to begin with."""

    def models(self, data: Path) -> dict[str, Callable[[], Served]]:
        """By name, what makes each model; where nothing is asked for, the models that the folder has.

        Raises:
            click.UsageError: if a name is given twice, or cannot be one.
        """
        from littlestone.serve.folder import models_in

        files: dict[str, str | None] = {} if self.more and self.model is None else {"default": self.model}
        if not self.asked:
            files = dict.fromkeys(models_in(data)) or files
        for given in self.more:
            name, equals, file = given.partition("=")
            if not equals or not file or _NAME.fullmatch(name) is None or name in files:
                raise click.UsageError(f"--model {given!r}: expected NAME=FILE, each name once, of letters, digits, _, . and -")
            files[name] = file
        return {name: partial(_made, file, self.fresh) for name, file in files.items()}


def _made(file: str | None, fresh: Callable[[], Served]) -> Served:
    from littlestone.serve.folder import model_of

    return fresh() if file is None else model_of(Path(file))


def learner_to_begin_with(
    rule_name: str, given: dict[str, str | None], *, one_versus_rest: bool, scale: str | None
) -> Callable[[], Served]:
    """What makes a learner of a rule; wrong flags are refused now."""
    rule = made(learner(rule_name), given)
    view = view_for(rule, scale)

    def fresh() -> Served:
        from littlestone.learner import Learner
        from littlestone.multiclass import OneVersusRest
        from littlestone.serve.models import ServedLearner

        return ServedLearner(Learner(OneVersusRest(rule=rule) if one_versus_rest else rule, view=view))

    return fresh


def pool_to_begin_with(flags: Sequence[str], task: str | None) -> Callable[[], Served]:
    """What makes a pool, which has no flags; it passes over values that are missing, and counts them.

    Raises:
        click.UsageError: for a flag of a rule.
    """
    if flags:
        raise click.UsageError(f"--{flags[0].replace('_', '-')} is of a rule; give --rule")

    def fresh() -> Served:
        from littlestone.learner import Learner
        from littlestone.pool import Pool, PoolRegression
        from littlestone.serve.models import ServedLearner

        # Where nobody said, the learner refuses a first label that looks like a target.
        rule = None if task is None else PoolRegression() if task == "targets" else Pool()
        return ServedLearner(Learner(rule, missing="skip"))

    return fresh


def mixture_to_begin_with(
    experts: Sequence[str], loss: str, rule_name: str, given: dict[str, str | None]
) -> Callable[[], Served]:
    """What makes a mixture of experts; wrong flags are refused now."""
    from littlestone.experts import RULES
    from littlestone.experts.mixture import Mixture

    mixture = Mixture(made(chosen(RULES, rule_name), given), experts=[name.strip() for name in experts], loss=loss)

    def fresh() -> Served:
        from littlestone.serve.mixtures import ServedMixture

        return ServedMixture(mixture)

    return fresh


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
    serve(settings, models, partial(_say_started, as_json=ways.as_json))


def _settings(data: Path, beginning: Beginning, ways: Ways) -> Settings:
    from littlestone.serve.entries import Limits
    from littlestone.serve.requests import Caps
    from littlestone.serve.server import Settings
    from littlestone.serve.tokens import Tokens

    return Settings(
        data=data,
        models=beginning.models(data),
        host=ways.host,
        port=ways.port,
        tokens=Tokens.found(ways.token_file),
        caps=Caps(body=ways.largest_body, vocabulary=ways.vocabulary),
        limits=Limits(ways.waiting, ways.waiting_seconds, ways.remembered, ways.remembered_seconds),
        snapshot_seconds=ways.snapshot_seconds,
        keep_journal=ways.keep_journal,
        access_log=None if ways.access_log is None else Path(ways.access_log),
        certificate=ways.tls_certificate,
        key=ways.tls_key,
        iid=ways.iid,
    )


def _say_restored(each: Restored) -> None:
    rounds, mistakes = each.host.live.counts()
    replayed = f", {each.records:,} records replayed in {each.seconds:.2f} s" if each.records else ""
    say(f"{each.name}: {each.host.live.rule}, {counted(rounds, 'round')}, {counted(mistakes, 'mistake')}{replayed}", err=True)
    for sentence in each.passed_over:
        say(f"{each.name}: {sentence}", err=True, colour="yellow")


def _say_started(address: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"address": address})
    else:
        say(f"Serving on {address}")
