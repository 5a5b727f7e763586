"""Forecasts of one of many outcomes: every expert gives a distribution, and so does the mixture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, final

import numpy as np

from littlestone.arrays import FloatArray
from littlestone.columns import counted
from littlestone.display import Displayed
from littlestone.errors import InvalidData, InvalidParameter
from littlestone.experts.aggregation import aggregate, hedge
from littlestone.streams.batches import numbers

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.experts.rule import ExpertRule
    from littlestone.experts.run import ExpertRun
    from littlestone.theory.certificate import Certificate

DistributionLoss: TypeAlias = Literal["log", "brier"]

_SLACK = 1e-9


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class DistributionRun(Displayed):
    """The distributions that were said, their losses, and the run of the weights with its ledger and certificates.

    Under the log loss the run is that of the mixture itself. Under the Brier loss it is that of the experts' losses under the
    weights, of which the loss of the mixture is at most the mean: what is proved of the run is proved of the mixture.
    """

    run: ExpertRun = field(repr=False)
    distributions: FloatArray = field(repr=False)
    """What was said: rounds by outcomes."""
    losses: FloatArray = field(repr=False)
    """The loss of what was said in each round."""

    @property
    def loss(self) -> float:
        """The sum of the losses."""
        return float(np.sum(self.losses))

    @property
    def regret(self) -> float:
        """The largest loss of the mixture over that of an expert, each on the rounds in which it was awake."""
        awake = ~np.isnan(np.asarray(self.run.advice, dtype=np.float64))
        return float(np.max(np.where(awake, self.losses[:, None], 0.0).sum(axis=0) - self.run.ledger.losses))

    def certify(self) -> list[Certificate]:
        """What the theorems of the rule say of its run; under the Brier loss, of the mean loss under its weights."""
        return self.run.certify()

    def __str__(self) -> str:
        rounds, experts = len(self.losses), self.run.ledger.experts
        head = f"{self.run.rule!r}: {counted(rounds, 'round')}, {len(experts)} experts, {self.distributions.shape[1]} outcomes"
        return f"{head}\n  mean loss {self.loss / max(rounds, 1):.6g}, regret {self.regret:.6g}"


def aggregate_distributions(
    rule: ExpertRule,
    advice: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    loss: DistributionLoss = "log",
    experts: Sequence[str] | None = None,
) -> DistributionRun:
    """Mixes distributions over many outcomes.

    Args:
        rule: the rule; `ls.BayesMixture()` for the log loss has a regret of at most log N.
        advice: rounds by experts by outcomes; an expert whose probabilities are nan sleeps.
        y: which outcome it was in each round, counted from 0.
        loss: "log", or "brier": Σ(p − [it happened])² over all outcomes, between 0 and 2.
        experts: their names; None numbers them.

    Raises:
        InvalidData: if a forecast is no distribution, or an outcome is none of those forecast.
        InvalidParameter: if there is no such loss.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> advice = np.array([[[0.6, 0.3, 0.1], [0.2, 0.3, 0.5]]] * 2)   # two experts, three outcomes, twice
        >>> run = ls.aggregate_distributions(ls.BayesMixture(), advice, [0, 0])
        >>> run.distributions                                             # the mean, then weights 3 to 1
        array([[0.4, 0.3, 0.3],
               [0.5, 0.3, 0.2]])
    """
    table, outcomes = _checked(advice, y)
    rounds = np.arange(len(table))
    if not isinstance(loss, str):
        raise InvalidParameter(f"loss is a {type(loss).__name__}; expected 'log' or 'brier'")
    if loss == "log":
        chances = table[rounds, :, outcomes]
        run = aggregate(rule, chances, np.ones(len(table)), loss="log", keep=("weights",), experts=experts)
    elif loss == "brier":
        happened = np.eye(table.shape[2])[outcomes]
        scores = np.sum((table - happened[:, None, :]) ** 2, axis=2)
        run = hedge(rule, scores, low=0.0, high=2.0 + _SLACK, keep=("weights",), experts=experts)
    else:
        raise InvalidParameter(f"there is no loss {loss!r} of distributions; there are log and brier")
    weights = np.asarray(run.weights, dtype=np.float64)
    said = np.einsum("ti,tik->tk", weights, np.nan_to_num(table))
    if loss == "log":
        return DistributionRun(run=run, distributions=said, losses=np.asarray(run.losses, dtype=np.float64))
    return DistributionRun(run=run, distributions=said, losses=np.sum((said - happened) ** 2, axis=1))


def _checked(advice: npt.ArrayLike, y: npt.ArrayLike) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    table = np.asarray(numbers(advice, "the advice"), dtype=np.float64)
    if table.ndim != 3:
        raise InvalidData(f"the advice has shape {table.shape}; expected rounds by experts by outcomes")
    asleep = np.isnan(table).all(axis=2)
    sums = np.where(asleep, 1.0, np.sum(table, axis=2))
    wrong = np.argwhere(~(np.abs(sums - 1.0) <= _SLACK) | (np.nan_to_num(table) < 0.0).any(axis=2))
    if len(wrong):
        t, i = (int(k) for k in wrong[0])
        raise InvalidData(f"row {t}: the forecast of expert {i} is no distribution: it must be at least 0 and add up to 1")
    values = np.asarray(numbers(y, "the outcomes"), dtype=np.float64)
    if values.shape != (len(table),):
        raise InvalidData(f"the outcomes have shape {values.shape}; expected one for each of {len(table)} rounds")
    bad = np.flatnonzero(~np.isin(values, np.arange(table.shape[2])))
    if len(bad):
        words = f"a whole number below {table.shape[2]}"
        raise InvalidData(f"row {int(bad[0])}: the outcome is {values[int(bad[0])]:.6g}; it must be {words}")
    return table, values.astype(np.int64)
