"""The calibration curve: how often the label came where it was given so much of a chance."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from littlestone.report.chart import Band, Chart, Line, Role, as_array

if TYPE_CHECKING:
    from littlestone.ledger import Ledger

_WIDE = 1.96
"""Of a normal deviate, 95 % are nearer to 0."""


def reliability_charts(ledger: Ledger) -> list[Chart]:
    """The curve of a run that gave the positive of two labels probabilities in at least two tenths; of any other none."""
    found = ledger.reliability
    if len(found) < 2 or sum(told for _, _, told in found) < ledger.forecasts:  # the others were of more than two classes
        return []
    mean, came, told = (as_array(column) for column in zip(*found, strict=True))
    low, high = zip(*(_wilson(share, rounds) for _, share, rounds in found), strict=True)
    apart = float(np.average(np.abs(mean - came), weights=told))
    return [
        Chart(
            name="reliability",
            title="Reliability of the probabilities",
            words=f"In each tenth of the probabilities, how often the positive label came. Probability and frequency are "
            f"{apart:.2%} apart in the mean over {int(told.sum()):,} rounds; on the diagonal they are equal.",
            x_label="probability of the positive label",
            y_label="how often it came",
            lines=(
                Line("how often it came", mean, came, Role.MEASURED, 0),
                Line("as often as foretold", as_array([0.0, 1.0]), as_array([0.0, 1.0]), Role.GUIDE),
            ),
            bands=(Band("about 95 %, if the rows are independent", mean, as_array(low), as_array(high), 0),),
            percent=True,
        )
    ]


def _wilson(share: float, rounds: int) -> tuple[float, float]:
    """Wilson's interval for a share (Wilson 1927), which stays within 0 and 1."""
    square = _WIDE**2 / rounds
    middle = share + square / 2.0
    half = _WIDE * math.sqrt(share * (1.0 - share) / rounds + square / (4.0 * rounds))
    return max(0.0, (middle - half) / (1.0 + square)), min(1.0, (middle + half) / (1.0 + square))
