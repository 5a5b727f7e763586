"""A uniclass rule as an anomaly detector of River."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from river.base import AnomalyDetector

from littlestone.errors import NotApplicable
from littlestone.river.estimator import RiverEstimator
from littlestone.uniclass import Uniclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from littlestone.river.estimator import Features
    from littlestone.rule import LinearRule
    from littlestone.snapshots import Missing
    from littlestone.views import View


@final
@dataclass(eq=False, repr=False)
class Detector(RiverEstimator, AnomalyDetector):
    """A ball of radius ε whose centre moves, as an anomaly detector of River.

    Args:
        rule: the rule, such as `ls.Uniclass(epsilon=1.0)`.
        missing: what nan and None among the values mean: "error", or "skip" for a feature that is not there this round.
        view: what the rule is shown of rows, such as `ls.views.Bins()`; it learns in the same pass.

    Example:
        >>> import littlestone as ls
        >>> from littlestone.river import Detector
        >>> model = Detector(ls.Uniclass(epsilon=1.0))
        >>> model.learn_one({"a": 0.0, "b": 0.0})
        >>> model.score_one({"a": 3.0, "b": 4.0})        # 5 from the centre
        4.0
    """

    rule: LinearRule
    missing: Missing = field(default="error", kw_only=True)
    view: View | None = field(default=None, kw_only=True)
    intercept: bool = field(default=False, init=False)

    def learn_one(self, x: Features) -> None:
        """One round: score, record, update."""
        self.learner.learn_one(self._row(x))

    def score_one(self, x: Features) -> float:
        """The distance from the centre minus ε: above 0 for an anomaly, −ε before anything was learned."""
        return self.learner.score_one(self._row(x))

    def _check_rule(self) -> None:
        if not self.rule.abilities.alone:
            raise NotApplicable(f"the rule is {type(self.rule).__name__}, which learns outcomes; a detector learns rows alone")

    def _unit_test_skips(self) -> set[str]:
        """A centre that is a distribution over the features of the first row has no place for others."""
        fixed = not self.rule.abilities.takes_spare_room
        return {"check_emerging_features", "check_radically_disappearing_features"} if fixed else set()

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, object]]:
        yield {"rule": Uniclass(epsilon=1.0)}
