"""Passes over a sample: how many, in which order, and when to stop."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from littlestone import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from littlestone.learner import Learner
    from littlestone.sklearn.estimator import Estimator
    from littlestone.sklearn.sample import Order, Sample

_SEEDS = 2**32


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

    def run(self, learner: Learner, how: Estimator) -> int:
        """Makes passes until the loss stops falling, nothing moves any more, or there were `max_iter`; returns how many."""
        patience, orders, encoded = EarlyStop(how.tol, how.n_iter_no_change), self._orders(how), None
        after = learner.ledger
        for done in range(1, how.max_iter + 1):
            if done > 1:
                learner.next_pass()
                encoded = encoded or self.sample.encoded(learner)
            self.sample.teach(learner, next(orders), encoded)
            before, after = after, learner.ledger
            mean = (after.weighted_loss - before.weighted_loss) / ((after.weight - before.weight) or 1.0)
            if how.verbose:
                print(f"pass {done}: {after.mistakes - before.mistakes} mistakes, mean loss {mean:.6g}")
            at_rest = self.until_rest and after.updates == before.updates
            if at_rest or patience.ends(mean if self.held_out_loss is None else self.held_out_loss()):
                return done
        if how.tol is not None and how.max_iter > 1:
            text = f"after {how.max_iter} passes the loss still falls by {how.tol:g}; a larger max_iter lets it come to rest"
            warnings.warn(text, ConvergenceWarning, stacklevel=3)
        return how.max_iter

    def _orders(self, how: Estimator) -> Iterator[Order | None]:
        seed = int(check_random_state(how.random_state).randint(_SEEDS, dtype=np.uint64))
        count = len(self.sample if self.chosen is None else self.chosen)
        while True:
            if not how.shuffle:
                yield self.chosen
                continue
            order = _core.permutation(seed, count)
            seed += 1
            yield order if self.chosen is None else self.chosen[order]
