"""The prior distribution over experts that several rules take."""

from __future__ import annotations

import numpy as np

from littlestone.arrays import FloatArray
from littlestone.domain import Domain
from littlestone.errors import InvalidData


def _is_distribution(value: object) -> bool:
    if not isinstance(value, np.ndarray) or value.ndim != 1 or not np.isfinite(value).all():
        return False
    return bool((value > 0.0).all()) and abs(float(np.sum(value)) - 1.0) <= 1e-9


DISTRIBUTION = Domain("a distribution: numbers above 0 that add up to 1", _is_distribution)


def log_prior(prior: FloatArray | None, experts: int) -> FloatArray:
    """log(N·prior): 0 for the uniform prior, whose constant factor plays no part in the weights.

    Raises:
        InvalidData: if the prior is of another length.
    """
    if prior is None:
        return np.zeros(experts)
    if len(prior) != experts:
        raise InvalidData(f"the prior has {len(prior)} weights and there are {experts} experts")
    return np.log(prior * experts)
