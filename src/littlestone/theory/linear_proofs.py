"""Proofs about rules whose weights are a vector over the features."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.errors import InvalidData, NotApplicable
from littlestone.learner import Learner
from littlestone.linear import Fixed
from littlestone.linear.fixed import comparator
from littlestone.progress import Patience
from littlestone.run import Run
from littlestone.theory.catalogue import theory
from littlestone.theory.certificate import Certificate
from littlestone.theory.comparators import NearOptimum, Trials
from littlestone.theory.evidence import Comparison, LinearEvidence, LinearGuarantee
from littlestone.theory.lemmas import Checked, Lemmas, checked, lemmas_of
from littlestone.theory.moments import moments
from littlestone.theory.proofs import Proofs

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.rule import LinearRule
    from littlestone.theory.proofs import Against, Beside


@final
class LinearProofs(Proofs):
    """The linear guarantees of the catalogue, against a run of `Fixed`, a vector, or the best of each theorem."""

    def certificates(self, of: Run | Learner, against: Against) -> list[Certificate]:
        """From the ledgers of the run and of the comparator."""
        if isinstance(against, str):
            return _against_best(of)
        evidence = LinearEvidence(of.rule, of.ledger, _comparison(of, against), of.state.w, of.state)
        return [guarantee.certify(evidence) for guarantee in theory.about(of.rule)]

    def rounds(self, run: Run, beside: Beside) -> Iterator[list[Checked]]:
        """Beside a vector; without one, beside the weights the rule began with."""
        batch, outcomes = run.learner.encode(run.X, run.y)
        lemmas, u = lemmas_of(run.rule, run), _beside(run, beside, batch.width)
        start = run.learner.first_state(batch.width)
        for moment in moments(run.rule, batch, outcomes, u, run.rule.ends()[0], passes=run.passes, start=start):
            yield [checked(guarantee.id, lemma, moment) for lemma, guarantee in lemmas.items()]

    def weighed(self, rule: LinearRule) -> dict[str, LinearGuarantee]:
        """All of them."""
        return {guarantee.id: guarantee for guarantee in theory.about(rule)}

    def lemmas(self, run: Run) -> Lemmas:
        """Those of the theorems whose assumptions do not fail."""
        return lemmas_of(run.rule, run)


LINEAR = LinearProofs()


def weights_of(against: npt.ArrayLike, *shape: int) -> FloatArray:
    """A comparator that was given as a vector; of many classes as a row each.

    Raises:
        InvalidData: if it is not one finite weight per feature.
    """
    try:
        u = np.asarray(against, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InvalidData(f"against is {against!r}; expected a run of Fixed or a vector") from None
    if u.shape != shape:
        words = "a vector with a weight" if len(shape) == 1 else f"{shape[0]} rows, one for each class, with a weight"
        raise InvalidData(f"against has shape {u.shape}; expected {words} for each of {shape[-1]} features")
    if not np.isfinite(u).all():
        raise InvalidData(f"against has the weight {u[~np.isfinite(u)][0]}; weights must be finite")
    return u


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
    learner = of.learner
    fixed = Learner(comparator(of.rule, u), labels=_pair(learner), missing=learner.missing, view=learner.view)
    for _ in range(of.passes):
        fixed.learn_many(of.X, of.y)
    return Comparison(u, fixed.ledger, Trials.of_run(of).inside(u))


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
    if learner.view != against.view:
        return False
    labels = all(a == b or None in (a, b) for a, b in zip(learner.labels, against.labels, strict=False))
    return labels and all(a == b for a, b in zip(learner.features, against.features, strict=False))


def _pair(learner: Learner) -> tuple[object, object] | None:
    """The labels as the run knew them, so that the comparator reads them the same way."""
    negative, positive = learner.labels
    return (negative, positive) if negative != positive else None


def _beside(run: Run, against: Beside, width: int) -> FloatArray:
    given: FloatArray = run.rule.init(width).w if against is None else np.zeros(0)
    if isinstance(against, Run):
        if not isinstance(against.rule, Fixed):
            raise NotApplicable(f"against is a run of {type(against.rule).__name__}; expected a run of Fixed or a vector")
        given = np.asarray(against.rule.weights)[:width]
    elif against is not None:
        given = weights_of(against, width)
    u = np.zeros(width)
    u[: len(given)] = given
    return u


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
    found: dict[object, NearOptimum]

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

    def _solution(self, guarantee: LinearGuarantee) -> NearOptimum:
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
