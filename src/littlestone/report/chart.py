"""Charts as data: what is drawn, without how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, final

import numpy as np

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray

LONGEST = 60
"""Letters of a name in a legend; of a longer one the beginning is shown."""

COLOURS = 7
"""So many colours can be told apart by everyone; more lines than that share a grey."""


@final
class Role(Enum):
    """What a line stands for, which decides how it looks."""

    MEASURED = "measured"
    BOUND = "bound"
    ONE_OF_MANY = "one of many"
    GUIDE = "guide"
    POINTS = "points"


@final
@dataclass(frozen=True, eq=False)
class Line:
    """Points in order; the colour, and with it the dash, is a number below COLOURS, or None for ink. A guide is grey."""

    name: str
    x: FloatArray
    y: FloatArray
    role: Role = Role.ONE_OF_MANY
    colour: int | None = None


@final
@dataclass(frozen=True, eq=False)
class Band:
    """The area between two curves."""

    name: str
    x: FloatArray
    low: FloatArray
    high: FloatArray
    colour: int = 0


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Chart:
    """A figure: lines and bands over one pair of axes, or shares of a whole that are stacked.

    `name` becomes the name of its files, `words` says what is to be seen for those who cannot see it.
    """

    name: str
    title: str
    words: str
    x_label: str
    y_label: str
    lines: tuple[Line, ...] = ()
    bands: tuple[Band, ...] = ()
    stack: tuple[Line, ...] = ()
    log_x: bool = False
    log_y: bool = False
    whole_x: bool = False
    """Whether there is nothing between the whole numbers along x."""
    percent: bool = False
    zero: bool = False
    """Whether a line is drawn at 0."""


def as_array(values: Sequence[float]) -> FloatArray:
    """Numbers as an array."""
    return np.array(values, dtype=np.float64)
