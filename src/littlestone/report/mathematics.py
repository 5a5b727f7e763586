"""Theorems as MathML, which browsers set by themselves."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from xml.etree import ElementTree as ET

from littlestone.errors import NotApplicable
from littlestone.theory import theory

# The converter leaves these as they are behind a command of size such as Bigl.
_FENCES = {r"\lfloor": "⌊", r"\rfloor": "⌋", r"\lceil": "⌈", r"\rceil": "⌉", r"\{": "{", r"\}": "}", r"\|": "‖"}
_MATHML = "{http://www.w3.org/1998/Math/MathML}"


def check_latex() -> None:
    """Raises what a missing converter would raise later.

    Raises:
        NotApplicable: if latex2mathml is not there.
    """
    if find_spec("latex2mathml") is None:
        raise NotApplicable("a report needs latex2mathml; install littlestone[report]")


def theorem(key: str) -> ET.Element | None:
    """The formula of a theorem by its id; None for one that the catalogue does not know."""
    if key not in theory:
        return None
    text = _mathml(theory[key].latex)
    root = ET.fromstring(text)
    for node in root.iter():
        node.tag = node.tag.removeprefix(_MATHML)
        node.text = _FENCES.get(node.text or "", node.text)
        _space_names(node)
    return root


def _space_names(row: ET.Element) -> None:
    """A thin space between the name of a function and its argument, as TeX has it."""
    for k in range(len(row) - 1, 0, -1):
        name, argument = row[k - 1], row[k]
        if name.tag.endswith("mi") and len(name.text or "") > 1 and not argument.tag.endswith(("mo", "mspace")):
            row.insert(k, ET.Element("mspace", width="0.17em"))


@cache
def _mathml(latex: str) -> str:
    from latex2mathml.converter import convert

    return convert(latex, display="block")
