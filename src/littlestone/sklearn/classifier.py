"""What all classifiers share: labels, one score a row or one a class, weights of classes."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self, final

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets

from littlestone import domain
from littlestone.domain import Domain, parameter
from littlestone.errors import InvalidParameter
from littlestone.learner import Learner
from littlestone.sklearn.estimator import FLAG
from littlestone.sklearn.sample import Sample
from littlestone.sklearn.supervised import Supervised

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.sklearn.sample import Order, Values

_CLASS_WEIGHT = Domain(
    'a dict of labels and weights, "balanced", or None', lambda v: v is None or isinstance(v, Mapping) or v == "balanced"
)


@dataclass(kw_only=True, eq=False, repr=False)
class Classifier(ClassifierMixin, Supervised, ABC):
    """A rule that learns labels: any two values by the rule itself, more by one rule a class against the rest."""

    class_weight: Mapping[object, float] | str | None = parameter(None, domain=_CLASS_WEIGHT, why="rows count alike")

    @final
    def fit(self, X: object, y: object, sample_weight: object = None) -> Self:
        """Learns a sample, in passes (see `max_iter` and `tol`)."""
        domain.check(self)
        sample = self._labelled(X, y, sample_weight, reset=True)
        learner = self._learner_to_fit(self._fresh(np.unique(sample.y)))
        self.n_iter_ = self._course(learner, sample).run(learner, self)
        self.learner_ = learner
        return self

    @final
    def partial_fit(self, X: object, y: object, classes: object = None, sample_weight: object = None) -> Self:
        """Learns the rows once, in the order given.

        Args:
            X: the rows.
            y: their labels.
            classes: all labels there will be, if they are known. Two of them are learned by the rule itself; without this
                list a new label may come at any time.
            sample_weight: how much each row counts.
        """
        domain.check(self)
        if self.class_weight == "balanced":
            raise InvalidParameter('class_weight is "balanced"; partial_fit has not seen all rows, so give a dict of weights')
        first = not hasattr(self, "learner_")
        sample = self._labelled(X, y, sample_weight, reset=first)
        learner = self._fresh(None if classes is None else np.unique(np.asarray(classes))) if first else self.learner_
        sample.teach(learner)
        self.learner_, self.n_iter_ = learner, 1
        return self

    @property
    def classes_(self) -> Values:
        """The labels known so far, sorted."""
        return np.unique(np.asarray(list(self.learner_.labels)))

    @final
    def decision_function(self, X: object) -> FloatArray:
        """One score a row, above 0 for the second class; with more than two classes a column a class."""
        rows = self._rows_to_score(X)
        return self._oriented(rows.scores(self._predictor(self.learner_)))

    @final
    def predict(self, X: object) -> Values:
        """The class of each row; of several with the largest score the first."""
        return self._decided(self.decision_function(X))

    @final
    def _decided(self, scores: FloatArray) -> Values:
        classes = self.classes_
        if len(classes) == 1:
            return np.repeat(classes, len(scores))
        return classes[np.argmax(scores, axis=1) if scores.ndim == 2 else (scores > 0.0).astype(np.intp)]

    def _oriented(self, scores: FloatArray) -> FloatArray:
        """Scores whose columns are in the order of `classes_`."""
        return scores if self.learner_.labels[1] == self.classes_[-1] else -scores

    @final
    def _fresh(self, classes: Values | None) -> Learner:
        pair = (classes[0], classes[1]) if classes is not None and len(classes) == 2 else None
        return Learner(self.rule(), labels=pair, average=self.average)

    @final
    def _labelled(self, X: object, y: object, weights: object, *, reset: bool) -> Sample:
        sample = self._sample(X, y, weights, reset=reset, numeric=False)
        assert sample.y is not None
        check_classification_targets(sample.y)
        if self.class_weight is None:
            return sample
        of_classes = compute_sample_weight(self.class_weight, sample.y)
        return replace(sample, weights=of_classes if sample.weights is None else sample.weights * of_classes)

    @final
    def _held_out_loss(self, learner: Learner, sample: Sample, held: Order) -> float:
        """−accuracy."""
        assert sample.y is not None
        weights = None if sample.weights is None else sample.weights[held]
        return -accuracy_score(sample.y[held], learner.predict_many(held), sample_weight=weights)

    @final
    def _strata(self, y: Values | None) -> Values | None:
        return y


@dataclass(kw_only=True, eq=False, repr=False)
class LinearClassifier(Classifier, ABC):
    """A classifier whose weights can be looked at; the bias is the weight of a constant feature, within every norm."""

    fit_intercept: bool = parameter(True, domain=FLAG, why="as scikit-learn")

    @property
    def coef_(self) -> FloatArray:
        """The weight of each feature: a row in all, or a row a class."""
        return self._vectors()[:, : self.n_features_in_]

    @property
    def intercept_(self) -> FloatArray:
        """The weight of the constant feature, 0 without one: a number in all, or a number a class."""
        vectors = self._vectors()
        return vectors[:, self.n_features_in_] if self.fit_intercept else np.zeros(len(vectors))

    def _vectors(self) -> FloatArray:
        return self._oriented(self._predictor(self.learner_).state.w[np.newaxis, :])

    @final
    def _constant(self) -> bool:
        return bool(self.fit_intercept)
