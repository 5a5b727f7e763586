"""From a run to its certificates."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, final

import numpy as np

from littlestone.errors import InvalidData, NotApplicable
from littlestone.experts.mixture import Mixture
from littlestone.experts.run import ExpertRun
from littlestone.learner import Learner, comparator
from littlestone.linear import Fixed
from littlestone.multiclass.rule import MulticlassRule
from littlestone.progress import Patience
from littlestone.run import Run
from littlestone.theory.catalogue import theory
from littlestone.theory.certificate import Certificate, Check, Verdict
from littlestone.theory.comparators import Solution, Trials
from littlestone.theory.evidence import Comparison, LinearEvidence, LinearGuarantee
from littlestone.theory.expert_evidence import Sequence
from littlestone.theory.uniclass import is_kernel, is_uniclass

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.conformal.conformal import Conformal
    from littlestone.conformal.run import ConformalRun
    from littlestone.ledger import Ledger

Certifiable: TypeAlias = "Run | Learner | ExpertRun | Mixture | Conformal | ConformalRun"
Against: TypeAlias = "Run | Comparison | npt.ArrayLike | Literal['best'] | None"

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
    if not of.rule.abilities.compares:
        from littlestone.theory.pool import pool_certificates

        return ranked(pool_certificates(of))
    failing = unmet(of.ledger)
    if failing:
        return ranked([unproved(certificate, failing) for certificate in _certified(of, None)])
    return ranked(refuted(_certified(of, against), found_in(of)))


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


def _certified(of: Run | Learner, against: Against) -> list[Certificate]:
    if isinstance(of.rule, MulticlassRule):
        from littlestone.theory.multiclass import multiclass_certificates

        return multiclass_certificates(of, against)
    if is_uniclass(of.rule) or is_kernel(of.rule):
        return _elsewhere(of, against)
    if isinstance(against, str):
        return _against_best(of)
    evidence = LinearEvidence(of.rule, of.ledger, _comparison(of, against), of.state.w, of.state)
    return [guarantee.certify(evidence) for guarantee in theory.about(of.rule)]


def ranked(certificates: list[Certificate]) -> list[Certificate]:
    """Violated ones before all, then the tightest that holds; bounds that read the run itself below the others."""
    return sorted(certificates, key=_rank)


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


def _comparison(of: Run | Learner, against: Run | Comparison | npt.ArrayLike | None) -> Comparison | None:
    if against is None or isinstance(against, Comparison):
        return against
    if isinstance(against, Run):
        if not isinstance(against.rule, Fixed):
            raise NotApplicable(f"against is a run of {type(against.rule).__name__}; expected a run of Fixed")
        _check_loss(of, against.rule)
        u = np.asarray(against.rule.weights, dtype=np.float64)
        return Comparison(u, against.ledger, Trials.of_run(against).inside(u), alike=_alike(of, against.learner))
    if isinstance(of, Learner):
        raise NotApplicable("a learner keeps no rows to run a vector over; give a run of Fixed over the same stream")
    u = weights_of(against, len(of.state.w))
    fixed = Learner(comparator(of.rule, u), labels=_pair(of.learner), missing=of.learner.missing)
    for _ in range(of.passes):
        fixed.learn_many(of.X, of.y)
    return Comparison(u, fixed.ledger, Trials.of_run(of).inside(u))


def weights_of(against: npt.ArrayLike, width: int) -> FloatArray:
    """A comparator that was given as a vector.

    Raises:
        InvalidData: if it is not one finite weight a feature.
    """
    try:
        u = np.asarray(against, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidData(f"against is {against!r}; expected a run of Fixed or a vector") from None
    if u.shape != (width,):
        raise InvalidData(f"against has shape {u.shape}; expected a vector with a weight for each of {width} features")
    if not np.isfinite(u).all():
        raise InvalidData(f"against has the weight {u[~np.isfinite(u)][0]}; weights must be finite")
    return u


def _check_loss(of: Run | Learner, fixed: Fixed) -> None:
    """A bound that reads the comparator's loss is true of the rule's own loss only."""
    (margin, epsilon), (its_margin, its_epsilon) = of.rule.ends(), fixed.ends()
    if math.isfinite(of.ledger.smallest_margin) and margin != its_margin:
        raise NotApplicable(f"against was charged with margin={its_margin}; expected margin={margin}, as the rule is")
    if of.rule.abilities.targets and fixed.abilities.targets and epsilon != its_epsilon:
        raise NotApplicable(f"against was charged with epsilon={its_epsilon}; expected epsilon={epsilon}, as the rule is")


def _alike(of: Run | Learner, against: Learner) -> bool:
    """Whether both read labels and features in the same way, as far as both know them."""
    learner = of.learner if isinstance(of, Run) else of
    labels = all(a == b or None in (a, b) for a, b in zip(learner.labels, against.labels, strict=False))
    return labels and all(a == b for a, b in zip(learner.features, against.features, strict=False))


def _pair(learner: Learner) -> tuple[object, object] | None:
    """The labels as the run knew them, so that the comparator reads them the same way."""
    negative, positive = learner.labels
    return (negative, positive) if negative != positive else None


def _elsewhere(of: Run | Learner, against: Against) -> list[Certificate]:
    """Of rules whose weights are not a vector over the features."""
    from littlestone.theory.spaces import kernel_certificates, uniclass_certificates

    if isinstance(against, Run | Comparison):
        raise NotApplicable(f'{type(of.rule).__name__} is not compared with a run; give a centre, coefficients or "best"')
    return uniclass_certificates(of, against) if is_uniclass(of.rule) else kernel_certificates(of, against)


def _against_best(of: Run | Learner) -> list[Certificate]:
    if isinstance(of, Learner):
        raise NotApplicable("a learner keeps no rows to solve for a comparator over; certify a run, or give a run of Fixed")
    bench = Bench(LinearEvidence(of.rule, of.ledger, None, of.state.w, of.state), Trials.of_run(of), {})
    return bench.certificates(theory.about(of.rule))


@final
@dataclass(frozen=True)
class Bench:
    """The trials of a run and the comparators found for them so far."""

    evidence: LinearEvidence
    trials: Trials
    found: dict[object, Solution]

    def certificates(self, guarantees: list[LinearGuarantee]) -> list[Certificate]:
        """A certificate of each; a bar tells how far the search for comparators is when it takes long."""
        found = list[Certificate]()
        with Patience("comparators", len(guarantees)) as patience:
            for guarantee in guarantees:
                patience.done(len(found), f"comparator for {guarantee.id}")
                found.append(self.certify(guarantee))
        return found

    def certify(self, guarantee: LinearGuarantee) -> Certificate:
        """The certificate against the comparator that the guarantee wants."""
        wanted, alone = guarantee.comparator, guarantee.certify(self.evidence)
        if wanted is None or any(check.met is False for check in alone.assumptions):
            return alone
        solution = self._solution(guarantee)
        certificate = guarantee.certify(self._evidence(solution.u, self.trials.inside(solution.u)))
        return replace(certificate, comparator=wanted.words + _distance(solution.gap))

    def against(self, guarantee: LinearGuarantee) -> FloatArray | None:
        """The comparator that the certificate of a guarantee was given with; None where it has none."""
        wanted = guarantee.comparator
        found = None if wanted is None else self.found.get(wanted.key(self.evidence) or guarantee.id)
        return None if found is None else found.u

    def _solution(self, guarantee: LinearGuarantee) -> Solution:
        wanted = guarantee.comparator
        assert wanted is not None
        key = wanted.key(self.evidence) or guarantee.id
        if key not in self.found:
            self.found[key] = wanted.solve(self.trials, self.evidence, lambda u: guarantee.bound(self._evidence(u)))
        return self.found[key]

    def _evidence(self, u: FloatArray, inside: float | None = None) -> LinearEvidence:
        return replace(self.evidence, comparison=Comparison(u, self.trials.measure(u), inside))


def _distance(gap: float) -> str:
    """How far from the best of its program the comparator may be, where that is known and worth saying."""
    share = f"{100.0 * gap:.2g}" if gap < 0.99 else f"{100.0 * gap:.0f}"
    return f" (within {share} % of its optimum)" if 1e-12 < gap < math.inf else ""
