"""A master over other learners."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias, final, runtime_checkable

import numpy as np

from littlestone.errors import InvalidData, InvalidParameter, NotApplicable
from littlestone.labels import Label, Labels
from littlestone.learner import Learner
from littlestone.ledger import Ledger
from littlestone.linear.exponentiated_update import ExponentiatedUpdate
from littlestone.streams.batches import frame_values, is_frame, is_sparse
from littlestone.streams.rows import Rows as FileRows

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray, SignArray
    from littlestone.streams.batches import Feature, Sparse
    from littlestone.streams.space import Table, Vector
    from littlestone.theory.certificate import Certificate

Rows: TypeAlias = "list[Vector]"
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


@runtime_checkable
class Sliced(Protocol):
    """A matrix by rows."""

    def __getitem__(self, rows: slice) -> Sparse:
        """Some of its rows."""
        ...


@final
class Master:
    """Trains several learners on one stream and predicts with their weighted vote.

    Update: the votes ±1 of the learners are the row of an Exponentiated Update with U = 1 and η = ½: on a mistake the
    weight of every learner is multiplied by exp(±½) as it was right or wrong, which is the Weighted Majority rule with
    β = 1/e. Every learner learns every row.
    Tie: a vote of exactly 0 counts as a mistake for either label; shown is the positive one.
    Cost: that of the learners, and O(learners) a round.

    The learners may be of any kinds: a `Learner` of labels, another `Master`, or anything with `predict_one` and
    `learn_one`.

    Guarantee: bylander.master (mistakes ≤ (8/3)(k + log n), k the wrong votes of the best of the n learners).
    Source: Bylander 1998, section 4.2; Littlestone and Warmuth 1994.

    Args:
        learners: the learners, at least one; they may have learned before.
        labels: the pair (negative, positive); None lets the first two distinct labels decide, or the learners' own pair.

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

    def __init__(self, learners: Sequence[Member], *, labels: tuple[Label, Label] | None = None) -> None:
        self.learners = tuple(learners)
        _check_members(self.learners)
        self._labels = Labels()
        self._adopt(_common_labels(self.learners, Labels.given(labels)))
        self._vote = Learner(ExponentiatedUpdate(eta=0.5, tie_tol=1e-12), labels=(-1, 1))
        self._wrong = np.zeros(len(self.learners))

    @property
    def ledger(self) -> Ledger:
        """The ledger of the master's own predictions."""
        return self._vote.ledger

    @property
    def weights(self) -> FloatArray:
        """The weight of each learner's vote; their sum is 1."""
        state = self._vote.state
        return state.w if len(state.w) else np.full(len(self.learners), 1.0 / len(self.learners))

    @property
    def wrong_votes(self) -> npt.NDArray[np.int64]:
        """How often each learner voted for the wrong label."""
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
        labels = self._labels.placed(y)
        for learner in self.learners:
            _check_one(learner, x, y)
        votes = self._votes(x)
        self._labels = labels
        for learner in self.learners:
            learner.learn_one(x, y)
        sign = labels.sign(y)
        self._wrong += votes != sign
        shown = self._vote.learn_one(votes, sign)
        return labels.value(+1 if shown == 1 else -1)

    def learn_many(self, X: Table, y: LabelList) -> None:
        """Learns the rows in order, with the same bits as a loop over `learn_one`.

        Raises:
            InvalidData: if a row or a label is malformed; nothing has changed then.
        """
        signs, labels = self._labels.signs(np.asarray(y) if hasattr(y, "to_numpy") else y)
        rows: Table = list(X) if isinstance(X, Iterator) else X
        for learner in self.learners:
            _check_many(learner, rows, y)
        listed = rows_of(rows)
        if len(listed) != len(signs):
            raise InvalidData(f"there are {len(listed)} rows and {len(signs)} outcomes")
        self._labels = labels
        votes = np.empty((len(signs), len(self.learners)))
        for k, learner in enumerate(self.learners):
            votes[:, k] = _learned_votes(learner, rows, listed, y, signs, labels)
        self._wrong += np.sum(votes != signs[:, np.newaxis], axis=0)
        self._vote.learn_many(votes, signs)

    def score_one(self, x: Vector) -> float:
        """The weighted vote, from −1 to 1. Nothing changes."""
        return self._vote.score_one(self._votes(x))

    def predict_one(self, x: Vector) -> Label:
        """The label for a row. Nothing changes."""
        return self._labels.value(-1 if self.score_one(x) < 0.0 else +1)

    def predict_many(self, X: Table) -> list[Label]:
        """The labels of the rows. Nothing changes."""
        return [self.predict_one(x) for x in rows_of(X)]

    def certify(self) -> list[Certificate]:
        """The guarantee bylander.master, against the learner with the fewest wrong votes."""
        from littlestone.theory.catalogue import theory
        from littlestone.theory.evidence import Comparison, LinearEvidence

        best = int(np.argmin(self._wrong))
        u = np.zeros(len(self.learners))
        u[best] = 1.0
        own = Comparison(u, _ledger_of_votes(self.ledger.rounds, int(self._wrong[best])))
        evidence = LinearEvidence(self._vote.rule, self.ledger, own, state=self._vote.state)
        return [theory.linear["bylander.master"].certify(evidence)]

    def __repr__(self) -> str:
        return f"Master({len(self.learners)} learners: {self.ledger})"

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


def _check_members(learners: tuple[object, ...]) -> None:
    if not learners:
        raise InvalidParameter("Master: learners is empty; a master needs at least one learner")
    for k, learner in enumerate(learners):
        if not isinstance(learner, Member):
            kind = type(learner).__name__
            raise InvalidParameter(f"Master: learners[{k}] is a {kind}; a learner has predict_one and learn_one")
        if isinstance(learner, Learner) and "labels" not in learner.rule.learns():
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


def _check_one(learner: Member, x: Vector, y: Label) -> None:
    """Raises what learn_one would raise, as far as the learner can say so beforehand."""
    if isinstance(learner, Learner):
        learner.check_one(x, y)
    elif isinstance(learner, Master):
        for inner in learner.learners:
            _check_one(inner, x, y)


def _check_many(learner: Member, X: Table, y: LabelList) -> None:
    if isinstance(learner, Learner):
        learner.check_many(X, y)
    elif isinstance(learner, Master):
        for inner in learner.learners:
            _check_many(inner, X, y)


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


def _learned_votes(
    learner: Member, X: Table, rows: Rows, y: LabelList, signs: SignArray, labels: Labels
) -> FloatArray | SignArray:
    """The votes of a learner on the rows as it learns them."""
    if isinstance(learner, Learner):
        kept = learner.learn_many(X, y, keep=("score", "mistake"))
        votes = np.where(kept["mistake"], -signs, signs)
        tied = (kept["score"] == 0.0) & (not learner.rule.decide(learner.state, 0.0).randomized)
        return np.where(tied, 1, votes)
    return _votes_in_turn(learner, rows, y, labels)


def _votes_in_turn(learner: Member, rows: Rows, y: LabelList, labels: Labels) -> FloatArray:
    votes = np.empty(len(rows))
    for t, (x, label) in enumerate(zip(rows, y, strict=True)):
        votes[t] = _vote_of(learner, x, labels)
        learner.learn_one(x, label)
    return votes


def rows_of(X: Table) -> Rows:
    """The rows of a table one by one, each as `learn_one` takes it."""
    return list(_each_row(X))


def _each_row(X: Table) -> Iterator[Vector]:
    if is_sparse(X):
        stored = X.tocsr()
        assert isinstance(stored, Sliced)
        yield from (stored[t : t + 1] for t in range(X.shape[0]))
    elif is_frame(X):
        names, values = frame_values(X)
        for numbers in values:
            record: dict[Feature, float] = dict(zip(names, numbers.tolist(), strict=True))
            yield record
    elif isinstance(X, FileRows):
        yield from (X.row(t) for t in range(len(X)))
    elif isinstance(X, Iterable):
        for x in X:
            yield x if isinstance(x, Mapping) else np.asarray(x)
    else:
        raise NotApplicable(f"rows are a {type(X).__name__}; expected an array, a sparse matrix, a frame or an iterable")


def _ledger_of_votes(rounds: int, wrong: int) -> Ledger:
    """The ledger of a fixed vote ±1: its loss against [1, ∞) and (−∞, −1] is 2 where it is wrong."""
    return Ledger(
        rounds=rounds,
        mistakes=wrong,
        loss=2.0 * wrong,
        loss_squared=4.0 * wrong,
        tolerated_loss=2.0 * wrong,
        expected_mistakes=float(wrong),
        smallest_margin=-1.0 if wrong else 1.0,
        largest_entry=1.0,
    )
