"""What theorems about linear rules read: the ledger of a run, beside that of a comparator."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, final

from littlestone.lazy import np
from littlestone.theory.guarantee import Assumption, Guarantee

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.ledger import Ledger
    from littlestone.rule import LinearRule
    from littlestone.state import State


@final
@dataclass(frozen=True)
class Comparison:
    """Fixed weights u and the ledger they leave on the same stream."""

    u: FloatArray
    ledger: Ledger
    inside: float | None = None
    """How far u·x is inside the interval of its outcome at least, where that was asked for and the rows were at hand."""
    alike: bool = True
    """Whether its run read labels and features as the learner did."""

    @property
    def norm(self) -> float:
        """‖u‖, without the underflow and overflow of squares."""
        return math.hypot(*self.u.tolist())

    @property
    def margin(self) -> float:
        """ρ: the smallest y·(u·x)/‖u‖ over the stream; not positive when u does not separate it.

        A score below the smallest normal number has lost its digits, so it separates nothing.
        """
        smallest = self.ledger.smallest_margin
        return smallest / self.norm if self.norm > 0 and abs(smallest) >= sys.float_info.min else 0.0


@final
@dataclass(frozen=True)
class LinearEvidence:
    """A rule, its ledger, the comparator where one was given, and the weights and the state the run ended with."""

    rule: LinearRule
    ledger: Ledger
    comparison: Comparison | None
    final: FloatArray | None = None
    state: State | None = None
    constant: int | None = None
    """Of many classes: the mistakes of whoever always shows the one met most often, where the outcomes are at hand."""

    @property
    def against(self) -> Comparison:
        """The comparator; only bounds whose assumptions asked for one get here."""
        assert self.comparison is not None
        return self.comparison

    @property
    def covered(self) -> bool | None:
        """Whether the comparator ran over the same rows, in every pass or in one: then its smallest margin is theirs."""
        if self.comparison is None or self.ledger.rounds == 0:
            return None
        return self.comparison.ledger.is_of(self.ledger, passes=self.ledger.passes) if self.comparison.alike else False

    @property
    def same_rounds(self) -> bool | None:
        """Whether the comparator ran over the same rounds; None where one of the two ledgers does not know its rows."""
        if self.comparison is None:
            return None
        return self.comparison.ledger.is_of(self.ledger) if self.comparison.alike else False

    @property
    def start(self) -> FloatArray:
        """The weights of the first round, at the width of the comparator."""
        width = len(self.comparison.u) if self.comparison is not None else 0
        given: object = getattr(self.rule, "start", None)
        start = np.zeros(max(width, len(given) if isinstance(given, np.ndarray) else 0))
        if isinstance(given, np.ndarray):
            start[: len(given)] = given
        return start

    @property
    def radius(self) -> float:
        """r: the largest norm of a row that caused an update; the proofs need no other rows."""
        return math.sqrt(self.ledger.largest_update_norm_squared)

    def distance_squared(self, scale: float = 1.0) -> float:
        """‖scale·u − w_1‖²."""
        u, start = self.against.u, self.start
        padded = np.zeros(len(start))
        padded[: len(u)] = scale * u
        return float(np.sum((padded - start) ** 2))


@final
@dataclass(frozen=True)
class LinearMoment:
    """One round seen from the proof: the weights before and after, the row, and how the comparator did on it."""

    rule: LinearRule
    w: FloatArray
    w_next: FloatArray
    x: FloatArray
    label: int
    score: float
    side: int
    loss: float
    tolerated_loss: float
    step: float
    moved: bool
    u: FloatArray
    u_score: float
    u_loss: float
    theta: FloatArray | None = None
    """The log-weights of the features that take part, where the rule has them."""
    theta_next: FloatArray | None = None
    arrays: Mapping[str, FloatArray] = field(default_factory=dict)
    """Copies of all arrays of the state before the round, where the proof of the rule needs more than its weights."""
    arrays_next: Mapping[str, FloatArray] = field(default_factory=dict)

    @property
    def gain(self) -> float:
        """‖w − u‖² − ‖w′ − u‖²: how much closer to the comparator the round brought the weights."""
        return float(np.sum((self.w - self.u) ** 2) - np.sum((self.w_next - self.u) ** 2))

    @property
    def target(self) -> float:
        """y, where the outcome is a target."""
        return self.score + self.side * self.loss

    @property
    def norm_squared(self) -> float:
        """‖x‖²."""
        return float(np.sum(self.x**2))


def square(value: float) -> float:
    """value², infinite where it is larger than any number (`**` raises an error there)."""
    return value * value


def constant_mistakes(evidence: LinearEvidence) -> float:
    """What is known without learning: the mistakes of the better constant label, and never more than the rounds."""
    ledger = evidence.ledger
    labelled = math.isfinite(ledger.smallest_margin)
    return min(ledger.positives, ledger.rounds - ledger.positives) if labelled else ledger.rounds


def zero_loss(evidence: LinearEvidence) -> float:
    """What is known without learning: the loss of a score of 0 in every round."""
    return evidence.ledger.zero_loss


def zero_loss_squared(evidence: LinearEvidence) -> float:
    """What is known without learning: the squared losses of a score of 0 in every round."""
    return evidence.ledger.zero_loss_squared


LinearAssumption: TypeAlias = Assumption[LinearEvidence]
LinearGuarantee: TypeAlias = Guarantee[LinearEvidence, LinearMoment]


def _separates(evidence: LinearEvidence) -> bool | None:
    return evidence.against.margin > 0 if evidence.covered else evidence.covered


def _labels(evidence: LinearEvidence) -> bool | None:
    return None if evidence.ledger.rounds == 0 else math.isfinite(evidence.ledger.smallest_margin)


SEPARATES = LinearAssumption("the comparator separates the rounds", _separates)
SAME_ROUNDS = LinearAssumption("the comparator ran over the same rounds", lambda evidence: evidence.same_rounds)
LABELS = LinearAssumption("the outcomes are labels", _labels)
ZERO_START = LinearAssumption("the start is 0", lambda evidence: not evidence.start.any())
POSSIBLE = LinearAssumption("no empty row has a loss", lambda evidence: evidence.ledger.impossible == 0)
