"""`littlestone follow`: what can be typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, final
from urllib.parse import parse_qs, urlsplit

import click

from littlestone.cli.completion import complete_learners
from littlestone.cli.machine import print_json
from littlestone.cli.options import check_no_scale, made, owners, rule_flags, scale_option, view_for
from littlestone.cli.options import learner as rule_of
from littlestone.cli.text import say

if TYPE_CHECKING:
    from littlestone.follow import Habits, MessageLog, OnError
    from littlestone.learner import Learner
    from littlestone.streams.files import TextFormat

_FORMATS = click.Choice(["jsonl", "svmlight", "vw", "csv", "tsv"])


@final
class Url(NamedTuple):
    """Where a log is, and what of it is followed."""

    scheme: str
    host: str
    topic: str
    database: str


@click.command("follow")
@click.argument("url")
@click.option("--model", required=True, help="The model file, which also says how far the log was read.")
@click.option("--labels", metavar="TOPIC", help="Labels that come later, under the keys of their rows.")
@click.option("--predictions", metavar="TOPIC", help="Write a prediction for every row here, once.")
@click.option(
    "--rule", "rule_name", shell_complete=complete_learners, help="Which rule; see `littlestone rules`. Without one: the pool."
)
@rule_flags("learners")
@scale_option
@click.option("--format", "form", type=_FORMATS, default="jsonl", show_default=True, help="What a message holds.")
@click.option("--bits", "--hash-bits", type=click.IntRange(1, 30), help="Hash features to 2^BITS columns.")
@click.option("--label", metavar="KEY", help="The key or column of the label in a row.")
@click.option("--every", type=click.IntRange(min=1), default=1000, show_default=True, help="Messages between two writings.")
@click.option("--seconds", type=click.FloatRange(min=0.0), default=1.0, show_default=True, help="Or so much time.")
@click.option("--expire", type=click.FloatRange(min=0.0), metavar="SECONDS", help="How long a row waits for its label.")
@click.option("--on-error", type=click.Choice(["raise", "skip"]), default="raise", show_default=True, help="Bad messages.")
@click.option("--until-end", is_flag=True, help="Stop where the log ends now.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Stop after so many messages in all.")
@click.option("--set", "settings", metavar="KEY=VALUE", multiple=True, help="A setting of librdkafka (Kafka).")
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def command(
    url: str,
    model: str,
    labels: str | None,
    predictions: str | None,
    rule_name: str | None,
    scale: str | None,
    form: TextFormat,
    bits: int | None,
    label: str | None,
    every: int,
    seconds: float,
    expire: float | None,
    on_error: OnError,
    until_end: bool,
    limit: int | None,
    settings: tuple[str, ...],
    as_json: bool,
    quiet: bool,
    **given: str | None,
) -> None:
    """Follow a Kafka topic or a Redis stream: predict every row as it comes, and learn it when its label is there.

    The model file holds the learner and how far the log was read. Stop it, or kill it, and start it again: it goes on with
    the same bits, and every message counts once.

    \b
    Examples:
      littlestone follow kafka://localhost:9092/clicks --model clicks.lst
      littlestone follow kafka://a:9092,b:9092/rows --labels outcomes --predictions scores --expire 86400 --model m.lst
      littlestone follow redis://localhost:6379/rows --model m.lst --rule passive-aggressive --C 0.1 --until-end
    """
    from littlestone.follow import Follower, Habits, Reading, Topics

    habits = Habits(every=every, seconds=seconds, expire=expire, on_error=on_error, until_end=until_end, limit=limit)
    place = _url(url)
    learner = _learner(rule_name, given, scale)
    log = _log(place, predictions, settings)
    try:
        follower = Follower(
            log,
            learner,
            model,
            topics=Topics(rows=place.topic, labels=labels, predictions=predictions),
            reading=Reading(format=form, bits=bits, label=label),
            habits=habits,
        )
        try:
            follower.run()
        finally:
            if as_json:
                print_json({"messages": follower.state.messages, "ledger": follower.state.ledger.to_dict()})
            elif not quiet:
                _say(follower, habits)
    finally:
        log.close()


def _say(follower: object, habits: Habits) -> None:
    from littlestone.follow import Follower

    assert isinstance(follower, Follower)
    state = follower.state
    say(f"{state.messages:,} messages: {state.ledger}")
    if habits.on_error == "skip" and state.skipped:
        say(f"{state.skipped:,} malformed messages skipped", err=True, colour="yellow")
    counts = state.counts
    if counts.predictions:
        say(f"{counts.waiting:,} rows wait for their labels, {counts.expired:,} were given up")


def _learner(name: str | None, given: dict[str, str | None], scale: str | None) -> Learner:
    """By the rule that was named; without one by the pool, which refuses what looks like a target."""
    from littlestone.learner import Learner

    if name is not None:
        rule = made(rule_of(name), given)
        return Learner(rule, missing="skip", view=view_for(rule, scale))
    check_no_scale(scale)
    for flag, text in given.items():
        if text is not None:
            raise click.UsageError(f"--{flag.replace('_', '-')} is a flag of {', '.join(owners(flag))}; name one by --rule")
    return Learner(missing="skip")


def _url(url: str) -> Url:
    parts = urlsplit(url)
    topic = parts.path.strip("/")
    if parts.scheme not in ("kafka", "redis") or not parts.netloc or not topic or "/" in topic:
        raise click.UsageError(f"got {url!r}; expected kafka://host:port/topic or redis://host:port/stream")
    return Url(parts.scheme, parts.netloc, topic, parse_qs(parts.query).get("db", ["0"])[0])


def _log(url: Url, predictions: str | None, settings: tuple[str, ...]) -> MessageLog:
    pairs = [setting.partition("=") for setting in settings]
    if any(not sign for _, sign, _ in pairs):
        raise click.UsageError("--set takes KEY=VALUE, such as security.protocol=SSL")
    try:
        if url.scheme == "kafka":
            from littlestone.kafka import KafkaLog

            config = {key: value for key, _, value in pairs} | {"bootstrap.servers": url.host}
            return KafkaLog(config, writer=f"littlestone-{url.topic}-{predictions}")
        from littlestone.redis import RedisLog
    except ModuleNotFoundError:
        raise click.UsageError(f"{url.scheme}:// needs a package; pip install 'littlestone[{url.scheme}]'") from None
    if pairs:
        raise click.UsageError("--set is for kafka://")
    return RedisLog(f"redis://{url.host}/{url.database}")
