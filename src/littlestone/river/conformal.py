"""Intervals and sets around a model of River, itself a model of River."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator
from typing import TYPE_CHECKING, Generic, TypeVar, cast, final

from river.base import Classifier, Regressor, Wrapper

from littlestone.conformal.conformal import Conformal
from littlestone.conformal.shown import PredictionInterval, PredictionSet
from littlestone.errors import NotApplicable

if TYPE_CHECKING:
    from river.base.typing import ClfTarget

    from littlestone.conformal.ledger import ConformalLedger
    from littlestone.conformal.rule import ConformalRule
    from littlestone.river.estimator import Features
    from littlestone.theory.certificate import Certificate


Wrapped = TypeVar("Wrapped", Regressor, Classifier)


class Surrounded(Wrapper[Wrapped], ABC, Generic[Wrapped]):
    """What both have in common: a model, and `ls.Conformal` around it."""

    def __init__(
        self, model: Wrapped, coverage: float = 0.9, rule: ConformalRule | None = None, window: int | None = 1000
    ) -> None:
        self.model: Wrapped = model
        self.coverage, self.rule, self.window = coverage, rule, window
        self._conformal = Conformal(model, coverage=coverage, rule=rule, window=window)

    @property
    def _wrapped_model(self) -> Wrapped:
        return self.model

    @property
    def ledger(self) -> ConformalLedger:
        """What was counted so far."""
        return self._conformal.ledger

    def certify(self) -> list[Certificate]:
        """What is promised of the share of misses, and what was measured."""
        return self._conformal.certify()

    def learn_one(self, x: Features, y: object) -> None:
        """One round: show, record, learn."""
        self._conformal.learn_one(x, y)


@final
class ConformalRegressor(Surrounded[Regressor], Regressor):
    """A regressor whose forecasts come with intervals that hold the wanted share of targets.

    Args:
        model: a regressor of River, or of `littlestone.river`.
        coverage: the share of targets that intervals are to hold.
        rule: as for `ls.Conformal`.
        window: as for `ls.Conformal`.

    Example:
        >>> from river import datasets, linear_model, preprocessing
        >>> from littlestone.river import ConformalRegressor
        >>> model = ConformalRegressor(preprocessing.StandardScaler() | linear_model.LinearRegression(), coverage=0.8)
        >>> for x, y in datasets.TrumpApproval():
        ...     interval = model.predict_interval_one(x)
        ...     model.learn_one(x, y)
        >>> round(model.ledger.coverage, 2), interval.low < interval.value < interval.high      # after a thousand rows
        (0.86, True)
    """

    def predict_one(self, x: Features) -> float:
        """The forecast of the model."""
        return self.predict_interval_one(x).value

    def predict_interval_one(self, x: Features) -> PredictionInterval:
        """The forecast and the interval around it."""
        shown = self._conformal.predict_one(x)
        if not isinstance(shown, PredictionInterval):
            raise NotApplicable("the model has probabilities of labels; ConformalClassifier makes sets of them")
        return shown

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, object]]:
        from river.linear_model import LinearRegression

        yield {"model": LinearRegression()}


@final
class ConformalClassifier(Surrounded[Classifier], Classifier):
    """A classifier with sets of labels that hold the wanted share of the true ones.

    Args:
        model: a classifier of River that has probabilities.
        coverage: the share of labels that sets are to hold.
        rule: as for `ls.Conformal`.
        window: as for `ls.Conformal`.

    Example:
        >>> from river import datasets, linear_model, preprocessing
        >>> from littlestone.river import ConformalClassifier
        >>> model = ConformalClassifier(preprocessing.StandardScaler() | linear_model.LogisticRegression(), coverage=0.95)
        >>> for x, y in datasets.Phishing():
        ...     labels = model.predict_set_one(x)
        ...     model.learn_one(x, y)
        >>> round(model.ledger.coverage, 2), True in labels or False in labels
        (0.95, True)
    """

    @property
    def _multiclass(self) -> bool:
        return bool(getattr(self.model, "_multiclass", True))

    def predict_set_one(self, x: Features) -> PredictionSet:
        """The labels that are not ruled out."""
        shown = self._conformal.predict_one(x)
        if not isinstance(shown, PredictionSet):
            raise NotApplicable("the model forecasts numbers; ConformalRegressor makes intervals of them")
        return shown

    def predict_proba_one(self, x: Features, **_: object) -> dict[ClfTarget, float]:
        """The probabilities of the model."""
        return cast("dict[ClfTarget, float]", dict(self.predict_set_one(x).chances))

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, object]]:
        from river.linear_model import LogisticRegression

        yield {"model": LogisticRegression()}
