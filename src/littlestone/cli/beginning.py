"""Where the learner of `littlestone learn` comes from: a rule that was typed, the pool for a task, or a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, final

from littlestone.cli.imports import load, quick_imports
from littlestone.lazy import click

if TYPE_CHECKING:
    from littlestone.cli.task import Decided, Task
    from littlestone.learner import Learner
    from littlestone.rule import LinearRule
    from littlestone.snapshots import Missing
    from littlestone.streams.files import Reader


@final
class TypedRule(NamedTuple):
    """A rule as it was typed."""

    name: str | None
    flags: dict[str, str | None]
    rest: bool

    def rule(self) -> LinearRule:
        """The rule."""
        if self.name is None:
            raise click.UsageError("--workers mixes learners of a rule; name one by --rule, such as --rule perceptron")
        from littlestone.cli.options import learner, made

        rule = made(learner(self.name), self.flags)
        if not self.rest:
            return rule
        from littlestone.multiclass import OneVersusRest

        return OneVersusRest(rule=rule)


@final
class Fresh(NamedTuple):
    """How a learner begins that no file holds."""

    average: bool
    keeps_mean: bool
    """Whether it is kept, if only for a certificate."""
    missing: Missing
    scale: str | None
    calibrate: bool

    def learner(self, typed: TypedRule, decided: Decided | None, task: Task | None) -> Learner:
        """The pool where a task was decided, and otherwise a learner of the rule that was typed."""
        with quick_imports():  # all of it before the first rows are asked for: until then readers go far ahead
            from littlestone.learner import Learner

        if decided is not None:
            rule = decided.rule()
            _check_average(rule, average=self.average)
            return Learner(rule, missing=self.missing)
        if task is not None:
            raise click.UsageError(f"--task is for the pool; leave out --rule {typed.name}, or --task")
        rule = typed.rule()
        _check_average(rule, average=self.average)
        from littlestone.cli.options import view_for

        view = view_for(rule, self.scale)
        with quick_imports():
            load("numpy")  # which its state is made of; that of a pool is the core's
        average = self.keeps_mean and rule.abilities.averages
        return Learner(rule, average=average, missing=self.missing, view=view, calibrate=self.calibrate)


def _check_average(rule: LinearRule, *, average: bool) -> None:
    """Refuses to keep what there is not."""
    if average and not rule.keeps_mean():
        raise click.UsageError(f"{rule.name()} keeps no mean of its weights; leave out --average")


def decided_by(reader: Reader, task: Task | None) -> Decided:
    """The task that the first chunk speaks for."""
    from littlestone.cli.passes import check_labelled
    from littlestone.cli.task import Decided

    with quick_imports():
        load("littlestone.learner", "littlestone.pool.pool")
    first = reader.peek()
    if first is not None:
        check_labelled(reader, first)
    return Decided(None if first is None else first.y, task)


def check_alone(typed: TypedRule, scale: str | None, *, calibrate: bool) -> None:
    """Refuses a rule's flag where no rule was named."""
    from littlestone.cli.options import check_no_scale, owners

    check_no_scale(scale)
    if calibrate:
        raise click.UsageError("--calibrate is for a --rule; the pool has calibrated probabilities without it")
    if typed.rest:
        raise click.UsageError("--one-versus-rest needs a --rule; without one the pool learns any number of classes")
    for name, text in typed.flags.items():
        if text is not None:
            flag, having = name.replace("_", "-"), owners(name)
            cure = f"say --rule {having[0]} with it" if len(having) == 1 else "name one of them by --rule"
            raise click.UsageError(f"--{flag} is a flag of {', '.join(having)}; {cure}")


def continued(path: str, given: dict[str, str | None], *, resumed: bool) -> Learner:
    """The model of a file goes on as it was; of a run that is resumed the flags are those that it began with."""
    from littlestone.cli.intervals import learner_of

    if not resumed:
        _check_nothing_new(given)
    return learner_of(path, click.get_current_context().params["interval"])


def _check_nothing_new(given: dict[str, str | None]) -> None:
    """Refuses a rule and its flags beside a model, which has its own."""
    from click.core import ParameterSource

    context = click.get_current_context()
    flags = ["rule"] if context.get_parameter_source("rule_name") is not ParameterSource.DEFAULT else []
    flags += [name for name, text in given.items() if text is not None]
    flags += [name for name in ("scale", "calibrate", "task") if context.params[name] not in (None, False)]
    if flags:
        raise click.UsageError(f"the model of --from has its own rule and parameters; leave out --{flags[0].replace('_', '-')}")
