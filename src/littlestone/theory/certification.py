"""From a run to its certificates."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from littlestone.errors import InvalidData, NotApplicable
from littlestone.experts.mixture import Mixture
from littlestone.experts.run import ExpertRun
from littlestone.learner import Learner
from littlestone.run import Run
from littlestone.theory.certificate import Certificate, Certificates, Check, Verdict
from littlestone.theory.expert_evidence import Sequence

if TYPE_CHECKING:
    from littlestone.conformal.conformal import Conformal
    from littlestone.conformal.run import ConformalRun
    from littlestone.ledger import Ledger
    from littlestone.theory.proofs import Against

# The smallest squared length that is known to full precision.
_SHORTEST = sys.float_info.min / sys.float_info.epsilon

_ORDER = {Verdict.VIOLATED: 0, Verdict.HOLDS: 1, Verdict.VACUOUS: 2, Verdict.UNPROVED: 3}


def certify(
    of: Run | Learner | ExpertRun | Mixture | Conformal | ConformalRun, *, against: Against | Sequence = None
) -> list[Certificate]:
    """Every guarantee that speaks of the rule, best first: violated ones before all, then the tightest that holds.

    Args:
        of: a run, or a learner; or a run of an expert rule, or a mixture; or a `ls.Conformal`, or a run of it.
        against: a run of `ls.Fixed` over the same stream, or its weights and ledger as a `Comparison`; or a vector, which is
            run over the stream of `of`; or "best", which solves for the comparator each theorem wants; or None, which
            leaves the theorems that compare with something unproved. For experts: a sequence of them, or None.

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.MarginPerceptron(rho=0.7), [[1.0, 0.0], [0.0, 1.0]] * 50, [+1, -1] * 50)
        >>> print(ls.certify(run, against="best")[0])
        mohri.ex8.6x: holds: updates 2 ≤ 3 = max{n : nρ ≤ a_n}
          after Mohri et al., exercise 8.6, without the slack of its last steps: the outcomes are labels ✓; \
the comparator has margin at least ρ ✓; against the vector of largest margin
    """
    if isinstance(of, ExpertRun | Mixture):
        return of.certify(sequence_of(against))
    if not isinstance(of, Run | Learner):
        from littlestone.theory.conformal import certify_conformal, is_conformal

        if is_conformal(of):
            return certify_conformal(of)
        raise NotApplicable(f"there is nothing to certify in a {type(of).__name__}; give a run, a learner or a mixture")
    if isinstance(against, Sequence):
        raise NotApplicable("against is a sequence of experts; expected a run of Fixed or a vector")
    if isinstance(against, str) and against != "best":
        raise InvalidData(f'against is {against!r}; expected a run of Fixed, a vector or "best"')
    proofs = of.rule.proofs()
    if not of.rule.abilities.compares:
        return ranked(proofs.certificates(of, None))
    failing = unmet(of.ledger)
    if failing:
        return ranked([unproved(certificate, failing) for certificate in proofs.certificates(of, None)])
    return ranked(refuted(proofs.certificates(of, against), found_in(of)))


def found_in(of: Run | Learner) -> str | None:
    """What spot checks of a run, or the watch over a learner, found; in words that say what should be."""
    from littlestone.theory.spot import finding

    found = (of.learner if isinstance(of, Run) else of).watch.finding
    return finding(of) if found is None and isinstance(of, Run) else found


def refuted(certificates: list[Certificate], found: str | None) -> list[Certificate]:
    """The certificates of a run that is not one of its rule: whatever they say of the rule is not said of this run."""
    if found is None:
        return certificates
    return [
        replace(
            certificate,
            verdict=Verdict.VIOLATED if certificate.proved else certificate.verdict,
            assumptions=(*certificate.assumptions, Check(found, False)),
        )
        for certificate in certificates
    ]


def unmet(ledger: Ledger) -> tuple[Check, ...]:
    """What every theorem assumes of a run and this one lacks."""
    # A squared length this small has lost its digits, or is 0 for a row that is not.
    digits = ledger.largest_update_entry == 0.0 or ledger.largest_update_norm_squared >= _SHORTEST
    checks = (
        Check("every round has weight 1", ledger.unit_weights),
        Check("the rule learned every round itself, from its own start", ledger.own_rounds),
        Check("the squared lengths of the rows keep their digits", digits),
    )
    return tuple(check for check in checks if not check.met)


def unproved(certificate: Certificate, failing: tuple[Check, ...]) -> Certificate:
    """The certificate of a run that lacks what every theorem assumes."""
    checks = (*certificate.assumptions, *failing)
    return replace(certificate, verdict=Verdict.UNPROVED, bound=math.nan, assumptions=checks)


def ranked(certificates: list[Certificate]) -> Certificates:
    """Violated ones before all, then the tightest that holds; bounds that read the run itself below the others."""
    return Certificates(sorted(certificates, key=_rank))


def sequence_of(against: Against | Sequence) -> Sequence | None:
    """What an expert run can be compared with.

    Raises:
        NotApplicable: if it is anything but a sequence of experts or nothing.
    """
    if against is None or isinstance(against, Sequence):
        return against
    raise NotApplicable("an expert run is compared with a sequence of experts, or with nothing: its ledger has the experts")


def _rank(certificate: Certificate) -> tuple[int, bool, float]:
    tightness = certificate.tightness
    return _ORDER[certificate.verdict], certificate.hindsight, 0.0 if math.isnan(tightness) else -tightness
