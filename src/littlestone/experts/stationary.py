"""The stationary distribution of a Markov chain."""

from __future__ import annotations

import numpy as np

from littlestone.arrays import FloatArray


def stationary(rates: FloatArray) -> FloatArray:
    """The p with Σ_j p_k·rates[k, j] = Σ_i p_i·rates[i, k] for every k; rates off the diagonal are above 0.

    By the elimination of Grassmann, Taksar and Heyman 1985, which subtracts nothing and so loses no digits.
    """
    chain = np.array(rates, dtype=np.float64)
    states = len(chain)
    np.fill_diagonal(chain, 0.0)
    for last in range(states - 1, 0, -1):
        chain[:last, last] /= float(np.sum(chain[last, :last]))
        chain[:last, :last] += np.outer(chain[:last, last], chain[last, :last])
    p = np.zeros(states)
    p[0] = 1.0
    for k in range(1, states):
        p[k] = float(p[:k] @ chain[:k, k])
    return p / float(np.sum(p))
