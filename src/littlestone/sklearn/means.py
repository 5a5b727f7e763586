"""The mean of the weights over the rounds, for each of many classes."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.learner import Learner

if TYPE_CHECKING:
    from littlestone import _core
    from littlestone.arrays import FloatArray
    from littlestone.labels import Label
    from littlestone.rule import LinearRule
    from littlestone.sklearn.sample import Values


@final
class Means:
    """A learner of two labels for each class, its own against all others, that keeps the mean of its weights.

    They are the rows of `ls.OneVersusRest`, bit for bit; it keeps no mean of its own. A class that comes later takes a copy of
    the learner of no class, which has met every row as one of the others, and so is where it would be had it been known.
    """

    def __init__(self, rule: LinearRule) -> None:
        self._of_none = Learner(rule, labels=(False, True), average=True)
        self._of_class: dict[Label, Learner] = {}

    def teach(self, rows: _core.Batch, y: Values, weights: FloatArray | None) -> None:
        """Every learner learns the rows."""
        for label in dict.fromkeys(y.tolist()):
            if label not in self._of_class:
                self._of_class[label] = copy.copy(self._of_none)
        for label, learner in self._of_class.items():
            learner.learn_many(rows, np.asarray(y == label), weights)
        self._of_none.learn_many(rows, np.zeros(len(y), dtype=bool), weights)

    def weights(self, labels: tuple[Label, ...]) -> FloatArray:
        """A row for each of the classes; of one that was not met yet, that of no class."""
        met = (self._of_class.get(label, self._of_none) for label in labels)
        return np.array([learner.averaged().state.w for learner in met])
