"""What shows itself in a notebook: as a small table, and where there is something to see, as a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import os

    from matplotlib.figure import Figure


@runtime_checkable
class Displayed(Protocol):
    """Is shown as a table; `littlestone.report.cards` says what stands in it."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from littlestone.report.cards import card_of

        return card_of(self).html()


@runtime_checkable
class Plotted(Displayed, Protocol):
    """Has curves, too."""

    __slots__ = ()

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """The curves in one figure of matplotlib (the extra `plot`), which a notebook shows.

        Args:
            path: where to write it too, as SVG where the name ends so and as PNG otherwise.

        Raises:
            NotApplicable: if there are no rounds to draw, or matplotlib is not there.
        """
        from littlestone.report.plotting import plot

        return plot(self, path)
