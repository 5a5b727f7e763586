"""Rounds made again by the definition of their rule and counted by hand: what a loop and its ledger are held to."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from littlestone import _core
from littlestone.lazy import np
from littlestone.loop import Faced, advance
from littlestone.state import Weights

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.ledger import Ledger
    from littlestone.rule import LinearRule
    from littlestone.state import State

# Compiled loops give the bits of the definition, or agree to 1e-12 in a round where exp or log are involved.
SAME = 1e-9
SUMMED = ("rounds", "loss", "loss_squared", "tolerated_loss")
COUNTED = (*SUMMED, "mistakes", "updates")


@final
@dataclass(slots=True)
class Recount:
    """The totals of a few rounds, each added up from its trial and step without the ledger of the core."""

    rounds: int = 0
    mistakes: int = 0
    updates: int = 0
    loss: float = 0.0
    loss_squared: float = 0.0
    tolerated_loss: float = 0.0

    def count(self, faced: Faced, step: _core.Step) -> None:
        """One round."""
        trial, decision = faced.trial, faced.decision
        wrong = decision.sign != trial.label if decision.randomized else trial.label * trial.score <= 0.0
        self.rounds += 1
        self.mistakes += wrong if trial.label else not _inside(trial.score, trial.interval)
        self.updates += step.moved
        self.loss += trial.loss
        self.loss_squared += trial.loss * trial.loss
        self.tolerated_loss += trial.distance

    def unlike(self, before: _core.Totals, after: _core.Totals, *, exact: bool = True) -> str | None:
        """The first total that grew by something else between two moments; None where all grew by this.

        Where scores are the same up to rounding only, a score at the end of its interval may count for either side.
        """
        for name in COUNTED if exact else SUMMED:
            old, new = float(getattr(before, name)), float(getattr(after, name))
            if math.isfinite(new) and not abs(new - old - float(getattr(self, name))) <= SAME * (1.0 + abs(new)):
                return f"the {name.replace('_', ' ')}"
        return None


def remade(
    rule: LinearRule,
    state: State,
    batch: _core.Batch,
    outcomes: _core.Outcomes,
    rounds: range,
    counted: Recount | None = None,
) -> Recount:
    """Moves a state by the definition of its rule and counts the rounds, on top of others if some were counted."""
    recount = Recount() if counted is None else counted
    for t in rounds:
        row = batch[t]
        faced = rule.face(state, row, outcomes, t)
        recount.count(faced, advance(rule, state, row, faced.trial))
    return recount


def unlike(state: State, other: State) -> bool:
    """Whether two states that should be alike differ by more than roundings."""
    return not all(_alike(one, two) for one, two in zip(_moved(state), _moved(other), strict=True))


def is_exact(state: State) -> bool:
    """Whether a compiled loop has the bits of the definition; where exp and log are involved, it agrees up to rounding."""
    return "theta" not in state.arrays


def unlike_ledgers(one: Ledger, other: _core.Totals, *, exact: bool = True) -> str | None:
    """The first total in which a ledger differs from the totals of the same rounds by more than roundings."""
    for name in (*(COUNTED if exact else SUMMED), "smallest_margin"):
        mine, theirs = float(getattr(one, name)), float(getattr(other, name))
        if mine != theirs and not abs(mine - theirs) <= SAME * (1.0 + abs(theirs)):
            return f"the {name.replace('_', ' ')}"
    return None


def _inside(score: float, interval: _core.Interval) -> bool:
    above = score > interval.low or (score == interval.low and not interval.low_open)
    return above and (score < interval.high or (score == interval.high and not interval.high_open))


def _moved(state: State) -> list[FloatArray]:
    """What the updates of a rule move: its weights, or the coefficients of its points; sums and caches follow from them."""
    if not state.stacks():
        return [state.arrays["alpha"]]
    return list(state.arrays.values()) if isinstance(state, Weights) else [state.w]


def _alike(one: FloatArray, two: FloatArray) -> bool:
    places = min(len(one), len(two))
    a, b = one[:places], two[:places]
    if a.shape != b.shape or one[places:].any() or two[places:].any():
        return False
    if np.array_equal(a, b):
        return True
    size = 1.0 + float(np.max(np.abs(b), initial=0.0))
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    return bool(np.all(same | (np.abs(a - b) <= SAME * size)))
