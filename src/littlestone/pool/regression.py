"""The pool for targets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, final

from littlestone import _core
from littlestone.abilities import TARGETS
from littlestone.domain import parameter
from littlestone.pool.rule import MOST_FEATURES, POOLED, VIEW_DOMAIN, VIEWS, WHY_ALL, WHY_VIEWS, PoolRule
from littlestone.pool.state import PoolState


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class PoolRegression(PoolRule):
    """A master over seven predictors of a number: the best answer without a flag.

    Values are gauged as in `Pool`. AdaGrad for the squared error and two kinds of Passive-Aggressive learn the gauged rows,
    two ridge regressions (one of which forgets) the raw values of up to 95 features; the last target and the mean of the
    last 20 are members too. Three least-squares stacks combine them in units of their error, and ML-Poly with gradients
    weighs members and stacks; rows of few features have the views of `Pool`. No prediction is further than a tenth of their
    range from the targets seen. The score is the prediction, and the loss its distance from the target.

    Update: every member by its own; ML-Poly adds what each expert would have gained to its regret.
    Tie: none.
    Cost: 64 bytes per feature; O(nonzeros) per round, and O(95²) where the ridge regressions are awake.

    Guarantee: none is stated for the mixture as a whole.
    Source: Gaillard, Stoltz and van Erven 2014 (ML-Poly); Zhdanov and Vovk 2009 (ridge regression on line).

    Example:
        >>> import littlestone as ls
        >>> learner = ls.Learner(ls.PoolRegression())
        >>> for k in range(60):
        ...     _ = learner.learn_one({"x": float(k % 7)}, 3.0 * (k % 7) + 1.0)
        >>> round(learner.predict_one({"x": 4.0}), 1)
        13.0
    """

    source: ClassVar[str] = "Gaillard, Stoltz and van Erven 2014; Zhdanov and Vovk 2009"
    abilities = replace(POOLED, learns=TARGETS)

    views: tuple[str, ...] = parameter(VIEWS, domain=VIEW_DOMAIN, why=WHY_VIEWS)
    most_features: int | None = parameter(None, domain=MOST_FEATURES, why=WHY_ALL)

    def init(self, width: int) -> PoolState:
        """A pool that knows nothing."""
        return PoolState(_core.TargetPool(narrow_views=len(self.views) > 1))
