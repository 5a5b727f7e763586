"""Leave-one-out estimates of the risk of the Perceptron and of the hard-margin SVM."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from littlestone.errors import NotApplicable
from littlestone.kernels import Support
from littlestone.linear import Perceptron
from littlestone.theory.comparators import Trials, max_margin, support
from littlestone.theory.evidence import Comparison
from littlestone.theory.spaces import KernelBench

if TYPE_CHECKING:
    from littlestone.run import Run


@final
@dataclass(frozen=True)
class LeaveOneOut:
    """What bounds, in the mean over samples of m + 1 rows, the expected risk after m rows.

    Each number is that quantity on one sample: an estimate of the bound, not a bound.
    """

    rows: int
    """m + 1."""
    perceptron: float
    """M/(m + 1), M the updates of the Perceptron (Mohri et al., theorem 8.9)."""
    margin: float
    """(r²/ρ²)/(m + 1), never less than the number before (theorem 8.8)."""
    svm: float
    """N_SV/(m + 1), N_SV the support vectors of the hard-margin SVM without offset (theorem 8.10)."""


def leave_one_out(of: Run) -> LeaveOneOut:
    """The estimates of mohri.8.9 and mohri.8.10 from a Perceptron that was run until it made no mistake.

    For a kernel Perceptron all of it is in the space of the kernel, its machine with it.

    Raises:
        NotApplicable: if the rule is not a Perceptron from a zero start, the run has no rows or did not come to rest, or a
            budget changed its updates.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> run = ls.run(ls.Perceptron(), np.eye(3)[[0, 1, 0]], [1, 1, 1], labels=(-1, 1), passes=9)
        >>> estimate = ls.convert.leave_one_out(run)
        >>> round(3 * estimate.perceptron, 9), round(3 * estimate.margin, 6), round(3 * estimate.svm, 9)
        (2.0, 2.0, 2.0)
    """
    rule = of.rule.primal()
    if not isinstance(rule, Perceptron) or rule.start is not None or rule.tolerance:
        raise NotApplicable("the theorem speaks of the Perceptron from a zero start without a tolerance")
    if not of.ledger.rounds:
        raise NotApplicable("the run has no rows to leave out")
    if not of.converged:
        raise NotApplicable("the run made a mistake in its last pass; give it more passes")
    trials = _trials(of)
    u = max_margin(trials).u
    margin = Comparison(u, trials.measure(u)).margin
    novikoff = of.ledger.largest_update_norm_squared / margin**2 if margin > 0.0 else float("inf")
    rows = len(trials)
    return LeaveOneOut(rows, of.ledger.updates / rows, novikoff / rows, len(support(trials)) / rows)


def _trials(of: Run) -> Trials:
    """The rows of a run, or for a kernel rule the vectors that they are in the space of the kernel."""
    if of.rule.abilities.has_weights:
        return Trials.of_run(of)
    if isinstance(of.state, Support) and (of.state.expansion.dropped or of.state.expansion.distortion):
        raise NotApplicable("the budget changed updates; the theorem speaks of the Perceptron without one")
    bench = KernelBench.of(of, comparing=True).bench
    assert bench is not None
    return bench.trials
