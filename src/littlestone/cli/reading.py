"""How files are read: what the options of every command that reads rows come to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, final

from littlestone.cli.early import CHUNK
from littlestone.errors import InvalidParameter
from littlestone.lazy import click

if TYPE_CHECKING:
    from littlestone.learner import Learner
    from littlestone.streams.files import FormatName, Reader


@final
class FileOptions(NamedTuple):
    """What was said of the files; a command gets it as `reading`."""

    form: FormatName | None = None
    bits: int | None = None
    label: str | None = None
    weight_column: str | None = None
    ignore: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    date: tuple[str, ...] = ()
    header: bool | None = None
    separator: str | None = None
    constant: bool = False
    interactions: tuple[str, ...] = ()
    names: bool = False
    missing_values: str | None = None
    on_error: Literal["raise", "skip"] = "raise"

    def reader(
        self,
        file: str,
        *,
        cache: bool = False,
        chunk: int = CHUNK,
        learner: Learner | None = None,
        indicator: bool = False,
    ) -> Reader:
        """A reader of one of the files; what was said of those that a model was learned from need not be said again.

        Raises:
            click.UsageError: for an option outside its domain, by the name of its flag.
        """
        from littlestone.streams.files import read
        from littlestone.streams.formats import MISSING_VALUES

        recipe = None if learner is None else learner.recipe
        scheme = None if learner is None else learner.snapshot(copy=False).space.scheme
        usual = MISSING_VALUES if recipe is None else recipe.missing
        said = usual if self.missing_values is None else tuple(filter(None, self.missing_values.split(",")))
        known = None if scheme is None or scheme.kind != "hash" else scheme
        try:
            return read(
                file,
                format=self.form,
                chunk=chunk,
                bits=known.bits if self.bits is None and known is not None else self.bits,
                label=self.label,
                weight=self.weight_column,
                ignore=self.ignore,
                categorical=self.categorical,
                text=self.text,
                date=self.date,
                header=self.header,
                separator={"tab": "\t", "\\t": "\t"}.get(self.separator or "", self.separator),
                constant=self.constant,
                interactions=self.interactions if self.interactions or known is None else known.interactions,
                names=self.names,
                missing_values=said,
                indicator=indicator or (learner is not None and learner.missing == "indicator"),
                recipe=recipe,
                on_error=self.on_error,
                cache=cache,
            )
        except InvalidParameter as error:
            raise click.UsageError(as_flags(str(error))) from None


def typed_files(readers: Sequence[Reader]) -> list[str]:
    """The files as they were typed: - is standard input."""
    return ["-" if reader.source.path is None else str(reader.source.path) for reader in readers]


def chunk_for(file: str, *, curves: bool) -> int:
    """Bytes a chunk; for curves of short files there must be many chunks."""
    if not curves or file == "-" or not Path(file).is_file():
        return CHUNK
    return max(256, min(CHUNK, Path(file).stat().st_size // 200))


# What the library says of an argument, and what the command line says of its flag.
_SPOKEN = (*FileOptions._fields[1:], "weight", "format", "missing", "against", "largest")
# Compiled, and the module loaded, when there is a sentence: most runs have none.
_ARGUMENT = rf"""\b({"|".join(_SPOKEN)})=(?:\["?'?([^]"']*)"?'?\]|"([^"]*)")?"""
_VIEW = r"\bview=ls\.(?:features|views)\.(\w+)\(\)(?: \(scale=[^)]*\))?"
_SUBJECT = rf"(^|; )({'|'.join(_SPOKEN)}) (is|must)\b"


def as_flags(sentence: str) -> str:
    """A sentence of the library with flags in the place of arguments.

    Example:
        >>> as_flags('say format=; missing="skip" leaves it out, categorical=["a"] takes it')
        'say --format; --missing skip leaves it out, --categorical a takes it'
        >>> as_flags("separator is '#'; separator must be one of ','")
        "--separator is '#'; --separator must be one of ','"
    """
    import re

    named = re.sub(_ARGUMENT, lambda found: " ".join(filter(None, (_flag(found[1]), found[2] or found[3]))), sentence)
    named = named.replace("calibrate=True", "--calibrate")
    seen = re.sub(_VIEW, lambda found: f"--scale {_scale(found[1])}", named)
    return re.sub(_SUBJECT, lambda found: f"{found[1]}{_flag(found[2])} {found[3]}", seen)


def _scale(of_class: str) -> str:
    """The name of a view on the command line."""
    from littlestone.views import NAMES

    return next((name for name, view in NAMES.items() if view.__name__ == of_class), of_class)


def _flag(argument: str) -> str:
    return {"weight": "--weight-column"}.get(argument, "--" + argument.replace("_", "-"))
