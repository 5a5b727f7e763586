"""Smooth duals with variables between 0 and a bound."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from littlestone.progress import Patience

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray


def ascend(
    minus_dual: Callable[[FloatArray], tuple[float, FloatArray]], count: int, *, most: float | None = None, steps: int = 20_000
) -> FloatArray:
    """The best variables from 0 to `most` of a concave dual; the function gives minus its value and minus its gradient."""
    from scipy.optimize import fmin_l_bfgs_b

    bounds = [(0.0, most)] * count
    with Patience(f"dual of {count:,} variables"):
        found, _, _ = fmin_l_bfgs_b(
            minus_dual, np.zeros(count), bounds=bounds, factr=10.0, pgtol=1e-9, maxiter=steps, maxfun=10 * steps
        )
    return np.asarray(found, dtype=np.float64)
