"""The entropy projection: the mixture without a loss that is nearest to the start in relative entropy (ENT)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from littlestone.theory.comparators.descent import Solution
from littlestone.theory.comparators.smooth import ascend
from littlestone.theory.comparators.trials import Trials

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray

# The gradient of the dual is what the constraints are missed by, so the ends are drawn in by more than it will be.
_INNER = 1e-6


def entropy_projection(trials: Trials, start: FloatArray | None = None) -> Solution:
    """Minimises Σ w·log(w/w₁) with every score inside its interval, w ≥ 0 and Σw = 1.

    The solution is w ∝ w₁·exp(Σ aₜ·xₜ) with aₜ ≥ 0 at a lower end and aₜ ≤ 0 at an upper one; the dual is smooth, and any w
    whose measured loss is 0 makes a valid certificate.

    Args:
        trials: rows and intervals.
        start: w₁, inside the simplex; None is uniform.

    Example:
        >>> import littlestone as ls
        >>> from littlestone.theory.comparators import Trials, entropy_projection
        >>> trials = Trials.of(ls.PassiveAggressiveRegression(epsilon=0.1), [[1.0, 0.0]], [0.9])
        >>> entropy_projection(trials).u.round(5)
        array([0.8, 0.2])
    """
    first = np.full(trials.width, 1.0 / max(1, trials.width)) if start is None else start
    rows, ends = _signed_rows(trials)
    if len(ends) == 0:
        return Solution(first.copy(), 0.0)

    def dual(a: FloatArray) -> tuple[float, FloatArray]:
        exponents = np.log(first) + rows.T @ a
        top = float(exponents.max())
        weights = np.exp(exponents - top)
        total = float(weights.sum())
        return top + math.log(total) - float(ends @ a), rows @ (weights / total) - ends

    a = ascend(dual, len(ends))
    exponents = np.log(first) + rows.T @ a
    weights = np.exp(exponents - exponents.max())
    return Solution(weights / weights.sum(), math.nan)


def relative_entropy(w: FloatArray, start: FloatArray) -> float:
    """Σ w·log(w/w₁), where 0·log 0 is 0."""
    held = w > 0.0
    return float(np.sum(w[held] * np.log(w[held] / start[held])))


def _signed_rows(trials: Trials) -> tuple[FloatArray, FloatArray]:
    """Every finite end as `row·w ≥ end`."""
    low, high = trials.ends()
    hair = np.minimum(_INNER * (1.0 + np.abs(np.where(np.isfinite(low), low, high))), (high - low) / 4.0)
    rows = trials.dense()
    below, above = np.isfinite(low), np.isfinite(high)
    return np.vstack([rows[below], -rows[above]]), np.concatenate([(low + hair)[below], (hair - high)[above]])
