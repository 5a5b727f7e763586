"""The voted predictor."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

import numpy as np
import numpy.typing as npt

from littlestone.convert.hypotheses import Hypotheses, hypotheses

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from littlestone import _core
    from littlestone.arrays import FloatArray
    from littlestone.learner import Learner
    from littlestone.run import Run
    from littlestone.streams.space import Table

_ROWS_AT_ONCE = 512


@final
class Voted:
    """Every vector of a run votes with its sign, as often as it survived rounds: sgn(Σ_k c_k·sgn(v_k·x)).

    Cost: O(M·nonzeros) a row for M updates; the vectors themselves are never formed.
    """

    def __init__(self, known: Hypotheses, learner: Learner, support: csr_matrix[np.float64]) -> None:
        self._known = known
        self._learner = learner
        self._support = support

    def score_many(self, X: Table) -> FloatArray:
        """The balance of the vote for each row, between −1 and 1."""
        batch = self._learner.batch(X)
        votes = np.zeros(len(batch))
        for begin in range(0, len(batch), _ROWS_AT_ONCE):
            rows = np.arange(begin, min(begin + _ROWS_AT_ONCE, len(batch)))
            votes[rows] = self._balance(batch, rows)
        return votes

    def predict_many(self, X: Table) -> npt.NDArray[np.generic]:
        """The labels of the rows; a tie goes to the positive one."""
        return self._learner.label_values(np.where(self.score_many(X) < 0, -1, 1).astype(np.int8))

    def _balance(self, batch: _core.Batch, rows: npt.NDArray[np.int64]) -> FloatArray:
        known, matrix = self._known, _matrix(batch, rows, len(self._known.start))
        first = np.asarray(matrix @ known.start)
        products = (matrix @ self._support.T).toarray() * known.steps
        scores = np.column_stack([first, first[:, np.newaxis] + np.cumsum(products, axis=1)])
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
    known = hypotheses(of)
    return Voted(known, of.learner, _matrix(of.learner.batch(of.X), known.rows, len(known.start)))


def _matrix(batch: _core.Batch, rows: npt.NDArray[np.int64], width: int) -> csr_matrix[np.float64]:
    from scipy.sparse import csr_matrix

    start, index, value = batch.csr(rows)
    return csr_matrix((value, index, start), shape=(len(rows), width))
