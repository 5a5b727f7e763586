"""Intervals and sets around an estimator of scikit-learn, itself an estimator."""

from __future__ import annotations

from abc import ABC, abstractmethod
from operator import itemgetter
from typing import TYPE_CHECKING, Self, cast, final

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.utils.validation import check_is_fitted

from littlestone.conformal.conformal import Conformal
from littlestone.conformal.shown import PredictionInterval, PredictionSet
from littlestone.errors import InvalidData, NotApplicable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from littlestone.arrays import BoolArray, FloatArray
    from littlestone.conformal.ledger import ConformalLedger
    from littlestone.conformal.rule import ConformalRule
    from littlestone.conformal.shown import Shown
    from littlestone.theory.certificate import Certificate

_FEWEST = 2


class _Conformal(BaseEstimator, ABC):
    """What both share: the first half of the rows is fitted, and the rest are met one after the other."""

    conformal_: Conformal

    def __init__(
        self,
        estimator: object = None,
        *,
        coverage: float = 0.9,
        rule: ConformalRule | None = None,
        window: int | None = 1000,
    ) -> None:
        self.estimator = estimator
        self.coverage = coverage
        self.rule = rule
        self.window = window

    @abstractmethod
    def _default(self) -> object:
        """The estimator where none is given."""

    @final
    def fit(self, X: object, y: npt.ArrayLike) -> Self:
        """Fits a copy of the estimator to the first half of the rows and then goes through the rest, in their order.

        Raises:
            InvalidData: if there are fewer than two rows, or not as many outcomes as rows.
        """
        outcomes = np.asarray(y)
        rows = _places(X)
        if outcomes.ndim != 1 or len(outcomes) != _length(X) or len(outcomes) < _FEWEST:
            raise InvalidData(
                f"there are {_length(X)} rows and outcomes of shape {outcomes.shape}; expected at least two of each"
            )
        half = len(outcomes) // 2
        model = clone(self._default() if self.estimator is None else self.estimator)
        cast("Callable[[object, object], object]", getattr(model, "fit", None))(rows[:half], outcomes[:half])
        made = Conformal(model, coverage=self.coverage, rule=self.rule, window=self.window)
        made.learn_many(rows[half:], outcomes[half:])
        self.conformal_ = made
        return self

    @final
    def partial_fit(self, X: object, y: npt.ArrayLike) -> Self:
        """Goes on through further rows, in their order; the estimator learns them if it has `partial_fit`."""
        check_is_fitted(self)
        self.conformal_.learn_many(X, np.asarray(y))
        return self

    @property
    @final
    def ledger_(self) -> ConformalLedger:
        """What was counted so far."""
        return self.conformal_.ledger

    @final
    def certify(self) -> list[Certificate]:
        """What is promised of the share of misses, and what was measured."""
        check_is_fitted(self)
        return self.conformal_.certify()

    @final
    def _shown(self, X: object) -> list[Shown]:
        check_is_fitted(self)
        return self.conformal_.predict_many(X)


@final
class ConformalRegressor(RegressorMixin, _Conformal):
    """A regressor with intervals that hold the wanted share of targets.

    Args:
        estimator: a regressor; None is `PoolRegressor()` of this library.
        coverage: the share of targets that intervals are to hold.
        rule: as for `ls.Conformal`.
        window: as for `ls.Conformal`.

    Example:
        >>> import numpy as np
        >>> from sklearn.linear_model import LinearRegression
        >>> from littlestone.sklearn.conformal import ConformalRegressor
        >>> X = np.random.default_rng(0).normal(size=(2000, 3))
        >>> y = X.sum(axis=1) + np.random.default_rng(1).normal(size=2000)
        >>> model = ConformalRegressor(LinearRegression(), coverage=0.8).fit(X, y)
        >>> round(model.ledger_.coverage, 2), model.predict_interval(X[:1]).shape
        (0.8, (1, 2))
    """

    def _default(self) -> object:
        from littlestone.sklearn import PoolRegressor

        return PoolRegressor()

    def predict(self, X: object) -> FloatArray:
        """The forecasts of the estimator."""
        return np.array([shown.value for shown in self._intervals(X)], dtype=np.float64)

    def predict_interval(self, X: object) -> FloatArray:
        """The ends of the interval of each row at the level of this moment."""
        ends = [(shown.low, shown.high) for shown in self._intervals(X)]
        return np.array(ends, dtype=np.float64).reshape(-1, 2)

    def _intervals(self, X: object) -> list[PredictionInterval]:
        shown = self._shown(X)
        intervals = [one for one in shown if isinstance(one, PredictionInterval)]
        if len(intervals) < len(shown):
            raise NotApplicable("the estimator has probabilities of labels; ConformalClassifier makes sets of them")
        return intervals


@final
class ConformalClassifier(ClassifierMixin, _Conformal):
    """A classifier with sets of labels that hold the wanted share of the true ones.

    Args:
        estimator: a classifier with `predict_proba`; None is scikit-learn's logistic regression.
        coverage: the share of labels that sets are to hold.
        rule: as for `ls.Conformal`.
        window: as for `ls.Conformal`.

    Example:
        >>> import numpy as np
        >>> from littlestone.sklearn.conformal import ConformalClassifier
        >>> X = np.random.default_rng(0).normal(size=(2000, 2))
        >>> y = (X.sum(axis=1) + np.random.default_rng(1).normal(size=2000) > 0).astype(int)
        >>> model = ConformalClassifier(coverage=0.8).fit(X, y)
        >>> round(model.ledger_.coverage, 2), model.predict_set([[9.0, 9.0]])      # the classes are 0 and 1
        (0.81, array([[False,  True]]))
    """

    def _default(self) -> object:
        from sklearn.linear_model import LogisticRegression

        return LogisticRegression()

    @property
    def classes_(self) -> npt.NDArray[np.generic]:
        """The labels, in the order of the columns of `predict_set`."""
        known: npt.NDArray[np.generic] = getattr(self.conformal_.model, "classes_", np.zeros(0))
        return known

    def predict(self, X: object) -> npt.NDArray[np.generic]:
        """The likeliest label of each row."""
        return np.array([max(shown.chances.items(), key=itemgetter(1))[0] for shown in self._sets(X)])

    def predict_set(self, X: object) -> BoolArray:
        """Whether each label is in the set of each row: a row each, a column for each of `classes_`."""
        return np.array([[label in shown for label in self.classes_.tolist()] for shown in self._sets(X)], dtype=bool)

    def _sets(self, X: object) -> list[PredictionSet]:
        shown = self._shown(X)
        sets = [one for one in shown if isinstance(one, PredictionSet)]
        if len(sets) < len(shown):
            raise NotApplicable("the estimator has no probabilities; sets of labels need predict_proba")
        return sets


def _places(X: object) -> Sequence[object]:
    """The rows by their places, whatever holds them."""
    return cast("Sequence[object]", getattr(X, "iloc", X if hasattr(X, "shape") else np.asarray(X)))


def _length(X: object) -> int:
    shape = getattr(X, "shape", None)
    return int(shape[0]) if isinstance(shape, tuple) else len(cast("Sequence[object]", X))
