"""The uniclass rules as outlier detectors."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Self, final

import numpy as np
from sklearn.base import OutlierMixin
from sklearn.utils.validation import validate_data

from littlestone import domain, uniclass
from littlestone.learner import Learner
from littlestone.sklearn.estimator import FLOATS, Estimator
from littlestone.sklearn.kernels import or_gaussian
from littlestone.sklearn.passes import Course
from littlestone.sklearn.sample import Sample, rows_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.kernels import Kernel
    from littlestone.kernels.rule import WhenFull


class Detector(OutlierMixin, Estimator, ABC):
    """A ball of radius ε around a centre that moves; what lies outside is an outlier. Labels are not read."""

    epsilon: float

    @final
    def fit(self, X: object, y: object = None) -> Self:
        """Learns a sample, in passes (see `max_iter` and `tol`)."""
        domain.check(self)
        sample = self._sample(X, reset=True)
        learner = self._learner_to_fit(Learner(self.rule()))
        self.n_iter_ = Course(sample=sample).run(learner, self)
        self.learner_ = learner
        return self

    @final
    def partial_fit(self, X: object, y: object = None) -> Self:
        """Learns the rows once, in the order given."""
        domain.check(self)
        first = not hasattr(self, "learner_")
        sample = self._sample(X, reset=first)
        learner = Learner(self.rule()) if first else self.learner_
        sample.teach(learner)
        self.learner_, self.n_iter_ = learner, 1
        return self

    @property
    def offset_(self) -> float:
        """`decision_function` is `score_samples` minus this: −ε."""
        return -self.epsilon

    @final
    def score_samples(self, X: object) -> FloatArray:
        """The distance of each row from the centre, negative: the larger, the more normal."""
        return self.decision_function(X) + self.offset_

    @final
    def decision_function(self, X: object) -> FloatArray:
        """ε minus the distance of each row from the centre: below 0 for an outlier."""
        rows = self._rows_to_score(X)
        return -self.learner_.score_many(rows)

    @final
    def predict(self, X: object) -> npt.NDArray[np.int64]:
        """1 inside, a row at the very distance ε among them, and −1 outside."""
        return np.where(self.decision_function(X) >= 0.0, 1, -1)

    @final
    def _sample(self, X: object, *, reset: bool) -> Sample:
        checked = validate_data(self, X, reset=reset, accept_sparse="csr", dtype=FLOATS)
        return Sample(rows_of(checked, constant=False))


@final
@dataclass(kw_only=True, eq=False, repr=False)
class UniclassDetector(Detector):
    """`ls.Uniclass` as an outlier detector. The radius is what you call near: 1 suits columns that were standardised.

    Example:
        >>> from littlestone.sklearn import UniclassDetector
        >>> model = UniclassDetector(epsilon=1.0).fit([[0.0], [0.5], [1.0]])
        >>> model.predict([[0.4], [9.0]])
        array([ 1, -1])
    """

    epsilon: float = 1.0

    def rule(self) -> uniclass.Uniclass:
        """`ls.Uniclass`."""
        return uniclass.Uniclass(epsilon=self.epsilon)


@final
@dataclass(kw_only=True, eq=False, repr=False)
class AdaptiveUniclassDetector(Detector):
    """`ls.AdaptiveUniclass` as an outlier detector, which needs no radius: it flags the share asked for.

    Example:
        >>> import numpy as np
        >>> from littlestone.sklearn import AdaptiveUniclassDetector
        >>> X = np.random.default_rng(0).normal(size=(3000, 2)) * [1.0, 50.0]
        >>> AdaptiveUniclassDetector().fit(X).predict([[0.0, 60.0], [9.0, 0.0]])
        array([ 1, -1])
    """

    flag: float = 0.01
    eta: float = 0.1

    @property
    def offset_(self) -> float:
        """`decision_function` is `score_samples` minus this: minus the threshold."""
        return -float(self.learner_.state.threshold[0])

    def rule(self) -> uniclass.AdaptiveUniclass:
        """`ls.AdaptiveUniclass`."""
        return uniclass.AdaptiveUniclass(flag=self.flag, eta=self.eta)


@final
@dataclass(kw_only=True, eq=False, repr=False)
class RadiusUniclassDetector(Detector):
    """`ls.RadiusUniclass` as an outlier detector; its radius is learned up to a bound; 10 is far in standardised columns."""

    bound: float = 10.0
    variant: Literal["PA", "PA-I", "PA-II"] = "PA-I"
    C: float | None = None

    @property
    def offset_(self) -> float:
        """`decision_function` is `score_samples` minus this: minus the bound."""
        return -self.bound

    def rule(self) -> uniclass.RadiusUniclass:
        """`ls.RadiusUniclass`."""
        return uniclass.RadiusUniclass(bound=self.bound, variant=self.variant, C=self.C)


@final
@dataclass(kw_only=True, eq=False, repr=False)
class KernelUniclassDetector(Detector):
    """`ls.KernelUniclass` as an outlier detector: a region of any shape."""

    kernel: Kernel | None = None
    epsilon: float = 1.0
    budget: int | None = None
    when_full: WhenFull = "project"

    def rule(self) -> uniclass.KernelUniclass:
        """`ls.KernelUniclass`."""
        return uniclass.KernelUniclass(
            kernel=or_gaussian(self.kernel), epsilon=self.epsilon, budget=self.budget, when_full=self.when_full
        )


@final
@dataclass(kw_only=True, eq=False, repr=False)
class MultiplicativeUniclassDetector(Detector):
    """`ls.MultiplicativeUniclass` as an outlier detector, for rows that are distributions."""

    epsilon: float = 1.0

    def rule(self) -> uniclass.MultiplicativeUniclass:
        """`ls.MultiplicativeUniclass`."""
        return uniclass.MultiplicativeUniclass(epsilon=self.epsilon)


@final
@dataclass(kw_only=True, eq=False, repr=False)
class BatchUniclassDetector(Detector):
    """`ls.BatchUniclass` as an outlier detector."""

    epsilon: float = 1.0
    beta: float = 0.01

    def rule(self) -> uniclass.BatchUniclass:
        """`ls.BatchUniclass`."""
        return uniclass.BatchUniclass(epsilon=self.epsilon, beta=self.beta)
