"""The loop of the expert protocol, for rules and losses that the core does not know, and the shape that both loops have."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, final

import numpy as np

from littlestone.errors import InvalidData
from littlestone.experts.reading import AdviceRound, AdviceRule
from littlestone.loop import Interrupts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from littlestone import _core
    from littlestone.arrays import BoolArray, FloatArray
    from littlestone.experts.losses import Loss
    from littlestone.experts.rule import ExpertRule
    from littlestone.experts.state import ExpertState

    Matrix: TypeAlias = "npt.NDArray[np.float64] | npt.NDArray[np.float32]"
    Advice: TypeAlias = "FloatArray | list[float | None] | tuple[float | None, ...]"


_NARROWEST = 1e-150
"""The least range of charges whose square keeps its digits."""
_ROUNDED = 1e-12
"""Predictions this near to one another are the same, in units of what they are made of."""


class ExpertLoop(Protocol):
    """Rounds in order: weights, prediction, losses, record, update. `_core.ExpertLoop` is the compiled one."""

    @property
    def torn(self) -> bool:
        """Whether the last round was begun and not ended."""
        ...

    def learn(
        self,
        advice: Matrix,
        outcomes: FloatArray | None,
        totals: _core.ExpertTotals,
        *,
        prediction: FloatArray | None = None,
        loss: FloatArray | None = None,
        weights: FloatArray | None = None,
    ) -> None:
        """Learns the rows in order."""
        ...

    def learn_row(self, advice: Advice, outcome: float, totals: _core.ExpertTotals) -> float:
        """Learns one round; returns what was predicted."""
        ...

    def predict_row(self, advice: Advice) -> float:
        """What would be predicted."""
        ...

    def weights_row(self, advice: Advice) -> FloatArray:
        """The weights among those that give advice."""
        ...


@final
class Charged(NamedTuple):
    """What a rule was charged in a round: the weights, the charges of the experts, who was awake, and its own charge."""

    weights: FloatArray
    charges: FloatArray
    awake: BoolArray
    own: float


@final
class PythonExpertLoop:
    """Runs the definition of a rule as it is written."""

    def __init__(self, rule: ExpertRule, state: ExpertState, loss: Loss, experts: int, *, gradient: bool) -> None:
        self._rule = rule
        self._state = state
        self._loss = loss
        self._experts = experts
        self._gradient = gradient
        self.heard: FloatArray | None = None
        """What another loop has predicted in these rounds; where ours differs by roundings, it is taken, since a loss with a
        kink has two slopes there."""
        self.latest: Charged | None = None
        """The last round, for whoever watches a run."""
        self.torn = False

    def learn(
        self,
        advice: Matrix,
        outcomes: FloatArray | None,
        totals: _core.ExpertTotals,
        *,
        prediction: FloatArray | None = None,
        loss: FloatArray | None = None,
        weights: FloatArray | None = None,
    ) -> None:
        """Learns the rows in order."""
        with Interrupts() as interrupts:
            for t in range(len(advice)):
                outcome = 0.0 if outcomes is None else float(outcomes[t])
                said, own, p = self._round(t, advice[t].astype(np.float64), outcome, totals)
                for column, value in ((prediction, said), (loss, own)):
                    if column is not None:
                        column[t] = value
                if weights is not None:
                    weights[t] = p
                interrupts.let_through()

    def learn_row(self, advice: Advice, outcome: float, totals: _core.ExpertTotals) -> float:
        """Learns one round; returns what was predicted."""
        row = self._row(advice)
        with Interrupts():
            return self._round(0, row, outcome, totals)[0]

    def predict_row(self, advice: Advice) -> float:
        """What would be predicted."""
        x, awake = self._woken(0, self._row(advice))
        p = self._rule.weights(self._state, awake)
        return self._rule.predict(self._state, p, x, labels=self._loss.labels)

    def weights_row(self, advice: Advice) -> FloatArray:
        """The weights among those that give advice."""
        return self._rule.weights(self._state, self._woken(0, self._row(advice))[1])

    def _row(self, advice: Advice) -> FloatArray:
        row = row_of(advice)
        if len(row) != self._experts:
            raise InvalidData(f"there are {len(row)} pieces of advice and {self._experts} experts")
        return row

    def _round(self, t: int, row: FloatArray, outcome: float, totals: _core.ExpertTotals) -> tuple[float, float, FloatArray]:
        self._check_outcome(t, outcome)
        x, awake = self._woken(t, row)
        p = self._rule.weights(self._state, awake)
        said = self._nearest(t, self._rule.predict(self._state, p, x, labels=self._loss.labels), x, outcome)
        losses = np.where(awake, self._loss(x, np.full(len(x), outcome)), 0.0)
        self._check_range(t, losses, awake)
        own = self._own(said, outcome, p, losses)
        charges, charged = losses, own
        if self._gradient:
            slope = float(self._loss.gradient(np.array([said]), np.array([outcome]))[0])
            charges, charged = slope * x, slope * said
        self._check_scale(t, charges[awake], totals)
        self.torn = True
        self._record(totals, losses, awake, own, said, outcome, p, np.where(awake, charges, charged))
        if isinstance(self._rule, AdviceRule):
            self._rule.learn(self._state, AdviceRound(x, losses, awake, outcome, self._loss, self._gradient))
        else:
            charges, charged = self._in_unit(charges, charged, awake, totals)
            self.latest = Charged(p, charges, awake, charged)
            self._rule.update(self._state, charges, awake, charged)
        totals.charged += charged
        self.torn = False
        return said, own, p

    def _nearest(self, t: int, said: float, advice: FloatArray, outcome: float) -> float:
        """What was heard, where it is what is said but for roundings of what it was made of."""
        if self.heard is None:
            return said
        heard, size = float(self.heard[t]), abs(outcome) + float(np.max(np.abs(advice)))
        return heard if abs(said - heard) <= _ROUNDED * size else said

    def _woken(self, t: int, row: FloatArray) -> tuple[FloatArray, BoolArray]:
        awake = ~np.isnan(row)
        if not self._rule.sleepers and not awake.all():
            raise InvalidData(
                f"row {t}: expert {int(np.argmin(awake))} sleeps; the rule needs the advice of everybody in every round"
            )
        if not awake.any():
            raise InvalidData(f"row {t}: every expert sleeps; a round needs at least one that is awake")
        for i in np.flatnonzero(awake):
            if not takes_advice(self._loss, float(row[i])):
                raise InvalidData(f"row {t}: the advice of expert {i} is {row[i]:.6g}; it must be {advice_words(self._loss)}")
        return np.where(awake, row, 0.0), awake

    def _check_outcome(self, t: int, outcome: float) -> None:
        if not takes_outcome(self._loss, outcome):
            raise InvalidData(f"row {t}: the outcome is {outcome:.6g}; it must be {outcome_words(self._loss)}")

    def _check_range(self, t: int, losses: FloatArray, awake: BoolArray) -> None:
        low, high = self._loss.range or (-math.inf, math.inf)
        wrong = awake & ~((losses >= low) & (losses <= high) & np.isfinite(losses))
        if wrong.any():
            i = int(np.argmax(wrong))
            words = f"in the declared range [{low:.6g}, {high:.6g}]" if self._loss.range else "finite"
            raise InvalidData(f"row {t}: the loss of expert {i} is {losses[i]:.6g}; it must be {words}")

    def _check_scale(self, t: int, charges: FloatArray, totals: _core.ExpertTotals) -> None:
        """A rule may square what it is charged: the square of the largest range must be a number."""
        spread = float(np.max(charges) - np.min(charges))
        widest = max(spread, totals.largest_range)
        if self._rule.squares and not (widest == 0.0 or _NARROWEST <= widest <= 1.0 / _NARROWEST):
            raise InvalidData(
                f"row {t}: the experts' losses differ by {spread:.6g}, and the rule squares that; multiply advice and "
                "outcomes by one factor, so that it lies between 1e-150 and 1e+150"
            )

    def _own(self, said: float, outcome: float, p: FloatArray, losses: FloatArray) -> float:
        if self._loss.labels and not self._rule.votes:
            return float(p @ losses)
        return float(self._loss(np.array([said]), np.array([outcome]))[0])

    def _record(
        self,
        totals: _core.ExpertTotals,
        losses: FloatArray,
        awake: BoolArray,
        own: float,
        said: float,
        outcome: float,
        p: FloatArray,
        charges: FloatArray,
    ) -> None:
        mean = float(p @ charges)
        totals.record(
            losses=losses,
            awake=awake.astype(np.uint8),
            own=own,
            mistaken=self._loss.labels and said != outcome,
            variance=0.0 if self._rule.unit else float(p @ (charges - mean) ** 2),
            least=float(np.min(losses[awake])),
            most=float(np.max(losses[awake])),
            range=float(np.max(charges[awake]) - np.min(charges[awake])),
            mean=float(p @ losses),
        )

    def _in_unit(
        self, charges: FloatArray, own: float, awake: BoolArray, totals: _core.ExpertTotals
    ) -> tuple[FloatArray, float]:
        """The charges in [0, 1] where the rule wants them so: by the declared range, or the widest range of a round."""
        if not self._rule.unit:
            return charges, own
        if self._loss.range is not None and not self._gradient:
            low, high = self._loss.range
            return (charges - low) / (high - low), (own - low) / (high - low)
        low, high = float(np.min(charges[awake])), float(np.max(charges[awake]))
        if high - low > totals.scale:
            if totals.scale > 0.0:
                self._rule.rescale(self._state, totals.scale / (high - low))
                totals.charged *= totals.scale / (high - low)
            totals.scale = high - low
        width = totals.scale if totals.scale > 0.0 else 1.0
        return (charges - low) / width, (own - low) / width


def real(value: object) -> float:
    """An outcome as a float.

    Raises:
        InvalidData: if it is not a number.
    """
    if isinstance(value, float):
        return value
    try:
        return float(np.asarray(value, dtype=np.float64)[()])
    except (TypeError, ValueError, OverflowError):
        raise InvalidData(f"the outcome is {value!r}; an outcome must be a number") from None


def row_of(advice: Advice | Sequence[float | None]) -> FloatArray:
    """One round of advice as an array; None is sleep.

    Raises:
        InvalidData: if it is not a list of numbers.
    """
    try:
        row = np.array([math.nan if value is None else value for value in advice], dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidData("the advice of a round must be a list or a one-dimensional array of numbers") from None
    return row


def takes_advice(loss: Loss, value: float) -> bool:
    """Whether the loss is defined for this advice."""
    if loss.labels:
        return value in (0.0, 1.0)
    if loss.name == "returns":
        return 0.0 < value < math.inf
    return 0.0 <= value <= 1.0 if loss.probabilities else math.isfinite(value)


def takes_outcome(loss: Loss, value: float) -> bool:
    """Whether the loss is defined for this outcome."""
    if loss.labels or loss.probabilities:
        return value in (0.0, 1.0)
    return math.isfinite(value) and not (loss.name == "percentage" and value == 0.0)


def advice_words(loss: Loss) -> str:
    """What advice must be."""
    if loss.labels:
        return "0 or 1"
    if loss.name == "returns":
        return "above 0"
    return "a probability" if loss.probabilities else "finite, or nan for sleep"


def outcome_words(loss: Loss) -> str:
    """What an outcome must be."""
    if loss.labels or loss.probabilities:
        return "0 or 1"
    return "finite and not 0" if loss.name == "percentage" else "finite"
