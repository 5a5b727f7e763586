"""Passes over a sample: how many, in which order, and when to stop."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, final

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from littlestone import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from littlestone.learner import Learner
    from littlestone.sklearn.estimator import RuleEstimator
    from littlestone.sklearn.sample import Order, Sample

_SEEDS, _ROWS_TOGETHER = 2**32, 2**18


@final
class EarlyStop:
    """Counts the passes in a row that did not lower a loss by `tol`."""

    def __init__(self, tol: float | None, patience: int) -> None:
        self._tol = tol
        self._patience = patience
        self._best = math.inf
        self._idle = 0

    def ends(self, loss: float) -> bool:
        """Whether it is over after a pass with this loss."""
        if self._tol is None:
            return False
        self._idle = self._idle + 1 if loss > self._best - self._tol else 0
        self._best = min(self._best, loss)
        return self._idle >= self._patience


@final
class Counted(NamedTuple):
    """What was counted by the end of a pass."""

    mistakes: int
    updates: int
    weight: float
    loss: float

    @staticmethod
    def by(totals: _core.Totals) -> Counted:
        """What these totals have counted."""
        return Counted(totals.mistakes, totals.updates, totals.weight, totals.weighted_loss)


@final
class PassesEnd:
    """Whether it is over, by what was counted at the end of each pass."""

    def __init__(self, fitting: Fitting, how: RuleEstimator, totals: _core.Totals) -> None:
        self._fitting, self._verbose = fitting, how.verbose
        self._patience = EarlyStop(how.tol, how.n_iter_no_change)
        self._before, self._passes = Counted.by(totals), 0
        self.reached = False

    def is_after(self, totals: _core.Totals) -> bool:
        """Whether it is over after a pass that has led to these totals."""
        before, after, held_out = self._before, Counted.by(totals), self._fitting.held_out_loss
        self._before, self._passes = after, self._passes + 1
        mean = (after.loss - before.loss) / ((after.weight - before.weight) or 1.0)
        if self._verbose:
            print(f"pass {self._passes}: {after.mistakes - before.mistakes} mistakes, mean loss {mean:.6g}")
        at_rest = self._fitting.until_rest and after.updates == before.updates
        self.reached = at_rest or self._patience.ends(mean if held_out is None else held_out())
        return self.reached


@final
@dataclass(frozen=True, kw_only=True)
class Fitting:
    """A sample, the rows of it that are learned, and what tells when it is enough."""

    sample: Sample
    chosen: Order | None = None
    """None is all of them."""
    held_out_loss: Callable[[], float] | None = None
    """None goes by the mean loss of a pass, where each row's is taken before it is learned."""
    until_rest: bool = True
    """Whether a pass without an update is the last, as it is unless something counts the rounds."""

    def run(self, learner: Learner, how: RuleEstimator) -> int:
        """Makes passes until the loss stops falling, nothing moves any more, or there were `max_iter`; returns how many."""
        end, orders = PassesEnd(self, how, learner.totals), self._orders(how)
        self.sample.teach(learner, next(orders))
        done = 1
        if not end.is_after(learner.totals) and how.max_iter > 1:
            outcomes = self.sample.encoded(learner)
            while not end.reached and done < how.max_iter:
                done += self._some_passes(learner, outcomes, orders, min(self._together(), how.max_iter - done), end)
        if not end.reached and how.tol is not None and how.max_iter > 1:
            text = f"after {how.max_iter} passes the loss still falls by {how.tol:g}; a larger max_iter lets it come to rest"
            warnings.warn(text, ConvergenceWarning, stacklevel=3)
        return done

    def _some_passes(
        self, learner: Learner, outcomes: _core.Outcomes, orders: Iterator[Order | None], count: int, end: PassesEnd
    ) -> int:
        """At most so many more passes in one call; returns how many."""
        whole = np.arange(len(self.sample))
        order = np.concatenate([whole if some is None else some for some in islice(orders, count)])
        rows, in_order = self.sample.rows.in_order(order), outcomes.in_order(order)
        if self.held_out_loss is None:
            return learner.learn_again(rows, in_order, count, end.is_after)
        done = learner.learn_again(rows, in_order, count, lambda _: False)
        end.is_after(learner.totals)  # rows held out are scored by a learner that has learned
        return done

    def _together(self) -> int:
        """Passes that are made in one call: of a small sample several, which take a thread and a look at the learner once."""
        return max(1, _ROWS_TOGETHER // max(1, len(self.sample))) if self.held_out_loss is None else 1

    def _orders(self, how: RuleEstimator) -> Iterator[Order | None]:
        seed = int(check_random_state(how.random_state).randint(_SEEDS, dtype=np.uint64))
        count = len(self.sample if self.chosen is None else self.chosen)
        while True:
            if not how.shuffle:
                yield self.chosen
                continue
            order = _core.permutation(seed, count)
            seed += 1
            yield order if self.chosen is None else self.chosen[order]
