"""Running scales: the largest value, the root of the mean square, mean and deviation, and the gauge of the pool."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar, final

from littlestone import _core
from littlestone.lazy import np
from littlestone.schema import PER_FEATURE, Schema
from littlestone.views.view import Statistics, View

if TYPE_CHECKING:
    from collections.abc import Mapping


@final
class MaxScale(View):
    """x / max |x|: every value by the largest magnitude that its feature has had so far.

    Zeros stay zeros, so sparse rows stay sparse, and no value is beyond 1. One outlier makes its feature small for good.

    Cost: O(nonzeros) per row; a number per feature.

    Source: scikit-learn's MaxAbsScaler and River's, as a step of the same pass.

    Example:
        >>> import littlestone as ls
        >>> learner = ls.Learner(ls.Perceptron(), view=ls.features.MaxScale(), labels=(-1, 1))
        >>> learner.learn_many([[4.0], [2.0]], [-1, -1], keep=("score",))["score"]    # shown are 1 and then 2/4
        array([ 0. , -0.5])
    """

    name: ClassVar[str] = "max"
    _ARRAYS: ClassVar[Schema] = {"largest": PER_FEATURE}

    def init(self, width: int) -> Statistics:
        """No value yet."""
        return Statistics(self._ARRAYS, largest=np.zeros(width))

    def bound(self, statistics: Statistics) -> _core.View:
        """The compiled view."""
        return _core.max_scale(largest=statistics.largest)

    def shown(self, statistics: Statistics, row: Mapping[int, float], *, learns: bool) -> dict[int, float]:
        """X / max(max so far, |x|)."""
        largest, found = statistics.largest, {}
        for i, x in row.items():
            most = max(float(largest[i]), abs(x))
            found[i] = x / most
            if learns:
                largest[i] = most
        return found


@final
class RootMeanSquareScale(View):
    """x / √(mean of x²), over the rows so far that have the feature: its deviation around zero.

    Zeros stay zeros, so sparse rows stay sparse; a feature that is 1 whenever it is there stays 1, however seldom that is. The
    means are not moved to zero: it is what can be done of standardising without filling up the rows.

    Cost: O(nonzeros) per row; two numbers per feature.

    Source: `StandardScaler(with_mean=False)` of scikit-learn divides by the deviation around the mean instead, which makes a
    feature large that is far from zero and varies little.

    Example:
        >>> import littlestone as ls
        >>> learner = ls.Learner(ls.Perceptron(), view=ls.features.RootMeanSquareScale(), labels=(-1, 1))
        >>> learner.learn_many([[1.0], [7.0]], [1, 1], keep=("score",))["score"]    # shown are 1 and then 7/√25
        array([0. , 1.4])
    """

    name: ClassVar[str] = "rms"
    _ARRAYS: ClassVar[Schema] = {"mean": PER_FEATURE, "count": PER_FEATURE}

    def init(self, width: int) -> Statistics:
        """No value yet."""
        return Statistics(self._ARRAYS, mean=np.zeros(width), count=np.zeros(width))

    def bound(self, statistics: Statistics) -> _core.View:
        """The compiled view."""
        return _core.mean_square_scale(mean=statistics.mean, count=statistics.count)

    def shown(self, statistics: Statistics, row: Mapping[int, float], *, learns: bool) -> dict[int, float]:
        """N' = n + 1, q' = q + (x² − q)/n', x/√q'."""
        mean, count, found = statistics.mean, statistics.count, {}
        for i, x in row.items():
            n = float(count[i]) + 1.0
            square = float(mean[i]) + (x * x - float(mean[i])) / n
            found[i] = x / math.sqrt(square) if square > 0.0 else math.copysign(1.0, x)
            if learns:
                count[i], mean[i] = n, square
        return found


@final
class StandardScale(View):
    """(x − mean) / deviation of every feature over the rows so far, zeros and absent values among them as zeros.

    Zeros are moved, so that a row has every feature that was ever met: rows of more than 4,096 features are refused, and
    `RootMeanSquareScale` is for them. A feature that has always been the same, a constant above all, is shown as 1, or −1.

    Cost: O(features) per row; two numbers per feature. The sums are those of Welford 1962.

    Source: River's StandardScaler, which leaves absent features alone.

    Example:
        >>> import littlestone as ls
        >>> learner = ls.Learner(ls.Perceptron(), view=ls.features.StandardScale(), labels=(-1, 1))
        >>> learner.learn_many([[10.0], [14.0]], [1, 1], keep=("score",))["score"]    # shown are 1 and then (14 − 12)/2
        array([0., 1.])
    """

    name: ClassVar[str] = "standard"
    widest: ClassVar[int | None] = 4096
    wide: ClassVar[str] = "a row that is centred has them all; view=ls.features.RootMeanSquareScale() keeps zeros"
    _ARRAYS: ClassVar[Schema] = {"mean": PER_FEATURE, "squares": PER_FEATURE}

    def init(self, width: int) -> Statistics:
        """No row yet."""
        return Statistics(self._ARRAYS, mean=np.zeros(width), squares=np.zeros(width), rounds=np.zeros(1))

    def bound(self, statistics: Statistics) -> _core.View:
        """The compiled view."""
        return _core.standard_scale(mean=statistics.mean, squares=statistics.squares, rounds=statistics.rounds)

    def shown(self, statistics: Statistics, row: Mapping[int, float], *, learns: bool) -> dict[int, float]:
        """N' = n + 1, m' = m + (x − m)/n', s' = s + (x − m)(x − m'), (x − m')/√(s'/n')."""
        mean, squares, found = statistics.mean, statistics.squares, {}
        n = float(statistics.rounds[0]) + 1.0
        for i in range(statistics.width):
            x = row.get(i, 0.0)
            away = x - float(mean[i])
            centre = float(mean[i]) + away / n
            total = float(squares[i]) + away * (x - centre)
            if total > 0.0 and x != centre:
                found[i] = (x - centre) / math.sqrt(total / n)
            elif total <= 0.0 and x != 0.0:
                found[i] = math.copysign(1.0, x)
            if learns:
                mean[i], squares[i] = centre, total
        if learns:
            statistics.rounds[0] = n
        return found


@final
class Gauge(View):
    """The gauge of the pool: u√(2/(1+|u|)), u = x / 2^L, where L is the mean of log₂|x| over the rows that have the feature.

    Zeros stay zeros; a value far above its geometric mean is drawn towards it, so that outliers do little.

    Cost: O(nonzeros) per row; two numbers per feature, in the precision of float32.

    Source: the pool (`ls.Pool`), whose members see rows so.

    Example:
        >>> import littlestone as ls
        >>> learner = ls.Learner(ls.Perceptron(), view=ls.features.Gauge(), labels=(-1, 1))
        >>> learner.learn_many([[8.0], [8.0]], [1, 1], keep=("score",))["score"]
        array([0., 1.])
    """

    name: ClassVar[str] = "gauge"
    _ARRAYS: ClassVar[Schema] = {"level": PER_FEATURE, "count": PER_FEATURE}
    _MOST = 2.0**24
    """Where a float32 no longer counts by ones."""

    def init(self, width: int) -> Statistics:
        """No value yet."""
        return Statistics(self._ARRAYS, level=np.zeros(width), count=np.zeros(width))

    def bound(self, statistics: Statistics) -> _core.View:
        """The compiled view."""
        return _core.gauge(level=statistics.level, count=statistics.count)

    def shown(self, statistics: Statistics, row: Mapping[int, float], *, learns: bool) -> dict[int, float]:
        """In double; the compiled gauge agrees to 1e-5."""
        found = {}
        for i, x in row.items():
            n = min(float(statistics.count[i]) + 1.0, self._MOST)
            log = math.log2(abs(x))
            level = float(statistics.level[i]) + (log - float(statistics.level[i])) / n
            u = 2.0 ** min(max(log - level, -60.0), 60.0)
            found[i] = math.copysign(u * math.sqrt(2.0 / (1.0 + u)), x)
            if learns:
                statistics.count[i], statistics.level[i] = n, level
        return found


SCALES: tuple[type[View], ...] = (StandardScale, RootMeanSquareScale, MaxScale, Gauge)
"""The views that show every feature in a scale of its own."""
