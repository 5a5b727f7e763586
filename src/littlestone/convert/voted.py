"""The voted predictor."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np
import numpy.typing as npt

from littlestone import _core
from littlestone.convert.converted import Converted, mistakes_of, risk
from littlestone.convert.hypotheses import Hypotheses, hypotheses, in_space, kernel_values

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from littlestone.arrays import FloatArray
    from littlestone.kernels import KernelRule
    from littlestone.learner import Learner
    from littlestone.run import Run
    from littlestone.streams.space import Table

_PRODUCTS_AT_ONCE = 1 << 21

_Products: TypeAlias = "Callable[[_core.Batch, npt.NDArray[np.int64]], tuple[FloatArray, FloatArray]]"
"""Products of some rows of a batch with the start, and with the row of each update, a column each."""


@final
class Voted:
    """Every vector of a run votes with its sign, as often as it survived rounds: sgn(Σ_k c_k·sgn(v_k·x)).

    Cost: O(M·nonzeros) per row for M updates (for a kernel rule, M kernel evaluations); the vectors are never formed.
    """

    def __init__(self, known: Hypotheses, learner: Learner, products: _Products) -> None:
        self._known = known
        self._learner = learner
        self._products = products

    def score_many(self, X: Table) -> FloatArray:
        """The balance of the vote for each row, between −1 and 1."""
        batch = self._learner.batch(X)
        votes = np.zeros(len(batch))
        at_once = max(1, _PRODUCTS_AT_ONCE // (len(self._known.rounds) + 1))
        for begin in range(0, len(batch), at_once):
            rows = np.arange(begin, min(begin + at_once, len(batch)))
            votes[rows] = self._balance(*self._products(batch, rows))
        return votes

    def predict_many(self, X: Table) -> npt.NDArray[np.generic]:
        """The labels of the rows; a tie goes to the positive one."""
        return self._learner.label_values(np.where(self.score_many(X) < 0, -1, 1).astype(np.int8))

    def _balance(self, first: FloatArray, products: FloatArray) -> FloatArray:
        """From products with the start and with the row of each update to the balance of the vote."""
        known = self._known
        scores = np.column_stack([first, first[:, np.newaxis] + np.cumsum(products * known.steps, axis=1)])
        balance: FloatArray = np.sign(scores) @ known.survival / max(known.total_rounds, 1)
        return balance


def voted(of: Run) -> Voted:
    """The vote of all vectors of a run that was made with keep=("step", "update").

    Raises:
        NotApplicable: if the run kept no updates, or the rule shrinks its weights.

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.Perceptron(), [[1, 0], [-3, 1], [0, 1]], [1, 1, -1], keep=("step", "update"))
        >>> ls.convert.voted(run).score_many([[1, 0]])   # 0 abstains, (1, 0) says +, (-2, 1) says -
        array([0.])
    """
    known, batch = hypotheses(of), of.learner.batch(of.X)
    linear = of.rule.abilities.has_weights
    products = _linear_products(known, batch) if linear else _kernel_products(in_space(of.rule), known, batch)
    return Voted(known, of.learner, products)


def vote(of: Run, *, delta: float = 0.05, iid: bool = False, unseen: bool | None = None) -> Converted:
    """`voted` with a bound on its risk (risk.vote): a wrong vote needs half of the hypotheses, by survival, to be wrong.

    Args:
        of: a run of one pass, made with keep=("step", "update").
        delta: the probability with which the bound may fail.
        iid: you declare that the rows are independent, from one distribution, and that their number was fixed in advance.
        unseen: of a run from weights that were given, you declare that whoever made them had not seen these rows.
    """
    evidence = mistakes_of(of, delta=delta, iid=iid, unseen=unseen)
    return Converted(voted(of), (risk("risk.vote").certify(evidence),))


def _linear_products(known: Hypotheses, batch: _core.Batch) -> _Products:
    support = _matrix(batch, known.rows, len(known.start))

    def products(of: _core.Batch, rows: npt.NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
        matrix = _matrix(of, rows, len(known.start))
        together: FloatArray = (matrix @ support.T).toarray()
        return np.asarray(matrix @ known.start), together

    return products


def _kernel_products(rule: KernelRule, known: Hypotheses, batch: _core.Batch) -> _Products:
    distinct, places = np.unique(known.rows, return_inverse=True)
    evaluate = kernel_values(rule, batch, distinct)

    def products(of: _core.Batch, rows: npt.NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
        together = np.array([evaluate(of, row)[places] for row in rows.tolist()])
        return np.zeros(len(rows)), together.reshape(len(rows), len(places))

    return products


def _matrix(batch: _core.Batch, rows: npt.NDArray[np.int64], width: int) -> csr_matrix[np.float64]:
    from scipy.sparse import csr_matrix

    start, index, value = batch.csr(rows)
    return csr_matrix((value, index, start), shape=(len(rows), width))
