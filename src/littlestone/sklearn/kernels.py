"""The kernel rules as estimators. There is no `fit_intercept`: a kernel with a constant has a bias in it.

Of more than two classes each has a support set of its own (`ls.OneVersusRest`). The kernel is the Gaussian one unless another
is given: it suits rows whose neighbours are about 1 apart, as those of standardised columns are. The default is written None,
since scikit-learn wants defaults that are plain values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from littlestone import kernels
from littlestone.sklearn.classifier import Classifier, WeightedClassifier
from littlestone.sklearn.supervised import Regressor

if TYPE_CHECKING:
    from littlestone.kernels.rule import WhenFull
    from littlestone.linear.passive_aggressive import Variant


def or_gaussian(kernel: kernels.Kernel | None) -> kernels.Kernel:
    """The kernel, or the Gaussian one where none was given."""
    return kernels.Gaussian() if kernel is None else kernel


@final
@dataclass(kw_only=True, eq=False, repr=False)
class KernelPerceptronClassifier(WeightedClassifier):
    """`ls.KernelPerceptron` as a classifier.

    Example:
        >>> import littlestone as ls
        >>> from littlestone.sklearn import KernelPerceptronClassifier
        >>> X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1, 0]
        >>> KernelPerceptronClassifier(kernel=ls.kernels.Gaussian()).fit(X, y).score(X, y)     # exclusive or
        1.0
        >>> more = KernelPerceptronClassifier(kernel=ls.kernels.Gaussian()).partial_fit(X, ["no", "yes", "yes", "no"])
        >>> more.partial_fit([[5.0, 5.0]], ["far"]).predict([[0.0, 1.0], [5.0, 4.0]])       # a class that comes later
        array(['yes', 'far'], dtype='<U3')
    """

    kernel: kernels.Kernel | None = None
    eta: float = 1.0
    budget: int | None = None
    when_full: WhenFull = "project"

    def rule(self) -> kernels.KernelPerceptron:
        """`ls.KernelPerceptron`."""
        return kernels.KernelPerceptron(
            kernel=or_gaussian(self.kernel), eta=self.eta, budget=self.budget, when_full=self.when_full
        )


@final
@dataclass(kw_only=True, eq=False, repr=False)
class KernelPassiveAggressiveClassifier(Classifier):
    """`ls.KernelPassiveAggressive` as a classifier."""

    kernel: kernels.Kernel | None = None
    variant: Variant = "PA"
    C: float | None = None
    gamma: float | None = None
    margin: float = 1.0
    budget: int | None = None
    when_full: WhenFull = "project"

    def rule(self) -> kernels.KernelPassiveAggressive:
        """`ls.KernelPassiveAggressive`."""
        return kernels.KernelPassiveAggressive(
            kernel=or_gaussian(self.kernel),
            variant=self.variant,
            C=self.C,
            gamma=self.gamma,
            margin=self.margin,
            budget=self.budget,
            when_full=self.when_full,
        )


@final
@dataclass(kw_only=True, eq=False, repr=False)
class KernelPassiveAggressiveRegressor(Regressor):
    """`ls.KernelPassiveAggressiveRegression` as a regressor."""

    kernel: kernels.Kernel | None = None
    variant: Variant = "PA"
    C: float | None = None
    gamma: float | None = None
    epsilon: float = 0.1
    budget: int | None = None
    when_full: WhenFull = "project"

    def rule(self) -> kernels.KernelPassiveAggressiveRegression:
        """`ls.KernelPassiveAggressiveRegression`."""
        return kernels.KernelPassiveAggressiveRegression(
            kernel=or_gaussian(self.kernel),
            variant=self.variant,
            C=self.C,
            gamma=self.gamma,
            epsilon=self.epsilon,
            budget=self.budget,
            when_full=self.when_full,
        )
