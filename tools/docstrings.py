"""An extension of griffe, by which the site reads docstrings as they are meant: their headings, examples and parameters."""

import re
from importlib import import_module

import griffe

from littlestone.domain import parameters

_HEADINGS = re.compile(r"^(Update|Tie|Weights|Cost|Defaults|Guarantee|Source|Errata):", re.MULTILINE)


class Docstrings(griffe.Extension):
    """Gives a rule its table of parameters, with the domain of each and the reason for its default."""

    def on_object(self, *, obj: griffe.Object, loader: griffe.GriffeLoader, **_: object) -> None:
        """Sets headings apart, and makes a session of the interpreter an example."""
        if obj.docstring is not None:
            text = re.sub(r"^Example:$", "Examples:", obj.docstring.value, flags=re.MULTILINE)
            obj.docstring.value = _HEADINGS.sub(r"\n**\1:**", text)

    def on_class(self, *, cls: griffe.Class, loader: griffe.GriffeLoader, **_: object) -> None:
        """Adds the table of a rule."""
        try:
            home = import_module(cls.module.path)
        except ModuleNotFoundError:  # of an extra that is not installed; no rule lives there
            return
        known = parameters(getattr(home, cls.name, None))
        if not known or cls.docstring is None:
            return
        for name in known:
            if name in cls.parameters and str(cls.parameters[name].default).startswith("parameter("):
                cls.parameters[name].default = str(cls.parameters[name].default)[len("parameter(") :].split(",")[0].strip()
        rows = [f"| `{name}` | {domain.domain.words} | {domain.why} |" for name, domain in known.items()]
        table = "\n".join(["| parameter | must be | why this default |", "| --- | --- | --- |", *rows])
        head, mark, rest = cls.docstring.value.partition("\nExamples:")
        cls.docstring.value = f"{head.rstrip()}\n\n{table}\n{mark}{rest}"
