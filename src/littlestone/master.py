"""A master over other learners."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, final, runtime_checkable

import numpy as np

from littlestone import _core
from littlestone.ballots import Exponentiated, Hedged, HedgedSnapshot, ballot_of
from littlestone.domain import several
from littlestone.errors import InvalidParameter, NotApplicable
from littlestone.experts.rule import ExpertRule
from littlestone.guarded import Guarded
from littlestone.labels import Label, Labels
from littlestone.learner import Learner
from littlestone.snapshots import Snapshot
from littlestone.streams.singles import Rows, rows_of

if TYPE_CHECKING:
    import os

    import numpy.typing as npt

    from littlestone.arrays import BoolArray, FloatArray
    from littlestone.ballots import Ballot
    from littlestone.ledger import Ledger
    from littlestone.streams.space import Table, Vector
    from littlestone.theory.certificate import Certificate

LabelList: TypeAlias = "Sequence[Label] | npt.NDArray[np.generic]"


@runtime_checkable
class Member(Protocol):
    """What a master asks of a learner: two verbs, and labels for rows."""

    def predict_one(self, x: Vector) -> Label:
        """The label for a row. Nothing changes."""
        ...

    def learn_one(self, x: Vector, y: Label) -> Label:
        """One round; returns the prediction made before the update."""
        ...


@final
@dataclass(frozen=True)
class MasterSnapshot:
    """Everything a master and its learners know; of a learner from elsewhere a copy."""

    learners: tuple[Snapshot | MasterSnapshot | Member, ...]
    vote: Snapshot | HedgedSnapshot
    labels: Labels
    wrong: FloatArray


@final
class _Turn(NamedTuple):
    """What rounds that were begun make of the master."""

    labels: Labels
    wrong: FloatArray


@final
class _MasterBefore(NamedTuple):
    """What the master goes back to; or, once the rounds are decided, what it goes on to."""

    labels: Labels
    wrong: FloatArray
    turn: _Turn | None = None
    decided: bool = False


@final
class Master(Guarded[_MasterBefore]):
    """Trains several learners on one stream and predicts with their weighted vote.

    Update: the votes ±1 of the learners are the row of an Exponentiated Update with U = 1 and η = ½: on a mistake the
    weight of every learner is multiplied by exp(±½) as it was right or wrong, which is the Weighted Majority rule with
    β = 1/e. Every learner learns every row.
    Tie: a vote of exactly 0 counts as a mistake for either label; shown is the positive one.
    Cost: that of the learners, and O(learners) per round.

    The learners may be of any kinds: a `Learner` of labels, another `Master`, or anything with `predict_one` and
    `learn_one`. They are the master's own: all of them learn a row, or none does. What is from elsewhere cannot be taken
    back, so it learns after the others have said that they will; should one fail, those before it have learned.

    Guarantee: bylander.master (mistakes ≤ (8/3)(k + log n), k the wrong votes of the best of the n learners). With
    `vote=ls.AdaHedge()`: master.hedge (whoever follows a learner drawn by `weights` has at most
    k + 2√(k(1 − k/T) log n) + (16/3) log n + 2 mistakes in expectation), and master.vote (twice that for the labels shown).
    Source: Bylander 1998, section 4.2; Littlestone and Warmuth 1994; de Rooij, van Erven, Grünwald and Koolen 2014.

    Args:
        learners: the learners, at least one; they may have learned before.
        labels: the pair (negative, positive); None lets the first two distinct labels decide, or the learners' own pair.
        vote: a rule of experts that weighs the votes, each wrong one a loss of 1, in every round; None is the update above,
            which moves on mistakes only. Where no learner is nearly perfect, AdaHedge proves far more.

    Example:
        >>> import littlestone as ls
        >>> right, wrong = ls.Learner(ls.Fixed(weights=[1.0])), ls.Learner(ls.Fixed(weights=[-1.0]))
        >>> master = ls.Master([right, wrong])
        >>> master.learn_many([[1.0], [-1.0]] * 5, [+1, -1] * 5)
        >>> print(master.certify()[0])            # one mistake: the tie of the first round
        bylander.master: holds: mistakes 1 ≤ 1.84839 = (8/3)(k + log n)
          Bylander 1998, section 4.2: the outcomes are labels ✓; no empty row has a loss ✓; \
the comparator ran over the same rounds ✓; U = 1, η = ½, |xᵢ| ≤ 1 and equal weights at the start ✓; \
the comparator has no negative weight and sum U (with signs: absolute sum at most U) ✓
    """

    def __init__(
        self, learners: Sequence[Member], *, labels: tuple[Label, Label] | None = None, vote: ExpertRule | None = None
    ) -> None:
        super().__init__()
        self.learners = tuple(several(learners, "learners", "two learners or more"))
        _check_members(self.learners)
        self._labels = Labels()
        self._adopt(_common_labels(self.learners, Labels.given(labels)))
        self._vote = _ballot(vote, len(self.learners))
        self._wrong = np.zeros(len(self.learners))
        self._quick: _core.VoteRounds | None = None

    @property
    def ledger(self) -> Ledger:
        """The ledger of the master's own predictions."""
        with self._alone:
            self._heal()
            return self._vote.ledger

    @property
    def weights(self) -> FloatArray:
        """The weight of each learner's vote; their sum is 1."""
        with self._alone:
            self._heal()
            weights = self._vote.weights
            return weights if len(weights) else np.full(len(self.learners), 1.0 / len(self.learners))

    @property
    def wrong_votes(self) -> npt.NDArray[np.int64]:
        """How often each learner voted for the wrong label."""
        with self._alone:
            self._heal()
            return self._wrong.astype(np.int64)

    @property
    def labels(self) -> tuple[Label, Label]:
        """The pair (negative, positive) as far as it is known."""
        return self._labels.value(-1), self._labels.value(+1)

    def learn_one(self, x: Vector, y: Label) -> Label:
        """One round: every learner votes and learns, then the votes are weighed anew. Returns the prediction made before.

        Raises:
            InvalidData: if row or label is malformed; nothing has changed then.
        """
        quick = self._quick
        if quick is not None:
            said = quick.learn(x, y)
            if said is not None:
                return said
        return self._whole(lambda: self._learn_one(x, y))

    def learn_many(self, X: Table, y: LabelList) -> None:
        """Learns the rows in order, with the same bits as a loop over `learn_one`.

        Raises:
            InvalidData: if a row or a label is malformed; nothing has changed then.
            KeyboardInterrupt: on Ctrl-C; nothing has changed then.
        """
        rows: Table = list(X) if isinstance(X, Iterator) else X
        self._whole(lambda: self._learn_many(rows, y))

    def score_one(self, x: Vector) -> float:
        """The weighted vote, from −1 to 1. Nothing changes."""
        with self._alone:
            self._heal()
            return self._vote.score(self._votes(x))

    def predict_one(self, x: Vector) -> Label:
        """The label for a row. Nothing changes."""
        quick = self._quick
        if quick is not None:
            said = quick.predict(x)
            if said is not None:
                return said
        with self._alone:
            shown = -1 if self.score_one(x) < 0.0 else +1
            if self._quick is None and not self._busy and type(x) is dict:
                self._quick = self._short_way()
            return self._labels.value(shown)

    def predict_many(self, X: Table) -> list[Label]:
        """The labels of the rows. Nothing changes."""
        with self._alone:
            return [self.predict_one(x) for x in rows_of(X)]

    def snapshot(self) -> MasterSnapshot:
        """A copy of everything the master and its learners know."""
        with self._alone:
            self._close_short_way()
            self._heal()
            learners = tuple(_taken(learner) for learner in self.learners)
            return MasterSnapshot(learners, self._vote.snapshot(), self._labels, self._wrong.copy())

    @staticmethod
    def restored(snapshot: MasterSnapshot) -> Master:
        """A master that goes on where the snapshot was taken."""
        twin = Master([_given_back(learner) for learner in snapshot.learners])
        twin._labels, twin._wrong = snapshot.labels, snapshot.wrong.copy()
        twin._vote = ballot_of(snapshot.vote)
        return twin

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes what the master knows to a file, for `ls.load(path, kind=ls.Master)`; a crash leaves the old or the new.

        Raises:
            NotApplicable: if one of the learners is of a kind that a file cannot hold.
            OSError: if the file cannot be written; the old one is as it was.
        """
        from littlestone.store import save

        save(self, path)

    def __reduce__(self) -> tuple[Callable[[MasterSnapshot], Master], tuple[MasterSnapshot]]:
        """Copies and pickles go by the snapshot and go on with the same bits; loops and locks stay behind."""
        return Master.restored, (self.snapshot(),)

    def certify(self) -> list[Certificate]:
        """What is proved of the votes, against the learner with the fewest wrong ones."""
        from littlestone.theory.certification import ranked

        with self._alone:
            self._close_short_way()
            self._heal()
            return ranked(self._vote.certificates(self._wrong))

    def __repr__(self) -> str:
        return f"Master({len(self.learners)} learners: {self.ledger})"

    def begin_one(self, x: Vector, y: Label) -> int:
        """Readies a round of every learner, and says which sign would be predicted."""
        with self._alone:
            self._refuse_within_another()
            self._settle()
            self._before = self._marked()
            return self._begin_one(x, y)

    def begin_many(self, X: Table, y: LabelList) -> FloatArray | BoolArray:
        """Has every learner learn rows so that it can be undone, and says which signs were predicted."""
        with self._alone:
            self._refuse_within_another()
            self._settle()
            self._before = self._marked()
            return self._begin_many(X, y)

    def end(self) -> int | None:
        """Learns the round that was begun, if it was not yet; says which sign was predicted."""
        with self._alone:
            before, sign = self._before, None
            if before is not None and before.turn is not None:
                self._before = before._replace(decided=True)
                sign = self._go_on(before.turn)
            self._before = None
            return sign

    def take_back(self) -> None:
        """Takes back what was begun."""
        with self._alone:
            self._settle()

    def _learn_one(self, x: Vector, y: Label) -> Label:
        self._begin_one(x, y)
        sign = self.end()
        with suppress(MemoryError):  # the round is learned, and the next can go the long way
            self._quick = self._short_way() if type(x) is dict else None
        return self._labels.value(+1 if sign == 1 else -1)

    def _learn_many(self, X: Table, y: LabelList) -> None:
        self._begin_many(X, y)
        self.end()

    def _begin_one(self, x: Vector, y: Label) -> int:
        labels = self._labels.placed(y)
        votes = np.array([_vote_in(learner, x, y, self._labels) for learner in self.learners], dtype=np.float64)
        for learner in self.learners:
            if not isinstance(learner, Learner | Master):
                learner.learn_one(x, y)
        sign = labels.sign(y)
        shown = self._vote.begin_one(votes, sign)
        self._agree(_Turn(labels, self._wrong + (votes != sign)))
        return shown

    def _begin_many(self, X: Table, y: LabelList) -> FloatArray | BoolArray:
        signs, labels = self._labels.signs(np.asarray(y) if hasattr(y, "to_numpy") else y)
        votes = np.empty((len(signs), len(self.learners)))
        for k, learner in enumerate(self.learners):
            if isinstance(learner, Learner | Master):
                votes[:, k] = learner.begin_many(X, y)
        for k, learner in enumerate(self.learners):
            if not isinstance(learner, Learner | Master):
                votes[:, k] = _votes_in_turn(learner, rows_of(X), y, labels)
        wrong = self._wrong + np.sum(votes != signs[:, np.newaxis], axis=0)
        shown = self._vote.begin_many(votes, signs)
        self._agree(_Turn(labels, wrong))
        return shown

    def _agree(self, turn: _Turn) -> None:
        assert self._before is not None
        self._before = self._before._replace(turn=turn)

    def _go_on(self, turn: _Turn) -> int | None:
        """Ends what was begun; to do it twice, or half and then whole, is to do it once."""
        for learner in self.learners:
            if isinstance(learner, Learner | Master):
                learner.end()
        sign = self._vote.end()
        self._labels, self._wrong = turn
        return sign

    def _close_short_way(self) -> None:
        """Sends every other thread the long way, where it waits for the lock."""
        quick, self._quick = self._quick, None
        if quick is not None:
            quick.close()

    def _short_way(self) -> _core.VoteRounds | None:
        """For dicts and known labels, where all learners go it, and read what is missing alike."""
        vote, learners = self._vote.compiled_rounds(), [each for each in self.learners if isinstance(each, Learner)]
        if vote is None or not self._labels.settled or len(learners) < len(self.learners):
            return None
        if any(each.labels != self.labels or each.missing != learners[0].missing for each in learners):
            return None
        ways = [way for way in (learner.short_way() for learner in learners) if way is not None]
        loop, totals, until = vote
        return (
            None if len(ways) < len(learners) else _core.VoteRounds(ways, loop, totals, list(self.labels), self._wrong, until)
        )

    def _marked(self) -> _MasterBefore:
        self._close_short_way()
        return _MasterBefore(self._labels, self._wrong)

    def _stands(self, before: _MasterBefore, *, interrupted: bool) -> bool:
        return False

    def _return_to(self, before: _MasterBefore) -> None:
        if before.decided and before.turn is not None:
            self._go_on(before.turn)
            return
        for learner in self.learners:
            if isinstance(learner, Learner | Master):
                learner.take_back()
        self._vote.take_back()
        self._labels, self._wrong = before.labels, before.wrong

    def _adopt(self, labels: Labels) -> None:
        """Gives the pair to every learner that has none, so that a vote means the same to all."""
        self._labels = labels
        for learner in self.learners:
            if isinstance(learner, Master):
                learner._adopt(labels)
            elif isinstance(learner, Learner):
                learner._outcomes.labels = labels

    def _votes(self, x: Vector) -> FloatArray:
        return np.array([_vote_of(learner, x, self._labels) for learner in self.learners], dtype=np.float64)


def _ballot(vote: ExpertRule | None, learners: int) -> Ballot:
    if vote is None:
        return Exponentiated()
    if not isinstance(vote, ExpertRule):
        raise InvalidParameter(f"Master: vote is {vote!r}; expected a rule of experts, as ls.AdaHedge(), or None")
    return Hedged.of(vote, learners)


def _check_members(learners: tuple[object, ...]) -> None:
    if not learners:
        raise InvalidParameter("Master: learners is empty; a master needs at least one learner")
    for k, learner in enumerate(learners):
        if not isinstance(learner, Member):
            kind = type(learner).__name__
            raise InvalidParameter(f"Master: learners[{k}] is a {kind}; a learner has predict_one and learn_one")
        if isinstance(learner, Learner) and not learner.rule.abilities.labels:
            kind = type(learner.rule).__name__
            raise NotApplicable(f"Master: learners[{k}] has the rule {kind}, which learns no labels; a master votes on labels")
    if len({id(learner) for learner in learners}) < len(learners):
        raise InvalidParameter("Master: a learner is there twice; give each its own, or it learns every row twice")


def _common_labels(learners: tuple[Member, ...], given: Labels) -> Labels:
    """The one pair that the learners and the caller know.

    Raises:
        InvalidParameter: if they know different ones.
    """
    members = [learner for learner in learners if isinstance(learner, Learner | Master)]
    known = [learner._labels if isinstance(learner, Master) else learner._outcomes.labels for learner in members]
    pairs = [pair for pair in (given, *known) if pair != Labels()]
    for pair in pairs:
        if pair != pairs[0]:
            raise InvalidParameter(
                f"Master: the labels {pair.value(-1)!r}, {pair.value(+1)!r} differ from "
                f"{pairs[0].value(-1)!r}, {pairs[0].value(+1)!r}; all learners must know the same pair, or none yet"
            )
    return pairs[0] if pairs else given


def _vote_of(learner: Member, x: Vector, labels: Labels) -> int:
    """−1 or +1. Learners of this library say so even before they know the names of the labels."""
    if isinstance(learner, Learner):
        return learner.rule.decide(learner.state, learner.score_one(x)).sign
    if isinstance(learner, Master):
        return -1 if learner.score_one(x) < 0.0 else +1
    return _sign_of(learner.predict_one(x), labels)


def _sign_of(label: Label, labels: Labels) -> int:
    """A label that is not known yet votes by its sign, or for +1."""
    known = labels.sign(label)
    return known or (-1 if isinstance(label, int | float) and label < 0 else +1)


def _vote_in(learner: Member, x: Vector, y: Label, labels: Labels) -> int:
    """The vote of a learner that begins its round; one from elsewhere votes and learns later."""
    return learner.begin_one(x, y) if isinstance(learner, Learner | Master) else _sign_of(learner.predict_one(x), labels)


def _taken(learner: Member) -> Snapshot | MasterSnapshot | Member:
    return learner.snapshot() if isinstance(learner, Learner | Master) else copy.deepcopy(learner)


def _given_back(learner: Snapshot | MasterSnapshot | Member) -> Member:
    if isinstance(learner, Snapshot):
        return Learner.restored(learner)
    return Master.restored(learner) if isinstance(learner, MasterSnapshot) else copy.deepcopy(learner)


def _votes_in_turn(learner: Member, rows: Rows, y: LabelList, labels: Labels) -> FloatArray:
    votes = np.empty(len(rows))
    for t, (x, label) in enumerate(zip(rows, y, strict=True)):
        votes[t] = _vote_of(learner, x, labels)
        learner.learn_one(x, label)
    return votes
