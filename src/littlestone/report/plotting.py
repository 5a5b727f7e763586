"""The figure of a run: its charts, one below the other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from littlestone.conformal.run import ConformalRun
from littlestone.epochs import Epochs
from littlestone.errors import NotApplicable
from littlestone.experts.run import ExpertRun
from littlestone.games.extensive import ExtensiveSolution
from littlestone.games.solution import Solution
from littlestone.report.drawing import check_matplotlib, drawn_together, save_drawn
from littlestone.report.expert_plot import run_charts
from littlestone.report.games import bracket_charts
from littlestone.report.shards import by_partition
from littlestone.report.writing import section
from littlestone.run import Run

if TYPE_CHECKING:
    import os

    from matplotlib.figure import Figure

    from littlestone.display import Plotted
    from littlestone.report.chart import Chart
    from littlestone.theory.proofs import Against


def plot(of: Run | Plotted, path: str | os.PathLike[str] | None = None, *, against: Against = None) -> Figure:
    """The figure, written to a file where one is named.

    Raises:
        NotApplicable: if there is nothing to draw, or matplotlib is not there.
    """
    check_matplotlib()
    charts = _charts(of, against)
    if not charts:
        raise NotApplicable("the run has no rounds; there is nothing to draw")
    figure = drawn_together(charts)
    if path is not None:
        save_drawn(figure, Path(path))
    return figure


def _charts(of: Run | Plotted, against: Against) -> tuple[Chart, ...]:
    if isinstance(of, ExpertRun):
        return run_charts(of)
    if isinstance(of, Solution | ExtensiveSolution):
        return bracket_charts(of)
    if isinstance(of, Epochs):
        return (by_partition(of, [f"partition {k}" for k in range(len(of.partitions))]),)
    assert isinstance(of, Run | ConformalRun)
    return section(of, against=against).charts
