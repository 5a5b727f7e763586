"""Averaged predictors."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from littlestone.convert.converted import Converted, mistakes_of, risk
from littlestone.convert.hypotheses import hypotheses, hypothesis

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
    count = len(known.rows)
    if not of.rule.abilities.has_weights:
        shares = 1.0 - np.arange(1, count + 1) / (count + 1)
        return hypothesis(of, replace(known, steps=known.steps * shares), count)
    batch = of.learner.batch(of.X)
    # v_0 + ... + v_M = (M+1)·v_M − Σ_j j·step_j·x_j: step j is missing from the first j vectors.
    late = np.zeros(len(of.state.w))
    for j, (row, step) in enumerate(zip(known.rows, known.steps, strict=True), start=1):
        batch[int(row)].add_to(late, j * float(step))
    return of.learner.with_weights(((count + 1) * of.state.w - late) / (count + 1))


def average(
    of: Run, *, delta: float = 0.05, iid: bool = False, unseen: bool | None = None, largest: float | None = None
) -> Converted:
    """The mean of the hypotheses used in each round, with a bound on its risk.

    Args:
        of: a run made with average=True (a kernel rule keeps its average anyway).
        delta: the probability with which the bound may fail.
        iid: you declare that the rows are independent, from one distribution, and that their number was fixed in advance.
        unseen: of a run from weights that were given, you declare that whoever made them had not seen these rows.
        largest: a bound on the loss that no row can exceed; without it mistakes are counted, whose loss is not convex, and
            nothing is proved of the mean (of a random hypothesis it is: mohri.8.14).

    Raises:
        NotApplicable: if the run kept no average.
        InvalidParameter: if the losses exceed `largest` on average.

    Example:
        >>> import littlestone as ls
        >>> from littlestone.streams.synthetic import linear_targets
        >>> X, y, _ = linear_targets(1000, 5, seed=1)
        >>> run = ls.run(ls.PassiveAggressiveRegression(epsilon=0.5), X, y, average=True)
        >>> result = ls.convert.average(run, iid=True, largest=4.0)
        >>> result.certificate.id, result.certificate.verdict.value
        ('risk.average', 'holds')
    """
    evidence = mistakes_of(of, delta=delta, iid=iid, unseen=unseen)
    if largest is not None:
        evidence = replace(evidence, loss=of.ledger.loss, squares=of.ledger.loss_squared, worst=of.ledger.largest_loss)
        evidence = replace(evidence, largest=largest, convex=True)
    certificates = tuple(risk(name).certify(evidence) for name in ("risk.average", "mohri.8.15a", "mohri.8.14"))
    return Converted(averaged_survival(of), certificates)
