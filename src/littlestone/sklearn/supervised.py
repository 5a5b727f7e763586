"""What classifiers and regressors share: rows held out, averages, a constant feature."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self, final

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split
from sklearn.utils import Tags
from sklearn.utils.validation import validate_data

from littlestone import domain
from littlestone.domain import OPEN_UNIT, parameter
from littlestone.errors import NotApplicable
from littlestone.learner import Learner
from littlestone.sklearn.estimator import FLAG, FLOATS, RuleEstimator, SparseWeights, check_weights_of_columns
from littlestone.sklearn.passes import Fitting
from littlestone.sklearn.sample import Sample, sample_weights

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.rule import LinearRule
    from littlestone.sklearn.sample import Order, Values


@dataclass(kw_only=True, eq=False, repr=False)
class Supervised(RuleEstimator, ABC):
    """A rule that learns rows with outcomes: a score on rows held out may end the passes, weights may be averaged."""

    _poor: ClassVar[bool] = False
    """Whether the rule does badly on samples that others do well on."""

    early_stopping: bool = parameter(False, domain=FLAG, why="all rows are learned")
    validation_fraction: float = parameter(0.1, domain=OPEN_UNIT, why="as scikit-learn")
    average: bool = parameter(False, domain=FLAG, why="the last weights; True predicts with the mean of all rounds")

    @abstractmethod
    def _held_out_loss(self, learner: Learner, sample: Sample, held: Order) -> float:
        """How badly a learner does on rows that it has not learned."""

    def _strata(self, y: Values | None) -> Values | None:
        """What the rows held out must have their share of."""
        return None

    @final
    def _rule_to_learn(self) -> LinearRule:
        """The rule.

        Raises:
            NotApplicable: if the mean of its weights is asked for and there is none.
        """
        rule = self.rule()
        if self.average and not rule.keeps_mean():
            raise NotApplicable(f"average is True, and {type(rule).__name__} keeps no mean of its weights; give average=False")
        return rule

    @final
    def _predictor(self, learner: Learner) -> Learner:
        """What predicts: the learner, or its average."""
        return learner.averaged() if self.average else learner

    @final
    def _sample(self, X: object, y: object, weights: object, *, reset: bool, numeric: bool) -> Sample:
        checked, outcomes = validate_data(
            self, X, y, reset=reset, accept_sparse="csr", dtype=FLOATS, y_numeric=numeric, ensure_all_finite=self._finite()
        )
        rows = self._rows(checked)
        return Sample(rows, outcomes, sample_weights(weights, len(rows)))

    @final
    def _course(self, learner: Learner, sample: Sample) -> Fitting:
        if not self.early_stopping:
            return Fitting(sample=sample, until_rest=not self.average)
        chosen, held = train_test_split(
            np.arange(len(sample)),
            test_size=self.validation_fraction,
            random_state=self.random_state,
            stratify=self._strata(sample.y),
        )
        return Fitting(
            sample=sample,
            chosen=chosen,
            held_out_loss=lambda: self._held_out_loss(self._predictor(learner), sample, held),
            until_rest=not self.average,
        )


class RuleRegressor(RegressorMixin, Supervised, ABC):
    """A rule that learns targets."""

    def fit(self, X: object, y: object) -> Self:
        """Learns a sample, in passes (see `max_iter` and `tol`)."""
        return self._fit(X, y, None)

    def partial_fit(self, X: object, y: object) -> Self:
        """Learns the rows once, in the order given."""
        return self._partial_fit(X, y, None)

    def __sklearn_tags__(self) -> Tags:
        """Says whether to expect much."""
        tags = super().__sklearn_tags__()
        assert tags.regressor_tags is not None
        tags.regressor_tags.poor_score = self._poor
        return tags

    @final
    def predict(self, X: object) -> FloatArray:
        """The score of each row."""
        return self._scored(X, lambda rows: self._predictor(self.learner_).score_many(rows))

    @final
    def _fit(self, X: object, y: object, weights: object) -> Self:
        domain.check(self)
        sample = self._sample(X, y, weights, reset=True, numeric=True)
        learner = self._learner_to_fit(self._fresh())
        self.n_iter_ = self._course(learner, sample).run(learner, self)
        self.learner_ = learner
        return self

    @final
    def _partial_fit(self, X: object, y: object, weights: object) -> Self:
        domain.check(self)
        first = not hasattr(self, "learner_")
        sample = self._sample(X, y, weights, reset=first, numeric=True)
        learner = self._fresh() if first else self.learner_
        sample.teach(learner)
        self.learner_, self.n_iter_ = learner, 1
        return self

    @final
    def _fresh(self) -> Learner:
        return self._new_learner(self._rule_to_learn(), average=self.average)

    @final
    def _held_out_loss(self, learner: Learner, sample: Sample, held: Order) -> float:
        """−R²."""
        assert sample.y is not None
        weights = None if sample.weights is None else sample.weights[held]
        return -r2_score(sample.y[held], learner.score_many(sample.rows.in_order(held)), sample_weight=weights)


@dataclass(kw_only=True, eq=False, repr=False)
class LinearRegressor(SparseWeights, RuleRegressor, ABC):
    """A regressor whose weights can be looked at; the bias is the weight of a constant feature, within every norm."""

    fit_intercept: bool = parameter(True, domain=FLAG, why="as scikit-learn")

    @property
    def coef_(self) -> FloatArray:
        """The weight of each feature."""
        check_weights_of_columns(self.learner_)
        return self._shown_weights(self._predictor(self.learner_).state.w[: self.n_features_in_].copy())

    @property
    def intercept_(self) -> FloatArray:
        """The weight of the constant feature, 0 without one."""
        check_weights_of_columns(self.learner_)
        w = self._predictor(self.learner_).state.w
        return w[self.n_features_in_ :].copy() if self.fit_intercept else np.zeros(1)

    @final
    def _constant(self) -> bool:
        return bool(self.fit_intercept)


class WeightedRegressor(RuleRegressor, ABC):
    """A regressor whose rule says what it means that a row counts more or less than others."""

    @final
    def fit(self, X: object, y: object, sample_weight: object = None) -> Self:
        """Learns a sample, in passes (see `max_iter` and `tol`)."""
        return self._fit(X, y, sample_weight)

    @final
    def partial_fit(self, X: object, y: object, sample_weight: object = None) -> Self:
        """Learns the rows once, in the order given."""
        return self._partial_fit(X, y, sample_weight)
