"""The table of rules, made from the rules themselves."""

from __future__ import annotations

import dataclasses

from littlestone.domain import parameters
from littlestone.experts import RULES as EXPERTS
from littlestone.linear import RULES as LINEAR
from littlestone.rule import Rule
from littlestone.theory import theory

HEADER = ("rule", "in short", "parameters", "guarantees", "source")


def rows() -> list[tuple[str, str, str, str, str]]:
    """One row a rule: name, first line of its docstring, parameters with defaults, guarantees, source."""
    return [(rule.__name__, _in_short(rule), _parameters(rule), _guarantees(rule), rule.source) for rule in (*LINEAR, *EXPERTS)]


def as_markdown() -> str:
    """The table as Markdown."""
    lines = [_line(HEADER), _line(("---",) * len(HEADER))]
    lines += [_line((f"`{name}`", short, given, known, source)) for name, short, given, known, source in rows()]
    return "\n".join(lines)


def print_rules(*, markdown: bool) -> None:
    """Prints the table for people, or as Markdown."""
    if markdown:
        print(as_markdown())
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(*HEADER)
    for row in rows():
        table.add_row(*row)
    Console().print(table)


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
    return ", ".join(key for key, guarantee in theory.guarantees.items() if rule in guarantee.rules) or "none"
