"""Evidence: features that speak for a label weigh more."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar, final

from littlestone import _core
from littlestone.lazy import np
from littlestone.schema import PER_FEATURE, Array, Schema
from littlestone.views.view import Statistics, View

if TYPE_CHECKING:
    from collections.abc import Mapping


@final
class Evidence(View):
    """x·(1 + |λ|): a value by how strongly its feature has spoken for one of two labels so far.

    λ = ln((pos + ½)/(neg + ½)) − ln((P + V/2)/(N + V/2)), where pos and neg are the sums of |x| in the rows of either label, P
    and N those of all features, and V counts the features met, this row's with them. A row is shown by the rows before it, and
    its label is taken in once it is learned. Zeros stay zeros. A pool's rows are `Gauge() | Evidence()`.

    Cost: O(nonzeros) per row; two numbers per feature. Masses above 2²² are halved.

    Source: the pool (`ls.Pool`), whose members see rows so; the weights of naive Bayes as factors are Wang and Manning 2012.

    Example:
        >>> import littlestone as ls
        >>> learner = ls.Learner(ls.Perceptron(), view=ls.views.Evidence(), labels=("ham", "spam"))
        >>> for words, label in [("win cash now", "spam"), ("see you now", "ham"), ("cash prize", "spam")] * 3:
        ...     _ = learner.learn_one(dict.fromkeys(words.split(), 1), label)
        >>> learner.score_one({"cash": 1}) > learner.score_one({"now": 1})
        True
    """

    name: ClassVar[str] = "evidence"
    of_labels: ClassVar[bool] = True
    _MOST: ClassVar[float] = 2.0**22
    _ARRAYS: ClassVar[Schema] = {"positive": PER_FEATURE, "negative": PER_FEATURE, "totals": Array(inner=2)}

    def init(self, width: int) -> Statistics:
        """No row yet."""
        return Statistics(self._ARRAYS, positive=np.zeros(width), negative=np.zeros(width), totals=np.zeros(2), met=np.zeros(1))

    def bound(self, statistics: Statistics) -> _core.View:
        """The compiled view."""
        return _core.evidence(
            positive=statistics.positive, negative=statistics.negative, totals=statistics.totals, met=statistics.met
        )

    def shown(self, statistics: Statistics, row: Mapping[int, float], *, learns: bool) -> dict[int, float]:
        """By the rows before; what a label adds is `learn`'s."""
        positive, negative, totals = statistics.positive, statistics.negative, statistics.totals
        met = max(1.0, float(statistics.met[0]) + sum(positive[i] + negative[i] == 0.0 for i in row))
        offset = math.log((totals[1] + 0.5 * met) / (totals[0] + 0.5 * met))
        return {i: x * (1.0 + abs(math.log((positive[i] + 0.5) / (negative[i] + 0.5)) - offset)) for i, x in row.items()}

    def learn(self, statistics: Statistics, row: Mapping[int, float], label: int, weight: float = 1.0) -> None:
        """The label of a row that was shown: its magnitudes count for it."""
        masses = {-1: statistics.negative, +1: statistics.positive}
        for i, x in row.items():
            statistics.met[0] += masses[-1][i] + masses[+1][i] == 0.0
            mass = min(weight * abs(x), self._MOST)
            masses[label][i] += mass
            statistics.totals[int(label > 0)] += mass
            if max(masses[-1][i], masses[+1][i]) > self._MOST:
                for k, sign in enumerate((-1, +1)):
                    masses[sign][i] *= 0.5
                    statistics.totals[k] -= masses[sign][i]
