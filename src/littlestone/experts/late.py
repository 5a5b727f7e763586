"""Outcomes that come late: the mixture speaks from what it had learned by then."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from littlestone import _core
from littlestone.domain import WHOLE
from littlestone.errors import InvalidParameter
from littlestone.experts.ledger import ExpertLedger

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.experts.mixture import Mixture
    from littlestone.experts.run import ExpertRun


def check_delay(delay: int) -> None:
    """Refuses a delay that is no number of rounds.

    Raises:
        InvalidParameter: if it is not a whole number, at least 0.
    """
    if isinstance(delay, bool) or not (WHOLE.contains(delay) or (isinstance(delay, int | np.integer) and delay == 0)):
        raise InvalidParameter(f"delay is {delay!r}; it must be a whole number of rounds, at least 0")


def spoken_late(prompt: ExpertRun, mixture: Mixture, totals: _core.ExpertTotals, delay: int) -> ExpertRun:
    """The run as it is when every outcome comes so many rounds late.

    Args:
        prompt: the run in which every outcome came at once. It learned the same rounds in the same order.
        mixture: a copy of what it was before that run.
        totals: those of the mixture, to which the rounds as they were spoken are added.
        delay: by how many rounds.
    """
    outcomes, advice = prompt.outcomes, np.asarray(prompt.advice, dtype=np.float64)
    assert outcomes is not None
    said, own, weights = np.zeros(len(advice)), np.zeros(len(advice)), np.zeros(advice.shape)
    for t, row in enumerate(advice):
        if t > delay:  # the last outcome that is known by now
            mixture.learn_one(advice[t - delay - 1], float(outcomes[t - delay - 1]))
        said[t], weights[t] = mixture.predict_one(row), mixture.weights_for(row)
        own[t] = _record(prompt, totals, row, weights[t], said[t], float(outcomes[t]))
    shape = prompt.shape
    return replace(
        prompt,
        ledger=ExpertLedger.of(totals, prompt.ledger.experts),
        predictions=shape.column(said, "prediction"),
        losses=shape.column(own, "loss"),
        kept_weights=None if prompt.kept_weights is None else shape.grid(weights, prompt.ledger.experts),
        delay=delay,
        prompt=prompt.ledger,
    )


def _record(
    prompt: ExpertRun, totals: _core.ExpertTotals, row: FloatArray, p: FloatArray, said: float, outcome: float
) -> float:
    """Adds a round as it was spoken; returns its loss."""
    awake = ~np.isnan(row)
    losses = np.where(awake, prompt.loss(np.where(awake, row, 0.5), np.full(len(row), outcome)), 0.0)
    mean, charged = float(p @ losses), prompt.loss.labels and not prompt.rule.votes
    own = mean if charged else float(prompt.loss(np.array([said]), np.array([outcome]))[0])
    totals.record(
        losses=losses,
        awake=awake.astype(np.uint8),
        own=own,
        mistaken=prompt.loss.labels and said != outcome,
        variance=0.0,
        least=float(np.min(losses[awake])),
        most=float(np.max(losses[awake])),
        range=float(np.ptp(losses[awake])),
        mean=mean,
    )
    return own
