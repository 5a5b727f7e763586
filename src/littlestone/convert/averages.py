"""Averaged predictors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from littlestone.convert.hypotheses import hypotheses

if TYPE_CHECKING:
    from littlestone.learner import Learner
    from littlestone.run import Run


def averaged_survival(of: Run) -> Learner:
    """The mean of the weights used in each round, (w_1 + ... + w_T)/T: each vector counts as long as it survived.

    Mohri et al. call the sign of this sum the voted Perceptron; here `voted` is the vote.

    Raises:
        NotApplicable: if the run was made without average=True.

    Example:
        >>> import littlestone as ls
        >>> X, y = [[1, 0], [-3, 1], [0, 1], [1, 0], [0, 1]], [1, 1, -1, 1, -1]
        >>> 5 * ls.convert.averaged_survival(ls.run(ls.Perceptron(), X, y, average=True)).state.w
        array([-4.,  1.])
    """
    return of.learner.averaged()


def averaged_uniform(of: Run) -> Learner:
    """The mean of the distinct vectors v_0, ..., v_M of a run: each counts once, however long it survived.

    Raises:
        NotApplicable: if the run was made without keep=("step", "update").

    Example:
        >>> import littlestone as ls
        >>> X, y = [[1, 0], [-3, 1], [0, 1], [1, 0], [0, 1]], [1, 1, -1, 1, -1]
        >>> run = ls.run(ls.Perceptron(), X, y, keep=("step", "update"))
        >>> 6 * ls.convert.averaged_uniform(run).state.w
        array([-5.,  0.])
    """
    known = hypotheses(of)
    batch = of.learner.batch(of.X)
    count = len(known.rows)
    # v_0 + ... + v_M = (M+1)·v_M − Σ_j j·step_j·x_j: step j is missing from the first j vectors.
    late = np.zeros(len(of.state.w))
    for j, (row, step) in enumerate(zip(known.rows, known.steps, strict=True), start=1):
        batch[int(row)].add_to(late, j * float(step))
    return of.learner.with_weights(((count + 1) * of.state.w - late) / (count + 1))
