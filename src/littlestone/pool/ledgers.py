"""The members of a pool one by one: what each of them would have had, had it been alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from littlestone import _core
from littlestone.errors import NotApplicable
from littlestone.ledger import Ledger
from littlestone.pool.members import MEMBERS
from littlestone.pool.state import PoolState

if TYPE_CHECKING:
    from littlestone.state import State

EXPERTS = (*MEMBERS, "stack", "fading-stack")


def member_ledgers(state: State, ledger: Ledger) -> dict[str, Ledger]:
    """A ledger for each member and stack of the raw view, of two labels: rounds, mistakes, log loss, and the baselines.

    Raises:
        NotApplicable: if the state is of no pool for labels, of many classes, or rounds counted differently.
    """
    if not isinstance(state, PoolState) or not isinstance(state.core, _core.Pool):
        raise NotApplicable("the rule is no pool for labels; a learner alone has its ledger")
    if state.core.classes > 1:
        raise NotApplicable("the members of a pool of many classes are one per class, against the rest; see state.accounts()")
    if not ledger.unit_weights:
        raise NotApplicable("rounds counted differently, and the members have no ledger of weights; see state.accounts()")
    mistakes, losses = state.arrays["raw.mistakes"], state.accounts()["member_losses"]
    taking_part = [*(part > 0.0 for part in state.core.members), True, True]
    told = zip(EXPERTS, mistakes.tolist(), np.asarray(losses).tolist(), taking_part, strict=True)
    return {name: _of_member(ledger, int(wrong), lost) for name, wrong, lost, takes_part in told if takes_part}


def _of_member(pool: Ledger, mistakes: int, log_loss: float) -> Ledger:
    """What is kept of a member; the rows, and those who learn nothing, are those of the pool."""
    return Ledger(
        rounds=pool.rounds,
        mistakes=mistakes,
        updates=pool.rounds,
        other_updates=pool.rounds,
        shown_errors=mistakes,  # a tie is one
        loss=log_loss,
        log_loss=log_loss,
        forecasts=pool.rounds,
        positives=pool.positives,
        majority_errors=pool.majority_errors,
        last_label_errors=pool.last_label_errors,
        smallest_margin=-log_loss,  # at the least: log-odds of m for what came cost ln(1 + e^-m), which is above -m
        weight=pool.weight,
        weighted_loss=log_loss,
        weighted_mistakes=float(mistakes),
        passes=pool.passes,
        repeats=pool.repeats,
        own_rounds=pool.own_rounds,
        blank_start=pool.blank_start,
        witnessed=pool.witnessed,
        fingerprint=pool.fingerprint,
        sequence=pool.sequence,
    )
