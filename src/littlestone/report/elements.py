"""Elements of a page, built as a tree: whatever a text holds, it is written as text."""

from __future__ import annotations

import re
from typing import TypeAlias
from xml.etree import ElementTree as ET

Element: TypeAlias = ET.Element
Child: TypeAlias = "Element | str | None"

# What no XML or HTML document may hold, even escaped.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")


def el(tag: str, *children: Child, **attributes: str) -> Element:
    """An element; `class_` and `for_` are written without the underscore, other underscores as hyphens."""
    element = ET.Element(tag, {_attribute(name): clean(value) for name, value in attributes.items()})
    for child in children:
        if isinstance(child, str):
            _append_text(element, clean(child))
        elif child is not None:
            element.append(child)
    return element


def clean(text: str) -> str:
    """A text with a mark in place of each character that a page cannot hold."""
    return _FORBIDDEN.sub("\ufffd", text)


def document(root: Element) -> str:
    """The whole page as text."""
    return "<!DOCTYPE html>\n" + ET.tostring(root, encoding="unicode", method="html") + "\n"


def _attribute(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _append_text(element: Element, text: str) -> None:
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text
