"""The rules for any number of classes as estimators. Each parameter is that of the rule, and is explained there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, final

from littlestone import multiclass
from littlestone.sklearn.classifier import WeightedLinearClassifier

if TYPE_CHECKING:
    from littlestone.multiclass.perceptron import Share


@final
@dataclass(kw_only=True, eq=False, repr=False)
class MulticlassPerceptronClassifier(WeightedLinearClassifier):
    """`ls.MulticlassPerceptron` as a classifier.

    Example:
        >>> from littlestone.sklearn import MulticlassPerceptronClassifier
        >>> X, y = [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], ["a", "b", "c"]
        >>> model = MulticlassPerceptronClassifier(fit_intercept=False).fit(X, y)
        >>> model.predict(X), model.coef_.sum(axis=0)      # what a class gains the others lose
        (array(['a', 'b', 'c'], dtype='<U1'), array([0., 0.]))
    """

    eta: float = 1.0
    share: Share = "uniform"

    def rule(self) -> multiclass.MulticlassPerceptron:
        """`ls.MulticlassPerceptron`."""
        return multiclass.MulticlassPerceptron(eta=self.eta, share=self.share)


@final
@dataclass(kw_only=True, eq=False, repr=False)
class MulticlassPassiveAggressiveClassifier(WeightedLinearClassifier):
    """`ls.MulticlassPassiveAggressive` as a classifier: all classes in one update, where one-versus-rest makes one each.

    Example:
        >>> from littlestone.sklearn import MulticlassPassiveAggressiveClassifier
        >>> model = MulticlassPassiveAggressiveClassifier(fit_intercept=False)
        >>> model.partial_fit([[3.0, 4.0]], ["b"], classes=["a", "b", "c"]).decision_function([[3.0, 4.0]])
        array([[-0.5,  0.5,  0. ]])
    """

    variant: Literal["PA", "PA-I", "PA-II"] = "PA"
    C: float | None = None
    margin: float = 1.0

    def rule(self) -> multiclass.MulticlassPassiveAggressive:
        """`ls.MulticlassPassiveAggressive`."""
        return multiclass.MulticlassPassiveAggressive(variant=self.variant, C=self.C, margin=self.margin)
