"""Passive-Aggressive learning under the parameter names of the estimators that scikit-learn is removing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal, final

from littlestone.domain import POSITIVE, Domain, choice, parameter
from littlestone.linear import PassiveAggressive, PassiveAggressiveRegression
from littlestone.sklearn.classifier import LinearClassifier, WeightedClassifier
from littlestone.sklearn.sections import with_sections
from littlestone.sklearn.supervised import LinearRegressor, WeightedRegressor

if TYPE_CHECKING:
    from littlestone.arrays import VectorLike
    from littlestone.linear.passive_aggressive import Variant

_CAP = Domain("a finite number above 0, or math.inf", lambda value: value == math.inf or POSITIVE.contains(value))
_ONE_JOB = Domain("None or 1: all classes learn in one pass over the rows", lambda value: value in (None, 1))
_LABEL_LOSS = choice("hinge", "squared_hinge")
_TARGET_LOSS = choice("epsilon_insensitive", "squared_epsilon_insensitive")


def _variant(C: float, *, squared: bool) -> tuple[Variant, float | None]:
    """The variant and its C: with an infinite one both losses are the projection."""
    if math.inf == C:
        return "PA", None
    return ("PA-II" if squared else "PA-I"), C


@final
@partial(with_sections, rule=PassiveAggressive)
@dataclass(kw_only=True, eq=False, repr=False)
class PassiveAggressiveClassifier(WeightedClassifier, LinearClassifier):
    """`ls.PassiveAggressive` as a classifier, in the place of `sklearn.linear_model.PassiveAggressiveClassifier`.

    The variants by their loss: "hinge" is PA-I, "squared_hinge" PA-II (which is "relaxed" with γ = 1/(2C)), and either
    with `C=math.inf` is PA, the projection. The bias is a constant feature and so within the norm: after a step that C
    did not cut short, the margin of the row is 1 (`docs/from-sklearn-passive-aggressive.md` has the differences).

    Example:
        >>> import math
        >>> from littlestone.sklearn import PassiveAggressiveClassifier
        >>> model = PassiveAggressiveClassifier(C=math.inf).partial_fit([[2.0]], ["b"], classes=["a", "b"])
        >>> model.coef_, model.intercept_, model.decision_function([[2.0]])      # 1/‖(2, 1)‖² = 0.2
        (array([[0.4]]), array([0.2]), array([1.]))
    """

    C: float = parameter(1.0, domain=_CAP, why="as scikit-learn; smaller is calmer")
    loss: Literal["hinge", "squared_hinge"] = parameter("hinge", domain=_LABEL_LOSS, why="as scikit-learn")
    n_jobs: int | None = parameter(None, domain=_ONE_JOB, why="as scikit-learn")
    margin: float = 1.0
    start: VectorLike | None = None

    def rule(self) -> PassiveAggressive:
        """`ls.PassiveAggressive`."""
        variant, C = _variant(self.C, squared=self.loss == "squared_hinge")
        return PassiveAggressive(variant=variant, C=C, margin=self.margin, start=self.start)


@final
@partial(with_sections, rule=PassiveAggressiveRegression)
@dataclass(kw_only=True, eq=False, repr=False)
class PassiveAggressiveRegressor(WeightedRegressor, LinearRegressor):
    """`ls.PassiveAggressiveRegression` as a regressor, in the place of `sklearn.linear_model.PassiveAggressiveRegressor`.

    The variants by their loss: "epsilon_insensitive" is PA-I, "squared_epsilon_insensitive" PA-II (which is "relaxed" with
    γ = 1/(2C)), and either with `C=math.inf` is PA, the projection.

    Example:
        >>> import math
        >>> from littlestone.sklearn import PassiveAggressiveRegressor
        >>> model = PassiveAggressiveRegressor(C=math.inf, epsilon=0.5).partial_fit([[2.0]], [3.0])
        >>> model.predict([[2.0]])                # as near as ε
        array([2.5])
    """

    C: float = parameter(1.0, domain=_CAP, why="as scikit-learn; smaller is calmer")
    epsilon: float = 0.1
    loss: Literal["epsilon_insensitive", "squared_epsilon_insensitive"] = parameter(
        "epsilon_insensitive", domain=_TARGET_LOSS, why="as scikit-learn"
    )
    start: VectorLike | None = None

    def rule(self) -> PassiveAggressiveRegression:
        """`ls.PassiveAggressiveRegression`."""
        variant, C = _variant(self.C, squared=self.loss == "squared_epsilon_insensitive")
        return PassiveAggressiveRegression(variant=variant, C=C, epsilon=self.epsilon, start=self.start)
