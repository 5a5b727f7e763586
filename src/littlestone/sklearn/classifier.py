"""What all classifiers share: labels, one score per row or one per class, weights of classes."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self, final

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils import Tags
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from littlestone import domain
from littlestone.domain import Domain, parameter
from littlestone.errors import InvalidParameter
from littlestone.learner import Learner
from littlestone.multiclass import OneVersusRest
from littlestone.multiclass.one_versus_rest import BINARY
from littlestone.outcomes import chances_of
from littlestone.sklearn.estimator import FLAG, SparseWeights, check_weights_of_columns
from littlestone.sklearn.growth import with_more_classes
from littlestone.sklearn.supervised import Supervised

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.sklearn.sample import Order, Sample, Values

_CLASS_WEIGHT = Domain(
    'a dict of labels and weights, "balanced", or None', lambda v: v is None or isinstance(v, Mapping) or v == "balanced"
)


def _has_probabilities(estimator: Calibrating) -> bool:
    return estimator.calibrate or estimator.rule().abilities.has_log_odds


@dataclass(kw_only=True, eq=False, repr=False)
class Calibrating(Supervised, ABC):
    """A rule whose scores may become probabilities."""

    calibrate: bool = parameter(False, domain=FLAG, why="scores as they are; True learns a slope for predict_proba on the way")


class RuleClassifier(ClassifierMixin, Calibrating, ABC):
    """A rule that learns labels."""

    classes_: Values

    def fit(self, X: object, y: object) -> Self:
        """Learns a sample, in passes (see `max_iter` and `tol`)."""
        return self._fit(self._labelled(X, y, None, reset=True))

    def partial_fit(self, X: object, y: object, classes: object = None) -> Self:
        """Learns the rows once, in the order given.

        Args:
            X: the rows.
            y: their labels.
            classes: the labels there will be, where they are known: two of them are learned by the rule itself. Without
                this list each label has a learner of its own from the beginning. A new label may come either way; after
                two that the rule itself has learned, what it knows goes on in both, or, where weights are all positive
                and have no mirror image, in the second alone: then the first starts from nothing, like the new one.
        """
        return self._partial_fit(self._labelled(X, y, None, reset=self._is_first()), classes)

    @final
    def decision_function(self, X: object) -> FloatArray:
        """One score per row, above 0 for the second class; with more than two classes a column per class."""
        check_is_fitted(self)
        predictor = self._predictor(self.learner_)
        return _by_class(self._scored(X, predictor.score_many), predictor, self.classes_)

    @final
    def predict(self, X: object) -> Values:
        """The class of each row; of several with the largest score the first."""
        check_is_fitted(self)
        predictor, classes = self._predictor(self.learner_), self.classes_
        if predictor.rule.abilities.classes:
            if len(classes) < 3 or predictor.labels != tuple(classes.tolist()):
                return _decided(self.decision_function(X), classes)
            return classes.take(self._scored(X, predictor.verdicts_many))
        signs = self._scored(X, predictor.verdicts_many)
        return _decided(signs if predictor.labels[1] == classes[-1] else -signs, classes)

    @available_if(_has_probabilities)
    @final
    def predict_proba(self, X: object) -> FloatArray:
        """The probability of each class, a column each in the order of `classes_`.

        Of rules whose scores are log-odds, and of any other with `calibrate=True`: then by the slope that the first pass over
        the rows has taught, each row before it was learned.
        """
        check_is_fitted(self)
        if len(self.classes_) > 1 and self.learner_.calibrates:
            return _columns_of(self._scored(X, self.learner_.probability_many), self.learner_, self.classes_)
        scores = self.decision_function(X)
        return np.ones((len(scores), 1)) if len(self.classes_) == 1 else chances_of(scores)

    @available_if(_has_probabilities)
    @final
    def predict_log_proba(self, X: object) -> FloatArray:
        """The logarithms of what `predict_proba` says; of a class that cannot be −inf."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def __sklearn_tags__(self) -> Tags:
        """Says whether to expect much."""
        tags = super().__sklearn_tags__()
        assert tags.classifier_tags is not None
        tags.classifier_tags.poor_score = self._poor
        return tags

    @final
    def _is_first(self) -> bool:
        return not hasattr(self, "learner_")

    @final
    def _fit(self, sample: Sample) -> Self:
        assert sample.y is not None
        warm = self.warm_start and not self._is_first()
        classes = np.union1d(self.classes_, sample.y) if warm else np.unique(sample.y)
        learner = self._learner_to_fit(self._fresh(classes, closed=True))
        learner = self._grown(learner, classes)
        self.n_iter_ = self._course(learner, sample).run(learner, self)
        self.learner_, self.classes_ = learner, classes
        return self

    @final
    def _partial_fit(self, sample: Sample, declared: object) -> Self:
        assert sample.y is not None
        labels = np.unique(sample.y) if declared is None else np.union1d(np.asarray(declared), sample.y)
        if self._is_first():
            classes, learner = labels, self._fresh(labels, closed=declared is not None)
        else:
            classes = np.union1d(self.classes_, labels)
            learner = self._grown(self.learner_, classes)
        sample.teach(learner)
        self.learner_, self.classes_, self.n_iter_ = learner, classes, 1
        return self

    @final
    def _fresh(self, classes: Values, *, closed: bool) -> Learner:
        """A learner of these classes: of one or two by the rule itself, unless more may come that it can learn."""
        rule = self._rule_to_learn()
        many = rule.abilities.classes
        pair = tuple(classes.tolist()) if len(classes) == 2 and closed else None
        if rule.abilities.labels and (many or not BINARY.contains(rule) or (len(classes) <= 2 and closed)):
            return self._new_learner(rule, labels=pair, average=self.average, calibrate=self.calibrate)
        known = tuple(classes.tolist()) if closed else None
        several = rule if many else OneVersusRest(rule=rule)
        return self._new_learner(several, labels=known, average=self.average, calibrate=self.calibrate)

    @final
    def _grown(self, learner: Learner, classes: Values) -> Learner:
        """The learner, or one of many classes where it knows two, there are more, and its rule can be one of several."""
        return with_more_classes(learner) if len(classes) > 2 and BINARY.contains(learner.rule) else learner

    @final
    def _labelled(self, X: object, y: object, weights: object, *, reset: bool) -> Sample:
        domain.check(self)
        if self.calibrate and self.average:
            raise InvalidParameter(
                "calibrate learns the slope of the last weights, and average predicts by their mean; leave one out"
            )
        sample = self._sample(X, y, weights, reset=reset, numeric=False)
        assert sample.y is not None
        check_classification_targets(sample.y)
        return sample

    @final
    def _held_out_loss(self, learner: Learner, sample: Sample, held: Order) -> float:
        """−accuracy."""
        assert sample.y is not None
        classes = np.union1d(sample.y, np.asarray(learner.labels, dtype=sample.y.dtype))
        shown = _decided(_by_class(learner.score_many(sample.rows.in_order(held)), learner, classes), classes)
        return -accuracy_score(sample.y[held], shown, sample_weight=None if sample.weights is None else sample.weights[held])

    @final
    def _strata(self, y: Values | None) -> Values | None:
        return y


def _by_class(scores: FloatArray, learner: Learner, classes: Values) -> FloatArray:
    """Scores in the order of the classes: one for two of them, else a column each."""
    if scores.ndim == 1 and len(classes) <= 2:
        return scores if learner.labels[1] == classes[-1] else -scores
    if scores.ndim == 1:  # a pool that was told of more labels than it has met
        scores = np.stack([-scores, scores], axis=1)
    places = {label: k for k, label in enumerate(learner.labels[: scores.shape[1]])}
    order = [places.get(label, -1) for label in classes.tolist()]
    columns = scores if order == list(range(scores.shape[1])) else scores[:, order]
    if -1 in order:
        columns[:, np.array(order) < 0] = -np.inf
    if len(classes) > 2:
        return columns
    # Of two learners that mirror each other this is the score of the second, bit for bit.
    return columns[:, 0] if len(classes) == 1 else (columns[:, 1] - columns[:, 0]) / 2.0


def _columns_of(chances: FloatArray, learner: Learner, classes: Values) -> FloatArray:
    """Probabilities in the order of the classes; one that was not met has none."""
    places = {label: k for k, label in enumerate(learner.labels[: chances.shape[1]])}
    none = np.zeros(len(chances))
    return np.stack([chances[:, places[label]] if label in places else none for label in classes.tolist()], axis=1)


def _decided(scores: FloatArray | npt.NDArray[np.int32], classes: Values) -> Values:
    if len(classes) == 1:
        return np.repeat(classes, len(scores))
    if scores.ndim == 1:
        return classes.take(scores > 0.0)
    chosen: Values = classes[np.argmax(scores, axis=1)]
    return chosen


@dataclass(kw_only=True, eq=False, repr=False)
class LinearClassifier(SparseWeights, RuleClassifier, ABC):
    """A classifier whose weights can be looked at; the bias is the weight of a constant feature, within every norm."""

    fit_intercept: bool = parameter(True, domain=FLAG, why="as scikit-learn")

    @property
    @final
    def coef_(self) -> FloatArray:
        """The weight of each feature: one row, or with more than two classes a row per class."""
        return self._shown_weights(self._vectors()[:, : self.n_features_in_])

    @property
    @final
    def intercept_(self) -> FloatArray:
        """The weight of the constant feature, 0 without one: one number, or with more than two classes a number per class."""
        vectors = self._vectors()
        return vectors[:, self.n_features_in_] if self.fit_intercept else np.zeros(len(vectors))

    @final
    def _vectors(self) -> FloatArray:
        predictor = self._predictor(self.learner_)
        check_weights_of_columns(predictor)
        return np.array(_by_class(predictor.state.w.T, predictor, self.classes_).T, ndmin=2)  # a copy: weights move

    @final
    def _constant(self) -> bool:
        return bool(self.fit_intercept)


@dataclass(kw_only=True, eq=False, repr=False)
class WeightedClassifier(RuleClassifier, ABC):
    """A classifier whose rule says what it means that a row counts more or less than others."""

    class_weight: Mapping[object, float] | str | None = parameter(None, domain=_CLASS_WEIGHT, why="rows count alike")

    @final
    def fit(self, X: object, y: object, sample_weight: object = None) -> Self:
        """Learns a sample, in passes (see `max_iter` and `tol`)."""
        return self._fit(self._weighed(self._labelled(X, y, sample_weight, reset=True)))

    @final
    def partial_fit(self, X: object, y: object, classes: object = None, sample_weight: object = None) -> Self:
        """Learns the rows once, in the order given.

        Args:
            X: the rows.
            y: their labels.
            classes: the labels there will be, where they are known: two of them are learned by the rule itself. Without
                this list each label has a learner of its own from the beginning. A new label may come either way; after
                two that the rule itself has learned, what it knows goes on in both, or, where weights are all positive
                and have no mirror image, in the second alone: then the first starts from nothing, like the new one.
            sample_weight: how much each row counts; what that means the rule says.
        """
        if self.class_weight == "balanced":
            raise InvalidParameter('class_weight is "balanced"; partial_fit has not seen all rows, so give a dict of weights')
        return self._partial_fit(self._weighed(self._labelled(X, y, sample_weight, reset=self._is_first())), classes)

    @final
    def _weighed(self, sample: Sample) -> Sample:
        if self.class_weight is None:
            return sample
        assert sample.y is not None
        of_class = compute_sample_weight(self.class_weight, sample.y)
        return replace(sample, weights=of_class if sample.weights is None else sample.weights * of_class)
