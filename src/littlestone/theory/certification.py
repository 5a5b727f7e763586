"""From a run to its certificates."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from littlestone.errors import InvalidData, NotApplicable
from littlestone.experts.mixture import Mixture
from littlestone.experts.run import ExpertRun
from littlestone.learner import Learner, comparator
from littlestone.linear import Fixed
from littlestone.run import Run
from littlestone.theory.catalogue import theory
from littlestone.theory.certificate import Certificate, Verdict
from littlestone.theory.evidence import Comparison, LinearEvidence
from littlestone.theory.expert_evidence import Sequence

if TYPE_CHECKING:
    import numpy.typing as npt

Against: TypeAlias = "Run | npt.ArrayLike | None"

_ORDER = {Verdict.VIOLATED: 0, Verdict.HOLDS: 1, Verdict.VACUOUS: 2, Verdict.UNPROVED: 3}


def certify(of: Run | Learner | ExpertRun | Mixture, *, against: Against | Sequence = None) -> list[Certificate]:
    """Every guarantee that speaks of the rule, best first: violated ones before all, then the tightest that holds.

    Args:
        of: a run, or a learner; or a run of an expert rule, or a mixture.
        against: a run of `ls.Fixed` over the same stream; or a vector, which is run over the stream of `of`; or None,
            which leaves the theorems that compare with something unproved. For experts: a sequence of them, or None.

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.MarginPerceptron(rho=0.7), [[1.0, 0.0], [0.0, 1.0]] * 50, [+1, -1] * 50)
        >>> print(ls.certify(run, against=[1.0, -1.0])[0])
        mohri.ex8.6x: holds: updates 2 ≤ 3 = max{n : nρ ≤ a_n}
          after Mohri et al., exercise 8.6, without the slack of its last steps: the outcomes are labels ✓; \
the comparator has margin at least ρ ✓
    """
    if isinstance(of, ExpertRun | Mixture):
        return of.certify(_sequence(against))
    if isinstance(against, Sequence):
        raise NotApplicable("against is a sequence of experts; expected a run of Fixed or a vector")
    evidence = LinearEvidence(of.rule, of.ledger, _comparison(of, against))
    return ranked([guarantee.certify(evidence) for guarantee in theory.about(of.rule)])


def ranked(certificates: list[Certificate]) -> list[Certificate]:
    """Violated ones before all, then the tightest that holds."""
    return sorted(certificates, key=_rank)


def _sequence(against: Against | Sequence) -> Sequence | None:
    if against is None or isinstance(against, Sequence):
        return against
    raise NotApplicable("an expert run is compared with a sequence of experts, or with nothing: its ledger has the experts")


def _rank(certificate: Certificate) -> tuple[int, float]:
    tightness = certificate.tightness
    return _ORDER[certificate.verdict], 0.0 if math.isnan(tightness) else -tightness


def _comparison(of: Run | Learner, against: Against) -> Comparison | None:
    if against is None:
        return None
    if isinstance(against, Run):
        if not isinstance(against.rule, Fixed):
            raise NotApplicable(f"against is a run of {type(against.rule).__name__}; expected a run of Fixed")
        return Comparison(against.rule.weights, against.ledger)
    if isinstance(of, Learner):
        raise NotApplicable("a learner keeps no rows to run a vector over; give a run of Fixed over the same stream")
    try:
        u = np.asarray(against, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidData(f"against is {against!r}; expected a run of Fixed or a vector") from None
    fixed = Learner(comparator(of.rule, u), labels=_pair(of.learner))
    for _ in range(of.passes):
        fixed.learn_many(of.X, of.y)
    return Comparison(u, fixed.ledger)


def _pair(learner: Learner) -> tuple[object, object] | None:
    """The labels as the run knew them, so that the comparator reads them the same way."""
    negative, positive = learner.labels
    return (negative, positive) if negative != positive else None
