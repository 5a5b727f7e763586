"""The table of rules, made from the rules themselves."""

from __future__ import annotations

import dataclasses
import sys

from littlestone.cli.machine import print_json
from littlestone.cli.text import say
from littlestone.domain import parameters
from littlestone.experts import RULES as EXPERTS
from littlestone.kernels import RULES as KERNELS
from littlestone.kernels import KernelRule
from littlestone.linear import RULES as LINEAR
from littlestone.multiclass import RULES as MULTICLASS
from littlestone.pool import RULES as POOL
from littlestone.rule import Rule
from littlestone.theory import theory
from littlestone.uniclass import RULES as UNICLASS

# A terminal narrower than this has room for the first few columns only.
_WIDE, _NARROW = 160, 3
HEADER = ("rule", "in short", "parameters", "guarantees", "source")


def rows() -> list[tuple[str, str, str, str, str]]:
    """One row a rule: name, first line of its docstring, parameters with defaults, guarantees, source."""
    return [(rule.__name__, _in_short(rule), _parameters(rule), _guarantees(rule), rule.source) for rule in _rules()]


def _rules() -> tuple[type[Rule], ...]:
    return (*POOL, *LINEAR, *MULTICLASS, *KERNELS, *UNICLASS, *EXPERTS)


def as_markdown() -> str:
    """The table as Markdown."""
    lines = [_line(HEADER), _line(("---",) * len(HEADER))]
    lines += [_line((f"`{name}`", short, given, known, source)) for name, short, given, known, source in rows()]
    return "\n".join(lines)


def print_rules(*, markdown: bool, as_json: bool = False) -> None:
    """Prints the table for people, as Markdown or as JSON."""
    if as_json:
        named = zip(_rules(), rows(), strict=True)
        print_json({"rules": [dict(zip(HEADER, (rule.name(), *row[1:]), strict=True)) for rule, row in named]})
        return
    if markdown:
        say(as_markdown())
        return
    if sys.stdout.isatty():
        _print_table()
        return
    for rule in _rules():
        say(f"{rule.name()}: {_in_short(rule)}")
        say(f"  parameters: {_parameters(rule) or 'none'}\n  guarantees: {_guarantees(rule)}\n  source: {rule.source}")


def _print_table() -> None:
    """By the names that --rule takes, which are never cut."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    shown = len(HEADER) if console.width >= _WIDE else _NARROW
    table = Table("--rule", *HEADER[1:shown])
    table.columns[0].no_wrap = True
    for rule, row in zip(_rules(), rows(), strict=True):
        table.add_row(rule.name(), *row[1:shown])
    console.print(table)


def _line(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cells) + " |"


def _in_short(rule: type[Rule]) -> str:
    return (rule.__doc__ or "").strip().splitlines()[0]


def _parameters(rule: type[Rule]) -> str:
    fields: dict[str, dataclasses.Field[object]] = getattr(rule, "__dataclass_fields__", {})
    return ", ".join(_parameter(fields[name]) for name in parameters(rule))


def _parameter(field: dataclasses.Field[object]) -> str:
    return field.name if field.default is dataclasses.MISSING else f"{field.name}={field.default}"


def _guarantees(rule: type[Rule]) -> str:
    found = [key for key, guarantee in theory.guarantees.items() if rule in guarantee.rules]
    return ", ".join(found + _in_the_space_of_a_kernel(rule)) or "none"


def _in_the_space_of_a_kernel(rule: type[Rule]) -> list[str]:
    """A kernel rule has the theorems of the linear rule that it is in the space of its kernel."""
    if not issubclass(rule, KernelRule):
        return []
    primal = str(rule.primal.__annotations__["return"])
    return [f"those of {primal}, in the space of the kernel"] if primal in {known.__name__ for known in LINEAR} else []
