"""Frames in, frames out: results in the shape in which the advice came."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

from littlestone.streams.batches import frame_values, is_frame, numbers

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd
    import polars as pl

    from littlestone.arrays import FloatArray

    Column: TypeAlias = "FloatArray | pd.Series[float] | pl.Series"
    Grid: TypeAlias = "FloatArray | pd.DataFrame | pl.DataFrame"


@final
@dataclass(frozen=True, eq=False)
class Shape:
    """The frame that the advice came in; None where it came as an array."""

    frame: object

    def column(self, values: FloatArray, name: str) -> Column:
        """One value per round."""
        if type(self.frame).__module__.startswith("pandas"):
            import pandas as pd

            return pd.Series(values, index=self.frame.index if isinstance(self.frame, pd.DataFrame) else None, name=name)
        if type(self.frame).__module__.startswith("polars"):
            import polars as pl

            return pl.Series(name, values)
        return values

    def grid(self, values: FloatArray, names: tuple[str, ...]) -> Grid:
        """One value per round and expert."""
        if type(self.frame).__module__.startswith("pandas"):
            import pandas as pd

            index = self.frame.index if isinstance(self.frame, pd.DataFrame) else None
            return pd.DataFrame(values, index=index, columns=list(names))
        if type(self.frame).__module__.startswith("polars"):
            import polars as pl

            return pl.DataFrame(values, schema=list(names), orient="row")
        return values


def read(advice: object) -> tuple[npt.NDArray[np.float64] | npt.NDArray[np.float32], tuple[str, ...] | None, Shape]:
    """The numbers of the advice, in place where they can be, the names of the experts if it has any, and its shape."""
    if is_frame(advice):
        names, values = frame_values(advice)
        return values, tuple(names), Shape(advice)
    return numbers(advice, "the advice"), None, Shape(None)
