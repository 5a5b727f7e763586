"""The pool for targets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

from littlestone import _core
from littlestone.domain import parameter
from littlestone.errors import NotApplicable
from littlestone.pool.pool import VIEW_DOMAIN, VIEWS, WHY_VIEWS
from littlestone.pool.state import PoolState
from littlestone.rule import LinearRule

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class PoolRegression(LinearRule):
    """A master over seven predictors of a number: the best answer without a flag.

    Values are gauged as in `Pool`. AdaGrad for the squared error and two kinds of Passive-Aggressive learn the gauged rows,
    two ridge regressions (one of which forgets) the raw values of up to 95 features; the last target and the mean of the
    last 20 are members too. Three least-squares stacks combine them in units of their error, and ML-Poly with gradients
    weighs members and stacks; rows of few features have the views of `Pool`. No prediction is further than a tenth of their
    range from the targets seen. The score is the prediction, and the loss its distance from the target.

    Update: every member by its own; ML-Poly adds what each expert would have gained to its regret.
    Tie: none.
    Cost: 64 bytes a feature; O(nonzeros) a round, and O(95²) where the ridge regressions are awake.

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

    views: tuple[str, ...] = parameter(VIEWS, domain=VIEW_DOMAIN, why=WHY_VIEWS)

    def learns(self) -> frozenset[str]:
        """Targets."""
        return frozenset({"targets"})

    def init(self, width: int) -> PoolState:
        """A pool that knows nothing."""
        return PoolState(_core.TargetPool(narrow_views=len(self.views) > 1))

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """The core learns by itself."""
        raise NotApplicable("a pool learns in its compiled loop")

    def averages(self) -> bool:
        """No: there is no one vector of weights."""
        return False

    def minds_unknown(self) -> bool:
        """Yes: a feature that was never met takes part in the scale of its row."""
        return True

    def takes_weights(self) -> bool:
        """Yes."""
        return True

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        assert isinstance(state, PoolState)
        return state.core.loop()
