"""A mixture of experts behind a server: advice in, forecast out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, cast, final

import numpy as np

from littlestone.errors import InvalidData, NotApplicable
from littlestone.experts.mixture import Mixture
from littlestone.serve.entries import Outcome, Prediction, Row
from littlestone.serve.models import Parts, Served
from littlestone.store.mixtures import described_mixture

if TYPE_CHECKING:
    from littlestone.experts.mixture import AdviceRow
    from littlestone.theory.certificate import Certificate


@final
class ServedMixture(Served):
    """A `ls.Mixture` behind a server; a row is the advice of a round, by expert or in their order, null for who sleeps."""

    columns = False

    def __init__(self, mixture: Mixture) -> None:
        self.mixture = mixture
        self.targets = mixture.loss.name != "zero_one"

    @property
    def rule(self) -> str:
        """The rule with its parameters, and the loss."""
        return f"{self.mixture.rule!r}, {self.mixture.loss.name} loss"

    @property
    def width(self) -> int:
        """How many experts there are."""
        return len(self.mixture.experts)

    def features(self) -> list[str]:
        """The experts."""
        return list(self.mixture.experts)

    def check(self, rows: Sequence[Row], labels: Sequence[Outcome] | None, weights: Sequence[float] | None) -> None:
        """Refuses advice that cannot be mixed; whether a loss lies in its range is seen when it is charged."""
        if weights is not None and any(weight != 1.0 for weight in weights):
            raise NotApplicable("a weight is not 1; a mixture gives weights no meaning")
        for row, label in zip(rows, labels or [None] * len(rows), strict=True):
            _number(label)
            self.predict(row)

    def learn(self, row: Row, label: Outcome, weight: float = 1.0) -> Prediction:
        """One round."""
        if weight != 1.0:
            raise NotApplicable("a weight is not 1; a mixture gives weights no meaning")
        return self.mixture.learn_one(_advice(row), _number(label))

    def predict(self, row: Row) -> Prediction:
        """The forecast for the advice of a round."""
        return self.mixture.predict_one(_advice(row))

    def counts(self) -> tuple[int, int]:
        """Rounds, and mistakes where the outcomes are labels."""
        ledger = self.mixture.ledger
        return ledger.rounds, ledger.mistakes

    def ledger(self) -> Mapping[str, object]:
        """Every total by its name; those of experts are lists."""
        told = asdict(self.mixture.ledger)
        return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in told.items()}

    def certificates(self, *, iid: bool) -> list[Certificate]:
        """Every guarantee that speaks of the rule; none of them is about rows to come."""
        return self.mixture.certify()

    def frozen(self) -> Callable[[], Parts]:
        """A copy of everything the mixture knows."""
        snapshot = self.mixture.snapshot()
        return lambda: described_mixture(snapshot)


def _advice(row: Row) -> AdviceRow:
    return cast("AdviceRow", row)  # what is no number is refused by the mixture


def _number(label: Outcome) -> float:
    if isinstance(label, bool) or not isinstance(label, int | float):
        raise InvalidData(f"the outcome is {label!r}; a mixture of experts learns from numbers")
    return float(label)
