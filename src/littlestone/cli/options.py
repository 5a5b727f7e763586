"""Flags that come from the rules' own fields."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

import littlestone
from littlestone.cli.completion import complete_values
from littlestone.errors import InvalidParameter

if TYPE_CHECKING:
    from littlestone.domain import Parameter
    from littlestone.rule import LinearRule, Rule
    from littlestone.views import View

AnyRule = TypeVar("AnyRule", bound="Rule")
Command = TypeVar("Command", bound=Callable[..., object])
Named = TypeVar("Named")

# Whoever says --C or --gamma alone asks for a variant of Passive-Aggressive that has it.
_VARIANT_OF = {"C": "PA-I", "gamma": "relaxed"}
# What other houses, and people in a hurry, call them.
_ALIASES = {
    "pa": "passive-aggressive",
    "pa-regression": "passive-aggressive-regression",
    "par": "passive-aggressive-regression",
    "svm": "online-svm",
    "eu": "exponentiated-update",
    "eg": "exponentiated-update",
    "one-class": "uniclass",
    "ewa": "exponential-weights",
    "hedge": "exponential-weights",
    "rwm": "randomized-weighted-majority",
    "fpl": "follow-the-perturbed-leader",
}
# Comparators, which learn nothing, and what --one-versus-rest stands for.
_NOT_OFFERED = ("Fixed", "MulticlassFixed", "KernelFixed", "OneVersusRest")


def learners() -> tuple[type[LinearRule], ...]:
    """The rules that `learn` offers."""
    return tuple(map(learner, _offered()))


def learner(name: str) -> type[LinearRule]:
    """The rule of a name among those that `learn` offers; no other is loaded.

    Raises:
        click.UsageError: if there is none, naming those that sound like it.
    """
    rule: type[LinearRule] = getattr(littlestone, _of_name(_offered(), name))
    return rule


def learner_names() -> list[str]:
    """The names of the rules that `learn` offers; none of them is loaded."""
    return list(_offered())


def _offered() -> dict[str, str]:
    from littlestone import kernels, linear, multiclass, pool, uniclass
    from littlestone.rule import rule_name

    classes = (*pool.HOMES, *linear.HOMES, *multiclass.HOMES, *kernels.HOMES, *uniclass.HOMES)
    return {rule_name(name): name for name in classes if name not in _NOT_OFFERED}


def flags(rule: type[Rule]) -> dict[str, Parameter]:
    """The parameters of a rule that can be given as flags: a vector has no place on a command line."""
    from littlestone.domain import VECTOR, optional, parameters

    unfit = (VECTOR.words, optional(VECTOR).words)
    return {name: known for name, known in parameters(rule).items() if known.domain.words not in unfit}


def flag_table(rules: Iterable[type[Rule]]) -> dict[str, str]:
    """The flags of any of the rules with their help: which rules have it, and its domain; flags.json is made of it."""
    owners: dict[str, list[type[Rule]]] = {}
    for rule in rules:
        for name in flags(rule):
            owners.setdefault(name, []).append(rule)
    return {
        name: f"{_spelled(flags(having[0])[name])}; of {', '.join(rule.name() for rule in having)}"
        for name, having in owners.items()
    }


def owners(flag: str) -> list[str]:
    """The rules that have a flag, by name."""
    return [rule.name() for rule in learners() if flag in flags(rule)]


def _spelled(parameter: Parameter) -> str:
    return parameter.domain.spelled or parameter.domain.words


def rule_flags(*families: str) -> Callable[[Command], Command]:
    """Adds the flags of families of rules to a command: "learners", "experts" of flags.json, for which no rule is loaded."""
    known: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("flags.json").read_text("utf-8"))
    table: dict[str, str] = {}
    for name, words in (each for family in families for each in known[family].items()):
        table[name] = f"{table[name]}; {words}" if name in table else words

    def decorate(command: Command) -> Command:
        for name, words in reversed(table.items()):
            offered = complete_values(words)
            command = click.option(_flag(name), name, metavar="VALUE", shell_complete=offered, help=words)(command)
        return command

    return decorate


SCALES = ("standard", "rms", "max", "gauge", "bins", "pairs", "evidence")
"""The views of `littlestone.views`, which a test holds to be all of them; none is loaded."""
_SCALE = (
    "Show the rule every feature in a running scale (standard, rms, max, gauge), cut into bins or pairs of them, or weighed by "
    "evidence; several with commas, one behind another."
)


def _checked_scales(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """Each of the names, with commas between them, is one of a view."""
    known = click.Choice(SCALES)
    return None if value is None else ",".join(known.convert(name, option, context) for name in value.split(","))


scale_option = click.option(
    "--scale",
    "--view",
    "scale",
    metavar="VIEW",
    callback=_checked_scales,
    shell_complete=click.Choice(SCALES).shell_complete,
    help=_SCALE,
)


def check_no_scale(scale: str | None) -> None:
    """Refuses --scale where no rule was named."""
    if scale is not None:
        raise click.UsageError("--scale is for a --rule; without one the pool learns, which has scales of its own")


def view_of(scale: str | None) -> View | None:
    """The view of its names."""
    if scale is None:
        return None
    from littlestone.views import view_named

    return view_named(scale)


def view_for(rule: LinearRule, scale: str | None) -> View | None:
    """The view of its names, for a rule that takes one."""
    if scale is not None and not rule.abilities.takes_view:
        raise click.UsageError(f"--scale is {scale}, and {rule.name()} has scales of its own; leave it out")
    return view_of(scale)


def made(rule: type[AnyRule], given: dict[str, str | None]) -> AnyRule:
    """The rule with the flags that were given.

    Raises:
        click.UsageError: for a flag that the rule does not have, a parameter that is missing, or a value outside its domain.
    """
    known = flags(rule)
    values = {name: _value(known[name], text) for name, text in given.items() if text is not None and name in known}
    for name, text in given.items():
        if text is not None and name not in known:
            has = f"its flags are {', '.join(map(_flag, known))}" if known else "it has no flags of its own"
            raise click.UsageError(f"{rule.name()} has no {_flag(name)}; {has}")
    _check_spelled(rule, known, values, given)
    if "variant" in known:
        values = _asked_variant(values) | values
    fields: dict[str, dataclasses.Field[object]] = getattr(rule, "__dataclass_fields__", {})
    for name, parameter in known.items():
        if fields[name].default is dataclasses.MISSING and name not in values:
            raise click.UsageError(f"{rule.name()} needs {_flag(name)}: {_spelled(parameter)}")
    try:
        return rule(**values)
    except InvalidParameter as error:
        raise click.UsageError(_by_flag(str(error), rule, known)) from None


def _check_spelled(
    rule: type[Rule], known: Mapping[str, Parameter], values: Mapping[str, object], given: Mapping[str, str | None]
) -> None:
    """Refuses what is written otherwise on the command line than in Python, in the words of the command line."""
    for name, value in values.items():
        if known[name].domain.spelled and not known[name].domain.contains(value):
            told = f"{rule.name()}: {_flag(name)} is {given[name]}"
            raise click.UsageError(f"{told}; {_flag(name)} must be {_spelled(known[name])}")


def _by_flag(sentence: str, rule: type[Rule], known: Iterable[str]) -> str:
    """What a rule says of its parameters, with the names of flags.

    Example:
        >>> import littlestone as ls
        >>> _by_flag("Perceptron: eta is 'x'; eta must be a number", ls.Perceptron, ["eta"])
        "perceptron: --eta is 'x'; --eta must be a number"
    """
    told = sentence.replace(f"{rule.__name__}: ", f"{rule.name()}: ", 1)
    return re.sub(rf"\b({'|'.join(map(re.escape, known))}) (?=is\b|must\b|has\b)", lambda found: f"{_flag(found[1])} ", told)


def _asked_variant(values: Mapping[str, object]) -> dict[str, object]:
    return next(({"variant": variant} for name, variant in _VARIANT_OF.items() if name in values), {})


def chosen(rules: Iterable[type[AnyRule]], name: str) -> type[AnyRule]:
    """The rule of a name.

    Raises:
        click.UsageError: if there is none, listing what there is.
    """
    return _of_name({rule.name(): rule for rule in rules}, name)


def _of_name(named: Mapping[str, Named], name: str) -> Named:
    spelled = _ALIASES.get(name.lower(), name.lower().replace("_", "-"))
    if spelled in named:
        return named[spelled]
    bare = {known.replace("-", ""): known for known in named}
    if spelled.replace("-", "") in bare:
        return named[bare[spelled.replace("-", "")]]
    from difflib import get_close_matches

    close = get_close_matches(spelled, [*named, *(alias for alias in _ALIASES if _ALIASES[alias] in named)], n=3, cutoff=0.5)
    near = list(dict.fromkeys(_ALIASES.get(known, known) for known in close))
    hint = f"did you mean {' or '.join(near)}?" if near else "`littlestone rules` lists what there is"
    raise click.UsageError(f"there is no rule {name!r}; {hint}")


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _value(parameter: Parameter, text: str) -> object:
    """The text as what the domain takes: a whole number, a number, the text itself, or what the domain makes of it."""
    if parameter.domain.read is not None:
        try:
            return parameter.domain.read(text)
        except InvalidParameter as error:
            raise click.UsageError(str(error)) from None
    read = [value for value in (_read(int, text), _read(float, text), text) if value is not None]
    return next((value for value in read if parameter.domain.contains(value)), read[0])


def _read(kind: type[int] | type[float], text: str) -> float | None:
    try:
        return kind(text)
    except ValueError:
        return None
