"""Proofs about rules of many classes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone.errors import InvalidData, NotApplicable
from littlestone.learner import Learner
from littlestone.multiclass import MulticlassFixed
from littlestone.multiclass.rule import MulticlassRule
from littlestone.run import Run
from littlestone.theory.evidence import Comparison, LinearEvidence
from littlestone.theory.lemmas import Checked, weighed
from littlestone.theory.multiclass import GUARANTEES, MulticlassGuarantee, moments
from littlestone.theory.proofs import Proofs

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.rule import LinearRule
    from littlestone.theory.certificate import Certificate
    from littlestone.theory.proofs import Against, Beside


@final
class ClassProofs(Proofs):
    """Those of Kesler's space, against prototypes: a run of `MulticlassFixed`, or a matrix with a row per class."""

    solves: ClassVar[bool] = False

    def certificates(self, of: Run | Learner, against: Against) -> list[Certificate]:
        """From the ledgers of the run and of the comparator."""
        constant = None if isinstance(of, Learner) else of.passes * _constant_mistakes(of)
        evidence = LinearEvidence(of.rule, of.ledger, _comparison(of, against), None, of.state, constant)
        return [guarantee.certify(evidence) for guarantee in self.weighed(of.rule).values()]

    def rounds(self, run: Run, beside: Beside) -> Iterator[list[Checked]]:
        """Beside prototypes; zeros where none are given."""
        rule = run.rule
        assert isinstance(rule, MulticlassRule)
        batch, outcomes = run.learner.encode(run.X, run.y)
        evidence = LinearEvidence(rule, run.ledger, None)
        serving = {
            lemma: guarantee
            for guarantee in reversed(self.weighed(rule).values())
            if all(assumption.check(evidence) is not False for assumption in guarantee.assumptions)
            for lemma in guarantee.lemmas
        }
        U = _beside(run, beside, batch.width)
        for moment in moments(rule, batch, outcomes, U, passes=run.passes) if serving else ():
            lengths = float(np.sum(moment.W**2) + np.sum(moment.W_next**2) + np.sum(moment.U**2))
            yield [
                weighed(guarantee.id, lemma.words, lemma.sides(moment), lengths, moment.norm_squared)
                for lemma, guarantee in serving.items()
            ]

    def weighed(self, rule: LinearRule) -> dict[str, MulticlassGuarantee]:
        """All of them."""
        return {guarantee.id: guarantee for guarantee in GUARANTEES if guarantee.speaks_of(rule)}


PROTOTYPES = ClassProofs()


def _constant_mistakes(run: Run) -> int:
    """Of whoever always shows the class met most often."""
    _, outcomes = run.learner.encode(run.X, run.y)
    counts = Counter(outcomes.number(t) for t in range(len(outcomes)))
    return len(outcomes) - max(counts.values(), default=0)


def _comparison(of: Run | Learner, against: Run | npt.ArrayLike | Comparison | None) -> Comparison | None:
    if against is None or isinstance(against, Comparison):
        return against
    if isinstance(against, str):
        raise NotApplicable("no best prototypes are solved for; give a matrix, a row per class, or a run of MulticlassFixed")
    if isinstance(against, Run):
        if not isinstance(against.rule, MulticlassFixed) or against.rule.ends() != of.rule.ends():
            raise NotApplicable(f"against is a run of {against.rule!r}; expected MulticlassFixed with the margin of the rule")
        its, mine = against.learner, of.learner if isinstance(of, Run) else of
        alike = mine.labels == its.labels and mine.view == its.view
        return Comparison(np.ravel(against.rule.weights), against.ledger, alike=alike)
    if isinstance(of, Learner):
        raise NotApplicable("a learner keeps no rows to run prototypes over; give a run of MulticlassFixed over the stream")
    U = _matrix(against, of.learner)
    rule, learner = MulticlassFixed(weights=U, margin=of.rule.ends()[0]), of.learner
    fixed = Learner(rule, labels=learner.labels, missing=learner.missing, view=learner.view)
    for _ in range(of.passes):
        fixed.learn_many(of.X, of.y)
    return Comparison(U.ravel(), fixed.ledger)


def _matrix(against: npt.ArrayLike, learner: Learner) -> FloatArray:
    try:
        U = np.asarray(against, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidData(f"against is {against!r}; expected a matrix, a row per class") from None
    if U.ndim != 2 or len(U) != len(learner.labels):
        raise InvalidData(f"against has the shape {U.shape}; expected {len(learner.labels)} rows, one per class")
    return U


def _beside(run: Run, against: Run | npt.ArrayLike | None, width: int) -> FloatArray:
    """The comparator of an audit: a row per class, zeros where none is given.

    Raises:
        InvalidData: if it is not a row per class.
        NotApplicable: if it is a run of another rule than `MulticlassFixed`.
    """
    if against is None:
        return np.zeros((len(run.learner.labels), width))
    if not isinstance(against, Run):
        return _matrix(against, run.learner)
    if not isinstance(against.rule, MulticlassFixed):
        raise NotApplicable(f"against is a run of {type(against.rule).__name__}; expected a run of MulticlassFixed or a matrix")
    return _matrix(against.rule.weights, run.learner)
