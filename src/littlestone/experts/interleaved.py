"""Outcomes that come late, by several copies of a rule that take turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.columns import counted
from littlestone.display import Displayed
from littlestone.errors import InvalidData
from littlestone.experts.advice_table import check_numbers, names_of
from littlestone.experts.columns import placed
from littlestone.experts.frames import read
from littlestone.experts.late import check_delay
from littlestone.experts.mixture import Mixture
from littlestone.streams.batches import numbers

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.experts.losses import Loss
    from littlestone.experts.mixture import AdviceTable
    from littlestone.experts.rule import ExpertRule
    from littlestone.experts.run import ExpertRun
    from littlestone.theory.certificate import Certificate


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class InterleavedRun(Displayed):
    """The run of every copy, and what they said in turn."""

    delay: int
    mixtures: tuple[Mixture, ...] = field(repr=False)
    """The copies, which can go on."""
    copies: tuple[ExpertRun, ...] = field(repr=False)
    """The run of each copy over its own rounds, with its ledger and its certificates."""
    predictions: FloatArray = field(repr=False)
    """What was said in each round, by the copy whose turn it was."""
    losses: FloatArray = field(repr=False)
    """The loss of each round."""

    @property
    def experts(self) -> tuple[str, ...]:
        """The names of the experts."""
        return self.copies[0].ledger.experts

    @property
    def regrets(self) -> FloatArray:
        """The loss minus that of each expert, over the rounds in which that expert was awake."""
        total: FloatArray = np.sum([copy.ledger.regrets for copy in self.copies], axis=0)
        return total

    @property
    def regret(self) -> float:
        """The largest of them: that to the best expert."""
        return float(np.max(self.regrets))

    @property
    def best(self) -> str:
        """Who that is: the expert with the smallest loss, over the rounds in which it was awake."""
        return self.experts[int(np.argmax(self.regrets))]

    @property
    def mean_loss(self) -> float:
        """Loss per round."""
        return float(np.mean(self.losses))

    def predict_many(self, advice: AdviceTable) -> FloatArray:
        """What the copies say to rounds that come after these, each in its turn. Nothing changes."""
        table, names, _ = read(advice)
        rows = table if names is None else placed(table, names, self.experts)
        turn = len(self.losses)
        return np.array([self.mixtures[(turn + k) % len(self.mixtures)].predict_one(row) for k, row in enumerate(rows)])

    def certify(self) -> list[Certificate]:
        """delay.interleaved: the bounds of the copies add up."""
        from littlestone.theory.interleaved import INTERLEAVED, InterleavedEvidence

        return [INTERLEAVED.certify(InterleavedEvidence.of(self))]

    def __str__(self) -> str:
        rule = f"{len(self.copies)} copies of {self.copies[0].rule!r}, outcomes {self.delay} rounds late"
        mean = f"{counted(len(self.losses), 'round')}, mean loss {self.mean_loss:.6g}"
        return f"{rule}: {mean}, regret {self.regret:.6g} to {self.best}"


def interleave(
    rule: ExpertRule | None,
    advice: AdviceTable,
    y: npt.ArrayLike,
    *,
    delay: int,
    loss: str | Loss | None = None,
    experts: Sequence[str] | None = None,
    gradient: bool | None = None,
) -> InterleavedRun:
    """Mixes advice whose outcomes come late by copies of a rule that take turns: round t is that of copy t mod (delay + 1).

    The outcome of a copy's round is there before its next turn, so every copy learns as if nothing were late, and every
    theorem on the regret of the rule holds for each: their bounds add up to one for all rounds. A single copy that speaks
    from what it knew (`ls.aggregate(..., delay=h)`) learns more from each outcome, and has no theorem but one.

    Args:
        rule: the rule; None is AdaHedge on gradients.
        advice: a round per row, an expert per column; an array or a frame; nan for sleep.
        y: the outcomes, one per round.
        delay: the outcome of a round is known after so many rounds more.
        loss: a name or a value of `ls.losses`; None is the square loss.
        experts: their names; None takes those of the frame, or numbers.
        gradient: as for `ls.Mixture`.

    Raises:
        InvalidParameter: if the delay is not a whole number, at least 0.
        InvalidData: if there are no rounds, or advice and outcomes are refused by `ls.aggregate`.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> advice = np.array([[0.0, 1.0]] * 6)
        >>> late = ls.interleave(ls.ExponentialWeights(eta=np.log(2.0)), advice, np.ones(6), delay=1, loss="absolute")
        >>> late.predictions.round(4)                     # each of two copies says 1/2, 2/3, 4/5
        array([0.5   , 0.5   , 0.6667, 0.6667, 0.8   , 0.8   ])
    """
    check_delay(delay)
    table, names, _ = read(advice)
    if table.ndim != 2 or len(table) == 0:
        raise InvalidData(f"the advice has shape {table.shape}; expected at least one round, by experts")
    outcomes = np.asarray(numbers(y, "the outcomes"), dtype=np.float64)
    if outcomes.shape != (len(table),):
        raise InvalidData(f"the outcomes have shape {outcomes.shape}; expected one for each of {len(table)} rounds")
    turns = [slice(k, None, delay + 1) for k in range(min(delay + 1, len(table)))]
    called = names if experts is None else experts
    who = table.shape[1] if called is None else called
    check_numbers(table, ~np.isnan(table), outcomes, names_of(called, None, table.shape[1]))
    mixtures = tuple(Mixture(rule, experts=who, loss=loss, gradient=gradient) for _ in turns)
    copies = tuple(
        mixture.learn_many(np.ascontiguousarray(table[turn]), outcomes[turn])
        for mixture, turn in zip(mixtures, turns, strict=True)
    )
    said, lost = np.zeros(len(table)), np.zeros(len(table))
    for turn, copy in zip(turns, copies, strict=True):
        said[turn], lost[turn] = np.asarray(copy.predictions), np.asarray(copy.losses)
    return InterleavedRun(delay=delay, mixtures=mixtures, copies=copies, predictions=said, losses=lost)
