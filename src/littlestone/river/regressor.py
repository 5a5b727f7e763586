"""A rule as a regressor of River."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from river.base import MiniBatchRegressor

from littlestone.errors import NotApplicable
from littlestone.linear import PassiveAggressiveRegression
from littlestone.river.estimator import RiverEstimator

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

    from littlestone.river.estimator import Features
    from littlestone.rule import LinearRule
    from littlestone.snapshots import Missing
    from littlestone.views import View


@final
@dataclass(eq=False, repr=False)
class Regressor(RiverEstimator, MiniBatchRegressor):
    """A rule that learns targets, as a regressor of River.

    Args:
        rule: the rule, such as `ls.PassiveAggressiveRegression()`.
        intercept: give every row a constant feature of that name, whose weight is the bias.
        missing: what nan and None among the values mean: "error", or "skip" for a feature that is not there this round.
        view: what the rule is shown of rows, such as `ls.views.Bins()`; it learns in the same pass.

    Example:
        >>> import littlestone as ls
        >>> from littlestone.river import Regressor
        >>> model = Regressor(ls.PassiveAggressiveRegression(epsilon=0.5), intercept=False)
        >>> model.learn_one({"a": 3.0, "b": 4.0}, 3.0)
        >>> model.predict_one({"a": 3.0, "b": 4.0})      # as near as ε
        2.5
    """

    rule: LinearRule
    intercept: bool = field(default=True, kw_only=True)
    missing: Missing = field(default="error", kw_only=True)
    view: View | None = field(default=None, kw_only=True)

    def learn_one(self, x: Features, y: float, w: float = 1.0) -> None:
        """One round: score, record, update; what a weight w means the rule says."""
        self.learner.learn_one(self._row(x), y, w)

    def predict_one(self, x: Features) -> float:
        """The score of a row; 0 before anything was learned."""
        return self.learner.score_one(self._row(x))

    def learn_many(self, X: pd.DataFrame, y: pd.Series) -> None:
        """Learns the rows in order: the same numbers as a loop over `learn_one`."""
        self.learner.learn_many(self._rows(X), y.to_numpy())

    def predict_many(self, X: pd.DataFrame) -> pd.Series:
        """The scores of the rows."""
        import pandas as pd

        return pd.Series(self.learner.score_many(self._rows(X)), index=X.index)

    def _check_rule(self) -> None:
        if not self.rule.abilities.targets:
            raise NotApplicable(
                f"the rule is {type(self.rule).__name__}, which learns no targets; a regressor needs one that does"
            )

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, object]]:
        yield {"rule": PassiveAggressiveRegression()}
