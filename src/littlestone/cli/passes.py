"""The passes of `littlestone learn` over its files: rows held out, checkpoints, and where a run goes on that was cut off."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, final

from littlestone.errors import InvalidData
from littlestone.lazy import np
from littlestone.streams.files import Portion
from littlestone.streams.formats import listed
from littlestone.streams.intervals import NO_OUTCOME
from littlestone.streams.rows import FileLabels
from littlestone.tally import Tally

if TYPE_CHECKING:
    from littlestone.columns import KeptColumns
    from littlestone.learner import Learner
    from littlestone.ledger import Ledger
    from littlestone.streams.files import Reader


@final
class PassPlan(NamedTuple):
    """How the files are gone over."""

    passes: int = 1
    ignore_weights: bool = False
    holdout: int | None = None
    """Every so many rows one is not learned and only predicted."""
    checkpoint: int | None = None
    """The model is written every so many rows."""
    resume: bool = False
    """The rows that the model has learned already are passed over."""


@final
class HeldOut:
    """The rows that were held out in a pass, and how they were predicted just before they were passed over."""

    def __init__(self) -> None:
        self.rows = 0
        self.error = 0.0

    @property
    def mean(self) -> float:
        """The rate of errors, or the mean absolute error; 0 before the first."""
        return self.error / self.rows if self.rows else 0.0


@final
class Course:
    """What came of the passes."""

    def __init__(self) -> None:
        self.done = 0
        self.first: Ledger | None = None
        """The ledger after the first pass: only its rows were new."""
        self.held: list[HeldOut] = []
        self.seconds = 0.0


@final
class Watcher(NamedTuple):
    """Those who want to know: of every chunk, of what was predicted in the first pass, of every checkpoint."""

    before: Callable[[Reader, Portion, int], None]
    due: Callable[[int], bool]
    """Whether the ledger is wanted after a chunk, which makes so many rounds; to make one takes as long as some rows."""
    after: Callable[[Ledger], None]
    shown: Callable[[KeptColumns, Portion], None] | None
    save: Callable[[], None]

    def see(self, learner: Learner) -> None:
        """A chunk was learned."""
        if self.due(learner.counts[0]):
            self.after(learner.ledger)


def learn_passes(learner: Learner, readers: Sequence[Reader], plan: PassPlan, watcher: Watcher) -> Course:
    """Learns until the passes are done, or one makes no update."""
    course, tally, begin = Course(), Tally(), time.perf_counter()
    told = watcher.after
    watcher = watcher._replace(after=lambda ledger: told(tally.beside(ledger)))
    behind = learner.ledger.rounds if plan.resume else 0
    for number in range(1, plan.passes + 1):
        before, held = learner.ledger.updates, HeldOut()
        if number > learner.ledger.passes or (number > 1 and not plan.resume):
            learner.next_pass()
        mine = watcher if number == 1 else watcher._replace(shown=None)
        behind = _one_pass(learner, readers, plan, mine, held, behind, tally if number == 1 else None)
        course.done, course.first = number, course.first or tally.beside(learner.ledger)
        course.held += [held] if plan.holdout else []
        if learner.ledger.updates == before and not behind:
            break
    if plan.resume and behind:
        raise InvalidData(f"the model has learned {behind:,} rows more than there are; --resume needs the files it began with")
    course.seconds = time.perf_counter() - begin
    return course


def _one_pass(
    learner: Learner,
    readers: Sequence[Reader],
    plan: PassPlan,
    watcher: Watcher,
    held: HeldOut,
    behind: int,
    tally: Tally | None,
) -> int:
    """Learns every file once, but for the rows that were learned before; returns how many of these are left."""
    keep = () if watcher.shown is None else ("score", "prediction")
    alone = learner.rule.abilities.alone  # a rule of one class learns rows, whatever labels they have
    number, saved = 0, learner.ledger.rounds
    tally = tally if learner.rule.abilities.classes else None
    for reader in readers:
        for whole in reader.portions():
            watcher.before(reader, whole, number)
            for piece, is_held in _pieces(whole, plan.holdout, number):
                if is_held:
                    _judge(learner, piece, held, known=behind > 0)
                    continue
                skipped = min(behind, len(piece.X))
                behind -= skipped
                rows = piece if not skipped else _some(piece, range(skipped, len(piece.X)))
                weights = np.ones(len(rows.X)) if plan.ignore_weights else None
                columns = learner.learn_many(rows.X, NO_OUTCOME if alone else rows.y, weights, keep=keep)
                if watcher.shown is not None:
                    watcher.shown(columns, rows)
                if tally is not None:
                    tally.note(rows.y.kept())
            number += len(whole.X)
            watcher.see(learner)
            if plan.checkpoint is not None and learner.ledger.rounds >= saved + plan.checkpoint:
                watcher.save()
                saved = learner.ledger.rounds
    return behind


def check_labelled(reader: Reader, piece: Portion, number: int = 0) -> None:
    """Refuses rows without a label, by the column that is not there or by the row, before a round of them is learned.

    Raises:
        InvalidData: saying what to type.
    """
    name, (X, labels) = reader.source.name, piece
    if X.recipe is not None and X.recipe.label is None:
        columns = listed(list(X.recipe.columns))
        raise InvalidData(
            f"{name} has no column label, target, class or y; say which is the label by label=, such as {columns}"
        )
    if labels.are_known_numbers:
        return
    y = labels.array
    bare = np.isnan(y) if y.dtype.kind == "f" else np.array([value is None or value != value for value in y.tolist()])
    if not bare.any():
        return
    row = int(np.argmax(bare))
    if number == 0 and bare.all() and X.scheme.kind == "names":
        raise InvalidData(f"{name}: no row has the key {reader.options.label or 'label'!r}; say which is the label by label=")
    raise InvalidData(f"{name}, row {number + row + 1} has no label; what is learned needs one: rows without go to predict")


def _pieces(piece: Portion, holdout: int | None, number: int) -> Iterator[tuple[Portion, bool]]:
    """The rows of a chunk that are learned, and between them, one by one, those that are held out."""
    if holdout is None:
        yield piece, False
        return
    first = (-number - 1) % holdout
    begin = 0
    for t in range(first, len(piece.X), holdout):
        if t > begin:
            yield _some(piece, range(begin, t)), False
        yield _some(piece, range(t, t + 1)), True
        begin = t + 1
    if begin < len(piece.X):
        yield _some(piece, range(begin, len(piece.X))), False


def _judge(learner: Learner, piece: Portion, held: HeldOut, *, known: bool) -> None:
    """Predicts a row that is held out; not one that the model passed before it was saved."""
    if known:
        return
    shown = learner.predict_many(piece.X)
    labelled = learner.rule.abilities.named
    held.rows += 1
    truth = piece.y.array[0]
    held.error += float(shown[0] != truth if labelled else abs(shown[0] - truth))


def _some(piece: Portion, rows: range) -> Portion:
    return Portion(piece.X.chosen(list(rows)), FileLabels.given(piece.y.array[rows.start : rows.stop]))
