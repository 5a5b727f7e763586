"""Audit: the lemmas of every applicable theorem, checked round by round."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from littlestone.errors import LemmaViolated
from littlestone.theory.catalogue import theory
from littlestone.theory.evidence import LinearEvidence, LinearGuarantee, LinearMoment
from littlestone.theory.guarantee import Lemma
from littlestone.theory.moments import moments
from littlestone.theory.uniclass import is_kernel, is_uniclass

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.run import Run

# The sides of a lemma are differences of squared lengths, so a rounding of those lengths is no violation.
_ROUNDING = 1e-12


def audit(run: Run, u: FloatArray | None = None) -> int:
    """Repeats a run by the definition of its rule and checks each lemma at every round; returns how many checks it made.

    A lemma counts where no assumption of its theorem about rule and stream fails. It is a statement about every comparator,
    so without one it is checked with the weights the rule began with.

    Args:
        run: the run.
        u: the comparator; of a kernel rule its coefficients, one a row.

    Raises:
        LemmaViolated: at the first round that breaks a lemma.

    Example:
        >>> import littlestone as ls
        >>> from littlestone.theory.audit import audit
        >>> audit(ls.run(ls.PassiveAggressive(), [[3.0, 4.0], [1.0, 0.0]], [+1, -1]))
        2
    """
    if is_uniclass(run.rule) or is_kernel(run.rule):
        return _audit_elsewhere(run, u)
    batch, outcomes = run.learner.encode(run.X, run.y)
    against = _comparator(run, u, batch.width)
    lemmas = _lemmas(run)
    checks = 0
    for t, moment in enumerate(moments(run.rule, batch, outcomes, against, run.rule.ends()[0], passes=run.passes)):
        for lemma, guarantee in lemmas.items():
            _check(t, guarantee, lemma, moment)
            checks += 1
    return checks


def _audit_elsewhere(run: Run, u: FloatArray | None) -> int:
    """Of rules whose weights are not a vector over the features."""
    from littlestone.theory.space_audit import space_checks

    checks = 0
    for one in space_checks(run, u):
        # The coordinates of kernel rows are good to a rounding of the kernel matrix, which grows with the rows.
        slack = _ROUNDING * (1.0 + run.ledger.rounds / run.passes) * (one.scale + abs(one.left) + abs(one.right))
        if not one.left <= one.right + slack:
            raise LemmaViolated(one.round, one.guarantee, one.words, one.left, one.right)
        checks += 1
    return checks


def _comparator(run: Run, u: FloatArray | None, width: int) -> FloatArray:
    against = np.zeros(width)
    given = run.rule.init(width).w if u is None else np.asarray(u, dtype=np.float64)
    against[: len(given)] = given
    return against


def _lemmas(run: Run) -> dict[Lemma[LinearMoment], LinearGuarantee]:
    """Each lemma once, with the first theorem it serves."""
    evidence = LinearEvidence(run.rule, run.ledger, None, run.state.w)
    found: dict[Lemma[LinearMoment], LinearGuarantee] = {}
    for guarantee in theory.about(run.rule):
        if all(assumption.check(evidence) is not False for assumption in guarantee.assumptions):
            for lemma in guarantee.lemmas:
                found.setdefault(lemma, guarantee)
    return found


def _check(t: int, guarantee: LinearGuarantee, lemma: Lemma[LinearMoment], moment: LinearMoment) -> None:
    left, right = lemma.sides(moment)
    lengths = float(moment.w @ moment.w + moment.w_next @ moment.w_next + moment.u @ moment.u)
    slack = _ROUNDING * (1.0 + abs(left) + abs(right) + lengths) * (1.0 + moment.norm_squared)
    if not (left <= right + slack or math.isnan(left)):
        raise LemmaViolated(t, guarantee.id, lemma.words, left, right)
