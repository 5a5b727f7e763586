"""The figure of a bracket closing."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from littlestone import outputs
from littlestone.errors import InvalidParameter, NotApplicable

if TYPE_CHECKING:
    from littlestone.games.extensive import ExtensiveSolution
    from littlestone.games.solution import Solution


def plot_bracket(solution: Solution | ExtensiveSolution, path: str | Path) -> None:
    """Draws the bracket over the rounds, above its length on a logarithmic scale.

    Raises:
        NotApplicable: if matplotlib is not there.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise NotApplicable("a figure needs matplotlib; install littlestone[plot]") from None
    history = solution.history
    rounds, gap = np.maximum(history.rounds, 1.0), np.maximum(history.upper - history.lower, 1e-300)
    figure = Figure(figsize=(7.0, 5.5), layout="constrained")
    bracket, length = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    bracket.fill_between(rounds, history.lower, history.upper, color="tab:blue", alpha=0.25, linewidth=0.0)
    bracket.plot(rounds, history.upper, color="tab:red", label="upper: conceded")
    bracket.plot(rounds, history.lower, color="tab:blue", label="lower: secured")
    bracket.axhline(solution.value, color="black", linewidth=0.8, linestyle=":")
    bracket.set_ylabel("value of the game")
    bracket.set_title(f"{solution.method}: value {solution.value:.6g} ± {solution.gap / 2.0:.2g}")
    bracket.legend(frameon=False)
    length.loglog(rounds, gap, color="black", label="gap")
    length.axhline(solution.target, color="tab:green", linewidth=0.8, linestyle="--", label="asked for")
    length.set_xlabel("rounds")
    length.set_ylabel("gap")
    length.legend(frameon=False)
    buffer = io.BytesIO()
    try:
        figure.savefig(buffer, dpi=120, format=Path(path).suffix[1:] or "png")
    except ValueError as error:
        raise InvalidParameter(f"{path} names no kind of figure: {error}") from None
    outputs.write(path, [buffer.getvalue()])
