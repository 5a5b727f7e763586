"""What theorems about expert rules read: the ledger of a run, its state, and a sequence of experts to compare with."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias, final, runtime_checkable

import numpy as np

from littlestone.theory.guarantee import Assumption, Guarantee

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.experts.ledger import ExpertLedger
    from littlestone.experts.losses import Loss
    from littlestone.experts.rule import ExpertRule
    from littlestone.experts.state import ExpertState


@runtime_checkable
class Sequence(Protocol):
    """Which expert is followed in each round: how often that changes, and the loss of it."""

    @property
    def switches(self) -> int:
        """How often the expert changes."""
        ...

    @property
    def total(self) -> float:
        """The loss over all rounds."""
        ...


@final
@dataclass(frozen=True, eq=False)
class ExpertEvidence:
    """A rule, what it left behind, and how its losses were measured.

    `own` and `theirs` are in units of the declared range, from its lower end, so that a loss of a round is in [0, 1]; an
    expert that slept is charged the learner's loss in `theirs`.
    """

    rule: ExpertRule
    ledger: ExpertLedger
    state: ExpertState
    loss: Loss
    gradient: bool
    sequence: Sequence | None = None

    @property
    def experts(self) -> int:
        """N."""
        return len(self.ledger.experts)

    @property
    def rounds(self) -> int:
        """T."""
        return self.ledger.rounds

    @property
    def log_experts(self) -> float:
        """The logarithm of N."""
        return math.log(self.experts)

    @property
    def declared(self) -> bool:
        """Whether what the rule was charged has a declared range."""
        return self.loss.range is not None and not self.gradient

    @property
    def width(self) -> float:
        """The width of the declared range; 1 where there is none."""
        low, high = self.loss.range or (0.0, 1.0)
        return high - low

    @property
    def own(self) -> float:
        """The learner's loss."""
        return self._unit(self.ledger.loss)

    @property
    def theirs(self) -> FloatArray:
        """The losses of the experts."""
        ledger = self.ledger
        low = self.loss.range[0] if self.loss.range else 0.0
        return (ledger.losses + ledger.asleep_loss - low * ledger.rounds) / self.width

    @property
    def squares(self) -> FloatArray:
        """The sums of the squares of the experts' losses; of use when nobody slept."""
        ledger = self.ledger
        low = self.loss.range[0] if self.loss.range else 0.0
        shifted = ledger.squares - 2.0 * low * ledger.losses + low * low * ledger.rounds
        return np.maximum(shifted, 0.0) / self.width**2

    @property
    def prior_cost(self) -> FloatArray:
        """log(1/prior) of each expert: log N under the uniform prior."""
        given: object = getattr(self.rule, "prior", None)
        return -np.log(given) if isinstance(given, np.ndarray) else np.full(self.experts, self.log_experts)

    def _unit(self, loss: float) -> float:
        low = self.loss.range[0] if self.loss.range else 0.0
        return (loss - low * self.rounds) / self.width


@final
@dataclass(frozen=True, eq=False)
class ExpertMoment:
    """One round seen from the proof: the state before and after, the weights, and the losses in [0, 1]."""

    rule: ExpertRule
    before: ExpertState
    after: ExpertState
    p: FloatArray
    losses: FloatArray
    own: float

    @property
    def mean(self) -> float:
        """p·l."""
        return float(self.p @ self.losses)

    def mixed(self, eta: float) -> float:
        """Log Σ p·exp(−η·l)."""
        least = float(np.min(self.losses))
        return math.log(float(self.p @ np.exp(-eta * (self.losses - least)))) - eta * least


ExpertAssumption: TypeAlias = Assumption[ExpertEvidence]
ExpertGuarantee: TypeAlias = Guarantee[ExpertEvidence, ExpertMoment]


def horizon_met(evidence: ExpertEvidence) -> bool:
    """Whether the rule was given a horizon and ran for as many rounds."""
    horizon: object = getattr(evidence.rule, "horizon", None)
    return isinstance(horizon, int) and horizon == evidence.rounds


def _convex(evidence: ExpertEvidence) -> bool:
    return evidence.loss.convex or (evidence.loss.labels and not evidence.rule.votes)


DECLARED = ExpertAssumption("the range of the losses was declared", lambda evidence: evidence.declared)
CONVEX = ExpertAssumption("the loss is convex", _convex)
AWAKE = ExpertAssumption("nobody slept", lambda evidence: evidence.ledger.everybody_awake)
HORIZON = ExpertAssumption("the horizon was the number of rounds", horizon_met)
SEVERAL = ExpertAssumption("there are at least two experts", lambda evidence: evidence.experts >= 2)
UNIFORM = ExpertAssumption("the prior is uniform", lambda evidence: getattr(evidence.rule, "prior", None) is None)
