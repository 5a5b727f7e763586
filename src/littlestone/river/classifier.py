"""A rule as a classifier of River."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast, final

from river.base import MiniBatchClassifier

from littlestone.errors import NotApplicable
from littlestone.linear import PassiveAggressive
from littlestone.river.estimator import RiverEstimator

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    from river.base.typing import ClfTarget

    from littlestone.river.estimator import Features
    from littlestone.rule import LinearRule
    from littlestone.snapshots import Missing
    from littlestone.streams.space import Table
    from littlestone.views import View


@final
@dataclass(eq=False, repr=False)
class Classifier(RiverEstimator, MiniBatchClassifier):
    """A rule that learns labels, as a classifier of River.

    `predict_proba_one` has the probabilities of a rule that has them, such as `ls.Pool`. The scores of any other are
    calibrated on the way, by a slope that is learned row by row.

    Args:
        rule: the rule, such as `ls.Perceptron()`.
        intercept: give every row a constant feature of that name, whose weight is the bias.
        missing: what nan and None among the values mean: "error", or "skip" for a feature that is not there this round.
        view: what the rule is shown of rows, such as `ls.views.Bins()`; it learns in the same pass.
        calibrate: whether scores are calibrated: None does so where they are no log-odds.

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
    view: View | None = field(default=None, kw_only=True)
    calibrate: bool | None = field(default=None, kw_only=True)

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

    def predict_proba_one(self, x: Features, **kwargs: object) -> dict[ClfTarget, float]:
        """The probability of every label met.

        Of two labels both sides are there from the beginning, False and True, as River has them; others when they are met.
        """
        if kwargs:
            raise NotApplicable(f"predict_proba_one was given {next(iter(kwargs))!r}; it takes a row and nothing else")
        if not self._met:
            return {} if self._multiclass else {False: 0.5, True: 0.5}
        found = self._proba([self._row(x)])[0]
        return found if len(found) > 1 or self._multiclass else self._both(found, x)

    def predict_proba_many(self, X: pd.DataFrame) -> pd.DataFrame:
        """The same of many rows, a column for each label."""
        import pandas as pd

        return pd.DataFrame(self._proba(self._rows(X)) if self._met else [], index=X.index)

    def _both(self, found: dict[ClfTarget, float], x: Features) -> dict[ClfTarget, float]:
        """A lone label that is a truth value, whose side is its number, and its other side."""
        ((only, _),) = found.items()
        if not isinstance(only, bool):
            return found
        chance = float(self.learner.probability_many([self._row(x)])[0, int(only)])
        return {only: chance, not only: 1.0 - chance}

    def _proba(self, rows: Table) -> list[dict[ClfTarget, float]]:
        # Of two labels, one that was not met yet stands there as the other does.
        labels = {label: k for k, label in enumerate(self.learner.labels) if label is not None}
        known = self.learner.probability_many(rows)[:, list(labels.values())]
        parts = (known / known.sum(axis=1, keepdims=True)).tolist()
        return [dict(zip((cast("ClfTarget", label) for label in labels), row, strict=True)) for row in parts]

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
        return self.rule.abilities.classes

    def _calibrated(self) -> bool:
        return not self.rule.abilities.has_log_odds if self.calibrate is None else self.calibrate

    def _check_rule(self) -> None:
        if not self.rule.abilities.named:
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
