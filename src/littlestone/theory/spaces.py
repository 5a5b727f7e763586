"""Certificates of kernel rules, whose weights are not a vector over the features.

A kernel rule is a linear rule in another space. On the rows of a run that space is spanned by a factor of the kernel matrix,
so comparators are solved for there, by the programs of linear rules.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone import _core
from littlestone.errors import InvalidData, NotApplicable
from littlestone.kernels import KernelPerceptron, KernelRule, Support
from littlestone.kernels.functions import gram
from littlestone.learner import Learner
from littlestone.progress import Patience
from littlestone.theory.catalogue import theory
from littlestone.theory.certificate import Certificate, Check, Verdict
from littlestone.theory.comparators import Trials
from littlestone.theory.evidence import Comparison, LinearEvidence
from littlestone.theory.kernels import PROJECTED, KernelEvidence
from littlestone.theory.linear_proofs import Bench

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.run import Run

_MOST_ROWS = 4000
_ZERO = 1e-13


def feature_rows(rule: KernelRule, batch: _core.Batch) -> FloatArray:
    """Vectors, one per row, whose dot products are the kernel's: a factor of the kernel matrix.

    Raises:
        NotApplicable: if there are more than a few thousand rows, as the matrix has a value for every pair.
    """
    if len(batch) > _MOST_ROWS:
        raise NotApplicable(f"there are {len(batch)} rows; a kernel comparator is found for at most {_MOST_ROWS}")
    objects = rule.kernel.reads_objects
    matrix = gram(rule.kernel, [batch[t].object for t in range(len(batch))] if objects else dense_rows(batch))
    with Patience(f"factor of a kernel matrix of {len(batch):,} rows"):
        values, vectors = np.linalg.eigh(matrix)
    kept = values > _ZERO * max(float(values.max(initial=0.0)), 0.0)
    rows: FloatArray = np.ascontiguousarray(vectors[:, kept] * np.sqrt(values[kept]))
    return rows


def dense_rows(batch: _core.Batch) -> FloatArray:
    """The rows of a batch as a matrix."""
    start, index, value = batch.csr(np.arange(len(batch)))
    matrix = np.zeros((len(batch), batch.width))
    matrix[np.repeat(np.arange(len(batch)), np.diff(start)), index] = value
    return matrix


def vector_of(against: npt.ArrayLike, length: int, what: str) -> FloatArray:
    """So many finite numbers.

    Raises:
        InvalidData: if it is anything else.
    """
    try:
        vector = np.asarray(against, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidData(f"against is {against!r}; expected {what}") from None
    if vector.shape != (length,):
        raise InvalidData(f"against has shape {vector.shape}; expected {what}: {length} numbers")
    if not np.isfinite(vector).all():
        raise InvalidData(f"against has the value {vector[~np.isfinite(vector)][0]}; expected {what}, all finite")
    return vector


@final
@dataclass(frozen=True)
class KernelBench:
    """A run of a kernel rule, seen as a run of its linear rule on the vectors of `feature_rows`."""

    rule: KernelRule
    evidence: KernelEvidence
    bench: Bench | None
    rows: FloatArray

    @staticmethod
    def of(run: Run | Learner, *, comparing: bool) -> KernelBench:
        """The bench of a run; `comparing` needs its rows."""
        rule, state = run.rule, run.state
        assert isinstance(rule, KernelRule)
        assert isinstance(state, Support)
        eta = rule.eta if isinstance(rule, KernelPerceptron) else 1.0
        evidence = KernelEvidence(run.ledger, state.expansion.dropped, state.expansion.distortion / eta, None)
        if not comparing:
            return KernelBench(rule, evidence, None, np.zeros((0, 0)))
        if isinstance(run, Learner):
            raise NotApplicable("a learner keeps no rows to compare on; certify a run")
        batch, outcomes = run.learner.encode(run.X, run.y)
        rows = feature_rows(rule, batch)
        margin, epsilon = rule.ends()
        space = _core.dense_batch(rows)
        trials = Trials(space, outcomes, np.zeros(rows.shape[1]), margin, epsilon, run.passes, source=batch)
        return KernelBench(rule, evidence, Bench(_linear(rule, evidence, None), trials, {}), rows)

    def certificates(self, u: FloatArray | None) -> list[Certificate]:
        """Against u; against the best u of each theorem where there is a bench and no u; else against nothing."""
        effect = Check("no budget changed an update", self.evidence.dropped == 0 and self.evidence.distortion == 0.0)
        found = [_checked(certificate, effect) for certificate in self._linear(u)]
        if PROJECTED.speaks_of(self.rule) and self.rule.limit() is not None:
            found.append(self._projected(u))
        return found if self.rule.limit() is not None else [replace(c, assumptions=c.assumptions[:-1]) for c in found]

    def against(self, coefficients: npt.ArrayLike) -> Comparison:
        """U = Σ β_t φ(x_t), one coefficient per row, and the ledger it leaves."""
        assert self.bench is not None
        u: FloatArray = vector_of(coefficients, len(self.rows), "coefficients, one per row") @ self.rows
        return Comparison(u, self.bench.trials.measure(u), self.bench.trials.inside(u))

    def _linear(self, u: FloatArray | None) -> list[Certificate]:
        guarantees = theory.about(self.rule.primal())
        if self.bench is not None and u is None:
            return self.bench.certificates(guarantees)
        evidence = _linear(self.rule, self.evidence, self._comparison(u))
        return [guarantee.certify(evidence) for guarantee in guarantees]

    def _comparison(self, u: FloatArray | None) -> Comparison | None:
        if u is None or self.bench is None:
            return None
        return Comparison(u, self.bench.trials.measure(u), self.bench.trials.inside(u))

    def _projected(self, u: FloatArray | None) -> Certificate:
        wanted, bench = PROJECTED.comparator, self.bench
        if u is not None or bench is None or wanted is None or not math.isfinite(self.evidence.ledger.smallest_margin):
            return PROJECTED.certify(replace(self.evidence, comparison=self._comparison(u)))

        def against(v: FloatArray) -> KernelEvidence:
            return replace(self.evidence, comparison=self._comparison(v))

        best = wanted.solve(bench.trials, bench.evidence, lambda v: PROJECTED.bound(against(v)))
        return replace(PROJECTED.certify(against(best.u)), comparator=wanted.words)


def _linear(rule: KernelRule, evidence: KernelEvidence, comparison: Comparison | None) -> LinearEvidence:
    return LinearEvidence(rule.primal(), evidence.ledger, comparison)


def _checked(certificate: Certificate, effect: Check) -> Certificate:
    checks = (*certificate.assumptions, effect)
    if effect.met:
        return replace(certificate, assumptions=checks)
    return replace(certificate, assumptions=checks, verdict=Verdict.UNPROVED, bound=math.nan)


def kernel_certificates(of: Run | Learner, against: npt.ArrayLike | None) -> list[Certificate]:
    """The guarantees of the linear rule, in the space of the kernel.

    Args:
        of: a run or a learner of a kernel rule.
        against: coefficients β, one per row of the run, for u = Σ β_t φ(x_t); or "best"; or None.
    """
    bench = KernelBench.of(of, comparing=against is not None)
    if against is None or isinstance(against, str):
        return bench.certificates(None)
    return bench.certificates(bench.against(against).u)
