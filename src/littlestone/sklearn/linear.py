"""The linear rules as estimators. Each parameter is that of the rule, and is explained there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, final

from littlestone import linear
from littlestone.sklearn.classifier import LinearClassifier, WeightedLinearClassifier
from littlestone.sklearn.supervised import LinearRegressor

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray, VectorLike
    from littlestone.linear.multiplicative_passive_aggressive import Constants


_POSITIVE = "its weights are positive: without negative ones most samples cannot be told apart"


@final
@dataclass(kw_only=True, eq=False, repr=False)
class PerceptronClassifier(WeightedLinearClassifier):
    """`ls.Perceptron` as a classifier.

    Example:
        >>> from littlestone.sklearn import PerceptronClassifier
        >>> X, y = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0]], ["yes", "no", "yes", "yes"]
        >>> model = PerceptronClassifier(fit_intercept=False, shuffle=False).fit(X, y)
        >>> model.coef_, model.ledger_.mistakes
        (array([[ 2., -1.]]), 4)
    """

    eta: float = 1.0
    start: VectorLike | None = None
    tolerance: float = 0.0

    def rule(self) -> linear.Perceptron:
        """`ls.Perceptron`."""
        return linear.Perceptron(eta=self.eta, start=self.start, tolerance=self.tolerance)


@final
@dataclass(kw_only=True, eq=False, repr=False)
class RandomizedPerceptronClassifier(WeightedLinearClassifier):
    """`ls.RandomizedPerceptron` as a classifier.

    `predict` gives the more likely label, so that a row always gets the same one; the draws are in `learner_` and count in
    `ledger_`.
    """

    eta: float = 1.0
    start: VectorLike | None = None
    seed: int = 0

    def rule(self) -> linear.RandomizedPerceptron:
        """`ls.RandomizedPerceptron`."""
        return linear.RandomizedPerceptron(eta=self.eta, start=self.start, seed=self.seed)


@final
@dataclass(kw_only=True, eq=False, repr=False)
class MarginPerceptronClassifier(WeightedLinearClassifier):
    """`ls.MarginPerceptron` as a classifier.

    The margin `rho` is a property of the data; 0.1 is a modest share of rows of length 1, to begin a search with.
    """

    rho: float = 0.1

    def rule(self) -> linear.MarginPerceptron:
        """`ls.MarginPerceptron`."""
        return linear.MarginPerceptron(rho=self.rho)


@final
@dataclass(kw_only=True, eq=False, repr=False)
class OnlineSVMClassifier(WeightedLinearClassifier):
    """`ls.OnlineSVM` as a classifier; with `average=True` the weights approach those of the batch problem."""

    eta: float | None = None
    C: float = 1.0
    kink: Literal["stay", "shrink"] = "stay"

    def rule(self) -> linear.OnlineSVM:
        """`ls.OnlineSVM`."""
        return linear.OnlineSVM(eta=self.eta, C=self.C, kink=self.kink)


@final
@dataclass(kw_only=True, eq=False, repr=False)
class AROWClassifier(WeightedLinearClassifier):
    """`ls.AROW` as a classifier.

    Example:
        >>> from littlestone.sklearn import AROWClassifier
        >>> model = AROWClassifier(fit_intercept=False).partial_fit([[1.0, 0.0]], ["b"], classes=["a", "b"])
        >>> model.coef_, model.learner_.state.precision       # ℓ/(v + r) = ½; the feature that was seen is surer
        (array([[0.5, 0. ]]), array([2., 1.]))
    """

    r: float = 1.0

    def rule(self) -> linear.AROW:
        """`ls.AROW`."""
        return linear.AROW(r=self.r)


@final
@dataclass(kw_only=True, eq=False, repr=False)
class BatchPassiveAggressiveClassifier(LinearClassifier):
    """`ls.BatchPassiveAggressive` as a classifier."""

    _poor: ClassVar[str] = "it is made for samples that can be separated; on others the last projections decide"

    beta: float = 0.01
    margin: float = 1.0
    start: FloatArray | None = None

    def rule(self) -> linear.BatchPassiveAggressive:
        """`ls.BatchPassiveAggressive`."""
        return linear.BatchPassiveAggressive(beta=self.beta, margin=self.margin, start=self.start)


@final
@dataclass(kw_only=True, eq=False, repr=False)
class BatchPassiveAggressiveRegressor(LinearRegressor):
    """`ls.BatchPassiveAggressiveRegression` as a regressor."""

    beta: float = 0.01
    epsilon: float = 0.1
    start: FloatArray | None = None

    def rule(self) -> linear.BatchPassiveAggressiveRegression:
        """`ls.BatchPassiveAggressiveRegression`."""
        return linear.BatchPassiveAggressiveRegression(beta=self.beta, epsilon=self.epsilon, start=self.start)


@final
@dataclass(kw_only=True, eq=False, repr=False)
class WinnowClassifier(LinearClassifier):
    """`ls.Winnow` as a classifier. Its weights are positive: where a class needs negative ones, use the signed rule.

    A third class after a fit of two finds the second where it was; the first starts from nothing (see `partial_fit`).
    """

    _poor: ClassVar[str] = _POSITIVE

    eta: float = 0.5
    tie_tol: float = 0.0

    def rule(self) -> linear.Winnow:
        """`ls.Winnow`."""
        return linear.Winnow(eta=self.eta, tie_tol=self.tie_tol)


@final
@dataclass(kw_only=True, eq=False, repr=False)
class SignedWinnowClassifier(LinearClassifier):
    """`ls.SignedWinnow` as a classifier."""

    eta: float = 0.5
    tie_tol: float = 0.0

    def rule(self) -> linear.SignedWinnow:
        """`ls.SignedWinnow`."""
        return linear.SignedWinnow(eta=self.eta, tie_tol=self.tie_tol)


@final
@dataclass(kw_only=True, eq=False, repr=False)
class ExponentiatedUpdateClassifier(LinearClassifier):
    """`ls.ExponentiatedUpdate` as a classifier. Its weights are positive; a start vector has one entry for the constant.

    A third class after a fit of two finds the second where it was; the first starts from nothing (see `partial_fit`).
    """

    _poor: ClassVar[str] = _POSITIVE

    eta: float = 0.5
    U: float = 1.0
    start: VectorLike | None = None
    tolerance: float = 0.0
    tie_tol: float = 0.0

    def rule(self) -> linear.ExponentiatedUpdate:
        """`ls.ExponentiatedUpdate`."""
        return linear.ExponentiatedUpdate(
            eta=self.eta, U=self.U, start=self.start, tolerance=self.tolerance, tie_tol=self.tie_tol
        )


@final
@dataclass(kw_only=True, eq=False, repr=False)
class SignedExponentiatedUpdateClassifier(LinearClassifier):
    """`ls.SignedExponentiatedUpdate` as a classifier."""

    eta: float = 0.5
    U: float = 1.0
    tolerance: float = 0.0
    tie_tol: float = 0.0

    def rule(self) -> linear.SignedExponentiatedUpdate:
        """`ls.SignedExponentiatedUpdate`."""
        return linear.SignedExponentiatedUpdate(eta=self.eta, U=self.U, tolerance=self.tolerance, tie_tol=self.tie_tol)


@final
@dataclass(kw_only=True, eq=False, repr=False)
class RandomizedExponentiatedUpdateClassifier(LinearClassifier):
    """`ls.RandomizedExponentiatedUpdate` as a classifier. Its weights are positive.

    `predict` gives the more likely label, so that a row always gets the same one; the draws are in `learner_` and count in
    `ledger_`.
    """

    _poor: ClassVar[str] = _POSITIVE

    eta: float = 1.0
    U: float = 1.0
    start: VectorLike | None = None
    seed: int = 0

    def rule(self) -> linear.RandomizedExponentiatedUpdate:
        """`ls.RandomizedExponentiatedUpdate`."""
        return linear.RandomizedExponentiatedUpdate(eta=self.eta, U=self.U, start=self.start, seed=self.seed)


@final
@dataclass(kw_only=True, eq=False, repr=False)
class MultiplicativePassiveAggressiveClassifier(LinearClassifier):
    """`ls.MultiplicativePassiveAggressive` as a classifier.

    Its weights are positive with sum 1, so the data set the scale of the margin: 0.1 suits values of about 1.
    """

    _poor: ClassVar[str] = _POSITIVE

    margin: float = 0.1
    constants: Constants = "corrected"
    start: VectorLike | None = None

    def rule(self) -> linear.MultiplicativePassiveAggressive:
        """`ls.MultiplicativePassiveAggressive`."""
        return linear.MultiplicativePassiveAggressive(margin=self.margin, constants=self.constants, start=self.start)


@final
@dataclass(kw_only=True, eq=False, repr=False)
class MultiplicativePassiveAggressiveRegressor(LinearRegressor):
    """`ls.MultiplicativePassiveAggressiveRegression` as a regressor: a convex combination of the features.

    Example:
        >>> from littlestone.sklearn import MultiplicativePassiveAggressiveRegressor
        >>> model = MultiplicativePassiveAggressiveRegressor(epsilon=0.01, fit_intercept=False)
        >>> w = model.fit([[1.0, 0.0], [0.0, 1.0]], [0.25, 0.75]).coef_
        >>> round(float(w.sum()), 12), bool(abs(w - [0.25, 0.75]).max() < 0.02)
        (1.0, True)
    """

    epsilon: float = 0.1
    constants: Constants = "corrected"
    start: VectorLike | None = None

    def rule(self) -> linear.MultiplicativePassiveAggressiveRegression:
        """`ls.MultiplicativePassiveAggressiveRegression`."""
        return linear.MultiplicativePassiveAggressiveRegression(
            epsilon=self.epsilon, constants=self.constants, start=self.start
        )
