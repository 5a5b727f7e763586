"""The lemmas that speak of a run, and one of them in one round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

from littlestone.kernels import Support
from littlestone.theory.catalogue import theory
from littlestone.theory.evidence import LinearEvidence, LinearGuarantee, LinearMoment
from littlestone.theory.guarantee import Lemma

if TYPE_CHECKING:
    from littlestone.rule import LinearRule
    from littlestone.run import Run

# The sides of a lemma are differences of squared lengths, so a rounding of those lengths is no violation.
ROUNDING = 1e-12


@final
@dataclass(frozen=True)
class Checked:
    """A lemma of a theorem in one round: both sides, and what rounding may make of them."""

    guarantee: str
    words: str
    left: float
    right: float
    slack: float

    @property
    def kept(self) -> bool:
        """Whether the inequality is true up to rounding; sides beyond the range of numbers say nothing."""
        return not self.left > self.right + self.slack


Lemmas: TypeAlias = dict[Lemma[LinearMoment], LinearGuarantee]
"""Each lemma with the first theorem that it serves."""


def lemmas_of(rule: LinearRule, run: Run) -> Lemmas:
    """Each lemma once, with the first theorem it serves."""
    evidence = LinearEvidence(rule, run.ledger, None, None if isinstance(run.state, Support) else run.state.w)
    found: Lemmas = {}
    for guarantee in theory.about(rule):
        if all(assumption.check(evidence) is not False for assumption in guarantee.assumptions):
            for lemma in guarantee.lemmas:
                found.setdefault(lemma, guarantee)
    return found


def checked(guarantee: str, lemma: Lemma[LinearMoment], moment: LinearMoment, rounding: float = ROUNDING) -> Checked:
    """A lemma of linear rules in one round."""
    lengths = float(moment.w @ moment.w + moment.w_next @ moment.w_next + moment.u @ moment.u)
    return weighed(guarantee, lemma.words, lemma.sides(moment), lengths, moment.norm_squared, rounding)


def weighed(
    guarantee: str, words: str, sides: tuple[float, float], lengths: float, norm_squared: float, rounding: float = ROUNDING
) -> Checked:
    """Both sides of a lemma, and the slack of lengths of this size."""
    left, right = sides
    slack = rounding * (1.0 + abs(left) + abs(right) + lengths) * (1.0 + norm_squared)
    return Checked(guarantee, words, left, right, slack)
