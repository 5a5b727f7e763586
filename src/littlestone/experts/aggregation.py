"""Whole runs over tables: of advice and outcomes, or of losses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from littlestone.errors import InvalidData
from littlestone.experts.frames import read
from littlestone.experts.losses import Given, Loss
from littlestone.experts.mixture import Mixture

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.experts.mixture import AdviceTable
    from littlestone.experts.rule import ExpertRule
    from littlestone.experts.run import ExpertRun


def aggregate(
    rule: ExpertRule | None,
    advice: AdviceTable,
    y: npt.ArrayLike,
    *,
    loss: str | Loss | None = None,
    keep: Iterable[str] = (),
    experts: Sequence[str] | None = None,
    gradient: bool | None = None,
    delay: int = 0,
) -> ExpertRun:
    """Runs a rule over a table of advice and its outcomes.

    Args:
        rule: the rule; None is AdaHedge on gradients.
        advice: a round per row, an expert per column; an array, read in place, or a frame; nan for sleep.
        y: the outcomes, one per round.
        loss: a name or a value of `ls.losses`; None is the square loss, and the run says so.
        keep: "weights" keeps the weights of every round.
        experts: their names; None takes those of the frame, or numbers.
        gradient: as for `ls.Mixture`.
        delay: by how many rounds outcomes come late, as those of forecasts of several steps do: the outcome of a round is
            learned after so many rounds more.

    Example:
        >>> import math, numpy as np, littlestone as ls
        >>> rule = ls.ExponentialWeights(eta=math.log(2.0))
        >>> loss = ls.losses.Absolute(low=0.0, high=1.0)
        >>> run = ls.aggregate(rule, np.array([[0.0, 1.0]] * 3), [1, 1, 0], loss=loss)
        >>> run.predictions.round(4), round(run.regret, 5)
        (array([0.5   , 0.6667, 0.8   ]), 0.63333)
        >>> print(run.certify()[0])
        mohri.8.6a: vacuous: regret 0.633333 ≤ 1.25993 = log N/η + ηT/8
          Mohri et al., theorem 8.6: the range of the losses was declared ✓; the loss is convex ✓; the rate is fixed ✓; \
there are at least two experts ✓
    """
    table, names, _ = read(advice)
    if table.ndim != 2:
        raise InvalidData(f"the advice has shape {table.shape}; expected rounds by experts")
    called = names if experts is None else experts
    mixture = Mixture(rule, experts=table.shape[1] if called is None else called, loss=loss, gradient=gradient)
    return mixture.learn_many(advice, y, keep=keep, delay=delay)


def hedge(
    rule: ExpertRule,
    losses: AdviceTable,
    *,
    low: float | None = 0.0,
    high: float | None = 1.0,
    keep: Iterable[str] = (),
    experts: Sequence[str] | None = None,
) -> ExpertRun:
    """Runs a rule over a table of losses; the learner's loss is the mean under its weights.

    Args:
        rule: the rule.
        losses: a round per row, an expert per column; an array, read in place, or a frame; nan for sleep.
        low: the least loss there can be; None (for both ends) tracks the range.
        high: the largest loss there can be.
        keep: "weights" keeps the weights of every round.
        experts: their names; None takes those of the frame, or numbers.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> run = ls.hedge(ls.ExponentialWeights(eta=0.5), np.array([[1.0, 0.0]] * 100))
        >>> run.ledger.best, run.ledger.losses
        ('1', array([100.,   0.]))
        >>> print(run.certify()[0])
        mohri.8.6a: holds: regret 1.64673 ≤ 7.63629 = log N/η + ηT/8
          Mohri et al., theorem 8.6: the range of the losses was declared ✓; the loss is convex ✓; the rate is fixed ✓; \
there are at least two experts ✓
    """
    table, names, _ = read(losses)
    if table.ndim != 2:
        raise InvalidData(f"the losses have shape {table.shape}; expected rounds by experts")
    given, called = Given(low=low, high=high), names if experts is None else experts
    return Mixture(rule, experts=table.shape[1] if called is None else called, loss=given).learn_many(losses, None, keep=keep)
