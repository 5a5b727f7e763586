"""What the rules on log-weights share."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray, VectorLike
from littlestone.domain import Domain, interval
from littlestone.errors import InvalidData, InvalidParameter
from littlestone.log_weights import LogWeights, SignedLogWeights
from littlestone.rule import LinearRule

if TYPE_CHECKING:
    from littlestone.state import State

BUDGET: Domain = interval(0.0, 1e150, low_open=True, high_open=False, words="a finite number above 0 and at most 1e150")
"""The sum U of the weights; with values below 1e150 a score cannot overflow."""


class MultiplicativeRule(LinearRule):
    """A rule whose weights are powers of e on a common normaliser."""

    tie_tol: float = 0.0

    @final
    def score(self, state: State, row: _core.Row) -> float:
        """The normalised dot product."""
        assert isinstance(state, LogWeights | SignedLogWeights)
        return state.score(row)

    @final
    def settle(self, state: State, row: _core.Row, score: float, interval: _core.Interval) -> float:
        """The end of the interval that the score is next to, within the tie tolerance."""
        assert isinstance(state, LogWeights | SignedLogWeights)
        return state.settle(row, score, interval, self.tie_tol)

    @final
    def step(self, state: State, row: _core.Row, step: float) -> _core.Step:
        """θ ← θ + step·x; a step of 0 stays, and one that would overflow cannot be made."""
        assert isinstance(state, LogWeights | SignedLogWeights)
        if step == 0.0:
            return _core.Step.stay()
        return _core.Step.otherwise(step) if state.move(row, step) else _core.Step.cannot()


def check_start(rule: LinearRule, given: VectorLike | None, U: float) -> None:
    """Checks that a start vector lies inside the simplex of sum U.

    Raises:
        InvalidParameter: for an entry that is not positive, or another sum.
    """
    if given is None:
        return
    owner, start = type(rule).__name__, np.asarray(given, dtype=np.float64)
    if not (start > 0.0).all():
        k = int(np.argmax(~(start > 0.0)))
        raise InvalidParameter(f"{owner}: start[{k}] is {start[k]:g}; every entry of start must be above 0")
    if not abs(float(np.sum(start)) - U) <= 1e-12 * U:
        raise InvalidParameter(f"{owner}: start has sum {float(np.sum(start))!r}; its sum must be U = {U!r}")


def start_log_weights(start: VectorLike | None, width: int, *, U: float = 1.0, **scalars: FloatArray) -> LogWeights:
    """The state that starts from a vector, or from equal weights, with further scalars of the rule.

    Raises:
        InvalidData: if the rows have not as many features as the start vector.
    """
    if start is None:
        return LogWeights.uniform(width, U=U, **scalars)
    if len(start) != width:
        raise InvalidData(f"the start vector has {len(start)} weights; it must have one for each feature, and no more")
    return LogWeights.of(np.log(np.asarray(start)), U=U, **scalars)
