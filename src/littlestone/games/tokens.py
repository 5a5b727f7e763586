"""The words of Gambit's files: strings in quotes, braces, numbers; read in time that grows with the text and no faster."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TypeAlias

from littlestone.errors import InvalidData

DEEPEST = 16
"""Braces within braces; Gambit's own files have three of them."""

Tree: TypeAlias = "list[Tree | str]"

_TOKEN = re.compile(r'[\s,]*(?:"([^"\\]*(?:\\.[^"\\]*)*)"|([{}])|([^\s{},"]+)|\Z)', re.DOTALL)
_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_RATIO = re.compile(r"[+-]?\d+/\d+", re.ASCII)
_SHOWN = 40


def tokens(text: str, name: str) -> Iterator[str]:
    """Words, braces and quoted strings; strings keep their first quote, which tells them from words.

    Raises:
        InvalidData: if a string has no end.
    """
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise InvalidData(f"{name}, line {text.count(chr(10), 0, at) + 1}: a string has no end")
        at = match.end()
        quoted, brace, word = match.groups()
        if quoted is not None:
            yield '"' + quoted
        elif brace or word:
            yield brace or word


def tree(words: Iterable[str], name: str) -> Tree:
    """The words, with a list for each pair of braces.

    Raises:
        InvalidData: if braces do not match, or nest too deep.
    """
    found: Tree = []
    outer = list[Tree]()
    for word in words:
        if word == "{":
            outer.append(found)
            found = []
            if len(outer) > DEEPEST:
                raise InvalidData(f"{name} has braces within braces {len(outer)} deep; expected at most {DEEPEST}")
        elif word == "}":
            if not outer:
                raise InvalidData(f"{name} closes a brace that was not opened")
            outer[-1].append(found)
            found = outer.pop()
        else:
            found.append(word)
    if outer:
        raise InvalidData(f"{name} ends within braces")
    return found


def payoff(word: Tree | str, name: str) -> float:
    """A decimal number or a fraction, rounded once.

    Raises:
        InvalidData: if it is neither, or too large.
    """
    if isinstance(word, list):
        raise InvalidData(f"{name}: there are braces where a number should be")
    value = math.nan
    if _DECIMAL.fullmatch(word):
        value = float(word)
    elif _RATIO.fullmatch(word):
        value = _ratio(word)
    if not math.isfinite(value):
        raise InvalidData(f"{name}: {shortened(word)!r} is not a number; expected a finite decimal number or a fraction")
    return value


def count(word: Tree | str) -> int | None:
    """The whole number that a word is, if it is one that could count something."""
    return int(word) if isinstance(word, str) and word.isascii() and word.isdigit() and len(word) < 19 else None


def shortened(word: str) -> str:
    """A word as a sentence can hold it."""
    return word if len(word) <= _SHOWN else word[:_SHOWN] + "…"


def _ratio(word: str) -> float:
    try:
        return float(Fraction(word))
    except (ValueError, OverflowError, ZeroDivisionError):  # more digits than Python converts, or out of range
        return math.nan
