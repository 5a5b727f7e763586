"""A threshold that flags a wanted share: what can be said of the share without a word about the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

from littlestone.theory.guarantee import Assumption, Guarantee, Lemma
from littlestone.uniclass import ShareFlagging

if TYPE_CHECKING:
    from littlestone.ledger import Ledger
    from littlestone.state import State


@final
@dataclass(frozen=True, kw_only=True)
class FlagEvidence:
    """What the theorem reads: the share asked for, the rate, how many rows were flagged, and the largest distance."""

    flag: float
    eta: float
    flagged: int
    rounds: int
    learned: int
    """Rounds that moved the threshold; those of weight 0 do not."""
    largest: float

    @staticmethod
    def of(rule: ShareFlagging, state: State, ledger: Ledger) -> FlagEvidence:
        """From a run or a learner."""
        return FlagEvidence(
            flag=rule.flag,
            eta=rule.eta,
            flagged=ledger.mistakes,
            rounds=ledger.rounds,
            learned=int(state.rounds[0]),
            largest=float(state.largest[0]),
        )

    @property
    def error(self) -> float:
        """How far the share that was flagged is from the share asked for."""
        return abs(self.flagged / self.rounds - self.flag) if self.rounds else 0.0


@final
@dataclass(frozen=True)
class FlagMoment:
    """One round seen from the proof: whether the row was flagged, and the threshold before and after."""

    flagged: bool
    flag: float
    eta: float
    before: float
    after: float


FlagGuarantee: TypeAlias = Guarantee[FlagEvidence, FlagMoment]
FlagAssumption: TypeAlias = Assumption[FlagEvidence]

SHARE = FlagGuarantee(
    id="flag.share",
    source="Gibbs and Candès 2021, proposition 4.1, for a threshold of distances",
    statement="A threshold that starts at 0 and goes up by η(1 − flag) when a row is flagged and down by η·flag otherwise "
    "stays between −η and B + η, B the largest distance: so the share flagged is within (B + η)/(ηT) of `flag`, whatever "
    "the rows are.",
    latex=r"\left|\tfrac1T \sum_t 1[d_t > \theta_t] - \alpha\right| \le \frac{B+\eta}{\eta T}",
    rules=(ShareFlagging,),
    quantity="distance of the share flagged from the share asked for",
    formula="(B + η)/(ηT)",
    compared="the share asked for",
    assumptions=(
        FlagAssumption("at least one row was learned", lambda evidence: evidence.rounds > 0),
        FlagAssumption("every row moved the threshold", lambda evidence: evidence.learned == evidence.rounds),
    ),
    measured=lambda evidence: evidence.error,
    bound=lambda evidence: (evidence.largest + evidence.eta) / (evidence.eta * evidence.rounds),
    trivial=lambda evidence: max(evidence.flag, 1.0 - evidence.flag),
    hindsight=True,
    lemmas=(
        Lemma(
            "|(θ′ − θ)/η − (1 if flagged, else 0) + flag| ≤ 0",
            lambda moment: (abs((moment.after - moment.before) / moment.eta - float(moment.flagged) + moment.flag), 0.0),
        ),
    ),
)

GUARANTEES: tuple[FlagGuarantee, ...] = (SHARE,)
