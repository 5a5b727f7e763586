"""Proofs about rules whose weights are not a vector over the features: kernel rules and rules of one class."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from littlestone.errors import NotApplicable
from littlestone.kernels import KernelRule, Support
from littlestone.run import Run
from littlestone.theory.evidence import Comparison
from littlestone.theory.flagging import SHARE
from littlestone.theory.guarantee import Lemma
from littlestone.theory.kernels import PROJECTED, KernelMoment
from littlestone.theory.lemmas import Checked, checked, lemmas_of
from littlestone.theory.proofs import Proofs
from littlestone.theory.space_moments import ball_moments, flag_moments, kernel_moments
from littlestone.theory.spaces import kernel_certificates, uniclass_certificates
from littlestone.theory.uniclass import GUARANTEES
from littlestone.uniclass import RadiusUniclass, ShareFlagging

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from littlestone.learner import Learner
    from littlestone.rule import LinearRule
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
    """Those of one class, against a centre, of a kernel rule coefficients, or the best."""

    def certificates(self, of: Run | Learner, against: Against) -> list[Certificate]:
        """From the ledger and the distances of the rows from the centre."""
        return uniclass_certificates(of, _no_run(of.rule, against))

    def rounds(self, run: Run, beside: Beside) -> Iterator[list[Checked]]:
        """Beside a centre, for the rules that the theorems speak of as they are."""
        centre, state = _no_run(run.rule, beside), run.state
        if isinstance(run.rule, ShareFlagging):
            yield from _flag_rounds(run)
            return
        guarantee = next(known for known in GUARANTEES if known.speaks_of(run.rule))
        lemma = guarantee.lemmas[0]
        changed = isinstance(state, Support) and bool(state.expansion.dropped or state.expansion.distortion)
        changed |= isinstance(run.rule, RadiusUniclass) and run.rule.variant != "PA"
        for moment in () if changed else ball_moments(run, centre):
            left, right = lemma.sides(moment)
            slack = _ROUNDING * (1.0 + abs(left) + abs(right) + moment.scale)
            yield [Checked(guarantee.id, lemma.words, left, right, slack)]


KERNELS = KernelProofs()
BALLS = BallProofs()


def _no_run(rule: LinearRule, against: Against) -> npt.ArrayLike | None:
    if isinstance(against, Run | Comparison):
        raise NotApplicable(f'{type(rule).__name__} is not compared with a run; give a centre, coefficients or "best"')
    return against


def _flag_rounds(run: Run) -> Iterator[list[Checked]]:
    lemma = SHARE.lemmas[0]
    for moment in flag_moments(run):
        slack = _ROUNDING * (1.0 + abs(moment.before) / moment.eta)
        yield [Checked(SHARE.id, lemma.words, *lemma.sides(moment), slack)]


def _projected(lemma: Lemma[KernelMoment], moment: KernelMoment) -> Checked:
    left, right = lemma.sides(moment)
    scale = 1.0 + abs(left) + abs(right) + moment.before + moment.after + moment.u_norm
    return Checked(PROJECTED.id, lemma.words, left, right, _ROUNDING * scale)
