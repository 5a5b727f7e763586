"""A figure of matplotlib that a notebook shows, whether or not pyplot was ever imported."""

from __future__ import annotations

import io
from typing import final

from matplotlib.figure import Figure


@final
class ShownFigure(Figure):
    """A figure that needs no backend."""

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", dpi=110, facecolor="white")
        return buffer.getvalue()
