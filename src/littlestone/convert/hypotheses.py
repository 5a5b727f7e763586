"""The hypotheses of a run, recorded as its sequence of updates: v_k = w_1 + the first k steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np
import numpy.typing as npt

from littlestone import _core
from littlestone.errors import NotApplicable
from littlestone.kernels import KernelRule, Support

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.learner import Learner
    from littlestone.rule import LinearRule
    from littlestone.run import Run


@final
@dataclass(frozen=True)
class Hypotheses:
    """The start, and for each update its round, its row and its step: no copies of the weights."""

    start: FloatArray
    rounds: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    steps: FloatArray
    total_rounds: int

    @property
    def survival(self) -> npt.NDArray[np.int64]:
        """c_k: in how many rounds the vector after k updates was used, k = 0..M."""
        ends = np.append(self.rounds + 1, self.total_rounds)
        return np.diff(ends, prepend=0)

    def used_in(self, round_: int) -> int:
        """The k of the vector that was used in a round, rounds counted from 0."""
        return int(np.searchsorted(self.rounds, round_, side="left"))


def hypotheses(of: Run) -> Hypotheses:
    """The hypotheses of a run that kept its "step" and "update" columns.

    Raises:
        NotApplicable: if the columns were not kept, or the rule does more than add steps.
    """
    if not {"step", "update"} <= of.columns.keys():
        raise NotApplicable('the run kept no updates; make it with keep=("step", "update")')
    rounds = np.flatnonzero(of.columns["update"])
    per_pass = of.ledger.rounds // of.passes
    steps = of.columns["step"][rounds].astype(np.float64)
    known = Hypotheses(_start(of), rounds, rounds % max(per_pass, 1), steps, of.ledger.rounds)
    _check_sum(of, known)
    return known


def _start(of: Run) -> FloatArray:
    name = type(of.rule).__name__
    if of.learner.view is not None:
        shown = f"{of.learner.view!r} shows a row in changing scales"
        raise NotApplicable(f"hypotheses are sums of rows, and {shown}; scale them before")
    if of.rule.abilities.alone:
        raise NotApplicable(f"{name} moves a centre; its hypotheses are not sums of steps")
    if isinstance(of.state, Support):
        if of.state.expansion.dropped or of.state.expansion.distortion:
            raise NotApplicable("the budget changed updates; the hypotheses are not sums of steps")
        return np.zeros(0)
    if of.ledger.other_updates or of.rule.abilities.classes or not of.rule.abilities.has_weights:
        raise NotApplicable(f"{name} does more than add multiples of its rows; its hypotheses are not sums of steps")
    return of.rule.init(len(of.state.w)).w.copy()


def _check_sum(of: Run, known: Hypotheses) -> None:
    """Refuses a run whose weights are not what its steps add up to, whatever its rule says of them."""
    if isinstance(of.state, Support) or of.learner.ledger.rounds != of.ledger.rounds:
        return
    if not np.allclose(_vector(of, known, len(known.steps)), of.state.w, rtol=1e-9, atol=1e-12):
        name = type(of.rule).__name__
        raise NotApplicable(f"the weights of {name} are not the sum of its steps; it must say Step.otherwise of such updates")


def _vector(of: Run, known: Hypotheses, k: int) -> FloatArray:
    """The start and the first k steps."""
    batch, w = of.learner.batch(of.X), known.start.copy()
    for row, step in zip(known.rows[:k], known.steps[:k], strict=True):
        batch[int(row)].add_to(w, float(step))
    return w


def hypothesis(of: Run, known: Hypotheses, k: int) -> Learner:
    """The vector after k updates, fixed, with the features and labels of the run."""
    if of.rule.abilities.has_weights:
        return of.learner.with_weights(_vector(of, known, k))
    rule, batch = in_space(of.rule), of.learner.batch(of.X)
    support = rule.init(batch.width)
    for row, step in zip(known.rows[:k], known.steps[:k], strict=True):
        support.expansion.look(batch, int(row))
        support.expansion.add(float(step))
    return of.learner.with_state(rule.fixed(), support)


def first_scores(of: Run, known: Hypotheses, batch: _core.Batch) -> FloatArray:
    """The scores of all rows by the vector that the run began with."""
    if not known.start.any():
        return np.zeros(len(batch))
    return of.learner.with_weights(known.start).score_many(of.X)


def in_space(rule: LinearRule) -> KernelRule:
    """A rule without weights whose hypotheses are sums of steps: such a rule has a kernel."""
    assert isinstance(rule, KernelRule)
    return rule


def point_table(rule: LinearRule) -> _core.Expansion | None:
    """An empty set of rows that the core evaluates dot products with (for a kernel rule, its kernel); None if it cannot."""
    compiled = _core.KernelFunction.linear() if rule.abilities.has_weights else in_space(rule).kernel.compiled()
    return None if compiled is None else _core.Expansion(compiled, budget=0, project=False)


def products(of: Run, batch: _core.Batch) -> Callable[[int], FloatArray]:
    """For a row, the kernel's values with all rows: what a step on it adds to scores."""
    evaluate = kernel_values(in_space(of.rule), batch, np.arange(len(batch)))
    return lambda row: evaluate(batch, row)


def kernel_values(
    rule: KernelRule, batch: _core.Batch, rows: npt.NDArray[np.int64]
) -> Callable[[_core.Batch, int], FloatArray]:
    """A function of (batch, row) that evaluates the kernel between that row and some rows of the first batch."""
    table = point_table(rule)
    if table is None:
        return _defined_values(rule, batch, rows)
    table.hold(_core.sparse_batch(*batch.csr(rows), batch.width))

    def evaluate(of: _core.Batch, row: int) -> FloatArray:
        table.look(of, row)
        return table.values()

    return evaluate


def _defined_values(
    rule: KernelRule, batch: _core.Batch, rows: npt.NDArray[np.int64]
) -> Callable[[_core.Batch, int], FloatArray]:
    if rule.abilities.takes_objects:
        objects = [batch[int(row)].object for row in rows]
        return lambda of, row: rule.kernel.values(objects, of[row].object)
    matrix = np.array([_dense(batch, int(row)) for row in rows]).reshape(len(rows), batch.width)
    return lambda of, row: rule.kernel.values(matrix, _dense(of, row))


def _dense(batch: _core.Batch, row: int) -> FloatArray:
    x = np.zeros(batch.width)
    x[batch[row].indices] = batch[row].values
    return x
