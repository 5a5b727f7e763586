"""Proofs about rules whose weights are not a vector over the features: kernel rules and rules of one class."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, final

from littlestone.errors import NotApplicable
from littlestone.kernels import KernelRule, Support
from littlestone.learner import Learner
from littlestone.run import Run
from littlestone.theory.ball_spaces import BallSpace, Euclidean, Lifted, OfDistributions, OfKernel
from littlestone.theory.evidence import Comparison
from littlestone.theory.flagging import SHARE, FlagEvidence
from littlestone.theory.guarantee import Lemma
from littlestone.theory.kernels import PROJECTED, KernelMoment
from littlestone.theory.lemmas import Checked, checked, lemmas_of
from littlestone.theory.proofs import Proofs
from littlestone.theory.space_moments import ball_moments, flag_moments, kernel_moments
from littlestone.theory.spaces import kernel_certificates
from littlestone.theory.uniclass import GUARANTEES, Around, UniclassEvidence
from littlestone.uniclass import ShareFlagging

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from littlestone.rule import LinearRule
    from littlestone.state import State
    from littlestone.theory.certificate import Certificate
    from littlestone.theory.proofs import Against, Beside

# Weights in the space of a kernel are found from their scores on the rows, which costs digits.
_ROUNDING = 1e-8


@final
class KernelProofs(Proofs):
    """Those of the linear rule, in the space of the kernel, against coefficients, one per row, or the best."""

    def certificates(self, of: Run | Learner, against: Against) -> list[Certificate]:
        """As of a run of the linear rule on other rows."""
        return kernel_certificates(of, _no_run(of.rule, against))

    def rounds(self, run: Run, beside: Beside) -> Iterator[list[Checked]]:
        """Only where no budget did what the theorems do not speak of."""
        coefficients, rule, state = _no_run(run.rule, beside), run.rule, run.state
        assert isinstance(rule, KernelRule)
        assert isinstance(state, Support)
        w, limited = state.expansion, rule.limit() is not None
        lemmas = {} if w.dropped or w.distortion else lemmas_of(rule.primal(), run)
        projected = PROJECTED.lemmas if PROJECTED.speaks_of(rule) and limited and not w.dropped else ()
        for linear, kernel in kernel_moments(run, rule, coefficients) if lemmas or projected else ():
            found = [checked(guarantee.id, lemma, linear, _ROUNDING) for lemma, guarantee in lemmas.items()]
            yield found + [_projected(lemma, kernel) for lemma in projected]


@final
class BallProofs(Proofs):
    """Those of one class, against a centre in a space, or the best."""

    def __init__(self, space: BallSpace) -> None:
        self._space = space

    def certificates(self, of: Run | Learner, against: Against) -> list[Certificate]:
        """From the ledger and the distances of the rows from the centre."""
        rule, centre = of.rule, _no_run(of.rule, against)
        around = None if centre is None else self._around(of, centre)
        whole, changed = self._space.steps_are_whole(rule), _was_changed(of.state)
        evidence = UniclassEvidence(rule, rule.threshold(of.state), of.ledger, around, changed, whole)
        found = [guarantee.certify(evidence) for guarantee in GUARANTEES if guarantee.speaks_of(rule)]
        words = "the nearest centre found whose ball holds every row"
        return [replace(one, comparator=words) for one in found] if isinstance(centre, str) else found

    def rounds(self, run: Run, beside: Beside) -> Iterator[list[Checked]]:
        """Beside a centre, for the rules that the theorems speak of as they are."""
        centre = _no_run(run.rule, beside)
        guarantee = next(known for known in GUARANTEES if known.speaks_of(run.rule))
        lemma = guarantee.lemmas[0]
        speaks = self._space.steps_are_whole(run.rule) and not _was_changed(run.state)
        for moment in ball_moments(run, self._space, centre) if speaks else ():
            left, right = lemma.sides(moment)
            slack = _ROUNDING * (1.0 + abs(left) + abs(right) + moment.scale)
            yield [Checked(guarantee.id, lemma.words, left, right, slack)]

    def _around(self, of: Run | Learner, against: npt.ArrayLike) -> Around:
        if isinstance(of, Learner):
            raise NotApplicable("a learner keeps no rows to compare on; certify a run")
        batch, _ = of.learner.encode(of.X, of.y)
        if not len(batch):
            raise NotApplicable("the run has no rows to compare on")
        space, most = self._space, of.rule.threshold(of.state)
        rows = space.rows(of.rule, batch)
        best = isinstance(against, str)
        u = space.nearest(rows, most, space.first(rows)) if best else space.given(rows, against)
        return space.around(rows, u, most, of.passes)


@final
class FlagProofs(Proofs):
    """That of the share of rows that are flagged, which compares with nobody."""

    def certificates(self, of: Run | Learner, against: Against) -> list[Certificate]:
        """From the ledger and the threshold."""
        _no_run(of.rule, against)
        assert isinstance(of.rule, ShareFlagging)
        return [SHARE.certify(FlagEvidence.of(of.rule, of.state, of.ledger))]

    def rounds(self, run: Run, beside: Beside) -> Iterator[list[Checked]]:
        """The threshold of every round."""
        _no_run(run.rule, beside)
        lemma = SHARE.lemmas[0]
        for moment in flag_moments(run):
            slack = _ROUNDING * (1.0 + abs(moment.before) / moment.eta)
            yield [Checked(SHARE.id, lemma.words, *lemma.sides(moment), slack)]


KERNELS = KernelProofs()
BALLS, KERNEL_BALLS, SIMPLEX_BALLS, LIFTED_BALLS = (
    BallProofs(s) for s in (Euclidean(), OfKernel(), OfDistributions(), Lifted())
)
FLAGS = FlagProofs()


def _was_changed(state: State) -> bool:
    """Whether a budget changed an update."""
    return isinstance(state, Support) and bool(state.expansion.dropped or state.expansion.distortion)


def _no_run(rule: LinearRule, against: Against) -> npt.ArrayLike | None:
    if isinstance(against, Run | Comparison):
        raise NotApplicable(f'{type(rule).__name__} is not compared with a run; give a centre, coefficients or "best"')
    return against


def _projected(lemma: Lemma[KernelMoment], moment: KernelMoment) -> Checked:
    left, right = lemma.sides(moment)
    scale = 1.0 + abs(left) + abs(right) + moment.before + moment.after + moment.u_norm
    return Checked(PROJECTED.id, lemma.words, left, right, _ROUNDING * scale)
