"""The command `littlestone`; its subcommands are in `cli/commands`."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import final

import click

from littlestone import __version__
from littlestone.cli.plain import told_in_a_line
from littlestone.cli.reading import as_flags
from littlestone.cli.shared import remember
from littlestone.cli.text import plain, say, silence
from littlestone.errors import LittlestoneError

_COMMANDS = (
    "demo",
    "rules",
    "learn",
    "follow",
    "race",
    "predict",
    "inspect",
    "export",
    "certify",
    "compare",
    "solve",
    "experts",
    "serve",
    "journal",
)
# Help is as wide as the terminal.
_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 10_000}


@final
class _Group(click.Group):
    """Refusals of the library are one sentence and exit code 1; wrong usage is exit code 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The subcommands in the order in which help lists them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of a name; no other is loaded."""
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"littlestone.cli.commands.{cmd_name}").command
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """The subcommand that is named, or the one that may have been meant."""
        if args[0] not in _COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], _COMMANDS, n=1)
            if near:
                raise click.UsageError(f"there is no command {args[0]!r}; did you mean {near[0]}?", ctx)
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keeps the command as it was typed, for reports."""
        remember(ctx, args)
        if os.environ.get("NO_COLOR"):
            ctx.color = False
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Runs the command."""
        try:
            with told_in_a_line():
                return super().invoke(ctx)
        except BrokenPipeError:  # whoever read our output has seen enough
            silence(sys.stdout)
            sys.exit(0)
        except click.NoSuchOption as error:
            raise click.UsageError(plain(_suggested(error)), error.ctx) from None
        except click.UsageError as error:
            raise click.UsageError(plain(error.format_message()), error.ctx) from None
        except (LittlestoneError, OSError, MemoryError) as error:
            raise click.ClickException(plain(_sentence(error))) from None
        except KeyboardInterrupt:
            say("Interrupted.", err=True)
            sys.exit(130)


# What other houses call it.
_ELSEWHERE = {
    **dict.fromkeys(("--target", "--y", "--truth"), "--label names the column that is learned"),
    **dict.fromkeys(("-b", "--bit_precision"), "--bits says how far features are hashed"),
    **dict.fromkeys(("-d", "--data"), "files are named without a flag"),
    **dict.fromkeys(("-f", "--final_regressor", "-o", "--output"), "--model names the file that the model goes to"),
    **dict.fromkeys(("-i", "--initial_regressor"), "--from goes on from a model"),
    **dict.fromkeys(("-p", "--out"), "--predictions names the file that they go to"),
    **dict.fromkeys(("-t", "--testonly"), "`littlestone predict` predicts and learns nothing"),
    **dict.fromkeys(("--probabilities", "--proba"), "`littlestone predict --probabilities` prints them"),
    **dict.fromkeys(("-l", "--learning_rate", "--learning-rate", "--lr"), "rules have steps of their own: --eta, --C"),
    **dict.fromkeys(("--loss_function", "--loss"), "--rule says how it is learned; see `littlestone rules`"),
    **dict.fromkeys(("--sep", "--delimiter"), "--separator says what stands between fields"),
    **dict.fromkeys(("--na-values", "--na_values"), "--missing-values lists what stands for nothing"),
    **dict.fromkeys(("--epochs", "--max-iter", "--n-iter"), "--passes says how often files are gone over"),
}


_PRINTED = dict.fromkeys(("-o", "--output", "-p", "--out", "--predictions"), "what is predicted is printed; > FILE keeps it")


def _suggested(error: click.NoSuchOption) -> str:
    """What to type instead: of other houses' flags, if this command has what they stand for."""
    command = None if error.ctx is None else error.ctx.command
    has = set[str]() if command is None else {flag for option in command.params for flag in option.opts}
    known = (_PRINTED if command is not None and command.name == "predict" else _ELSEWHERE).get(error.option_name)
    known = known or _ELSEWHERE.get(error.option_name)
    if known is None or (known.startswith("--") and known.split()[0] not in has):
        return error.format_message()
    return f"there is no {error.option_name}; {known}"


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, MemoryError):
        return f"there is not enough memory: {error}".rstrip(": ")
    return as_flags(str(error))


@click.group(cls=_Group, context_settings=_SETTINGS)
@click.version_option(__version__, prog_name="littlestone")
def main() -> None:
    """Online learning that shows its proof.

    \b
    Examples:
      littlestone demo
      littlestone learn train.svm --rule passive-aggressive --variant PA-I --C 0.1 --model spam.lst
      littlestone learn train.svm --report run.html
      littlestone race train.svm --grid C=0.01,0.1,1 --model best.lst
      littlestone follow kafka://localhost:9092/clicks --model clicks.lst
      littlestone predict spam.lst test.svm
      littlestone inspect spam.lst
      littlestone certify spam.lst train.svm --against best
      littlestone compare today.lst lastweek.lst new.svm
      littlestone experts forecasts.csv --truth load --report run.html
      littlestone solve payoffs.csv --tol 1e-6
      littlestone serve spam.lst --data served
      littlestone journal served
    """
