"""How a master weighs the votes of its learners: by the Exponentiated Update, or by a rule of experts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np

from littlestone.errors import NotApplicable
from littlestone.experts.mixture import Mixture, MixtureSnapshot
from littlestone.learner import Learner
from littlestone.ledger import Ledger
from littlestone.linear.exponentiated_update import ExponentiatedUpdate
from littlestone.linear.fixed import Fixed
from littlestone.snapshots import Snapshot

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone import _core
    from littlestone.arrays import BoolArray, FloatArray
    from littlestone.experts.rule import ExpertRule
    from littlestone.theory.certificate import Certificate

Signs: TypeAlias = "FloatArray | BoolArray"


@final
@dataclass(frozen=True)
class HedgedSnapshot:
    """What votes weighed by a rule of experts know: the mixture, and the ledger of the labels that were shown."""

    mixture: MixtureSnapshot
    shown: Snapshot


class Ballot(ABC):
    """Votes ±1 in, a label out; a round that was begun can be ended or taken back, either of them twice."""

    @property
    @abstractmethod
    def ledger(self) -> Ledger:
        """The ledger of the labels that were shown."""

    @property
    @abstractmethod
    def weights(self) -> FloatArray:
        """The weight of each vote; none before the first round. Their sum is 1."""

    @abstractmethod
    def score(self, votes: FloatArray) -> float:
        """The weighted vote, from −1 to 1."""

    @abstractmethod
    def begin_one(self, votes: FloatArray, sign: int) -> int:
        """Readies a round, and says which sign would be shown."""

    @abstractmethod
    def begin_many(self, votes: FloatArray, signs: npt.NDArray[np.int8]) -> Signs:
        """Learns rounds so that it can be undone, and says which signs were shown."""

    @abstractmethod
    def end(self) -> int | None:
        """Learns what was begun, if it was not yet; says which sign was shown."""

    @abstractmethod
    def take_back(self) -> None:
        """Takes back what was begun."""

    def compiled_rounds(self) -> tuple[_core.Loop, _core.Totals, int] | None:
        """The loop that learns votes, its totals and the first round that is looked at; None where it is not one loop."""
        return None

    @abstractmethod
    def snapshot(self) -> Snapshot | HedgedSnapshot:
        """A copy of everything that is known."""

    @abstractmethod
    def certificates(self, wrong: FloatArray) -> list[Certificate]:
        """What is proved of the votes, beside the wrong votes of each learner."""


@final
class Exponentiated(Ballot):
    """By the Exponentiated Update with U = 1 and η = ½: on a mistake a vote's weight is multiplied by exp(±½)."""

    def __init__(self, vote: Learner | None = None) -> None:
        fresh = Learner(ExponentiatedUpdate(eta=0.5, tie_tol=1e-12), labels=(-1, 1))
        self._vote = fresh if vote is None else vote

    @property
    def ledger(self) -> Ledger:
        """Of the update's own rounds."""
        return self._vote.ledger

    @property
    def weights(self) -> FloatArray:
        """Those of the update."""
        return self._vote.state.w

    def score(self, votes: FloatArray) -> float:
        """That of the update."""
        return self._vote.score_one(votes)

    def begin_one(self, votes: FloatArray, sign: int) -> int:
        """As a learner does."""
        return self._vote.begin_one(votes, sign)

    def begin_many(self, votes: FloatArray, signs: npt.NDArray[np.int8]) -> Signs:
        """As a learner does."""
        return self._vote.begin_many(votes, signs)

    def end(self) -> int | None:
        """As a learner does."""
        return self._vote.end()

    def take_back(self) -> None:
        """As a learner does."""
        self._vote.take_back()

    def compiled_rounds(self) -> tuple[_core.Loop, _core.Totals, int] | None:
        """Those of the update."""
        return self._vote.compiled_rounds()

    def snapshot(self) -> Snapshot:
        """That of the learner."""
        return self._vote.snapshot()

    def certificates(self, wrong: FloatArray) -> list[Certificate]:
        """bylander.master, against the learner with the fewest wrong votes."""
        from littlestone.theory.catalogue import theory
        from littlestone.theory.evidence import Comparison, LinearEvidence

        ledger, best = self.ledger, int(np.argmin(wrong))
        own = Comparison(np.eye(len(wrong))[best], _ledger_of_votes(ledger, int(wrong[best])))
        evidence = LinearEvidence(self._vote.rule, ledger, own, state=self._vote.state)
        return [theory.linear["bylander.master"].certify(evidence)]


@final
class Hedged(Ballot):
    """By a rule of experts, each learner charged 1 where its vote is wrong; shown is the label with more weight behind it."""

    def __init__(self, mixture: Mixture, shown: Learner | None = None) -> None:
        self._mixture = mixture
        self._shown = Learner(Fixed(weights=[1.0]), labels=(-1, 1)) if shown is None else shown
        self._ahead: Mixture | None = None

    @staticmethod
    def of(rule: ExpertRule, learners: int) -> Hedged:
        """Without a round.

        Raises:
            NotApplicable: if the rule has no weights that a label could be drawn by.
        """
        if rule.votes:
            kind = type(rule).__name__
            raise NotApplicable(f"Master: vote is {kind}, which takes a vote of its own; give a rule of weights, as AdaHedge()")
        return Hedged(Mixture(rule, experts=learners, loss="zero_one", gradient=False))

    @staticmethod
    def restored(snapshot: HedgedSnapshot) -> Hedged:
        """Where the snapshot was taken."""
        return Hedged(Mixture.restored(snapshot.mixture), Learner.restored(snapshot.shown))

    @property
    def ledger(self) -> Ledger:
        """Of the labels that were shown: a score of 0 is wrong for either label."""
        return self._shown.ledger

    @property
    def weights(self) -> FloatArray:
        """Those of the mixture."""
        return np.array(list(self._mixture.weights.values()))

    def score(self, votes: FloatArray) -> float:
        """p·votes."""
        return float(self.weights @ votes)

    def begin_one(self, votes: FloatArray, sign: int) -> int:
        """Learned by a copy, which takes the place of the mixture when the round ends."""
        score, ahead = self.score(votes), Mixture.restored(self._mixture.snapshot())
        ahead.watch = self._mixture.watch
        ahead.learn_one((votes + 1.0) / 2.0, (sign + 1.0) / 2.0)
        self._ahead = ahead
        return self._shown.begin_one([score], sign)

    def begin_many(self, votes: FloatArray, signs: npt.NDArray[np.int8]) -> Signs:
        """As many copies of one round, with the same bits."""
        ahead = Mixture.restored(self._mixture.snapshot())
        ahead.watch = self._mixture.watch
        kept = ahead.learn_many((votes + 1.0) / 2.0, (signs + 1.0) / 2.0, keep=("weights",)).kept_weights
        scores = [[float(p @ row)] for p, row in zip(np.asarray(kept), votes, strict=True)]
        self._ahead = ahead
        return self._shown.begin_many(np.reshape(scores, (len(votes), 1)), signs)

    def end(self) -> int | None:
        """The copy is the mixture from now on."""
        sign = self._shown.end()
        if self._ahead is not None:
            self._mixture = self._ahead
            self._ahead = None
        return sign

    def take_back(self) -> None:
        """The copy is forgotten."""
        self._ahead = None
        self._shown.take_back()

    def snapshot(self) -> HedgedSnapshot:
        """Of the mixture and the ledger."""
        return HedgedSnapshot(self._mixture.snapshot(), self._shown.snapshot())

    def certificates(self, wrong: FloatArray) -> list[Certificate]:
        """Those on masters, and those of the rule: on whoever follows a learner that is drawn by the weights."""
        from littlestone.theory.masters import MasterEvidence, certify_master

        evidence = MasterEvidence(self._mixture.rule, self.ledger, self._mixture.ledger, wrong)
        return [*certify_master(evidence), *self._mixture.certify()]


def ballot_of(snapshot: Snapshot | HedgedSnapshot) -> Ballot:
    """The votes of a snapshot."""
    if isinstance(snapshot, HedgedSnapshot):
        return Hedged.restored(snapshot)
    return Exponentiated(Learner.restored(snapshot))


def _ledger_of_votes(master: Ledger, wrong: int) -> Ledger:
    """The ledger of a fixed vote ±1 in the rounds of the master: its loss beyond ±1 is 2 where it is wrong."""
    return Ledger(
        rounds=master.rounds,
        witnessed=master.witnessed,
        fingerprint=master.fingerprint,
        sequence=master.sequence,
        mistakes=wrong,
        loss=2.0 * wrong,
        loss_squared=4.0 * wrong,
        tolerated_loss=2.0 * wrong,
        expected_mistakes=float(wrong),
        smallest_margin=-1.0 if wrong else 1.0,
        largest_entry=1.0,
    )
