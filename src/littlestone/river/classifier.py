"""A rule as a classifier of River."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast, final

from river.base import MiniBatchClassifier

from littlestone.errors import NotApplicable
from littlestone.linear import PassiveAggressive
from littlestone.river.estimator import Estimator

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    from river.base.typing import ClfTarget

    from littlestone.river.estimator import Features
    from littlestone.rule import LinearRule
    from littlestone.snapshots import Missing


@final
@dataclass(eq=False, repr=False)
class Classifier(Estimator, MiniBatchClassifier):
    """A rule that learns labels, as a classifier of River.

    There is no `predict_proba_one`: a score is no probability, and none is made up from it. River asks such a classifier
    for labels; metrics of probabilities refuse it.

    Args:
        rule: the rule, such as `ls.Perceptron()`.
        intercept: give every row a constant feature of that name, whose weight is the bias.
        missing: what nan and None among the values mean: "error", or "skip" for a feature that is not there this round.

    Example:
        >>> import littlestone as ls
        >>> from littlestone.river import Classifier
        >>> model = Classifier(ls.Perceptron())
        >>> model.learn_one({"offer": 1, "now": 1}, "spam")
        >>> model.learn_one({"lunch": 1, "now": 1}, "ham")
        >>> model.predict_one({"lunch": 1}), model.ledger.mistakes
        ('ham', 2)
    """

    rule: LinearRule
    intercept: bool = field(default=True, kw_only=True)
    missing: Missing = field(default="error", kw_only=True)

    def learn_one(self, x: Features, y: ClfTarget, w: float = 1.0) -> None:
        """One round: score, record, update; what a weight w means the rule says."""
        self.learner.learn_one(self._row(x), y, w)
        self._met = True

    def predict_one(self, x: Features, **kwargs: object) -> ClfTarget | None:
        """The label for a row; None before a label is known."""
        if kwargs:
            raise NotApplicable(f"predict_one was given {next(iter(kwargs))!r}; it takes a row and nothing else")
        if not self._met:
            return None
        return cast("ClfTarget", self.learner.predict_one(self._row(x)))

    def learn_many(self, X: pd.DataFrame, y: pd.Series) -> None:
        """Learns the rows in order: the same numbers as a loop over `learn_one`."""
        self.learner.learn_many(self._rows(X), y.to_numpy())
        self._met = self._met or len(X) > 0

    def predict_many(self, X: pd.DataFrame) -> pd.Series:
        """The labels of the rows."""
        import pandas as pd

        if not self._met:
            return pd.Series([None] * len(X), index=X.index, dtype=object)
        return pd.Series(self.learner.predict_many(self._rows(X)), index=X.index)

    @property
    def _multiclass(self) -> bool:
        return "classes" in self.rule.learns()

    def _check_rule(self) -> None:
        if not {"labels", "classes"} & self.rule.learns():
            raise NotApplicable(
                f"the rule is {type(self.rule).__name__}, which learns no labels; a classifier needs one that does"
            )

    def _unit_test_skips(self) -> set[str]:
        """A rule that draws its labels draws anew for each row of many; `predict_one` shows the next draw every time."""
        draws = self.rule.decide(self.learner.state, 0.0).randomized
        return {"check_predict_many_matches_predict_one"} if draws else set()

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, object]]:
        yield {"rule": PassiveAggressive()}
