"""Relative entropy to the start: the nearest mixture without a loss (ENT), and the one that balances it with the loss."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from littlestone.theory.comparators.descent import NearOptimum
from littlestone.theory.comparators.smooth import ascend
from littlestone.theory.comparators.trials import Trials

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray

# The gradient of the dual is what the constraints are missed by, so the ends are drawn in by more than it will be.
_INNER = 1e-6
# A few hundred steps of the smooth dual come within a few thousandths of its best, whatever the price.
_STEPS = 500


def entropy_projection(trials: Trials, start: FloatArray | None = None) -> NearOptimum:
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
        return NearOptimum(first.copy(), 0.0)

    def dual(a: FloatArray) -> tuple[float, FloatArray]:
        exponents = np.log(first) + rows.T @ a
        top = float(exponents.max())
        weights = np.exp(exponents - top)
        total = float(weights.sum())
        return top + math.log(total) - float(ends @ a), rows @ (weights / total) - ends

    a = ascend(dual, len(ends))
    exponents = np.log(first) + rows.T @ a
    weights = np.exp(exponents - exponents.max())
    return NearOptimum(weights / weights.sum(), math.nan)


def entropy_balance(
    trials: Trials, total: float, price: float, *, start: FloatArray | None = None, signed: bool = False
) -> NearOptimum:
    """Minimises Σ distance to the intervals + price·D(p‖s) over distributions p, the scores being those of u = U·p.

    Signed, p is over the features and their negatives. In the dual a row has a number from 0 to 1 for each finite end, the
    slope of its distance there; p ∝ s·exp(U·Σaₜxₜ/price), and the dual is smooth: its value says how far p is from the best.

    Args:
        trials: rows and intervals.
        total: U.
        price: what a unit of relative entropy costs.
        start: s, inside the simplex; None is uniform.
        signed: whether weights may be negative.

    Example:
        >>> from littlestone.theory.comparators import Trials, entropy_balance
        >>> trials = Trials.of_labels([[1.0, -1.0]], [1])
        >>> [entropy_balance(trials, 1.0, price).u.round(4).tolist() for price in (0.1, 1.0)]   # p = 1/(1 + e^{-2/price})
        [[1.0, 0.0], [0.8808, 0.1192]]
    """
    from scipy.sparse import csr_array, hstack, vstack

    low, high = trials.ends()
    below, above, rows = np.isfinite(low), np.isfinite(high), trials.rows()
    sided = csr_array(hstack([rows, -rows])) if signed else rows
    slopes, ends = csr_array(vstack([sided[below], -sided[above]])), np.concatenate([low[below], -high[above]])
    first = np.log(np.full(sided.shape[1], 1.0 / max(1, sided.shape[1])) if start is None else start)

    def mixed(a: FloatArray) -> tuple[FloatArray, float]:
        exponents = first + total / price * (slopes.T @ a)
        top = float(exponents.max()) if len(exponents) else 0.0
        weights = np.exp(exponents - top)
        return weights / weights.sum(), top + math.log(float(weights.sum()))

    def dual(a: FloatArray) -> tuple[float, FloatArray]:
        p, size = mixed(a)
        return price * size - float(ends @ a), total * (slopes @ p) - ends

    a = ascend(dual, len(ends), most=1.0, steps=_STEPS)
    p = mixed(a)[0]
    lost = np.maximum(ends - total * (slopes @ p), 0.0).sum() + price * relative_entropy(p, np.exp(first))
    gap = max(0.0, 1.0 + dual(a)[0] / lost) if lost > 0.0 else 0.0
    u: FloatArray = total * (p[: trials.width] - p[trials.width :] if signed else p)
    return NearOptimum(u, gap)


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
