"""What outlier detectors share."""

from __future__ import annotations

from abc import ABC
from typing import TYPE_CHECKING, Self, final

import numpy as np
from sklearn.base import OutlierMixin
from sklearn.utils.validation import validate_data

from littlestone import domain
from littlestone.sklearn.estimator import FLOATS, RuleEstimator
from littlestone.sklearn.passes import Fitting
from littlestone.sklearn.sample import Sample, rows_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray


class RuleDetector(OutlierMixin, RuleEstimator, ABC):
    """A ball around a centre that moves; what lies outside is an outlier. Labels are not read."""

    @final
    def fit(self, X: object, y: object = None) -> Self:
        """Learns a sample, in passes (see `max_iter` and `tol`)."""
        domain.check(self)
        sample = self._sample(X, reset=True)
        learner = self._learner_to_fit(self._new_learner(self.rule()))
        self.n_iter_ = Fitting(sample=sample).run(learner, self)
        self.learner_ = learner
        return self

    @final
    def partial_fit(self, X: object, y: object = None) -> Self:
        """Learns the rows once, in the order given."""
        domain.check(self)
        first = not hasattr(self, "learner_")
        sample = self._sample(X, reset=first)
        learner = self._new_learner(self.rule()) if first else self.learner_
        sample.teach(learner)
        self.learner_, self.n_iter_ = learner, 1
        return self

    @property
    @final
    def offset_(self) -> float:
        """`decision_function` is `score_samples` minus this: minus the radius beyond which rows are outside."""
        return -self.learner_.rule.threshold(self.learner_.state)

    @final
    def score_samples(self, X: object) -> FloatArray:
        """The distance of each row from the centre, negative: the larger, the more normal."""
        return self.decision_function(X) + self.offset_

    @final
    def decision_function(self, X: object) -> FloatArray:
        """The radius minus the distance of each row from the centre: below 0 for an outlier."""
        return -self._scored(X, lambda rows: self.learner_.score_many(rows))

    @final
    def predict(self, X: object) -> npt.NDArray[np.int64]:
        """1 inside, a row at the very radius among them, and −1 outside."""
        return np.where(self.decision_function(X) >= 0.0, 1, -1)

    @final
    def _sample(self, X: object, *, reset: bool) -> Sample:
        checked = validate_data(self, X, reset=reset, accept_sparse="csr", dtype=FLOATS)
        return Sample(rows_of(checked, constant=False))
