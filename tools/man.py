"""Writes a manual page for the command line and one for each subcommand, from what click knows of them, into build/man.

Usage: python tools/man.py [FOLDER]         (then: man build/man/littlestone-learn.1)
"""

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from littlestone import __version__
from littlestone.cli.main import main as command

FOLDER = Path(__file__).parent.parent / "build" / "man"


def escaped(text: str) -> str:
    """A text that troff takes for a text."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def body(text: str) -> Iterator[str]:
    """A docstring as paragraphs; what follows the mark of click stays as it was typed."""
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        if paragraph.startswith("\b"):
            yield from (".PP", ".nf", escaped(paragraph.lstrip("\b\n")), ".fi")
        else:
            yield from (".PP", escaped(" ".join(paragraph.split())))


def options(context: click.Context) -> Iterator[str]:
    """What can be given, as click lists it."""
    for parameter in context.command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            yield from (".TP", f"\\fB{escaped(record[0])}\\fR", escaped(" ".join(record[1].split())) or "\\&")


def page(context: click.Context) -> str:
    """One page."""
    name = context.command_path.replace(" ", "-")
    summary = context.command.get_short_help_str(limit=200).rstrip(".")
    usage = " ".join([context.command_path, *context.command.collect_usage_pieces(context)])
    lines = [
        f'.TH "{name.upper()}" "1" "" "littlestone {__version__}" "littlestone"',
        ".SH NAME",
        f"{escaped(name)} \\- {escaped(summary)}",
        ".SH SYNOPSIS",
        escaped(usage),
        ".SH DESCRIPTION",
        *body(context.command.help or ""),
        ".SH OPTIONS",
        *options(context),
    ]
    if isinstance(context.command, click.Group):
        found = ((other, context.command.get_command(context, other)) for other in context.command.list_commands(context))
        lines.append(".SH COMMANDS")
        for other, known in found:
            assert known is not None
            lines += [".TP", f"\\fB{escaped(f'{name}-{other}')}\\fR(1)", escaped(known.get_short_help_str(limit=200))]
    else:
        lines += [".SH SEE ALSO", "\\fBlittlestone\\fR(1)"]
    return "\n".join(lines) + "\n"


def main(folder: Path) -> None:
    """Writes them all."""
    folder.mkdir(parents=True, exist_ok=True)
    top = click.Context(command, info_name="littlestone")
    contexts = [top]
    for name in command.list_commands(top):
        known = command.get_command(top, name)
        assert known is not None
        contexts.append(click.Context(known, parent=top, info_name=name))
    for context in contexts:
        (folder / f"{context.command_path.replace(' ', '-')}.1").write_text(page(context), encoding="utf-8")
    sys.stdout.write(f"{len(contexts)} pages in {folder}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
