"""Two models on rows that are new to both: who errs less, round by round."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np

from littlestone import _core
from littlestone.errors import InvalidData, NotApplicable
from littlestone.theory.paired import PairedComparison

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.learner import Learner
    from littlestone.streams.space import Table

    Rows: TypeAlias = "tuple[Table, npt.NDArray[np.generic]]"


@final
class Contender:
    """A model that is judged by what it says of a row before it learns it, if it learns it at all."""

    def __init__(self, learner: Learner, *, learns: bool) -> None:
        """With `learns`, every row is learned once it was judged.

        Raises:
            NotApplicable: if it says neither labels nor targets.
        """
        able = learner.rule.abilities
        if able.alone or not (able.named or able.targets):
            raise NotApplicable(f"{type(learner.rule).__name__} learns neither labels nor targets; there is nothing to compare")
        self.learner, self._learns, self.labels = learner, learns, able.named
        self._known, self._repeats, self._met = learner.ledger, learner.ledger.repeats, _core.Totals()

    def losses(self, X: Table, y: npt.NDArray[np.generic]) -> FloatArray:
        """1 for a wrong label, or the distance from the target."""
        self._met.witness(*self.learner.encode(X, y), 0, len(y))
        if not self._learns:
            return self._judged(self.learner.predict_many(X), y)
        kept = self.learner.learn_many(X, y, keep=("prediction",) if self.labels else ("score",))
        return self._judged(self.learner.label_values(kept["prediction"]) if self.labels else kept["score"], y)

    @property
    def has_learned(self) -> bool:
        """Whether the rows are known to be some that it had learned before."""
        if self.learner.ledger.repeats > self._repeats:
            return True
        same = self._known.witnessed == self._known.rounds == self._met.witnessed * self._known.passes > 0
        return same and (self._met.fingerprint * self._known.passes - self._known.fingerprint) % 2**64 == 0

    def _judged(self, shown: npt.NDArray[np.generic], y: npt.NDArray[np.generic]) -> FloatArray:
        if self.labels:
            return np.asarray(shown != y, dtype=np.float64)
        return np.abs(np.asarray(shown, dtype=np.float64) - np.asarray(y, dtype=np.float64))


def judge(pair: PairedComparison, contenders: tuple[Contender, Contender], first: Rows, second: Rows) -> None:
    """Notes what two models lose on the same rows, which each reads in its own way.

    Raises:
        InvalidData: if they are not the same rows.
        NotApplicable: if one says labels and the other targets, or one of them has learned the rows before.
    """
    one, other = contenders
    if one.labels != other.labels:
        raise NotApplicable("one model says labels and the other targets; compare two of a kind")
    if len(first[1]) != len(second[1]) or not np.array_equal(first[1], second[1]):
        raise InvalidData("the models read other rows in the same file; compare models that were told the same of it")
    pair.note_many(one.losses(*first), other.losses(*second))


def check_new(contenders: tuple[Contender, Contender]) -> None:
    """Refuses a comparison in which a model was asked what it remembers.

    Raises:
        NotApplicable: if that is known to be so.
    """
    for words, contender in zip(("first", "second"), contenders, strict=True):
        if contender.has_learned:
            raise NotApplicable(f"the {words} model has learned these rows before; give rows that are new to both")
