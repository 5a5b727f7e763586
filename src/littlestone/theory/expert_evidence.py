"""What theorems about expert rules read: the ledger of a run, its state, and a sequence of experts to compare with."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias, final, runtime_checkable

import numpy as np

from littlestone.experts.losses import Custom
from littlestone.theory.guarantee import Assumption, Guarantee

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.experts.ledger import ExpertLedger
    from littlestone.experts.losses import Loss
    from littlestone.experts.rule import ExpertRule
    from littlestone.experts.state import ExpertState


@runtime_checkable
class Sequence(Protocol):
    """Which expert is followed in each round: the name of each expert, and a number per round."""

    @property
    def experts(self) -> tuple[str, ...]:
        """The names of the experts."""
        ...

    @property
    def choices(self) -> npt.NDArray[np.int64]:
        """The number of the expert that is followed in each round."""
        ...


@final
@dataclass(frozen=True)
class ComparedSequence:
    """A sequence of experts over the rounds of a run: how often it changes, and the loss that it has there."""

    switches: int
    total: float


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
    sequence: ComparedSequence | None = None
    unfollowed: bool = False
    """A sequence was given whose loss on these rounds is not known."""
    regrets: FloatArray | None = None
    """What the rule was charged beyond each expert, a round per row, 0 for whoever slept; None where rounds are not kept."""
    delay: int = 0
    """By how many rounds outcomes came late."""

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
        return self.ledger.squares / self.width**2

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
    """All that the proofs use of it is own ≤ p·l, which is looked at in every round of a loss that is the caller's."""
    ledger = evidence.ledger
    largest = max(abs(ledger.smallest_loss), abs(ledger.largest_loss)) if ledger.rounds else 0.0
    seen = evidence.rule.votes or ledger.above_mean <= 1e-9 * largest
    return (evidence.loss.convex and seen) or (evidence.loss.labels and not evidence.rule.votes)


DECLARED = ExpertAssumption("the range of the losses was declared", lambda evidence: evidence.declared)
CONVEX = ExpertAssumption("the loss is convex", _convex, lambda evidence: isinstance(evidence.loss, Custom))
PROMPT = ExpertAssumption("every outcome came before the next round", lambda evidence: evidence.delay == 0)
AWAKE = ExpertAssumption("nobody slept", lambda evidence: evidence.ledger.everybody_awake)
HORIZON = ExpertAssumption("the horizon was the number of rounds", horizon_met)
SEVERAL = ExpertAssumption("there are at least two experts", lambda evidence: evidence.experts >= 2)
UNIFORM = ExpertAssumption("the prior is uniform", lambda evidence: getattr(evidence.rule, "prior", None) is None)
