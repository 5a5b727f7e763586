"""The ledger at many moments of a run, in memory that does not grow with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone import _core
from littlestone.calibration import Calibration
from littlestone.columns import Kept
from littlestone.learner import Learner
from littlestone.ledger import Ledger
from littlestone.linear.fixed import comparator
from littlestone.loop import calibrated
from littlestone.multiclass.class_states import ClassStates
from littlestone.pool.state import PoolState
from littlestone.streams.batches import is_frame
from littlestone.streams.space import Space
from littlestone.tally import Tally, in_order
from littlestone.vocabulary import some

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray, FloatArray
    from littlestone.rule import LinearRule
    from littlestone.run import Run
    from littlestone.state import State

_RATIO = 1.04
_MOST = 400


@final
class Recorder:
    """Keeps ledgers at moments a few per cent apart, and the last; two recorders of the same moments keep the same ones.

    Example:
        >>> import littlestone as ls
        >>> learner, recorder = ls.Learner(ls.Perceptron()), Recorder()
        >>> for _ in range(1000):
        ...     _ = learner.learn_one([1.0], 1)
        ...     recorder.note(learner.ledger)
        >>> len(recorder.ledgers) < 200, recorder.ledgers[-1].rounds
        (True, 1000)
    """

    def __init__(self) -> None:
        self._kept: list[Ledger] = []
        self._last: Ledger | None = None
        self._next = 1.0

    def note(self, ledger: Ledger) -> None:
        """The ledger at a moment later than the last."""
        self._last = ledger
        if ledger.rounds < self._next:
            return
        self._kept.append(ledger)
        self._next = _RATIO * ledger.rounds
        if len(self._kept) > _MOST:
            self._kept = self._kept[::2]

    @property
    def ledgers(self) -> list[Ledger]:
        """What was kept, and the last."""
        fresh = self._last is not None and (not self._kept or self._kept[-1].rounds < self._last.rounds)
        return [*self._kept, self._last] if fresh and self._last is not None else list(self._kept)


def moments(rounds: int, most: int = 200) -> list[int]:
    """Numbers of rounds up to the last, evenly spaced on a logarithmic scale, each once.

    Example:
        >>> moments(1000, 4), moments(3)
        ([1, 10, 100, 1000], [1, 2, 3])
    """
    if rounds < 1:
        return []
    return sorted({*np.unique(np.rint(np.geomspace(1, rounds, most))).astype(int).tolist(), rounds})


@final
class Rerun:
    """The rows of a run, to be run over again by its rule or by fixed weights, with the ledger at chosen moments."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._batch, self._outcomes = run.learner.encode(run.X, run.y)
        self._labels = in_order(run.y if len(run.learner.labels) > 2 else ())
        self._moments = moments(len(self._batch) * run.passes)
        self.shown: FloatArray | BoolArray | None = None
        """What the rule showed in its first pass, once it has run."""
        self.accounts: dict[int, Mapping[str, list[float]]] = {}
        """Of a pool: what its experts had at the moments of the last replay."""

    def rule(self) -> list[Ledger] | None:
        """The ledgers of the run itself; None where running again does not give the same: the learner went on."""
        if self._run.rule.vocabulary() is not None and not is_frame(self._run.X):
            ledgers = list(self._capped())
        else:
            kept = Kept(("prediction",), len(self._batch))
            ledgers = list(self._ledgers(self._run.rule, self._run.learner.first_state(self._batch.width), kept))
            self.shown = kept.columns()["prediction"]
        # How the run began is not replayed.
        run = replace(self._run.ledger, own_rounds=True, blank_start=True, repeats=0)
        return ledgers if ledgers and ledgers[-1] == run else None

    def _capped(self) -> Iterator[Ledger]:
        """The ledgers of a rule that lets go of names, which only a learner of names can do."""
        missing, count = self._run.learner.missing, len(self._batch)
        rows = Space(missing=missing).one_by_one(self._run.X)
        learner, tally, shown = Learner(self._run.rule, missing=missing), Tally(), np.zeros(count)
        done = 0
        for moment in self._moments:
            while done < moment:
                if done and done % count == 0:
                    learner.next_pass()
                begin = done % count
                end = min(begin + moment - done, count)
                outcomes = self._outcomes.in_order(np.arange(begin, end))
                learned = learner.learn_many(some(rows, range(begin, end)), outcomes, keep=("prediction",))
                if done < count:
                    shown[begin:end] = learned["prediction"]
                tally.note(self._labels[begin:end])
                done += end - begin
            if isinstance(learner.state, PoolState):
                self.accounts[done] = learner.state.accounts()
            yield replace(tally.beside(learner.ledger), repeats=0)
        self.shown = shown

    def fixed(self, u: FloatArray) -> list[Ledger]:
        """The ledgers of fixed weights, of many classes a row each, at the same moments."""
        padded = np.zeros((*u.shape[:-1], max(self._batch.width, u.shape[-1])))
        padded[..., : u.shape[-1]] = u
        rule = comparator(self._run.rule, padded)
        return list(self._ledgers(rule, rule.init(self._batch.width)))

    def _ledgers(self, rule: LinearRule, start: State, kept: Kept | None = None) -> Iterator[Ledger]:
        count = len(self._batch)
        # Of many classes, with room for those the run met.
        state = start.with_room(len(self._run.learner.labels)) if isinstance(start, ClassStates) else start
        loop, totals, slope = rule.loop(state, None), _core.Totals(), Calibration.fresh()
        if kept is not None and self._run.learner.calibrates:
            loop = calibrated(slope.bound(), loop)
        done, tally = 0, Tally()
        for moment in self._moments:
            while done < moment:
                if done == count:
                    slope.rest()  # the rows come again
                begin = done % count
                end = min(begin + moment - done, count)
                columns = kept.core if kept is not None and done < count else _core.RoundColumns(count)
                loop.learn(self._batch, self._outcomes, totals, columns, begin, end)
                tally.note(self._labels[begin:end])
                done += end - begin
            if isinstance(state, PoolState):
                self.accounts[done] = state.accounts()
            yield tally.beside(Ledger.of(totals, -(-done // count)))
