"""Theorems as MathML, which browsers set by themselves."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from xml.etree import ElementTree as ET

from littlestone.errors import NotApplicable
from littlestone.theory import theory

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
    return root


@cache
def _mathml(latex: str) -> str:
    from latex2mathml.converter import convert

    return convert(latex, display="block")
